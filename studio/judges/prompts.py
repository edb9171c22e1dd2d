"""The words that judges are sent: files with a version, filled strictly, told apart by their content."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from studio import paths

_FOLDER = "prompts"
_PLACEHOLDER = re.compile(r"\{\{([a-z_]+)\}\}")
_HEADER_END = "---\n"
_HASH_DIGITS = 12


class PromptFault(Exception):
    """A prompt file or the values for it are not as they must be: a fault of ours, never of a judge."""


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """A prompt as shipped."""

    name: str
    """The file's name, such as ``rating-harmony``."""
    title: str
    version: int
    """Goes up with each change that means something else; the hash changes with every letter."""
    template: str
    placeholders: frozenset[str]

    @property
    def id(self) -> str:
        """Return name, version and hash, such as ``rating-harmony@1#0123456789ab``."""
        return f"{self.name}@{self.version}#{hash_of(self.template)}"

    def filled(self, values: Mapping[str, str] | None = None) -> str:
        """Return the prompt with its placeholders replaced, once and together.

        Raises:
            PromptFault: unless there is exactly one value for each placeholder.
        """
        given = values or {}
        if set(given) != self.placeholders:
            odd = ", ".join(sorted(set(given) ^ self.placeholders))
            raise PromptFault(f"{self.name} is filled with other values than it has places for: {odd}")
        # In one pass, so that a value with braces in it (a slide may hold any text) is never filled again.
        return _PLACEHOLDER.sub(lambda found: given[found[1]], self.template)


def hash_of(text: str) -> str:
    """Return twelve hex digits that change with every letter of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:_HASH_DIGITS]


def words_id(name: str, text: str) -> str:
    """Return the id of words that come from a project and not from a file, such as a checklist's own prefix."""
    return f"{name}@0#{hash_of(text)}"


@cache
def prompt(name: str) -> Prompt:
    """Return a shipped prompt by its name.

    Raises:
        FileNotFoundError: if there is none.
        PromptFault: if its file is broken.
    """
    text = paths.resource(f"{_FOLDER}/{name}.md").read_text(encoding="utf-8").replace("\r\n", "\n")
    return _parsed(name, text)


def prompt_names() -> list[str]:
    """Return the names of all shipped prompts."""
    return sorted(path.stem for path in paths.resource(_FOLDER).glob("*.md"))


def _parsed(name: str, text: str) -> Prompt:
    header, found, template = text.partition(_HEADER_END)
    fields = dict(line.partition(":")[::2] for line in header.splitlines() if line.strip())
    if not found or not fields.get("version", "").strip().isdigit() or not fields.get("title", "").strip():
        raise PromptFault(f"{name} has no header with title and version")
    declared = frozenset(each.strip() for each in fields.get("placeholders", "").split(",") if each.strip())
    used = frozenset(_PLACEHOLDER.findall(template))
    if declared != used:
        odd = ", ".join(sorted(declared ^ used))
        raise PromptFault(f"{name} declares other placeholders than it uses: {odd}")
    return Prompt(
        name=name, title=fields["title"].strip(), version=int(fields["version"]), placeholders=used,
        # Only prefixes keep the line end at their end: an item follows there, byte for byte.
        template=template if name in PREFIXES else template.rstrip("\n"),
    )  # fmt: skip


PREFIXES = frozenset({"checklist-independent", "checklist-dependent"})
"""Prompts that something is appended to."""
