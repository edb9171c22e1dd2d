"""What an author of checklists can do: write, order, copy, retire, check, sign off, release, undo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from studio.checklists.draft import Proposal, propose
from studio.checklists.instruction_parts import parts_of, text_of
from studio.checklists.instruction_text import slide_range_in
from studio.checklists.lint import Hint, LintFinding, Severity, lint_draft, lint_list
from studio.checklists.prompts import PARTLY_MET, item_hash, item_words, language_of, prompt_of, sees_sources
from studio.checklists.rules.registry import ALIASES, RULES, rule_named
from studio.checklists.rules.rule import parameters_of
from studio.errors import BadInput
from studio.jobs.judge_checklists import with_prefixes
from studio.model.authoring import (
    EVERYWHERE,
    ChecklistAct,
    Curation,
    InstructionPlan,
    JudgedPages,
    ListSettings,
    Release,
    Scope,
    SignOff,
)
from studio.model.changes import Changes, Topic, changed
from studio.model.checklists import Checklist, Dimension, Item, ItemId, ItemKind, RuleCall
from studio.model.ids import DeckId, InstanceId
from studio.store import checklist_lists as list_store
from studio.store import checklist_records as record_store
from studio.store import checklist_releases as release_store
from studio.store import checklists as checklist_store
from studio.store import decks as deck_store
from studio.store.project import Project

CHANGED = changed(Topic.CHECKLISTS)
KNOWN_RULES = frozenset({*RULES, *ALIASES})
_EDITABLE = frozenset(field.name for field in fields(Item)) - {"id", "version", "author", "at", "domain", "instance_id"}


@dataclass(frozen=True, kw_only=True)
class AskedItem:
    """An item as whoever answers it sees it."""

    item: Item
    words: str
    """With its note and dependency, the same that judges read."""
    rule: str
    """That partly met counts as no, in the item's language."""
    prompt: str
    """What a judge is sent, byte for byte; empty for code items."""
    sees_sources: bool


def instance_checklist(project: Project, instance_id: InstanceId) -> Checklist:
    """Return the merged checklist of an instance, fidelity items as they are written."""
    return list_store.checklist_of(project, instance_id)


def deck_checklist(project: Project, deck_id: DeckId) -> tuple[Checklist, JudgedPages]:
    """Return what a deck is asked, its fidelity items among it, and the pages that it is asked about.

    Raises:
        BadInput: if there is no such deck.
    """
    deck = next((each for each in deck_store.list_decks(project) if each.id == deck_id), None)
    if deck is None:
        raise BadInput(f"There is no deck {deck_id}.", next_step="Choose a deck of this project.")
    return list_store.checklist_of_deck(project, deck)


def as_asked(checklist: Checklist, item: Item) -> AskedItem:
    """Return an item as people and judges see it; the prefix is the studio's where the list has none."""
    is_question = item.kind is ItemKind.QUESTION
    return AskedItem(
        item=item, words=item_words(item), rule=PARTLY_MET[language_of(item.text)],
        prompt=prompt_of(with_prefixes(checklist)[0], item) if is_question else "", sees_sources=sees_sources(item),
    )  # fmt: skip


def list_items(project: Project, scope: Scope, *, with_retired: bool = False) -> list[Item]:
    """Return the items of one list in their order."""
    return checklist_store.list_items(project, scopes=[scope], with_retired=with_retired)


def settings_of(project: Project, scope: Scope) -> ListSettings:
    """Return what a list says beside its items."""
    return checklist_store.settings_of(project, scope)


def versions(project: Project, item_id: ItemId) -> list[Item]:
    """Return all states of an item, oldest first."""
    return checklist_store.item_versions(project, item_id)


def add_item(
    project: Project,
    scope: Scope,
    dimension: Dimension,
    text: str,
    *,
    author: str,
    kind: ItemKind = ItemKind.QUESTION,
    rule: RuleCall | None = None,
    **more: Any,
) -> tuple[Item, Changes]:
    """Add an item at the end of its dimension and return it.

    Raises:
        BadInput: for an item without words, or a code item without a rule.
    """
    item = Item(
        id=checklist_store.new_item_id(), version=1, dimension=dimension, text=text, kind=kind, rule=rule,
        domain=scope.domain, instance_id=scope.instance_id, position=_end(project, scope, dimension), **_allowed(more),
    )  # fmt: skip
    stored, _ = checklist_store.save_items(project, [item], author=author, verb="add", words="Added an item")
    return stored[0], CHANGED


def edit_items(
    project: Project, item_ids: Sequence[ItemId], changes: Mapping[str, Any], *, author: str
) -> tuple[list[Item], Changes]:
    """Change fields of items as one act and return them; what is asked makes a new version.

    Args:
        project: open for writing.
        item_ids: one, or many for a bulk edit.
        changes: fields of `Item` with their new values, such as ``text``, ``note``, ``dimension``, ``weight``.
        author: who does it.

    Raises:
        BadInput: for an unknown item or field.
    """
    allowed = _allowed(changes)
    items = [replace(_one(project, item_id), **allowed) for item_id in item_ids]
    words = f"Edited {len(items)} item{'s' * (len(items) != 1)}"
    stored, _ = checklist_store.save_items(project, items, author=author, verb="edit", words=words)
    return stored, CHANGED


def bulk_edit(
    project: Project,
    item_ids: Sequence[ItemId],
    changes: Mapping[str, Any],
    *,
    author: str,
    add_tags: Sequence[str] = (),
    remove_tags: Sequence[str] = (),
) -> tuple[list[Item], Changes]:
    """Change fields and tags of many items as one act and return them.

    An item that changes its dimension goes to the end of the new one.

    Raises:
        BadInput: for an unknown item or field, or without anything to change.
    """
    allowed = _allowed(changes)
    if not allowed and not add_tags and not remove_tags:
        raise BadInput("Nothing was named to change.", next_step="Give a weight, a note, a tag or the like.")
    ends: dict[tuple[str, Dimension], float] = {}
    items = []
    for item_id in item_ids:
        before = _one(project, item_id)
        tags = [tag for tag in dict.fromkeys((*before.tags, *add_tags)) if tag not in set(remove_tags)]
        item = replace(before, **({"tags": tuple(tags)} | allowed))
        if item.dimension is not before.dimension:
            scope = checklist_store.scope_of(item)
            key = (scope.key, item.dimension)
            ends[key] = ends[key] + 1 if key in ends else _end(project, scope, item.dimension)
            item = replace(item, position=ends[key])
        items.append(item)
    words = f"Edited {len(items)} item{'s' * (len(items) != 1)} together"
    stored, _ = checklist_store.save_items(project, items, author=author, verb="edit", words=words)
    return stored, CHANGED


def retire_items(
    project: Project, item_ids: Sequence[ItemId], *, author: str, is_retired: bool = True
) -> tuple[list[Item], Changes]:
    """Retire items, or bring them back; their answers stay, and so do their ids."""
    items = [replace(_one(project, item_id), is_retired=is_retired) for item_id in item_ids]
    words = f"{'Retired' if is_retired else 'Brought back'} {len(items)} item{'s' * (len(items) != 1)}"
    stored, _ = checklist_store.save_items(project, items, author=author, verb="retire", words=words)
    return stored, CHANGED


def order_items(project: Project, item_ids: Sequence[ItemId], *, author: str) -> tuple[list[Item], Changes]:
    """Put items of one dimension of one list into this order; versions stay."""
    items = [replace(_one(project, item_id), position=float(place)) for place, item_id in enumerate(item_ids)]
    if len({(checklist_store.scope_of(item).key, item.dimension) for item in items}) > 1:
        raise BadInput("Items are put in order within one dimension of one list.", next_step="Choose items of one.")
    stored, _ = checklist_store.save_items(project, items, author=author, verb="move", words="Changed the order")
    return stored, CHANGED


def duplicate_items(
    project: Project, item_ids: Sequence[ItemId], scopes: Sequence[Scope], *, author: str
) -> tuple[list[Item], Changes]:
    """Copy items into other lists, under new ids, and return the copies; words that a list has already are left out."""
    copies = []
    for scope in scopes:
        ends = {dimension: _end(project, scope, dimension) for dimension in Dimension}
        known = {item_hash(each) for each in list_items(project, scope)}
        for item in (_one(project, item_id) for item_id in item_ids):
            if item_hash(item) in known:
                continue
            copies.append(
                replace(
                    item, id=checklist_store.new_item_id(), version=1, domain=scope.domain, author=author, at="",
                    instance_id=scope.instance_id, position=ends[item.dimension], is_retired=False,
                )
            )  # fmt: skip
            ends[item.dimension] += 1
    words = f"Copied {len(copies)} item{'s' * (len(copies) != 1)} into {len(scopes)} list{'s' * (len(scopes) != 1)}"
    stored, _ = checklist_store.save_items(project, copies, author=author, verb="duplicate", words=words)
    return stored, CHANGED


def replaces(project: Project, scope: Scope, dimensions: Iterable[Dimension]) -> list[Dimension]:
    """Return the dimensions in which first items of a list would take the place of a common list behind it."""
    known = list_store.all_lists(project)
    own = known.get(scope.key)
    if scope.instance_id is None:
        behind = [known[EVERYWHERE.key]] if scope.domain and EVERYWHERE.key in known else []
    else:
        instance = list_store.instance_by_id(project, scope.instance_id)
        behind = [one for one in list_store.lists_of(instance, known) if one.scope != scope]
    return [
        dimension for dimension in Dimension
        if dimension in set(dimensions) and not (own is not None and own.has(dimension))
        and any(item.dimension is dimension for one in behind for item in one.items)
    ]  # fmt: skip


def own_lists(project: Project) -> dict[str, frozenset[Dimension]]:
    """Return the dimensions that each list has by the key of its scope; there it replaces the lists behind it."""
    return {
        key: frozenset(dimension for dimension in Dimension if one.has(dimension))
        for key, one in list_store.all_lists(project).items()
    }


def set_settings(project: Project, scope: Scope, settings: ListSettings, *, author: str) -> Changes:
    """Store what a list says beside its items: prefixes, limits, weights, lists that are empty on purpose."""
    checklist_store.save_settings(project, scope, settings, author=author)
    return CHANGED


def undo(project: Project, *, author: str = "") -> tuple[ChecklistAct, Changes]:
    """Take back the last act, of one author if named; refused where somebody has changed the same since."""
    with project.writing(is_durable=True):
        before = _instructions(project)
        act = record_store.undo(project, author=author)
        return act, _with_text(project, before, "text", "text_before")


def redo(project: Project, *, author: str = "") -> tuple[ChecklistAct, Changes]:
    """Bring back the act that was taken back last, of one author if named."""
    with project.writing(is_durable=True):
        before = _instructions(project)
        act = record_store.redo(project, author=author)
        after = _instructions(project)
        fresh = {key: record for key, record in after.items() if key not in before or before[key].seq != record.seq}
        return act, _with_text(project, fresh, "text_before", "text")


def _instructions(project: Project) -> dict[str, record_store.Record]:
    return {each.key: each for each in record_store.current(project, record_store.RecordKind.INSTRUCTION)}


def _with_text(project: Project, records: Mapping[str, record_store.Record], now: str, then: str) -> Changes:
    """Put an instruction's text back with its parts, unless somebody has changed it elsewhere since.

    Args:
        project: open for writing, inside the transaction of the act.
        records: what undo took away, or redo brought back; those that still stand are passed over.
        now: which of a record's texts the instruction has by now.
        then: which it gets.
    """
    changes, standing = CHANGED, _instructions(project)
    for key, record in records.items():
        is_untouched = now == "text" and key in standing and standing[key].seq == record.seq
        if is_untouched or not record.state or now not in record.state:
            continue
        instance = list_store.instance_by_id(project, InstanceId(key))
        if instance.instruction == record.state[now]:
            deck_store.update_instance(project, replace(instance, instruction=str(record.state[then])))
            changes = changed(Topic.CHECKLISTS, Topic.DECKS)
    return changes


def can_undo(project: Project, *, author: str = "") -> tuple[ChecklistAct | None, ChecklistAct | None]:
    """Return the acts that undo and redo would reverse, of one author if named."""
    return record_store.can_undo(project, author=author)


def acts(project: Project) -> list[ChecklistAct]:
    """Return everything that was done to the checklists, oldest first."""
    return record_store.list_acts(project)


def lint_words(
    item: Item,
    others: Sequence[Item] = (),
    *,
    instruction_range: tuple[int, int] | None = None,
) -> list[LintFinding]:
    """Return what is to be said about an item that is being typed, beside the others; nothing is stored or read."""
    found = lint_draft(item, others, instruction_range=instruction_range, known_rules=KNOWN_RULES)
    return [*found, *_parameter_findings([item])]


def _parameter_findings(items: Iterable[Item]) -> list[LintFinding]:
    found = []
    for item in items:
        if item.kind is not ItemKind.CODE or item.rule is None or item.rule.rule not in KNOWN_RULES:
            continue
        try:
            parameters_of(rule_named(item.rule.rule), item.rule.parameters)
        except BadInput as error:
            message = f"its rule will refuse it: {error}"
            found.append(
                LintFinding(item_id=item.id, hint=Hint.RULE_PARAMETERS, severity=Severity.ERROR, message=message)
            )
    return found


def asked_range(project: Project, instance_id: InstanceId) -> tuple[int, int] | None:
    """Return the fewest and most slides that an instance's instruction asks for, None if it does not say."""
    plan = checklist_store.instruction_plan(project, instance_id)
    return (plan.slide_limits if plan else None) or slide_range_in(
        list_store.instance_by_id(project, instance_id).instruction
    )


def lint_instance(project: Project, instance_id: InstanceId) -> list[LintFinding]:
    """Return what is to be said about an instance's merged checklist."""
    checklist = list_store.checklist_of(project, instance_id)
    found = lint_list(
        checklist.items, instruction_range=asked_range(project, instance_id), limits=checklist.slide_limits,
        notes=checklist.notes, known_rules=KNOWN_RULES,
    )  # fmt: skip
    return [*found, *_parameter_findings(checklist.items), *_replaced(project, instance_id)]


def _replaced(project: Project, instance_id: InstanceId) -> list[LintFinding]:
    """Return a finding for each dimension in which an instance's own items take the place of a common list."""
    instance = list_store.instance_by_id(project, instance_id)
    lists = list_store.lists_of(instance, list_store.all_lists(project))
    own = next((one for one in lists if one.scope.instance_id == instance_id), None)
    found = []
    for dimension in Dimension if own is not None else ():
        mine = sum(item.dimension is dimension for item in own.items) if own is not None else 0
        behind = next((one for one in reversed(lists) if one is not own and one.has(dimension)), None)
        theirs = sum(item.dimension is dimension for item in behind.items) if behind is not None else 0
        if mine and theirs:
            message = (
                f"own {dimension} list ({mine} of its own) takes the place of the common one ({theirs}): "
                "the common items are not asked here"
            )
            found.append(LintFinding(item_id=None, hint=Hint.REPLACES_COMMON, severity=Severity.HINT, message=message))
    return found


def instruction(project: Project, instance_id: InstanceId) -> InstructionPlan:
    """Return an instance's instruction by its parts: as written so, else as far as its text tells."""
    plan = checklist_store.instruction_plan(project, instance_id)
    return plan or parts_of(list_store.instance_by_id(project, instance_id).instruction)


def set_instruction(
    project: Project, instance_id: InstanceId, plan: InstructionPlan, *, author: str, rewrite: bool = True
) -> Changes:
    """Store an instruction by its parts and, unless told otherwise, its text made of them."""
    instance = list_store.instance_by_id(project, instance_id)
    with project.writing(is_durable=True):
        text = text_of(plan, title=instance.title) if rewrite else instance.instruction
        checklist_store.save_instruction_plan(
            project, instance_id, plan, author=author,
            rewritten=(instance.instruction, text) if text != instance.instruction else None,
        )  # fmt: skip
        if text != instance.instruction:
            deck_store.update_instance(project, replace(instance, instruction=text))
    return changed(Topic.CHECKLISTS, Topic.DECKS)


def proposals(project: Project, instance_id: InstanceId) -> list[Proposal]:
    """Return items that the instruction gives reason for and that the instance's checklist does not have."""
    known = {item.text for item in list_store.checklist_of(project, instance_id).items}
    return [each for each in propose(instruction(project, instance_id)) if each.text not in known]


def accept(project: Project, scope: Scope, accepted: Iterable[Proposal], *, author: str) -> tuple[list[Item], Changes]:
    """Add proposals that a person accepted, as one act, and return the items."""
    ends = {dimension: _end(project, scope, dimension) for dimension in Dimension}
    items = []
    for each in accepted:
        items.append(
            Item(
                id=checklist_store.new_item_id(), version=1, dimension=each.dimension, text=each.text, kind=each.kind,
                rule=each.rule, note=each.note, domain=scope.domain, instance_id=scope.instance_id,
                position=ends[each.dimension],
            )
        )  # fmt: skip
        ends[each.dimension] += 1
    words = f"Accepted {len(items)} proposals"
    stored, _ = checklist_store.save_items(project, items, author=author, verb="accept", words=words)
    return stored, CHANGED


def curations(project: Project) -> dict[InstanceId, Curation]:
    """Return the curation of each instance that has any."""
    return checklist_store.curations(project)


def set_curation(project: Project, curation: Curation, *, author: str) -> Changes:
    """Store where an instance comes from and whether it is part of the benchmark."""
    checklist_store.save_curation(project, curation, author=author)
    return CHANGED


def sign_off(project: Project, scope: Scope, *, person: str, note: str = "") -> tuple[SignOff, Changes]:
    """Sign a list off as its second reader; refused to whoever wrote an item in it."""
    return release_store.sign_off(project, scope, person=person, note=note), CHANGED


def sign_off_state(project: Project) -> tuple[list[SignOff], list[Scope]]:
    """Return all sign-offs, and the lists whose present content has none."""
    return release_store.sign_offs(project), release_store.unsigned(project)


def release(project: Project, *, title: str, author: str, note: str = "") -> tuple[Release, Changes]:
    """Freeze all lists under the next number; each must be signed off."""
    return release_store.release(project, title=title, author=author, note=note), CHANGED


def releases(project: Project) -> list[Release]:
    """Return all releases without their contents, oldest first."""
    return release_store.releases(project)


def _one(project: Project, item_id: ItemId) -> Item:
    states = checklist_store.item_versions(project, item_id)
    if not states:
        raise BadInput(f"There is no item {item_id}.", next_step="Choose one of this project.")
    return states[-1]


def _end(project: Project, scope: Scope, dimension: Dimension) -> float:
    inside = [item.position for item in list_items(project, scope) if item.dimension is dimension]
    return max(inside, default=-1.0) + 1


def _allowed(values: Mapping[str, Any]) -> dict[str, Any]:
    unknown = sorted(set(values) - _EDITABLE)
    if unknown:
        raise BadInput(
            f"An item's {unknown[0]} cannot be changed.", next_step=f"Possible: {', '.join(sorted(_EDITABLE))}."
        )
    return dict(values)
