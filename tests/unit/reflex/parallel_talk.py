"""One invented talk about bus stops with its source, told in five languages slide by slide."""

from __future__ import annotations

import json
from pathlib import Path

from studio.model.reflex import DeckObject, DocumentObject, Section, SlideObject

_TOLD = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
LANGUAGES = tuple(_TOLD)


def parallel_talk(language: str) -> DeckObject:
    """Return the talk in a language; its id is the same in each, so that defects are too."""
    told = _TOLD[language]
    slides = tuple(
        SlideObject(number=number, title=title, body=body, source="table")
        for number, (title, body) in enumerate(told["slides"], start=1)
    )
    sections = tuple(Section(title=title, text=text) for title, text in told["sections"])
    return DeckObject(id="talk", slides=slides, document=DocumentObject(title="Invented", sections=sections))
