"""Tables and figures of a benchmark: counts by hand, files of every kind."""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ElementTree

import pytest
from PIL import Image

from studio.actions import benchmark_exports as exports
from studio.actions.benchmark_facts import InstanceFacts, figures, histogram
from studio.errors import BadInput
from studio.model.checklists import Dimension
from studio.model.ids import InstanceId


def instance(name, domain, source, *, tokens=1000, pages=10, items=(3, 4, 2, 1)):
    counts = dict(zip(Dimension, (*items, 0), strict=True))
    return InstanceFacts(
        instance_id=InstanceId(name), name=name, domain=domain, source=source, language="en", difficulty="", address="",
        licence="CC BY 4.0", is_accepted=True, why="", sources=1, pages=pages, images=0, tokens=tokens, items=counts,
    )  # fmt: skip


FACTS = (
    instance("a", "academia", "ICLR_2024", tokens=1000), instance("b", "academia", "ICLR_2025", tokens=3000),
    instance("c", "academia", "ICLR_2024", tokens=None, pages=None), instance("d", "talk", "演讲", items=(5, 4, 2, 1)),
)  # fmt: skip


def test_that_bins_of_whole_numbers_hold_whole_numbers():
    # 3 … 24 are 22 whole numbers: in at most 10 bins each holds 3 of them, so 8 bins from 3 to 27.
    found = histogram([3.0, 5.0, 6.0, 24.0, None])
    assert found["edges"] == [3, 6, 9, 12, 15, 18, 21, 24, 27]
    assert found["counts"] == [2, 1, 0, 0, 0, 0, 0, 1]
    assert (found["n"], found["missing"]) == (4, 1)
    assert histogram([7.0, 7.0]) == {"edges": [7, 8], "counts": [2], "n": 2, "missing": 0}
    assert histogram([0.0, 0.5, 1.0], bins=2)["counts"] == [1, 2]
    assert histogram([None]) == {"edges": [], "counts": [], "n": 0, "missing": 1}


def test_that_figure_2_counts_domains_and_their_sources():
    rows = exports.figure_rows(FACTS, "2")
    assert [(row["group"], row["name"], row["instances"], row["share"]) for row in rows] == [
        ("domain", "academia", 3, 0.75), ("source", "ICLR_2024", 2, 0.5), ("source", "ICLR_2025", 1, 0.25),
        ("domain", "talk", 1, 0.25), ("source", "演讲", 1, 0.25),
    ]  # fmt: skip


def test_that_figures_4_and_5_say_what_is_not_known():
    rows = exports.figure_rows(FACTS, "4")
    tokens = [row for row in rows if row["quantity"] == "tokens"]
    assert sum(row["instances"] for row in tokens) == 3
    assert {row["missing"] for row in tokens} == {1}
    items = {row["from"]: row["instances"] for row in exports.figure_rows(FACTS, "5") if row["quantity"] == "items"}
    assert items == {10.0: 3, 11.0: 0, 12.0: 1}
    assert set(figures(FACTS)["figure_5"]) == {"items", "fundamentals", "design", "completeness", "correctness"}


def test_that_everything_is_written_in_every_form(tmp_path):
    files = exports.write_all(FACTS, tmp_path / "out")
    assert sorted(path.name for path in files) == [
        "figure-2.csv", "figure-2.png", "figure-2.svg", "figure-4.csv", "figure-4.png", "figure-4.svg",
        "figure-5.csv", "figure-5.png", "figure-5.svg", "instances.csv", "table-2.csv", "table-7.csv",
        "table-difficulty.csv", "table-language.csv",
    ]  # fmt: skip
    for path in files:
        if path.suffix == ".svg":
            root = ElementTree.parse(path).getroot()
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
        if path.suffix == ".png":
            assert Image.open(path).size[0] == 1440
    with (tmp_path / "out" / "table-2.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    # Tokens of academia: 1,000 and 3,000 are known. Items: 10, 10 and 10.
    assert [(row["domain"], row["instances"], row["tokens"], row["items"]) for row in rows] == [
        ("academia", "3", "2000.0", "10.0"), ("talk", "1", "1000.0", "12.0"), ("all", "4", repr(5000 / 3), "10.5")
    ]  # fmt: skip
    assert "演讲" in (tmp_path / "out" / "figure-2.svg").read_text(encoding="utf-8")


def test_that_names_in_a_figure_are_words_and_no_markup():
    svg = exports.figure_svg([instance("a", "<b>&", "x")], "2")
    assert ElementTree.fromstring(svg) is not None
    assert "&lt;b&gt;&amp;" in svg


def test_that_a_benchmark_without_instances_has_empty_figures(tmp_path):
    for which in exports.FIGURES:
        assert exports.figure_rows([], which) == []
        exports.write_figure([], which, tmp_path / f"{which}.png")
    with pytest.raises(BadInput, match=r"\.svg, \.png or \.csv"):
        exports.write_figure(FACTS, "2", tmp_path / "a.gif")
    with pytest.raises(BadInput, match="no figure 3"):
        exports.figure_rows(FACTS, "3")
