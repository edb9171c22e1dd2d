"""Opening the checklist of an instance for a person, on the desk of all answering pages."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from studio.actions.answer_desk import OpenUnit, decks_to_see, seen_before
from studio.actions.checklist_answers import open_sheet
from studio.actions.studies import recorder, shown_decks
from studio.actions.viewing import blind_order, decks_on_view
from studio.errors import BadInput
from studio.model.ids import DeckId
from studio.model.studies import ALL_CHECKLISTS, Assignment, Study
from studio.sessions.checklist import ChecklistSheet
from studio.sessions.clock import ActiveClock
from studio.sessions.looking import Looking
from studio.sessions.order import letter
from studio.sessions.outbox import Outbox
from studio.store import checklist_lists as list_store
from studio.store.project import Project, utc_now


class OpenChecklist(OpenUnit):
    """An instance with its checklist, ready to be answered."""

    @property
    def sheet(self) -> ChecklistSheet:
        """The person's answers."""
        sheet: Any = self.session
        assert isinstance(sheet, ChecklistSheet)
        return sheet


def open_checklist(
    project: Project,
    study: Study,
    assignment: Assignment,
    *,
    now: Callable[[], str] = utc_now,
    monotonic: Callable[[], float] = time.monotonic,
) -> OpenChecklist:
    """Return an instance and a person's answers to its checklist as stored, all its decks under their letters.

    Decks stand in the order in which this person sees them on every page, unless the study has an order of its own.

    Raises:
        BadInput: if it is not in the project any more, has no checklist, or no deck with pictures.
    """
    instance = list_store.instance_by_id(project, assignment.instance_id)
    order = _order(project, study, assignment)
    if not order:
        raise BadInput(f"{instance.title} has no deck with pictures.", next_step="Draw its slides in Library.")
    names = {deck: letter(place) for place, deck in enumerate(order)}
    decks = decks_on_view(project, instance.id, names, is_blind=True)
    clock = ActiveClock(monotonic)
    looking = Looking(monotonic, seen_before(project, study, assignment))
    outbox = Outbox(recorder(project, study, assignment.repeat))
    wanted = decks_to_see(decks) if study.needs_all_slides_seen else ()
    sheet, _ = open_sheet(
        project, instance.id, assignment.annotator_id, deck_ids=order, study=study, repeat=assignment.repeat,
        record=outbox, clock=clock, now=now,
        unseen=lambda: [place for place in wanted if not looking.is_seen(*place)],
    )  # fmt: skip
    return OpenChecklist(
        instance=instance, assignment=assignment, study=study, session=sheet, clock=clock, looking=looking,
        outbox=outbox, decks=decks, slides={},
    )  # fmt: skip


def _order(project: Project, study: Study, assignment: Assignment) -> tuple[DeckId, ...]:
    drawn = shown_decks(project, study, assignment)
    if study.id != ALL_CHECKLISTS:
        return drawn
    # As this person ranks them, so that a letter means the same deck on both pages.
    return blind_order(project, assignment.instance_id, assignment.annotator_id)
