from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest

from studio.actions import align, care
from studio.actions import decks as deck_actions
from studio.actions.library import CellState, library
from studio.actions.sessions import candidates, ranking_queue
from studio.decks import workers
from studio.decks.layouts import ImportPlan, PlannedDeck, PlannedInstance
from studio.errors import BadInput, DeckUnreadable
from studio.exchange.export_tables import rows_of
from studio.exchange.rankings import current_rankings
from studio.jobs.metrics_job import MetricsJob
from studio.model.decks import DeckFormat, RenderState
from studio.model.ids import InstanceId, RunId
from studio.model.runs import Run, RunKind, RunSpec, RunState
from studio.model.scores import Score
from studio.store import care as care_store
from studio.store import decks as deck_store
from studio.store import library as library_store
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.care import LIBRARY, Kind
from studio.store.project import Project
from tests.projects import SYSTEMS, decks_of, instance_named, make_project, person, rank


@pytest.fixture(autouse=True, scope="module")
def _workers_end():
    """Stop the reader processes, which otherwise stay for the next file."""
    yield
    workers.shutdown()


@pytest.fixture
def project(tmp_path):
    made = make_project(tmp_path / "study")
    yield made
    made.close()


@pytest.fixture
def deck_file(tmp_path):
    """A PDF of one empty page."""
    import pymupdf

    path = tmp_path / "better.pdf"
    with pymupdf.open() as pdf:
        pdf.new_page(width=960, height=540)
        pdf.save(path)
    return path


def add_score(project, deck_id, value, *, metric="aesthetics.total", run_id=None, instance="topic-1"):
    score_store.append_scores(
        project,
        [
            Score(
                run_id=run_id, metric=metric, metric_version=1, preset="benchmark", deck_id=deck_id,
                instance_id=instance_named(project, instance), slide=None, value=value, undefined_reason=None,
            )
        ],
    )  # fmt: skip


def values_of(project):
    return {(score.deck_id, score.value) for score in score_store.current_scores(project)}


def test_that_a_replaced_file_keeps_the_old_one_and_its_answers_and_marks_them_stale(project, deck_file):
    decks = decks_of(project, "topic-1")
    rank(project, "topic-1", "Ann", SYSTEMS)
    for number, system in enumerate(SYSTEMS):
        add_score(project, decks[system], number / 10)
    old = care.deck_of(project, decks["Birch"]).asset

    done, _ = care.replace_deck_file(project, decks["Birch"], deck_file)

    deck = care.deck_of(project, decks["Birch"])
    assert done.words == "Replaced the file of Birch by better.pdf"
    assert (deck.asset != old, deck.format, deck.original_name, deck.slides) == (True, DeckFormat.PDF, "better.pdf", 1)
    assert deck.render_state is RenderState.PENDING
    assert project.asset_path(deck.asset, deck.extension).read_bytes() == deck_file.read_bytes()
    (ranking,) = current_rankings(project)
    assert set(ranking.ranks) == set(decks.values()) - {decks["Birch"]}
    assert ranking.stale_decks == (decks["Birch"],)
    assert values_of(project) == {(decks["Aster"], 0.0), (decks["Cedar"], 0.2), (decks["Dahlia"], 0.3)}
    stale = care.stale_of(project)
    assert stale == {decks["Birch"]: care_store.Stale(ranks=1, scores=1)}
    assert project.reading().execute("SELECT count(*) FROM scores").fetchone()[0] == 4
    cell = next(cell for row in library(project).rows for cell in row.cells if cell.deck.id == decks["Birch"])
    assert cell.stale.total == 2


def test_that_an_undo_brings_the_old_file_its_pictures_and_its_answers_back(project, deck_file):
    decks = decks_of(project, "topic-1")
    rank(project, "topic-1", "Ann", SYSTEMS)
    add_score(project, decks["Birch"], 0.5)
    before = care_store.record(project, Kind.DECK, decks["Birch"])
    thumbs = library_store.first_thumbnails(project)
    care.replace_deck_file(project, decks["Birch"], deck_file)
    assert decks["Birch"] not in library_store.first_thumbnails(project)
    add_score(project, decks["Birch"], 0.9)

    done, _ = care.undo(project)

    assert done.words == "Undone: Replaced the file of Birch by better.pdf"
    assert care_store.record(project, Kind.DECK, decks["Birch"]) == before
    assert library_store.first_thumbnails(project) == thumbs
    (ranking,) = current_rankings(project)
    assert set(ranking.ranks) == set(decks.values())
    # The newer value is of the other file, so the older one counts again.
    assert values_of(project) == {(decks["Birch"], 0.5)}
    assert care.stale_of(project) == {}

    care.redo(project)
    assert values_of(project) == {(decks["Birch"], 0.9)}
    assert care.stale_of(project)[decks["Birch"]].ranks == 1


def test_that_scores_of_a_run_that_began_before_the_file_changed_are_stale(project, deck_file):
    decks = decks_of(project, "topic-1")
    run = Run(
        id=RunId("run_1"), kind=RunKind.METRICS, title="", spec={}, state=RunState.RUNNING,
        started_at="2026-01-01T00:00:00.000Z", total=1, cached=0,
    )  # fmt: skip
    run_store.add_run(project, run)
    care.replace_deck_file(project, decks["Birch"], deck_file)
    add_score(project, decks["Birch"], 0.7, run_id=run.id)
    assert values_of(project) == set()
    run_store.add_run(project, replace(run, id=RunId("run_2"), started_at="2999-01-01T00:00:00.000Z"))
    add_score(project, decks["Birch"], 0.8, run_id=RunId("run_2"))
    assert values_of(project) == {(decks["Birch"], 0.8)}


def test_that_a_file_that_cannot_be_used_changes_nothing(project, tmp_path):
    decks = decks_of(project, "topic-1")
    bad = tmp_path / "bad.pptx"
    bad.write_bytes(b"no deck")
    before = care_store.record(project, Kind.DECK, decks["Birch"])
    with pytest.raises(DeckUnreadable, match=r"bad\.pptx was not taken"):
        care.replace_deck_file(project, decks["Birch"], bad)
    assert care_store.record(project, Kind.DECK, decks["Birch"]) == before
    assert care_store.list_acts(project) == []


@pytest.mark.parametrize("kind", sorted(LIBRARY))
def test_that_what_is_removed_is_hidden_everywhere_and_an_undo_brings_it_back(project, kind):
    decks = decks_of(project, "topic-1")
    for instance in ("topic-1", "topic-2"):
        rank(project, instance, "Ann", SYSTEMS)
        for number, deck in enumerate(decks_of(project, instance).values()):
            add_score(project, deck, number / 10, instance=instance)
    birch = care.deck_of(project, decks["Birch"])
    target = {Kind.DECK: birch.id, Kind.SYSTEM: birch.system_id, Kind.INSTANCE: birch.instance_id}[kind]
    before = {table: rows_of(project, table) for table in ("rankings", "scores", "pairs")}
    gone = {deck.id for deck in deck_store.list_decks(project) if target in (deck.id, deck.system_id, deck.instance_id)}
    assert len(gone) == {Kind.DECK: 1, Kind.SYSTEM: 2, Kind.INSTANCE: 4}[kind]

    done, _ = care.remove(project, kind, target)

    assert done is not None
    assert not gone & {deck.id for deck in deck_store.list_decks(project)}
    assert not gone & {deck.id for deck in candidates(project, birch.instance_id)}
    assert not gone & {score.deck_id for score in score_store.current_scores(project)}
    assert not gone & {unit.deck_id for unit in MetricsJob(RunSpec(kind=RunKind.METRICS)).plan(project).units}
    for ranking in current_rankings(project):
        assert not gone & ({*ranking.ranks} | {*ranking.display})
    evidence = align.gather(project)
    assert not gone & {deck for scores in evidence.methods["aesthetics.total"].values() for deck in scores}
    assert evidence.left_out["removed_decks"] == len(gone)
    for table in ("rankings", "scores", "pairs"):
        assert not [row for row in rows_of(project, table) if gone & {row.get("deck_id"), row.get("deck_a")}]
    if kind is Kind.INSTANCE:
        assert [entry.instance.name for entry in ranking_queue(project, person(project, "Ann"))] == ["topic-2"]

    care.undo(project)
    assert {table: rows_of(project, table) for table in before} == before
    assert care.left_out(project)["removed_decks"] == 0


def test_that_a_removed_systems_name_is_free_and_its_undo_then_says_why_not(project):
    birch = next(item for item in deck_store.list_systems(project) if item.name == "Birch")
    done, _ = care.remove(project, Kind.SYSTEM, birch.id)
    assert done is not None
    assert done.words == "Removed the system Birch with its 2 decks"
    other = deck_store.system_named(project, "Birch")
    assert other.id != birch.id
    with pytest.raises(BadInput, match="another system named Birch"):
        care.undo(project)
    care.rename(project, Kind.SYSTEM, other.id, "Birch 2")
    care.undo(project)  # of the renaming
    with pytest.raises(BadInput, match="another system named Birch"):
        care.undo(project)


def test_that_a_deck_that_is_imported_anew_comes_back_with_the_answers_on_its_old_file_stale(project, deck_file):
    decks = decks_of(project, "topic-1")
    rank(project, "topic-1", "Ann", SYSTEMS)
    care.remove(project, Kind.DECK, decks["Birch"])
    plan = ImportPlan(
        failures=(),
        instances=(
            PlannedInstance(
                name="topic-1",
                title="",
                instruction=None,
                sources=(),
                decks=(PlannedDeck(path=deck_file, system="Birch", format=DeckFormat.PDF),),
            ),
        ),
    )
    report, _ = deck_actions.import_plan(project, plan, emit=lambda _: None, cancel=_Never())
    assert report.deck_ids == (decks["Birch"],)
    assert care.deck_of(project, decks["Birch"]).original_name == "better.pdf"
    assert care.stale_of(project)[decks["Birch"]].ranks == 1
    with pytest.raises(BadInput, match="it was removed or brought back since"):
        care.undo(project)


def test_that_undo_and_redo_go_through_the_acts_in_order_and_a_new_act_ends_redo(project):
    systems = {item.name: item.id for item in deck_store.list_systems(project)}

    def names():
        return [item.name for item in deck_store.list_systems(project)]

    care.rename(project, Kind.SYSTEM, systems["Aster"], "Anemone")
    care.rename(project, Kind.SYSTEM, systems["Anemone" if "Anemone" in systems else "Aster"], "Arnica")
    care.undo(project)
    assert names()[0] == "Anemone"
    care.undo(project)
    assert names()[0] == "Aster"
    with pytest.raises(BadInput, match="nothing to undo"):
        care.undo(project)
    care.redo(project)
    assert names()[0] == "Anemone"
    care.rename(project, Kind.SYSTEM, systems["Birch"], "Beech")
    with pytest.raises(BadInput, match="nothing to redo"):
        care.redo(project)
    assert [item.verb for item in care_store.list_acts(project)] == [
        "rename", "rename", "undo", "undo", "redo", "rename",
    ]  # fmt: skip


def test_that_an_undo_leaves_what_was_changed_elsewhere_in_the_record(project):
    system = deck_store.list_systems(project)[0]
    care.rename(project, Kind.SYSTEM, system.id, "Anemone")
    deck_store.update_system(project, replace(system, name="Anemone", version="2.1"))
    care.undo(project)
    found = next(item for item in deck_store.list_systems(project) if item.id == system.id)
    assert (found.name, found.version) == ("Aster", "2.1")


def test_that_a_name_that_is_taken_or_empty_is_refused(project):
    systems = {item.name: item.id for item in deck_store.list_systems(project)}
    with pytest.raises(BadInput, match="another system named Birch"):
        care.rename(project, Kind.SYSTEM, systems["Aster"], "Birch")
    with pytest.raises(BadInput, match="needs a name"):
        care.rename(project, Kind.SYSTEM, systems["Aster"], "  ")
    assert care.rename(project, Kind.SYSTEM, systems["Aster"], "Aster")[0] is None
    assert care_store.list_acts(project) == []


def test_that_the_journal_cannot_be_changed_and_survives_reopening(project, tmp_path):
    system = deck_store.list_systems(project)[0]
    care.rename(project, Kind.SYSTEM, system.id, "Anemone")
    with pytest.raises(sqlite3.Error, match="append-only"):
        project.reading().execute("DELETE FROM project_acts")
    project.close()
    with Project.open(tmp_path / "study") as again:
        care.undo(again)
        assert deck_store.list_systems(again)[0].name == "Aster"


def test_that_a_rank_for_a_removed_deck_of_an_instance_with_other_decks_moves_nobody(project):
    decks = decks_of(project, "topic-1")
    rank(project, "topic-1", "Ann", SYSTEMS)
    care.remove(project, Kind.DECK, decks["Aster"])
    rows = [row for row in rows_of(project, "rankings") if row["rank"] is not None]
    # Ranks 2, 3, 4 of those that are left are 1, 2, 3 among them.
    assert [(row["system"], row["rank"], row["n_ranked"]) for row in rows] == [
        ("Birch", 1, 3), ("Cedar", 2, 3), ("Dahlia", 3, 3),
    ]  # fmt: skip


def test_that_cells_of_removed_decks_are_missing_and_may_be_recorded_anew(project):
    decks = decks_of(project, "topic-1")
    care.remove(project, Kind.DECK, decks["Birch"])
    row = next(row for row in library(project).rows if row.instance.name == "topic-1")
    cell = next(cell for cell in row.cells if cell.system.name == "Birch")
    assert (cell.state, cell.deck) == (CellState.MISSING, None)
    assert InstanceId(row.instance.id) == instance_named(project, "topic-1")


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((0, 0, 0, 0, 0), ""),
        ((3, 0, 2, 1, 1), "Left out: 3 ranks and 3 values given on earlier files, 1 removed deck."),
        ((0, 1, 0, 0, 0), "Left out: 1 answer given on earlier files."),
        ((0, 0, 0, 0, 12), "Left out: 12 removed decks."),
    ],
)
def test_that_what_is_left_out_is_said_in_words(counts, words):
    names = ("stale_ranks", "stale_answers", "stale_scores", "stale_verdicts", "removed_decks")
    assert care.left_out_in_words(dict(zip(names, counts, strict=True))) == words


class _Never:
    def is_set(self) -> bool:
        return False
