"""Checklist items that a judge proposes from an instance's instruction and sources; a person accepts each."""

from __future__ import annotations

from dataclasses import dataclass

from studio.actions.judge_price import Estimate, estimate_one
from studio.actions.judge_single import NoReply, ask_once, model_judge
from studio.checklists.draft import Proposal
from studio.checklists.lint import Hint, lint_item
from studio.checklists.prompts import language_of
from studio.decks.sources import read_source
from studio.errors import StudioError
from studio.judges.item_draft import draft_request, read_draft
from studio.model.checklists import Dimension, Item, ItemId
from studio.model.decks import SourceFormat
from studio.model.ids import InstanceId
from studio.model.judging import JudgeRequest
from studio.model.protocols import CancelToken, Emit
from studio.store import checklist_lists as list_store
from studio.store import decks as deck_store
from studio.store.project import Project

MOST_SOURCE_SIGNS = 120_000
"""Of all sources together; what is longer is cut, and the judge is told."""


LIKELY_REPLY_TOKENS = 2_000
"""Of a reply with some twenty items, each with its reason."""

_CODE_SAYS = "Code proposes nothing from sources."


class DraftFailed(StudioError):
    """The judge gave no items."""


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What a judge proposed."""

    judge_id: str
    proposals: tuple[Proposal, ...]
    """Those that the checklist does not ask already and that have the form of a yes/no question, its order kept."""
    n_left_out: int
    """Proposed, but unusable, known or no yes/no question."""
    calls: int
    """0: the same was asked before, and the stored reply is shown."""
    cost: float


def draft_price(project: Project, instance_id: InstanceId, judge: str) -> Estimate:
    """Return what asking a judge for items would cost, from the very request that would be sent.

    Raises:
        BadInput: for a judge that there is not, or code.
    """
    setup = model_judge(project, judge, code_says=_CODE_SAYS, is_asked=False)
    return estimate_one(project, setup, _request(project, instance_id), reply_tokens=LIKELY_REPLY_TOKENS)


def price_words(found: Estimate) -> str:
    """Return "1 call, 12,400 tokens in and about 2,000 out: about $0.0312" for people."""
    if not found.calls:
        return "No call: the same was asked before, and its reply is stored."
    cost = "the price of this model is not known" if found.cost is None else f"about ${found.cost:.4f}"
    return f"1 call, about {found.input_tokens:,} tokens in and {found.output_tokens:,} out: {cost}."


def draft_by_judge(project: Project, instance_id: InstanceId, judge: str, *, emit: Emit, cancel: CancelToken) -> Draft:
    """Ask a judge, by its name in the project or as ``provider:model``, for items, and return them.

    The reply is stored: asking the same again costs nothing. Sources that are pictures or cannot be read are left out.

    Raises:
        BadInput: for a judge that there is not, code, or one whose key is missing.
        DraftFailed: if it could not be asked, or its reply has no items.
    """
    setup = model_judge(project, judge, code_says=_CODE_SAYS)
    known = _known(project, instance_id)
    request = _request(project, instance_id)
    try:
        told = ask_once(project, setup, request, unit_key="draft", cancel=cancel)
    except NoReply as failed:
        raise DraftFailed(failed.message, next_step=failed.next_step) from failed
    items, n_left_out = read_draft(told.reply.text)
    if not items:
        raise DraftFailed(
            f"The reply of {setup.id} has no items that can be used.", next_step="Try another judge or settings."
        )
    usable = [each for each in items if each.text not in known and not _is_no_question(each.text)]
    return Draft(
        judge_id=setup.id, n_left_out=n_left_out + len(items) - len(usable), calls=told.calls,
        cost=told.cost,
        proposals=tuple(
            Proposal(dimension=each.dimension, text=each.text, note=each.note, why=f"{setup.id}: {each.why}")
            for each in usable
        ),
    )  # fmt: skip


def _known(project: Project, instance_id: InstanceId) -> list[str]:
    return [item.text for item in list_store.checklist_of(project, instance_id).items]


def _request(project: Project, instance_id: InstanceId) -> JudgeRequest:
    instance = list_store.instance_by_id(project, instance_id)
    language = instance.language or language_of(instance.instruction)
    known = _known(project, instance_id)
    return draft_request(instance.instruction, _sources(project, instance_id), known, language=language)


def _sources(project: Project, instance_id: InstanceId) -> str:
    parts, left = [], MOST_SOURCE_SIGNS
    for number, source in enumerate(deck_store.list_sources(project, instance_id), start=1):
        if source.format is SourceFormat.IMAGE:
            parts.append(f"[document {number}, {source.name}: a picture, not shown]")
            continue
        try:
            content = read_source(project.asset_path(source.asset, source.extension), source.format)
        except (StudioError, OSError) as error:
            parts.append(f"[document {number}, {source.name}: cannot be read: {error}]")
            continue
        text = "\n\n".join(page.text for page in content.pages)
        cut = "\n[cut here]" if len(text) > left else ""
        parts.append(f"[document {number}, {source.name}]\n{text[:left]}{cut}")
        left = max(0, left - len(text))
    return "\n\n".join(parts)


def _is_no_question(text: str) -> bool:
    item = Item(id=ItemId("draft"), version=1, dimension=Dimension.COMPLETENESS, text=text)
    return any(each.hint is Hint.NO_YES_NO_FORM for each in lint_item(item))
