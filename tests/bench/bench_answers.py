"""Time what a user waits for at a key or a click: ``python -m tests.bench.bench_answers``.

A table of 10,000 rows is sorted, a library of 3,000 instances filtered, a phrase looked up in a source of 300 pages
and the editability of a deck of 100 slides judged.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from studio.actions.library import LibraryFilter, filtered, library
from studio.gui.widgets.table import Column, RowModel
from studio.metrics.editability import RULES, assess_file
from studio.texts.source_lookup import SourceIndex
from tests.bench.bench_stats import median_seconds
from tests.projects import make_project
from tests.unit.metrics.editability import decks_built
from tests.unit.texts.test_source_lookup import three_hundred_pages

ROWS, INSTANCES, SLIDES = 10_000, 3_000, 100


def sorting() -> float:
    """Return the median seconds in which a table is sorted by a column of numbers, up and down in turn."""
    model = RowModel([Column(title="Name", value=lambda row: row[0]), Column(title="Score", value=lambda row: row[1])])
    model.set_rows([(f"r{n}", (n * 7919) % 10_007 / 10_007) for n in range(ROWS)])
    orders = iter([Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder] * 10)
    return median_seconds(lambda: model.sort(1, next(orders)))


def filtering(folder: Path) -> float:
    """Return the median seconds in which all instances are compared with a text that none has."""
    with make_project(folder / "study", instances=1, slides=1) as project:
        rows = library(project).rows * INSTANCES
    return median_seconds(lambda: filtered(rows, LibraryFilter(text="nowhere")))


def lookups() -> dict[str, float]:
    """Return the median seconds of a lookup, by what is looked up."""
    pages = three_hundred_pages()
    whole = SourceIndex([("book", pages)])
    phrase = " ".join(pages[150].text.split()[100:112])
    wanted = {
        "a phrase": phrase,
        "one with a slip": phrase.replace("a", "o", 1),
        "a number": "total 11100",
        "a phrase that is nowhere": "a sentence that stands nowhere in this book at all",
    }
    return {name: median_seconds(lambda text=text: whole.lookup(text)) for name, text in wanted.items()}


def judging(folder: Path) -> float:
    """Return the median seconds in which a deck gets its level of editability."""
    deck = decks_built.Built()
    for number in range(SLIDES):
        slide = deck.slide(decks_built.TITLE_AND_CONTENT, f"Heading {number}")
        slide.placeholders[1].text = "First point\nSecond point"
        decks_built.rectangles(slide.shapes, 10)
        if number % 5 == 0:
            decks_built.chart(slide)
    path = deck.save(folder / "deck.pptx")
    return median_seconds(lambda: assess_file(path, RULES["studio"]), 3)


def main() -> None:
    """Print the medians."""
    app = QApplication.instance() or QApplication([])
    with tempfile.TemporaryDirectory() as temp:
        print(f"{ROWS:,} rows sorted: {1e3 * sorting():.1f} ms")
        print(f"{INSTANCES:,} instances filtered: {1e3 * filtering(Path(temp)):.1f} ms")
        for name, seconds in lookups().items():
            print(f"{name} looked up in 300 pages: {1e3 * seconds:.1f} ms")
        print(f"editability of {SLIDES} slides: {1e3 * judging(Path(temp)):.0f} ms")
    app.processEvents()


if __name__ == "__main__":
    main()
