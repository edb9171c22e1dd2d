"""Time what the Alignment and the Agreement page read when they open: ``python -m tests.bench.bench_alignment_page``.

A project of 1,500 decks (166 instances of nine systems, and six more decks), three annotators who ranked everything,
ten methods. Wall time and processor time; the second is what is left on a machine without other work.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from studio.actions.agreement_view import agreement_view
from studio.actions.alignment_view import load_alignment
from studio.model.answers import AnswerEvent, AnswerKind
from studio.model.decks import Deck, DeckFormat, DeckStatus, Instance
from studio.model.human_side import HumanSide
from studio.model.ids import DeckId, InstanceId
from studio.model.scores import Score
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import scores as score_store
from studio.store.project import Project

DECKS, SYSTEMS, METHODS, ANNOTATORS = 1500, 9, 10, 3
REPEATS = 5


def synthetic(folder: Path) -> Project:
    """Return a project drawn from a fixed seed."""
    rng = np.random.default_rng(0)
    project = Project.create(folder, title="Bench")
    systems = [deck_store.system_named(project, f"system {number}") for number in range(SYSTEMS)]
    people = [people_store.annotator_named(project, f"annotator {number}").id for number in range(ANNOTATORS)]
    events, scores = [], []
    with project.writing():
        for start in range(0, DECKS, SYSTEMS):
            name = f"instance-{start}"
            instance = Instance(id=InstanceId(f"i{start}"), name=name, title=name, scenario=f"s{start % 7}")
            deck_store.add_instance(project, instance)
            ids = []
            for system in systems[: min(SYSTEMS, DECKS - start)]:
                deck_id = DeckId(f"{instance.id}-{system.id}")
                ids.append(deck_id)
                deck_store.add_deck(
                    project,
                    Deck(
                        id=deck_id, instance_id=instance.id, system_id=system.id, system=system.name,
                        status=DeckStatus.PRESENT, format=DeckFormat.PPTX, slides=12,
                    ),
                )  # fmt: skip
            truth = rng.normal(size=len(ids))
            for person in people:
                order = (-(truth + rng.normal(size=len(ids)))).argsort().argsort() + 1
                events.append(
                    AnswerEvent(
                        seq=0, uid=f"{instance.id}-{person}", kind=AnswerKind.RANKING, instance_id=instance.id,
                        annotator_id=person, deck_id=None, item_key="", verb="submit", at="2026-05-04T10:00:00.000Z",
                        state={
                            "ranks": dict(zip(ids, order.tolist(), strict=True)), "status": "submitted",
                            "rank_method": "ranking",
                        },
                    )
                )  # fmt: skip
            for number in range(METHODS):
                scores += [
                    Score(
                        run_id=None, metric=f"method.{number}", metric_version=1, preset="benchmark", deck_id=deck_id,
                        instance_id=instance.id, slide=None, value=float(value),
                    )
                    for deck_id, value in zip(ids, truth + rng.normal(size=len(ids)), strict=True)
                ]  # fmt: skip
    answer_store.append_all(project, events)
    score_store.append_scores(project, scores)
    return project


def measured(work: Callable[[], object]) -> tuple[float, float]:
    """Return the median wall and processor seconds after one warm-up."""
    work()
    walls, processors = [], []
    for _ in range(REPEATS):
        wall, processor = time.perf_counter(), time.process_time()
        work()
        walls.append(time.perf_counter() - wall)
        processors.append(time.process_time() - processor)
    return statistics.median(walls), statistics.median(processors)


def main() -> None:
    """Print what opening each page reads and computes."""
    with tempfile.TemporaryDirectory(prefix="podium-bench-") as home:
        project = synthetic(Path(home) / "project")
        for page, work in (
            ("Alignment", lambda: load_alignment(project, HumanSide(), level="instance")),
            ("Agreement", lambda: agreement_view(project)),
        ):
            wall, processor = measured(work)
            print(
                f"{page} page, {DECKS:,} decks, {METHODS} methods, {ANNOTATORS} annotators, median of {REPEATS}: "
                f"{1000 * wall:.0f} ms, of the processor {1000 * processor:.0f} ms"
            )
        project.close()


if __name__ == "__main__":
    main()
