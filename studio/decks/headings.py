"""The headings of a source as a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from studio.model.decks import Heading


@dataclass(frozen=True, kw_only=True)
class HeadingNode:
    """One heading with those below it."""

    heading: Heading
    children: tuple[HeadingNode, ...] = field(default=())


def heading_tree(headings: Sequence[Heading]) -> tuple[HeadingNode, ...]:
    """Return headings as a tree: each stands below the last one before it that has a higher rank.

    A level that is left out (2 below 0, 4 below 2) makes no empty nodes.
    """
    return _below(list(headings))


def _below(headings: list[Heading]) -> tuple[HeadingNode, ...]:
    nodes: list[HeadingNode] = []
    start = 0
    while start < len(headings):
        end = start + 1
        while end < len(headings) and headings[end].level > headings[start].level:
            end += 1
        nodes.append(HeadingNode(heading=headings[start], children=_below(headings[start + 1 : end])))
        start = end
    return tuple(nodes)
