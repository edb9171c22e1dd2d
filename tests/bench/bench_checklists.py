"""Time scores and tables of 76 items, 238 instances and 8 systems: ``python -m tests.bench checklists``."""

from __future__ import annotations

import itertools
import os
import time

import numpy as np

from studio.checklists.scoring import DIMENSION_ORDER, Answers, ScoredDeck, score_decks, table
from studio.model.ids import DeckId, InstanceId
from tests.bench.bench_stats import median_seconds

ITEMS, INSTANCES, SYSTEMS, DOMAINS = 76, 238, 8, ("academia", "advertising", "economics", "education", "talk")


def main() -> None:
    """Print the median of scoring everything with its tables, and of one filter."""
    decks = [
        ScoredDeck(
            deck_id=DeckId(f"{i}.{s}"), instance_id=InstanceId(str(i)), system=f"s{s}", domain=DOMAINS[i % 5],
            source=f"source {i % 33}", language="zh" if i % 12 == 0 else "en",
        )
        for i in range(INSTANCES)
        for s in range(SYSTEMS)
    ]  # fmt: skip
    rng, n = np.random.default_rng(0), len(decks) * ITEMS
    answers = Answers(
        deck=np.repeat(np.arange(len(decks)), ITEMS),
        dimension=np.tile(np.arange(ITEMS) % len(DIMENSION_ORDER), len(decks)),
        said=rng.choice(4, size=n, p=[0.3, 0.6, 0.05, 0.05]), weight=np.ones(n),
    )  # fmt: skip

    def everything() -> None:
        scores = score_decks(decks, answers)
        for group in (None, "domain", "source", "language"):
            table(scores, by=group)

    scores = score_decks(decks, answers)
    talk = np.array([deck.domain == "talk" for deck in decks])
    print(f"{ITEMS} items x {INSTANCES} instances x {SYSTEMS} systems")
    print(f"scores and four tables, median of 5: {median_seconds(everything):.3f} s")
    print(f"one filter, median of 5: {1000 * median_seconds(lambda: table(scores, by='source', mask=talk)):.1f} ms")
    shown, filtered = in_the_window(decks, answers)
    print(f"in the window: scores and first table {shown:.3f} s, one filter, median of 5: {1000 * filtered:.1f} ms")


def in_the_window(decks: list[ScoredDeck], answers: Answers) -> tuple[float, float]:
    """Return the seconds until the window's table stands there with its scores, and those of one filter."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from studio.gui.checklist_score_tab import ChecklistScores

    app = QApplication.instance() or QApplication([])
    tab = ChecklistScores(context=None)  # type: ignore[arg-type]  # nothing is read here
    tab.resize(1200, 700)
    tab.show()
    tab.by.setCurrentIndex(tab.by.findData("source"))
    begun = time.perf_counter()
    tab.show_scores(["judge"], "judge", score_decks(decks, answers))
    app.processEvents()
    shown = time.perf_counter() - begun
    places = itertools.cycle(range(1, tab.only.count()))

    def choose() -> None:
        tab.only.setCurrentIndex(next(places))
        tab.only.activated.emit(tab.only.currentIndex())
        app.processEvents()

    return shown, median_seconds(choose)


if __name__ == "__main__":
    main()
