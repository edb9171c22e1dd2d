"""Answers as lines of text: how they leave a project, and what is checked of lines that come from outside.

Whatever reads a line here raises `RowRefused` where it does not fit.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from studio.exchange.names import RowRefused
from studio.model.answers import AnswerEvent, AnswerKind, AnswerStatus
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.quality import SlideView, TrainingTry
from studio.model.studies import StudyId
from studio.store.values import plain

MAX_LINE_BYTES = 16 << 20
_MAX_EVENTS = 20_000
_MAX_TEXT = 100_000


@dataclass(frozen=True, kw_only=True)
class AnswerLine:
    """One answer with its whole history, as a line says it."""

    kind: AnswerKind
    study_id: str
    instance_id: InstanceId
    deck_id: DeckId | None
    item_key: str
    repeat: int
    tokens: dict[str, str]
    """Deck → what told its file in the pack."""
    events: tuple[AnswerEvent, ...]
    """Oldest first; `target` is a place in this list, from 0, and `seq` too."""


def line_text(value: Mapping[str, object]) -> str:
    """Return one line."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")) + "\n"


def event_json(event: AnswerEvent, uid_of: Mapping[int, str]) -> dict[str, Any]:
    """Return an event as JSON values; the act that an undo takes back is named by its uid."""
    raw: dict[str, Any] = plain(event)
    for name in ("seq", "target", "annotator_id"):
        del raw[name]
    if event.target is not None and event.target in uid_of:
        raw["target_uid"] = uid_of[event.target]
    return raw


def answer_line(events: Iterable[AnswerEvent], tokens: Mapping[str, str]) -> dict[str, Any]:
    """Return the line of one answer."""
    acts = list(events)
    uid_of = {event.seq: event.uid for event in acts}
    first = acts[0]
    return {
        "line": "answer", "kind": first.kind.value, "study_id": first.study_id, "instance_id": first.instance_id,
        "deck_id": first.deck_id, "item_key": first.item_key, "repeat": first.repeat, "decks": dict(tokens),
        "events": [event_json(event, uid_of) for event in acts],
    }  # fmt: skip


def parsed(text: str) -> dict[str, Any]:
    """Return a line's object."""
    try:
        value = json.loads(text, parse_constant=_no_constant)
        # A lone surrogate is JSON, but no text that can be stored.
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise RowRefused("not a whole JSON object; the line may be cut off") from None
    if not isinstance(value, dict):
        raise RowRefused("not a JSON object")
    return value


def read_answer(raw: Mapping[str, Any], annotator_id: AnnotatorId) -> AnswerLine:
    """Return a line of kind ``answer``, with every value checked."""
    kind = _one_of(raw, "kind", AnswerKind)
    events = raw.get("events")
    if not isinstance(events, list) or not events or len(events) > _MAX_EVENTS:
        raise RowRefused(f"events is not a list of 1 to {_MAX_EVENTS:,} events")
    tokens = raw.get("decks")
    if not isinstance(tokens, dict) or not all(isinstance(token, str) for token in tokens.values()):
        raise RowRefused("decks does not say which files were seen")
    deck = raw.get("deck_id")
    line = AnswerLine(
        kind=kind, study_id=_text(raw, "study_id"), instance_id=InstanceId(_text(raw, "instance_id")),
        deck_id=DeckId(_text(raw, "deck_id")) if deck is not None else None, item_key=_text(raw, "item_key"),
        repeat=int(_number(raw, "repeat")), tokens=tokens, events=(),
    )  # fmt: skip
    found: list[AnswerEvent] = []
    places: dict[str, int] = {}
    for place, item in enumerate(events):
        if not isinstance(item, dict):
            raise RowRefused("an event is not an object")
        event = _event(item, line, annotator_id, place, places)
        if event.uid in places:
            raise RowRefused("an event stands there twice")
        places[event.uid] = place
        found.append(event)
    _check_history(found)
    return AnswerLine(
        kind=line.kind, study_id=line.study_id, instance_id=line.instance_id, deck_id=line.deck_id,
        item_key=line.item_key, repeat=line.repeat, tokens=line.tokens, events=tuple(found),
    )  # fmt: skip


def read_event(raw: Mapping[str, Any], annotator_id: AnnotatorId, known: Mapping[str, int]) -> AnswerEvent:
    """Return one event as packs hold it, with every value checked.

    Args:
        raw: the event.
        annotator_id: whose it is.
        known: the numbers of the events before it, by their ids; an undo names one of them.
    """
    deck = raw.get("deck_id")
    line = AnswerLine(
        kind=_one_of(raw, "kind", AnswerKind), study_id=_text(raw, "study_id"),
        instance_id=InstanceId(_text(raw, "instance_id")), tokens={}, events=(),
        deck_id=DeckId(_text(raw, "deck_id")) if deck is not None else None, item_key=_text(raw, "item_key"),
        repeat=int(_number(raw, "repeat")),
    )  # fmt: skip
    return _event(raw, line, annotator_id, 0, known)


def read_views(raw: Mapping[str, Any], annotator_id: AnnotatorId) -> list[SlideView]:
    """Return what a line of kind ``views`` says was looked at."""
    items = raw.get("views")
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise RowRefused("views is not a list of objects")
    return [
        SlideView(
            uid=_uid(item), study_id=_text(item, "study_id"), instance_id=InstanceId(_text(item, "instance_id")),
            annotator_id=annotator_id,
            deck_id=DeckId(_text(item, "deck_id")) if item.get("deck_id") is not None else None,
            slide=int(_number(item, "slide")) if item.get("slide") is not None else None,
            seen_s=_number(item, "seen_s"), source_opened_s=_number(item, "source_opened_s"), at=_moment(item),
        )
        for item in items
    ]  # fmt: skip


def read_tries(raw: Mapping[str, Any], annotator_id: AnnotatorId) -> list[TrainingTry]:
    """Return the answers to training items that a line of kind ``training`` holds."""
    items = raw.get("tries")
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise RowRefused("tries is not a list of objects")
    return [
        TrainingTry(
            uid=_uid(item), study_id=StudyId(_text(item, "study_id")), annotator_id=annotator_id,
            item_id=_text(item, "item_id"), answer=_text(item, "answer"), is_correct=item.get("is_correct") is True,
            at=_moment(item),
        )
        for item in items
    ]  # fmt: skip


def decks_named(line: AnswerLine) -> set[str]:
    """Return all decks that an answer is about, was shown or gives a rank to."""
    named = {unit.partition("#")[0] for unit in line.item_key.split("|")} if "|" in line.item_key else set()
    if line.deck_id:
        named.add(line.deck_id)
    for event in line.events:
        named.update(event.display)
        ranks = event.state.get("ranks")
        if isinstance(ranks, dict):
            named.update(ranks)
    return named


def decks_answered(line: AnswerLine) -> set[str]:
    """Return the decks whose files an answer rests on: the one that it is about, or all where it is about several.

    What is said of one deck holds whatever became of those beside it.
    """
    if line.deck_id is not None:
        return {line.deck_id}
    return set() if line.kind is AnswerKind.CHECKLIST else decks_named(line)


def _event(
    raw: Mapping[str, Any], line: AnswerLine, annotator_id: AnnotatorId, place: int, places: Mapping[str, int]
) -> AnswerEvent:
    state = raw.get("state")
    if not isinstance(state, dict):
        raise RowRefused("an event has no state")
    if line.kind is AnswerKind.RANKING:
        _check_ranking(state)
    elif "status" in state:
        _one_of(state, "status", AnswerStatus)
    display = raw.get("display", [])
    if not isinstance(display, list) or not all(isinstance(deck, str) for deck in display):
        raise RowRefused("display is not a list of decks")
    target = raw.get("target_uid")
    if target is not None and target not in places:
        raise RowRefused("an undo names an act that is not before it")
    return AnswerEvent(
        seq=place, uid=_uid(raw), kind=line.kind, instance_id=line.instance_id, annotator_id=annotator_id,
        deck_id=line.deck_id, item_key=line.item_key, verb=_text(raw, "verb"), state=state, at=_moment(raw),
        active_s=_number(raw, "active_s"), wall_s=_number(raw, "wall_s"),
        target=places[target] if target is not None else None, display=tuple(DeckId(deck) for deck in display),
        revision=max(1, int(_number(raw, "revision"))), guidelines_version=_text(raw, "guidelines_version"),
        app_version=_text(raw, "app_version"), study_id=line.study_id, repeat=line.repeat,
    )  # fmt: skip


def _check_ranking(state: Mapping[str, Any]) -> None:
    ranks = state.get("ranks")
    is_sound = isinstance(ranks, dict) and all(
        isinstance(rank, int) and not isinstance(rank, bool) and 1 <= rank <= 10_000 for rank in ranks.values()
    )
    if not is_sound:
        raise RowRefused("a ranking's ranks are not whole numbers from 1 up")
    _one_of(state, "status", AnswerStatus)


def _check_history(events: Iterable[AnswerEvent]) -> None:
    done = undone = 0
    for event in events:
        if event.verb == "undo":
            done, undone = done - 1, undone + 1
        elif event.verb == "redo":
            done, undone = done + 1, undone - 1
        else:
            done, undone = done + 1, 0
        if done < 0 or undone < 0:
            raise RowRefused(f"an {event.verb} of nothing")


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _text(raw: Mapping[str, Any], name: str) -> str:
    value = raw.get(name, "")
    if not isinstance(value, str) or len(value) > _MAX_TEXT:
        raise RowRefused(f"{name} is not a text")
    return value


def _number(raw: Mapping[str, Any], name: str) -> float:
    value = raw.get(name, 0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1e12:
        raise RowRefused(f"{name} is not a number from 0 up")
    return value if math.isfinite(value) else 0.0


def _uid(raw: Mapping[str, Any]) -> str:
    value = _text(raw, "uid")
    if not 8 <= len(value) <= 64 or not value.isalnum():
        raise RowRefused("uid is missing or odd")
    return value


def _moment(raw: Mapping[str, Any]) -> str:
    value = _text(raw, "at")
    try:
        datetime.fromisoformat(value)
    except ValueError:
        raise RowRefused(f"at is not a time: {value[:40]}") from None
    return value


def _one_of(raw: Mapping[str, Any], name: str, kind: Any) -> Any:
    try:
        return kind(raw.get(name))
    except ValueError:
        raise RowRefused(f"{name} is {raw.get(name)!r:.40}, which is not known") from None
