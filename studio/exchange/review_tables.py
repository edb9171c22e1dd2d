"""The rows of what reviewers decided."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from studio.store import decks as deck_store
from studio.store import reviews as review_store
from studio.store.project import Project
from studio.store.values import plain

Rows = Iterator[dict[str, Any]]


def review_rows(project: Project) -> Rows:
    """Yield one row for each case that something was said about; of a pair `deck_id` is a, and `against_deck_id` b.

    `is_current` is false where a deck has another file now than the one that was looked at.
    """
    assets = {deck.id: deck.asset for deck in deck_store.list_decks(project)}
    for review in review_store.current(project).values():
        if review.deck_id not in assets:
            continue
        status = "returned" if review.decision is None and review.returned else "decided" if review.decision else "open"
        yield {
            "case_id": review.case_id, "instance_id": review.instance_id, "deck_id": review.deck_id,
            "item_id": review.item_id or None, "reviewer_id": review.reviewer_id,
            "decision": review.decision.value if review.decision else None, "error_type": review.error_type or None,
            "confidence": review.confidence.value if review.confidence else None, "comment": review.comment,
            "kind": review.kind.value, "against_deck_id": review.against, "status": status, "decided_by": review.by,
            "threshold": review.threshold, "was_blind": review.was_blind, "evidence": plain(review.boxes),
            "quotes": plain(review.quotes), "at": review.at,
            "is_current": all(assets.get(deck) == asset for deck, asset in review.assets.items()),
        }  # fmt: skip
