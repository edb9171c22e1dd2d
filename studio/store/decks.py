"""Instances, sources, systems, decks and slides in the database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.model.decks import (
    Deck,
    DeckFacts,
    DeckFormat,
    DeckStatus,
    DeckWarning,
    Failure,
    Instance,
    RenderState,
    Slide,
    Source,
    SourceFormat,
    System,
    TextBox,
)
from studio.model.ids import DeckId, InstanceId, Sha256, SourceId, SystemId, new_id
from studio.store.page_cache import mark_used
from studio.store.project import Project, utc_now
from studio.store.values import from_json, plain, to_json

_DECKS = """SELECT d.*, s.name AS system, r.state AS render_state, r.reason AS render_reason, r.pages AS pages,
    r.width_px AS raster_w, r.height_px AS raster_h, r.missing_fonts AS render_fonts, r.warnings AS render_warnings
    FROM visible_decks d JOIN systems s ON s.id = d.system_id JOIN instances i ON i.id = d.instance_id
    LEFT JOIN renders r ON r.deck_id = d.id AND r.asset = d.asset"""


@dataclass(frozen=True, kw_only=True)
class Rendering:
    """The outcome of rendering one deck, as stored."""

    deck_id: DeckId
    asset: Sha256
    state: RenderState
    reason: str = ""
    renderer: str = ""
    pages: int = 0
    raster_px: tuple[int, int] = (0, 0)
    missing_fonts: tuple[str, ...] = ()
    warnings: tuple[DeckWarning, ...] = ()
    folder: str = ""
    """Relative to the project's cache folder."""
    seconds: float = 0.0
    slides: tuple[Slide, ...] = ()


def add_instance(project: Project, instance: Instance) -> None:
    """Store a new instance."""
    with project.writing() as db:
        position = db.execute("SELECT coalesce(max(position), 0) + 1 FROM instances").fetchone()[0]
        db.execute(
            "INSERT INTO instances VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                instance.id, instance.name, instance.title, instance.instruction, instance.scenario,
                instance.domain, instance.language, instance.difficulty, position,
            ],
        )  # fmt: skip


def update_instance(project: Project, instance: Instance) -> None:
    """Store an instance's changed fields."""
    with project.writing() as db:
        db.execute(
            "UPDATE instances SET name = ?, title = ?, instruction = ?, scenario = ?, domain = ?, language = ?, "
            "difficulty = ? WHERE id = ?",
            [
                instance.name, instance.title, instance.instruction, instance.scenario, instance.domain,
                instance.language, instance.difficulty, instance.id,
            ],
        )  # fmt: skip


def list_instances(project: Project) -> list[Instance]:
    """Return all instances in the order in which they came."""
    rows = _rows(project, "SELECT * FROM instances WHERE id NOT IN (SELECT id FROM removed) ORDER BY position")
    return [
        Instance(
            id=InstanceId(row["id"]), name=row["name"], title=row["title"], instruction=row["instruction"],
            scenario=row["scenario"], domain=row["domain"], language=row["language"], difficulty=row["difficulty"],
        )
        for row in rows
    ]  # fmt: skip


def add_source(project: Project, source: Source) -> None:
    """Store a new source of an instance."""
    with project.writing() as db:
        db.execute(
            "INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                source.id,
                source.instance_id,
                source.name,
                source.format,
                source.asset,
                source.extension,
                source.size_bytes,
            ],
        )


def list_sources(project: Project, instance_id: InstanceId | None = None) -> list[Source]:
    """Return the sources of one instance, or of all."""
    rows = _rows(
        project,
        "SELECT * FROM sources WHERE (? IS NULL OR instance_id = ?) "
        "AND instance_id NOT IN (SELECT id FROM removed) ORDER BY name",
        [instance_id, instance_id],
    )
    return [
        Source(
            id=SourceId(row["id"]), instance_id=InstanceId(row["instance_id"]), name=row["name"],
            format=SourceFormat(row["format"]), asset=Sha256(row["asset"]), extension=row["extension"],
            size_bytes=row["size_bytes"],
        )
        for row in rows
    ]  # fmt: skip


def system_named(project: Project, name: str) -> System:
    """Return the system with this name, made if it is new."""
    with project.writing() as db:
        db.execute(
            "INSERT INTO systems VALUES (?, ?, '', '', '', '', '') ON CONFLICT (name) DO NOTHING",
            [new_id("system"), name],
        )
    return next(system for system in list_systems(project) if system.name == name)


def update_system(project: Project, system: System) -> None:
    """Store a system's record."""
    with project.writing() as db:
        db.execute(
            "UPDATE systems SET name = ?, version = ?, paradigm = ?, access_date = ?, settings = ?, adaptation = ? "
            "WHERE id = ?",
            [
                system.name, system.version, system.paradigm, system.access_date, system.settings,
                system.adaptation, system.id,
            ],
        )  # fmt: skip


def list_systems(project: Project) -> list[System]:
    """Return all systems by name."""
    return [
        System(
            id=SystemId(row["id"]), name=row["name"], version=row["version"], paradigm=row["paradigm"],
            access_date=row["access_date"], settings=row["settings"], adaptation=row["adaptation"],
        )
        for row in _rows(project, "SELECT * FROM systems WHERE id NOT IN (SELECT id FROM removed) ORDER BY name")
    ]  # fmt: skip


def add_deck(project: Project, deck: Deck, *, facts: DeckFacts | None = None, failure: Failure | None = None) -> None:
    """Store a new deck of an instance, or the record that a system has none."""
    with project.writing() as db:
        db.execute(
            "INSERT INTO decks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                deck.id, deck.instance_id, deck.system_id, deck.status, deck.reason, failure.kind if failure else "",
                deck.format, deck.asset, deck.extension, deck.original_name, deck.size_bytes, deck.slides,
                deck.hidden_slides, to_json(deck.warnings), to_json(facts) if facts else "{}",
            ],
        )  # fmt: skip


def replace_deck(
    project: Project, deck: Deck, *, facts: DeckFacts | None = None, failure: Failure | None = None
) -> None:
    """Store another file, or another reason why there is none, for a deck that is on record."""
    with project.writing() as db:
        db.execute(
            "UPDATE decks SET status = ?, reason = ?, failure_kind = ?, format = ?, asset = ?, extension = ?, "
            "original_name = ?, size_bytes = ?, slides = ?, hidden_slides = ?, warnings = ?, facts = ? WHERE id = ?",
            [
                deck.status, deck.reason, failure.kind if failure else "", deck.format, deck.asset, deck.extension,
                deck.original_name, deck.size_bytes, deck.slides, deck.hidden_slides, to_json(deck.warnings),
                to_json(facts) if facts else "{}", deck.id,
            ],
        )  # fmt: skip
        db.execute("DELETE FROM slides WHERE deck_id = ?", [deck.id])


def removed_deck(project: Project, instance_id: InstanceId, system: str) -> DeckId | None:
    """Return the deck of a system for an instance that was removed by itself, or None."""
    row = next(
        _rows(
            project,
            "SELECT d.id AS id FROM decks d JOIN systems s ON s.id = d.system_id JOIN removed r ON r.id = d.id "
            "WHERE d.instance_id = ? AND s.name = ?",
            [instance_id, system],
        ),
        None,
    )
    return DeckId(row["id"]) if row else None


def bring_back(project: Project, deck_id: DeckId) -> None:
    """Show a removed deck again."""
    with project.writing() as db:
        db.execute("DELETE FROM removed WHERE id = ?", [deck_id])


def list_decks(project: Project, instance_id: InstanceId | None = None) -> list[Deck]:
    """Return the decks of one instance, or of all, in the order of instances and then of systems."""
    rows = _rows(
        project,
        f"{_DECKS} WHERE (? IS NULL OR d.instance_id = ?) ORDER BY i.position, s.name",
        [instance_id, instance_id],
    )
    return [_deck(row) for row in rows]


def recorded_assets(project: Project) -> set[tuple[Sha256, str]]:
    """Return content and extension of every original that decks and sources have."""
    rows = _rows(
        project,
        "SELECT asset, extension FROM visible_decks WHERE asset <> '' UNION "
        "SELECT asset, extension FROM sources WHERE instance_id NOT IN (SELECT id FROM removed)",
    )
    return {(Sha256(row["asset"]), row["extension"]) for row in rows}


def deck_facts(project: Project) -> dict[DeckId, dict[str, Any]]:
    """Return what `inspect` said of each deck, as JSON values."""
    return {DeckId(row["id"]): from_json(row["facts"]) for row in _rows(project, "SELECT id, facts FROM decks")}


def record_rendering(project: Project, rendering: Rendering) -> None:
    """Store how rendering a deck ended, and its slides, in place of what was known before."""
    with project.writing() as db:
        db.execute(
            "INSERT OR REPLACE INTO renders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                rendering.deck_id, rendering.asset, rendering.state, rendering.reason, rendering.renderer,
                rendering.pages, *rendering.raster_px, to_json(rendering.missing_fonts), to_json(rendering.warnings),
                rendering.folder, rendering.seconds, utc_now(),
            ],
        )  # fmt: skip
        if rendering.state is RenderState.FAILED:
            return
        db.execute("DELETE FROM slides WHERE deck_id = ?", [rendering.deck_id])
        db.conn.executemany(
            "INSERT INTO slides (deck_id, number, page, is_hidden, text, notes, boxes, width_px, height_px, fonts, "
            "missing_fonts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    rendering.deck_id, slide.number, slide.page, slide.is_hidden, slide.text, slide.notes,
                    None if slide.boxes is None else to_json(slide.boxes), slide.width_px, slide.height_px,
                    to_json(slide.fonts), to_json(slide.missing_fonts),
                )
                for slide in rendering.slides
            ],
        )  # fmt: skip
        db.execute(
            "UPDATE decks SET slides = ?, hidden_slides = ? WHERE id = ?",
            [len(rendering.slides), sum(slide.is_hidden for slide in rendering.slides), rendering.deck_id],
        )


def list_slides(project: Project, deck_id: DeckId) -> list[Slide]:
    """Return a deck's slides in their order, hidden ones among them."""
    rows = _rows(project, "SELECT * FROM slides WHERE deck_id = ? ORDER BY number", [deck_id])
    return [
        Slide(
            deck_id=deck_id, number=row["number"], page=row["page"], is_hidden=bool(row["is_hidden"]),
            text=row["text"], notes=row["notes"], boxes=_boxes(row["boxes"]), width_px=row["width_px"],
            height_px=row["height_px"], fonts=tuple(from_json(row["fonts"])),
            missing_fonts=tuple(from_json(row["missing_fonts"])),
        )
        for row in rows
    ]  # fmt: skip


def page_folder(project: Project, deck_id: DeckId) -> Path | None:
    """Return the folder of a deck's rendered pages, or None if it is not rendered or the cache was emptied."""
    row = next(
        _rows(
            project,
            "SELECT r.folder AS folder FROM renders r JOIN decks d ON d.id = r.deck_id AND d.asset = r.asset "
            "WHERE r.deck_id = ? AND r.state = 'rendered'",
            [deck_id],
        ),
        None,
    )
    if row is None:
        return None
    folder = project.cache_folder / str(row["folder"])
    if not folder.is_dir():
        return None
    mark_used(folder)
    return folder


def renderer_of(project: Project, deck_id: DeckId) -> str:
    """Return the name and version of what rendered a deck; empty if nothing has."""
    row = next(_rows(project, "SELECT renderer FROM renders WHERE deck_id = ?", [deck_id]), None)
    return str(row["renderer"]) if row else ""


def _deck(row: dict[str, Any]) -> Deck:
    is_rendered = row["render_state"] == RenderState.RENDERED
    warnings = [
        *from_json(row["warnings"]),
        *(from_json(row["render_warnings"]) if row["render_warnings"] else []),
    ]
    return Deck(
        id=DeckId(row["id"]), instance_id=InstanceId(row["instance_id"]), system_id=SystemId(row["system_id"]),
        system=row["system"], status=DeckStatus(row["status"]), reason=row["reason"],
        format=DeckFormat(row["format"]) if row["format"] else None,
        asset=Sha256(row["asset"]) if row["asset"] else None, extension=row["extension"],
        original_name=row["original_name"], size_bytes=row["size_bytes"], slides=row["slides"],
        hidden_slides=row["hidden_slides"], warnings=tuple(DeckWarning(**item) for item in warnings),
        render_state=RenderState(row["render_state"] or RenderState.PENDING),
        render_reason=row["render_reason"] or "", pages_rendered=row["pages"] or 0,
        raster_px=(row["raster_w"], row["raster_h"]) if is_rendered else None,
        missing_fonts=tuple(from_json(row["render_fonts"])) if row["render_fonts"] else (),
    )  # fmt: skip


def _boxes(text: str | None) -> tuple[TextBox, ...] | None:
    return None if text is None else tuple(TextBox(**box) for box in from_json(text))


def _rows(project: Project, sql: str, parameters: Sequence[object] = ()) -> Iterator[dict[str, Any]]:
    return iter(project.reading().query(sql, [plain(value) for value in parameters]))
