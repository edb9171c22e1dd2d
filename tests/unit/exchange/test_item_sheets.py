"""Items to a workbook and back, and the tables of several authors merged."""

from __future__ import annotations

import csv

import pytest
from openpyxl import Workbook, load_workbook

from studio.actions import checklist_exchange as exchange
from studio.actions import checklists as actions
from studio.errors import BadInput
from studio.exchange.checklist_tables import ITEM_COLUMNS
from studio.exchange.files import read_table
from studio.exchange.workbook import MOST_CELL_SIGNS, read_workbook, workbook_bytes
from studio.model.authoring import EVERYWHERE, Scope
from studio.model.checklists import Dimension, ItemKind, RuleCall
from studio.store import decks as deck_store
from tests.projects import make_project

ODD = "\n**对比度** Is\r\n=1+1 “readable”? \x0b _x000B_ ，\t;\n"


@pytest.fixture
def project(tmp_path):
    with make_project(tmp_path / "p") as made:
        yield made


def add(project, text, scope=EVERYWHERE, **more):
    return actions.add_item(project, scope, Dimension.DESIGN, text, author="Ada", **more)[0]


def without_times(project):
    items = actions.list_items(project, EVERYWHERE, with_retired=True)
    return [{**item.__dict__, "at": ""} for item in items]


@pytest.mark.parametrize("name", ["items.xlsx", "items.csv", "items.jsonl"])
def test_that_items_come_back_from_a_table_as_they_were(project, tmp_path, name):
    add(project, ODD, note="Note", no_when="there is no chart", weight=2.5, needs_evidence=True, tags=("图表", "a b"))
    actions.add_item(
        project, EVERYWHERE, Dimension.FUNDAMENTALS, "Enough slides?", author="Bo", kind=ItemKind.CODE,
        rule=RuleCall(rule="slide_count", parameters={"min_count": 4, "max_count": 9}),
    )  # fmt: skip
    before = without_times(project)
    exchange.write_items(project, tmp_path / name)
    report, _ = exchange.import_items(project, tmp_path / name, author="Cy")
    assert (report.new, report.edited, report.same, report.refused, report.conflicts) == (0, 0, 2, [], [])
    with make_project(tmp_path / "other") as other:
        fresh, _ = exchange.import_items(other, tmp_path / name, author="Cy")
        assert (fresh.new, fresh.refused) == (2, [])
        assert without_times(other) == before


def test_that_a_workbook_holds_words_and_numbers_never_formulas(project, tmp_path):
    add(project, "=HYPERLINK(1)", weight=2.5)
    exchange.write_items(project, tmp_path / "items.xlsx")
    sheet = load_workbook(tmp_path / "items.xlsx").active
    head = [cell.value for cell in sheet[1]]
    row = dict(zip(head, sheet[2], strict=True))
    assert tuple(head) == ITEM_COLUMNS
    assert (row["text"].value, row["text"].data_type) == ("=HYPERLINK(1)", "s")
    assert (row["weight"].value, row["weight"].data_type) == (2.5, "n")
    assert sheet.freeze_panes == "A2"


def sheet_of(path, rows):
    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def test_that_rows_that_cannot_be_used_are_named_by_their_number(project, tmp_path):
    path = sheet_of(
        tmp_path / "a.xlsx",
        [["Dimension", "Text", "Weight"], ["design", "Is it neat?", 2], [], ["beauty", "Is it calm?", 1],
         ["design", "=A1&A2", 1], ["design", "Is it warm?", "x"], ["design", "Is it new?", 1, "beside"],
         ["design", None, 1]],
    )  # fmt: skip
    report, _ = exchange.import_items(project, path, author="Ada")
    assert report.new == 1
    assert sorted(each["line"] for each in report.refused) == [4, 5, 6, 7, 8]
    reasons = {each["line"]: each["reason"] for each in report.refused}
    assert "never worked out" in reasons[5]
    assert "has no name" in reasons[7]
    assert [item.weight for item in actions.list_items(project, EVERYWHERE)] == [2.0]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no", b"dimension,text\ndesign,x\n"])
def test_that_what_is_no_workbook_is_one_line(tmp_path, content):
    path = tmp_path / "a.xlsx"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=r"a\.xlsx is no workbook"):
        read_workbook(path)
    with pytest.raises(BadInput, match="cannot be read"):
        read_workbook(tmp_path / "none.xlsx")


def test_that_words_longer_than_a_cell_are_refused_and_not_cut():
    assert len(workbook_bytes(["a"], [{"a": "x" * MOST_CELL_SIGNS}])) > 0
    with pytest.raises(BadInput, match="longer than a cell"):
        workbook_bytes(["a"], [{"a": "x" * (MOST_CELL_SIGNS + 1)}])


def test_that_an_empty_workbook_is_refused(tmp_path):
    with pytest.raises(BadInput, match="is empty"):
        read_table(sheet_of(tmp_path / "a.xlsx", []))
    with pytest.raises(BadInput, match="twice"):
        read_table(sheet_of(tmp_path / "b.xlsx", [["text", "Text"], ["a", "b"]]))


def edited_copy(source, target, item_id, **values):
    """Write a CSV of the rows of another with one item changed, as an author would in a spreadsheet."""
    with source.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        if row["item_id"] == item_id:
            row.update(values)
    with target.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return target


def test_that_two_authors_tables_are_merged_and_what_contradicts_is_shown(project, tmp_path):
    calm, neat = add(project, "Is it calm?"), add(project, "Is it neat?")
    sent = tmp_path / "sent.csv"
    exchange.write_items(project, sent)
    bo = edited_copy(sent, tmp_path / "bo.csv", calm.id, text="Is it calm as a whole?", author="Bo")
    bo = edited_copy(bo, tmp_path / "bo2.csv", neat.id, note="Straight edges.", author="Bo")
    cy = edited_copy(sent, tmp_path / "cy.csv", calm.id, text="Is each slide calm?", author="Cy")
    reports, _ = exchange.merge_items(project, [bo, cy], author="Ada")
    assert [(each.edited, each.same, len(each.conflicts)) for each in reports.values()] == [(2, 0, 0), (0, 1, 1)]
    (conflict,) = reports[cy].conflicts
    assert exchange.differing_fields(conflict) == [
        ("text", "Is it calm?", "Is it calm as a whole?", "Is each slide calm?")
    ]
    taken, _ = exchange.merge_items(project, [cy], author="Ada", takes_theirs={cy: [calm.id]})
    assert taken[cy].edited == 1
    texts = {item.id: item for item in actions.list_items(project, EVERYWHERE)}
    assert (texts[calm.id].text, texts[neat.id].note) == ("Is each slide calm?", "Straight edges.")
    again, _ = exchange.merge_items(project, [cy], author="Ada", takes_theirs={cy: [calm.id]})
    assert again[cy].same == 2


def test_that_rows_name_their_instance_and_unknown_ones_are_refused(project, tmp_path):
    instance = deck_store.list_instances(project)[0]
    path = sheet_of(
        tmp_path / "a.xlsx",
        [["dimension", "text", "instance_id"], ["completeness", "Is the tide table shown?", instance.name],
         ["completeness", "Is the map shown?", "nowhere"]],
    )  # fmt: skip
    report, _ = exchange.import_items(project, path, author="Ada")
    assert [(each["line"], each["reason"]) for each in report.refused] == [(3, "no instance nowhere")]
    own = actions.list_items(project, Scope(instance_id=instance.id))
    assert [item.text for item in own] == ["Is the tide table shown?"]
