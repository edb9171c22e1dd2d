"""What a user asks of a judge: which judge, which protocol, over what, within which limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from studio.actions.judge_names import setup_of
from studio.errors import BadInput
from studio.jobs.judge_wanted import CRITERIA, Wanted
from studio.judges.connect import read_setup
from studio.model.ids import DeckId
from studio.model.judging import DECK_PROTOCOLS, JudgeSetup, JudgingProtocol
from studio.model.judging_options import OPTION_NAMES, WHOLE_FILES, GEvalMode, Pairs, ProtocolOptions, ShownAs
from studio.model.runs import Run, RunKind, RunSpec
from studio.store import decks as deck_store
from studio.store.project import Project
from studio.store.values import plain

CODE = "code"
EXECUTORS = ("threads", "dask")
WITH_SENSITIVITY = (JudgingProtocol.RATING, JudgingProtocol.GEVAL)
"""Protocols that give a deck a score by itself, in one conversation for each criterion."""


@dataclass(frozen=True, kw_only=True)
class JudgeWish:
    """A judge run as asked for; the same value from the window and from the terminal, and stored with the run."""

    setup: JudgeSetup
    protocol: JudgingProtocol = JudgingProtocol.CHECKLIST
    options: ProtocolOptions = field(default_factory=ProtocolOptions)
    deck_ids: tuple[DeckId, ...] | None = None
    """None: every deck of the project."""
    item_ids: tuple[str, ...] = ()
    """Checklist items; empty: all."""
    repeats: int | None = None
    """None: as the protocol says."""
    budget_usd: float | None = None
    budget_tokens: int | None = None
    """Input and output together."""
    first: int | None = None
    """Only so many of the units that are left, such as a sample that tells the price."""
    force: bool = False
    executor: str = "threads"
    scheduler: str = ""
    """Address of the Dask scheduler."""

    @property
    def is_code(self) -> bool:
        """Whether the code rules are meant and no model."""
        return self.setup.provider == CODE

    @property
    def wanted(self) -> Wanted:
        """What is to be planned."""
        return Wanted(
            protocol=self.protocol, deck_ids=self.deck_ids, item_ids=self.item_ids, repeats=self.repeats,
            options=self.options,
        )  # fmt: skip

    @property
    def method(self) -> str:
        """The name under which the values stand, such as ``openai:m/rating``."""
        return method_of(self.setup, self.protocol)


def method_of(setup: JudgeSetup, protocol: JudgingProtocol, part: str = "") -> str:
    """Return a judge's method name, such as ``openai:m/rating`` or ``openai:m/rating.harmony``."""
    judge = CODE if setup.provider == CODE else setup.id
    return f"{judge}/{protocol.value}" + (f".{part}" if part else "")


def read_wish(
    judge: str,
    *,
    protocol: str = JudgingProtocol.CHECKLIST.value,
    base_url: str = "",
    settings: Sequence[str] = (),
    project: Project | None = None,
    **more: Any,
) -> JudgeWish:
    """Return what a user asks for in words.

    Args:
        judge: ``provider:model``, or ``code``; with a project also the name of one of its judges.
        protocol: how it is asked.
        base_url: another endpoint than the provider's.
        settings: ``name=value`` each: of the judge, or of the protocol (`ProtocolOptions`).
        project: whose named judges count.
        **more: other fields of the wish.

    Raises:
        BadInput: for a judge, a protocol or a setting that there is not.
    """
    words: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip():
            raise BadInput(f"{setting} is no setting.", next_step="Write it as name=value, such as temperature=0.")
        words[name.strip()] = value.strip()
    own = {name: value for name, value in words.items() if name in OPTION_NAMES}
    others: dict[str, object] = {name: value for name, value in words.items() if name not in OPTION_NAMES}
    if project is None:
        setup = read_setup(judge, base_url=base_url, settings=others)
    else:
        setup = setup_of(project, judge, base_url=base_url, settings=others)
    if protocol not in DECK_PROTOCOLS:
        raise BadInput(f"There is no protocol {protocol}.", next_step=f"Known: {', '.join(DECK_PROTOCOLS)}.")
    found = JudgingProtocol(protocol)
    if setup.provider == CODE and found is not JudgingProtocol.CHECKLIST:
        raise BadInput("The code judge answers checklist items only.", next_step="Leave --protocol out.")
    options = read_options(own, found)
    if options.input in WHOLE_FILES and found is JudgingProtocol.PPTEVAL:
        raise BadInput(
            "PPTEval looks at one slide at a time, so that a whole file is of no use to it.",
            next_step="Choose input=pictures or input=text.",
        )
    if options.sensitivity and (found not in WITH_SENSITIVITY or options.input in WHOLE_FILES):
        raise BadInput(
            "Sensitivity is measured with scores of decks that are shown slide by slide.",
            next_step="Choose --protocol rating or geval, with input=pictures or input=text.",
        )
    return JudgeWish(setup=setup, protocol=found, options=options, **more)


def read_options(words: Mapping[str, str], protocol: JudgingProtocol) -> ProtocolOptions:
    """Return a protocol's options from words.

    Raises:
        BadInput: for a value that an option cannot have.
    """
    values: dict[str, Any] = {}
    for name, said in words.items():
        match name:
            case "input":
                values[name] = _one_of(ShownAs, name, said)
            case "pairs":
                values[name] = _one_of(Pairs, name, said)
            case "geval":
                values[name] = _one_of(GEvalMode, name, said)
            case "compat" | "sensitivity":
                if said.lower() not in {"true", "false", "yes", "no", "1", "0"}:
                    raise BadInput(f"{name} cannot be {said}.", next_step="It is yes or no.")
                values[name] = said.lower() in {"true", "yes", "1"}
            case "criteria":
                values[name] = _criteria(said, protocol)
            case "share":
                values[name] = _number(name, said, float)
            case _:
                values[name] = _number(name, said, int)
    try:
        return ProtocolOptions(**values)
    except ValueError as error:
        raise BadInput(f"{error}.", next_step="Correct the setting.") from error


def _one_of(kinds: Any, name: str, said: str) -> Any:
    if said.lower() not in list(kinds):
        raise BadInput(f"{name} cannot be {said}.", next_step=f"It is one of {', '.join(kinds)}.")
    return kinds(said.lower())


def _number(name: str, said: str, kind: Any) -> Any:
    try:
        return kind(said)
    except ValueError:
        raise BadInput(f"{name} cannot be {said}.", next_step="It is a number.") from None


def _criteria(said: str, protocol: JudgingProtocol) -> tuple[str, ...]:
    known = CRITERIA.get(protocol, ())
    names = tuple(name.strip() for name in said.split(",") if name.strip())
    unknown = [name for name in names if name not in known]
    if unknown:
        there = f"Known: {', '.join(known)}." if known else f"{protocol.value} has no criteria."
        raise BadInput(f"There is no criterion {', '.join(unknown)}.", next_step=there)
    return names


def spec_of_wish(wish: JudgeWish) -> RunSpec:
    """Return the run's specification as it is stored; a key is never a part of it."""
    setup = wish.setup
    return RunSpec(
        kind=RunKind.JUDGE, evaluators=(setup.id,), preset=wish.protocol.value, deck_ids=wish.deck_ids,
        force=wish.force,
        options={
            "judge": {
                "provider": setup.provider, "model": setup.model, "base_url": setup.base_url,
                "settings": dict(setup.settings),
            },
            "protocol": wish.protocol.value, "protocol_options": plain(wish.options), "items": list(wish.item_ids),
            "repeats": wish.repeats, "budget_usd": wish.budget_usd, "budget_tokens": wish.budget_tokens,
            "first": wish.first, "executor": wish.executor, "scheduler": wish.scheduler,
        },
    )  # fmt: skip


def wish_of_run(run: Run) -> JudgeWish:
    """Return what a stored judge run was asked for, without its limit to the first units.

    Raises:
        BadInput: if it is none that can be started again.
    """
    stored: dict[str, Any] = run.spec
    options = stored.get("options") or {}
    if run.kind is RunKind.JUDGE and "quiz_phase" in options:
        raise BadInput(
            f"{run.title} is one phase of a run about question banks, which goes on as a whole.",
            next_step=f"Run {quiz_command(run)}; what was answered is not asked again.",
        )
    if run.kind is not RunKind.JUDGE or "judge" not in options:
        raise BadInput(f"{run.title} is no judge run that can be started again.")
    kept = {key: value for key, value in options["protocol_options"].items() if key in OPTION_NAMES}
    kept["input"], kept["pairs"] = ShownAs(kept["input"]), Pairs(kept["pairs"])
    kept["geval"], kept["criteria"] = GEvalMode(kept["geval"]), tuple(kept["criteria"])
    deck_ids = stored.get("deck_ids")
    return JudgeWish(
        setup=JudgeSetup(**options["judge"]), protocol=JudgingProtocol(options["protocol"]),
        options=ProtocolOptions(**kept), item_ids=tuple(options["items"]), repeats=options["repeats"],
        deck_ids=None if deck_ids is None else tuple(DeckId(deck) for deck in deck_ids),
        budget_usd=options["budget_usd"], budget_tokens=options.get("budget_tokens"),
        executor=options["executor"], scheduler=options["scheduler"],
        force=bool(stored.get("force")),
    )  # fmt: skip


def quiz_command(run: Run) -> str:
    """Return the command that goes on with the run about question banks that a stored phase belongs to."""
    stored: dict[str, Any] = run.spec
    options = stored.get("options") or {}
    phase, judge = str(options["quiz_phase"]), str((stored.get("evaluators") or ("JUDGE",))[0])
    is_building = phase.partition(",")[0] in {"analyst", "critic", "setter"}
    words = ["studio quiz build PROJECT --judge" if is_building else "studio quiz run PROJECT --reader", judge]
    if phase in {"oracle", "closed book"}:
        words.append(f"--{phase.replace(' ', '-')}")
    if options.get("endpoint"):
        words += ["--base-url", str(options["endpoint"])]
    for name, value in (options.get("settings") or {}).items():
        words += ["--set", f"{name}={value}"]
    return " ".join(words)


def with_decks(project: Project, wish: JudgeWish, names: Sequence[str]) -> JudgeWish:
    """Return the wish over these decks only: each an id, a system's name, or INSTANCE/SYSTEM.

    Raises:
        BadInput: for a name that no deck has.
    """
    if not names:
        return wish
    instances = {item.id: item.name for item in deck_store.list_instances(project)}
    chosen: list[DeckId] = []
    decks = deck_store.list_decks(project)
    for name in names:
        found = [
            deck.id for deck in decks
            if name in {deck.id, deck.system, f"{instances.get(deck.instance_id)}/{deck.system}",
                        deck.instance_id, instances.get(deck.instance_id)}
        ]  # fmt: skip
        if not found:
            raise BadInput(f"There is no deck {name}.", next_step="studio decks PROJECT lists them.")
        chosen += found
    return replace(wish, deck_ids=tuple(dict.fromkeys(chosen)))
