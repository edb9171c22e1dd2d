"""Small material for stories: folders of slide pictures, and tables."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

SYSTEMS = ("Aster", "Birch", "Cedar", "Dahlia", "Elder")


def picture(path: Path, *, seed: int, size: tuple[int, int] = (320, 180)) -> Path:
    """Write a slide picture of coloured blocks; other seeds give other pictures."""
    draws = random.Random(seed)
    image = Image.new("RGB", size, tuple(draws.randrange(200, 256) for _ in range(3)))
    canvas = ImageDraw.Draw(image)
    for _ in range(6):
        x, y = draws.randrange(size[0] - 60), draws.randrange(size[1] - 40)
        canvas.rectangle((x, y, x + 55, y + 30), fill=tuple(draws.randrange(256) for _ in range(3)))
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path)
    return path


def picture_deck(folder: Path, *, seed: int, slides: int = 2, size: tuple[int, int] = (320, 180)) -> Path:
    """Write a deck as a folder of slide pictures."""
    for number in range(1, slides + 1):
        picture(folder / f"slide_{number}.png", seed=1000 * seed + number, size=size)
    return folder


def instances(folder: Path, names: Iterable[str], *, systems: Sequence[str] = SYSTEMS, slides: int = 1) -> Path:
    """Write instance folders with a source, an instruction and a picture deck of each system."""
    for position, name in enumerate(names):
        instance = folder / name
        (instance / "sources").mkdir(parents=True)
        (instance / "sources" / "text.md").write_text(f"# About {name}\n\nSome facts.\n", encoding="utf-8")
        (instance / "instruction.md").write_text(f"# {name.title()}\n\nMake five slides.\n", encoding="utf-8")
        for number, system in enumerate(systems):
            picture_deck(instance / "decks" / system, seed=100 * position + number, slides=slides)
    return folder


def write_csv(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    """Write rows as a CSV table with the keys of the first as its header."""
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def ranking_rows(ranks: Mapping[str, Mapping[str, object]], *, person: str = "Ada") -> list[dict[str, object]]:
    """Return rows of a rankings table: instance → system → rank."""
    return [
        {"instance_id": instance, "annotator_id": person, "system": system, "rank": rank}
        for instance, placed in ranks.items()
        for system, rank in placed.items()
    ]


def score_rows(values: Mapping[str, Mapping[str, object]], *, metric: str = "m") -> list[dict[str, object]]:
    """Return rows of a scores table: instance → system → value, or None for an undefined one."""
    return [
        {
            "metric": metric,
            "instance_id": instance,
            "system": system,
            "value": "" if value is None else value,
            "undefined_reason": "not_measured" if value is None else "",
        }
        for instance, placed in values.items()
        for system, value in placed.items()
    ]
