"""Case cards as one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import jinja2

from studio import __version__
from studio.model.checklists import EvidenceBox
from studio.paths import resource


@dataclass(frozen=True, kw_only=True)
class Side:
    """What people, or a judge, say about one item and why."""

    who: str
    verdict: str
    words: tuple[str, ...] = ()
    boxes: tuple[EvidenceBox, ...] = ()
    quotes: tuple[str, ...] = ()

    def slides(self) -> list[int]:
        """Return the slides that hold evidence."""
        return sorted({box.slide for box in self.boxes})


@dataclass(frozen=True, kw_only=True)
class Card:
    """One item about one deck."""

    item: str
    instance: str
    system: str
    people: Side
    machine: Side
    slide: int | None
    """The slide shown, from 1; None if nobody marked one."""
    picture: str
    """As a data address; empty if there is none."""


def cards_html(title: str, cards: Sequence[Card], *, made: str, remark: str, is_sample: bool) -> str:
    """Return the page; all text is escaped, nothing outside is referred to."""
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    template = environment.from_string(resource("report/case-cards.html").read_text(encoding="utf-8"))
    return template.render(title=title, cards=cards, made=made, remark=remark, is_sample=is_sample, version=__version__)
