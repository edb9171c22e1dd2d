"""The row of the sensitivity lab for judges: whom to ask and how, what it would cost, and asking."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QWidget

from studio.actions.figures import counted
from studio.actions.judging import JudgePreview
from studio.actions.lab_judging import PROTOCOLS, LabQuestion
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import toned_label
from studio.model.judging import JudgingProtocol
from studio.model.judging_options import ShownAs


class LabJudges(QWidget):
    """A judge is asked only after its price was seen; any other choice asks for the price again."""

    price_asked = Signal()
    asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.judge, self.protocol, self.shown_as = QComboBox(), QComboBox(), QComboBox()
        self.judge.setEditable(True)
        self.judge.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.judge.lineEdit().setPlaceholderText("A judge's name, or provider:model")
        for protocol, words in PROTOCOLS:
            self.protocol.addItem(words, protocol)
        self.shown_as.addItem("Words only", ShownAs.TEXT)
        self.shown_as.addItem("Pictures", ShownAs.PICTURES)
        for box, words, letters in (
            (self.judge, "Judge", 22), (self.protocol, "How it is asked", 9), (self.shown_as, "Slides shown as", 9),
        ):  # fmt: skip
            box.setAccessibleName(words)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(letters)
            box.currentTextChanged.connect(self._on_changed)
        self.protocol.setToolTip(
            "Few-shot and G-Eval score the four content metrics, few-shot with an explanation; rating and PPTEval "
            "score looks and content as a whole"
        )
        self.price = KeyCapButton("See price")
        self.ask = KeyCapButton("Ask judge")
        self.price.setToolTip("Renders the lab's files if need be, and counts; nothing is asked")
        self.price.clicked.connect(self.price_asked)
        self.ask.clicked.connect(self.asked)
        self.words = ElidedLabel()
        self.words.setProperty("tone", "muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for widget in (toned_label("Judge", "muted"), self.judge, self.protocol, self.shown_as, self.words):
            row.addWidget(widget)
        row.addStretch(1)
        for button in (self.price, self.ask):
            button.setAutoDefault(False)
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            row.addWidget(button)
        self._has_lab = False
        self._on_changed()

    def set_judges(self, names: Sequence[str]) -> None:
        """Offer the project's judges; what is typed stays."""
        words = self.judge.currentText()
        self.judge.blockSignals(True)
        self.judge.clear()
        self.judge.addItems(list(names))
        self.judge.setCurrentIndex(-1)
        self.judge.setEditText(words)
        self.judge.blockSignals(False)

    def set_has_lab(self, has_lab: bool) -> None:
        """Say whether there is a lab to ask about."""
        self._has_lab = has_lab
        self._on_changed()

    def question(self) -> LabQuestion:
        """Return what is chosen."""
        return LabQuestion(
            judge=self.judge.currentText().strip(), protocol=JudgingProtocol(self.protocol.currentData()),
            shown_as=ShownAs(self.shown_as.currentData()),
        )  # fmt: skip

    def show_price(self, found: JudgePreview) -> None:
        """Show what asking would take; then it can be asked."""
        price = "price not known" if found.price_usd is None else (
            f"about ${found.price_usd:,.4f}" if found.price_usd else "free"
        )  # fmt: skip
        blocked = f" · {found.blocked:,} cannot be asked about" if found.blocked else ""
        self.words.set_text(f"{counted(found.calls, 'call')}, {found.cached:,} done before · {price}{blocked}")
        self.words.setToolTip(found.rule)
        self.ask.setEnabled(found.units > 0)

    def show_words(self, words: str) -> None:
        """Show why there is no price."""
        self.words.set_text(words)

    @Slot()
    def _on_changed(self, *_: object) -> None:
        self.ask.setEnabled(False)
        self.price.setEnabled(self._has_lab and bool(self.judge.currentText().strip()))
        self.words.set_text("" if self._has_lab else "once the lab is made")
