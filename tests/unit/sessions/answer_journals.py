"""Journals and clocks for tests of sessions."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import count

from studio.errors import StudioError
from studio.model.answers import AnswerEvent
from studio.model.ids import AnnotatorId, InstanceId
from studio.sessions.clock import Spent


class StoredEvents:
    """Stored events, as JSON text and back, as a database would keep them; `is_broken` refuses."""

    def __init__(self) -> None:
        self.events: list[AnswerEvent] = []
        self.is_broken = False

    def __call__(self, event: AnswerEvent) -> AnswerEvent:
        if self.is_broken:
            raise StudioError("The disk is full.", next_step="Free some space.")
        stored = replace(event, seq=len(self.events) + 1, state=json.loads(json.dumps(event.state)))
        self.events.append(stored)
        return stored


def who(record: Callable[[AnswerEvent], AnswerEvent], events: list[AnswerEvent]) -> dict[str, object]:
    """Return the arguments that every session takes."""
    ticks = count(len(events))
    return {
        "instance_id": InstanceId("i"), "annotator_id": AnnotatorId("p"), "events": list(events), "record": record,
        "now": lambda: f"2026-05-04T10:00:{next(ticks):02d}.000Z", "spent": lambda: Spent(1.0, 2.0),
    }  # fmt: skip
