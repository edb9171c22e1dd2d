"""Writes what a judge's verdicts come to as scores, so that it is a method like any metric (decision 24)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from studio.actions.judge_wish import CODE, JudgeWish, method_of
from studio.checklists.pages import SLIDE_COUNT, Mode, slides_counted
from studio.checklists.reference_score import NullPolicy
from studio.checklists.scoring import DIMENSION_ORDER, Answers, DeckState, Said, ScoredDeck, said_of, score_decks
from studio.checklists.slide_count import check_slide_count
from studio.jobs.judge_scores import NOT_JUDGED, DeckValue, Subject, deck_values, subject_of
from studio.model.authoring import JudgedPages
from studio.model.checklists import Dimension, Item, ItemAnswer, ItemKind
from studio.model.decks import Deck, DeckStatus
from studio.model.ids import DeckId, RunId
from studio.model.judging import JudgingProtocol, PlannedConversation, VerdictRecord
from studio.model.runs import UnitStatus
from studio.model.scores import Score
from studio.store import checklist_lists
from studio.store import decks as deck_store
from studio.store import judging as judging_store
from studio.store import scores as score_store
from studio.store.project import Project

SCORE_VERSION = 1
KeyOf = Callable[[PlannedConversation], str]
_ANSWERS = {answer.value for answer in ItemAnswer}


@dataclass(frozen=True, kw_only=True)
class Standing:
    """The plan of a judge and protocol, and what was said to it so far."""

    asked: tuple[VerdictRecord, ...]
    """A record without a verdict for each thing that can be asked."""
    said: Mapping[Subject, VerdictRecord]
    prompts: tuple[str, ...] = ()
    blocked: Mapping[DeckId, str] = field(default_factory=dict)
    """Why decks cannot be judged."""


def standing(project: Project, wish: JudgeWish, planned: Sequence[PlannedConversation], key_of: KeyOf) -> Standing:
    """Return the newest record of everything that a plan asks, found by the keys of its units.

    A verdict on another prompt, picture, order or setting has another key and is not among them.
    """
    keys = {(key_of(each), subject_of(record)) for each in planned for record in _all_subjects(each)}
    said: dict[Subject, VerdictRecord] = {}
    for stored in judging_store.verdicts_with_evidence(project, judge_id=wish.setup.id):
        subject = subject_of(stored.record)
        if (stored.unit_key, subject) in keys:
            said[subject] = stored.record
    return Standing(
        asked=tuple(record for each in planned if not each.blocked for record in _all_subjects(each)), said=said,
        prompts=tuple(dict.fromkeys(_prompts(planned))),
        blocked={each.deck_id: each.blocked for each in planned if each.blocked},
    )  # fmt: skip


def _prompts(planned: Sequence[PlannedConversation]) -> Iterator[str]:
    for each in planned:
        yield from (request.prompt_version for request in each.conversation.requests())


def _all_subjects(planned: PlannedConversation) -> Sequence[VerdictRecord]:
    # A batch leaves out of its subjects what has a verdict; the score needs those too.
    items = getattr(planned.conversation, "items", None)
    return [item.about for item in items] if items is not None else planned.conversation.subjects()


def write_scores(project: Project, wish: JudgeWish, standing: Standing, *, run_id: RunId | None, version: str) -> int:
    """Append the values that differ from the current ones, and return how many these were.

    Nothing is written for a part of a checklist or of the criteria: it would stand beside totals of the whole; nor
    for decks that were made worse.
    """
    if wish.item_ids or wish.options.sensitivity:
        return 0
    values = list(_values(project, wish, standing))
    told: dict[str, object] = {
        "judge": wish.setup.id, "judge_version": version, "settings": dict(wish.setup.settings),
        "endpoint": wish.setup.base_url, "prompts": list(standing.prompts),
    }  # fmt: skip
    if wish.setup.provider == "scripted":
        told["is_scripted"] = True
    scores = [
        Score(
            run_id=run_id, metric=method_of(wish.setup, wish.protocol, value.part), metric_version=SCORE_VERSION,
            preset="benchmark", deck_id=value.deck_id, instance_id=value.instance_id, slide=None, value=value.value,
            undefined_reason=value.reason, flags=value.flags, detail={**told, **value.detail},
        )
        for value in values
        if value.part or not wish.options.criteria
    ]  # fmt: skip
    return _append(project, scores)


def write_code_scores(project: Project, *, run_id: RunId | None) -> int:
    """Append what the code rules' verdicts come to, as `write_scores` does, and return how many values are new."""
    values = checklist_values(project, CODE, None)
    scores = [
        Score(
            run_id=run_id, metric=f"{CODE}/checklist" + (f".{value.part}" if value.part else ""),
            metric_version=SCORE_VERSION, preset="benchmark", deck_id=value.deck_id, instance_id=value.instance_id,
            slide=None, value=value.value, undefined_reason=value.reason, detail={"judge": CODE, **value.detail},
        )
        for value in values
    ]  # fmt: skip
    return _append(project, scores)


def _append(project: Project, scores: Sequence[Score]) -> int:
    current = {(each.metric, each.preset, each.deck_id): each for each in score_store.current_scores(project)}
    fresh = [score for score in scores if _differs(score, current.get((score.metric, score.preset, score.deck_id)))]
    if fresh:
        score_store.append_scores(project, fresh)
    return len(fresh)


def _differs(score: Score, before: Score | None) -> bool:
    return before is None or (score.value, score.undefined_reason, score.flags, score.detail.get("judge_version")) != (
        before.value, before.undefined_reason, before.flags, before.detail.get("judge_version"),
    )  # fmt: skip


def _values(project: Project, wish: JudgeWish, standing: Standing) -> Sequence[DeckValue]:
    if wish.protocol is JudgingProtocol.CHECKLIST:
        mode = Mode.COMPAT if wish.options.compat else Mode.DEFAULT
        found = checklist_values(project, wish.setup.id, standing, mode=mode)
    else:
        found = deck_values(wish.protocol, standing.asked, standing.said, seed=project.seed)
    instances = {deck.id: deck.instance_id for deck in deck_store.list_decks(project)}
    valued = {value.deck_id for value in found}
    blocked = [
        DeckValue(deck_id=deck, instance_id=instances[deck], part="", value=None, reason=reason)
        for deck, reason in standing.blocked.items()
        if deck not in valued
    ]
    return [*found, *blocked]


def checklist_values(
    project: Project, judge_id: str, standing: Standing | None, *, mode: Mode = Mode.DEFAULT
) -> list[DeckValue]:
    """Return the checklist totals of 0 to 100 and the percent of each dimension.

    Args:
        project: an open project.
        judge_id: whose verdicts; for the code judge only code items count.
        standing: a model judge's verdicts; None for the code judge.
        mode: in compatible mode slides are counted after the cut and a rule that nobody knows says no, as in the
            reference (decision 19).
    """
    by_code = {
        (each.deck_id, each.item_id): each.verdict if each.status == UnitStatus.OK.value else None
        for each in score_store.list_verdicts(project)
        if each.judge_id == CODE
    }
    merged = checklist_lists.checklists(project)
    decks: list[ScoredDeck] = []
    rows: list[tuple[int, Dimension, Said, float]] = []
    lacking: dict[DeckId, str] = {}
    wanted = {record.deck_id for record in standing.asked} if standing is not None else None
    for deck in deck_store.list_decks(project):
        if deck.status is not DeckStatus.PRESENT or (wanted is not None and deck.id not in wanted):
            continue
        checklist, pages = checklist_lists.checklist_of_deck(project, deck, known=merged[deck.instance_id], mode=mode)
        by_reference = _by_reference(checklist.items, pages) if mode is Mode.COMPAT else {}
        items = [item for item in checklist.items if item.id in by_reference or _counts(item, judge_id)]
        found = _found(items, deck, by_code, standing) | by_reference
        if not items or (standing is None and not any(item.id in found for item in items)):
            continue
        open_ = [item for item in items if item.id not in found]
        failed = [status for status in found.values() if isinstance(status, UnitStatus)]
        if open_ and standing is not None and deck.id in standing.blocked:
            lacking[deck.id] = standing.blocked[deck.id]
        elif open_:
            lacking[deck.id] = f"{NOT_JUDGED}: {len(open_)} of {len(items)} items"
        elif len(failed) == len(items):
            lacking[deck.id] = f"{failed[0].value}: all {len(items)} items"
        place = len(decks)
        decks.append(
            ScoredDeck(deck_id=deck.id, instance_id=deck.instance_id, system=deck.system, state=DeckState.SCORED)
        )
        for item in items:
            said = found.get(item.id)
            answer = said_of(said) if isinstance(said, ItemAnswer) else Said.UNANSWERED
            rows.append((place, item.dimension, answer, item.weight))
    if not decks:
        return []
    scores = score_decks(decks, Answers.of(rows), nulls=NullPolicy.FAIL)
    values: list[DeckValue] = []
    for place, one in enumerate(decks):
        total, why = scores.total(place), lacking.get(one.deck_id)
        n = int(scores.items[place].sum())
        detail: dict[str, object] = {
            "items": n, "answered": int(scores.answered[place].sum()), "yes": int(scores.yes[place].sum()),
            "coverage": float(scores.coverage[place]), "nulls": NullPolicy.FAIL.value,
        }  # fmt: skip
        if standing is not None:
            first = next((each for each in standing.asked if each.deck_id == one.deck_id), None)
            detail["pages"] = first.detail.get("pages") if first is not None else None
        values.append(
            DeckValue(
                deck_id=one.deck_id, instance_id=one.instance_id, part="", value=None if why else total.value,
                reason=why or total.undefined_reason, detail=detail,
            )
        )  # fmt: skip
        for index, dimension in enumerate(DIMENSION_ORDER):
            if not scores.items[place, index]:
                continue
            percent = float(scores.dimensions[place, index])
            is_defined = percent == percent and not why
            values.append(
                DeckValue(
                    deck_id=one.deck_id, instance_id=one.instance_id, part=dimension.value,
                    value=percent if is_defined else None,
                    reason=None if is_defined else why or f"incomplete: no answered item in {dimension.value}",
                    detail={"items": int(scores.items[place, index]), "yes": int(scores.yes[place, index])},
                )
            )  # fmt: skip
    return values


def _by_reference(items: Sequence[Item], pages: JudgedPages) -> dict[str, ItemAnswer]:
    """Return the answers of code that the reference gives otherwise: slide counts, and rules that nobody knows."""
    found: dict[str, ItemAnswer] = {}
    for item in items:
        if item.is_retired:
            continue
        if item.kind is ItemKind.TOOL_ERROR:
            found[item.id] = ItemAnswer.NO
        elif item.kind is ItemKind.CODE and item.rule is not None and item.rule.rule == SLIDE_COUNT:
            least, most = (item.rule.parameters.get(name) for name in ("min_count", "max_count"))
            if isinstance(least, int) and isinstance(most, int):
                n = slides_counted(pages, mode=Mode.COMPAT)
                found[item.id] = check_slide_count(n, min_count=least, max_count=most).answer
    return found


def _counts(item: Item, judge_id: str) -> bool:
    if item.is_retired or item.kind is ItemKind.TOOL_ERROR:
        return False
    return item.kind is ItemKind.CODE or judge_id != CODE


def _found(
    items: Sequence[Item], deck: Deck, by_code: Mapping[tuple[DeckId, str], str | None], standing: Standing | None
) -> dict[str, ItemAnswer | UnitStatus]:
    """Return the answer to each item, or the status of one that failed; items that were not asked are left out."""
    found: dict[str, ItemAnswer | UnitStatus] = {}
    if standing is not None:
        repeats: dict[str, list[VerdictRecord]] = {}
        for record in standing.asked:
            said = standing.said.get(subject_of(record)) if record.deck_id == deck.id else None
            if said is not None:
                repeats.setdefault(record.item_id, []).append(said)
        found |= {item_id: _most(records) for item_id, records in repeats.items()}
    for item in items:
        if item.kind is ItemKind.CODE and (deck.id, item.id) in by_code:
            verdict = by_code[deck.id, item.id]
            found[item.id] = ItemAnswer(verdict) if verdict in _ANSWERS else UnitStatus.INCOMPLETE
    return found


def _most(records: Sequence[VerdictRecord]) -> ItemAnswer | UnitStatus:
    """Return what most repeats say; as often yes as no is a no, since partly met counts as no."""
    said = [record.verdict for record in records if record.status is UnitStatus.OK]
    if not said:
        return records[-1].status
    return ItemAnswer.YES if said.count("yes") > len(said) / 2 else ItemAnswer.NO
