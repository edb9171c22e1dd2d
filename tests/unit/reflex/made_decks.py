"""Invented decks and sources, built word by word so that no text is copied from anywhere."""

from __future__ import annotations

import random

from studio.model.reflex import DeckObject, DocumentObject, Section, SlideImage, SlideObject

THEMES = {
    "Beekeeping": "bees hive honey queen wax pollen swarm nectar comb orchard smoker frame",
    "Harbour tides": "tide moon harbour water level gauge ebb flood current pilot buoy chart",
    "City trams": "tram rail timetable stop driver overhead wire depot junction signal fare city",
    "Glass making": "glass furnace sand melt blow cool crystal bottle window lens kiln temper",
    "Old maps": "map contour scale village legend compass border survey river atlas sheet north",
    "Bread baking": "bread flour yeast dough oven crust salt knead proof loaf baker rye",
    "Bird migration": "bird wing flock winter nest feather route south stork ring coast wind",
    "Clock repair": "clock spring gear pendulum escapement dial hour hand brass oil chime case",
}


def made_deck(number: int, *, slides: int = 16) -> DeckObject:
    """Return an invented deck with a source of eight sections, told in their order, with one image a slide."""
    rng = random.Random(number)
    names = list(THEMES)
    sections = tuple(
        Section(title=name, text=" ".join(rng.choices(THEMES[name].split(), k=60)) + ".") for name in names
    )
    made = []
    for place in range(slides):
        name = names[place * len(names) // slides]
        words = rng.choices(THEMES[name].split(), k=14)
        made.append(
            SlideObject(
                number=place + 1, title=name, body=" ".join(words), source="table",
                images=(SlideImage(id=f"{number}-{place}", caption=" ".join(words[:6])),),
            )
        )  # fmt: skip
    return DeckObject(
        id=f"deck{number}", slides=tuple(made), document=DocumentObject(title="Invented", sections=sections)
    )
