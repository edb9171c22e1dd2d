"""Review: disagreements one by one, both sides' evidence side by side, and what the reviewer decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QStackedLayout, QWidget

from studio.actions import review as actions
from studio.actions.review import Entry, ReviewDesk, filtered, read_desk, reviewer_named, with_review
from studio.actions.review_evidence import OpenCase, open_case
from studio.errors import StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.page import Page
from studio.gui.review.accept_dialog import AcceptDialog
from studio.gui.review.decision_panel import PanelState
from studio.gui.review.item_report import ItemReportWindow
from studio.gui.review.keys import BOX, ITEM, KEYS, review_actions
from studio.gui.review.marking import Marking
from studio.gui.review.words import BUTTONS
from studio.gui.review.work import ReviewWork
from studio.gui.shortcuts import Action
from studio.gui.widgets.name_form import NameForm
from studio.gui.widgets.states import EmptyState, FailedState, LoadingState
from studio.model.changes import Changes, Topic
from studio.model.checklists import EvidenceBox, SourceQuote
from studio.model.ids import AnnotatorId
from studio.model.reviews import DECISIONS, Case, CaseKind, Confidence, Decision, Review

COMMENT_MS = 500


class ReviewPage(Page):
    """The queue at the left, both sides' evidence in the middle, the decision at the right."""

    page_id = "review"
    title = "Review"
    icon_name = "git-compare"
    case_shown = Signal(str)
    """The id of the case whose evidence is on the page now."""
    desk_read = Signal()
    """The queue shows what the project holds."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context: AppContext | None = None
        self.opened: OpenCase | None = None
        self.dialog: AcceptDialog | None = None
        self.items: ItemReportWindow | None = None
        self._desk: ReviewDesk | None = None
        self._reviewer: AnnotatorId | None = None
        self._wanted: dict[str, str] = {}
        self._case_id = ""
        self._named: set[str] = set()
        """Cases of which the reviewer has seen who said what; they are blind no more."""
        self._shows_names = False
        self._ticket: Ticket | None = None
        self._case_ticket: Ticket | None = None
        self._mode = ITEM
        self._evidence = -1
        self._comment_is_dirty = False
        self._is_front = False
        self._is_stale = True
        self._layers = QStackedLayout(self)

    # the page

    def open_project(self, context: AppContext) -> None:  # @override
        self.context = context
        self._build()
        self._connect()
        self._layers.setCurrentWidget(self.loading)

    def _build(self) -> None:
        self.work = ReviewWork(self.context)
        self.cases, self.evidence, self.panel = self.work.cases, self.work.evidence, self.work.panel
        self.nothing = self.work.nothing
        self.marking = Marking(
            self.evidence, self.panel, review=self._review, store=self._set_evidence, set_placing=self._set_placing,
            say=self.context.toast, parent=self,
        )  # fmt: skip
        self.loading = LoadingState(is_slide=True)
        self.empty = EmptyState("Nothing to review yet", "", icon_name="git-compare", is_primary=False)
        self.failed = FailedState("The disagreements cannot be read")
        self.who = NameForm("Who is reviewing?", "git-compare")
        for layer in (self.work, self.loading, self.empty, self.failed, self.who):
            self._layers.addWidget(layer)
        self._comment_timer = QTimer(self)
        self._comment_timer.setSingleShot(True)
        self._comment_timer.setInterval(COMMENT_MS)

    def _connect(self) -> None:
        panel, shortcuts = self.panel, self.context.shortcuts
        for decision, (_words, name, _tone) in BUTTONS.items():
            panel.decisions[decision].clicked.connect(partial(self.say, decision))
            panel.decisions[decision].setAccessibleDescription(name)
        for level, button in panel.confidence.items():
            button.follow(shortcuts, f"review.confidence_{level.value}")
        for button, name in (
            (panel.box_button, "box"), (panel.quote_button, "quote"), (panel.comment_button, "comment"),
            (panel.return_button, "return"), (panel.next_button, "next"), (panel.names_button, "names"),
            (panel.error_key, "error"), (self.work.compare_button, "compare"), (self.work.accept_button, "accept"),
            (self.work.items_button, "items"),
        ):  # fmt: skip
            button.follow(shortcuts, f"review.{name}")
        panel.error_chosen.connect(self.set_error)
        panel.evidence_asked.connect(self.show_statement)
        panel.comment_edited.connect(self._on_comment_edited)
        panel.comment_left.connect(self._save_comment)
        self._comment_timer.timeout.connect(self._save_comment)
        self.cases.case_chosen.connect(self._on_case_chosen)
        self.cases.filter_changed.connect(self._on_filter_changed)
        self.work.undo_button.clicked.connect(self.undo)
        self.work.redo_button.clicked.connect(self.redo)
        self.failed.retried.connect(self.reload)
        self.empty.button_clicked.connect(self._on_empty_clicked)
        self.who.name_given.connect(self._on_name_given)

    def close_project(self) -> None:  # @override
        if self.context is None:
            return
        self._save_comment()
        self._comment_timer.stop()
        self.cases.stop()
        self.evidence.clear()
        for ticket in (self._ticket, self._case_ticket):
            if ticket is not None:
                ticket.drop()
        for dialog in (self.dialog, self.items):
            if dialog is not None:
                dialog.close()
        self.dialog = self.items = None
        self._desk = self.opened = None

    def go_to(self, **place: str) -> None:  # @override
        known = ("case", "instance", "deck", "item", "who", "dispute", "group", "state")
        self._wanted = {name: place[name] for name in known if place.get(name)}
        if self._desk is not None and self._wanted:
            self._go_to_wanted()

    def place(self) -> dict[str, str]:  # @override
        return {"case": self._case_id} if self._case_id else {}

    def unsaved(self) -> str:  # @override
        self._save_comment()
        return "A comment on the Review page is not saved." if self._comment_is_dirty else ""

    def on_shown(self) -> None:  # @override
        self._is_front = True
        self.context.shortcuts.set_page(self.page_id, self._mode)
        if self._is_stale or self._desk is None:
            self.reload()
        else:
            self._focus()

    def on_hidden(self) -> None:  # @override
        self._is_front = False
        self._save_comment()

    def on_changes(self, changes: Changes) -> None:  # @override
        if changes.origin == self.page_id:
            return
        if changes.topics & {Topic.ANSWERS, Topic.SCORES, Topic.DECKS, Topic.CHECKLISTS, Topic.PEOPLE}:
            self._is_stale = True
            if self._is_front:
                self.reload()

    def actions(self) -> list[Action]:  # @override
        return review_actions(self)

    # reading

    @Slot()
    def reload(self) -> None:
        """Read the disagreements anew; the case that is shown stays."""
        if self.context is None:
            return
        name = self.context.settings.text("profile_name").strip()
        if not name and not self.context.project.is_read_only:
            self._layers.setCurrentWidget(self.who)
            if self._is_front:
                self.who.field.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self._is_stale = False
        if self._desk is None:
            self._layers.setCurrentWidget(self.loading)
        if self._ticket is not None:
            self._ticket.drop()
        project = self.context.project

        def read() -> tuple[AnnotatorId | None, ReviewDesk]:
            return (None if project.is_read_only else reviewer_named(project, name).id), read_desk(project)

        self._ticket = self.context.background.query(read, self._on_desk, self._on_failed, owner=self)

    def _on_desk(self, found: tuple[AnnotatorId | None, ReviewDesk]) -> None:
        self._ticket = None
        self._reviewer, self._desk = found
        if not self._desk.entries:
            self._leave_case()
            self.empty.set_words(
                "Nobody disagrees yet",
                "Disagreements show here once people and machines have said something about the same decks.",
            )
            self.empty.button.setText("Go to Runs")
            self.empty.button.show()
            self._layers.setCurrentWidget(self.empty)
            self.desk_read.emit()
            return
        self._layers.setCurrentWidget(self.work)
        self.cases.set_desk(self._desk)
        if self._wanted:
            self._go_to_wanted()
        else:
            self._show_list(keeps_case=True)
        self.desk_read.emit()

    def _on_failed(self, error: BaseException) -> None:
        self._ticket = self._case_ticket = None
        self._is_stale = True
        if not isinstance(error, StudioError):
            self.context.report(error)
        self.failed.set_words("The disagreements cannot be read", str(error))
        self._layers.setCurrentWidget(self.failed)

    def _go_to_wanted(self) -> None:
        wanted, self._wanted = self._wanted, {}
        case_id = wanted.pop("case", "")
        if "item" in wanted and "deck" in wanted:
            case_id = actions.item_case_id_of(wanted["deck"], wanted.pop("item"))
        deck = wanted.pop("deck", "")
        if case_id:
            self._case_id = case_id
            self.cases.choose()
            return
        self.cases.choose(**wanted)
        if deck:
            entry = next(
                (each for each in self.cases.model.rows() if deck in (each.case.deck_id, each.case.against)), None
            )  # fmt: skip
            if entry is not None:
                self._open(entry)

    @Slot()
    def _on_filter_changed(self) -> None:
        if self._desk is not None:
            self._show_list()

    def _show_list(self, *, keeps_case: bool = False) -> None:
        """Show the cases that pass, and one of them; the case that is shown stays if asked, passing or not."""
        entries = filtered(self._desk, self.cases.wanted())
        self.cases.show_entries(entries, self._desk)
        self._show_head()
        same = next((entry for entry in entries if entry.case.id == self._case_id), None)
        if same is None and keeps_case:
            same = self._entry()
        if same is not None:
            self._open(same)
        elif entries:
            self._open(next((entry for entry in entries if entry.is_open), entries[0]))
        else:
            self._leave_case()
            self.work.show_nothing()

    def _leave_case(self) -> None:
        self._save_comment()
        self.opened, self._case_id = None, ""
        self.panel.setEnabled(False)

    def _on_case_chosen(self, entry: Entry) -> None:
        self._open(entry)

    def _open(self, entry: Entry, *, again: bool = False) -> None:
        self._save_comment()
        is_same = self.opened is not None and self.opened.entry.case.id == entry.case.id
        self._case_id = entry.case.id
        if not is_same:
            self._shows_names, self._evidence = False, -1
        self.cases.select(entry.case.id)
        if is_same and not again and self.opened.entry.case == entry.case:
            self.opened = replace(self.opened, entry=entry)
            self._show()
            return
        if self._case_ticket is not None:
            self._case_ticket.drop()
        read = partial(open_case, self.context.project, entry, is_blind=not self._shows_names)
        self._case_ticket = self.context.background.query(read, self._on_case, self._on_failed, owner=self)

    def _on_case(self, opened: OpenCase) -> None:
        self._case_ticket = None
        entry = self._desk.entry(opened.entry.case.id) if self._desk is not None else None
        if entry is None or opened.entry.case.id != self._case_id:
            return
        self.opened = replace(opened, entry=replace(entry, size=opened.entry.size))
        self.work.show_evidence()
        self._comment_is_dirty = False
        self._set_mode(opened.entry.case.kind.value)
        review = entry.review
        self.evidence.show_case(self.opened, review.boxes if review is not None else ())
        self._show()
        if self._is_front:
            self.context.set_crumb(entry.instance)
        self._focus()
        self.case_shown.emit(entry.case.id)

    # showing

    def _entry(self) -> Entry | None:
        return self._desk.entry(self._case_id) if self._desk is not None and self._case_id else None

    def _review(self) -> Review | None:
        entry = self._entry()
        return entry.review if entry is not None else None

    def _show(self) -> None:
        entry = self._entry()
        if entry is None or self.opened is None:
            return
        locked = "Read-only: nothing can be decided." if self._reviewer is None else ""
        review = entry.review
        names = self._desk.names
        self.panel.show_state(
            PanelState(
                opened=self.opened, review=review, state=entry.state, names_shown=self._shows_names,
                can_change=not locked, locked=locked,
                reviewer=names.get(review.reviewer_id, "") if review is not None and review.reviewer_id else "",
            ),
            keeps_comment=self._comment_is_dirty,
        )  # fmt: skip
        keys = {decision: key for (mode, decision), key in KEYS.items() if mode == entry.case.kind.value}
        keys[Decision.CANNOT_TELL] = "U"
        for decision, button in self.panel.decisions.items():
            button.set_key(keys.get(decision, ""))
        self.panel.slide_button.set_key("Shift+E" if entry.case.kind is CaseKind.PAIR else "E")
        self.evidence.set_own(review.boxes if review is not None else ())

    def _show_head(self) -> None:
        self.work.show_counts(self._desk)
        self.marking.is_locked = self._reviewer is None
        done, undone = (None, None)
        if self._reviewer is not None:
            done, undone = actions.last_acts(self.context.project, self._reviewer)
        self.work.undo_button.setEnabled(done is not None)
        self.work.redo_button.setEnabled(undone is not None)
        self.work.accept_button.setEnabled(self._reviewer is not None)

    def _set_placing(self, is_placing: bool) -> None:
        kind = self.opened.entry.case.kind.value if self.opened is not None else ITEM
        self._set_mode(BOX if is_placing else kind)

    def _set_mode(self, mode: str) -> None:
        self._mode = mode
        if self._is_front:
            self.context.shortcuts.set_page(self.page_id, mode)

    def _focus(self) -> None:
        if self._is_front and self._layers.currentWidget() is self.work:
            self.evidence.focus(self.evidence.focused)

    # deciding

    def _act(self, run: Callable[[Case, AnnotatorId], tuple[Review, Changes]]) -> bool:
        """Do something to the case that is shown, store it, show it, and tell the other pages."""
        entry = self._entry()
        if entry is None or self.opened is None or self._reviewer is None:
            return False
        try:
            review, changes = run(entry.case, self._reviewer)
        except StudioError as error:
            self.panel.say_trouble(str(error))
            return False
        self.panel.say_trouble("")
        self._desk = with_review(self._desk, entry.case.id, None if review.is_empty else review)
        self._after_act(changes)
        return True

    def _after_act(self, changes: Changes) -> None:
        entry = self._entry()
        for number, row in enumerate(self.cases.model.rows()):
            if entry is not None and row.case.id == entry.case.id:
                self.cases.model.replace(number, replace(entry, size=row.size))
        self.cases.show_facts(self._desk)
        self._show_head()
        self._show()
        self.context.announce(replace(changes, origin=self.page_id))

    def say(self, decision: Decision | None, _is_checked: bool = False) -> None:
        """Decide the case, or take the decision away with None."""
        entry = self._entry()
        if entry is None or (decision is not None and decision not in DECISIONS[entry.case.kind]):
            return
        is_blind = self._case_id not in self._named
        if not self._act(
            lambda case, who: actions.decide(self.context.project, case, decision, reviewer=who, is_blind=is_blind)
        ):
            self._show()

    def set_confidence(self, level: Confidence) -> None:
        """Say how sure the decision is; the same again takes it away."""
        review = self._review()
        held = review.confidence if review is not None else None
        wanted = None if held is level else level
        self._act(lambda case, who: actions.set_confidence(self.context.project, case, wanted, reviewer=who))

    @Slot(str)
    def set_error(self, code: str) -> None:
        """Say which kind of error was made; empty for none."""
        self._act(lambda case, who: actions.set_error_type(self.context.project, case, code, reviewer=who))
        self._focus()

    def choose_error(self) -> None:
        """Open the list of kinds of errors."""
        if self.opened is not None and self._reviewer is not None:
            self.panel.error.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.panel.error.showPopup()

    def return_case(self) -> None:
        """Send the answers back to those who gave them, with the comment."""
        self._comment_timer.stop()
        comment = self.panel.comment.toPlainText()
        self._comment_is_dirty = False
        if self._act(lambda case, who: actions.return_case(self.context.project, case, comment, reviewer=who)):
            self.context.toast("Returned to those who answered. Ctrl+Z takes it back.")
            self.reload()
        elif not comment.strip():
            self.write_comment()

    def _set_evidence(self, boxes: tuple[EvidenceBox, ...], quotes: tuple[SourceQuote, ...]) -> None:
        self._act(lambda case, who: actions.set_evidence(self.context.project, case, boxes, quotes, reviewer=who))

    # comment

    def write_comment(self) -> None:
        """Put the cursor into the comment."""
        if self.opened is not None and self._reviewer is not None:
            self.panel.comment.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def _on_comment_edited(self) -> None:
        if self.opened is not None and self._reviewer is not None:
            self._comment_is_dirty = True
            self._comment_timer.start()

    @Slot()
    def _save_comment(self) -> None:
        self._comment_timer.stop()
        if not self._comment_is_dirty or self.opened is None:
            return
        words = self.panel.comment.toPlainText()
        self._comment_is_dirty = not self._act(
            lambda case, who: actions.set_comment(self.context.project, case, words, reviewer=who)
        )

    # looking around

    def step(self, by: int, *, is_open: bool = False) -> None:
        """Go to the next (+1) or previous (−1) case of the list, or to the next that is open."""
        self._save_comment()
        there = actions.neighbour(self.cases.model.rows(), self._case_id, by, is_open=is_open)
        if there is not None:
            self._open(there)
        elif is_open:
            self.context.toast("No other open disagreement in this list.")

    def step_evidence(self, by: int) -> None:
        """Show the next (+1) or previous (−1) piece of evidence of both sides."""
        pieces = self._pieces()
        if not pieces:
            self.context.toast("Nobody named a place.")
            return
        self._evidence = (self._evidence + by) % len(pieces) if self._evidence >= 0 or by > 0 else len(pieces) - 1
        pane, what = pieces[self._evidence]
        if isinstance(what, SourceQuote):
            self.evidence.show_quote(pane, what)
        else:
            self.evidence.show_place(pane, what.slide)

    def _pieces(self) -> list[tuple[int, EvidenceBox | SourceQuote]]:
        found: list[tuple[int, EvidenceBox | SourceQuote]] = []
        if self.opened is None:
            return found
        for number, side in enumerate(self.opened.sides):
            for each in side.statements:
                found += [(self._pane_of(number, place.deck_id), place.box) for place in each.places]
                found += [(min(number, 1), quote) for quote in each.quotes]
        return list(dict.fromkeys(found))

    def _pane_of(self, side: int, deck: str) -> int:
        if self.opened is not None and self.opened.entry.case.kind is CaseKind.PAIR:
            return 0 if deck == self.opened.panes[0].id else 1
        return min(side, 1)

    @Slot(int, int)
    def show_statement(self, side: int, number: int) -> None:
        """Show what one statement rests on."""
        if self.opened is None:
            return
        statement = self.opened.sides[side].statements[number]
        for place in statement.places[:1]:
            self.evidence.show_place(self._pane_of(side, place.deck_id), place.box.slide)
        for quote in statement.quotes[:1]:
            self.evidence.show_quote(min(side, 1), quote)

    def toggle_names(self) -> None:
        """Show who said what and which systems made the decks, or hide it; the record keeps that it was seen."""
        entry = self._entry()
        if entry is None:
            return
        self._shows_names = not self._shows_names
        if self._shows_names:
            self._named.add(self._case_id)
        self._open(entry, again=True)

    def open_compare(self) -> None:
        """Show the deck on the Compare page, at the slide of the focused pane."""
        entry, pane = self._entry(), self.evidence.focused
        deck = self.evidence.deck(pane)
        if entry is not None and deck is not None:
            self._named.add(self._case_id)  # Compare shows the systems' names
            place = {"instance": str(entry.case.instance_id), "deck": str(deck)}
            self.context.navigate("compare", **place, slide=str(self.evidence.slide(pane)))

    def back(self) -> None:
        """Leave the box, the search, the filter or the comment."""
        if self.marking.is_placing:
            self.marking.end_box()
        elif not self.evidence.sources[0].close_search():
            self._save_comment()
        self._focus()

    @Slot()
    def undo(self) -> None:
        """Take this reviewer's last act back and go to its case."""
        self._take(actions.undo)

    @Slot()
    def redo(self) -> None:
        """Bring back what was taken back last."""
        self._take(actions.redo)

    def _take(self, run: Callable[..., Any]) -> None:
        self._save_comment()
        if self._reviewer is None or self._desk is None:
            return
        try:
            act, case_ids, changes = run(self.context.project, reviewer=self._reviewer)
        except StudioError as error:
            self.context.toast(str(error))
            return
        self.context.toast(f"{act.words}.")
        if len(case_ids) == 1:
            self._case_id = case_ids[0]
        # Answers may have come back with it, so that cases do too.
        self.reload()
        self.context.announce(replace(changes, origin=self.page_id))

    def ask_accept(self) -> None:
        """Show which cases a threshold would decide, and decide them if that is wanted."""
        if self._reviewer is None or self._desk is None:
            return
        if self.dialog is not None:
            self.dialog.close()
        self.dialog = AcceptDialog(self.context, self._desk, self._reviewer, self)
        self.dialog.accepted_cases.connect(self._on_accepted)
        self.dialog.open()

    def open_items(self) -> None:
        """Show which items people and judges dispute, which are ambiguous, and which tell decks apart."""
        if self.items is None:
            self.items = ItemReportWindow(self.context, self.window())
            self.items.item_opened.connect(self._on_item_opened)
        self.items.show()
        self.items.activateWindow()
        self.items.reload()

    @Slot(str)
    def _on_item_opened(self, item_id: str) -> None:
        self.window().activateWindow()
        self.context.navigate(self.page_id, item=item_id)

    @Slot(object)
    def _on_accepted(self, changes: Changes) -> None:
        self.reload()
        self.context.announce(replace(changes, origin=self.page_id))

    @Slot(str)
    def _on_name_given(self, name: str) -> None:
        self.context.settings.update({"profile_name": name})
        self.reload()

    @Slot()
    def _on_empty_clicked(self) -> None:
        self.context.navigate("runs")
