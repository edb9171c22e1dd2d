"""What REFLEX says of one deck of a project, and the deck as it would be if one followed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from studio.decks.limits import Limits
from studio.decks.structure import OFFICE_FORMATS
from studio.decks.workers import in_worker
from studio.errors import BadInput
from studio.jobs.reflex_job import deck_object, task_of
from studio.model.decks import Deck, DeckFormat
from studio.model.ids import DeckId
from studio.model.reflex import ContentMetric, DeckObject, Recipe
from studio.perturb.office_file import OfficeFile
from studio.perturb.other_files import rearranged_pdf
from studio.reflex.encoders import ENCODERS
from studio.reflex.scorer import ContentScore
from studio.reflex.shipped import SHIPPED, scorer_of
from studio.store import decks as deck_store
from studio.store.project import Project

_WRITE_S = 120.0


@dataclass(frozen=True, kw_only=True)
class Content:
    """One deck's content scores."""

    deck_id: DeckId
    deck: DeckObject
    scores: tuple[ContentScore, ...]
    order: tuple[int, ...]
    """Slide numbers of the deck as it would be if repeats went and misplaced slides moved."""

    @property
    def is_changed(self) -> bool:
        """Whether there is anything to apply."""
        return self.order != tuple(slide.number for slide in self.deck.slides)


@dataclass(frozen=True, kw_only=True)
class ContentModel:
    """A model that comes with the studio, as one chooses it."""

    name: str
    words: str
    """What its encoder is, for a list."""
    reason: str
    """Why it cannot be used here; empty if it can."""


def content_models() -> tuple[ContentModel, ...]:
    """Return the models that come with the studio, the default one first; no file is read."""
    return tuple(
        ContentModel(name=name, words=ENCODERS[name].about, reason=ENCODERS[name].why_missing()) for name in SHIPPED
    )


def content_of(project: Project, deck_id: DeckId) -> Content:
    """Return the scores of one deck, computed now; nothing is stored.

    Raises:
        BadInput: if the deck has no file.
        DeckUnreadable: if its words cannot be read.
    """
    deck = _deck(project, deck_id)
    task = task_of(project, deck, tuple(ContentMetric))
    if task is None:
        raise BadInput(f"{deck.system} has no deck file here.", next_step="Import the deck, then look again.")
    found = deck_object(task)
    scores = tuple(scorer_of().score_all(found))
    return Content(deck_id=deck_id, deck=found, scores=scores, order=suggested_order(found, scores))


def suggested_order(deck: DeckObject, scores: Sequence[ContentScore]) -> tuple[int, ...]:
    """Return the slide numbers that stay, in the order that the suggestions ask for.

    Repeats go first. Then slides move behind the one that they follow, in the order in which the moves were found.
    A suggestion that is not firm, or that names a slide that is gone, changes nothing.
    """
    by_metric = {score.metric: score.suggestions for score in scores}
    order = [slide.number for slide in deck.slides]
    gone = {each.slide for each in by_metric.get(ContentMetric.REDUNDANCY, ()) if each.slide is not None}
    if len(gone) < len(order):
        order = [number for number in order if number not in gone]
    for each in by_metric.get(ContentMetric.FLOW, ()):
        if not each.is_firm or each.slide not in order or each.other is None:
            continue
        if each.other != 0 and each.other not in order:
            continue
        order.remove(each.slide)
        order.insert(0 if each.other == 0 else order.index(each.other) + 1, each.slide)
    return tuple(order)


def _deck(project: Project, deck_id: DeckId) -> Deck:
    found = next((deck for deck in deck_store.list_decks(project) if deck.id == deck_id), None)
    if found is None:
        raise BadInput("This deck is not in the project any more.", next_step="Choose another deck.")
    return found


def save_suggested(project: Project, deck_id: DeckId, order: Sequence[int], out: Path) -> Path:
    """Write a copy of a deck with these slides in this order, and return it; the deck itself stays as it is.

    Raises:
        BadInput: if the format cannot be rearranged, or the copy would overwrite a file.
    """
    deck = _deck(project, deck_id)
    if out.exists():
        raise BadInput(f"{out.name} is there already.", next_step="Choose another name.")
    if deck.asset is None:
        raise BadInput(f"{deck.system} has no deck file here.", next_step="Import the deck, then look again.")
    path = project.asset_path(deck.asset, deck.extension)
    if deck.format in OFFICE_FORMATS:
        office = OfficeFile(path, Limits())
        office.apply(Recipe(metric=ContentMetric.FLOW, degree=1, seed=0, picked=(), permutation=tuple(order)))
        office.write(out)
    elif deck.format is DeckFormat.PDF:
        in_worker(rearranged_pdf, str(path), tuple(order), str(out), timeout_s=_WRITE_S)
    else:
        raise BadInput("A deck of this format cannot be rearranged.", next_step="Use its .pptx or .pdf.")
    return out
