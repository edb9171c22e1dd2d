"""What judges were asked and what they replied, what verdicts rest on, what calls cost, and judges with names."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from studio.model.checklists import EvidenceBox, SourceQuote
from studio.model.ids import DeckId, InstanceId, RunId
from studio.model.judging import (
    JudgeReply,
    JudgeSetup,
    JudgingProtocol,
    ParseStatus,
    ReplyEnd,
    TokenChoice,
    Usage,
    VerdictRecord,
)
from studio.model.runs import UnitStatus
from studio.store.project import Project, utc_now
from studio.store.values import from_json, to_json


@dataclass(frozen=True, kw_only=True)
class NewReply:
    """A reply to be stored, with what was asked."""

    key: str
    request: Mapping[str, object]
    """Its long texts, pictures and files by their hashes."""
    texts: Mapping[str, str]
    """Those long texts."""
    reply: JudgeReply
    cost: float


@dataclass(frozen=True, kw_only=True)
class UnitOutcome:
    """What one unit of a judge run came to."""

    run_id: RunId
    unit_key: str
    judge_id: str
    judge_version: str
    protocol: JudgingProtocol
    prompt_version: str
    model: str
    verdicts: tuple[VerdictRecord, ...]
    replies: tuple[NewReply, ...] = ()
    reply_keys: tuple[str, ...] = ()
    calls: int = 0
    reused: int = 0
    faults: Mapping[str, int] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    cost: float = 0.0
    latency_s: float = 0.0


@dataclass(frozen=True, kw_only=True)
class StoredVerdict:
    """A verdict with all that it rests on."""

    id: int
    run_id: RunId | None
    unit_key: str
    judge_id: str
    judge_version: str
    model: str
    prompt_version: str
    protocol: JudgingProtocol
    record: VerdictRecord
    reply_keys: tuple[str, ...]
    at: str


@dataclass(frozen=True, kw_only=True)
class StoredReply:
    """A raw reply with the request it answers."""

    key: str
    unit_key: str
    request: dict[str, Any]
    """As sent, its long texts put back; of pictures and files the hashes."""
    reply: JudgeReply
    cost: float
    at: str


@dataclass(frozen=True, kw_only=True)
class CallTotals:
    """What the calls of a run came to."""

    calls: int = 0
    reused: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0


@dataclass(frozen=True, kw_only=True)
class SavedJudge:
    """A judge with a name of its own in this project; without a key."""

    name: str
    setup: JudgeSetup


def append_outcome(project: Project, outcome: UnitOutcome) -> None:
    """Store a unit's replies, verdicts and counts. Tokens and cost are spread over its verdicts and add up."""
    at = utc_now()
    with project.writing() as db:
        for new in outcome.replies:
            _append_reply(
                db.conn, new, run_id=outcome.run_id, unit_key=outcome.unit_key, judge_id=outcome.judge_id,
                judge_version=outcome.judge_version, at=at,
            )  # fmt: skip
        n, usage = len(outcome.verdicts), outcome.usage
        for position, record in enumerate(outcome.verdicts):
            _append_verdict(
                db.conn, outcome, record, at, is_first=position == 0,
                tokens=(_share(usage.input_tokens, n, position), _share(usage.output_tokens, n, position)),
                cost=outcome.cost / n,
            )  # fmt: skip
        db.conn.execute(
            "INSERT INTO unit_calls (run_id, unit_key, calls, reused, faults, input_tokens, output_tokens, cost) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                outcome.run_id, outcome.unit_key, outcome.calls, outcome.reused, to_json(dict(outcome.faults)),
                outcome.usage.input_tokens, outcome.usage.output_tokens, outcome.cost,
            ],
        )  # fmt: skip


def append_reply(project: Project, new: NewReply, *, judge_id: str, judge_version: str, unit_key: str) -> None:
    """Store a reply that belongs to no run, such as a draft's."""
    with project.writing(is_durable=True) as db:
        _append_reply(
            db.conn, new, run_id=None, unit_key=unit_key, judge_id=judge_id, judge_version=judge_version, at=utc_now()
        )


def _append_reply(
    connection: Any, new: NewReply, *, run_id: RunId | None, unit_key: str, judge_id: str, judge_version: str, at: str
) -> None:
    for digest, text in new.texts.items():
        connection.execute("INSERT OR IGNORE INTO request_texts VALUES (?, ?)", [digest, text])
    reply, usage = new.reply, new.reply.usage
    connection.execute(
        "INSERT INTO replies (key, run_id, unit_key, judge_id, judge_version, request, text, ending, "
        "why_blocked, raw, input_tokens, output_tokens, cached_input_tokens, thinking_tokens, cost, "
        "latency_s, model, tokens, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            new.key, run_id, unit_key, judge_id, judge_version, to_json(new.request), reply.text, reply.end.value,
            reply.why_blocked, to_json(reply.raw), usage.input_tokens, usage.output_tokens,
            usage.cached_input_tokens, usage.thinking_tokens, new.cost, reply.latency_s, reply.model,
            to_json([[each.token, each.logprob, each.alternatives] for each in reply.tokens]), at,
        ],
    )  # fmt: skip


def done_units(project: Project) -> set[tuple[str, DeckId]]:
    """Return the keys of units of judge runs that ended well, with the deck that each stands on."""
    rows = project.reading().query(
        "SELECT DISTINCT u.key AS key, u.deck_id AS deck_id FROM run_units u JOIN runs r ON r.id = u.run_id "
        "WHERE r.kind = 'judge' AND u.status = 'ok'"
    )
    return {(row["key"], DeckId(row["deck_id"])) for row in rows}


def last_statuses(project: Project, run_id: RunId | None = None) -> dict[tuple[str, DeckId], UnitStatus]:
    """Return how each unit of judge runs (or of one run) ended last."""
    rows = project.reading().query(
        "SELECT u.key AS key, u.deck_id AS deck_id, u.status AS status FROM run_units u JOIN runs r ON r.id = u.run_id "
        "WHERE r.kind = 'judge' AND (:run IS NULL OR r.id = :run) ORDER BY u.id",
        {"run": run_id},
    )
    return {(row["key"], DeckId(row["deck_id"])): UnitStatus(row["status"]) for row in rows}


def reply_keys(project: Project, judge_version: str) -> set[str]:
    """Return the keys of all requests that this judge has replied to."""
    rows = project.reading().query("SELECT DISTINCT key FROM replies WHERE judge_version = ?", [judge_version])
    return {row["key"] for row in rows}


def reply_keys_of_unit(project: Project, unit_key: str) -> set[str]:
    """Return the keys of the requests that a unit got replies to."""
    rows = project.reading().query("SELECT DISTINCT key FROM replies WHERE unit_key = ?", [unit_key])
    return {row["key"] for row in rows}


def replies_to(project: Project, key: str) -> list[JudgeReply]:
    """Return all replies to a request, the newest first."""
    rows = project.reading().query("SELECT * FROM replies WHERE key = ? ORDER BY id DESC", [key])
    return [_reply(row) for row in rows]


def reply_keys_in_order(project: Project, unit_key: str) -> list[str]:
    """Return the keys of the requests that a unit got replies to, in the order of their first replies."""
    rows = project.reading().query("SELECT key FROM replies WHERE unit_key = ? ORDER BY id", [unit_key])
    return list(dict.fromkeys(row["key"] for row in rows))


def stored_reply(project: Project, key: str) -> StoredReply | None:
    """Return the newest reply to a request, with the request; None if there is none."""
    return next(iter(stored_replies(project, key)), None)


def stored_replies(project: Project, key: str) -> list[StoredReply]:
    """Return all replies to a request with the request, the newest first."""
    found = []
    for row in project.reading().query("SELECT * FROM replies WHERE key = ? ORDER BY id DESC", [key]):
        request = from_json(row["request"])
        request["parts"] = [_with_text(project, part) for part in request["parts"]]
        found.append(
            StoredReply(
                key=row["key"], unit_key=row["unit_key"], request=request, reply=_reply(row), cost=row["cost"],
                at=row["at"],
            )
        )  # fmt: skip
    return found


def verdicts_with_evidence(
    project: Project,
    *,
    unit_key: str | None = None,
    run_id: RunId | None = None,
    judge_id: str | None = None,
    deck_id: DeckId | None = None,
    item_id: str | None = None,
) -> list[StoredVerdict]:
    """Return verdicts with all that they rest on, in the order in which they came.

    An item's page items, whose ids go on with ``@``, belong to it.

    Those on removed decks and on earlier files of a deck are left out.
    """
    rows = project.reading().query(
        "SELECT v.*, d.unit_key, d.protocol, d.judge_version, d.dimension, d.slide, d.against, d.scale, d.parse, "
        "d.reason, d.evidence, d.detail, d.reply_keys, d.at FROM verdicts v JOIN verdict_details d "
        "ON d.verdict_id = v.id WHERE (:unit IS NULL OR d.unit_key = :unit) AND (:run IS NULL OR v.run_id = :run) "
        "AND (:judge IS NULL OR v.judge_id = :judge) AND (:deck IS NULL OR v.deck_id = :deck) "
        "AND (:item IS NULL OR v.item_id = :item OR substr(v.item_id, 1, length(:item) + 1) = :item || '@') "
        "AND v.id NOT IN (SELECT id FROM stale_verdicts) "
        "AND v.deck_id NOT IN (SELECT id FROM hidden_decks) ORDER BY v.id",
        {"unit": unit_key, "run": run_id, "judge": judge_id, "deck": deck_id, "item": item_id},
    )
    return [_stored_verdict(row) for row in rows]


def checklist_judges(project: Project) -> set[str]:
    """Return the judges that have answered checklist items."""
    rows = project.reading().query(
        "SELECT DISTINCT v.judge_id AS judge_id FROM verdicts v JOIN verdict_details d ON d.verdict_id = v.id "
        "WHERE d.protocol = ?",
        [JudgingProtocol.CHECKLIST.value],
    )
    return {row["judge_id"] for row in rows}


def call_totals(project: Project, run_id: RunId) -> CallTotals:
    """Return what the calls of a run came to, failed ones included."""
    faults: dict[str, int] = {}
    calls = reused = sent = received = 0
    cost = 0.0
    for row in project.reading().query("SELECT * FROM unit_calls WHERE run_id = ?", [run_id]):
        calls, reused = calls + row["calls"], reused + row["reused"]
        sent, received = sent + row["input_tokens"], received + row["output_tokens"]
        cost += row["cost"]
        for name, number in from_json(row["faults"]).items():
            faults[name] = faults.get(name, 0) + number
    return CallTotals(
        calls=calls, reused=reused, faults=faults, input_tokens=sent, output_tokens=received, cost=cost
    )  # fmt: skip


def costs_of_runs(project: Project) -> dict[RunId, float]:
    """Return what the calls of each judge run cost, in US dollars; runs without calls are left out."""
    rows = project.reading().query("SELECT run_id, sum(cost) AS cost FROM unit_calls GROUP BY run_id")
    return {RunId(row["run_id"]): float(row["cost"]) for row in rows}


def verdict_words(
    project: Project, run_id: RunId, *, after: int = 0
) -> tuple[dict[tuple[str, DeckId], tuple[str, ...]], int]:
    """Return what the units of a run said, by key and deck, and the number of the last verdict.

    Args:
        project: an open project.
        run_id: the run.
        after: only verdicts with a larger number.
    """
    found: dict[tuple[str, DeckId], tuple[str, ...]] = {}
    last = after
    rows = project.reading().query(
        "SELECT v.id, d.unit_key, v.deck_id, v.verdict FROM verdicts v JOIN verdict_details d ON d.verdict_id = v.id "
        "WHERE v.run_id = ? AND v.id > ? ORDER BY v.id",
        [run_id, after],
    )
    for row in rows:
        place = (str(row["unit_key"]), DeckId(row["deck_id"]))
        if row["verdict"]:
            found[place] = (*found.get(place, ()), str(row["verdict"]))
        last = int(row["id"])
    return found, last


def mean_usage(project: Project, judge_version: str) -> tuple[int, float, float]:
    """Return over how many replies of this judge there is a measure, and its mean input and output tokens."""
    row = next(
        project.reading().query(
            "SELECT count(*) AS n, avg(input_tokens) AS sent, avg(output_tokens) AS received FROM replies "
            "WHERE judge_version = ?",
            [judge_version],
        )
    )
    return int(row["n"]), float(row["sent"] or 0.0), float(row["received"] or 0.0)


def save_judge(project: Project, judge: SavedJudge) -> None:
    """Keep a judge under its name; another one of that name is replaced."""
    setup = judge.setup
    with project.writing(is_durable=True) as db:
        db.execute(
            "INSERT OR REPLACE INTO saved_judges VALUES (?, ?, ?, ?, ?, ?)",
            [judge.name, setup.provider, setup.model, setup.base_url, to_json(dict(setup.settings)), utc_now()],
        )


def forget_judge(project: Project, name: str) -> None:
    """Remove a judge's name; its verdicts stay."""
    with project.writing(is_durable=True) as db:
        db.execute("DELETE FROM saved_judges WHERE name = ?", [name])


def list_judges(project: Project) -> list[SavedJudge]:
    """Return the judges with names, by name."""
    return [
        SavedJudge(
            name=row["name"],
            setup=JudgeSetup(
                provider=row["provider"], model=row["model"], base_url=row["base_url"],
                settings=from_json(row["settings"]),
            ),
        )
        for row in project.reading().query("SELECT * FROM saved_judges ORDER BY name")
    ]  # fmt: skip


def _append_verdict(
    connection: Any, outcome: UnitOutcome, record: VerdictRecord, at: str, *, is_first: bool, tokens: tuple[int, int],
    cost: float,
) -> None:  # fmt: skip
    if record.score is not None and not math.isfinite(record.score):
        raise ValueError(f"{outcome.judge_id} scored {record.score}; a missing score is None with a reason")
    cursor = connection.execute(
        "INSERT INTO verdicts (run_id, judge_id, model, prompt_version, instance_id, deck_id, item_id, verdict, score, "
        "status, order_index, repeat, input_tokens, output_tokens, cost, cached, latency_s) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            outcome.run_id, outcome.judge_id, outcome.model, outcome.prompt_version, record.instance_id,
            record.deck_id, record.item_id, record.verdict, record.score, record.status.value, record.order_index,
            record.sample, *tokens, cost, int(outcome.calls == 0), outcome.latency_s if is_first else 0.0,
        ],
    )  # fmt: skip
    append_details(
        connection, int(cursor.lastrowid or 0), record, unit_key=outcome.unit_key, protocol=outcome.protocol,
        judge_version=outcome.judge_version, reply_keys=outcome.reply_keys, at=at,
    )  # fmt: skip


def append_details(
    connection: Any, verdict: int, record: VerdictRecord, *, unit_key: str, protocol: JudgingProtocol,
    judge_version: str, reply_keys: tuple[str, ...] = (), at: str = "",
) -> None:  # fmt: skip
    """Store what a verdict rests on: its reason, places, quotes and all else that explains it."""
    evidence = {
        "boxes": [asdict(box) for box in record.boxes],
        "quotes": [asdict(quote) for quote in record.quotes],
    }
    connection.execute(
        "INSERT INTO verdict_details VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            verdict, unit_key, protocol.value, judge_version, record.dimension, record.slide, to_json(record.against),
            to_json(record.scale), record.parse.value, record.reason, to_json(evidence),
            to_json(dict(record.detail)), to_json(reply_keys), at or utc_now(),
        ],
    )  # fmt: skip


def _share(total: int, n: int, position: int) -> int:
    return total // n + (1 if position < total % n else 0)


def _with_text(project: Project, part: dict[str, Any]) -> dict[str, Any]:
    digest = part.get("text_sha256")
    if not digest:
        return part
    row = project.reading().execute("SELECT text FROM request_texts WHERE sha256 = ?", [digest]).fetchone()
    return {"text": row[0]} if row else part


def _reply(row: Mapping[str, Any]) -> JudgeReply:
    return JudgeReply(
        text=row["text"], end=ReplyEnd(row["ending"]), why_blocked=row["why_blocked"], raw=from_json(row["raw"]),
        usage=Usage(
            input_tokens=row["input_tokens"], output_tokens=row["output_tokens"],
            cached_input_tokens=row["cached_input_tokens"], thinking_tokens=row["thinking_tokens"],
        ),
        tokens=tuple(
            TokenChoice(token=token, logprob=logprob, alternatives=tuple((name, value) for name, value in others))
            for token, logprob, others in from_json(row["tokens"])
        ),
        latency_s=row["latency_s"], model=row["model"],
    )  # fmt: skip


def _stored_verdict(row: Mapping[str, Any]) -> StoredVerdict:
    evidence, scale = from_json(row["evidence"]), from_json(row["scale"])
    record = VerdictRecord(
        instance_id=InstanceId(row["instance_id"]), deck_id=DeckId(row["deck_id"]), item_id=row["item_id"],
        verdict=row["verdict"], score=row["score"], scale=tuple(scale) if scale else None,
        status=UnitStatus(row["status"]), parse=ParseStatus(row["parse"]), reason=row["reason"],
        boxes=tuple(EvidenceBox(**box) for box in evidence["boxes"]),
        quotes=tuple(SourceQuote(**quote) for quote in evidence["quotes"]),
        dimension=row["dimension"], slide=row["slide"],
        against=tuple(DeckId(each) for each in from_json(row["against"])), order_index=row["order_index"],
        sample=row["repeat"], detail=from_json(row["detail"]),
    )  # fmt: skip
    return StoredVerdict(
        id=row["id"], run_id=RunId(row["run_id"]) if row["run_id"] else None, unit_key=row["unit_key"],
        judge_id=row["judge_id"], judge_version=row["judge_version"], model=row["model"],
        prompt_version=row["prompt_version"], protocol=JudgingProtocol(row["protocol"]), record=record,
        reply_keys=tuple(from_json(row["reply_keys"])), at=row["at"],
    )  # fmt: skip
