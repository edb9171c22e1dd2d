"""Time a what-if: ``python -m tests.bench.bench_what_if``.

200 instances of nine decks, three annotators, ten methods, 1,000 resamples, level ``instance``: one annotator is left
out and everything that the page shows is computed again, intervals, ceilings and paired tests included.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from scipy import stats

from studio.actions.align import Evidence
from studio.actions.human_answers import HumanAnswers
from studio.actions.method_rows import view_of
from studio.actions.what_if import Droppable, WhatIf, without
from studio.model.human_side import HumanSide
from studio.model.ids import AnnotatorId, DeckId, InstanceId, SystemId
from studio.stats.levels import Level
from studio.stats.rankings import HumanRankings
from tests.bench.bench_stats import median_seconds

INSTANCES, DECKS, METHODS, ANNOTATORS = 200, 9, 10, 3


def synthetic() -> Evidence:
    """Return evidence drawn from a fixed seed."""
    rng = np.random.default_rng(0)
    names = [[DeckId(f"i{i}.d{k}") for k in range(DECKS)] for i in range(INSTANCES)]
    truth = rng.normal(size=(INSTANCES, DECKS))
    people = [AnnotatorId(f"a{number}") for number in range(ANNOTATORS)]
    ranks = {
        InstanceId(f"i{i}"): {
            person: dict(zip(names[i], stats.rankdata(-(truth[i] + rng.normal(size=DECKS))).tolist(), strict=True))
            for person in people
        }
        for i in range(INSTANCES)
    }
    human = HumanRankings(
        ranks=ranks,
        scenarios={InstanceId(f"i{i}"): f"scenario {i % 7}" for i in range(INSTANCES)},
        systems={deck: SystemId(f"s{k}") for row in names for k, deck in enumerate(row)},
    )
    methods: dict[str, dict[InstanceId, dict[DeckId, float | None]]] = {
        f"m{m}": {
            InstanceId(f"i{i}"): dict(zip(names[i], row, strict=True))
            for i, row in enumerate((truth + rng.normal(size=truth.shape)).round(2).tolist())
        }
        for m in range(METHODS)
    }
    answers = HumanAnswers(
        side=HumanSide(), rankings=human, annotators={person: person for person in people}, groups={},
        has_sample_people=False,
    )  # fmt: skip
    return Evidence(
        human=human, methods=methods, reasons={}, instances={}, decks={}, annotators=dict(answers.annotators),
        has_sample_people=False, people=answers,
    )  # fmt: skip


def main() -> None:
    """Print the median of a what-if at every level."""
    evidence = synthetic()
    dropped, nothing = WhatIf(annotators=frozenset({AnnotatorId("a0")})), Droppable(styles={}, cells={})
    print(f"{INSTANCES} instances x {DECKS} decks x {METHODS} methods, {ANNOTATORS} annotators, one left out")
    for level in Level:
        for resamples, words in ((1000, "with intervals"), (0, "without intervals")):
            work = partial(_work, evidence, dropped, nothing, level, resamples)
            wall, processor = median_seconds(work), _processor_seconds(work)
            print(f"level {level}, {words}: {1000 * wall:.0f} ms, of the processor {1000 * processor:.0f} ms")


def _work(evidence: Evidence, dropped: WhatIf, nothing: Droppable, level: Level, resamples: int) -> object:
    return view_of(without(evidence, dropped, nothing), level=level, resamples=resamples)


def _processor_seconds(work: Callable[[], object]) -> float:
    """Return the median processor time of five runs: what is left of the wall time on a machine without other work."""
    times = []
    for _ in range(5):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


if __name__ == "__main__":
    main()
