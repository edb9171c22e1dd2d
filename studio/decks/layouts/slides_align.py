"""The tree of Slides-Align1.5k: ``<Product>/<scenario>/<topic>/`` with a deck file and its page pictures."""

from __future__ import annotations

from pathlib import Path

from studio.decks.images import page_images
from studio.decks.layouts.plan import (
    DECK_SUFFIXES,
    PlannedDeck,
    PlannedInstance,
    Planning,
    entries,
    titled,
    with_distinct_systems,
)
from studio.model.decks import FailureKind

_IMAGES = "slide_images"


def is_slides_align(folder: Path) -> bool:
    """Say whether a folder holds product folders of that tree: page pictures three levels down."""
    return any(
        (topic / _IMAGES).is_dir()
        for product in _folders(folder)
        for scenario in _folders(product)
        for topic in _folders(scenario)
    )


def plan_slides_align(folder: Path, planning: Planning) -> None:
    """Plan one instance for each scenario and topic; the products are the systems.

    A product without a folder for a topic delivered nothing: that is a gap, not a failure. A deck file
    wins over its page pictures, which may be fewer.
    """
    found: dict[tuple[str, str], list[PlannedDeck]] = {}
    for product in _folders(folder):
        for scenario in _folders(product):
            for topic in _folders(scenario):
                deck = _deck(topic, product.name, planning)
                if deck is not None:
                    found.setdefault((scenario.name, topic.name), []).append(deck)
    if not found:
        planning.fail(folder, FailureKind.NOT_A_DECK, "has no tree <product>/<scenario>/<topic> with decks")
    topics = [topic for _, topic in found]
    for (scenario_name, topic_name), decks in sorted(found.items()):
        is_alone = topics.count(topic_name) == 1
        planning.add(
            PlannedInstance(
                name=topic_name if is_alone else f"{scenario_name}-{topic_name}",
                title=titled(topic_name),
                instruction=None,
                sources=(),
                decks=with_distinct_systems(decks),
                scenario=scenario_name,
            )
        )


def _folders(folder: Path) -> list[Path]:
    return [entry for entry in entries(folder) if entry.is_dir()]


def _deck(topic: Path, product: str, planning: Planning) -> PlannedDeck | None:
    files = [entry for entry in entries(topic) if entry.is_file() and entry.suffix.lower() in DECK_SUFFIXES]
    # PowerPoint first: it alone has a structure to look at.
    files.sort(key=lambda file: (file.suffix.lower() not in {".pptx", ".ppsx", ".potx"}, file.name))
    if files:
        for other in files[1:]:
            planning.fail(other, FailureKind.NOT_A_DECK, f"is a second deck of {product} beside {files[0].name}")
        return planning.deck(files[0], product)
    images = topic / _IMAGES
    if images.is_dir() and page_images(images):
        return planning.deck(images, product)
    planning.fail(topic, FailureKind.EMPTY, f"holds no deck of {product}")
    return None
