"""The editability of a file, for the terminal and for worker processes: a path in, a level out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from studio.decks.limits import Limits
from studio.decks.passwords import decrypted, is_encrypted_office
from studio.decks.sniff import DECK_NAMES, sniff
from studio.decks.structure import OFFICE_FORMATS, inspect_file
from studio.decks.structure.shape_tree import read_structure
from studio.decks.structure.web import read_web_structure
from studio.errors import DeckUnreadable
from studio.metrics.editability.assess import assess_structure, assess_web, static_level, triage_of
from studio.metrics.editability.rules import EditabilityRules
from studio.model.decks import DeckFormat, FailureKind
from studio.model.editability import MAXIMUM_LEVEL, Editability, Triage


@dataclass(frozen=True, kw_only=True)
class EditabilityTask:
    """One deck file of a project, looked at when it was imported."""

    path: Path
    format: DeckFormat
    n_slides: int
    """Slides that the import found, hidden ones left out; what a static file is counted by."""
    rules: EditabilityRules


def assess_task(task: EditabilityTask) -> Editability:
    """Return the editability of a project's deck.

    Raises:
        DeckUnreadable: if the file cannot be read.
    """
    if triage_of(task.format) is Triage.STATIC:
        return static_level(task.format, task.n_slides, task.rules)
    return _assess(task.path, task.format, task.rules, None)


def assess_file(
    path: Path, rules: EditabilityRules, *, password: str | None = None, limits: Limits | None = None
) -> Editability:
    """Return the editability of a file, an HTML folder or a folder of page pictures.

    Raises:
        DeckUnreadable: if it is missing, broken, protected, or no deck; there is no level then.
    """
    if path.is_file() and is_encrypted_office(path):
        with decrypted(path, password) as plain:
            return assess_file(plain, rules, limits=limits)
    sniffed = sniff(path, limits=limits)
    if sniffed.deck_format is None:
        raise DeckUnreadable(
            FailureKind.NOT_A_DECK,
            f"{path.name} is no deck but a {sniffed.what}.",
            next_step="Choose a PowerPoint, PDF or HTML file, or a folder of pictures.",
        )
    if triage_of(sniffed.deck_format) is Triage.STATIC:
        facts = inspect_file(path, password=password, limits=limits)
        if facts.failure is not None:
            raise DeckUnreadable(facts.failure.kind, facts.failure.message)
        return static_level(sniffed.deck_format, facts.slides or 0, rules)
    return _assess(path, sniffed.deck_format, rules, limits)


def _assess(path: Path, format: DeckFormat, rules: EditabilityRules, limits: Limits | None) -> Editability:
    if format is DeckFormat.HTML:
        return assess_web(read_web_structure(path, limits), rules)
    if format in OFFICE_FORMATS:
        return assess_structure(read_structure(path, format, limits), rules)
    # A level from rendering or conversion would be the converter's, not the deck's.
    return Editability(
        level=None,
        undefined_reason=f"structure_not_read: the structure of a {DECK_NAMES[format]} is not read; save it as .pptx",
        triage=Triage.NATIVE,
        maximum=MAXIMUM_LEVEL[Triage.NATIVE],
    )
