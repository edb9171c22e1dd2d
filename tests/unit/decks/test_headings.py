from __future__ import annotations

from studio.decks.headings import HeadingNode, heading_tree
from studio.model.decks import Heading


def outline(nodes: tuple[HeadingNode, ...]) -> list[object]:
    return [(node.heading.text, outline(node.children)) if node.children else node.heading.text for node in nodes]


def tree(*levels_and_texts: tuple[int, str]) -> list[object]:
    return outline(heading_tree([Heading(level=level, text=text, page=1) for level, text in levels_and_texts]))


def test_that_headings_stand_below_the_last_one_of_higher_rank():
    found = tree((1, "A"), (2, "A1"), (3, "A1a"), (2, "A2"), (1, "B"))
    assert found == [("A", [("A1", ["A1a"]), "A2"]), "B"]


def test_that_a_level_left_out_makes_no_empty_node():
    assert tree((2, "start"), (1, "A"), (4, "deep"), (3, "less deep")) == ["start", ("A", ["deep", "less deep"])]


def test_that_a_source_without_headings_has_an_empty_tree():
    assert tree() == []
