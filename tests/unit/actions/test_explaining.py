"""Presets, references, foreign results and style buckets over a project with drawn slides."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from studio.actions import bucket_align, foreign_results, measured, presets, references
from studio.actions.align import gather
from studio.actions.library import deck_facts
from studio.actions.runs import check_evaluators
from studio.errors import BadInput
from studio.jobs.engine import run_job
from studio.jobs.executors import InlineExecutor
from studio.jobs.metrics_job import MetricsJob
from studio.metrics.parameters import PRESETS
from studio.model.decks import RenderState, Slide, TextBox
from studio.model.runs import RunKind, RunSpec
from studio.store import decks as deck_store
from studio.store import runs as run_store
from studio.store import scores as score_store
from tests.projects import SYSTEMS, add_deck, make_project, rank


class InlineJob(MetricsJob):
    def executor(self):
        return InlineExecutor()


def draw(path: Path, seed: int, *, is_dark: bool) -> None:
    rng = np.random.default_rng(seed)
    slide = np.full((90, 160, 3), 20 if is_dark else 250, np.uint8)
    colour = tuple(int(part) for part in rng.integers(0, 256, 3))
    cv2.rectangle(slide, (90, 20), (100 + int(rng.integers(0, 50)), 80), colour, -1)
    cv2.putText(slide, "Text", (10, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (230,) * 3 if is_dark else (30,) * 3, 2)
    cv2.imwrite(str(path), slide)


@pytest.fixture
def project(tmp_path):
    made = make_project(tmp_path / "p", instances=2, slides=3)
    for place, deck in enumerate(deck_store.list_decks(made)):
        folder = made.cache_folder / f"pages-{place}"
        folder.mkdir()
        for number in (1, 2, 3):
            draw(folder / f"slide_{number:04}.png", 10 * place + number, is_dark=deck.system == "Aster")
        deck_store.record_rendering(
            made,
            deck_store.Rendering(
                deck_id=deck.id, asset=deck.asset, state=RenderState.RENDERED, renderer="drawn", pages=3,
                raster_px=(160, 90), folder=folder.name,
                slides=tuple(
                    Slide(
                        deck_id=deck.id, number=number, page=number, width_px=160, height_px=90,
                        boxes=(TextBox(x0=0.05, y0=0.2, x1=0.5, y1=0.55, text="Text"),),
                    )
                    for number in (1, 2, 3)
                ),
            ),
        )  # fmt: skip
    yield made
    made.close()


def run(project, preset="benchmark"):
    spec = RunSpec(kind=RunKind.METRICS, preset=preset)
    ended = run_job(project, InlineJob(spec), emit=lambda event: None, cancel=threading.Event())
    assert set(ended.counts) <= {"ok"}, ended
    return ended


@pytest.fixture
def measured_project(project):
    run(project)
    return project


def first_deck(project):
    return deck_store.list_decks(project)[0]


def test_that_a_run_stores_cues_of_decks_and_slides(measured_project):
    deck = first_deck(measured_project)
    found = [
        score
        for score in score_store.current_scores(measured_project, deck_id=deck.id, with_slides=True)
        if score.metric == "cues.whitespace"
    ]
    of_slides = [score.value for score in found if score.slide is not None]
    (of_deck,) = [score.value for score in found if score.slide is None]
    assert len(of_slides) == 3
    assert of_deck == pytest.approx(sum(of_slides) / 3)


def test_that_a_measured_deck_comes_back_from_the_stored_scores(measured_project):
    deck = first_deck(measured_project)
    found = measured.measured_deck(measured_project, deck.id)
    assert found.numbers == (1, 2, 3)
    assert all(len(each.regions) == 1 for each in found.measures)
    assert len(list(measured.measured_decks(measured_project))) == 8


def test_that_a_deck_that_is_not_measured_says_what_to_run(project):
    with pytest.raises(BadInput, match="studio metrics"):
        measured.measured_deck(project, first_deck(project).id)


def test_that_decks_are_found_by_id_and_by_instance_and_system(project):
    deck = first_deck(project)
    assert measured.find_deck(project, deck.id) == deck
    assert measured.find_deck(project, f"topic-1/{deck.system}") == deck
    with pytest.raises(BadInput, match="There are 2 decks"):
        measured.find_deck(project, deck.system)
    with pytest.raises(BadInput, match="no deck"):
        measured.find_deck(project, "topic-9/Aster")


# presets


def test_that_an_imported_preset_is_used_by_a_run_of_its_name(project, tmp_path):
    config = PRESETS["benchmark"].to_reference() | {"weight_contrast": 14.0}
    (tmp_path / "double.json").write_text(json.dumps(config))
    made, _ = presets.import_preset(project, tmp_path / "double.json")
    assert (made.name, made.provenance["file"]) == ("double", "double.json")
    assert made.differences == {"weight_contrast": (7.0, 14.0)}
    run(project)
    run(project, "double")
    methods = gather(project).methods
    deck = first_deck(project)
    usability = methods["aesthetics.usability"][deck.instance_id][deck.id]
    assert methods["aesthetics.usability@double"][deck.instance_id][deck.id] == pytest.approx(2 * usability)


def test_that_a_preset_goes_out_byte_for_byte_under_the_references_keys(project, tmp_path):
    presets.export_preset(project, "benchmark", tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text()) == PRESETS["benchmark"].to_reference()


def test_that_a_name_never_changes_its_parameters(project, tmp_path):
    presets.save(project, "mine", PRESETS["paper-text"], {"kind": "imported"})
    again, _ = presets.save(project, "mine", PRESETS["paper-text"], {"kind": "other"})
    assert again.provenance == {"kind": "imported"}
    with pytest.raises(BadInput, match="other parameters"):
        presets.save(project, "mine", PRESETS["benchmark"], {})


@pytest.mark.parametrize("name", ["", " x", "a@b", "benchmark", "imported:x", "a/b", "x" * 61])
def test_that_names_that_would_be_mistaken_are_refused(project, name):
    with pytest.raises(BadInput):
        presets.save(project, name, PRESETS["benchmark"], {})


def test_that_a_file_with_some_parameters_needs_a_base(project, tmp_path):
    (tmp_path / "some.json").write_text('{"se_k": 2}')
    with pytest.raises(BadInput, match="missing"):
        presets.import_preset(project, tmp_path / "some.json")
    made, _ = presets.import_preset(project, tmp_path / "some.json", base="paper-text")
    assert made.parameters.sigmoid_slope == 2.0
    assert made.parameters.harmony_sigma_deg == 0.01


def test_that_an_unknown_preset_names_those_of_studio_and_project(project):
    presets.save(project, "mine", PRESETS["benchmark"], {})
    with pytest.raises(BadInput, match=r"paper-text.*mine"):
        check_evaluators(project, (), "nope")


# references


def test_that_a_reference_of_the_project_has_the_figures_of_its_slides(measured_project, tmp_path):
    made, _ = references.make(measured_project, "all")
    decks = list(measured.measured_decks(measured_project))
    colours = [each.colourfulness for deck in decks for each in deck.measures]
    assert (made.n_decks, made.n_slides, made.raster_px) == (8, 24, (160, 90))
    assert made.figures["colourfulness"].mean == pytest.approx(np.mean(colours))
    assert made.figures["colourfulness"].variance == pytest.approx(np.var(colours))
    assert references.get(measured_project, "all") == made
    out = references.export_reference(measured_project, "all", tmp_path / "all.json")
    again, _ = references.import_reference(measured_project, out, name="copy")
    assert (again.name, again.figures) == ("copy", made.figures)
    assert [each.name for each in references.list_references(measured_project)] == ["all", "copy"]


def test_that_the_best_deck_of_eight_lies_at_its_own_mid_percentile(measured_project):
    references.make(measured_project, "all")
    rows = references.percentile_rows(measured_project, "all")
    totals = sorted(row["percentile"] for row in rows if row["figure"] == "aesthetics.total")
    # Eight different totals among themselves: (k + ½) / 8.
    assert totals == pytest.approx([100 * (k + 0.5) / 8 for k in range(8)])


def test_that_a_reference_of_some_systems_counts_only_their_decks(measured_project):
    made, _ = references.make(measured_project, "aster", systems=["Aster"])
    assert made.n_decks == 2
    with pytest.raises(BadInput, match="has a reference aster already"):
        references.make(measured_project, "aster")
    replaced, _ = references.make(measured_project, "aster", replace=True)
    assert replaced.n_decks == 8


def test_that_a_missing_reference_names_the_known_ones(measured_project):
    with pytest.raises(BadInput, match="Make one"):
        references.get(measured_project, "none")


# results made elsewhere


def test_that_an_own_result_comes_back_equal_slide_by_slide(measured_project, tmp_path):
    deck = first_deck(measured_project)
    out = foreign_results.export_result(measured_project, deck.id, tmp_path / "result.json")
    before = gather(measured_project).methods["aesthetics.total"][deck.instance_id][deck.id]
    label, _ = foreign_results.import_result(measured_project, deck.id, out)
    found = foreign_results.compare(measured_project, deck.id, label)
    assert [each.difference for each in found.slides] == [0.0] * 12
    assert all(each.ours == each.theirs == each.recomputed for each in found.scores)
    assert len(found.scores) == 5
    methods = gather(measured_project).methods
    assert methods["aesthetics.total"][deck.instance_id][deck.id] == before
    assert methods["aesthetics.total@imported:result"][deck.instance_id] == {deck.id: before}
    again, changes = foreign_results.import_result(measured_project, deck.id, out)
    assert (again, changes.topics) == (label, frozenset())
    assert [run.kind for run in run_store.list_runs(measured_project)].count(RunKind.IMPORTED) == 1


def test_that_other_values_show_as_differences(measured_project, tmp_path):
    deck = first_deck(measured_project)
    content = foreign_results.result_of(measured_project, deck.id)
    content["slides"][1]["colorfulness"] += 2.0
    content["slides"][2]["figure_ground_contrast"]["mean"] = None
    content["aesthetics_score"]["components"]["contrast"] = 1.25
    (tmp_path / "theirs.json").write_text(json.dumps(content))
    label, _ = foreign_results.import_result(measured_project, deck.id, tmp_path / "theirs.json", label="other")
    found = foreign_results.compare(measured_project, deck.id, label)
    pairs = {(each.slide, each.figure): each for each in found.slides}
    assert pairs[2, "colourfulness"].difference == pytest.approx(-2.0)
    assert pairs[3, "contrast"].theirs is None
    assert pairs[3, "contrast"].difference is None
    usability = next(each for each in found.scores if each.metric == "aesthetics.usability")
    assert usability.theirs == 1.25
    assert usability.recomputed != 1.25


def test_that_a_result_of_another_deck_is_refused(measured_project, tmp_path):
    deck = first_deck(measured_project)
    content = foreign_results.result_of(measured_project, deck.id)
    content["slides"].pop()
    (tmp_path / "short.json").write_text(json.dumps(content))
    with pytest.raises(BadInput, match="has 2 slides, and the deck of Aster shows 3"):
        foreign_results.import_result(measured_project, deck.id, tmp_path / "short.json")


def test_that_a_comparison_that_was_never_imported_says_how(measured_project):
    with pytest.raises(BadInput, match="--reference-in"):
        foreign_results.compare(measured_project, first_deck(measured_project).id, "none")


# buckets


def test_that_alignment_by_bucket_ranks_decks_anew_among_those_of_the_bucket(measured_project):
    rank_both(measured_project)
    table = bucket_align.bucket_table(measured_project, metrics=["aesthetics.total"], resamples=0)
    rows = {row.bucket.value: row for row in table.buckets}
    assert rows["dark"].n_decks == 2  # Aster, in two instances
    assert rows["light"].n_decks == 6
    # One dark deck for each instance is too few; three light ones are enough.
    assert rows["dark"].within["aesthetics.total"].undefined["too_few"] == 2
    assert rows["light"].within["aesthetics.total"].n_defined == 2
    # Without the dark ones is within the light ones, and the other way round.
    assert rows["dark"].without["aesthetics.total"].mean_rho == rows["light"].within["aesthetics.total"].mean_rho
    content = bucket_align.as_json(table)
    assert json.loads(json.dumps(content)) == content
    assert not table.unknown


def test_that_ranked_decks_that_are_not_measured_are_counted_and_in_no_bucket(measured_project):
    instance = deck_store.list_instances(measured_project)[0]
    other = add_deck(measured_project, instance.id, "Elder")
    rank(measured_project, instance.name, "Zoe", [*SYSTEMS, "Elder"])
    table = bucket_align.bucket_table(measured_project, metrics=["aesthetics.total"], resamples=0)
    assert table.unknown == (other,)
    assert sum(row.n_decks for row in table.buckets if row.bucket.value in ("dark", "light")) == 4


def rank_both(project):
    for number, order in enumerate((SYSTEMS, SYSTEMS[::-1]), start=1):
        rank(project, f"topic-{number}", "Ann", order)


def test_that_the_library_names_the_style_of_a_measured_deck(measured_project, tmp_path):
    deck = first_deck(measured_project)
    facts = {fact.label: fact for fact in deck_facts(measured_project, deck)}
    wanted = bucket_align.deck_styles(measured_project)[deck.id].buckets
    # Aster's slides have a dark ground.
    assert "dark" in facts["Style"].value
    assert set(facts["Style"].value.replace("-", "_").split(", ")) == {bucket.value for bucket in wanted}


def test_that_a_deck_that_is_not_measured_has_no_style_yet(tmp_path):
    with make_project(tmp_path / "study") as project:
        deck = deck_store.list_decks(project)[0]
        style = next(fact for fact in deck_facts(project, deck) if fact.label == "Style")
    assert (style.value, style.reason) == ("–", "Not measured yet.")
