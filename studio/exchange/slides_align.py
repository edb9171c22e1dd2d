"""Rankings as the JSON of Slides-Align1.5k, out and in, and triples for preference training."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from functools import cmp_to_key
from itertools import combinations
from pathlib import Path
from typing import Any

from studio import __version__
from studio.errors import BadInput
from studio.exchange.names import RowRefused
from studio.exchange.rankings import current_rankings
from studio.exchange.settled import settled_answers
from studio.exchange.table_report import TableReport
from studio.model.answers import AnswerEvent, AnswerKind, AnswerStatus, Ranking, RankMethod
from studio.model.decks import Deck, Instance
from studio.model.ids import DeckId, InstanceId
from studio.sessions.pairing import seeded
from studio.sessions.placement import competition
from studio.stats.ranks import mid_ranks
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store.project import Project, utc_now

CONSENSUS_NAME = "Slides-Align consensus"
"""The annotator under whom the file's ranks are kept: it has one rank for each product and names nobody."""

LABELS = {"Skyworks": "Skywork", "Skyworks-Banana": "Skywork-Banana"}
"""Folder of the published tree → label in the published file, where the two differ. Quark is "Quake" in both."""

_RULE = (
    "Of each topic the submitted rankings of all annotators count, each once. Ranks are made mid-ranks over the decks "
    "that an annotator ranked; decks are ordered by the mean of their mid-ranks, lowest first."
)
_TIE_BREAK = (
    "Equal means: the deck that more annotators rank above the other comes first; then the one with more first places; "
    "then a draw by the topic's and the decks' opaque ids, which depends on no name."
)
_MAX_BYTES = 64 << 20


def slides_align_json(project: Project) -> str:
    """Return the project's consensus as that JSON: complete ranks from 1 without ties for each topic.

    A topic whose only ranking came from such a file keeps the file's numbers, gaps too.
    """
    instances = {item.id: item for item in deck_store.list_instances(project)}
    decks = {deck.id: deck for deck in deck_store.list_decks(project)}
    rows: list[dict[str, Any]] = []
    topics = []
    for instance_id, rankings in _submitted(project).items():
        instance = instances[instance_id]
        kept = _kept_ranks(project, instance_id) if len(rankings) == 1 else {}
        ranked = kept or {deck: rank for rank, deck in enumerate(consensus_order(instance_id, rankings), start=1)}
        for deck, rank in sorted(ranked.items(), key=lambda item: item[1]):
            if deck in decks:
                rows.append(
                    {
                        "product": LABELS.get(decks[deck].system, decks[deck].system),
                        "difficulty": instance.scenario, "topic": _topic(instance), "rank": rank,
                    }
                )  # fmt: skip
        topics.append(
            {
                "difficulty": instance.scenario,
                "topic": _topic(instance),
                "annotators": len(rankings),
                "decks": len(ranked),
            }
        )
    value = {"results": rows, "consensus": {"rule": _RULE, "tie_break": _TIE_BREAK, "rank_1": "best", "topics": topics}}
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def consensus_order(instance_id: InstanceId, rankings: list[Ranking]) -> list[DeckId]:
    """Return the decks of an instance from best to worst, by the rule and the tie-break that the file states."""
    sums: dict[DeckId, list[float]] = {}
    firsts: dict[DeckId, int] = {}
    for ranking in rankings:
        found = sorted(ranking.ranks)
        for deck, rank in zip(found, mid_ranks([ranking.ranks[deck] for deck in found]), strict=True):
            sums.setdefault(deck, []).append(float(rank))
            firsts[deck] = firsts.get(deck, 0) + (ranking.ranks[deck] == 1)
    means = {deck: sum(values) / len(values) for deck, values in sums.items()}
    drawn = sorted(sums)
    seeded("slides-align", instance_id).shuffle(drawn)

    def compare(a: DeckId, b: DeckId) -> int:
        if abs(means[a] - means[b]) > 1e-9:
            return 1 if means[a] > means[b] else -1
        wins, losses, _ = _votes(rankings, a, b)
        return (losses - wins) or (firsts[b] - firsts[a]) or (drawn.index(a) - drawn.index(b))

    # Majorities can go round in a circle; starting from the draw makes the outcome the same every time.
    return sorted(drawn, key=cmp_to_key(compare))


def dpo_rows(project: Project) -> Iterator[dict[str, Any]]:
    """Yield a triple (task, chosen, rejected) for each pair of decks of which most people prefer one.

    Preferences are those that follow from submitted rankings and those given directly; a person counts once for
    each pair, a direct answer before a derived one. Decks are named by where their originals lie in the project.
    """
    instances = {item.id: item for item in deck_store.list_instances(project)}
    decks = {deck.id: deck for deck in deck_store.list_decks(project)}
    votes: dict[tuple[InstanceId, DeckId, DeckId], dict[str, str]] = {}
    for instance_id, rankings in _submitted(project).items():
        for ranking in rankings:
            for a, b in combinations(sorted(ranking.ranks), 2):
                difference = ranking.ranks[a] - ranking.ranks[b]
                said = "tie" if difference == 0 else "a" if difference < 0 else "b"
                votes.setdefault((instance_id, a, b), {})[ranking.annotator_id] = said
    for event in settled_answers(project, AnswerKind.PAIR):
        if "#" not in event.item_key:
            first, _, second = event.item_key.partition("|")
            unit = (event.instance_id, DeckId(first), DeckId(second))
            votes.setdefault(unit, {})[event.annotator_id] = str(event.state.get("preference"))
    for (instance_id, a, b), said_by in votes.items():
        said_list = list(said_by.values())
        n_a, n_b = said_list.count("a"), said_list.count("b")
        if 2 * max(n_a, n_b) <= len(said_list) or a not in decks or b not in decks:
            continue
        chosen, rejected = (decks[a], decks[b]) if n_a > n_b else (decks[b], decks[a])
        yield {
            "prompt": instances[instance_id].instruction or instances[instance_id].title,
            "chosen": _place(project, chosen), "rejected": _place(project, rejected), "instance_id": instance_id,
            "chosen_deck_id": chosen.id, "rejected_deck_id": rejected.id, "chosen_system": chosen.system,
            "rejected_system": rejected.system, "n_for": max(n_a, n_b), "n_against": min(n_a, n_b),
            "n_undecided": len(said_list) - n_a - n_b,
        }  # fmt: skip


def is_slides_align_file(path: Path) -> bool:
    """Return whether a file is such a JSON, by its first bytes and its name."""
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    with path.open("rb") as file:
        return b'"results"' in file.read(4096)


def read_slides_align(project: Project, path: Path) -> TableReport:
    """Take the ranks of such a file in as rankings of one annotator; doing it twice changes nothing.

    A row whose product has no deck for the topic is refused with its number (from 1); the others keep the file's
    ranks, so that gaps stay gaps.

    Raises:
        BadInput: if it is no such file.
    """
    wrong = BadInput(f"{path.name} is no Slides-Align file.", next_step='It needs {"results": [{product, …, rank}]}.')
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise wrong
        value = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise wrong from error
    found = value.get("results") if isinstance(value, dict) else None
    if not isinstance(found, list):
        raise wrong
    report = TableReport("rankings")
    with project.writing(is_durable=True):
        by_topic = _rows_by_topic(project, found, report)
        person = people_store.annotator_named(project, CONSENSUS_NAME).id if by_topic else None
        for instance_id, ranks in by_topic.items():
            before = answer_store.events_of(
                project, AnswerKind.RANKING, instance_id=instance_id, annotator_id=person, study_id=""
            )
            known = before[-1].state.get("file_ranks") if before else None
            if known == ranks:
                report.same += len(ranks)
            elif isinstance(known, dict) and any(known.get(deck, rank) != rank for deck, rank in ranks.items()):
                report.conflicting += len(ranks)
            elif person is not None:
                report.new += len(ranks)
                answer_store.append(project, _event(instance_id, person, ranks, at=str(_at(before))))
    return report


def _rows_by_topic(project: Project, found: list[Any], report: TableReport) -> dict[InstanceId, dict[DeckId, int]]:
    instances = deck_store.list_instances(project)
    by_topic: dict[tuple[str, str], InstanceId] = {}
    for instance in instances:
        by_topic[instance.scenario, _topic(instance)] = instance.id
        by_topic.setdefault(("", instance.name), instance.id)
    decks = {(deck.instance_id, deck.system): deck.id for deck in deck_store.list_decks(project)}
    folders = {label: folder for folder, label in LABELS.items()}
    ranked: dict[InstanceId, dict[DeckId, int]] = {}
    for number, row in enumerate(found, start=1):
        try:
            product, difficulty, topic, rank = _cells(row)
            instance_id = by_topic.get((difficulty, topic)) or by_topic.get(("", topic))
            if instance_id is None:
                raise RowRefused(f"no instance {topic} of {difficulty}")
            deck = decks.get((instance_id, product)) or decks.get((instance_id, folders.get(product, product)))
            if deck is None:
                raise RowRefused(f"no deck of {product} for {topic}")
            if ranked.setdefault(instance_id, {}).setdefault(deck, rank) != rank:
                raise RowRefused(f"{product} has two ranks for {topic}")
        except RowRefused as refusal:
            report.refuse(number, str(refusal))
    return ranked


def _cells(row: object) -> tuple[str, str, str, int]:
    if not isinstance(row, dict):
        raise RowRefused("not an object")
    texts = [row.get(name) for name in ("product", "difficulty", "topic")]
    rank = row.get("rank")
    if not all(isinstance(text, str) and text.strip() for text in texts):
        raise RowRefused("product, difficulty or topic is missing")
    if isinstance(rank, bool) or not isinstance(rank, int) or rank < 1:
        raise RowRefused("rank is not a whole number from 1 up")
    product, difficulty, topic = (str(text).strip() for text in texts)
    return product, difficulty, topic, rank


def _event(instance_id: InstanceId, person: Any, ranks: Mapping[DeckId, int], *, at: str) -> AnswerEvent:
    return AnswerEvent(
        seq=0, uid=uuid.uuid4().hex, kind=AnswerKind.RANKING, instance_id=instance_id, annotator_id=person,
        deck_id=None, item_key="", verb="import", at=at or utc_now(), app_version=__version__,
        state={
            "ranks": competition(dict(ranks)), "status": AnswerStatus.SUBMITTED.value, "note": "", "is_flagged": False,
            "reason": "", "recognised_system": False, "decks": list(ranks), "file_ranks": dict(ranks),
            "rank_method": RankMethod.IMPORTED.value, "n_candidates": len(ranks),
        },
    )  # fmt: skip


def _at(before: list[AnswerEvent]) -> str:
    return before[-1].at if before else ""


def _kept_ranks(project: Project, instance_id: InstanceId) -> dict[DeckId, int]:
    events = answer_store.events_of(project, AnswerKind.RANKING, instance_id=instance_id)
    kept = events[-1].state.get("file_ranks") if events else None
    return {DeckId(deck): int(rank) for deck, rank in kept.items()} if isinstance(kept, dict) else {}


def _submitted(project: Project) -> dict[InstanceId, list[Ranking]]:
    found: dict[InstanceId, list[Ranking]] = {}
    for ranking in current_rankings(project):
        if ranking.status is AnswerStatus.SUBMITTED and ranking.ranks:
            found.setdefault(ranking.instance_id, []).append(ranking)
    return found


def _votes(rankings: list[Ranking], a: DeckId, b: DeckId) -> tuple[int, int, int]:
    both = [ranking.ranks[a] - ranking.ranks[b] for ranking in rankings if a in ranking.ranks and b in ranking.ranks]
    return sum(d < 0 for d in both), sum(d > 0 for d in both), sum(d == 0 for d in both)


def _topic(instance: Instance) -> str:
    """Return the topic's name; where two scenarios have it, the instance's name starts with the scenario."""
    prefix = f"{instance.scenario}-"
    return instance.name.removeprefix(prefix) if instance.scenario else instance.name


def _place(project: Project, deck: Deck) -> str:
    if deck.asset is None:
        return ""
    return project.asset_path(deck.asset, deck.extension).relative_to(project.folder).as_posix()
