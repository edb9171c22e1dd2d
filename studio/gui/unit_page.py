"""What all pages have on which people answer: one unit open at a time, acts that are stored, reasons, text, time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication, QWidget

from studio.actions.answer_desk import OpenUnit
from studio.gui.act_saving import ActSaving
from studio.gui.context import AppContext
from studio.gui.draft_text import DraftText
from studio.gui.looking_watch import LookingWatch
from studio.gui.queue_page import TRAINING, QueuePage
from studio.gui.shortcuts import Action, is_text_field
from studio.gui.window_activity import WindowActivity
from studio.model.ids import DeckId

REASON = "reason"


class UnitPage(QueuePage):
    """A page on which one person answers one unit after the other.

    Whatever is done to the answer goes through `_act`, so that all pages save, wait, try again and tell of it in the
    same way.
    """

    answering_modes: ClassVar[str] = ""
    """The modes in which something can be answered, joined by `|`."""
    recognise_keys: ClassVar[tuple[str, ...]] = ("Shift+U",)
    instance_shown = Signal(str)
    """The decks of this instance are on the page, and its answer as stored."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._activity = WindowActivity(self)
        self._mode = ""

    # for the kinds

    def mode_for(self, unit: OpenUnit) -> str:
        """Return the mode of the keys in which a unit is answered."""
        raise NotImplementedError

    def show_unit(self, unit: OpenUnit) -> None:
        """Show a unit that was just opened, but for its decks."""

    def decks_to_show(self, unit: OpenUnit) -> Sequence[Any]:
        """Return the decks that stand on the stage."""
        return unit.decks

    def own_actions(self) -> list[Action]:
        """Return what can be done on this page only."""
        raise NotImplementedError

    def settle(self) -> None:
        """Take what waits for a second key as it is."""

    def save_text(self) -> None:
        """Store what was typed and is not stored yet."""

    def say_trouble(self, words: str) -> None:
        """Say why something is not saved; empty takes it away."""

    def say_change(self, unit: OpenUnit) -> None:
        """Say what the last act did, for those who listen."""

    def set_asking(self, is_asking: bool) -> None:
        """Show the reasons why something cannot be judged, or put them away."""

    # the page

    def open_project(self, context: AppContext) -> None:  # @override
        self.context = context
        self._build()
        self._layers.setCurrentWidget(self.loading)

    def _build(self) -> None:  # @override
        super()._build()
        self.stage, self.source = self.work.stage, self.work.source
        self.heading, self.facts, self.drawer = self.work.heading, self.work.facts, self.work.drawer
        self.text = DraftText(self)
        self.saving = ActSaving(self.context, self.page_id, self)
        self.looking = LookingWatch(self.context.background, self.context.project, self)
        self._connect()

    def _connect(self) -> None:  # @override
        super()._connect()
        for reasons in self.reason_lists():
            reasons.reason_given.connect(self._on_reason_given)
            reasons.cancelled.connect(self.cancel_reason)
        self.stage.focus_changed.connect(self._on_focus_changed)
        self.stage.moved.connect(self._on_moved)
        self.stage.phrase_picked.connect(self._on_phrase_picked)
        self.source.slide_asked.connect(self._on_slide_asked)
        self.source.closed.connect(self._focus_if_nowhere, Qt.ConnectionType.QueuedConnection)
        self.work.undo_button.clicked.connect(self.undo)
        self.work.redo_button.clicked.connect(self.redo)
        self.guidance.closed.connect(self._focus_stage)
        self.saving.shown.connect(self._show)
        self.saving.acted.connect(self._on_act_done)
        self.saving.trouble_told.connect(self._on_trouble_told)
        self.text.due.connect(self._save_text)
        self._activity.acted.connect(self._on_acted)

    def close_project(self) -> None:  # @override
        if self.context is None:
            return
        self._leave_unit()
        super().close_project()
        self.source.stop()
        self.looking.stop()
        self.saving.stop()
        self.text.forget()

    def on_shown(self) -> None:  # @override
        self._is_front = True
        self.saving.set_front(True)
        self._tell_mode()
        self._activity.watch(self)
        if self._desk is None or self._is_of_another():
            self.reload()
        elif self._open is not None:
            self.saving.show_saved()
            self._show_crumb()
            self._show_looked()
            self._focus_stage()

    def on_hidden(self) -> None:  # @override
        self._is_front = False
        self.settle()
        self._save_text()
        self.saving.set_front(False)
        self._activity.stop()
        if self._open is not None:
            self._open.clock.away()
            self.looking.away()
            self.looking.flush()
        if not self._is_unsaved():
            self.context.set_saved("")

    def unsaved(self) -> str:  # @override
        if self._open is None:
            return ""
        self._save_text()
        if self._open is None or self.saving.flush():
            self._show_trouble()
            return ""
        return f"{self.title}: {self._open.instance.title} ({self.saving.trouble_words()})"

    def actions(self) -> list[Action]:  # @override
        page, modes = self.page_id, self.answering_modes

        def act(name: str, words: str, run: Callable[[], None], *keys: str, mode: str = modes, **more: Any) -> Action:
            return Action(id=f"{page}.{name}", words=words, run=run, keys=keys, page=page, mode=mode, **more)

        why = [
            act(f"reason_{number}", f"Cannot judge: reason {number}", partial(self.press_reason, number), str(number),
                mode=REASON, is_in_palette=False)
            for number in range(1, 10)
        ]  # fmt: skip
        results = [act("results", "Results of this study", self.show_results, mode="")]
        return [
            act("recognised", "I recognised a system", self.recognise, *self.recognise_keys),
            act("skip", "Skip for now", self.skip, "Ctrl+Space"),
            act("undo", "Undo", self.undo, "Ctrl+Z"),
            act("redo", "Redo", self.redo, "Ctrl+Shift+Z", "Ctrl+Y"),
            act("find", "Search decks and sources", self.find, "Ctrl+F"),
            act("filter", "Filter instances", self.focus_filter, "Ctrl+Shift+F"),
            act("guidelines", "Guidelines beside the decks", self.toggle_guidelines, mode=""),
            *([] if self.context.is_blind else results),
            act("training_next", "Next training question", self.training.next, "Return", "Enter", mode=TRAINING,
                is_in_palette=False),
            act("back", "Back", self.back, "Escape", mode="", is_in_palette=False),
            *why,
        ]  # fmt: skip

    # one unit

    def _on_opened(self, unit: OpenUnit) -> None:
        self._ticket = None
        self._open = unit
        self.text.forget()
        self.show_unit(unit)
        self.saving.begin(unit)
        self._set_mode(self.mode_for(unit))
        self.stage.show_decks(self.decks_to_show(unit))
        for deck, slide in unit.slides.items():
            self.stage.viewing.show_alone(deck, slide)
        self._layers.setCurrentWidget(self.work)
        names = {deck.id: deck.name for deck in unit.decks}
        self.source.show_instance(self.context.project, unit.instance.id, names)
        self.looking.begin(unit)
        self._show()
        self._show_head()
        self._show_looked()
        if self._is_front:
            self._show_crumb()
            self.saving.show_saved()
        self._focus_wanted()
        self.instance_shown.emit(unit.instance.id)

    def _focus_wanted(self) -> None:
        deck = self._wanted.pop("deck", "")
        if deck and self.stage.deck(deck) is not None:
            self.stage.focus(DeckId(deck), takes_keyboard=self._is_front)
        elif self._is_front:
            self._focus_stage()

    @Slot()
    def _focus_if_nowhere(self) -> None:
        """After Escape in a text nothing has the keyboard: the focused deck takes it."""
        if self._is_front and self._is_answering() and QApplication.focusWidget() is None:
            self._focus_stage()

    @Slot()
    def _focus_stage(self) -> None:
        if self.stage.focused is not None and not is_text_field(QApplication.focusWidget()):
            self.stage.focus(self.stage.focused)

    def _leave_unit(self) -> bool:
        """Let go of the unit that is open; return whether it could be left: not while acts wait to be stored."""
        if self._open is None:
            return True
        self.settle()
        self._save_text()
        if not self.saving.flush():
            self._show_trouble()
            self.context.toast("Not saved yet: this stays open until it is.")
            return False
        self._open.clock.away()
        self.looking.end()
        self._open = None
        self.saving.begin(None)
        return True

    # what the user does

    def recognise(self) -> None:
        """Note, or take back, that a system was recognised."""
        if self._act(lambda session: session.toggle_recognised()):
            is_known = self._open.session.recognised_system
            self.context.toast("Noted: a system was recognised." if is_known else "Taken back.")

    @Slot()
    def undo(self) -> None:
        """Take the last act back."""
        self._act(lambda session: session.undo())

    @Slot()
    def redo(self) -> None:
        """Bring the last act back again."""
        self._act(lambda session: session.redo())

    def ask_reason(self) -> None:
        """Ask why this cannot be judged; one key answers."""
        if self._open is None or self._is_locked():
            return
        self.settle()
        self._set_mode(REASON)

    def press_reason(self, number: int) -> None:
        """Take the reason with this number."""
        for reasons in self.reason_lists():
            if reasons.isVisible():
                reasons.choose(number)

    @Slot()
    def cancel_reason(self) -> None:
        """Close the reasons without an answer."""
        if self._open is not None:
            self._set_mode(self.mode_for(self._open))
        self._focus_stage()

    def skip(self) -> None:
        """Leave this for later and go on."""
        if self._open is None:
            return
        self.settle()
        self._save_text()
        if self._open.session.is_decided or self._act(lambda session: session.skip()):
            self._go_on()

    def find(self) -> None:
        """Open the search over decks and sources."""
        self.source.focus_search()

    def toggle_guidelines(self) -> None:
        """Show or hide the guidelines; showing them is reading them."""
        self.guidance.toggle()

    def show_results(self) -> None:
        """Show how known answers, repeats and the training went: for the author, not for annotators."""
        self.guidance.show_results()

    def close_guidelines(self) -> None:
        """Close the guidelines."""
        self.guidance.close()

    def back(self) -> None:
        """Close what is open on top: reasons, guidelines, the contact sheet, the search."""
        if self._mode == REASON:
            self.cancel_reason()
        elif self.guidance.is_open:
            self.close_guidelines()
        elif self.stage.has_sheet:
            self.stage.close_sheet()
        elif not self.source.isHidden() and self.source.close_search():
            self._focus_stage()

    # acts

    def _act(self, do: Callable[[Any], object], *, settles: bool = True) -> bool:
        """Do something to the answer; return whether it and all before it is stored."""
        if self._open is None:
            return False
        if settles:
            self.settle()
        return self.saving.act(do)

    def _show_trouble(self) -> None:
        self.saving.tell()

    @Slot()
    def _save_text(self) -> None:
        if self._open is not None and self.text.take():
            self.save_text()

    def _is_unsaved(self) -> bool:
        return self._open is not None and (self.text.is_dirty or self.saving.has_waiting)

    def _set_mode(self, mode: str) -> None:
        self._mode = mode
        self.set_asking(mode == REASON)
        if mode == REASON:
            for reasons in self.reason_lists():
                reasons.begin()
        self._tell_mode()

    def _tell_mode(self) -> None:
        if self._is_front:
            self.context.shortcuts.set_page(self.page_id, self._mode)

    def _is_answering(self) -> bool:
        return self._mode in self.answering_modes.split("|")

    def _is_locked(self) -> bool:
        return self.saving.is_locked

    # what is shown

    @Slot()
    def _show(self) -> None:
        """Show the answer as it is."""
        raise NotImplementedError

    def _show_crumb(self) -> None:
        if len(self._desk.studies) > 1:
            self.context.set_crumb(f"{self._desk.study.name} › {self._open.instance.title}")
        else:
            self.context.set_crumb(self._open.instance.title)

    def _show_looked(self) -> None:
        """Note which slides are on the screen, and whether the source is."""
        if self._open is None or not self._is_front:
            return
        shown = [] if self.stage.has_sheet else [(deck, self.stage.viewing.slide(deck)) for deck in self.stage.shown]
        slides = [(deck, slide) for deck, slide in shown if slide is not None]
        self.looking.show(slides, has_source=not self.source.isHidden())

    # what widgets tell

    @Slot(str)
    def _on_trouble_told(self, words: str) -> None:
        self.say_trouble(words)

    @Slot()
    def _on_act_done(self) -> None:
        self.say_change(self._open)

    @Slot(str)
    def _on_reason_given(self, reason: str) -> None:
        if self._open is None:
            return
        self._set_mode(self.mode_for(self._open))
        self._save_text()
        if self._act(lambda session: session.cannot_judge(reason)):
            self._go_on()

    @Slot(str)
    def _on_focus_changed(self, _deck: str) -> None:
        self._show()

    @Slot()
    def _on_moved(self) -> None:
        if self._open is not None:
            self._show_looked()
            self._show_head()
            self._show()

    @Slot(str, int, str)
    def _on_phrase_picked(self, deck: str, number: int, phrase: str) -> None:
        if not self.source.isHidden():
            self.source.find_phrase(phrase, f"deck {self.stage.deck(deck).name}, slide {number}")

    @Slot(str, int, int, int, str)
    def _on_slide_asked(self, deck: str, number: int, _start: int, _end: int, _part: str) -> None:
        self.stage.show_slide(DeckId(deck), number)

    # active time

    @Slot()
    def _on_acted(self) -> None:
        if self._open is not None:
            self._open.clock.touch()
            self._open.looking.touch()

    def changeEvent(self, event: QEvent) -> None:  # @override
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self._open is not None and not self.isActiveWindow():
            self._open.clock.away()
            self.looking.away()
