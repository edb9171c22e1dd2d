"""Boards on which one of a few is chosen: the better of two, or the best and the worst of four."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from studio.gui.shortcuts import Shortcuts
from studio.gui.widgets.answer_board import AnswerBoard
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import toned_label
from studio.model.answers import Preference
from studio.sessions.pairs import STRENGTHS

BUTTON_PX = 40
_ACTIONS = {
    Preference.A: "prefer_a",
    Preference.B: "prefer_b",
    Preference.TIE: "equal",
    Preference.BOTH_BAD: "both_bad",
}
"""What each choice is called among the page's actions."""


class PairBoard(AnswerBoard):
    """The better of two: A is the left one, B the right one."""

    strength_picked = Signal(int)

    def __init__(self) -> None:
        super().__init__("Which is better?", "")
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        self.choices: dict[Preference, KeyCapButton] = {}
        for said, words, key in (
            (Preference.A, "A is better", "A"), (Preference.B, "B is better", "B"), (Preference.TIE, "Equal", "E"),
            (Preference.BOTH_BAD, "Both bad", "X"),
        ):  # fmt: skip
            button = KeyCapButton(words, key)
            button.setCheckable(True)
            button.setMinimumHeight(BUTTON_PX)
            column.addWidget(button)
            self.choices[said] = button
        self.strength_row = QWidget()
        row = QHBoxLayout(self.strength_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(toned_label("How much", "muted"))
        self.strengths: dict[int, KeyCapButton] = {}
        for number, words in STRENGTHS.items():
            button = KeyCapButton(words)
            button.setCheckable(True)
            button.setToolTip("The same key again says more")
            button.clicked.connect(partial(self._on_strength, number))
            row.addWidget(button)
            self.strengths[number] = button
        row.addStretch(1)
        column.addWidget(self.strength_row)
        column.addStretch(1)
        self.set_body(body)
        self._build_foot()
        self._hidden_while_asking.append(body)

    def follow(self, shortcuts: Shortcuts, page: str) -> None:  # @override
        super().follow(shortcuts, page)
        for said, name in _ACTIONS.items():
            self.choices[said].follow(shortcuts, f"{page}.{name}")

    def show_choice(
        self, said: Preference | None, strength: int | None, *, ties_allowed: bool, can_change: bool
    ) -> None:  # fmt: skip
        """Show which side is preferred and by how much."""
        for choice, button in self.choices.items():
            button.setChecked(choice is said)
            button.setEnabled(can_change and (ties_allowed or choice is not Preference.TIE))
        has_side = said in {Preference.A, Preference.B}
        self.strength_row.setEnabled(has_side and can_change)
        for number, button in self.strengths.items():
            button.setChecked(has_side and number == strength)

    def _on_strength(self, number: int, _is_checked: bool = False) -> None:
        self.strength_picked.emit(number)


class QuestionBoard(AnswerBoard):
    """One question of a ranking by comparison, the answers so far, and what they contradict."""

    asked_again = Signal(int)
    """The number of an earlier answer, from 0, that is to be given anew."""

    def __init__(self) -> None:
        super().__init__("Rank by comparison", "")
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        self.question = QLabel()
        self.question.setProperty("tone", "question")
        self.question.setWordWrap(True)
        self.facts = toned_label("", "muted")
        self.facts.setWordWrap(True)
        self.conflict = toned_label("", "bad")
        self.conflict.setWordWrap(True)
        for label in (self.question, self.facts, self.conflict):
            column.addWidget(label)
        self.choices: dict[Preference, KeyCapButton] = {}
        for said, key in ((Preference.A, "A"), (Preference.B, "B"), (Preference.TIE, "E")):
            button = KeyCapButton("", key)
            button.setMinimumHeight(BUTTON_PX)
            column.addWidget(button)
            self.choices[said] = button
        self.check_button = KeyCapButton("Ask one more, as a check", "K")
        column.addWidget(self.check_button)
        column.addWidget(toned_label("Answers so far – choose one to change it", "caption"))
        self._list = QWidget()
        self._lines = QVBoxLayout(self._list)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(2)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self._list)
        column.addWidget(scroll, 1)
        self.set_body(body)
        self._build_foot()
        self._hidden_while_asking.append(body)

    def follow(self, shortcuts: Shortcuts, page: str) -> None:  # @override
        super().follow(shortcuts, page)
        self.check_button.follow(shortcuts, f"{page}.check")
        for said, button in self.choices.items():
            button.follow(shortcuts, f"{page}.{_ACTIONS[said]}")

    def show_question(
        self,
        pair: tuple[str, str] | None,
        *,
        facts: str,
        conflict: str,
        answers: Sequence[tuple[str, bool]],
        ties_allowed: bool,
        can_check: bool,
        can_change: bool,
    ) -> None:
        """Show what is asked and what was answered.

        Args:
            pair: the letters of the two decks, left and right; None if nothing is asked.
            facts: how far the sort is.
            conflict: answers that contradict each other, in words.
            answers: each answer so far in words, and whether it belongs to the contradiction.
            ties_allowed: whether "equal" is an answer.
            can_check: whether there is a pair that was never asked about.
            can_change: whether anything can be answered.
        """
        at_end = "The answers do not fit together." if conflict else "Every deck has its place."
        self.question.setText(f"Is {pair[0]} better than {pair[1]}?" if pair else at_end)
        self.facts.setText(facts)
        self.conflict.setText(conflict)
        self.conflict.setVisible(bool(conflict))
        words = (f"{pair[0]} is better", f"{pair[1]} is better", "Equal") if pair else ("", "", "")
        for button, text in zip(self.choices.values(), words, strict=True):
            button.setText(text)
            button.setVisible(bool(pair))
            button.setEnabled(can_change)
        self.choices[Preference.TIE].setEnabled(can_change and ties_allowed)
        self.check_button.setVisible(pair is None and can_check)
        while (item := self._lines.takeAt(0)) is not None:
            if item.widget() is not None:
                item.widget().hide()
                item.widget().deleteLater()
        for number, (text, is_in_conflict) in enumerate(answers):
            line = KeyCapButton(f"{text}{'   contradiction' if is_in_conflict else ''}", is_compact=True)
            line.setProperty("tone", "bad" if is_in_conflict else "")
            line.setAccessibleName(f"Change the answer {text}")
            line.setEnabled(can_change)
            line.clicked.connect(partial(self._on_line, number))
            self._lines.addWidget(line)
        self._lines.addStretch(1)

    def line(self, number: int) -> QWidget | None:
        """Return the button of an earlier answer."""
        item = self._lines.itemAt(number)
        return item.widget() if item is not None else None

    def _on_line(self, number: int, _is_checked: bool = False) -> None:
        self.asked_again.emit(number)


class BestWorstBoard(AnswerBoard):
    """The best and the worst of four."""

    best_picked = Signal(int)
    """The place of a deck, from 0."""
    worst_picked = Signal(int)

    def __init__(self) -> None:
        super().__init__("Best and worst", "of these")
        body = QWidget()
        self._rows = QVBoxLayout(body)
        self._rows.setContentsMargins(12, 12, 12, 12)
        self._rows.setSpacing(8)
        self.best: list[KeyCapButton] = []
        self.worst: list[KeyCapButton] = []
        self._rows.addStretch(1)
        self.set_body(body)
        self._build_foot()
        self._hidden_while_asking.append(body)

    def show_choice(self, letters: Sequence[str], best: int | None, worst: int | None, *, can_change: bool) -> None:
        """Show which places are best and worst."""
        while len(self.best) < len(letters):
            self._add_row(len(self.best))
        for place, (one, other) in enumerate(zip(self.best, self.worst, strict=True)):
            one.setChecked(place == best)
            other.setChecked(place == worst)
            for button in (one, other):
                button.setEnabled(can_change)
                button.parentWidget().setVisible(place < len(letters))

    def _add_row(self, place: int) -> None:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        name = chr(ord("A") + place)
        label = toned_label(name, "heading")
        label.setFixedWidth(24)
        row.addWidget(label)
        best, worst = KeyCapButton("Best", "B"), KeyCapButton("Worst", "W")
        for button, word, signal in ((best, "best", self.best_picked), (worst, "worst", self.worst_picked)):
            button.setCheckable(True)
            button.setMinimumHeight(BUTTON_PX)
            button.setAccessibleName(f"{name} is {word}")
            button.clicked.connect(partial(self._on_clicked, signal, place))
            row.addWidget(button, 1)
        self._rows.insertWidget(place, holder)
        self.best.append(best)
        self.worst.append(worst)

    def _on_clicked(self, signal: object, place: int, _is_checked: bool = False) -> None:
        signal.emit(place)
