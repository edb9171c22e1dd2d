"""An alignment set for others: one folder with tables, pairs, guidelines, a card and checksums."""

from __future__ import annotations

import hashlib
import os
import random
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jinja2
from markdown_it import MarkdownIt
from markupsafe import escape

from studio import __version__
from studio.decks.vector_files import html_to_pdf
from studio.errors import BadInput
from studio.exchange.files import csv_text, jsonl_text
from studio.exchange.table_formats import markdown_escaped, parquet_bytes
from studio.model.quality import Guidelines
from studio.paths import resource
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import quality as quality_store
from studio.store.checklists import as_curated
from studio.store.project import Project, utc_now

PEOPLE_COLUMNS = ("annotator_id", "reviewer_id", "audited_by", "who_a", "who_b")
"""Columns that hold who it was."""
BY_NAME = "audited_by"
"""The one of these that holds a name as it was typed, and no id."""
OWN_WORDS = ("comment", "comments", "note")
"""Columns in which people write freely; they name others there."""
CHECKSUMS = "SHA256SUMS"

INSTANCES = ("instance_id", "name", "title", "scenario", "domain", "language", "difficulty", "instruction")
DECKS = ("deck_id", "instance_id", "system", "status", "format", "slides", "sha256")

Table = tuple[Sequence[str], list[dict[str, Any]]]

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


@dataclass(frozen=True, kw_only=True)
class Release:
    """What was written."""

    folder: Path
    rows: Mapping[str, int]
    """Rows of each table."""
    annotators: int
    left_out: Mapping[str, int] = field(default_factory=dict)
    """What is in the project and not in the release, such as drafts."""


def write_release(
    project: Project, out: Path, tables: Mapping[str, Table], *, licence: str = "", with_comments: bool = False
) -> Release:
    """Write the folder whole, or not at all.

    Args:
        project: an open project.
        out: a folder that is not there yet, or empty.
        tables: columns and rows by name; empty ones are left out. Drafts stay at home.
        licence: of the data, as the authors state it; an SPDX name such as ``cc-by-4.0``.
        with_comments: whether people's free words go along.

    Raises:
        BadInput: if the folder holds something, or cannot be written.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadInput(f"{out} is there already.", next_step="Name a folder that is not there yet.")
    people = people_store.list_annotators(project)
    typed = {str(row[BY_NAME]) for _, rows in tables.values() for row in rows if row.get(BY_NAME)}
    strangers = sorted(typed - {person.name for person in people})
    names = pseudonyms([*(person.id for person in people), *strangers])
    auditors = {name: names[name] for name in strangers} | {person.name: names[person.id] for person in people}
    left_out: dict[str, int] = {}
    found: dict[str, Table] = {"instances": _instances(project), "decks": _decks(project)}
    for name, (columns, rows) in tables.items():
        kept = [row for row in rows if row.get("status") != "draft"]
        if len(rows) > len(kept):
            left_out[f"drafts in {name}"] = len(rows) - len(kept)
        shown = [column for column in columns if with_comments or column not in OWN_WORDS]
        if kept:
            found[name] = (shown, [_without_names(row, names, auditors) for row in kept])
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".release-", dir=out.parent) as scratch:
            made = Path(scratch) / "release"
            _write(project, made, found, licence)
            if out.exists():
                out.rmdir()
            os.replace(made, out)
            out.chmod(0o755)
    except OSError as error:
        raise BadInput(
            f"{out} cannot be written ({error.strerror or error}).", next_step="Choose another place."
        ) from error
    used = {row[column] for _, rows in found.values() for row in rows for column in PEOPLE_COLUMNS if row.get(column)}
    return Release(
        folder=out, rows={name: len(rows) for name, (_, rows) in found.items()},
        annotators=len(used & set(names.values())), left_out=left_out,
    )  # fmt: skip


def pseudonyms(people: Iterable[str]) -> dict[str, str]:
    """Return ``annotator-01`` and so on for people, in an order that is drawn anew each time."""
    drawn = list(people)
    random.SystemRandom().shuffle(drawn)
    width = max(2, len(str(len(drawn))))
    return {person: f"annotator-{number:0{width}d}" for number, person in enumerate(drawn, start=1)}


def checksums(folder: Path) -> str:
    """Return a line ``sha256  path`` for each file of a folder, as `sha256sum --check` reads it."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != CHECKSUMS)
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}\n" for path in files
    )


def guidelines_html(guidelines: Guidelines) -> str:
    """Return a version of the guidelines as one HTML page; HTML inside it is shown, not obeyed."""
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(guidelines.text)
    title = escape(f"Guidelines {guidelines.version}")
    return (
        f'<!doctype html>\n<html><head><meta charset="utf-8"><title>{title}</title></head><body>{body}</body></html>\n'
    )


def _write(project: Project, made: Path, tables: Mapping[str, Table], licence: str) -> None:
    writers: dict[str, Callable[[Sequence[str], list[dict[str, Any]]], str | bytes]] = {
        "parquet": parquet_bytes, "csv": csv_text, "jsonl": jsonl_text,
    }  # fmt: skip
    for name, (columns, rows) in tables.items():
        for ending, write in writers.items():
            _put(made / ("data" if ending == "parquet" else ending) / f"{name}.{ending}", write(columns, rows))
    versions = quality_store.list_guidelines(project)
    for guidelines in versions:
        place = made / "guidelines" / _file_name(guidelines.version)
        html = guidelines_html(guidelines)
        _put(place.with_name(f"{place.name}.md"), guidelines.text)
        _put(place.with_name(f"{place.name}.html"), html)
        _put(place.with_name(f"{place.name}.pdf"), html_to_pdf(html))
    _put(made / "README.md", _card(project, tables, licence, [each.version for each in versions]))
    _put(made / CHECKSUMS, checksums(made))


def _card(project: Project, tables: Mapping[str, Table], licence: str, guidelines: Sequence[str]) -> str:
    instances = deck_store.list_instances(project)
    people = people_store.list_annotators(project)
    n_rows = max((len(rows) for _, rows in tables.values()), default=0)
    values = {
        "title": project.title, "licence": licence, "made": utc_now()[:10], "version": __version__,
        "languages": sorted({item.language for item in instances if item.language}),
        "size": next((words for limit, words in _SIZES if n_rows < limit), "n>1M"),
        "tables": {name: (len(rows), list(columns)) for name, (columns, rows) in tables.items()},
        "n_instances": len(instances),
        "systems": sorted({deck.system for deck in deck_store.list_decks(project)}),
        "n_people": len(people), "n_invented": sum(person.is_sample for person in people), "guidelines": guidelines,
    }  # fmt: skip
    environment = jinja2.Environment(
        autoescape=False, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True,
    )  # fmt: skip
    environment.filters |= {"quoted": _quoted, "plain": markdown_escaped}
    return environment.from_string(resource("report/dataset-card.md").read_text(encoding="utf-8")).render(values)


def _quoted(text: str) -> str:
    """Return text as a YAML string in double quotes."""
    escaped = " ".join(str(text).split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _instances(project: Project) -> Table:
    rows = [
        {
            "instance_id": each.id, "name": each.name, "title": each.title, "scenario": each.scenario,
            "domain": each.domain, "language": each.language, "difficulty": each.difficulty,
            "instruction": each.instruction,
        }
        for each in as_curated(project, deck_store.list_instances(project))
    ]  # fmt: skip
    return INSTANCES, rows


def _decks(project: Project) -> Table:
    rows = [
        {
            "deck_id": each.id, "instance_id": each.instance_id, "system": each.system, "status": each.status.value,
            "format": each.format.value if each.format else None, "slides": each.slides, "sha256": each.asset,
        }
        for each in deck_store.list_decks(project)
    ]  # fmt: skip
    return DECKS, rows


def _without_names(row: Mapping[str, Any], names: Mapping[str, str], auditors: Mapping[str, str]) -> dict[str, Any]:
    return {
        column: (auditors if column == BY_NAME else names).get(value, value)
        if column in PEOPLE_COLUMNS and isinstance(value, str)
        else value
        for column, value in row.items()
    }


def _put(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)


def _file_name(version: str) -> str:
    safe = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in version).strip(".-")
    return safe or "guidelines"
