"""Source texts with their cache and search, blind order, and the ranker's queue."""

from __future__ import annotations

import threading

import pytest

from studio.actions.answer_desk import open_unit, read_desk
from studio.actions.sources import SourceReader
from studio.actions.viewing import blind_order, instance_on_view
from studio.errors import Cancelled
from studio.model.decks import DeckStatus, DeckWarning
from studio.model.ids import InstanceId, Sha256
from studio.model.regions import PictureRegion, PictureText
from studio.store import decks as deck_store
from studio.store import regions as region_store
from studio.texts.source_lookup import HitKind
from tests.gui.projects import add_deck, add_source, make_project

FIRST, SECOND, THIRD = (InstanceId(f"i_instance-{number}") for number in (1, 2, 3))


@pytest.fixture
def project(tmp_path):
    with make_project(tmp_path / "p", instances=3, slides=2) as made:
        yield made


def test_that_a_source_is_read_once_and_then_from_the_cache(project, monkeypatch):
    reader = SourceReader(project)
    (source,) = deck_store.list_sources(project, FIRST)
    text = reader.text(source)
    assert text.pages[0].text.startswith("# One")

    def refuse(*_args, **_more):
        raise AssertionError("read again")

    monkeypatch.setattr("studio.actions.source_index.read_source", refuse)
    assert reader.text(source) == text
    assert SourceReader(project).text(source) == text


def test_that_a_damaged_cache_file_is_made_again(project):
    (source,) = deck_store.list_sources(project, FIRST)
    text = SourceReader(project).text(source)
    (cached,) = (project.cache_folder / "sources").iterdir()
    cached.write_text("{", encoding="utf-8")
    assert SourceReader(project).text(source) == text
    assert cached.read_text(encoding="utf-8") != "{"


def test_that_a_stopped_read_ends_as_cancelled(project):
    cancel = threading.Event()
    cancel.set()
    (source,) = deck_store.list_sources(project, FIRST)
    with pytest.raises(Cancelled):
        SourceReader(project).text(source, cancel)


def test_that_a_source_that_is_gone_costs_its_own_hits_only(project):
    lost = add_source(project, FIRST, "lost.md", "Slide 1 too")
    project.asset_path(lost.asset, "md").unlink()
    deck = deck_store.list_decks(project, FIRST)[0]
    found = SourceReader(project).search(FIRST, "slide 1", decks=[deck.id])
    assert [(hit.where, hit.number) for hit in found.hits] == [(deck.id, 1)]
    assert [line.split(":")[0] for line in found.unread] == ["lost.md"]
    # 64 hexadecimal digits name the stored file, which nobody knows it by.
    assert lost.asset not in found.unread[0]
    assert found.unread[0].count("lost.md") == 2


def test_that_letters_follow_the_persons_own_order_also_before_the_first_answer(project):
    order = blind_order(project, FIRST, "ann")
    assert len(order) == 3
    desk = read_desk(project, "ann")
    opened = open_unit(project, desk.study, desk.queue.items[0].assignment)
    view = instance_on_view(project, FIRST, is_blind=True, annotator="ann")
    assert [deck.id for deck in view.decks] == list(opened.session.display)
    assert [deck.name for deck in view.decks] == ["A", "B", "C"]


def test_that_a_blind_view_leaves_out_decks_whose_reason_might_name_the_system(project):
    add_deck(project, FIRST, "delta", status=DeckStatus.FAILED, reason="delta.pptx is empty")
    assert len(instance_on_view(project, FIRST, is_blind=True, annotator="ann").decks) == 3
    named = instance_on_view(project, FIRST, is_blind=False)
    assert {deck.name: (deck.failure, deck.reason) for deck in named.decks}["delta"] == (
        "The system failed",
        "delta.pptx is empty",
    )


def test_that_nobody_who_is_blind_reads_how_a_deck_was_made(project):
    of_slide, of_file = (
        DeckWarning(slide=2, message="one picture is missing"),
        DeckWarning(slide=None, message="macros"),
    )
    made = add_deck(
        project, FIRST, "delta", slides=2, missing_fonts=("Calibri",), warnings=(of_slide, of_file)
    )  # fmt: skip
    desk = read_desk(project, "ann")
    shown = {
        "compare, blind": instance_on_view(project, FIRST, is_blind=True, annotator="ann").decks,
        "rank": open_unit(project, desk.study, desk.queue.items[0].assignment).decks,
        "compare": instance_on_view(project, FIRST, is_blind=False).decks,
    }
    said = {where: [(deck.missing_fonts, deck.warnings) for deck in decks if deck.id == made]
            for where, decks in shown.items()}  # fmt: skip
    assert said == {
        "compare, blind": [((), (of_slide,))],
        "rank": [((), (of_slide,))],
        "compare": [(("Calibri",), (of_slide, of_file))],
    }


def test_that_a_view_of_an_instance_that_is_gone_is_none(project):
    assert instance_on_view(project, InstanceId("nowhere"), is_blind=False) is None


def test_that_a_lookup_says_how_a_phrase_was_found_and_what_is_nowhere(project):
    add_source(project, FIRST, "report.md", "# Wait\n\nThe wait fell to 0.9 s in May.\n")
    reader = SourceReader(project)
    (hit,) = reader.lookup(FIRST, "the wait fell to 900 ms").hits
    assert (hit.kind, hit.snippet.match) == (HitKind.NORMALISED, "The wait fell to 0.9 s")
    assert reader.lookup(FIRST, "The wait fell to 0.9 s").hits[0].kind is HitKind.EXACT
    nothing = reader.lookup(FIRST, "the wait fell to 700 ms")
    assert (nothing.total, nothing.hits, nothing.missing_numbers) == (0, (), ("700 ms",))


def test_that_words_read_on_pictures_are_searched_with_the_slides(project):
    deck = deck_store.list_decks(project, FIRST)[0]
    read = PictureText(
        picture=Sha256("0" * 64), detector="d", reader="r", width_px=320, height_px=180,
        regions=(PictureRegion(x0=1, y0=1, x1=90, y1=20, text="Harbour fees", text_score=0.9),),
    )  # fmt: skip
    region_store.record_pictures(project, deck.id, region_store.rendered_at(project, deck.id), (2,), (read,))
    found = SourceReader(project).search(FIRST, "harbour", decks=[deck.id])
    assert [(hit.number, hit.part, hit.snippet.match) for hit in found.hits] == [(2, "picture", "Harbour")]


def test_that_a_search_counts_a_number_however_it_is_written(project):
    add_source(project, FIRST, "report.md", "# Visits\n\nThere were 12,400 visits, not 112,400.\n")
    found = SourceReader(project).search(FIRST, "12400")
    assert [(hit.snippet.match, hit.kind) for hit in found.hits] == [("12,400", HitKind.NORMALISED)]
