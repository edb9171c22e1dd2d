import shutil
import threading

import pymupdf
import pytest

from studio.actions.decks import import_plan
from studio.actions.library import (
    CellState,
    Library,
    LibraryFilter,
    copy_for_viewing,
    counts_in_words,
    deck_facts,
    fact_lines,
    filtered,
    library,
    record_absence,
    retryable,
    size_words,
)
from studio.decks import workers
from studio.decks.layouts import ImportPlan, PlannedDeck, PlannedInstance
from studio.errors import BadInput
from studio.model.authoring import Curation
from studio.model.decks import (
    ChartCounts,
    DeckFacts,
    DeckFormat,
    DeckStatus,
    DeckWarning,
    FontFacts,
    PictureCounts,
    RenderState,
)
from studio.store import checklists as checklist_store
from studio.store import decks as deck_store
from studio.store.project import Project
from tests.gui.projects import add_deck, add_instance, add_source, make_project


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "study", title="Study") as made:
        ports = add_instance(made, "ports", title="Sea ports", scenario="lecture", language="en")
        add_source(made, ports.id, "harbour.md")
        add_deck(made, ports.id, "alpha", hidden=(1,))
        add_deck(made, ports.id, "beta", render=RenderState.PENDING)
        add_deck(made, ports.id, "gamma", render=RenderState.FAILED, render_reason="timed_out: too slow")
        tides = add_instance(made, "tides", title="潮汐", scenario="report", language="zh")
        add_deck(made, tides.id, "alpha", status=DeckStatus.FAILED, reason="truncated: alpha.pptx ends too early.")
        add_deck(made, tides.id, "beta", status=DeckStatus.NOT_SUPPORTED)
        warning = DeckWarning(slide=2, message="A picture is missing.")
        add_deck(made, tides.id, "delta", warnings=(warning,), missing_fonts=("Arial Narrow",))
        yield made


def test_that_a_badge_has_the_difficulty_of_the_curation_and_the_record_stays(project):
    ports = next(row.instance for row in library(project).rows if row.instance.name == "ports")
    checklist_store.save_curation(project, Curation(instance_id=ports.id, difficulty="hard"), author="tester")
    row = next(row for row in library(project).rows if row.instance.name == "ports")
    assert row.badges == ("lecture", "en", "hard")
    # What its record says is changed in the record only.
    assert row.instance == ports


def states(project: Project) -> dict[str, list[str]]:
    found = library(project)
    return {row.instance.name: [cell.state.value for cell in row.cells] for row in found.rows}


def test_that_every_system_has_a_cell_in_every_instance_and_absences_differ(project):
    # Systems by name: alpha, beta, delta, gamma.
    assert states(project) == {
        "ports": ["rendered", "not rendered", "missing", "rendering failed"],
        "tides": ["failed", "not supported", "rendered", "missing"],
    }


def test_that_counts_leave_out_what_there_is_none_of(project):
    assert counts_in_words(Library(), shown=0) == ""
    # Delivered: alpha, beta and gamma for the ports, delta for the tides.
    counts = "4 systems · 4 decks · 1 rendering failed · 1 failed · 2 missing · 1 not supported"
    assert counts_in_words(library(project), shown=2) == f"2 instances · {counts}"
    assert counts_in_words(library(project), shown=1) == f"1 of 2 instances · {counts}"


def test_that_a_cell_without_a_picture_says_why(project):
    ports, tides = library(project).rows
    assert ports.cells[2].reason == "No deck of delta was imported."
    assert ports.cells[3].reason == "timed_out: too slow"
    assert tides.cells[0].reason == "truncated: alpha.pptx ends too early."
    assert tides.cells[1].reason == "beta does not support this task."


def test_that_the_thumbnail_is_that_of_the_first_visible_slide(project):
    cell = library(project).rows[0].cells[0]
    assert cell.thumb is not None
    assert cell.thumb.name == "thumb_0002.png"
    assert cell.thumb.is_file()


def test_that_a_deck_whose_original_is_gone_is_told_apart(project):
    deck = library(project).rows[0].cells[0].deck
    project.asset_path(deck.asset, deck.extension).unlink()
    cell = library(project).rows[0].cells[0]
    assert cell.state is CellState.FILE_GONE
    assert cell.reason == "The original of alpha.pptx is gone from the project's assets."


def test_that_a_deck_whose_pictures_were_deleted_is_drawn_again(project):
    shutil.rmtree(project.cache_folder)
    ports, tides = library(project).rows
    assert ports.cells[0].state is CellState.PENDING
    assert retryable([*ports.cells, *tides.cells]) == (
        "d_i_ports_alpha", "d_i_ports_beta", "d_i_ports_gamma", "d_i_tides_delta"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        (LibraryFilter(), ["ports", "tides"]),
        (LibraryFilter(text="SEA harbour"), ["ports"]),
        (LibraryFilter(text="潮"), ["tides"]),
        (LibraryFilter(text="delta"), ["tides"]),
        (LibraryFilter(text="sea 潮"), []),
        (LibraryFilter(scenario="lecture"), ["ports"]),
        (LibraryFilter(language="zh"), ["tides"]),
        (LibraryFilter(status="rendering failed"), ["ports"]),
        (LibraryFilter(status="missing"), ["ports", "tides"]),
        (LibraryFilter(status="warnings"), ["tides"]),
        (LibraryFilter(status="fonts"), ["tides"]),
        (LibraryFilter(scenario="lecture", language="zh"), []),
    ],
)
def test_that_a_filter_lets_pass_what_it_names(project, wanted, names):
    assert [row.instance.name for row in filtered(library(project).rows, wanted)] == names


def test_that_only_delivered_decks_without_pictures_are_rendered_again(project):
    ports, tides = library(project).rows
    assert retryable(ports.cells) == ("d_i_ports_beta", "d_i_ports_gamma")
    assert retryable(tides.cells) == ()


def test_that_the_values_for_filters_are_sorted_and_without_the_empty_one(project):
    add_instance(project, "winds", scenario="", language="en")
    found = library(project)
    assert found.values("scenario") == ["lecture", "report"]
    assert found.values("language") == ["en", "zh"]
    # 3 instances × 4 systems: ports 1 + tides 1 + winds 4 are missing.
    assert found.states()[CellState.MISSING] == 6


def test_that_facts_are_told_in_words_with_a_reason_where_undefined(tmp_path):
    facts = DeckFacts(
        format=DeckFormat.PPTX,
        container="zip",
        slides=3,
        slide_size_emu=(12_192_000, 6_858_000),
        text_boxes=14,
        pictures=PictureCounts(embedded=3, broken=1),
        charts=ChartCounts(),
        fonts=FontFacts(asked=("Arial", "Noto Sans")),
    )
    with Project.create(tmp_path / "study") as project:
        instance = add_instance(project, "ports")
        add_deck(project, instance.id, "alpha", facts=facts, hidden=(2,))
        lines = {fact.label: fact for fact in deck_facts(project, deck_store.list_decks(project)[0])}
    # 12,192,000 / 914,400 = 13.333…; 6,858,000 / 914,400 = 7.5
    assert lines["Slide size"].value == "13.33 × 7.50 in"
    assert lines["Pictures"].value == "3 embedded, 1 broken"
    assert lines["Charts"].value == "0"
    assert lines["Text boxes"].value == "14"
    assert lines["Fonts"].value == "Arial, Noto Sans"
    assert lines["Hidden slides"].value == "2"
    assert lines["Drawn"].value == "2 at 320 × 180 px"
    assert (lines["SmartArt"].value, lines["SmartArt"].reason) == ("–", "Not known for this format.")


def test_that_the_record_of_an_absence_has_no_facts(project):
    deck = library(project).rows[1].cells[1].deck
    assert fact_lines(deck, {}) == []


def test_that_an_absence_is_recorded_with_its_reason_and_can_be_changed(project):
    instance, gamma = library(project).rows[1].instance, library(project).systems[3]
    record_absence(project, instance.id, gamma, DeckStatus.NOT_SUPPORTED, "no Chinese")
    cell = library(project).rows[1].cells[3]
    assert (cell.state, cell.reason) == (CellState.NOT_SUPPORTED, "no Chinese")
    record_absence(project, instance.id, gamma, DeckStatus.MISSING)
    again = library(project).rows[1].cells[3]
    assert (again.state, again.reason) == (CellState.MISSING, "gamma delivered nothing.")
    assert again.deck.id == cell.deck.id


def test_that_a_deck_that_is_there_cannot_be_recorded_as_absent(project):
    instance, alpha = library(project).rows[0].instance, library(project).systems[0]
    with pytest.raises(BadInput, match="alpha has a deck"):
        record_absence(project, instance.id, alpha, DeckStatus.MISSING)
    with pytest.raises(BadInput, match="present is no reason"):
        record_absence(project, instance.id, alpha, DeckStatus.PRESENT)


def test_that_a_deck_that_comes_later_takes_the_place_of_an_absence(project, tmp_path):
    row = library(project).rows[1]
    absent = row.cells[1].deck
    path = tmp_path / "beta.pdf"
    with pymupdf.open() as document:
        document.new_page()
        document.save(path)
    planned = PlannedInstance(
        name="tides", title="", instruction=None, sources=(),
        decks=(PlannedDeck(path=path, system="beta", format=DeckFormat.PDF),),
    )  # fmt: skip
    plan = ImportPlan(instances=(planned,), failures=())
    report, _ = import_plan(project, plan, emit=lambda event: None, cancel=threading.Event())
    workers.shutdown()
    assert (report.decks, report.skipped, report.failed) == (1, 0, ())
    cell = library(project).rows[1].cells[1]
    assert (cell.state, cell.deck.id) == (CellState.PENDING, absent.id)


def test_that_sizes_are_told_in_powers_of_ten():
    assert [size_words(size) for size in (0, 1, 120_400, 2_460_000)] == ["0 kB", "1 kB", "120 kB", "2.5 MB"]


def test_that_another_program_gets_a_copy_of_a_source_under_its_name(project):
    source = library(project).rows[0].sources[0]
    copy = copy_for_viewing(project, source)
    assert copy.name == "harbour.md"
    assert copy.read_bytes() == project.asset_path(source.asset, source.extension).read_bytes()
    copy.write_text("changed")
    assert copy_for_viewing(project, source).read_text() != "changed"


def test_that_a_source_without_its_file_cannot_be_opened(project):
    source = library(project).rows[0].sources[0]
    project.asset_path(source.asset, source.extension).unlink()
    with pytest.raises(BadInput, match=r"harbour\.md is gone"):
        copy_for_viewing(project, source)


def test_that_a_filter_looks_at_each_of_thousands_of_instances(tmp_path):
    with make_project(tmp_path / "study", instances=1, slides=1) as project:
        found = library(project)
    rows = found.rows * 3000
    assert filtered(rows, LibraryFilter(text="nowhere")) == []
    assert filtered(rows, LibraryFilter(text=rows[0].instance.name)) == list(rows)
