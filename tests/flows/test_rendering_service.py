"""Rendering a project's decks when workers die, people cancel and programs start again."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from studio.actions.decks import import_paths
from studio.actions.page_cache import cache_facts, clear_cache
from studio.actions.projects import new_project, open_project, status
from studio.actions.runs import start_run
from studio.actions.slide_pictures import render_slide_again
from studio.decks import libreoffice, office_workers
from studio.decks.office_kit import library_of
from studio.decks.render import find_tools
from studio.model.decks import RenderState, slide_file_name
from studio.model.runs import RunKind, RunSpec, RunState
from studio.store import decks as deck_store
from studio.store import page_cache
from studio.store import runs as run_store
from studio.store import scores as score_store
from tests.patience import wait_for_end_of
from tests.unit.decks.decks_made_here import write_deck

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


def _nothing(_event):
    pass


@pytest.fixture
def tools():
    found = find_tools()
    if found.libreoffice is None or library_of(found.libreoffice) is None:
        pytest.skip("LibreOffice is not installed, or not as a library")
    libreoffice.shutdown()
    yield found
    libreoffice.shutdown()


def _project(tmp_path, n_decks: int, n_slides: int, **options):
    folder = tmp_path / "decks" / "task"
    folder.mkdir(parents=True)
    for number in range(n_decks):
        write_deck(
            folder / f"system{number}.pptx", [f"deck {number} slide {at} words" for at in range(n_slides)], **options
        )
    project = new_project(tmp_path / "study")
    report, _ = import_paths(project, [tmp_path / "decks"], emit=_nothing, cancel=threading.Event())
    assert report.decks == n_decks
    return project


def _render(project, tools, cancel=None, **more):
    spec = RunSpec(kind=RunKind.RENDER, workers=3, **more)
    return start_run(project, spec, tools=tools, emit=_nothing, cancel=cancel or threading.Event())[0]


def test_that_six_decks_with_three_workers_survive_a_kill_a_cancel_and_a_restart(tmp_path, tools):
    project = _project(tmp_path, 6, 40)
    cancel = threading.Event()
    killed: list[int] = []
    seen: set[int] = set()
    folders: set[Path] = set()
    asked = threading.Event()

    def trouble():
        for _ in range(1200):
            if asked.is_set():
                return
            pids = office_workers.worker_pids()
            seen.update(pids)
            folders.update(office_workers.worker_folders())
            if pids and not killed:
                time.sleep(0.8)
                os.kill(pids[0], signal.SIGKILL)
                killed.append(pids[0])
            elif killed and any(deck.render_state is RenderState.RENDERED for deck in deck_store.list_decks(project)):
                cancel.set()
                asked.set()
            time.sleep(0.05)

    thread = threading.Thread(target=trouble)
    thread.start()
    ended = _render(project, tools, cancel)
    thread.join()
    seen.update(office_workers.worker_pids())
    folders.update(office_workers.worker_folders())
    assert killed
    states = [deck.render_state for deck in deck_store.list_decks(project)]
    assert set(states) <= {RenderState.RENDERED, RenderState.PENDING}
    if RenderState.PENDING in states:
        assert ended.state is RunState.CANCELLED
    for deck in deck_store.list_decks(project):
        folder = deck_store.page_folder(project, deck.id)
        assert (folder is None) == (deck.render_state is RenderState.PENDING)
    assert list(project.cache_folder.glob(".pages-*")) == []
    libreoffice.shutdown()
    for pid in seen:
        wait_for_end_of(pid)
    assert not any(folder.exists() for folder in folders)

    project.close()
    project = open_project(tmp_path / "study")
    again = _render(project, tools)
    assert again.state is RunState.DONE
    assert again.cached == states.count(RenderState.RENDERED)
    decks = deck_store.list_decks(project)
    assert [deck.render_state for deck in decks] == [RenderState.RENDERED] * 6
    for deck in decks:
        number = deck.system.removeprefix("system")
        slides = deck_store.list_slides(project, deck.id)
        assert [slide.page for slide in slides] == list(range(1, 41))
        assert slides[7].boxes is not None
        assert slides[7].boxes[0].text == f"deck {number} slide 7 words"
    assert [run.state for run in run_store.list_runs(project) if run.state is RunState.RUNNING] == []
    project.close()
    libreoffice.shutdown()
    assert office_workers.worker_pids() == ()


def test_that_a_deleted_cache_is_rendered_again_and_its_size_is_told(tmp_path, tools):
    project = _project(tmp_path, 2, 2)
    _render(project, tools)
    assert status(project)["cache_bytes"] == page_cache.cache_bytes(project) > 0
    assert cache_facts(project)["decks"] == 2
    assert _render(project, tools).cached == 2
    freed, _ = clear_cache(project)
    assert freed > 0
    assert status(project)["cache_bytes"] == 0
    assert _render(project, tools).cached == 0
    assert cache_facts(project)["decks"] == 2
    project.close()


def test_that_the_longest_unused_pages_go_and_those_in_use_stay(tmp_path, tools):
    project = _project(tmp_path, 3, 1)
    _render(project, tools)
    now = time.time()
    first, second, third = (deck_store.page_folder(project, deck.id) for deck in deck_store.list_decks(project))
    os.utime(first, (now - 5000, now - 5000))
    os.utime(second, (now - 9000, now - 9000))
    sizes = {pages.folder: pages.size_bytes for pages in page_cache.cached_pages(project)}
    room = sum(sizes.values()) - 1
    assert page_cache.evict(project, room, now=now) == sizes[second]
    assert [first.is_dir(), second.is_dir(), third.is_dir()] == [True, False, True]
    # The third was used just now: it stays although nothing fits.
    assert page_cache.evict(project, 0, now=now) == sizes[first]
    assert [first.is_dir(), third.is_dir()] == [False, True]
    assert _render(project, tools).cached == 1
    project.close()


def test_that_what_a_killed_rendering_left_goes_with_the_next_run(tmp_path, tools):
    project = _project(tmp_path, 1, 1)
    # No process has a number as large as this one.
    left = project.cache_folder / ".pages-abc-v1-1280x720-0.99999999.140"
    left.mkdir()
    (left / "slide_0001.png").write_bytes(b"half")
    ours = project.cache_folder / f".pages-abc-v1-1280x720-0.{os.getpid()}.141"
    ours.mkdir()
    _render(project, tools)
    assert not left.exists()
    assert ours.exists()
    project.close()


def test_that_one_slide_is_drawn_again_and_a_hidden_one_gets_a_picture(tmp_path, tools):
    project = _project(tmp_path, 1, 3, hidden=[2])
    _render(project, tools)
    (deck,) = deck_store.list_decks(project)
    folder = deck_store.page_folder(project, deck.id)
    before = (folder / slide_file_name(3)).read_bytes()
    (folder / slide_file_name(3)).write_bytes(b"damaged")
    assert render_slide_again(project, deck.id, 3, tools=tools).read_bytes() == before
    assert not (folder / slide_file_name(2)).exists()
    hidden = render_slide_again(project, deck.id, 2, tools=tools)
    assert hidden.read_bytes()[:4] == b"\x89PNG"
    slide = deck_store.list_slides(project, deck.id)[1]
    assert slide.is_hidden
    assert slide.page is None
    project.close()


def test_that_missing_fonts_stand_on_their_slides_and_on_every_value(tmp_path, tools):
    from pptx import Presentation

    folder = tmp_path / "decks" / "task"
    folder.mkdir(parents=True)
    plain = write_deck(folder / "plain.pptx", ["only words", "more words"])
    presentation = Presentation(str(plain))
    for slide in presentation.slides:
        for run in slide.shapes[0].text_frame.paragraphs[0].runs:
            run.font.name = "Liberation Sans"
    presentation.slides[1].shapes[0].text_frame.paragraphs[0].runs[0].font.name = "Nowhere Grotesk"
    presentation.save(str(folder / "lacking.pptx"))
    plain.unlink()
    project = new_project(tmp_path / "study")
    import_paths(project, [tmp_path / "decks"], emit=_nothing, cancel=threading.Event())
    spec = RunSpec(kind=RunKind.METRICS, workers=1)
    start_run(project, spec, tools=tools, emit=_nothing, cancel=threading.Event())
    (deck,) = deck_store.list_decks(project)
    assert "Nowhere Grotesk" in deck.missing_fonts
    first, second = deck_store.list_slides(project, deck.id)
    assert "Nowhere Grotesk" not in first.fonts
    assert "Nowhere Grotesk" in second.missing_fonts
    scores = score_store.current_scores(project)
    assert scores
    of_deck = [s for s in scores if s.slide in {None, 2} and s.metric.startswith("aesthetics.")]
    assert all("missing_fonts" in score.flags for score in of_deck)
    project.close()
