"""What moves on a deck's slides, step by step, in words for a person."""

from __future__ import annotations

from studio.actions.care import deck_of
from studio.decks.passwords import decrypted, is_encrypted_office
from studio.decks.structure import OFFICE_FORMATS
from studio.decks.structure.shape_tree import read_structure
from studio.model.decks import DeckFormat
from studio.model.ids import DeckId
from studio.model.passwords import PasswordVault
from studio.model.structure import DeckStructure, Effect, SlideStructure
from studio.store.project import Project

_CLASSES = {
    "entr": "appears", "exit": "disappears", "emph": "is emphasised", "path": "moves along a path",
    "verb": "is opened", "mediacall": "plays or pauses",
}  # fmt: skip
_TRIGGERS = {"clickEffect": "on click", "withEffect": "with the one before", "afterEffect": "after the one before"}
_NAME_CHARACTERS = 60


def animation_steps(
    project: Project, deck_id: DeckId, passwords: PasswordVault | None = None
) -> dict[int, tuple[str, ...]] | None:
    """Return the animation steps of each slide that has any, in their order, or None where the format tells nothing.

    Args:
        project: the open project.
        deck_id: a deck with a file.
        passwords: of protected decks.

    Raises:
        BadInput: if there is no such deck.
        DeckUnreadable: if its file cannot be read.
    """
    structure = structure_of(project, deck_id, passwords)
    if structure is None:
        return None
    return {slide.number: found for slide in structure.slides if (found := steps_of(slide))}


def structure_of(project: Project, deck_id: DeckId, passwords: PasswordVault | None = None) -> DeckStructure | None:
    """Return what a deck's file is made of, or None where the format has no shapes to read.

    Raises:
        BadInput: if there is no such deck.
        DeckUnreadable: if its file cannot be read.
    """
    deck = deck_of(project, deck_id)
    if deck.asset is None or deck.format not in OFFICE_FORMATS:
        return None
    path = project.asset_path(deck.asset, deck.extension)
    if is_encrypted_office(path):
        with decrypted(path, passwords.of(deck.asset) if passwords else None) as plain:
            return read_structure(plain, DeckFormat(deck.format))
    return read_structure(path, DeckFormat(deck.format))


def steps_of(slide: SlideStructure) -> tuple[str, ...]:
    """Return the steps of one slide, such as "On click: Title 1 appears (0.5 s)"; the transition comes first."""
    names = {inner.id: inner.name or inner.text for shape in slide.shapes for inner in shape.walk()}
    steps = [] if slide.transition is None else [f"Transition: {slide.transition or 'plain'}"]
    return (*steps, *(step_in_words(effect, names) for effect in slide.effects))


def step_in_words(effect: Effect, names: dict[str, str]) -> str:
    """Return one step in words; `names` are those of the slide's shapes by id."""
    name = " ".join(names.get(effect.shape_id, "").split())
    if len(name) > _NAME_CHARACTERS:
        name = f"{name[: _NAME_CHARACTERS - 1]}…"
    trigger = _TRIGGERS.get(effect.trigger, "by itself")
    what = _CLASSES.get(effect.preset_class, effect.preset_class)
    seconds = f" ({effect.duration_s:g} s)" if effect.duration_s else ""
    return f"{trigger.capitalize()}: {name or 'something'} {what}{seconds}"
