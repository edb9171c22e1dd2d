"""Looking into a judge: what one unit was or would be asked, word for word and picture by picture, and what came back.

Pictures are stored with a request by their hashes only; here they are found again among the decks' and sources' pages
(decision 31). No key is in any of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from studio.actions.judge_wish import wish_of_run
from studio.actions.judging import planned_units
from studio.errors import BadInput
from studio.jobs.judge_material import file_sha
from studio.judges.identity import request_json
from studio.model.ids import DeckId, InstanceId
from studio.model.judging import FilePart, ImagePart, JudgeRequest, JudgingProtocol, TextPart
from studio.model.runs import Run
from studio.store import decks as deck_store
from studio.store import judging as judging_store
from studio.store import runs as run_store
from studio.store.judging import StoredReply, StoredVerdict
from studio.store.page_cache import PAGES_PREFIX
from studio.store.project import Project

GONE = "This picture is no longer in the cache; render the deck again to see it."
FILE_GONE = "This file is no longer there."


@dataclass(frozen=True, kw_only=True)
class ShownPart:
    """One part of a request as a person sees it."""

    text: str = ""
    label: str = ""
    """What the words call a picture or a file, such as "deck slide 7"."""
    picture: Path | None = None
    file: Path | None = None
    missing: str = ""
    """Why a picture or file cannot be shown."""

    @property
    def is_words(self) -> bool:
        """Whether it is words."""
        return not self.label and self.picture is None and self.file is None and not self.missing


@dataclass(frozen=True, kw_only=True)
class ShownReply:
    """One reply as it came."""

    text: str
    ending: str
    why_blocked: str
    raw: str
    """The answer's JSON, indented."""
    model: str
    at: str
    input_tokens: int
    output_tokens: int
    cost: float
    """US dollars."""
    latency_s: float


@dataclass(frozen=True, kw_only=True)
class ShownCall:
    """One request with all replies to it."""

    prompt_version: str
    settings: str
    """What else the request says: limit of tokens, number of the repeat."""
    parts: tuple[ShownPart, ...]
    replies: tuple[ShownReply, ...]
    """The newest first; empty for a request that was not sent yet, or got no reply."""

    @property
    def pictures(self) -> tuple[ShownPart, ...]:
        """The pictures and files, in order."""
        return tuple(part for part in self.parts if not part.is_words)

    @property
    def words(self) -> str:
        """The whole request as text; pictures stand in it by their labels, those that follow each other in one line."""
        blocks: list[str] = []
        for is_words, group in groupby(self.parts, key=lambda part: part.is_words):
            parts = list(group)
            blocks += [part.text for part in parts] if is_words else [" ".join(f"[{part.label}]" for part in parts)]
        return "\n\n".join(blocks)


@dataclass(frozen=True, kw_only=True)
class UnitView:
    """One unit of a judge run with everything behind it."""

    title: str
    judge: str
    """Such as ``openai:m``; a scripted judge says that it is one."""
    judge_version: str
    protocol: str
    settings: tuple[tuple[str, str], ...]
    """Of the judge, as name and value."""
    deck_id: DeckId
    instance_id: InstanceId
    verdicts: tuple[StoredVerdict, ...]
    """The newest of each thing asked."""
    calls: tuple[ShownCall, ...]
    note: str = ""
    """Why there is no reply."""


def unit_view(project: Project, unit_key: str, deck_id: DeckId) -> UnitView:
    """Return a unit's requests, replies and verdicts; the unit of any run, found by its key and deck."""
    verdicts = _newest(judging_store.verdicts_with_evidence(project, unit_key=unit_key), deck_id)
    keys = list(dict.fromkeys(key for each in verdicts for key in each.reply_keys))
    keys += [key for key in judging_store.reply_keys_in_order(project, unit_key) if key not in keys]
    run, record = run_store.newest_unit(project, unit_key, deck_id)
    deck = next((each for each in deck_store.list_decks(project) if each.id == deck_id), None)
    instance_id = deck.instance_id if deck is not None else record.instance_id if record else InstanceId("")
    decks = [deck_id, *(other for each in verdicts for other in each.record.against)]
    pictures = Pictures(project, decks, instance_id)
    stored = [judging_store.stored_replies(project, key) for key in keys]
    calls = tuple(_call(replies, pictures) for replies in stored if replies)
    note = "" if calls else record.message if record is not None and record.message else "There is no reply to show."
    if not calls and run is not None:
        calls = _as_planned(project, run, unit_key, deck_id, instance_id)
    setup = _setup_of(run)
    judge = verdicts[0].judge_id if verdicts else str(setup.get("id", ""))
    return UnitView(
        title=record.label if record is not None else unit_key[:12], judge=judge,
        judge_version=verdicts[0].judge_version if verdicts else "",
        protocol=verdicts[0].protocol.value if verdicts else str(setup.get("protocol", "")),
        settings=tuple((name, str(value)) for name, value in dict(setup.get("settings", {})).items()),
        deck_id=deck_id, instance_id=instance_id, verdicts=tuple(verdicts), calls=calls,
        note=note,
    )  # fmt: skip


def unit_of_verdict(project: Project, judge_id: str, deck_id: DeckId, item_id: str) -> tuple[str, DeckId] | None:
    """Return key and deck of the unit that a judge's newest verdict on an item comes from; None if there is none.

    Args:
        project: an open project.
        judge_id: such as ``openai:m``.
        deck_id: the deck.
        item_id: with or without its version.
    """
    wanted = item_id.partition("@")[0]
    found = None
    for each in judging_store.verdicts_with_evidence(project, judge_id=judge_id):
        if each.record.deck_id == deck_id and each.record.item_id.partition("@")[0] == wanted:
            found = (each.unit_key, deck_id)
    return found


def unit_named(project: Project, key: str) -> UnitView:
    """Return a unit by its key, or by letters that only its key begins with.

    Raises:
        BadInput: if there is none, or several.
    """
    found = sorted({
        (unit.key, unit.deck_id)
        for run in run_store.list_runs(project)
        for unit in run_store.units_of(project, run.id)
        if unit.key.startswith(key)
    })  # fmt: skip
    if len({unit_key for unit_key, _ in found}) != 1:
        what = "several units" if found else "no unit"
        raise BadInput(f"There is {what} {key}.", next_step="studio runs PROJECT --units RUN lists them.")
    return unit_view(project, *found[0])


def unit_json(view: UnitView) -> dict[str, Any]:
    """Return a unit as JSON values: what was asked, with pictures by label and path, and what came back."""
    return {
        "unit": view.title, "judge": view.judge, "judge_version": view.judge_version, "protocol": view.protocol,
        "settings": dict(view.settings), "deck_id": view.deck_id, "instance_id": view.instance_id, "note": view.note,
        "verdicts": [
            {"item_id": each.record.item_id, "verdict": each.record.verdict, "score": each.record.score,
             "status": each.record.status.value, "reason": each.record.reason,
             "slides": [box.slide for box in each.record.boxes]}
            for each in view.verdicts
        ],
        "calls": [
            {"prompt_version": call.prompt_version, "settings": call.settings,
             "parts": [{"text": part.text} if part.is_words else {"label": part.label, "path": _path_of(part)}
                       for part in call.parts],
             "replies": [{"text": reply.text, "ending": reply.ending, "raw": json.loads(reply.raw), "at": reply.at,
                          "cost": reply.cost} for reply in call.replies]}
            for call in view.calls
        ],
    }  # fmt: skip


def _path_of(part: ShownPart) -> str | None:
    path = part.picture or part.file
    return str(path) if path is not None else None


def request_view(request: JudgeRequest) -> ShownCall:
    """Return a request that would be sent, as it is shown; its pictures lie where the request reads them."""
    parts: list[ShownPart] = []
    for part in request.parts:
        match part:
            case TextPart():
                parts.append(ShownPart(text=part.text))
            case ImagePart():
                there = part.path if part.path.is_file() else None
                parts.append(ShownPart(label=part.label, picture=there, missing="" if there else GONE))
            case FilePart():
                file = part.path if part.path.is_file() else None
                parts.append(ShownPart(label=part.label, file=file, missing="" if file else FILE_GONE))
    return ShownCall(
        prompt_version=request.prompt_version, settings=_settings(request_json(request)[0]), parts=tuple(parts),
        replies=(),
    )  # fmt: skip


def _as_planned(
    project: Project, run: Run, unit_key: str, deck_id: DeckId, instance_id: InstanceId
) -> tuple[ShownCall, ...]:
    """Return what a unit without replies was asked, by planning it again; empty where it is planned otherwise now."""
    try:
        wish = wish_of_run(run)
    except BadInput:
        return ()
    # Decks of the same instance are compared with each other.
    chosen = set(wish.deck_ids) if wish.deck_ids is not None else None
    decks = tuple(
        deck.id
        for deck in deck_store.list_decks(project)
        if deck.instance_id == instance_id and (chosen is None or deck.id in chosen)
    )
    units = planned_units(project, replace(wish, deck_ids=decks, force=True))
    found = next((each for each in units if (each.key, each.deck_id) == (unit_key, deck_id)), None)
    if found is None or found.conversation is None:
        return ()
    return tuple(request_view(request) for request in found.conversation.requests())


class Pictures:
    """Finds pictures and files of requests by their hashes; each folder is read once.

    Args:
        project: an open project.
        decks: looked through first.
        instance_id: whose sources and other decks are looked through after that.
    """

    def __init__(self, project: Project, decks: Sequence[DeckId], instance_id: InstanceId) -> None:
        self._known: dict[str, Path] = {}
        self._left = self._folders(project, decks, instance_id)
        self._project = project

    def find(self, digest: str) -> Path | None:
        """Return where a picture lies; None if it is no longer in the cache."""
        while digest not in self._known:
            folder = next(self._left, None)
            if folder is None:
                return None
            for path in sorted(folder.iterdir()) if folder.is_dir() else [folder]:
                if path.suffix.lower() in _SHOWN and not path.name.startswith("thumb_"):
                    self._known.setdefault(file_sha(path), path)
        return self._known[digest]

    def _folders(self, project: Project, decks: Sequence[DeckId], instance_id: InstanceId) -> Iterator[Path]:
        others = [deck.id for deck in deck_store.list_decks(project) if deck.instance_id == instance_id]
        for deck_id in dict.fromkeys([*decks, *others]):
            folder = deck_store.page_folder(project, deck_id)
            if folder is not None:
                yield folder
        for source in deck_store.list_sources(project, instance_id):
            yield from sorted(project.cache_folder.glob(f"{PAGES_PREFIX}source-{source.asset[:24]}-*"))
            original = project.asset_path(source.asset, source.extension)
            if original.is_file():
                yield original
        yield from sorted(project.cache_folder.glob(f"{PAGES_PREFIX}file-*"))
        for deck in deck_store.list_decks(project):
            if deck.id in decks and deck.asset is not None:
                yield project.asset_path(deck.asset, deck.extension)


_SHOWN = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".pdf", ".pptx", ".ppt", ".odp"})


def _newest(verdicts: Sequence[StoredVerdict], deck_id: DeckId) -> list[StoredVerdict]:
    found: dict[tuple[object, ...], StoredVerdict] = {}
    for each in verdicts:
        record = each.record
        # A list of decks is one unit that stands on its first deck; equal files share a unit's key.
        if record.deck_id == deck_id or each.protocol is JudgingProtocol.LISTWISE:
            found[record.deck_id, record.item_id, record.slide, record.sample, record.order_index] = each
    return list(found.values())


def _call(replies: Sequence[StoredReply], pictures: Pictures) -> ShownCall:
    request = replies[0].request
    return ShownCall(
        prompt_version=str(request["prompt_version"]), settings=_settings(request),
        parts=tuple(_part(part, pictures) for part in request["parts"]),
        replies=tuple(
            ShownReply(
                text=each.reply.text, ending=each.reply.end.value, why_blocked=each.reply.why_blocked,
                raw=json.dumps(each.reply.raw, ensure_ascii=False, indent=2), model=each.reply.model, at=each.at,
                input_tokens=each.reply.usage.input_tokens, output_tokens=each.reply.usage.output_tokens,
                cost=each.cost, latency_s=each.reply.latency_s,
            )
            for each in replies
        ),
    )  # fmt: skip


def _part(part: Mapping[str, Any], pictures: Pictures) -> ShownPart:
    if "image" in part:
        path = pictures.find(str(part["image"]))
        return ShownPart(label=str(part["label"]), picture=path, missing="" if path is not None else GONE)
    if "file" in part:
        path = pictures.find(str(part["file"]))
        return ShownPart(label=str(part["label"]), file=path, missing="" if path is not None else FILE_GONE)
    return ShownPart(text=str(part.get("text", "")))


def _settings(request: Mapping[str, Any]) -> str:
    words = []
    if request["max_output_tokens"]:
        words.append(f"at most {request['max_output_tokens']} tokens")
    if request["wants_token_probabilities"]:
        words.append("with token probabilities")
    if request["sample"]:
        words.append(f"repeat {request['sample'] + 1}")
    return ", ".join(words)


def _setup_of(run: Run | None) -> dict[str, Any]:
    options: Any = run.spec.get("options") if run is not None else None
    if not isinstance(options, dict) or "judge" not in options:
        return {}
    judge = options["judge"]
    return {**judge, "id": f"{judge['provider']}:{judge['model']}", "protocol": options["protocol"]}
