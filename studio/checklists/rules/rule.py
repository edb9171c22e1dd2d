"""What a rule is, and the typed parameters that it takes."""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from studio.errors import BadInput
from studio.model.checklists import Finding
from studio.model.deck_evidence import DeckEvidence, Fact


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One rule of the registry."""

    name: str
    """As code items name it."""
    title: str
    """What a deck does that passes, such as "At most six bullets on a slide"."""
    judge: Callable[[DeckEvidence, Any], Finding]
    """Pure; its docstring is the exact rule."""
    parameters: type
    """A frozen dataclass; every field has a default and says what it means."""
    needs: frozenset[Fact]
    reads_pages: bool = False
    """Whether it looks at the drawn pages where a file does not tell of its objects."""
    is_verdict: bool
    """False: it only approximates the question, and all its findings are suggestions."""
    version: int = 1
    """Goes up when the same deck could get another finding."""

    @property
    def exact_rule(self) -> str:
        """Return the rule in words."""
        return " ".join((self.judge.__doc__ or "").split())


@dataclass(frozen=True, kw_only=True)
class ParameterSpec:
    """One parameter as people are shown it."""

    name: str
    kind: str
    """``int``, ``float``, ``bool``, ``str`` or ``list``."""
    default: object
    doc: str
    low: float | None = None
    high: float | None = None
    is_optional: bool = False
    """May be left unset."""


def parameter(default: Any, doc: str, low: float | None = None, high: float | None = None) -> Any:
    """Return a dataclass field that says what it means and between which bounds, both included."""
    return dataclasses.field(default=default, metadata={"doc": doc, "low": low, "high": high})


def specs(rule: Rule) -> tuple[ParameterSpec, ...]:
    """Return the parameters of a rule in their order."""
    hints = typing.get_type_hints(rule.parameters)
    found = []
    for field in dataclasses.fields(rule.parameters):
        kind, is_optional = _kind(hints[field.name])
        found.append(
            ParameterSpec(
                name=field.name, kind=kind, default=field.default, is_optional=is_optional,
                doc=str(field.metadata.get("doc", "")), low=field.metadata.get("low"), high=field.metadata.get("high"),
            )
        )  # fmt: skip
    return tuple(found)


def _kind(hint: Any) -> tuple[str, bool]:
    if isinstance(hint, types.UnionType):
        inner = next(arg for arg in typing.get_args(hint) if arg is not types.NoneType)
        return _kind(inner)[0], True
    if typing.get_origin(hint) is tuple:
        return "list", False
    return hint.__name__, False


def parameters_of(rule: Rule, given: Mapping[str, object]) -> Any:
    """Return the parameters of a rule from keywords, the rest at their defaults.

    Text is taken as a number or as yes and no where that is meant, as from a command line.

    Raises:
        BadInput: for an unknown keyword, a wrong type or a value out of bounds.
    """
    known = {spec.name: spec for spec in specs(rule)}
    unknown = sorted(set(given) - set(known))
    if unknown:
        named = ", ".join(known) or "none"
        raise BadInput(f"The rule {rule.name} has no parameter {unknown[0]}.", next_step=f"It has: {named}.")
    values = {name: _checked(rule, known[name], value) for name, value in given.items()}
    made = rule.parameters(**values)
    low, high = getattr(made, "min_count", None), getattr(made, "max_count", None)
    if low is not None and high is not None and low > high:
        raise BadInput(f"{rule.name}: min_count {low} is above max_count {high}.", next_step="Exchange the two.")
    return made


def _checked(rule: Rule, spec: ParameterSpec, value: object) -> object:
    if value is None and spec.is_optional:
        return None
    read = _read(spec.kind, value)
    if read is None:
        words = {"int": "a whole number", "float": "a number", "bool": "true or false", "list": "a list of texts"}
        raise BadInput(f"{rule.name}: {spec.name} is {value!r}, not {words.get(spec.kind, 'a text')}.")
    low, high = spec.low, spec.high
    is_number = isinstance(read, int | float) and not isinstance(read, bool)
    if is_number and low is not None and high is not None and not low <= read <= high:  # type: ignore[operator]
        raise BadInput(f"{rule.name}: {spec.name} is {read:g}, not between {low:g} and {high:g}.")
    return read


def _read(kind: str, value: object) -> object:
    """Return the value as the kind asks for it, or None if it is something else."""
    if isinstance(value, str) and kind in {"int", "float"}:
        try:
            value = float(value)
        except ValueError:
            return None
    if kind == "bool":
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        return (
            words.get(value.strip().lower()) if isinstance(value, str) else value if isinstance(value, bool) else None
        )
    if kind == "list":
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        is_texts = isinstance(value, list | tuple) and all(isinstance(part, str) for part in value)
        return tuple(value) if is_texts else None  # type: ignore[arg-type]
    if kind == "str":
        return value if isinstance(value, str) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    if kind == "int":
        return int(value) if value == int(value) else None
    return float(value)
