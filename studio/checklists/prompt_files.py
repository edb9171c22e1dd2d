"""The prompt files of PresentBench as values: merged by its rule, items made of them without running anything.

A dotted name in a file is looked up in `FOREIGN_RULES` and nowhere else; it is never imported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from studio.checklists.pages import SLIDE_COUNT
from studio.checklists.results import CLASSES
from studio.errors import BadInput
from studio.model.checklists import Dimension, ItemKind, RuleCall, Tier

PREFIX_KEYS: dict[Tier, str] = {
    Tier.INDEPENDENT: "material_independent_prefix",
    Tier.DEPENDENT: "material_dependent_prefix",
}
LIST_KEYS: dict[Dimension, str] = {
    dimension: f"{place.section}_checklist_{place.key}" for dimension, place in CLASSES.items()
}
FOREIGN_RULES: dict[str, tuple[str, tuple[str, ...]]] = {
    "utils.count_pages.check_slide_count": (SLIDE_COUNT, ("min_count", "max_count")),
}
"""Dotted name → rule of the studio, and its parameters in the order of the function's."""


@dataclass(frozen=True, kw_only=True)
class ListedItem:
    """One entry of a list in a prompt file."""

    kind: ItemKind
    text: str
    rule: RuleCall | None = None
    problem: str = ""
    """Why it is a tool error; empty if it is none."""


@dataclass(frozen=True, kw_only=True)
class PromptFile:
    """The known keys of one file, as they stand."""

    name: str
    prefixes: Mapping[Tier, Any]
    lists: Mapping[Dimension, Any]


def prompt_file(value: object, name: str) -> PromptFile:
    """Return the known keys of a prompt file's content; others are ignored.

    Raises:
        BadInput: if it is no object.
    """
    if not isinstance(value, dict):
        raise BadInput(f"{name} is no JSON object.", next_step="Give the file with prefixes and checklists.")
    return PromptFile(
        name=name,
        prefixes={tier: value[key] for tier, key in PREFIX_KEYS.items() if key in value},
        lists={dimension: value[key] for dimension, key in LIST_KEYS.items() if key in value},
    )


def merged(case: PromptFile, common: PromptFile) -> PromptFile:
    """Return both files as one: for each key the case's whole value where it has the key, be it empty or null.

    Raises:
        BadInput: if a list or a prefix is missing or null, naming all of them, or is of the wrong kind.
    """
    prefixes = {**common.prefixes, **case.prefixes}
    lists = {**common.lists, **case.lists}
    lacking = [key for dimension, key in LIST_KEYS.items() if lists.get(dimension) is None]
    lacking += [key for tier, key in PREFIX_KEYS.items() if prefixes.get(tier) is None]
    if lacking:
        raise BadInput(
            f"{case.name} with {common.name} lacks {', '.join(lacking)}.",
            next_step="Add it to one of the two files; an empty list switches a class off, null is an error.",
        )
    both = PromptFile(name=case.name, prefixes=prefixes, lists=lists)
    check_kinds(both)
    return both


def check_kinds(file: PromptFile) -> None:
    """Raise `BadInput` for a key of a file whose value is of the wrong kind; null is left to the merge."""
    for dimension, value in file.lists.items():
        if value is not None and not isinstance(value, list):
            raise BadInput(f"{LIST_KEYS[dimension]} of {file.name} is no list.", next_step="Give a list of items.")
    for tier, value in file.prefixes.items():
        if value is not None and not isinstance(value, str):
            raise BadInput(f"{PREFIX_KEYS[tier]} of {file.name} is no text.", next_step="Give a string.")


def listed_items(values: Sequence[Any]) -> list[ListedItem]:
    """Return the items of a list in their order; what cannot be understood is a tool error in its place."""
    return [_listed(value) for value in values]


def _listed(value: Any) -> ListedItem:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return _error("text", {}, "its text holds half a character")
        return ListedItem(kind=ItemKind.QUESTION, text=value)
    if not isinstance(value, dict):
        return _error("item", {}, f"an item is neither a question nor a check: {type(value).__name__}")
    kind = value.get("__type__")
    if kind == "partial" and isinstance(value.get("func"), str):
        return _partial(value["func"], value.get("args"), value.get("keywords"))
    if kind == "callable" and isinstance(value.get("callable"), str):
        name = value["callable"]
        return _error(name, {}, f"{name} is named without its limits" if name in FOREIGN_RULES else _unknown(name))
    return _error("object", {}, "an object with no known __type__ is no item")


def _partial(name: str, args: Any, keywords: Any) -> ListedItem:
    args, keywords = args or [], keywords or {}
    if not isinstance(args, list) or not isinstance(keywords, dict):
        return _error(name, {}, f"{name} has arguments of the wrong kind")
    parameters = {str(key): each for key, each in keywords.items()}
    kept = parameters | ({"args": args} if args else {})
    if name not in FOREIGN_RULES:
        return _error(name, kept, _unknown(name))
    rule, order = FOREIGN_RULES[name]
    if args:
        # The reference puts the deck behind these, so that they land in the wrong places and the answer is no.
        parameters = dict(zip(order, args, strict=False)) | parameters
    extra = sorted(set(parameters) - set(order)) or args[len(order) :]
    wrong = [key for key in order if not isinstance(parameters.get(key), int) or isinstance(parameters[key], bool)]
    if extra or wrong:
        return _error(name, kept, f"{name} cannot be called with {', '.join(map(str, extra or wrong))}")
    least, most = parameters["min_count"], parameters["max_count"]
    return ListedItem(
        kind=ItemKind.CODE, text=f"Has the deck between {least} and {most} slides?",
        rule=RuleCall(rule=rule, parameters=parameters),
    )  # fmt: skip


def _unknown(name: str) -> str:
    return f"{name} is not in the registry, and nothing of it was run"


def _error(name: str, parameters: dict[str, object], problem: str) -> ListedItem:
    return ListedItem(
        kind=ItemKind.TOOL_ERROR, text=f"[tool error] {problem}", rule=RuleCall(rule=name, parameters=parameters),
        problem=problem,
    )  # fmt: skip


def file_value(kind: ItemKind, words: str, rule: RuleCall | None) -> object:
    """Return an item as prompt files hold it."""
    if kind is ItemKind.QUESTION or rule is None:
        return words
    parameters = {key: value for key, value in rule.parameters.items() if key != "args"}
    args = rule.parameters.get("args", [])
    name = next((foreign for foreign, (own, _) in FOREIGN_RULES.items() if own == rule.rule), None)
    if name is None:
        # The reference knows no other rule and answers no, unless a result file with an answer is resumed.
        name = rule.rule if kind is ItemKind.TOOL_ERROR else f"studio.{rule.rule}"
    return {"__type__": "partial", "func": name, "args": args, "keywords": parameters}
