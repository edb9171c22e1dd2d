"""Evaluators of content as families: one method for each of the four metrics, such as a judge's G-Eval scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from studio.actions.lab_values import FEW, MANY
from studio.model.judging import JudgingProtocol
from studio.model.reflex import ContentMetric

REFLEX, HEURISTIC, LENGTH = "reflex", "heuristic", "length"
_TITLES = {REFLEX: "REFLEX-CPU", HEURISTIC: "Heuristic", LENGTH: "Length only"}
_PROTOCOLS = {JudgingProtocol.GEVAL.value: "G-Eval", JudgingProtocol.FEWSHOT.value: "few-shot"}


@dataclass(frozen=True, kw_only=True)
class Family:
    """One evaluator."""

    key: str
    """``reflex``, ``heuristic``, ``length``, or judge and protocol such as ``openai:m/geval``; perhaps ``@preset``."""
    title: str
    methods: Mapping[ContentMetric, str]
    """Metric → name of the method; those that it does not score are left out."""


def families(methods: Iterable[str]) -> tuple[Family, ...]:
    """Return the families that methods belong to: REFLEX, then judges by name, then what is computed from words."""
    found: dict[str, dict[ContentMetric, str]] = {}
    names = set(methods)
    for name in sorted(names):
        plain, at, preset = name.partition("@")
        base, _, part = plain.rpartition(".")
        if base and part in set(ContentMetric):
            found.setdefault(f"{base}{at}{preset}", {})[ContentMetric(part)] = name
    if {FEW, MANY} <= names:
        found[LENGTH] = {each: MANY if each is ContentMetric.COVERAGE else FEW for each in ContentMetric}
    return tuple(
        Family(key=key, title=family_title(key), methods=found[key]) for key in sorted(found, key=_order)
    )  # fmt: skip


def family_title(key: str) -> str:
    """Return what a person calls a family, such as "openai:m · G-Eval"."""
    plain, _, preset = key.partition("@")
    judge, _, protocol = plain.rpartition("/")
    words = f"{judge} · {_PROTOCOLS.get(protocol, protocol)}" if judge else _TITLES.get(plain, plain)
    return f"{words} · {preset}" if preset else words


def _order(key: str) -> tuple[int, str]:
    plain = key.partition("@")[0]
    return {REFLEX: 0, HEURISTIC: 2, LENGTH: 3}.get(plain, 1), key
