"""Compare: the decks of an instance side by side with their sources, search over both, and phrase look-up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtWidgets import QMenu, QStackedLayout, QVBoxLayout, QWidget

from studio.actions.sources import SourceReader
from studio.actions.viewing import InstanceOnView, instance_on_view
from studio.errors import StudioError
from studio.gui.background import Ticket
from studio.gui.compare_extras import CompareExtras
from studio.gui.compare_structure import CompareStructure
from studio.gui.content_opener import ContentOpener
from studio.gui.context import AppContext
from studio.gui.page import Page
from studio.gui.protocol_opener import ProtocolOpener
from studio.gui.second_window import SecondWindow
from studio.gui.shortcuts import Action
from studio.gui.why.opener import WhyOpener
from studio.gui.widgets.badge import Badge
from studio.gui.widgets.deck_stage import SYNC_WORDS, DeckStage
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.page_head import PageHead, pop_up_below
from studio.gui.widgets.source_panel import SourcePanel
from studio.gui.widgets.stage_actions import stage_actions
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.model.changes import Changes, Topic
from studio.model.ids import DeckId, InstanceId
from studio.store import decks as deck_store

PANE_LIMIT, WALL_LIMIT = 6, 12


@dataclass(frozen=True, kw_only=True)
class _Look:
    """What was read for the page."""

    order: tuple[InstanceId, ...]
    view: InstanceOnView | None


class ComparePage(Page):
    """The page on which decks are looked at together."""

    page_id = "compare"
    title = "Compare"
    icon_name = "columns-2"
    instance_shown = Signal(str)
    """The decks of this instance are on the page."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context: AppContext | None = None
        self._order: tuple[InstanceId, ...] = ()
        self._view: InstanceOnView | None = None
        self._chosen: dict[InstanceId, tuple[DeckId, ...]] = {}
        self._ticket: Ticket | None = None
        self._wanted: dict[str, str] = {}
        self._is_front = False
        self._is_stale = True
        self._layers = QStackedLayout(self)

    # the page

    def open_project(self, context: AppContext) -> None:  # @override
        self.context = context
        self.stage = DeckStage(context.background, context.images, shows_all=True)
        self.source = SourcePanel(context.background, SourceReader(context.project, context.passwords))
        self.extras = CompareExtras(context, self.stage, self, self._instance_title)
        self._source_window: SecondWindow | None = None
        self.why = WhyOpener(context, self.stage, self)
        self.content = ContentOpener(context, self.stage, self)
        self.content.topic_picked.connect(self._on_topic_picked)
        # Names of shapes, layouts and parts tell who made a deck, which a blind viewer must not see.
        self.structure = None if context.is_blind else CompareStructure(context, self.stage, self)
        self.protocol = ProtocolOpener(context, self.stage, self)
        self.head = PageHead()
        self.heading, self.note = self.head.title_label, self.head.facts_label
        self.scenario, self.count = Badge(), Badge()
        self.why_button = KeyCapButton("Why")
        self.why_button.setToolTip("Why the focused deck has its numbers")
        self.content_button = KeyCapButton("Content")
        self.content_button.setToolTip("What the focused deck lacks, repeats or tells out of order")
        self.decks_button = KeyCapButton("Decks")
        self.structure_button = KeyCapButton("Structure")
        self.structure_button.setToolTip("Shapes, layouts, charts, animation and media of the focused deck")
        self.structure_button.setCheckable(True)
        self.protocol_button = KeyCapButton("Try out")
        self.protocol_button.setToolTip("Protocols A to C: how far the focused deck can be edited, tried out by hand")
        self.wall_button = KeyCapButton("Wall")
        self.text_button = KeyCapButton("Text")
        self.notes_button = KeyCapButton("Notes")
        self.source_button = KeyCapButton("Source")
        self.sync_button = KeyCapButton("Sync")
        self.sheet_button = KeyCapButton("Contact sheet")
        self.fit_button = KeyCapButton("Fit")
        for button in (self.wall_button, self.text_button, self.notes_button, self.source_button):
            button.setCheckable(True)
        self.source_button.setChecked(True)
        for badge in (self.scenario, self.count):
            self.head.add_badge(badge)
        # Numbers are verdicts of machines, which a blind viewer must not see.
        insights = (
            (self.why_button, "why", 0), (self.content_button, "content", 1), (self.structure_button, "structure", 2),
        )  # fmt: skip
        reasons = ((self.protocol_button, "protocol", 1),) if context.is_blind else insights
        for button, action, gives_way in (
            *reasons, (self.decks_button, "decks", 4), (self.wall_button, "wall", 3), (self.text_button, "text", 6),
            (self.notes_button, "notes", 7), (self.source_button, "source", 0), (self.sync_button, "sync", 5),
            (self.sheet_button, "sheet", 8), (self.fit_button, "zoom_fit", 9),
        ):  # fmt: skip
            button.follow(context.shortcuts, f"compare.{action}")
            self.head.add_control(button, gives_way=gives_way)
        self.work = QWidget()
        column = QVBoxLayout(self.work)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(12)
        column.addWidget(self.head)
        if self.structure is None:
            column.addWidget(self.stage, 1)
        else:
            column.addWidget(self.structure.beside_stage(), 1)
            self.protocol_button.setProperty("compact", True)
            self.protocol_button.follow(context.shortcuts, "compare.protocol")
            self.structure.panel.head.add_control(self.protocol_button)
            self.structure.shown.connect(self.structure_button.setChecked)
        self.loading = LoadingState(is_slide=True)
        self.empty = EmptyState("Nothing to compare yet", "", "", icon_name="columns-2", is_primary=False)
        self.failed = FailedState("The decks cannot be shown")
        for layer in (self.work, self.loading, self.empty, self.failed):
            self._layers.addWidget(layer)
        self._layers.setCurrentWidget(self.loading)
        self.stage.set_extra(self.source)
        self.stage.moved.connect(self._on_moved)
        self.stage.phrase_picked.connect(self._on_phrase_picked)
        self.stage.retried.connect(self._on_retried)
        self.source.slide_asked.connect(self._on_slide_asked)
        self.source.closed.connect(self._focus_stage, Qt.ConnectionType.QueuedConnection)
        self.failed.retried.connect(self.reload)
        self.empty.button_clicked.connect(self._on_empty_button)

    def close_project(self) -> None:  # @override
        if self.context is None:
            return
        if self._ticket is not None:
            self._ticket.drop()
        self.extras.close_windows()
        self.source.stop()
        self.why.close()
        self.content.close()
        self.protocol.close()
        if self.structure is not None:
            self.structure.stop()
        self._view = None

    def go_to(self, **place: str) -> None:  # @override
        self._wanted = {name: place[name] for name in ("instance", "deck", "slide") if name in place}
        if not self._wanted:
            return
        instance = self._wanted.get("instance")
        if self._view is not None and instance in (None, self._view.instance.id) and not self._is_stale:
            self._wanted.pop("instance", None)
            self._go_to_wanted()
        else:
            self.reload()

    def place(self) -> dict[str, str]:  # @override
        return {"instance": str(self._view.instance.id)} if self._view else {}

    def on_shown(self) -> None:  # @override
        self._is_front = True
        if self._is_stale:
            self.reload()
        elif self._view is not None:
            self.context.set_crumb(self._view.instance.title)
            self._focus_stage()

    def on_hidden(self) -> None:  # @override
        self._is_front = False
        self.why.close()
        self.content.close()

    def on_changes(self, changes: Changes) -> None:  # @override
        self.why.on_changes(changes)
        if self.structure is not None:
            self.structure.on_changes(changes)
        # The order of the letters is a person's own, so it may come with the first answer.
        is_other = Topic.DECKS in changes.topics or (self.context.is_blind and Topic.PEOPLE in changes.topics)
        if not is_other:
            return
        self._is_stale = True
        if self._is_front:
            self.reload()

    def actions(self) -> list[Action]:  # @override
        def act(name: str, words: str, run: Callable[[], None], *keys: str) -> Action:
            return Action(id=f"compare.{name}", words=words, run=run, keys=keys, page="compare")

        own = [
            act("next_instance", "Next instance", partial(self.go, 1), "Right"),
            act("previous_instance", "Previous instance", partial(self.go, -1), "Left"),
            act("source", "Source", self.toggle_source, "S"),
            act("find", "Search decks and sources", self.find, "Ctrl+F"),
            act("back", "Back", self.back, "Escape"),
            act("decks", "Choose decks…", self.choose_decks, "D"),
            act("steps", "Animation steps", self.toggle_steps, "A"),
            act("copy_slide", "Copy this slide as a picture", self.extras.copy_slide, "Ctrl+Shift+C"),
            act("draw_slide", "Draw this slide again, or a hidden one", self.extras.draw_slide, "R"),
            act("sheet_pdf", "Save the contact sheet as PDF…", self.extras.ask_pdf, "Ctrl+Shift+P"),
            act("print", "Print the contact sheet…", self.extras.ask_print, "Ctrl+P"),
            act("detach_deck", "Show this deck in a second window", self.extras.detach_deck, "Ctrl+D"),
            act("protocol", "Try this deck out: protocols A to C…", self.protocol.open, "P"),
            act("detach_source", "Show the source in a second window", self.detach_source, "Ctrl+Shift+D"),
        ]
        if not self.context.is_blind:
            own.append(act("why", "Why these numbers", self.why.open, "Shift+W"))
            own.append(act("content", "Content: what to change", self.content.open, "Shift+C"))
            own.append(act("lab", "Sensitivity lab: who notices what was made worse", self.content.open_lab))
            own.append(act("paper", "Tables and figures of the REFLEX paper", self.content.open_paper))
            own.append(act("summaries", "Summaries of the sources' sections", self.content.open_summaries))
        if self.structure is not None:
            own.append(act("structure", "Structure", self.structure.toggle, "T"))
        return [*own, *(self._own_wall(action) for action in stage_actions(self.page_id, self.stage))]

    def _own_wall(self, action: Action) -> Action:
        """Return the stage's action, except that the wall here may take other decks than the panes."""
        return replace(action, run=self.toggle_wall) if action.id == "compare.wall" else action

    @Slot(str)
    def _on_topic_picked(self, topic: str) -> None:
        """Find a section that the deck lacks in the source."""
        if not self.source_button.isChecked():
            self.toggle_source()
        self.source.find_phrase(topic, "Content")

    # instances

    @Slot()
    def reload(self) -> None:
        """Read the instance that is wanted, or the present one anew."""
        self._is_stale = False
        instance = InstanceId(self._wanted.pop("instance", "") or (self._view.instance.id if self._view else ""))
        if self._layers.currentWidget() is not self.work or self._view is None:
            self._layers.setCurrentWidget(self.loading)
        if self._ticket is not None:
            self._ticket.drop()
        read = partial(
            _read, self.context.project, instance, is_blind=self.context.is_blind,
            annotator=self.context.settings.text("profile_name").strip(),
        )  # fmt: skip
        self._ticket = self.context.background.query(read, self._on_read, self._on_failed, owner=self)

    def _on_failed(self, error: BaseException) -> None:
        self._ticket = None
        if not isinstance(error, StudioError):
            self.context.report(error)
        self.failed.set_words("The decks cannot be shown", str(error))
        self._layers.setCurrentWidget(self.failed)

    def _on_read(self, look: _Look) -> None:
        self._ticket = None
        self._order = look.order
        if look.view is None or not look.view.decks:
            self._show_empty(look)
            return
        is_same = self._view is not None and self._view.instance.id == look.view.instance.id
        self._view = look.view
        self._layers.setCurrentWidget(self.work)
        self._show_decks(keeps_place=is_same)
        self.source.show_instance(
            self.context.project, look.view.instance.id, {deck.id: deck.name for deck in look.view.decks}
        )
        if self._is_front:
            self.context.set_crumb(look.view.instance.title)
            if not is_same or not self.source.search.hasFocus():
                self._focus_stage()
        self._go_to_wanted()
        self.instance_shown.emit(look.view.instance.id)

    def _show_empty(self, look: _Look) -> None:
        self._view = look.view
        if look.view is not None:
            words = "This instance has no deck that can be shown."
            self.empty.set_words(look.view.instance.title, f"{words} ← and → go to another one.")
        else:
            self.empty.set_words("Nothing to compare yet", "Import decks in Library first.")
        goes = look.view is None and not self.context.is_blind
        self.empty.button.setText("Go to Library" if goes else "")
        self.empty.button.setVisible(goes)
        self._layers.setCurrentWidget(self.empty)
        if self._is_front:
            self.context.set_crumb(look.view.instance.title if look.view else "")

    def _show_decks(self, *, keeps_place: bool) -> None:
        view = self._view
        limit = WALL_LIMIT if self.stage.is_wall else PANE_LIMIT
        chosen = self._chosen.get(view.instance.id) if not self.stage.is_wall else None
        decks = [deck for deck in view.decks if chosen is None or deck.id in chosen][:limit]
        self.stage.show_decks(decks, keeps_place=keeps_place)
        self.heading.set_text(view.instance.title)
        self.scenario.set_text(view.instance.scenario)
        total = len(view.decks)
        shown = f"{len(decks)} of {total} decks" if len(decks) < total else f"{total} deck{'s' if total != 1 else ''}"
        self.count.set_text(shown)
        place = self._order.index(view.instance.id) + 1
        self.note.set_text(f"instance {place} of {len(self._order)}")
        self.decks_button.setVisible(total > 2)
        self.extras.read_steps()
        self._on_moved()

    def _go_to_wanted(self) -> None:
        deck, slide = self._wanted.pop("deck", ""), self._wanted.pop("slide", "")
        if not deck or self._view is None or deck not in {shown.id for shown in self._view.decks}:
            return
        self._bring_in(DeckId(deck))
        if slide.isdigit():
            self.stage.show_slide(DeckId(deck), int(slide))
        else:
            self.stage.focus(DeckId(deck), takes_keyboard=self._is_front)

    def _bring_in(self, deck: DeckId) -> None:
        """Give a deck that has no pane the place of the last one."""
        shown = [other.id for other in self.stage.decks]
        if deck in shown:
            return
        kept = shown[: (WALL_LIMIT if self.stage.is_wall else PANE_LIMIT) - 1]
        self._chosen[self._view.instance.id] = (*kept, deck)
        self._show_decks(keeps_place=True)

    # what the user does

    def go(self, by: int) -> None:
        """Go to the next or the previous instance."""
        if self._view is None or self._view.instance.id not in self._order:
            return
        there = self._order.index(self._view.instance.id) + by
        if 0 <= there < len(self._order):
            self._wanted = {"instance": str(self._order[there])}
            self.reload()
        else:
            self.context.toast("This is the last instance." if by > 0 else "This is the first instance.")

    def toggle_wall(self) -> None:
        """Show up to twelve decks at once, one slide each, or go back to panes."""
        self.stage.toggle_wall()
        if self._view is not None:
            self._show_decks(keeps_place=True)

    def toggle_source(self) -> None:
        """Show or hide the source among the decks."""
        if self._source_window is not None:
            self._source_window.close()
            return
        is_on = self.source.isHidden()
        self.stage.set_extra(self.source if is_on else None)
        self._on_moved()
        if not is_on:
            self._focus_stage()

    def toggle_steps(self) -> None:
        """Show or hide the animation steps below the slides."""
        self.stage.toggle_steps()
        self.extras.read_steps()

    def detach_source(self) -> None:
        """Give the source a window of its own; closing that brings it back among the decks."""
        if self._view is None:
            return
        if self._source_window is not None:
            self._source_window.close()
            return
        self.stage.set_extra(None)
        window = SecondWindow(self.source, f"Sources · {self._instance_title()}", self)
        window.closed.connect(self._on_source_window_closed)
        self._source_window = window
        self.extras.show_window(window)
        self._on_moved()

    @Slot()
    def _on_source_window_closed(self) -> None:
        self._source_window = None
        self.stage.set_extra(self.source)
        self._on_moved()
        self._focus_stage()

    def _instance_title(self) -> str:
        return self._view.instance.title if self._view is not None else ""

    def find(self) -> None:
        """Open the search over decks and sources."""
        if self._view is None:
            return
        if self.source.isHidden():
            self.toggle_source()
        self.source.focus_search()

    def back(self) -> None:
        """Close what is open on top: the contact sheet, then the search."""
        if self.stage.has_sheet:
            self.stage.close_sheet()
        elif self.source.close_search():
            self._focus_stage()

    @Slot()
    def _focus_stage(self) -> None:
        if self.stage.focused is not None and self._is_front:
            self.stage.focus(self.stage.focused)

    def choose_decks(self) -> None:
        """Open the list of decks to pick from."""
        if self._view is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        shown = {deck.id for deck in self.stage.decks}
        for deck in self._view.decks:
            words = self.fontMetrics().elidedText(deck.name, Qt.TextElideMode.ElideMiddle, 320)
            entry = menu.addAction(words.replace("&", "&&"))
            entry.setCheckable(True)
            entry.setChecked(deck.id in shown)
            entry.triggered.connect(partial(self._choose, deck.id))
        pop_up_below(menu, self.decks_button)

    def _choose(self, deck: DeckId, is_on: bool) -> None:
        shown = [other.id for other in self.stage.decks]
        limit = WALL_LIMIT if self.stage.is_wall else PANE_LIMIT
        if is_on and len(shown) >= limit:
            self.context.toast(f"{limit} decks at most: take one away first.")
            return
        if not is_on and len(shown) <= 2:
            self.context.toast("Two decks at least.")
            return
        wanted = {*shown, deck} if is_on else {*shown} - {deck}
        self._chosen[self._view.instance.id] = tuple(other.id for other in self._view.decks if other.id in wanted)
        self._show_decks(keeps_place=True)

    # what widgets tell

    @Slot()
    def _on_moved(self) -> None:
        self.sync_button.setText(f"Sync: {SYNC_WORDS[self.stage.viewing.mode]}")
        self.wall_button.setChecked(self.stage.is_wall)
        self.text_button.setChecked(self.stage.shows_text)
        self.notes_button.setChecked(self.stage.shows_notes)
        self.source_button.setChecked(not self.source.isHidden())

    @Slot(str, int, str)
    def _on_phrase_picked(self, deck: str, number: int, phrase: str) -> None:
        if self.source.isHidden():
            self.toggle_source()
        self.source.find_phrase(phrase, f"deck {self.stage.deck(deck).name}, slide {number}")

    @Slot(str, int, int, int, str)
    def _on_slide_asked(self, deck_id: str, number: int, start: int, end: int, part: str) -> None:
        deck = DeckId(deck_id)
        self._bring_in(deck)
        self.stage.show_slide(deck, number)
        pane = self.stage.pane(deck)
        if part == "notes" and not self.stage.shows_notes:
            self.stage.toggle_notes()
        elif part == "text" and not self.stage.shows_text:
            pane.mark(_box_of(pane.deck, number, start))
            return
        pane.mark(_box_of(pane.deck, number, start) if part == "text" else None)
        pane.select_text(start, end, is_note=part == "notes")

    @Slot(str)
    def _on_retried(self, _deck: str) -> None:
        self.reload()

    @Slot()
    def _on_empty_button(self) -> None:
        self.context.navigate("library")


def _read(project: Any, instance: InstanceId, *, is_blind: bool, annotator: str) -> _Look:
    order = tuple(item.id for item in deck_store.list_instances(project))
    if not order:
        return _Look(order=(), view=None)
    wanted = instance if instance in order else order[0]
    return _Look(order=order, view=instance_on_view(project, wanted, is_blind=is_blind, annotator=annotator))


def _box_of(deck: Any, number: int, start: int) -> QRectF | None:
    """Return the region of a slide whose text holds a character of the slide's text, 0 to 1."""
    slide = next((slide for slide in deck.slides if slide.number == number), None)
    at = 0
    for box in (slide.boxes or ()) if slide is not None else ():
        here = slide.text.find(box.text, at) if box.text else -1
        if here < 0:
            continue
        at = here + len(box.text)
        if here <= start < at:
            return QRectF(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0)
    return None
