"""Pictures of the Author page: its tabs, the trial of an item, and its dialogs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QWidget

from studio.gui.author.bulk_edit import BulkEdit
from studio.gui.author.choose_lists import ChooseLists
from studio.gui.main_window import MainWindow
from studio.model.checklists import ItemKind

TABS = ("instruction", "settings", "statistics", "benchmark", "items")


def take_authoring(
    window: MainWindow, settle: Callable[[], None], grab: Callable[[QWidget, str], None]
) -> None:  # fmt: skip
    """Go through the states of the Author page; a project with instances and checklists is open."""
    page: Any = window.page("author")
    window.navigate("author")
    settle()
    instance = str(page.view.instances[0].id) if page.view and page.view.instances else ""
    for tab in TABS:
        window.navigate("author", tab=tab, instance=instance)
        settle()
        grab(window, f"author-{tab}")
    for figure in ("2", "4", "5"):
        window.navigate("author", tab="benchmark")
        which = page.benchmark.which
        which.setCurrentIndex(which.findData(f"figure-{figure}"))
        which.activated.emit(which.currentIndex())
        settle()
        grab(window, f"author-figure-{figure}")
    window.navigate("author", tab="items")
    settle()
    for number in range(page.scope.count()):
        if page.items.rows.rows():
            break
        page.scope.setCurrentIndex(number)
        page.scope.activated.emit(number)
        settle()
    rows = page.items.rows.rows()
    code = next((number for number, row in enumerate(rows) if row.item.kind is ItemKind.CODE), None)
    if code is not None:
        page.items.table.selectRow(code)
        settle()
        grab(window, "author-code-item")
    if not rows:
        return
    page.items.table.selectRow(0)
    settle()
    page.items.try_item()
    settle()
    if page.items.trial is not None:
        grab(page.items.trial, "author-trial")
        page.items.close_trial()
    chosen = [row.item for row in rows[:3]]
    for name, dialog in (
        ("bulk-edit", BulkEdit(chosen, page)),
        ("copy-items", ChooseLists(page.view.instances, page.view.scope, chosen, page.view.own_lists, page)),
    ):
        dialog.show()
        settle()
        grab(dialog, f"author-{name}")
        dialog.close()
