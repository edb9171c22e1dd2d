"""Rate: one person gives a deck, a slide or an explanation a point on each scale of a set, by keyboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from studio.actions.answer_desk import OpenUnit
from studio.gui.answer_page import AnswerPage
from studio.gui.shortcuts import Action
from studio.gui.widgets.answer_board import AnswerBoard
from studio.gui.widgets.rate_board import RateBoard
from studio.model.studies import StudyKind

RATING = "rating"


class RatePage(AnswerPage):
    """The page on which decks are rated."""

    page_id = "rate"
    title = "Rate"
    icon_name = "star"
    kinds = (StudyKind.RATE,)
    answering_modes = RATING

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scale = ""
        """The dimension that digits go to."""

    def make_boards(self) -> Sequence[AnswerBoard]:  # @override
        self.rate_board = RateBoard()
        self.rate_board.value_picked.connect(self._on_value_picked)
        return (self.rate_board,)

    def board_for(self, unit: OpenUnit) -> AnswerBoard:  # @override
        return self.rate_board

    def mode_for(self, unit: OpenUnit) -> str:  # @override
        return RATING

    def heading_for(self, unit: OpenUnit) -> str:  # @override
        if unit.explanation is not None:
            return "How useful is this explanation?"
        return f"Rate slide {next(iter(unit.slides.values()))}" if unit.slides else "Rate this deck"

    def begin_unit(self, unit: OpenUnit) -> None:  # @override
        scales = unit.session.scales
        said = unit.explanation
        self.rate_board.show_scales(scales, said.metric if said else "", said.text if said else "")
        self._scale = (unit.session.open_dimensions or (scales.scales[0].dimension,))[0]

    def show_answer(self, unit: OpenUnit, *, is_locked: bool) -> None:  # @override
        self.rate_board.show_values(unit.session.state.values, self._scale, can_change=not is_locked)

    def last_change_words(self, unit: OpenUnit) -> str:  # @override
        last = unit.session.acts[-1] if unit.session.acts else None
        if last is None or last.verb not in {"rate", "unrate"}:
            return ""
        scale = unit.session.scales.scale(self._last_rated or self._scale)
        value = unit.session.state.values.get(scale.dimension)
        return f"{scale.title}: open" if value is None else f"{scale.title}: {value}"

    _last_rated = ""

    def own_actions(self) -> list[Action]:  # @override
        def act(name: str, words: str, run: Callable[[], None], *keys: str, **more: Any) -> Action:
            return Action(id=f"rate.{name}", words=words, run=run, keys=keys, page="rate", mode=RATING, **more)

        give = [
            act(f"give_{value}", f"Give the scale {value}", partial(self.press_digit, value), str(value),
                is_in_palette=False)
            for value in range(10)
        ]  # fmt: skip
        return [
            *give,
            act("next_scale", "Next scale", partial(self.step_scale, 1), "Down", repeats=True),
            act("previous_scale", "Previous scale", partial(self.step_scale, -1), "Up", repeats=True),
            act("unrate", "Take the point away", self.unrate, "Backspace"),
        ]

    def press_digit(self, digit: int) -> None:  # @override
        """Give the scale in front this point, and go on to the next scale that is open."""
        if self._open is not None and self._is_answering():
            self._rate(self._scale, digit)

    def unrate(self) -> None:
        """Take the point of the scale in front away."""
        self._last_rated = self._scale
        self._act(lambda session: session.unrate(self._scale))

    def step_scale(self, by: int) -> None:
        """Go to the next (+1) or the previous (−1) scale."""
        if self._open is None:
            return
        names = [scale.dimension for scale in self._open.session.scales.scales]
        self._scale = names[max(0, min(len(names) - 1, names.index(self._scale) + by))]
        self._show()

    def go_to_unanswered(self) -> bool:  # @override
        left = self._open.session.open_dimensions
        if left:
            self._scale = left[0]
            self._show()
        return bool(left)

    def _rate(self, dimension: str, value: int) -> None:
        self._last_rated = dimension
        before = self._open.session.state.values.get(dimension)
        self._act(lambda session: session.rate(dimension, value))
        if self._open is None:
            return
        session = self._open.session
        if before is None and dimension in session.state.values and session.open_dimensions:
            names = [scale.dimension for scale in session.scales.scales]
            after = [name for name in session.open_dimensions if names.index(name) > names.index(dimension)]
            self._scale = (after or session.open_dimensions)[0]
        else:
            self._scale = dimension
        self._show()

    @Slot(str, int)
    def _on_value_picked(self, dimension: str, value: int) -> None:
        if self._open is not None:
            self._rate(dimension, value)
