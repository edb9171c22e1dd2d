"""What reviewers decided and still counts: in place of what most people say, and never as one of them."""

from __future__ import annotations

from collections.abc import Iterable

from studio.model.answers import Comparison, Preference
from studio.model.checklists import ItemAnswer
from studio.model.ids import DeckId, InstanceId
from studio.model.reviews import CaseId, CaseKind, Decision, Review
from studio.store import decks as deck_store
from studio.store import reviews as review_store
from studio.store.project import Project

_SAID = {Decision.A: Preference.A, Decision.B: Preference.B, Decision.TIE: Preference.TIE}


def standing_reviews(project: Project) -> dict[CaseId, Review]:
    """Return the newest state of each case whose decks are there and have the files that were looked at."""
    reviews = review_store.current(project)
    if not reviews:
        return {}
    assets = {deck.id: deck.asset for deck in deck_store.list_decks(project)}
    return {
        case_id: review
        for case_id, review in reviews.items()
        if all(deck in assets and assets[deck] == asset for deck, asset in review.assets.items())
    }


def decided_pairs(reviews: Iterable[Review]) -> dict[InstanceId, tuple[Comparison, ...]]:
    """Return the pairs of decks that were decided, by instance; those that cannot be told decide nothing."""
    found: dict[InstanceId, tuple[Comparison, ...]] = {}
    for review in reviews:
        if review.kind is CaseKind.PAIR and review.decision in _SAID and review.against is not None:
            said = Comparison(first=review.deck_id, second=review.against, said=_SAID[review.decision])
            found[review.instance_id] = (*found.get(review.instance_id, ()), said)
    return found


def decided_items(reviews: Iterable[Review]) -> dict[tuple[DeckId, str], ItemAnswer]:
    """Return what was decided about items, by deck and item."""
    return {
        (review.deck_id, review.item_id): ItemAnswer(review.decision.value)
        for review in reviews
        if review.kind is CaseKind.ITEM and review.decision is not None
    }
