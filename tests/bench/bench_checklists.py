"""Time scores and tables of 76 items, 238 instances and 8 systems: ``python -m tests.bench checklists``."""

from __future__ import annotations

import itertools
import os
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

import numpy as np

from studio.actions import checklist_scores
from studio.checklists.scoring import DIMENSION_ORDER, Answers, ScoredDeck, score_decks, table
from studio.model.checklists import Item, ItemId
from studio.model.ids import DeckId, InstanceId
from studio.model.scores import Verdict
from studio.store import checklists as checklist_store
from studio.store import decks as deck_store
from studio.store import scores as score_store
from studio.store.project import Project
from tests.bench.bench_stats import median_seconds
from tests.projects import make_project

JUDGE = "openai:m-1"

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
    with tempfile.TemporaryDirectory() as place:
        stored(Path(place) / "study")


def stored(folder: Path) -> None:
    """Print how long scoring a project's verdicts takes with reading them, beside reading alone and the obvious way."""
    filled_project(folder).close()
    path = folder / "project.db"
    n, _ = scored_straightforwardly(path)
    with Project.open(folder) as opened:
        ours = checklist_scores.project_scores(opened, JUDGE)
        _, obvious = scored_straightforwardly(path)
        assert all(
            abs(obvious[deck.deck_id] - total) < 1e-9 for deck, total in zip(ours.decks, ours.totals, strict=True)
        )
        whole = median_seconds(lambda: checklist_scores.project_scores(opened, JUDGE))
        read = median_seconds(lambda: _read_alone(path))
        obviously = median_seconds(lambda: scored_straightforwardly(path))
    print(
        f"{n:,} stored verdicts: read and scored {whole:.3f} s, reading their rows alone {read:.3f} s, "
        f"so {whole - read:.3f} s beyond it; a loop over rows and items {obviously:.3f} s, "
        f"{obviously / whole:.2f} times as long"
    )


def filled_project(folder: Path) -> Project:
    """Return a project with a list of items for everybody and a judge's verdict on each item of each deck."""
    project = make_project(folder, instances=INSTANCES, systems=[f"s{number}" for number in range(SYSTEMS)], slides=16)
    items = [
        Item(
            id=ItemId(f"q{number}"), version=1, dimension=DIMENSION_ORDER[number % len(DIMENSION_ORDER)],
            text=f"Is requirement {number} met?", position=float(number),
        )
        for number in range(ITEMS)
    ]  # fmt: skip
    checklist_store.save_items(project, items, author="bench", verb="add", words="Added")
    rng = np.random.default_rng(0)
    for deck in deck_store.list_decks(project):
        said = rng.choice(["yes", "no", "not_applicable", ""], size=ITEMS, p=[0.6, 0.3, 0.05, 0.05])
        score_store.append_verdicts(
            project,
            [
                Verdict(
                    run_id=None, judge_id=JUDGE, model="m-1", prompt_version="1", instance_id=deck.instance_id,
                    deck_id=deck.id, item_id=item.id, verdict=str(word), status="ok" if word else "parse_error",
                )
                for item, word in zip(items, said, strict=True)
            ],
        )  # fmt: skip
    return project


def _read_alone(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return len(db.execute("SELECT deck_id, item_id, verdict, status FROM verdicts").fetchall())


def scored_straightforwardly(path: Path) -> tuple[int, dict[str, float]]:
    """Return the number of verdicts and each deck's total, by a loop over rows, items and dimensions."""
    with closing(sqlite3.connect(path)) as db:
        db.row_factory = sqlite3.Row
        newest = {
            (row["deck_id"], row["item_id"]): row for row in db.execute("SELECT * FROM verdicts ORDER BY id").fetchall()
        }
    totals = {}
    for deck in dict.fromkeys(deck for deck, _ in newest):
        percents = []
        for place in range(len(DIMENSION_ORDER)):
            said = [newest[deck, f"q{number}"]["verdict"] for number in range(place, ITEMS, len(DIMENSION_ORDER))]
            counted = [word for word in said if word != "not_applicable"]
            if counted:
                percents.append(100.0 * sum(word == "yes" for word in counted) / len(counted))
        totals[deck] = sum(percents) / len(percents)
    return len(newest), totals


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
