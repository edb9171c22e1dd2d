"""Pictures of what the window has for judges, in each state, with a scripted judge that also fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QWidget

from studio.actions.judge_wish import read_wish
from studio.gui.judging.prices_dialog import PricesDialog
from studio.gui.main_window import MainWindow

MOMENT_MS = 400
"""After the start of a run: long enough for its first units, too short for its last."""
LINES = (
    {"text": "harmony", "replies": ["No number comes to mind.", {"reason": "Slide 2 is crowded.", "score": 4}]},
    {"text": "rhythm", "reply": "", "end": "blocked"},
    {"text": "engagement", "fault": "bad_request"},
    {"text": "Whole numbers", "reply": {"reason": "Slide 1 and slide 3 share one palette.", "score": "{{number:3:9}}"}},
)


def take_judges(
    window: MainWindow, settle: Callable[[], None], grab: Callable[[QWidget, str], None], folder: Path
) -> None:
    """Go through the states of the Runs page and of its windows; a project with decks is open."""
    script = folder / "failing_judge.json"
    script.write_text(json.dumps({"format": "podium scripted judge", "lines": LINES}), encoding="utf-8")
    window.navigate("runs")
    page: Any = window.page("runs")
    page.ask_judge()
    dialog = page.judges.dialog
    dialog.form.provider.setCurrentIndex(dialog.form.provider.findData("scripted"))
    dialog.form.model.setText(str(script))
    dialog.form.protocol.setCurrentIndex(dialog.form.protocol.findData("rating"))
    settle()
    grab(dialog, "judge-preview")
    dialog.form.provider.setCurrentIndex(dialog.form.provider.findData("openai"))
    dialog.form.model.setText("")
    settle()
    grab(dialog, "judge-incomplete")
    assert window.context is not None
    prices = PricesDialog(window.context, dialog, model="gpt-4o")
    prices.show()
    settle()
    grab(prices, "judge-prices")
    prices.reject()
    dialog.reject()
    page.start_judge(
        read_wish(f"scripted:{script}", protocol="rating", settings=("input=text", "sensitivity=yes"), force=True)
    )
    _moment()
    grab(window, "runs-judge-running")
    settle()
    page.detail.failed_only.setChecked(True)
    page.detail.table.setFocus()
    settle()
    grab(window, "runs-judge-failed")
    page.detail.failed_only.setChecked(False)
    good = next((row for row in page.detail.units.rows() if row.record.message == ""), None)
    if good is not None:
        page.judges.open_unit(good)
        settle()
        grab(page.judges.xray, "judge-xray")
        page.judges.xray.close()
    page.show_quality()
    settle()
    grab(page.judges.quality, "judge-quality")
    page.judges.quality.close()


def _moment() -> None:
    loop = QEventLoop()
    QTimer.singleShot(MOMENT_MS, loop.quit)
    loop.exec()
