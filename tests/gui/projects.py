"""Small projects for tests of pages: decks with drawn slides, no LibreOffice needed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from studio.model.decks import (
    Deck,
    DeckFacts,
    DeckFormat,
    DeckStatus,
    DeckWarning,
    Instance,
    RenderState,
    Slide,
    Source,
    SourceFormat,
    TextBox,
)
from studio.model.ids import DeckId, InstanceId, Sha256, SourceId
from studio.store import decks as deck_store
from studio.store.project import Project

SYSTEMS = ("alpha", "beta", "gamma")
LOOKS = (("#ffffff", "#1f2a3a", "#5b82e0"), ("#0f172a", "#e2e8f0", "#2f9bd0"), ("#fff7ea", "#7c2d12", "#ee8248"))


def make_project(
    folder: Path, *, instances: int = 2, systems: Sequence[str] = SYSTEMS, slides: int = 3, title: str = "Study"
) -> Project:
    """Return an open project with rendered decks of every system for every instance, and one source each."""
    project = Project.create(folder, title=title)
    for number in range(1, instances + 1):
        instance = add_instance(project, f"instance-{number}", scenario=("lecture", "report")[number % 2])
        add_source(project, instance.id)
        for system in systems:
            add_deck(project, instance.id, system, slides=slides)
    return project


def add_instance(project: Project, name: str, *, title: str = "", **fields: str) -> Instance:
    """Store an instance; its id is `i_` and its name."""
    fields = {"language": "en"} | fields
    instance = Instance(id=InstanceId(f"i_{name}"), name=name, title=title or name.replace("-", " ").title(), **fields)
    deck_store.add_instance(project, instance)
    return instance


def add_source(project: Project, instance_id: InstanceId, name: str = "source.md", text: str = "# One\n") -> Source:
    """Store a Markdown source with its file."""
    content = f"{text}{instance_id}".encode()
    asset = Sha256(hashlib.sha256(content).hexdigest())
    project.asset_path(asset, "md").write_bytes(content)
    source = Source(
        id=SourceId(f"s_{instance_id}_{name}".replace(".", "_")), instance_id=instance_id, name=name,
        format=SourceFormat.MARKDOWN, asset=asset, extension="md", size_bytes=len(content),
    )  # fmt: skip
    deck_store.add_source(project, source)
    return source


def add_deck(
    project: Project,
    instance_id: InstanceId,
    system: str,
    *,
    slides: int = 3,
    status: DeckStatus = DeckStatus.PRESENT,
    reason: str = "",
    render: RenderState = RenderState.RENDERED,
    render_reason: str = "",
    warnings: tuple[DeckWarning, ...] = (),
    hidden: tuple[int, ...] = (),
    missing_fonts: tuple[str, ...] = (),
    facts: DeckFacts | None = None,
) -> DeckId:
    """Store a deck; its id is `d_`, the instance's id and the system. A rendered one gets drawn slides."""
    deck_id = DeckId(f"d_{instance_id}_{system}")
    has_file = status is DeckStatus.PRESENT
    asset = Sha256(hashlib.sha256(deck_id.encode()).hexdigest()) if has_file else None
    if asset is not None:
        project.asset_path(asset, "pptx").write_bytes(deck_id.encode())
    deck_store.add_deck(
        project,
        Deck(
            id=deck_id, instance_id=instance_id, system_id=deck_store.system_named(project, system).id, system=system,
            status=status, reason=reason, format=DeckFormat.PPTX if has_file else None, asset=asset,
            extension="pptx" if has_file else "", original_name=f"{system}.pptx" if has_file else "",
            size_bytes=120_000 if has_file else 0, slides=slides if has_file else 0, hidden_slides=len(hidden),
            warnings=warnings,
        ),
        facts=facts,
    )  # fmt: skip
    if asset is not None and render is not RenderState.PENDING:
        render_deck(
            project, deck_id, asset, slides=slides, state=render, reason=render_reason, hidden=hidden,
            missing_fonts=missing_fonts,
        )  # fmt: skip
    return deck_id


def render_deck(
    project: Project,
    deck_id: DeckId,
    asset: Sha256,
    *,
    slides: int,
    state: RenderState = RenderState.RENDERED,
    reason: str = "",
    hidden: tuple[int, ...] = (),
    missing_fonts: tuple[str, ...] = (),
) -> None:
    """Store how rendering went, with drawn pictures of 320 × 180 and 120 × 68 pixels where it went well."""
    is_good = state is RenderState.RENDERED
    folder = f"pages-{asset[:12]}"
    shown = [number for number in range(1, slides + 1) if number not in hidden]
    if is_good:
        (project.cache_folder / folder).mkdir()
        look = LOOKS[int(asset[:4], 16) % len(LOOKS)]
        for number in shown:
            draw_slide(project.cache_folder / folder / f"slide_{number:04}.png", look, number, (320, 180))
            draw_slide(project.cache_folder / folder / f"thumb_{number:04}.png", look, number, (120, 68))
    deck_store.record_rendering(
        project,
        deck_store.Rendering(
            deck_id=deck_id, asset=asset, state=state, reason=reason, renderer="drawn by the tests" if is_good else "",
            pages=len(shown) if is_good else 0, raster_px=(320, 180) if is_good else (0, 0),
            missing_fonts=missing_fonts, folder=folder if is_good else "",
            slides=tuple(
                Slide(
                    deck_id=deck_id, number=number, page=shown.index(number) + 1 if number in shown else None,
                    is_hidden=number in hidden, text=f"Slide {number}", width_px=320, height_px=180,
                    boxes=(TextBox(x0=0.06, y0=0.08, x1=0.5, y1=0.16, text=f"Slide {number}"),),
                )
                for number in range(1, slides + 1)
            ),
        ),
    )  # fmt: skip


def draw_slide(path: Path, look: tuple[str, str, str], number: int, size: tuple[int, int]) -> None:
    """Write a slide with a title bar, lines and a figure; no two numbers look alike."""
    ground, ink, colour = look
    image = Image.new("RGB", size, ground)
    draw = ImageDraw.Draw(image)
    unit = size[0] / 100
    draw.rectangle((6 * unit, 5 * unit, 51 * unit, 9 * unit), fill=ink)
    for line in range(4):
        length = 22 + (line * 7 + number * 11) % 24
        draw.rectangle((6 * unit, (16 + line * 7) * unit, (6 + length) * unit, (18 + line * 7) * unit), fill=ink)
    draw.ellipse((60 * unit, 14 * unit, (72 + number % 9) * unit, (26 + number % 9) * unit), fill=colour)
    image.save(path)
