"""Reviews: whole states of cases that are only added to, the acts behind them, undo and redo (decision 36)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from studio.model.checklists import EvidenceBox, SourceQuote
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.reviews import CaseId, CaseKind, Confidence, Decision, Returned, Review, ReviewAct
from studio.store.project import Project, utc_now
from studio.store.values import from_json, to_json


def write(
    project: Project,
    reviews: Sequence[Review],
    *,
    reviewer_id: AnnotatorId,
    verb: str,
    words: str,
    undoes: int | None = None,
) -> ReviewAct:
    """Append states as one act and return it; durable when this returns. An empty state takes a case back."""
    at = utc_now()
    with project.writing(is_durable=True) as db:
        seq = int(
            db.execute(
                "INSERT INTO review_acts (at, reviewer_id, verb, words, undoes) VALUES (?, ?, ?, ?, ?)",
                [at, reviewer_id, verb, words, undoes],
            ).lastrowid
            or 0
        )
        db.conn.executemany(
            "INSERT INTO review_records (act, case_id, state) VALUES (?, ?, ?)",
            [(seq, review.case_id, to_json(_state(review))) for review in reviews],
        )
    return ReviewAct(seq=seq, at=at, reviewer_id=reviewer_id, verb=verb, words=words, undoes=undoes)


def current(project: Project) -> dict[CaseId, Review]:
    """Return the newest state of every case that anything is said about, in the order of first writing."""
    rows = project.reading().query(
        "SELECT r.* FROM review_records r JOIN (SELECT max(seq) AS seq, min(seq) AS first FROM review_records "
        "GROUP BY case_id) newest ON newest.seq = r.seq ORDER BY newest.first"
    )
    return {review.case_id: review for review in map(_review, rows) if not review.is_empty}


def review_of(project: Project, case_id: CaseId) -> Review | None:
    """Return the newest state of one case, or None if nobody said anything about it."""
    found = history(project, case_id)
    return found[-1] if found and not found[-1].is_empty else None


def history(project: Project, case_id: CaseId, *, before: int | None = None) -> list[Review]:
    """Return all states of one case, oldest first; those of acts before one only, if asked."""
    rows = project.reading().query(
        "SELECT * FROM review_records WHERE case_id = :case AND (:before IS NULL OR act < :before) ORDER BY seq",
        {"case": case_id, "before": before},
    )
    return list(map(_review, rows))


def of_act(project: Project, seq: int) -> list[Review]:
    """Return the states that an act left."""
    rows = project.reading().query("SELECT * FROM review_records WHERE act = ? ORDER BY seq", [seq])
    return list(map(_review, rows))


def last_act_on(project: Project, case_ids: Iterable[CaseId]) -> int:
    """Return the newest act on any of these cases; 0 if there is none."""
    db = project.reading()
    found = [
        db.execute("SELECT max(act) FROM review_records WHERE case_id = ?", [case_id]).fetchone()[0] or 0
        for case_id in case_ids
    ]
    return max(found, default=0)


def list_acts(project: Project, reviewer_id: AnnotatorId | None = None) -> list[ReviewAct]:
    """Return the acts of one reviewer or of all, oldest first."""
    rows = project.reading().query(
        "SELECT * FROM review_acts WHERE (:who IS NULL OR reviewer_id = :who) ORDER BY seq", {"who": reviewer_id}
    )
    return [
        ReviewAct(
            seq=row["seq"], at=row["at"], reviewer_id=AnnotatorId(row["reviewer_id"]), verb=row["verb"],
            words=row["words"], undoes=row["undoes"],
        )
        for row in rows
    ]  # fmt: skip


def empty_state(review: Review) -> Review:
    """Return the state of this case in which nothing is said."""
    return Review(
        case_id=review.case_id, kind=review.kind, instance_id=review.instance_id, deck_id=review.deck_id,
        against=review.against, item_id=review.item_id,
    )  # fmt: skip


def stamped(review: Review, reviewer_id: AnnotatorId) -> Review:
    """Return a state with who left it and when."""
    return replace(review, reviewer_id=reviewer_id, at=utc_now())


def _state(review: Review) -> dict[str, Any]:
    return {
        "kind": review.kind.value, "instance_id": review.instance_id, "deck_id": review.deck_id,
        "against": review.against, "item_id": review.item_id,
        "decision": review.decision.value if review.decision else None, "error_type": review.error_type,
        "confidence": review.confidence.value if review.confidence else None, "comment": review.comment,
        "boxes": review.boxes, "quotes": review.quotes, "by": review.by, "threshold": review.threshold,
        "was_blind": review.was_blind, "returned": review.returned, "assets": dict(review.assets),
        "reviewer_id": review.reviewer_id, "at": review.at,
    }  # fmt: skip


def _review(row: dict[str, Any]) -> Review:
    state = from_json(row["state"])
    return Review(
        case_id=CaseId(row["case_id"]), kind=CaseKind(state["kind"]), instance_id=InstanceId(state["instance_id"]),
        deck_id=DeckId(state["deck_id"]), against=DeckId(state["against"]) if state["against"] else None,
        item_id=state["item_id"], decision=Decision(state["decision"]) if state["decision"] else None,
        error_type=state["error_type"], confidence=Confidence(state["confidence"]) if state["confidence"] else None,
        comment=state["comment"], boxes=tuple(EvidenceBox(**box) for box in state["boxes"]),
        quotes=tuple(SourceQuote(**quote) for quote in state["quotes"]), by=state["by"],
        threshold=state["threshold"], was_blind=state["was_blind"],
        returned=tuple(Returned(**each) for each in state["returned"]), assets=state["assets"],
        reviewer_id=AnnotatorId(state["reviewer_id"]) if state["reviewer_id"] else None, at=state["at"],
    )  # fmt: skip
