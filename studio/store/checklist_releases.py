"""Sign-offs of lists by a second person, and frozen releases of all lists."""

from __future__ import annotations

import hashlib

from studio.errors import BadInput
from studio.model.authoring import ListSettings, Release, Scope, SignOff
from studio.model.checklists import Item, ItemId
from studio.store import checklist_records as records
from studio.store import checklists as checklist_store
from studio.store.checklist_lists import all_lists, list_hash, scope_list
from studio.store.checklist_records import RecordKind
from studio.store.project import Project, utc_now
from studio.store.values import from_json, plain, to_json


def sign_off(project: Project, scope: Scope, *, person: str, note: str = "") -> SignOff:
    """Store that a second person has looked at a list as it is now.

    Raises:
        BadInput: if the person wrote a current version in the list, the list is empty or nobody is named.
    """
    if not person.strip():
        raise BadInput("A sign-off needs a person.", next_step="Choose a profile.")
    with project.writing(is_durable=True) as db:
        found = scope_list(project, scope)
        if not found.items:
            raise BadInput("An empty list cannot be signed off.", next_step="Add items first.")
        own = sum(item.author == person for item in found.items)
        if own:
            raise BadInput(
                f"{person} wrote {own} of {len(found.items)} items of this list.",
                next_step="Let somebody else sign it off.",
            )
        content, at = list_hash(found), utc_now()
        cursor = db.execute(
            "INSERT INTO checklist_sign_offs (scope, content_hash, person, at, note) VALUES (?, ?, ?, ?, ?)",
            [scope.key, content, person, at, note],
        )
    return SignOff(
        seq=int(cursor.lastrowid or 0), scope=scope, content_hash=content, person=person, at=at, note=note
    )  # fmt: skip


def sign_offs(project: Project) -> list[SignOff]:
    """Return all sign-offs, oldest first, those of earlier contents among them."""
    return [
        SignOff(
            seq=row["seq"], scope=Scope.of_key(row["scope"]), content_hash=row["content_hash"], person=row["person"],
            at=row["at"], note=row["note"],
        )
        for row in project.reading().query("SELECT * FROM checklist_sign_offs ORDER BY seq")
    ]  # fmt: skip


def unsigned(project: Project) -> list[Scope]:
    """Return the scopes with items whose present content nobody has signed off."""
    signed = {(each.scope.key, each.content_hash) for each in sign_offs(project)}
    return [
        one.scope for key, one in all_lists(project).items() if one.items and (key, list_hash(one)) not in signed
    ]  # fmt: skip


def release(project: Project, *, title: str, author: str, note: str = "") -> Release:
    """Freeze all lists under the next number.

    Raises:
        BadInput: if there is no item, or a list is not signed off.
    """
    with project.writing(is_durable=True) as db:
        if not checklist_store.list_items(project):
            raise BadInput("There is no item to release.", next_step="Write one first.")
        open_scopes = unsigned(project)
        if open_scopes:
            names = ", ".join(scope.key for scope in open_scopes[:3])
            more = f" and {len(open_scopes) - 3} more" if len(open_scopes) > 3 else ""
            raise BadInput(f"Not signed off: {names}{more}.", next_step="Let a second person sign each list off.")
        content = {
            kind.value: {each.key: plain(each.state) for each in records.current(project, kind)}
            for kind in (RecordKind.ITEM, RecordKind.LIST)
        }
        text, at = to_json(content), utc_now()
        digest = hashlib.sha256(text.encode()).hexdigest()
        cursor = db.execute(
            "INSERT INTO checklist_releases (title, at, author, content_hash, note, content) VALUES (?, ?, ?, ?, ?, ?)",
            [title, at, author, digest, note, text],
        )
    return Release(
        number=int(cursor.lastrowid or 0), title=title, at=at, author=author, content_hash=digest, note=note,
        content=content,
    )  # fmt: skip


def releases(project: Project, *, with_content: bool = False) -> list[Release]:
    """Return all releases, oldest first."""
    return [
        Release(
            number=row["number"], title=row["title"], at=row["at"], author=row["author"],
            content_hash=row["content_hash"], note=row["note"],
            content=from_json(row["content"]) if with_content else {},
        )
        for row in project.reading().query("SELECT * FROM checklist_releases ORDER BY number")
    ]  # fmt: skip


def release_lists(found: Release) -> tuple[dict[ItemId, Item], dict[str, ListSettings]]:
    """Return the items (retired ones left out) and settings of a release that was read with its content."""
    items = {
        ItemId(key): checklist_store.item_of_state(key, dict(state))
        for key, state in dict(found.content.get("item", {})).items()  # type: ignore[call-overload]  # JSON object
    }
    settings = {
        str(key): checklist_store.settings_of_state(dict(state))
        for key, state in dict(found.content.get("list", {})).items()  # type: ignore[call-overload]  # JSON object
    }
    return {key: item for key, item in items.items() if not item.is_retired}, settings
