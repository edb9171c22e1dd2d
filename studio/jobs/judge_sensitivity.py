"""Plans what a judge is asked to see whether it notices defects: decks as they are, and made worse by degrees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from studio.errors import BadInput
from studio.jobs.judge_material import Material, NothingToShow
from studio.jobs.judge_wanted import Group
from studio.judges.shown import ShownDeck
from studio.judges.worse import WorseConversation
from studio.model.decks import Deck
from studio.model.ids import DeckId
from studio.model.judging import ImagePart, Part, PlannedConversation, TextPart
from studio.model.reflex import ContentMetric, DocumentObject, Recipe
from studio.perturb import choose

DEFECTS = (ContentMetric.COVERAGE, ContentMetric.REDUNDANCY, ContentMetric.FLOW)
"""Made of whole slides; images that change places within slides would need the file drawn anew."""
DEGREES = (1, 2, 3, 4)

Plan = Callable[[Group], Iterator[PlannedConversation]]


def plan_sensitivity(
    group: Group, plan: Plan, document: Callable[[], DocumentObject | None]
) -> Iterator[PlannedConversation]:
    """Yield a protocol's conversations about each deck, then about its worse versions of each degree.

    Args:
        group: decks of one instance.
        plan: the protocol's own planning.
        document: returns the instance's sources as topics, for coverage; None without any.
    """
    for deck in group.decks:
        own = replace(group, decks=(deck,))
        for each in plan(own):
            as_is = WorseConversation(inner=each.conversation, recipe=None)
            yield replace(each, conversation=as_is, label=f"{each.label} · as it is")
        for metric in DEFECTS:
            for degree in DEGREES:
                recipe, why = _recipe(group, deck, metric, degree, document)
                worse = own
                if recipe is not None:
                    worse = replace(own, material=WorseMaterial(group.material, {deck.id: recipe}))
                for each in plan(worse):
                    about = WorseConversation(
                        inner=each.conversation, recipe=recipe, metric=metric, degree=degree
                    )  # fmt: skip
                    yield replace(
                        each, conversation=about,
                        label=f"{each.label} · {metric.value} {degree}", blocked=each.blocked or why,
                    )  # fmt: skip


def _recipe(
    group: Group, deck: Deck, metric: ContentMetric, degree: int, document: Callable[[], DocumentObject | None]
) -> tuple[Recipe | None, str]:
    """Return how a deck is made worse, or why it cannot be."""
    try:
        shown = group.material.deck(deck)
    except NothingToShow as error:
        return None, str(error)
    try:
        if metric is ContentMetric.FLOW:
            return choose.flow(shown.slides, degree=degree, seed=group.seed), ""
        if metric is ContentMetric.REDUNDANCY:
            return choose.redundancy(shown.slides, degree=degree, seed=group.seed), ""
        source = document()
        if source is None or not source.sections:
            return None, "no_topics: the instance's sources have no topics"
        # Imported here: it loads a library that takes seconds.
        from studio.perturb.topics import carried

        names = [section.title for section in source.sections]
        has = carried(shown.texts, source.sections)
        return choose.coverage(shown.slides, names, has, degree=degree, seed=group.seed), ""
    except BadInput as error:
        return None, f"too_few: {error.message}"


class WorseMaterial(Material):
    """Shows decks as their recipes say; everything else as it is.

    Args:
        whole: what the decks are; what it has read is used.
        recipes: by deck.
    """

    def __init__(self, whole: Material, recipes: Mapping[DeckId, Recipe]) -> None:
        self.__dict__.update(whole.__dict__)
        self._recipes = recipes

    def deck(self, deck: Deck, *, name: str = "deck") -> ShownDeck:
        """See `Material.deck`. Slides are numbered anew: a gap would tell what is missing."""
        recipe = self._recipes[deck.id]
        listed = {slide.number: (slide, part) for _, slide, part in self._listed(deck)}
        chosen = [listed[number] for number in recipe.permutation]
        return ShownDeck(
            deck_id=deck.id,
            parts=tuple(_numbered(part, f"{name} slide {place}") for place, (_, part) in enumerate(chosen, start=1)),
            slides=tuple(range(1, len(chosen) + 1)), texts=tuple(slide.text for slide, _ in chosen),
            pages=self.pages(deck),
        )  # fmt: skip


def _numbered(part: Part, label: str) -> Part:
    if isinstance(part, ImagePart):
        return replace(part, label=label)
    assert isinstance(part, TextPart)
    _, _, words = part.text.partition(":\n")
    return TextPart(text=f"{label}:\n{words}")
