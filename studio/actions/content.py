"""What REFLEX says of one deck of a project, and the deck as it would be if one followed it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from studio.actions.figures import counted
from studio.decks.limits import Limits
from studio.decks.structure import OFFICE_FORMATS
from studio.decks.workers import in_worker
from studio.errors import BadInput, DeckUnreadable
from studio.jobs.reflex_job import deck_object, task_of
from studio.model.decks import Deck, DeckFormat
from studio.model.ids import DeckId
from studio.model.reflex import ContentMetric, DeckObject, Recipe
from studio.perturb.office_file import OfficeFile
from studio.perturb.other_files import rearranged_pdf
from studio.reflex.encoders import ENCODERS
from studio.reflex.explanations import Suggestion
from studio.reflex.scorer import ContentScore
from studio.reflex.shipped import SHIPPED, scorer_of
from studio.store import decks as deck_store
from studio.store.project import Project

_WRITE_S = 120.0
_FIGURE = re.compile(r" \((?:similarity|margin|gain|likelihood) [\d.,−-]+\)")
"""As explanations end with it; in a list it stands in a column of its own."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """One thing to change, as it is shown."""

    metric: ContentMetric
    suggestion: Suggestion

    @property
    def can_be_applied(self) -> bool:
        """Whether the deck can be rearranged by it: a repeat left out, a slide moved; the rest is done by hand."""
        if self.metric is ContentMetric.REDUNDANCY:
            return self.suggestion.slide is not None
        return self.metric is ContentMetric.FLOW and None not in (self.suggestion.slide, self.suggestion.other)

    @property
    def is_chosen(self) -> bool:
        """Whether it is applied unless somebody says otherwise."""
        return self.can_be_applied and self.suggestion.is_firm

    @property
    def words(self) -> str:
        """Return the line without the figure at its end, which `evidence` gives."""
        return _FIGURE.sub("", self.suggestion.text)

    @property
    def evidence(self) -> str:
        """Return what says so, such as "similarity 0.98" or "gain 3.1"."""
        value = self.suggestion.evidence
        match self.metric:
            case ContentMetric.ALIGNMENT:
                return f"margin {value:.2f}" if value > 0 else "no better slide"
            case ContentMetric.FLOW:
                return f"gain {value:.1f}" if self.can_be_applied else f"likelihood {self.suggestion.chance:.2f}"
            case _:
                return f"similarity {value:.2f}"

    @property
    def slides(self) -> tuple[int, ...]:
        """The slides to look at side by side, the one at fault first."""
        pair = (self.suggestion.slide, self.suggestion.other)
        return tuple(dict.fromkeys(number for number in pair if number))


@dataclass(frozen=True, kw_only=True)
class Content:
    """One deck's content scores."""

    deck_id: DeckId
    deck: DeckObject
    scores: tuple[ContentScore, ...]
    suffix: str = ".pptx"
    """Of the deck's file, and so of a copy."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """Everything to change, in the order of the metrics and of the deck."""
        return tuple(Line(metric=score.metric, suggestion=each) for score in self.scores for each in score.suggestions)

    @property
    def order(self) -> tuple[int, ...]:
        """Slide numbers of the deck as it would be if everything that is sure was applied."""
        return suggested_order(self.deck, [line for line in self.lines if line.is_chosen])

    def summary(self, title: str) -> str:
        """Return what stands for a section of the source; empty if there is no such section."""
        sections = self.deck.document.sections if self.deck.document else ()
        return next((section.summary or section.text for section in sections if section.title == title), "")


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
    try:
        found = deck_object(task)
    except DeckUnreadable as error:
        # Assets are named by their content; people know the file by the name it came with.
        named = error.message.replace(task.path.name, deck.original_name or deck.system)
        raise DeckUnreadable(error.kind, named, next_step=error.next_step) from error
    return Content(
        deck_id=deck_id, deck=found, scores=tuple(scorer_of().score_all(found)), suffix=_suffix(deck)
    )  # fmt: skip


def suggested_order(deck: DeckObject, chosen: Sequence[Line]) -> tuple[int, ...]:
    """Return the slide numbers that stay, in the order that the chosen lines ask for.

    Repeats go first. Then slides move behind the one that they follow, in the order in which the moves were found.
    A line that cannot be applied, or that names a slide that is gone, changes nothing; nor does a deck go whole.
    """
    order = [slide.number for slide in deck.slides]
    usable = [line for line in chosen if line.can_be_applied]
    gone = {line.suggestion.slide for line in usable if line.metric is ContentMetric.REDUNDANCY}
    if len(gone) < len(order):
        order = [number for number in order if number not in gone]
    for each in (line.suggestion for line in usable if line.metric is ContentMetric.FLOW):
        if each.slide not in order or each.other is None or (each.other != 0 and each.other not in order):
            continue
        order.remove(each.slide)
        order.insert(0 if each.other == 0 else order.index(each.other) + 1, each.slide)
    return tuple(order)


def order_in_words(deck: DeckObject, order: Sequence[int]) -> str:
    """Return such as "12 slides, left out: 12, moved: 4"."""
    before = [slide.number for slide in deck.slides]
    kept = [number for number in before if number in set(order)]
    gone = [str(number) for number in before if number not in set(order)]
    parts = [counted(len(order), "slide")]
    if gone:
        parts.append(f"left out: {', '.join(gone)}")
    moved = moved_slides(kept, order)
    if moved:
        parts.append(f"moved: {', '.join(map(str, moved))}")
    return " · ".join(parts)


def moved_slides(before: Sequence[int], after: Sequence[int]) -> list[int]:
    """Return the fewest slides whose moves turn one order of the same slides into the other."""
    place = {number: at for at, number in enumerate(before)}
    # Longest rising run of old places; the slides outside it are those that moved.
    best: list[list[int]] = []
    for number in after:
        runs: list[list[int]] = [[], *(run for run in best if place[run[-1]] < place[number])]
        longest = max(runs, key=len)
        best.append([*longest, number])
    whole: list[list[int]] = [[], *best]
    still = max(whole, key=len)
    return [number for number in before if number not in still]


def _suffix(deck: Deck) -> str:
    return f".{deck.extension.lstrip('.').lower()}"


def _deck(project: Project, deck_id: DeckId) -> Deck:
    found = next((deck for deck in deck_store.list_decks(project) if deck.id == deck_id), None)
    if found is None:
        raise BadInput("This deck is not in the project any more.", next_step="Choose another deck.")
    return found


def save_suggested(project: Project, deck_id: DeckId, order: Sequence[int], out: Path) -> Path:
    """Write a copy of a deck with these slides in this order, and return it; the deck itself stays as it is.

    Raises:
        BadInput: if the format cannot be rearranged, or the copy would overwrite a file or has another ending.
    """
    deck = _deck(project, deck_id)
    if out.exists():
        raise BadInput(f"{out.name} is there already.", next_step="Choose another name.")
    if deck.asset is None:
        raise BadInput(f"{deck.system} has no deck file here.", next_step="Import the deck, then look again.")
    if out.suffix.lower() != _suffix(deck):
        raise BadInput(
            f"A copy of this deck is a {_suffix(deck)} file, not {out.suffix or 'one without an ending'}.",
            next_step=f"Call it {out.with_suffix(_suffix(deck)).name}.",
        )
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
