"""The review desk: what people and machines disagree about, and what a reviewer decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from studio.actions.adjudication import standing_reviews
from studio.actions.checklist_stats import base_id
from studio.actions.review_items import item_case_id, item_cases
from studio.actions.review_pairs import pair_cases
from studio.actions.review_quiz import quiz_cases
from studio.actions.review_returns import send_back, take_back
from studio.errors import BadInput
from studio.model.acts import stacks
from studio.model.answers import Annotator, Role
from studio.model.changes import Changes, Topic, changed
from studio.model.checklists import EvidenceBox, SourceQuote
from studio.model.decks import Deck, Instance
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.reviews import (
    BY_REVIEWER,
    BY_THRESHOLD,
    DECISIONS,
    ERROR_TYPES,
    Case,
    CaseId,
    CaseKind,
    Confidence,
    Decision,
    DisputeKind,
    Review,
    ReviewAct,
)
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import reviews as review_store
from studio.store.project import Project

CaseSource = Callable[[Project], Iterable[Case]]
SOURCES: list[CaseSource] = [item_cases, pair_cases, quiz_cases]
"""Where cases come from; a further kind of disagreement is one more function here."""

FEWEST_PEOPLE = 2
"""Nobody agrees with fewer."""
_CHANGED = changed(Topic.ANSWERS)
"""A decision changes what people are taken to say, and a return what they said."""


class CaseState(StrEnum):
    """Where a case stands."""

    OPEN = "open"
    DECIDED = "decided"
    ACCEPTED = "accepted"
    """Agreement between people was taken for the decision."""
    RETURNED = "returned"
    OUTDATED = "outdated"
    """Decided on another file of a deck than it has now; counts as open."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One case of the queue, with where it stands."""

    case: Case
    state: CaseState
    instance: str
    """The instance's title."""
    system: str
    against: str = ""
    review: Review | None = None
    size: float = 0.0
    """Of the largest disagreement that the filter lets through."""

    @property
    def is_open(self) -> bool:
        """Whether somebody has to decide."""
        return self.state in (CaseState.OPEN, CaseState.OUTDATED)


@dataclass(frozen=True, kw_only=True)
class Filter:
    """Which cases are shown; an empty field lets everything through."""

    kind: CaseKind | None = None
    dispute: DisputeKind | None = None
    who: str = ""
    """A judge or method that takes part in the disagreement."""
    instance_id: str = ""
    deck_id: str = ""
    group: str = ""
    """A dimension, or a type of quiz questions."""
    state: str = ""
    """A value of `CaseState`; ``open`` lets outdated ones through as well."""
    smallest: float = 0.0
    text: str = ""
    item_id: str = ""
    """A checklist item, on whatever page of whatever deck."""


@dataclass(frozen=True, kw_only=True)
class ReviewDesk:
    """All cases of a project."""

    entries: tuple[Entry, ...]
    names: Mapping[AnnotatorId, str]
    instances: Mapping[InstanceId, str]
    """Title of each instance with a case."""
    who: tuple[str, ...]
    """Judges and methods that take part in a disagreement."""

    def count(self, state: CaseState) -> int:
        """Return how many cases stand so."""
        return sum(entry.state is state for entry in self.entries)

    def entry(self, case_id: str) -> Entry | None:
        """Return a case by its id."""
        return next((entry for entry in self.entries if entry.case.id == case_id), None)


def item_case_id_of(deck_id: str, item_id: str) -> CaseId:
    """Return the id of the case about an item of a deck, whether there is a disagreement or not."""
    return item_case_id(DeckId(deck_id), item_id)


def read_desk(project: Project) -> ReviewDesk:
    """Return every disagreement of a project, the largest first, with what was decided.

    What was decided and is no disagreement any more stays in the list.
    """
    reviews, standing = review_store.current(project), standing_reviews(project)
    decks = {deck.id: deck for deck in deck_store.list_decks(project)}
    instances = {item.id: item for item in deck_store.list_instances(project)}
    cases = {case.id: case for source in SOURCES for case in source(project) if case.instance_id in instances}
    for review in reviews.values():
        if review.case_id not in cases and review.deck_id in decks:
            cases[review.case_id] = _case_of(review)
    entries = [
        _entry(case, reviews.get(case.id), case.id in standing, instances, decks)
        for case in cases.values()
        if case.deck_id in decks and (case.against is None or case.against in decks)
    ]
    entries.sort(key=lambda entry: (-entry.size, entry.case.id))
    used = dict.fromkeys(
        who for entry in entries for dispute in entry.case.disputes for who in (dispute.who_a, dispute.who_b)
    )
    return ReviewDesk(
        entries=tuple(entries), names={person.id: person.name for person in people_store.list_annotators(project)},
        instances={entry.case.instance_id: entry.instance for entry in entries},
        who=tuple(sorted(name for name in used if name != "people")),
    )  # fmt: skip


def filtered(desk: ReviewDesk, wanted: Filter) -> list[Entry]:
    """Return the cases that a filter lets through, the largest matching disagreement first."""
    found = []
    for entry in desk.entries:
        case = entry.case
        if wanted.item_id and wanted.item_id != base_id(case.item_id):
            continue
        if wanted.kind not in (None, case.kind) or wanted.instance_id not in ("", case.instance_id):
            continue
        if wanted.deck_id not in ("", case.deck_id, case.against) or wanted.group not in ("", case.group):
            continue
        if wanted.state and wanted.state != (CaseState.OPEN.value if entry.is_open else entry.state.value):
            continue
        if wanted.text and wanted.text.casefold() not in f"{case.text} {entry.instance}".casefold():
            continue
        size = entry.size
        if wanted.dispute is not None or wanted.who:
            sizes = [
                each.size
                for each in case.disputes
                if wanted.dispute in (None, each.kind) and wanted.who in ("", each.who_a, each.who_b)
            ]
            if not sizes:
                continue
            size = max(sizes)
        if size >= wanted.smallest:
            # A copy only where it differs: this runs while the reviewer waits, over thousands of cases.
            found.append(entry if size == entry.size else replace(entry, size=size))
    return sorted(found, key=lambda entry: (-entry.size, entry.case.id))


def neighbour(entries: Sequence[Entry], case_id: str, by: int, *, is_open: bool) -> Entry | None:
    """Return the next (+1) or previous (−1) case of a list, or the next that is open, going round.

    None if there is none but this one.
    """
    ids = [entry.case.id for entry in entries]
    here = ids.index(CaseId(case_id)) if case_id in ids else (-1 if by > 0 else 0)
    for step in range(1, len(entries) + 1):
        there = entries[(here + by * step) % len(entries)]
        if there.case.id != case_id and (there.is_open or not is_open):
            return there
    return None


def reviewer_named(project: Project, name: str) -> Annotator:
    """Return the person who reviews, made if new.

    Raises:
        BadInput: if the name is blank.
    """
    return people_store.annotator_named(project, name, role=Role.REVIEWER)


def decide(
    project: Project,
    case: Case,
    decision: Decision | None,
    *,
    reviewer: AnnotatorId,
    error_type: str | None = None,
    confidence: Confidence | None = None,
    comment: str | None = None,
    is_blind: bool = True,
) -> tuple[Review, Changes]:
    """Decide a case, decide it otherwise, or take the decision away with None; what is left out stays as it is.

    Raises:
        BadInput: for a decision or an error type that this kind of case does not know.
    """
    known = DECISIONS[case.kind]
    if decision is not None and decision not in known:
        raise BadInput(
            f"A case of the kind {case.kind.value} cannot be decided as {decision.value}.",
            next_step=f"Known: {', '.join(each.value for each in known)}.",
        )
    fields: dict[str, Any] = {"decision": decision, "by": BY_REVIEWER, "threshold": None, "was_blind": is_blind}
    if error_type is not None:
        fields["error_type"] = _known_error(case, error_type)
    if confidence is not None:
        fields["confidence"] = confidence
    if comment is not None:
        fields["comment"] = comment
    words = f"Decided {decision.value.replace('_', ' ')}" if decision is not None else "Took the decision back"
    return _change(project, case, reviewer, "decide", words, **fields)


def set_error_type(project: Project, case: Case, error_type: str, *, reviewer: AnnotatorId) -> tuple[Review, Changes]:
    """Say which kind of error was made; an empty text takes it away.

    Raises:
        BadInput: for a type that this kind of case does not know.
    """
    words = ERROR_TYPES[case.kind].get(error_type, "none")
    return _change(project, case, reviewer, "error", f"Error type: {words}", error_type=_known_error(case, error_type))


def set_confidence(
    project: Project, case: Case, confidence: Confidence | None, *, reviewer: AnnotatorId
) -> tuple[Review, Changes]:
    """Say how sure the decision is."""
    words = f"Confidence: {confidence.value if confidence else 'none'}"
    return _change(project, case, reviewer, "confidence", words, confidence=confidence)


def set_comment(project: Project, case: Case, comment: str, *, reviewer: AnnotatorId) -> tuple[Review, Changes]:
    """Keep a comment."""
    return _change(project, case, reviewer, "comment", "Wrote a comment", comment=comment.strip())


def set_evidence(
    project: Project, case: Case, boxes: Sequence[EvidenceBox], quotes: Sequence[SourceQuote], *, reviewer: AnnotatorId
) -> tuple[Review, Changes]:
    """Mark where on the slides and in the sources the decision rests.

    Raises:
        BadInput: for a place that is on no slide.
    """
    for box in boxes:
        edges = (box.x0, box.y0, box.x1, box.y1)
        if box.slide < 1 or not all(0 <= edge <= 1 for edge in edges) or box.x0 >= box.x1 or box.y0 >= box.y1:
            raise BadInput("The marked place is on no slide.", next_step="Mark it again.")
    return _change(
        project, case, reviewer, "evidence", "Marked a place", boxes=tuple(boxes), quotes=tuple(quotes)
    )  # fmt: skip


def return_case(project: Project, case: Case, comment: str, *, reviewer: AnnotatorId) -> tuple[Review, Changes]:
    """Send the answers to a case back to those who gave them, with a comment.

    Raises:
        BadInput: if there is no comment, or no answer that could be returned.
    """
    if not comment.strip():
        raise BadInput("Say what should be looked at again.", next_step="Write a comment first.")
    with project.writing(is_durable=True):
        returned = send_back(project, case, comment.strip())
        before = review_store.review_of(project, case.id)
        return _change(
            project, case, reviewer, "return", f"Returned to {len({each.annotator_id for each in returned})}",
            comment=comment.strip(), returned=(*(before.returned if before else ()), *returned), decision=None,
        )  # fmt: skip


def acceptable(desk: ReviewDesk, threshold: float, *, fewest: int = FEWEST_PEOPLE) -> list[tuple[Entry, Decision]]:
    """Return the open cases in which people agree enough to take it for the decision, with what they say.

    Args:
        desk: from `read_desk`.
        threshold: share of the people who answered, above ½ and up to 1.
        fewest: people who must have answered.

    Raises:
        BadInput: for a threshold that more than one answer could reach.
    """
    if not 0.5 < threshold <= 1:
        raise BadInput("The threshold must be above 0.5 and at most 1.", next_step="Take 0.8, for example.")
    found = []
    for entry in desk.entries:
        said, share, total = entry.case.majority
        if entry.is_open and total >= fewest and said and share >= threshold - 1e-9:
            decision = Decision(said)
            if decision in DECISIONS[entry.case.kind]:
                found.append((entry, decision))
    return found


def accept(
    project: Project, threshold: float, *, reviewer: AnnotatorId, fewest: int = FEWEST_PEOPLE
) -> tuple[list[tuple[Entry, Decision]], Changes]:
    """Decide every case in which people agree enough, as one act, and return what was accepted."""
    found = acceptable(read_desk(project), threshold, fewest=fewest)
    if not found:
        return [], changed()
    reviews = [
        review_store.stamped(
            replace(
                _start(project, entry.case), decision=decision, by=BY_THRESHOLD, threshold=threshold, was_blind=True,
                assets=_assets(project, entry.case),
            ),
            reviewer,
        )
        for entry, decision in found
    ]  # fmt: skip
    words = f"Accepted {len(found)} where {100 * threshold:.0f} % of people agree"
    review_store.write(project, reviews, reviewer_id=reviewer, verb="accept", words=words)
    return found, _CHANGED


def undo(project: Project, *, reviewer: AnnotatorId) -> tuple[ReviewAct, tuple[CaseId, ...], Changes]:
    """Take this reviewer's last act back; this is one more act. Returns it and the cases that it was about.

    Raises:
        BadInput: if there is nothing to take back, or somebody else went on with the case.
    """
    done, _ = stacks(review_store.list_acts(project, reviewer))
    if not done:
        raise BadInput("There is nothing to undo in the review.")
    act = done[-1]
    with project.writing(is_durable=True):
        states = []
        for review in review_store.of_act(project, act.seq):
            _must_be_own(project, review.case_id, reviewer, act)
            earlier = review_store.history(project, review.case_id, before=act.seq)
            before = earlier[-1] if earlier else review_store.empty_state(review)
            now = review_store.history(project, review.case_id)[-1]
            fresh = [each for each in now.returned if each not in before.returned]
            if fresh:
                take_back(project, _case_of(review), fresh)
            states.append(before)
        reversal = review_store.write(
            project, states, reviewer_id=reviewer, verb="undo", words=f"Undid: {act.words}", undoes=act.seq
        )
    return reversal, tuple(state.case_id for state in states), _CHANGED


def redo(project: Project, *, reviewer: AnnotatorId) -> tuple[ReviewAct, tuple[CaseId, ...], Changes]:
    """Bring back the act that this reviewer took back last.

    Raises:
        BadInput: if there is nothing to bring back, or somebody else went on with the case.
    """
    _, undone = stacks(review_store.list_acts(project, reviewer))
    if not undone:
        raise BadInput("There is nothing to redo in the review.")
    act = undone[-1]
    with project.writing(is_durable=True):
        states = []
        for review in review_store.of_act(project, act.seq):
            _must_be_own(project, review.case_id, reviewer, act)
            now = review_store.history(project, review.case_id)[-1]
            if any(each not in now.returned for each in review.returned):
                again = send_back(project, _case_of(review), review.comment)
                review = replace(review, returned=(*now.returned, *again))
            states.append(review)
        reversal = review_store.write(
            project, states, reviewer_id=reviewer, verb="redo", words=f"Redid: {act.words}", undoes=act.seq
        )
    return reversal, tuple(state.case_id for state in states), _CHANGED


def last_acts(project: Project, reviewer: AnnotatorId) -> tuple[ReviewAct | None, ReviewAct | None]:
    """Return the act that undo would take back and the one that redo would bring back."""
    done, undone = stacks(review_store.list_acts(project, reviewer))
    return (done[-1] if done else None), (undone[-1] if undone else None)


def all_acts(project: Project) -> tuple[list[ReviewAct], dict[AnnotatorId, str]]:
    """Return every act of every reviewer, oldest first, and the names behind the ids."""
    return review_store.list_acts(project), {person.id: person.name for person in people_store.list_annotators(project)}


def state_of(case: Case, review: Review | None, *, counts: bool = True) -> CaseState:
    """Return where a case stands; `counts` says whether its decks have the files that were looked at."""
    if review is None or review.is_empty:
        return CaseState.OPEN
    if not counts:
        return CaseState.OUTDATED
    if review.decision is not None:
        return CaseState.DECIDED if review.by == BY_REVIEWER else CaseState.ACCEPTED
    return CaseState.RETURNED if review.returned and not case.people else CaseState.OPEN


def with_review(desk: ReviewDesk, case_id: CaseId, review: Review | None) -> ReviewDesk:
    """Return the desk with what now stands about one case; nothing is read anew."""
    return replace(
        desk,
        entries=tuple(
            replace(entry, review=review, state=state_of(entry.case, review)) if entry.case.id == case_id else entry
            for entry in desk.entries
        ),
    )


def entry_json(entry: Entry, names: Mapping[AnnotatorId, str]) -> dict[str, Any]:
    """Return a case as `studio review list --json` prints it."""
    case, review = entry.case, entry.review
    return {
        "case_id": case.id, "kind": case.kind.value, "state": entry.state.value, "instance_id": case.instance_id,
        "instance": entry.instance, "deck_id": case.deck_id, "system": entry.system, "against": case.against,
        "against_system": entry.against or None, "item_id": case.item_id or None, "text": case.text,
        "group": case.group or None, "size": entry.size, "people": dict(case.people),
        "disputes": [
            {"kind": each.kind.value, "who_a": each.who_a, "who_b": each.who_b, "size": each.size}
            for each in case.disputes
        ],
        "decision": review.decision.value if review and review.decision else None,
        "error_type": review.error_type or None if review else None,
        "confidence": review.confidence.value if review and review.confidence else None,
        "comment": review.comment if review else "", "by": review.by if review and review.decision else None,
        "was_blind": review.was_blind if review and review.decision else None,
        "reviewer": names.get(review.reviewer_id) if review and review.reviewer_id else None,
    }  # fmt: skip


def _entry(
    case: Case,
    review: Review | None,
    counts: bool,
    instances: Mapping[InstanceId, Instance],
    decks: Mapping[DeckId, Deck],
) -> Entry:
    instance = instances[case.instance_id]
    return Entry(
        case=case, state=state_of(case, review, counts=counts), instance=instance.title or instance.name,
        system=decks[case.deck_id].system, against=decks[case.against].system if case.against else "",
        review=review, size=case.size,
    )  # fmt: skip


def _case_of(review: Review) -> Case:
    """Return the case that a review is about, without the disagreement that made it one."""
    return Case(
        id=review.case_id, kind=review.kind, instance_id=review.instance_id, deck_id=review.deck_id,
        against=review.against, item_id=review.item_id, text=review.item_id or "Which of the two decks is better?",
    )  # fmt: skip


def _start(project: Project, case: Case) -> Review:
    known = review_store.review_of(project, case.id)
    return known or Review(
        case_id=case.id, kind=case.kind, instance_id=case.instance_id, deck_id=case.deck_id, against=case.against,
        item_id=case.item_id,
    )  # fmt: skip


def _assets(project: Project, case: Case) -> dict[DeckId, Any]:
    named = {case.deck_id, case.against}
    return {deck.id: deck.asset for deck in deck_store.list_decks(project, case.instance_id) if deck.id in named}


def _change(
    project: Project, case: Case, reviewer: AnnotatorId, verb: str, words: str, **fields: Any
) -> tuple[Review, Changes]:
    with project.writing(is_durable=True):
        before = _start(project, case)
        after = replace(before, **fields, assets=_assets(project, case))
        if replace(after, assets=before.assets, was_blind=before.was_blind) == before and after.assets == before.assets:
            return before, changed()
        after = review_store.stamped(after, reviewer)
        review_store.write(project, [after], reviewer_id=reviewer, verb=verb, words=words)
    return after, _CHANGED


def _known_error(case: Case, error_type: str) -> str:
    known = ERROR_TYPES[case.kind]
    if error_type and error_type not in known:
        raise BadInput(f"There is no error type {error_type}.", next_step=f"Known: {', '.join(known)}.")
    return error_type


def _must_be_own(project: Project, case_id: CaseId, reviewer: AnnotatorId, act: ReviewAct) -> None:
    newest = review_store.last_act_on(project, [case_id])
    if newest > act.seq:
        later = next(each for each in review_store.list_acts(project) if each.seq == newest)
        if later.reviewer_id != reviewer:
            raise BadInput(
                f"“{act.words}” cannot be undone: somebody else has decided the case since.",
                next_step="Decide it anew.",
            )
