"""What the document says of the shipped model is what its card says."""

from __future__ import annotations

import re

import pytest

from studio.paths import resource
from studio.reflex.model_file import load
from studio.reflex.shipped import shipped_model


@pytest.fixture(scope="module")
def card():
    return load(shipped_model())[1]


@pytest.fixture(scope="module")
def document():
    return resource("docs/reflex.md").read_text("utf-8")


def rows_below(document, heading):
    """Return the cells of the table whose head starts with these words."""
    lines = document.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith(heading))
    rows = []
    for line in lines[at + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def shown(value):
    # Minus signs are set as such, and there is no minus nought.
    text = f"{value:.3f}"
    return text.replace("-0.000", "0.000").replace("-", "−")


def test_that_the_table_of_ladders_is_that_of_the_card(card, document):
    wanted = []
    for mean in card["means"]:
        kind = mean["metric"], mean["variant"]
        own = [each for each in card["tables"] if (each["metric"], each["variant"]) == kind]
        ends = f"{shown(min(each['ci_low'] for each in own))} to {shown(max(each['ci_high'] for each in own))}"
        figures = [shown(mean[name]) for name in ("within_deck", "heuristic", "length_only", "f1")]
        wanted.append([kind[0], kind[1].replace("_", " "), str(mean["n_decks"]), shown(mean["spearman"]),
                       ends, *figures])  # fmt: skip
    assert rows_below(document, "| metric | decks made worse") == wanted


def test_that_the_table_of_defects_is_that_of_the_card(card, document):
    wanted = [[defect, *(shown(value) for value in row.values())] for defect, row in card["cross_defects"].items()]
    assert rows_below(document, "| defect | coverage | redundancy") == wanted


def test_that_the_document_repeats_the_remark_of_the_card(card, document):
    remark = card["remark"].removesuffix(" English only.")
    assert remark in re.sub(r"\s+", " ", document)


def test_that_what_the_model_learned_from_is_named_as_in_the_card(card, document):
    assert card["data"] == "sciduet, part train"
    assert f"({card['n_decks']} research talks" in document
    assert len({each["seed"] for each in card["tables"]}) == 3
    assert card["grid"]
    assert card["settings_of"]
