"""Plans the protocols that score one deck at a time: rating, PPTEval, G-Eval, few-shot."""

from __future__ import annotations

from collections.abc import Iterator

from studio.jobs.judge_wanted import Group, joined, repeat_words
from studio.judges import geval, ppteval
from studio.judges.fewshot import FewShotConversation
from studio.judges.geval import FormConversation
from studio.judges.ppteval import CoherenceConversation, SlideConversation
from studio.judges.rating import RatingConversation
from studio.model.judging import Part, PlannedConversation
from studio.stats.judges import expected_score


def plan_rating(group: Group) -> Iterator[PlannedConversation]:
    """Yield one call for each deck and criterion."""
    for deck in group.decks:
        shown, blocked = group.shown(deck)
        for repeat in group.repeats:
            for criterion in group.criteria:
                about = group.about(deck, criterion, repeat, dimension=criterion)
                conversation = RatingConversation(about=about, deck=shown, attempts=group.attempts)
                yield group.planned(deck, joined(criterion, repeat_words(repeat)), conversation, blocked)


def plan_ppteval(group: Group) -> Iterator[PlannedConversation]:
    """Yield content and design of each slide, then coherence of the deck."""
    for deck in group.decks:
        shown, blocked = group.shown(deck)
        # A deck that cannot be shown still has its units, so that they are counted as skipped.
        slides: list[tuple[int | None, Part | None]] = list(
            zip(shown.slides, shown.parts[len(shown.parts) - len(shown.slides) :], strict=True)
        )
        for repeat in group.repeats:
            for dimension in ppteval.SLIDE_DIMENSIONS:
                if dimension not in group.criteria:
                    continue
                unknown: list[tuple[int | None, Part | None]] = [(None, None)]
                for number, part in slides or unknown:
                    about = group.about(deck, dimension, repeat, dimension=dimension, slide=number)
                    parts = (*group.material.note, part) if part is not None else ()
                    conversation = SlideConversation(about=about, parts=parts, attempts=group.attempts)
                    what = joined(f"{dimension} of slide {number}" if number else dimension, repeat_words(repeat))
                    yield group.planned(deck, what, conversation, blocked)
            if ppteval.COHERENCE in group.criteria:
                about = group.about(deck, ppteval.COHERENCE, repeat, dimension=ppteval.COHERENCE)
                no_text = "" if any(text.strip() for text in shown.texts) else "no_text: the deck has no text to read"
                coherence = CoherenceConversation(about=about, texts=shown.texts, attempts=group.attempts)
                yield group.planned(
                    deck, joined(ppteval.COHERENCE, repeat_words(repeat)), coherence, blocked or no_text
                )


def plan_geval(group: Group) -> Iterator[PlannedConversation]:
    """Yield one form for each deck and criterion; coverage is judged beside the sources."""
    for deck in group.decks:
        shown, no_deck = group.shown(deck)
        for repeat in group.repeats:
            for criterion in group.criteria:
                needs_sources = criterion in geval.NEEDS_SOURCES
                sources, no_sources = group.sources() if needs_sources and not no_deck else ((), "")
                conversation = FormConversation(
                    about=group.about(deck, criterion, repeat, dimension=criterion),
                    parts=(*shown.parts, *sources), mode=group.wanted.options.geval, expected=expected_score,
                    samples=group.wanted.options.samples, attempts=group.attempts,
                )  # fmt: skip
                yield group.planned(deck, joined(criterion, repeat_words(repeat)), conversation, no_deck or no_sources)


def plan_fewshot(group: Group) -> Iterator[PlannedConversation]:
    """Yield one call for each deck and content criterion; coverage is judged beside the sources."""
    for deck in group.decks:
        shown, no_deck = group.shown(deck)
        for repeat in group.repeats:
            for criterion in group.criteria:
                needs_sources = criterion in geval.NEEDS_SOURCES
                sources, no_sources = group.sources() if needs_sources and not no_deck else ((), "")
                conversation = FewShotConversation(
                    about=group.about(deck, criterion, repeat, dimension=criterion), parts=(*shown.parts, *sources),
                    slides=shown.slides, attempts=group.attempts,
                )  # fmt: skip
                yield group.planned(deck, joined(criterion, repeat_words(repeat)), conversation, no_deck or no_sources)
