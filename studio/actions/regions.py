"""Text regions of a deck's slides: out to a file in the detector's layout, and in from one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.errors import BadInput
from studio.exchange.files import write_whole
from studio.metrics.boxes_json import read_boxes
from studio.metrics.slides import PixelBox
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import Deck, RenderState, Slide, slide_file_name
from studio.model.ids import DeckId
from studio.model.regions import PictureRegion, RegionsOrigin, SlideRegions
from studio.store import decks as deck_store
from studio.store import regions as region_store
from studio.store.project import Project
from studio.store.values import to_json


@dataclass(frozen=True, kw_only=True)
class RegionsImport:
    """What bringing regions in came to."""

    deck_id: DeckId
    slides: int
    """Slides that have regions of this file now."""
    regions: int
    outside: int
    """Regions that reach beyond their slide's picture; what lies inside counts."""
    unknown: tuple[str, ...]
    """Names in the file that are no slide of the deck."""


def deck_named(project: Project, name: str, *, instance: str = "") -> Deck:
    """Return the deck with this id, or of the system with this name.

    Raises:
        BadInput: if there is none, or several; the message says what to add.
    """
    instances = {item.id: item for item in deck_store.list_instances(project)}
    decks = deck_store.list_decks(project)
    found = [
        deck
        for deck in decks
        if name in {deck.id, deck.system}
        and (not instance or instance in {deck.instance_id, instances[deck.instance_id].name})
    ]
    if not found:
        known = ", ".join(sorted({deck.system for deck in decks})) or "none"
        raise BadInput(f"There is no deck called {name}.", next_step=f"Systems of this project: {known}.")
    if len(found) > 1:
        names = ", ".join(instances[deck.instance_id].name for deck in found)
        raise BadInput(f"{name} has {len(found)} decks.", next_step=f"Add --instance; there are: {names}.")
    return found[0]


def regions_json(project: Project, deck_id: DeckId) -> dict[str, Any]:
    """Return the regions of a deck's slides in the layout of the detector, keyed by the stem of the picture.

    Each slide has ``{"input_path", "size_px", "origin", "source", "boxes": [{"cls_id", "label", "score",
    "coordinate": [x0, y0, x1, y1], "text"}]}`` in pixels of its picture. Slides of which nobody knows where
    their text is are left out.

    Raises:
        BadInput: if no region of the deck is known.
    """
    foreign = region_store.slide_regions(project, deck_id)
    result: dict[str, Any] = {}
    for slide in deck_store.list_slides(project, deck_id):
        if slide.page is None:
            continue
        regions = foreign.get(slide.number)
        if slide.boxes is not None and (regions is None or regions.origin is not RegionsOrigin.IMPORTED):
            regions = _own(slide)
        if regions is not None:
            result[_stem(slide.number)] = _slide_json(regions)
    if not result:
        raise BadInput("No text regions of this deck are known.", next_step="Run: studio regions detect PROJECT")
    return result


def export_regions(project: Project, deck_id: DeckId, out: Path | None = None) -> Path:
    """Write the regions of a deck to a file, by default among the project's exports, and return it."""
    path = out or project.exports_folder / f"regions-{deck_id}.json"
    write_whole(path, to_json(regions_json(project, deck_id)) + "\n")
    return path


def import_regions(project: Project, deck_id: DeckId, source: Path) -> tuple[RegionsImport, Changes]:
    """Bring in where the text of a deck's slides is, in place of what was detected or is in its file.

    Args:
        project: an open project.
        deck_id: a rendered deck.
        source: a file or folder as `read_boxes` takes it, keyed by the stems ``slide_0001``…; in pixels of the
            slides' pictures.

    Raises:
        BadInput: if the deck has no pictures, the file is not in that layout, or none of its names is a slide.
    """
    deck = next(deck for deck in deck_store.list_decks(project) if deck.id == deck_id)
    if deck.render_state is not RenderState.RENDERED:
        raise BadInput(f"The deck of {deck.system} has no pictures yet.", next_step="Render it first.")
    found = read_boxes(source)
    slides = {_stem(slide.number): slide for slide in deck_store.list_slides(project, deck_id) if slide.page}
    known = {stem: boxes for stem, boxes in found.items() if stem in slides}
    if not known:
        raise BadInput(
            f"{source.name} names no slide of this deck.",
            next_step=f"Its keys must be {_stem(1)} and so on, as `studio regions export` writes them.",
        )
    imported = [
        SlideRegions(
            deck_id=deck_id, number=slides[stem].number, origin=RegionsOrigin.IMPORTED, source=source.name,
            width_px=slides[stem].width_px, height_px=slides[stem].height_px,
            regions=tuple(_region(box) for box in boxes),
        )
        for stem, boxes in known.items()
    ]  # fmt: skip
    region_store.import_regions(project, imported)
    report = RegionsImport(
        deck_id=deck_id, slides=len(imported), regions=sum(len(slide.regions) for slide in imported),
        outside=sum(_is_outside(region, slide) for slide in imported for region in slide.regions),
        unknown=tuple(sorted(set(found) - set(known))),
    )  # fmt: skip
    return report, changed(Topic.DECKS)


def remove_imported(project: Project, deck_id: DeckId) -> tuple[int, Changes]:
    """Forget regions that were brought in for a deck and return how many slides had them."""
    return region_store.remove_imported(project, deck_id), changed(Topic.DECKS)


def _own(slide: Slide) -> SlideRegions:
    return SlideRegions(
        deck_id=slide.deck_id, number=slide.number, origin=RegionsOrigin.IMPORTED, source="", width_px=slide.width_px,
        height_px=slide.height_px,
        regions=tuple(
            PictureRegion(
                x0=round(box.x0 * slide.width_px, 2), y0=round(box.y0 * slide.height_px, 2),
                x1=round(box.x1 * slide.width_px, 2), y1=round(box.y1 * slide.height_px, 2),
                label=box.label, text=box.text,
            )
            for box in slide.boxes or ()
        ),
    )  # fmt: skip


def _slide_json(regions: SlideRegions) -> dict[str, Any]:
    return {
        "input_path": slide_file_name(regions.number),
        "size_px": [regions.width_px, regions.height_px],
        "origin": regions.origin.value if regions.source else "file",
        "source": regions.source,
        "boxes": [
            {
                # The class number of "text" and "doc_title" in PP-DocLayout_plus-L; programs go by the label.
                "cls_id": {"text": 2, "doc_title": 10}.get(region.label, 2),
                "label": region.label,
                "score": region.score,
                "coordinate": [region.x0, region.y0, region.x1, region.y1],
                "text": region.text,
            }
            for region in regions.regions
        ],
    }


def _region(box: PixelBox) -> PictureRegion:
    return PictureRegion(
        x0=float(box.x0), y0=float(box.y0), x1=float(box.x1), y1=float(box.y1), score=box.score, label=box.label
    )


def _is_outside(region: PictureRegion, slide: SlideRegions) -> bool:
    return region.x0 < 0 or region.y0 < 0 or region.x1 > slide.width_px or region.y1 > slide.height_px


def _stem(number: int) -> str:
    return Path(slide_file_name(number)).stem
