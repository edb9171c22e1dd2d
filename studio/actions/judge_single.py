"""One question to a judge outside of a run: the judge by its name, and a reply that is stored and not paid twice."""

from __future__ import annotations

from dataclasses import dataclass

from studio import paths
from studio.actions.judge_keys import key_for
from studio.actions.judge_price import price_of
from studio.errors import BadInput, StudioError
from studio.judges.connect import connect, needs_key, read_setup
from studio.judges.identity import judge_version, request_json, request_key
from studio.judges.keys import KEY_NAMES
from studio.model.judging import CallFailed, JudgeReply, JudgeRequest, JudgeSetup
from studio.model.protocols import CancelToken
from studio.store import judging as judging_store
from studio.store.project import Project


class NoReply(StudioError):
    """The judge gave no reply."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """A reply, and what it took."""

    reply: JudgeReply
    calls: int
    """0: the same was asked before, and the stored reply is given."""
    cost: float


def model_judge(project: Project, judge: str, *, code_says: str, is_asked: bool = True) -> JudgeSetup:
    """Return a judge by its name in the project or as ``provider:model``, with its key at hand if it is to be asked.

    Args:
        project: with the named judges.
        judge: name or id.
        code_says: why code is no such judge.
        is_asked: whether it is asked, and not only priced.

    Raises:
        BadInput: for a judge that there is not, code, or one whose key is missing.
    """
    saved = next((each for each in judging_store.list_judges(project) if each.name == judge.strip()), None)
    setup = saved.setup if saved is not None else read_setup(judge.strip())
    if setup.provider == "code":
        raise BadInput(code_says, next_step="Name a judge, such as openai:MODEL.")
    if is_asked and needs_key(setup) and not key_for(setup).key:
        raise BadInput(
            f"{setup.id} needs a key, and there is none.",
            next_step=f"Set {KEY_NAMES[setup.provider]} in the environment, or keep it in the system's keyring.",
        )
    return setup


def ask_once(
    project: Project, setup: JudgeSetup, request: JudgeRequest, *, unit_key: str, cancel: CancelToken
) -> Told:  # fmt: skip
    """Return the stored reply to a request, or ask for it and store it; a person who waits tries again by hand.

    Raises:
        NoReply: if the judge could not be asked.
    """
    version = judge_version(setup)
    key = request_key(version, request)
    stored = judging_store.stored_reply(project, key)
    if stored is not None:
        return Told(reply=stored.reply, calls=0, cost=0.0)
    client = connect(setup, key=key_for(setup).key, notes=paths.data_dir() / "uploads")
    try:
        reply = client.ask(request, cancel)
    except CallFailed as failed:
        raise NoReply(f"{setup.id} gave no reply: {failed.message}", next_step="Try again later.") from failed
    finally:
        client.close()
    price = price_of(setup)
    cost = price.cost(reply.usage) if price is not None else 0.0
    asked, texts = request_json(request)
    new = judging_store.NewReply(key=key, request=asked, texts=texts, reply=reply, cost=cost)
    judging_store.append_reply(project, new, judge_id=setup.id, judge_version=version, unit_key=unit_key)
    return Told(reply=reply, calls=1, cost=cost)
