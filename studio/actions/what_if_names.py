"""What-ifs in words: ``annotator=Ada``, ``scenario=report`` and the like, as the command line takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from studio.actions.align import AlignmentTable, Evidence, gather, table_of
from studio.actions.what_if import Droppable, WhatIf, components_of, droppable, judges_of, without
from studio.errors import BadInput
from studio.model.human_side import HumanSide
from studio.stats.levels import Level
from studio.store.project import Project

KINDS = {
    "annotator": "annotators",
    "scenario": "scenarios",
    "style": "buckets",
    "item": "items",
    "dimension": "dimensions",
    "component": "components",
    "judge": "judges",
    "method": "methods",
}
"""Word → field of `WhatIf`."""


def table_without(
    project: Project, dropped: Sequence[str], *, metrics: Sequence[str] = (), level: str = Level.INSTANCE.value,
    side: HumanSide | None = None, resamples: int = 1000,
) -> AlignmentTable:  # fmt: skip
    """Return the methods table without what is dropped.

    Args:
        project: an open project.
        dropped: such as ``annotator=Ada``, by name or id.
        metrics: methods to show; empty for all that have scores and are not dropped.
        level: ``instance``, ``scenario``, ``system`` or ``pooled``.
        side: which answers are the human side.
        resamples: bootstrap resamples for the intervals.

    Raises:
        BadInput: for a kind, a name or a method that is not there.
    """
    evidence = gather(project, side)
    material = droppable(project, evidence)
    left = without(evidence, what_if_of(dropped, evidence, material), material)
    missing = [name for name in metrics if name not in left.methods]
    if missing:
        known = ", ".join(left.methods) or "none"
        raise BadInput(f"No scores of {', '.join(missing)} are left.", next_step=f"There are: {known}.")
    chosen = list(metrics) or list(left.methods)
    return replace(table_of(left, chosen=chosen, level=level, resamples=resamples), what_if=tuple(dropped))


def what_if_of(dropped: Sequence[str], evidence: Evidence, material: Droppable) -> WhatIf:
    """Return what is dropped, from the words for it.

    Raises:
        BadInput: for a kind or a name that is not there; the message names those that are.
    """
    choices = _choices(evidence, material)
    found: dict[str, set[object]] = {}
    for words in dropped:
        kind, equals, name = words.partition("=")
        if kind not in KINDS or not equals:
            raise BadInput(f"{words!r} is no KIND=NAME.", next_step=f"Kinds: {', '.join(KINDS)}.")
        keys = [key for key, title in choices[kind].items() if name in (str(key), title)]
        if not keys:
            known = ", ".join(dict.fromkeys(choices[kind].values())) or "none"
            raise BadInput(f"There is no {kind} {name} to leave out.", next_step=f"There are: {known}.")
        found.setdefault(KINDS[kind], set()).update(keys)
    return WhatIf(**{field: frozenset(keys) for field, keys in found.items()})  # type: ignore[arg-type]  # by field


def _choices(evidence: Evidence, material: Droppable) -> dict[str, Mapping[object, str]]:
    """Return what can be dropped of each kind, and what a person calls it."""
    scenarios = {evidence.human.scenarios.get(each, "") for each in evidence.human.instance_ids}
    return {
        "annotator": {key: name for key, name in evidence.annotators.items()},
        "scenario": {name: name for name in sorted(scenarios)},
        "style": {bucket: bucket.value for bucket in material.buckets},
        "item": {key: words for key, words in material.items.items()},
        "dimension": {each.value: each.value for each in material.dimensions},
        "component": {name: name.rpartition(".")[2] for name in components_of(evidence)},
        "judge": {name: name for name in judges_of(evidence)},
        "method": {name: name for name in evidence.methods},
    }
