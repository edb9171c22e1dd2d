"""People's answers to checklists: opening a sheet, and what everybody has said."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from studio import __version__
from studio.actions.adjudication import decided_items, standing_reviews
from studio.actions.studies import all_checklists, recorder
from studio.errors import BadInput
from studio.model.answers import AnswerEvent, AnswerKind, AnswerStatus
from studio.model.changes import Changes, Topic, changed
from studio.model.checklists import ItemAnswer
from studio.model.decks import DeckStatus
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.studies import Study
from studio.sessions.answering import AnsweringRules, Unseen, nothing_unseen
from studio.sessions.checklist import ChecklistSheet, ItemReply, reply_of
from studio.sessions.clock import ActiveClock
from studio.sessions.journal import Record
from studio.store import answers as answer_store
from studio.store import checklist_lists as list_store
from studio.store import decks as deck_store
from studio.store.care import FileHistory
from studio.store.project import Project, utc_now
from studio.store.studies import event_study

EVIDENCE_META = "checklist_needs_evidence"
"""Setting of a project: ``1`` where every no must name a place."""


class OpenSheet(NamedTuple):
    """A checklist sheet and the clock that the page keeps going."""

    sheet: ChecklistSheet
    clock: ActiveClock


def open_sheet(
    project: Project,
    instance_id: InstanceId,
    annotator_id: AnnotatorId,
    *,
    deck_ids: Sequence[DeckId] | None = None,
    study: Study | None = None,
    repeat: int = 0,
    record: Record | None = None,
    clock: ActiveClock | None = None,
    unseen: Unseen = nothing_unseen,
    now: Callable[[], str] = utc_now,
    monotonic: Callable[[], float] = time.monotonic,
) -> OpenSheet:
    """Return this person's sheet of an instance as it stands; every act on it is stored before it shows.

    Args:
        project: open for writing.
        instance_id: the instance.
        annotator_id: who answers.
        deck_ids: the decks in the order in which they are shown; None: all decks that are there.
        study: whose answers these are; None: those that belong to no study that was made.
        repeat: 1 and more where the instance is asked again.
        record: stores an event durably; None: in the project, under the study.
        clock: of the person's active time; None: a new one.
        unseen: which slides must still be looked at.
        now: the present time.
        monotonic: the clock behind active seconds.

    Raises:
        BadInput: if there is no such instance, or it has no checklist.
    """
    checklist = list_store.checklist_of(project, instance_id)
    if not checklist.items:
        raise BadInput("This instance has no checklist.", next_step="Write one on the Checklists page.")
    present = {
        deck.id: deck for deck in deck_store.list_decks(project, instance_id) if deck.status is DeckStatus.PRESENT
    }
    shown = [present[deck_id] for deck_id in (deck_ids if deck_ids is not None else present) if deck_id in present]
    clock = clock or ActiveClock(monotonic)
    asked_in = study or all_checklists(project)
    files = FileHistory(project)
    sheet = ChecklistSheet(
        instance_id=instance_id, annotator_id=annotator_id,
        checklists={deck.id: list_store.checklist_of_deck(project, deck, known=checklist)[0] for deck in shown},
        events=[
            event
            for event in answer_store.events_of(
                project, AnswerKind.CHECKLIST, study_id=event_study(asked_in.id), annotator_id=annotator_id,
                instance_id=instance_id, repeat=repeat,
            )
            if event.deck_id is None or files.is_current(event.deck_id, event.seq)
        ],
        record=record or recorder(project, asked_in, repeat), now=now, spent=clock.take,
        needs_evidence=needs_evidence(project), unseen=unseen,
        rules=AnsweringRules(guidelines_version=asked_in.guidelines_version, app_version=__version__),
    )  # fmt: skip
    return OpenSheet(sheet, clock)


def needs_evidence(project: Project) -> bool:
    """Return whether every no must name a place, beside items that ask for one themselves."""
    return project.meta(EVIDENCE_META, "0") == "1"


def set_needs_evidence(project: Project, is_needed: bool) -> Changes:
    """Ask for a place with every no, or no more; answers that lack one are open again."""
    project.set_meta(EVIDENCE_META, "1" if is_needed else "0")
    return changed(Topic.CHECKLISTS)


Case = tuple[DeckId, str]
"""A deck and an item."""


class HumanReplies(NamedTuple):
    """What people say to checklists, and what does not count yet."""

    said: dict[Case, dict[AnnotatorId, ItemReply]]
    """Submitted answers, by deck and item."""
    not_submitted: frozenset[tuple[InstanceId, DeckId, AnnotatorId]]
    """Decks that a person has answered items of without submitting them, or said that they cannot be judged."""


def human_replies(
    project: Project, deck_id: DeckId | None = None
) -> dict[Case, dict[AnnotatorId, ItemReply]]:  # fmt: skip
    """Return what each person says to each item of each deck, or of one; see `read_replies`."""
    return read_replies(project, deck_id).said


def read_replies(project: Project, deck_id: DeckId | None = None) -> HumanReplies:
    """Return what each person says to each item of each deck, or of one, whichever study asked.

    What counts is a deck's sheet as it was submitted last: what is changed afterwards counts once it is submitted
    again. Left out are sheets that were never submitted or whose deck cannot be judged, answers on earlier files,
    answers to what was asked again, and those that were returned to their author and not submitted since.
    """
    files = FileHistory(project)
    sheets: dict[tuple[str, DeckId, AnnotatorId], _SheetEvents] = {}
    for event in answer_store.events_of(project, AnswerKind.CHECKLIST, repeat=0, deck_id=deck_id):
        if event.deck_id is not None and files.is_current(event.deck_id, event.seq):
            sheet = sheets.setdefault((event.study_id, event.deck_id, event.annotator_id), _SheetEvents(event))
            sheet.take(event)
    newest: dict[tuple[Case, AnnotatorId], tuple[int, ItemReply]] = {}
    drafts: set[tuple[InstanceId, DeckId, AnnotatorId]] = set()
    for (_, deck, person), sheet in sheets.items():
        counted = sheet.counted()
        for item, (seq, reply) in counted.items():
            place = ((deck, item), person)
            if place not in newest or newest[place][0] < seq:
                newest[place] = (seq, reply)
        if not counted and sheet.has_answers:
            drafts.add((sheet.instance_id, deck, person))
    found: dict[Case, dict[AnnotatorId, ItemReply]] = {}
    for (case, person), (_, reply) in newest.items():
        if reply.answer is not None:
            found.setdefault(case, {})[person] = reply
    counting = {(deck, person) for (deck, _), by_person in found.items() for person in by_person}
    return HumanReplies(found, frozenset(each for each in drafts if each[1:] not in counting))


def left_out_in_words(left_out: Collection[tuple[InstanceId, DeckId, AnnotatorId]]) -> str:
    """Return "3 decks of 2 people are answered but not submitted, and do not count"; empty if there are none."""
    if not left_out:
        return ""
    people = len({person for _, _, person in left_out})
    n = len(left_out)
    decks = f"{n:,} deck{'' if n == 1 else 's'} of {people:,} {'person' if people == 1 else 'people'}"
    return f"{decks} {'is' if n == 1 else 'are'} answered but not submitted, and {'does' if n == 1 else 'do'} not count"


class _SheetEvents:
    """The events of one person about one deck, in one study."""

    def __init__(self, first: AnswerEvent) -> None:
        self.instance_id = first.instance_id
        self._items: dict[str, list[AnswerEvent]] = {}
        self._decisions: list[AnswerEvent] = []

    def take(self, event: AnswerEvent) -> None:
        """Take an event in; they come oldest first."""
        if event.item_key:
            self._items.setdefault(event.item_key, []).append(event)
        else:
            self._decisions.append(event)

    @property
    def has_answers(self) -> bool:
        """Whether any item has an answer now."""
        return any(events[-1].state.get("answer") for events in self._items.values())

    def counted(self) -> dict[str, tuple[int, ItemReply]]:
        """Return what counts of each item, with the number of its event."""
        acts = _standing(self._decisions)
        decided = [place for place, act in enumerate(acts) if act.state.get("status") in _DECIDED]
        submitted = acts[decided[-1]] if decided else None
        if submitted is not None and submitted.state.get("status") != AnswerStatus.SUBMITTED.value:
            submitted = None
        after = acts[decided[-1] + 1 :] if decided else []
        reopened = next((act for act in after if act.state.get("status") == AnswerStatus.DRAFT.value), None)
        found = {}
        for item, events in self._items.items():
            held = _held(events, submitted, reopened)
            if held is not None:
                found[item] = (held.seq, reply_of(held.state))
        return found


_DECIDED = frozenset({AnswerStatus.SUBMITTED.value, AnswerStatus.CANNOT_JUDGE.value})


def _standing(events: Sequence[AnswerEvent]) -> list[AnswerEvent]:
    """Return the acts among events that were not taken back; an undo without a number is of the last one."""
    acts: list[AnswerEvent] = []
    undone: list[AnswerEvent] = []
    for event in events:
        source, target = (acts, undone) if event.verb == "undo" else (undone, acts)
        if event.verb not in ("undo", "redo"):
            acts.append(event)
            undone.clear()
            continue
        for place in range(len(source) - 1, -1, -1):
            if event.target in (None, source[place].seq):
                target.append(source.pop(place))
                break
    return acts


def _held(
    events: Sequence[AnswerEvent], submitted: AnswerEvent | None, reopened: AnswerEvent | None
) -> AnswerEvent | None:  # fmt: skip
    """Return the event of an item whose answer counts; None if none does.

    Args:
        events: of the item, oldest first.
        submitted: what submitted the deck; None where nothing holds that did.
        reopened: what opened it again since; None where it was not.
    """
    for event in reversed(events):
        # An answer that came by table is submitted by itself, also where it says nothing of its status.
        status = event.state.get("status", AnswerStatus.SUBMITTED.value)
        if status == AnswerStatus.RETURNED.value:
            return event if submitted is not None and _is_before(event, submitted) else None
        if status == AnswerStatus.SUBMITTED.value:
            return event
        if submitted is not None and (reopened is None or _is_before(event, reopened)):
            return event
    return None


def _is_before(one: AnswerEvent, other: AnswerEvent) -> bool:
    """Return whether an event came before one of another history; packs bring histories in one after the other."""
    return (one.at, one.seq) < (other.at, other.seq)


def consensus(replies: dict[AnnotatorId, ItemReply]) -> ItemAnswer | None:
    """Return the answer that more people gave than any other; None where two are even."""
    counts: dict[ItemAnswer, int] = {}
    for reply in replies.values():
        if reply.answer is not None:
            counts[reply.answer] = counts.get(reply.answer, 0) + 1
    best = sorted(counts.items(), key=lambda pair: -pair[1])
    if not best or (len(best) > 1 and best[0][1] == best[1][1]):
        return None
    return best[0][0]


def settled(project: Project, replies: dict[Case, dict[AnnotatorId, ItemReply]]) -> dict[Case, ItemAnswer | None]:
    """Return what holds for each case: what a reviewer decided, else what most people say; None where they are even.

    Args:
        project: an open project.
        replies: from `human_replies`; agreement between people is computed from these alone.
    """
    found: dict[Case, ItemAnswer | None] = {case: consensus(each) for case, each in replies.items()}
    return found | decided_items(standing_reviews(project).values())
