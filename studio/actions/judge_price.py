"""What a judge run would cost, before it is started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from studio import paths
from studio.errors import BadInput
from studio.judges.budget import Budget
from studio.judges.identity import judge_version, request_key
from studio.judges.pricing import FILE_NAME, LIKELY_OUTPUT_TOKENS, Price, estimated_input_tokens, read_prices
from studio.model.judging import ImagePart, JudgeRequest, JudgeSetup, Usage
from studio.store import judging as judging_store
from studio.store.project import Project

ENOUGH = 5
"""Replies after which a judge's own mean is trusted more than the providers' rules."""

LATER_WORDS = 300
"""Tokens of the instructions of a second stage, about."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What units would take; replies that are stored already cost nothing."""

    units: int
    requests: int
    """Known beforehand; protocols in two stages ask more."""
    stored: int
    """Of them, those whose reply is there."""
    images: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    """US dollars; None: the price is not known."""
    basis: str
    """What the figures rest on, for people."""

    @property
    def calls(self) -> int:
        """Requests that would be sent, at least: unreadable replies are asked for again."""
        return self.requests - self.stored


def price_of(setup: JudgeSetup) -> Price | None:
    """Return the price of a judge's model from the shipped table and the user's own; None if it is not known."""
    return read_prices(paths.resource(f"prices/{FILE_NAME}"), paths.config_dir() / FILE_NAME).of(setup)


def checked_budget(setup: JudgeSetup, *, usd: float | None, tokens: int | None = None) -> Budget:
    """Return a run's budget.

    Raises:
        BadInput: if it is not above 0, or in money for a model whose price is not known.
    """
    for value, what in ((usd, "A budget in dollars"), (tokens, "A budget in tokens")):
        if value is not None and not value > 0:
            raise BadInput(f"{what} is above 0, not {value}.", next_step="Give a larger one, or none.")
    if usd is not None and price_of(setup) is None:
        raise BadInput(
            f"The price of {setup.model} is not known, so a budget in dollars cannot be kept.",
            next_step=f"Add it to {paths.config_dir() / FILE_NAME}, or give a budget in tokens.",
        )
    return Budget(usd=usd, tokens=tokens)


class Asking(Protocol):
    """What requests are known of beforehand; a `Conversation` is one."""

    def requests(self) -> tuple[JudgeRequest, ...]:
        """Return the requests that are known before any reply."""
        ...


def estimate(
    project: Project, setup: JudgeSetup, conversations: Sequence[Asking], *, stages: int = 1,
    asks_anew: bool = False,
) -> Estimate:  # fmt: skip
    """Return what conversations would cost with this judge, from the sizes of their words and pictures.

    Where the judge has replied before, its measured mean of output tokens is used, and input tokens are scaled by how
    far off the rules were.

    Args:
        project: an open project.
        setup: the judge.
        conversations: what would be held.
        stages: calls of a conversation; those after the first send the reply before and a few words.
        asks_anew: whether stored replies are left aside.
    """
    version = judge_version(setup)
    known = set() if asks_anew else judging_store.reply_keys(project, version)
    n, mean_input, mean_output = judging_store.mean_usage(project, version)
    asked = stored = images = sent = 0
    every: list[int] = []
    for conversation in conversations:
        for request in conversation.requests():
            asked += 1
            size = estimated_input_tokens(request, provider=setup.provider)
            every.append(size)
            if request_key(version, request) in known:
                stored += 1
                continue
            images += sum(isinstance(part, ImagePart) for part in request.parts)
            sent += size
    is_measured = n >= ENOUGH and bool(every)
    each_output = mean_output if is_measured else float(LIKELY_OUTPUT_TOKENS)
    later = (stages - 1) * len(conversations)
    sent, asked = sent + round(later * (each_output + LATER_WORDS)), asked + later
    if is_measured and mean_input:
        every_call = sum(every) + later * (each_output + LATER_WORDS)
        sent = round(sent * mean_input / (every_call / (len(every) + later)))
    received = round((asked - stored) * each_output)
    price = price_of(setup)
    cost = None if price is None else (sent * price.input + received * price.output) / 1e6
    return Estimate(
        units=len(conversations), requests=asked, stored=stored, images=images, input_tokens=sent,
        output_tokens=received, cost=cost, basis=_basis(price, n if is_measured else 0),
    )  # fmt: skip


def estimate_one(project: Project, setup: JudgeSetup, request: JudgeRequest, *, reply_tokens: int) -> Estimate:
    """Return what one request outside of a run would cost; nothing where its reply is stored.

    Args:
        project: an open project.
        setup: the judge.
        request: what would be sent.
        reply_tokens: about how long such a reply is; the judge's verdicts tell nothing of it.
    """
    is_stored = judging_store.stored_reply(project, request_key(judge_version(setup), request)) is not None
    price = price_of(setup)
    usage = Usage() if is_stored else Usage(
        input_tokens=estimated_input_tokens(request, provider=setup.provider),
        output_tokens=min(reply_tokens, request.max_output_tokens or reply_tokens),
    )  # fmt: skip
    return Estimate(
        units=1, requests=1, stored=int(is_stored), images=sum(isinstance(part, ImagePart) for part in request.parts),
        input_tokens=usage.input_tokens, output_tokens=usage.output_tokens,
        cost=0.0 if is_stored else price.cost(usage) if price is not None else None,
        basis="the reply is stored: nothing is asked" if is_stored else _basis(price, 0, reply_tokens),
    )  # fmt: skip


def _basis(price: Price | None, measured: int, reply_tokens: int = LIKELY_OUTPUT_TOKENS) -> str:
    size = (
        f"measured on {measured} replies"
        if measured
        else f"estimated: 4 letters a token, 1 for each Chinese, Japanese or Korean sign, pictures by the provider's "
        f"rule for their size, {reply_tokens:,} tokens a reply"
    )
    if price is None:
        return f"{size}; the price of this model is not known"
    return f"{size}; {price.origin}"
