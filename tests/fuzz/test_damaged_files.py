"""Whatever is done to a file, it ends in a reason or in a good read, and the next file is none the worse.

``PODIUM_FUZZ`` says how many damaged files (``make fuzz``); few by default.
"""

from __future__ import annotations

import os
from pathlib import Path

import psutil
import pytest

from studio.decks import libreoffice, workers
from studio.decks.processes import held_bytes
from studio.decks.render import RenderTools, find_tools, render_deck
from studio.decks.sniff import sniff
from studio.decks.structure import inspect_file
from studio.errors import DeckUnreadable
from studio.model.decks import DeckFacts, DeckFormat, Failure, FailureKind
from tests.fuzz.mutations import mutated
from tests.fuzz.whole_files import from_corpus, made_here

HOW_MANY = int(os.environ.get("PODIUM_FUZZ", "60"))
_BATCH = 10
_RENDER_S = 45.0
_GROWTH_BYTES = 700 << 20
_BROWSER_EVERY = 5
"""A browser takes seconds for a page, so it sees every fifth of the damaged ones."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def whole() -> list[tuple[str, bytes]]:
    files = list(made_here().items())
    # Every second one is made here: those have every format.
    corpus = [(path.name, path.read_bytes()) for path in from_corpus()]
    if not corpus:
        return files
    return [pair for index in range(max(len(corpus), len(files))) for pair in
            (files[index % len(files)], corpus[index % len(corpus)])]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _ended():
    yield
    libreoffice.shutdown()
    workers.shutdown()


def _check_reason(failure: Failure | None, what: str) -> None:
    if failure is None:
        return
    assert failure.kind in set(FailureKind), f"{what}: {failure}"
    assert failure.message.strip(), what
    assert "Traceback" not in failure.message, f"{what}: {failure.message}"
    assert "Error:" not in failure.message, f"{what}: {failure.message}"


def _check_facts(facts: DeckFacts, what: str) -> None:
    _check_reason(facts.failure, what)
    if facts.failure is None:
        assert facts.format is not None, what
        assert facts.slides is None or facts.slides >= 0, what


def _render(path: Path, out: Path, tools: RenderTools, what: str, *, with_browser: bool) -> None:
    try:
        kind = sniff(path).deck_format
    except DeckUnreadable:
        return
    if kind is None or (kind is DeckFormat.HTML and not with_browser):
        return
    rendered = render_deck(path, out, format=kind, tools=tools, box_px=(320, 180), timeout_s=_RENDER_S)
    _check_reason(rendered.failure, what)
    for page in rendered.pages:
        assert page.image is None or page.image.stat().st_size > 0, what


@pytest.mark.timeout(60 + _BATCH * 30)
@pytest.mark.parametrize("start", range(0, HOW_MANY, _BATCH))
def test_that_damaged_files_end_in_a_reason_or_a_good_read(tmp_path, whole, start):
    tools = find_tools()
    before = held_bytes(os.getpid())
    for seed in range(start, min(start + _BATCH, HOW_MANY)):
        name, data = whole[seed % len(whole)]
        how, damaged = mutated(data, seed)
        what = f"seed {seed}: {name} {how}"
        path = tmp_path / f"{seed}{Path(name).suffix}"
        path.write_bytes(damaged)
        _check_facts(inspect_file(path), what)
        _render(path, tmp_path / str(seed), tools, what, with_browser=seed % _BROWSER_EVERY == 0)
        assert path.read_bytes() == damaged, f"{what}: reading changed the file"
    assert held_bytes(os.getpid()) - before < _GROWTH_BYTES
    # And what comes afterwards reads as ever.
    good = tmp_path / "good.pptx"
    good.write_bytes(made_here()["deck.pptx"])
    facts = inspect_file(good)
    assert facts.failure is None
    assert (facts.slides, facts.hidden_slides, facts.tables, facts.groups, facts.notes) == (4, 1, 1, 1, 1)
    if tools.libreoffice is not None and start == 0:
        rendered = render_deck(good, tmp_path / "good", format=DeckFormat.PPTX, tools=tools)
        assert [page.page for page in rendered.pages] == [1, 2, 3, None]


def test_that_the_same_number_gives_the_same_damage():
    data = made_here()["deck.pdf"]
    assert mutated(data, 7) == mutated(data, 7)
    assert len({mutated(data, seed)[1] for seed in range(20)}) == 20


def test_that_no_worker_outlives_the_files():
    libreoffice.shutdown()
    workers.shutdown()
    left = [child for child in psutil.Process().children(recursive=True) if "soffice" in child.name()]
    assert left == []
