"""The rows of ratings, of what was looked at, of what was acted on, and of training."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from studio.exchange.settled import settled_answers
from studio.model.answers import AnswerEvent, AnswerKind, AnswerStatus
from studio.model.studies import ALL_ON_ALL
from studio.sessions.touch_log import touches
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import quality as quality_store
from studio.store import studies as study_store
from studio.store.care import FileHistory
from studio.store.project import Project

Rows = Iterator[dict[str, Any]]


def rating_rows(project: Project) -> Rows:
    """Yield one row for each rated dimension of each deck, slide or explanation.

    A rating's event holds `scale_set`, `values` {dimension: number}, `scales` {dimension: [lowest, highest]} and
    `comments` {dimension: text} or one `comment`, with `target` and `target_id` for an explanation. The times are
    those of the whole form, which is filled in at once; each act counts once.
    """
    spent = _seconds_until(project)
    for event in settled_answers(project, AnswerKind.RATING):
        state = event.state
        values = state.get("values")
        if state.get("status") != AnswerStatus.SUBMITTED.value or not isinstance(values, dict):
            continue
        scales, comments = _object(state, "scales"), _object(state, "comments")
        slide = event.item_key[1:] if event.item_key.startswith("#") else ""
        duration_s, active_s = spent.get(event.seq, (None, None))
        for dimension, value in values.items():
            low, high = (*list(scales.get(dimension) or ()), None, None)[:2]
            yield {
                "instance_id": event.instance_id, "deck_id": event.deck_id,
                "slide": int(slide) if slide.isdigit() else None, "scale_set": state.get("scale_set") or "",
                "dimension": dimension, "target": state.get("target") or "deck",
                "target_id": state.get("target_id") or "", "annotator_id": event.annotator_id, "value": value,
                "scale_low": low, "scale_high": high,
                "comment": comments.get(dimension, state.get("comment") or state.get("note") or ""),
                "duration_s": duration_s, "active_s": active_s,
            }  # fmt: skip


def view_rows(project: Project) -> Rows:
    """Yield how long each person looked at each slide, and a row without a deck for the time with the sources open."""
    hidden = FileHistory(project).hidden
    sums: dict[tuple[object, ...], list[float]] = {}
    for view in quality_store.list_views(project):
        if view.deck_id in hidden:
            continue
        unit = (view.instance_id, view.deck_id, view.annotator_id, view.slide)
        total = sums.setdefault(unit, [0.0, 0.0])
        total[0] += view.seen_s
        total[1] += view.source_opened_s
    for (instance_id, deck_id, annotator_id, slide), (seen_s, source_s) in sums.items():
        yield {
            "instance_id": instance_id, "deck_id": deck_id, "annotator_id": annotator_id, "slide": slide,
            "seen_s": round(seen_s, 3), "source_opened_s": round(source_s, 3),
        }  # fmt: skip


def touch_rows(project: Project) -> Rows:
    """Yield one row for each deck of a ranking as shown: how often its person acted on it, and when first and last.

    `n_acts` is 0 for a deck that nobody acted on, whatever the order in which it was shown; see `sessions.touch_log`.
    Repeats are rankings of their own and are left out here, as in `rankings`.
    """
    hidden = FileHistory(project).hidden
    instances = {item.id for item in deck_store.list_instances(project)}
    names = {study_store.event_study(study.id): study.name for study in study_store.list_studies(project)}
    by_answer: dict[tuple[str, str, str], list[AnswerEvent]] = {}
    for event in answer_store.events_of(project, AnswerKind.RANKING, repeat=0):
        if event.instance_id in instances and event.verb != "import":
            by_answer.setdefault((event.study_id, event.instance_id, event.annotator_id), []).append(event)
    for (study_id, instance_id, annotator_id), events in by_answer.items():
        found = touches(events)
        shown = {deck: place for place, deck in enumerate(events[-1].display, start=1)}
        for deck in dict.fromkeys([*shown, *found]):
            if deck in hidden:
                continue
            touch = found.get(deck)
            yield {
                "study": names.get(study_id, study_id or ALL_ON_ALL), "instance_id": instance_id,
                "annotator_id": annotator_id, "deck_id": deck, "display_position": shown.get(deck),
                "n_acts": touch.n_acts if touch else 0, "first_at": touch.first_at if touch else None,
                "last_at": touch.last_at if touch else None,
            }  # fmt: skip


def training_rows(project: Project) -> Rows:
    """Yield one row for each person, study and training item that was tried; `passed` is of the whole training."""
    names = {study.id: study for study in study_store.list_studies(project)}
    tries = quality_store.training_tries(project)
    by_person: dict[tuple[Any, Any], dict[str, list[bool]]] = {}
    for one in tries:
        by_person.setdefault((one.annotator_id, one.study_id), {}).setdefault(one.item_id, []).append(one.is_correct)
    for (annotator_id, study_id), items in by_person.items():
        study = names.get(study_id)
        known = quality_store.training_items(project, study_id)
        n_right = sum(any(items.get(item.id, ())) for item in known)
        mark = study.training_pass_mark if study else 0.0
        for item_id, answers in items.items():
            yield {
                "annotator_id": annotator_id, "study": study.name if study else str(study_id or ALL_ON_ALL),
                "item": item_id, "tries": len(answers), "correct": any(answers),
                "passed": bool(known) and n_right >= mark * len(known) - 1e-9,
            }  # fmt: skip


def _seconds_until(project: Project) -> dict[int, tuple[float, float]]:
    """Return for each rating event the wall and active seconds of its answer up to it."""
    sums: dict[tuple[object, ...], tuple[float, float]] = {}
    found = {}
    for event in answer_store.events_of(project, AnswerKind.RATING):
        unit = _unit(event)
        wall, active = sums.get(unit, (0.0, 0.0))
        sums[unit] = (wall + event.wall_s, active + event.active_s)
        found[event.seq] = (round(sums[unit][0], 3), round(sums[unit][1], 3))
    return found


def _unit(event: AnswerEvent) -> tuple[object, ...]:
    return (
        event.study_id, event.instance_id, event.annotator_id, event.deck_id, event.item_key, event.repeat,
    )  # fmt: skip


def _object(state: dict[str, object], name: str) -> dict[str, Any]:
    value = state.get(name)
    return value if isinstance(value, dict) else {}
