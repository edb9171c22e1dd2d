"""Annotators in the database."""

from __future__ import annotations

from studio.errors import BadInput
from studio.model.answers import Annotator, Role
from studio.model.ids import AnnotatorId, new_id
from studio.store.project import Project


def list_annotators(project: Project) -> list[Annotator]:
    """Return everyone who may answer, by name."""
    rows = project.reading().query("SELECT * FROM annotators ORDER BY name")
    return [
        Annotator(
            id=AnnotatorId(row["id"]),
            name=row["name"],
            group=row["grp"],
            role=Role(row["role"]),
            is_sample=bool(row["is_sample"]),
        )
        for row in rows
    ]


def annotator_named(
    project: Project,
    name: str,
    *,
    identifier: str = "",
    group: str = "",
    role: Role = Role.ANNOTATOR,
    is_sample: bool = False,
) -> Annotator:
    """Return the annotator with this name or id, made if there is none, under `identifier` if one is given.

    Raises:
        BadInput: if the name is blank.
    """
    if not name.strip():
        raise BadInput("A profile needs a name.", next_step="Type one.")
    found = _find(project, name)
    if found is not None:
        return found
    # On one line: it comes from tables and packs of others, and stands in file names, tables and menus.
    name = " ".join(name.split())
    with project.writing(is_durable=True) as db:
        # Looked up again inside the transaction: two threads may ask for the same new name at once.
        found = _find(project, name)
        if found is not None:
            return found
        person = Annotator(
            id=AnnotatorId(identifier or new_id("annotator")), name=name, group=group, role=role, is_sample=is_sample
        )
        db.execute(
            "INSERT INTO annotators VALUES (?, ?, ?, ?, ?)",
            [person.id, person.name, person.group, person.role.value, person.is_sample],
        )
    return person


def update_annotator(project: Project, person: Annotator) -> None:
    """Store a person's changed group and role."""
    with project.writing(is_durable=True) as db:
        db.execute("UPDATE annotators SET grp = ?, role = ? WHERE id = ?", [person.group, person.role.value, person.id])


def _find(project: Project, name: str) -> Annotator | None:
    return next((person for person in list_annotators(project) if name in (person.name, person.id)), None)
