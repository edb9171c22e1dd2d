"""What judge runs cost, for people."""

from __future__ import annotations

from typing import Any

from studio.actions.judge_price import price_of
from studio.errors import BadInput
from studio.judges.pricing import Price
from studio.model.ids import RunId
from studio.model.judging import JudgeSetup
from studio.model.runs import Run
from studio.store import judging as judging_store
from studio.store.project import Project

FREE, UNKNOWN = "free", "?"


def cost_words(project: Project, runs: list[Run]) -> dict[RunId, str]:
    """Return what each judge run cost: "$1.84", "free", or "?" where its model has no known price.

    Runs that ask no model are left out.
    """
    spent = judging_store.costs_of_runs(project)
    prices: dict[tuple[str, str, str], Price | None] = {}
    found = {}
    for run in runs:
        options: Any = run.spec.get("options")
        if not isinstance(options, dict) or "judge" not in options:
            continue
        setup = JudgeSetup(**options["judge"])
        key = (setup.provider, setup.model, setup.base_url)
        if key not in prices:
            try:
                prices[key] = price_of(setup)
            except BadInput:
                # The user's prices cannot be read; the list of runs is no place to say so.
                prices[key] = None
        found[run.id] = in_dollars(spent.get(run.id, 0.0), prices[key])
    return found


def in_dollars(usd: float, price: Price | None) -> str:
    """Return a cost as it is written in lists."""
    if price is None and not usd:
        return UNKNOWN
    if price is not None and not (price.input or price.output) and not usd:
        return FREE
    return f"${usd:,.2f}" if usd >= 0.01 or not usd else f"${usd:.4f}"
