"""Text regions that do not come from the decks' own files: found on pictures, or brought in by a person."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from studio.model.ids import DeckId, Sha256
from studio.model.regions import PictureRegion, PictureText, RegionsOrigin, SlideRegions
from studio.store.project import Project, utc_now
from studio.store.values import from_json, to_json

_OF_PICTURES = """SELECT s.number AS number, t.* FROM slide_pictures s
    JOIN renders r ON r.deck_id = s.deck_id AND r.at = s.rendered_at
    JOIN decks d ON d.id = s.deck_id AND d.asset = r.asset
    JOIN picture_texts t ON t.picture = s.picture AND t.detector = s.detector
    WHERE s.deck_id = ? ORDER BY s.number"""


def rendered_at(project: Project, deck_id: DeckId) -> str:
    """Return when the present pictures of a deck were made; empty if there are none."""
    row = project.reading().execute(
        "SELECT r.at FROM renders r JOIN decks d ON d.id = r.deck_id AND d.asset = r.asset "
        "WHERE r.deck_id = ? AND r.state = 'rendered'",
        [deck_id],
    ).fetchone()  # fmt: skip
    return str(row[0]) if row else ""


def record_pictures(
    project: Project, deck_id: DeckId, made_at: str, numbers: Sequence[int], found: Iterable[PictureText]
) -> None:
    """Store what was found on pictures, and which slides they are the pictures of.

    Args:
        project: an open project.
        deck_id: the deck.
        made_at: when its pictures were made; regions of older pictures are then not its any more.
        numbers: the slide number of each picture.
        found: what was found on each.
    """
    at = utc_now()
    with project.writing() as db:
        for number, text in zip(numbers, found, strict=True):
            db.execute(
                "INSERT OR REPLACE INTO picture_texts VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    text.picture, text.detector, text.reader, text.width_px, text.height_px, to_json(text.regions),
                    round(text.seconds, 4), at,
                ],
            )  # fmt: skip
            db.execute(
                "INSERT OR REPLACE INTO slide_pictures VALUES (?, ?, ?, ?, ?)",
                [deck_id, number, text.picture, text.detector, made_at],
            )


def known_picture(project: Project, picture: Sha256, detector: str, *, reader: str = "") -> PictureText | None:
    """Return what this detector found on a picture before, read by this reader if one is named; else None."""
    rows = project.reading().query(
        "SELECT * FROM picture_texts WHERE picture = ? AND detector = ? AND (? = '' OR reader = ?)",
        [picture, detector, reader, reader],
    )
    return next((_picture(row) for row in rows), None)


def picture_texts(project: Project, deck_id: DeckId) -> dict[int, PictureText]:
    """Return what was found on the present pictures of a deck, by slide number."""
    return {int(row["number"]): _picture(row) for row in project.reading().query(_OF_PICTURES, [deck_id])}


def import_regions(project: Project, imported: Sequence[SlideRegions]) -> None:
    """Store regions that a person brought in, in place of earlier ones of the same slides."""
    at = utc_now()
    with project.writing(is_durable=True) as db:
        for slide in imported:
            db.execute(
                "INSERT OR REPLACE INTO imported_regions "
                "SELECT id, ?, coalesce(asset, ''), ?, ?, ?, ?, ? FROM decks WHERE id = ?",
                [
                    slide.number, slide.source, slide.width_px, slide.height_px, to_json(slide.regions), at,
                    slide.deck_id,
                ],
            )  # fmt: skip


def remove_imported(project: Project, deck_id: DeckId) -> int:
    """Return how many slides had regions that were brought in; they have none any more."""
    with project.writing(is_durable=True) as db:
        return int(db.execute("DELETE FROM imported_regions WHERE deck_id = ?", [deck_id]).rowcount)


def slide_regions(project: Project, deck_id: DeckId) -> dict[int, SlideRegions]:
    """Return a deck's regions that do not come from its file, by slide number; imported ones come first."""
    found = {
        number: SlideRegions(
            deck_id=deck_id, number=number, origin=RegionsOrigin.DETECTED, source=text.detector,
            width_px=text.width_px, height_px=text.height_px, regions=text.regions,
        )
        for number, text in picture_texts(project, deck_id).items()
    }  # fmt: skip
    rows = project.reading().query(
        "SELECT i.* FROM imported_regions i JOIN decks d ON d.id = i.deck_id AND coalesce(d.asset, '') = i.asset "
        "WHERE i.deck_id = ? ORDER BY i.number",
        [deck_id],
    )
    for row in rows:
        number = int(row["number"])
        found[number] = SlideRegions(
            deck_id=deck_id, number=number, origin=RegionsOrigin.IMPORTED, source=row["source"],
            width_px=row["width_px"], height_px=row["height_px"], regions=_regions(row["regions"]),
        )  # fmt: skip
    return found


def identity(regions: SlideRegions) -> str:
    """Return a name for these regions that changes whenever one of them does."""
    digest = hashlib.sha256(to_json(regions.regions).encode()).hexdigest()[:16]
    return f"{regions.number}:{regions.origin}:{regions.source}:{digest}"


def _picture(row: dict[str, Any]) -> PictureText:
    return PictureText(
        picture=Sha256(row["picture"]), detector=row["detector"], reader=row["reader"], width_px=row["width_px"],
        height_px=row["height_px"], regions=_regions(row["regions"]), seconds=row["seconds"],
    )  # fmt: skip


def _regions(text: str) -> tuple[PictureRegion, ...]:
    return tuple(PictureRegion(**region) for region in from_json(text))
