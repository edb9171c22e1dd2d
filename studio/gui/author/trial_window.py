"""The window that tries one item on a few decks: author, annotators, code and judges side by side."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QPlainTextEdit,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from studio.actions import item_trial as trial
from studio.actions.figures import counted
from studio.actions.item_trial import TrialDeck, TrialReply, TrialRow, TrialView
from studio.actions.judge_wish import CODE, JudgeWish
from studio.actions.judging import JudgePreview
from studio.actions.programs import render_tools
from studio.checklists.prompts import item_words
from studio.errors import StudioError
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.panel import Panel, toned_label
from studio.gui.widgets.states import EmptyState
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.gui.writes import Writes
from studio.model.changes import Changes
from studio.model.checklists import Item, ItemAnswer, ItemId, ItemKind
from studio.model.events import RunEnded

WORK = "Trying an item"
WORDS = {"yes": "✓ yes", "no": "✗ no", "cannot_tell": "? cannot tell", "not_applicable": "– not applicable"}
TONES = {"yes": "ok", "no": "bad", "cannot_tell": "warn", trial.SPLIT: "warn"}
KEYS = {"Y": ItemAnswer.YES, "N": ItemAnswer.NO, "U": ItemAnswer.CANNOT_TELL}


class TrialWindow(QDialog):
    """Decks with a tick at the left; what everybody says at the right, with reasons below. Y, N and U answer."""

    loaded = Signal()
    """What was read is shown."""
    ended = Signal()
    """Code or a judge has replied, or the trial failed."""

    def __init__(
        self, context: AppContext, writes: Writes, item_id: ItemId, *, person: str, can_write: bool,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Try an item")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self.resize(1040, 680)
        self._context, self._writes, self._person, self._can_write = context, writes, person, can_write
        self.item_id = item_id
        self.view: TrialView | None = None
        self._decks: list[TrialDeck] = []
        self._ticket: Ticket | None = None
        self._is_asking = False
        self._build()
        self._read_decks()

    def _build(self) -> None:
        self.question = QLabel()
        self.question.setWordWrap(True)
        self.question.setTextFormat(Qt.TextFormat.MarkdownText)
        self.question.setAccessibleName("Item")
        self.decks = QListWidget()
        self.decks.setAccessibleName("Decks")
        self.decks.itemChanged.connect(self._on_deck_ticked)
        self.deck_panel = Panel("Decks", " ")
        self.deck_panel.set_body(self.decks)
        self.rows: RowModel[TrialRow] = RowModel(_columns(()), self, key=_key)
        self.table = DataTable(is_sortable=False)
        self.table.setAccessibleName("What everybody says")
        self.table.set_model(self.rows)
        self.table.row_selected.connect(self._on_row)
        self.table.row_opened.connect(self._on_opened)
        self.none = EmptyState("No deck chosen", "Tick decks at the left.", icon_name="library", is_primary=False)
        self.none.button.hide()
        self.body = QStackedWidget()
        self.body.addWidget(self.table)
        self.body.addWidget(self.none)
        self.said_panel = Panel("Answers", " ")
        self.said_panel.set_body(self.body)
        self.reasons = QPlainTextEdit()
        self.reasons.setReadOnly(True)
        self.reasons.setTabChangesFocus(True)
        self.reasons.setAccessibleName("Reasons")
        self.reasons.setMinimumHeight(120)
        self.said_panel.add_section("Reasons", "Enter opens the deck at the place", self.reasons, stretch=1)
        foot = self.said_panel.add_foot()
        foot.row.addWidget(toned_label("Your answer", "muted"))
        self.answers: dict[ItemAnswer, KeyCapButton] = {}
        for key, answer in KEYS.items():
            button = KeyCapButton(answer.value.replace("_", " ").capitalize(), key, is_compact=True)
            button.clicked.connect(getattr(self, f"_on_{answer.value}"))
            shortcut = QShortcut(QKeySequence(key), self.table)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(getattr(self, f"_on_{answer.value}"))
            self.answers[answer] = button
            foot.row.addWidget(button)
        foot.row.addWidget(toned_label("It counts for you only, never as an annotator's.", "muted"))
        foot.row.addStretch(1)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self.deck_panel)
        split.addWidget(self.said_panel)
        split.setSizes([260, 760])
        split.setStretchFactor(1, 1)
        self.judge = QComboBox()
        self.judge.setEditable(True)
        self.judge.setMinimumWidth(260)
        self.judge.setAccessibleName("Judge")
        self.judge.lineEdit().setPlaceholderText("openai:MODEL, gemini:MODEL or scripted:FILE")
        self.judge.lineEdit().returnPressed.connect(self.ask)
        self.ask_button = KeyCapButton("Ask", is_primary=True)
        self.ask_button.setAutoDefault(False)
        self.ask_button.clicked.connect(self.ask)
        self.stop_button = KeyCapButton("Stop")
        self.stop_button.setAutoDefault(False)
        self.stop_button.clicked.connect(self.stop)
        self.stop_button.hide()
        self.outcome = toned_label("", "muted")
        self.outcome.setWordWrap(True)
        line = QHBoxLayout()
        line.setSpacing(8)
        self.judge_label = toned_label("Judge", "muted")
        for widget in (self.judge_label, self.judge, self.ask_button, self.stop_button):
            line.addWidget(widget)
        line.addWidget(self.outcome, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(12)
        column.addWidget(self.question)
        column.addLayout(line)
        column.addWidget(split, 1)

    # reading

    def _read_decks(self) -> None:
        project, item_id = self._context.project, self.item_id
        self._ticket = self._context.background.query(
            lambda: trial.trial_decks(project, item_id), self._on_decks_read, self._on_failed, owner=self
        )

    def _on_decks_read(self, found: list[TrialDeck]) -> None:
        self._decks = found
        self.decks.blockSignals(True)
        self.decks.clear()
        for place, each in enumerate(found):
            line = QListWidgetItem(f"{each.deck.system}\n{each.instance.title or each.instance.name}")
            line.setCheckState(Qt.CheckState.Checked if place < trial.FEW else Qt.CheckState.Unchecked)
            line.setToolTip(line.text())
            self.decks.addItem(line)
        self.decks.blockSignals(False)
        self.decks.setCurrentRow(0)
        self.none.set_words(
            *(("No deck chosen", "Tick decks at the left.") if found else
              ("No decks yet", "Nothing was delivered for the instances that read this list."))
        )  # fmt: skip
        self.reload()

    def chosen(self) -> list[TrialDeck]:
        """Return the ticked decks."""
        return [
            each for row, each in enumerate(self._decks)
            if self.decks.item(row).checkState() == Qt.CheckState.Checked
        ]  # fmt: skip

    @Slot()
    def reload(self) -> None:
        """Read what everybody says about the ticked decks."""
        if self._ticket is not None:
            self._ticket.drop()
        project, item_id, person = self._context.project, self.item_id, self._person
        decks = [each.deck.id for each in self.chosen()]
        self._ticket = self._context.background.query(
            lambda: trial.trial_view(project, item_id, decks, person=person), self._on_read, self._on_failed, owner=self
        )

    def _on_read(self, view: TrialView) -> None:
        self._ticket = None
        is_first, before = self.view is None, self.view
        self.view = view
        self._show_item(view.item)
        if is_first:
            self.judge.addItems([name for name in view.known_judges if name != CODE])
            self.judge.setCurrentIndex(0 if self.judge.count() else -1)
        if before is None or before.judges != view.judges or _has_pages(before) != _has_pages(view):
            self.rows = RowModel(_columns(view.judges, with_pages=_has_pages(view)), self, key=_key)
            self.table.set_model(self.rows)
        self.rows.set_rows(view.rows)
        self.body.setCurrentWidget(self.table if view.rows else self.none)
        self.deck_panel.set_title("Decks", f"{len(self.chosen())} of {len(self._decks)}")
        self.said_panel.set_title("Answers", " · ".join(["you", "people", *view.judges]))
        if view.rows and not self.table.currentIndex().isValid():
            self.table.selectRow(0)
        self._show_reasons()
        self._enable()
        if is_first:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self.loaded.emit()

    def _show_item(self, item: Item) -> None:
        is_code = item.kind is ItemKind.CODE
        self.question.setText(item_words(item) or (item.rule.rule if item.rule else ""))
        self.judge.setVisible(not is_code)
        self.judge_label.setText("Answered by code, offline and free" if is_code else "Judge")

    def _on_failed(self, error: BaseException) -> None:
        self._ticket = None
        self._context.report(error)

    # asking

    @Slot()
    def ask(self) -> None:
        """Let code or the named judge answer about the ticked decks; of a judge behind a key the price comes first."""
        if self.view is None or not self._can_write or self._is_asking:
            return
        name = CODE if self.view.item.kind is ItemKind.CODE else self.judge.currentText().strip()
        if not name:
            self._say("Name a judge, such as openai:MODEL.", "warn")
            self.judge.setFocus()
            return
        decks = [each.deck.id for each in self.chosen()]
        try:
            wish = trial.trial_wish(self._context.project, self.view.item, decks, name)
        except StudioError as error:
            self._say(str(error), "bad")
            return
        busy = self._context.background.busy
        if busy:
            self._say(f"{busy[0].name} goes on; one piece of work at a time.", "warn")
            return
        if not trial.costs_money(wish):
            self._run(wish)
            return
        self._begin("Counting what it will cost …")
        self._context.background.start(
            _price, self._context.project, wish, self._context.settings, name=WORK,
            done=lambda found: self._on_priced(wish, found), failed=self._on_ask_failed, owner=self,
        )  # fmt: skip

    def _on_priced(self, wish: JudgeWish, found: JudgePreview) -> None:
        self._finish("")
        price = "at a price that is not known" if found.price_usd is None else f"for about ${found.price_usd:.4f}"
        box = QMessageBox(self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle("Ask the judge")
        box.setText(f"{counted(found.calls, 'call')} to {wish.setup.id} {price}.")
        box.setInformativeText(found.rule)
        go = box.addButton("Ask", QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        go.clicked.connect(lambda: self._run(wish))
        box.open()

    def _run(self, wish: JudgeWish) -> None:
        self._begin("Asking …")
        context = self._context
        context.background.start(
            _run, context.project, wish, context.settings, context.passwords, name=WORK, done=self._on_ran,
            failed=self._on_ask_failed, owner=self,
        )  # fmt: skip

    @Slot()
    def stop(self) -> None:
        """Ask the work to end; what has come is kept."""
        self._context.background.stop(WORK)

    def _begin(self, words: str) -> None:
        self._is_asking = True
        self._say(words, "muted")
        self._enable()

    def _finish(self, words: str, tone: str = "muted") -> None:
        self._is_asking = False
        self._say(words, tone)
        self._enable()

    def _on_ran(self, result: tuple[RunEnded, Changes]) -> None:
        end, changes = result
        counts = [f"{number} {status.replace('_', ' ')}" for status, number in end.counts.items() if number]
        counts += [f"{end.cached} known already"] * bool(end.cached)
        is_good = not set(end.counts) - {"ok"} and not end.reason
        self._finish(" · ".join([*counts, *([end.reason] if end.reason else [])]), "muted" if is_good else "warn")
        self._context.announce(changes)
        self.reload()
        self.ended.emit()

    def _on_ask_failed(self, error: BaseException) -> None:
        self._finish(str(error), "bad")
        if not isinstance(error, StudioError):
            self._context.report(error)
        self.ended.emit()

    def _say(self, words: str, tone: str) -> None:
        self.outcome.setText(words)
        self.outcome.setProperty("tone", tone)
        self.outcome.style().polish(self.outcome)

    # answering

    @Slot()
    def _on_yes(self) -> None:
        self.answer(ItemAnswer.YES)

    @Slot()
    def _on_no(self) -> None:
        self.answer(ItemAnswer.NO)

    @Slot()
    def _on_cannot_tell(self) -> None:
        self.answer(ItemAnswer.CANNOT_TELL)

    def answer(self, answer: ItemAnswer) -> None:
        """Store the author's answer about the chosen deck; the same answer again takes it away."""
        row = self._row()
        if row is None or not self._can_write:
            return
        project, person = self._context.project, self._person
        said = None if row.mine is answer else answer

        def done(changes: Changes | None) -> None:
            if changes is not None:
                self._context.announce(changes)
                self.reload()

        self._writes.add(
            lambda: trial.answer_trial(project, row.item_id, row.deck_id, said, person=person), done,
            self._context.report,
        )  # fmt: skip

    def _row(self) -> TrialRow | None:
        index = self.table.currentIndex()
        return self.rows.row(index) if index.isValid() else None

    def _enable(self) -> None:
        for button in self.answers.values():
            button.setEnabled(self._can_write and self.view is not None and bool(self.view.rows))
        can_ask = self._can_write and not self._is_asking and bool(self.chosen())
        self.ask_button.setEnabled(can_ask)
        self.judge.setEnabled(self._can_write and not self._is_asking)
        self.ask_button.setVisible(not self._is_asking)
        self.stop_button.setVisible(self._is_asking)

    @Slot(object)
    def _on_deck_ticked(self, _line: Any) -> None:
        self.reload()

    @Slot(object)
    def _on_row(self, _row: TrialRow) -> None:
        self._show_reasons()

    def _show_reasons(self) -> None:
        row = self._row()
        parts = [_reason_words(judge, reply) for judge, reply in row.replies.items()] if row is not None else []
        self.reasons.setPlainText("\n\n".join(parts) or "Neither code nor a judge was asked about this deck yet.")

    @Slot(object)
    def _on_opened(self, row: TrialRow) -> None:
        slides = [box.slide for reply in row.replies.values() for box in reply.boxes]
        place = {"deck": str(row.deck_id)}
        instance = next((each.instance.id for each in self._decks if each.deck.id == row.deck_id), None)
        if instance is not None:
            place["instance"] = str(instance)
        if row.slide is not None or slides:
            place["slide"] = str(row.slide if row.slide is not None else min(slides))
        self._context.navigate("compare", **place)

    def closeEvent(self, event: QCloseEvent) -> None:  # @override
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None
        if self._is_asking:
            self.stop()
        super().closeEvent(event)


def _price(project: Any, wish: JudgeWish, settings: Any, *, emit: Any, cancel: Any) -> JudgePreview:
    return trial.trial_price(project, wish, tools=render_tools(settings), emit=emit, cancel=cancel)


def _run(project: Any, wish: JudgeWish, settings: Any, passwords: Any, *, emit: Any, cancel: Any) -> Any:
    return trial.run_trial(
        project, wish, tools=render_tools(settings), emit=emit, cancel=cancel, passwords=passwords
    )  # fmt: skip


def _key(row: TrialRow) -> tuple[str, str]:
    return (row.deck_id, row.item_id)


def _has_pages(view: TrialView) -> bool:
    return any(row.slide is not None for row in view.rows)


def _columns(judges: tuple[str, ...], *, with_pages: bool = False) -> list[Column[TrialRow]]:
    def said(title: str, answer: Any, why: str, width: int = 130) -> Column[TrialRow]:
        return Column(
            title=title, value=lambda row: answer(row) or None, text=lambda row: WORDS.get(answer(row), answer(row)),
            tone=lambda row: TONES.get(answer(row), ""), reason=lambda row: why, width=width,
        )  # fmt: skip

    def machine(judge: str) -> Column[TrialRow]:
        def reply(row: TrialRow) -> TrialReply | None:
            return row.replies.get(judge)

        def words(row: TrialRow) -> str:
            found = reply(row)
            if found is None:
                return ""
            return found.answer.value if found.answer else found.status.replace("_", " ")

        def text(row: TrialRow) -> str:
            found = reply(row)
            hint = " (suggestion)" if found is not None and found.is_suggestion else ""
            return f"{WORDS.get(words(row), words(row))}{hint}"

        return Column(
            title=_short(judge), value=lambda row: words(row) or None, text=text,
            tone=lambda row: TONES.get(words(row), "warn"), reason=lambda row: "not asked yet",
            tip=lambda row: found.reason if (found := reply(row)) is not None else "", width=150,
        )  # fmt: skip

    pages = [
        Column[TrialRow](title="Slide", value=lambda row: row.slide, is_number=True, width=52)
    ] * with_pages  # fmt: skip
    return [
        Column(title="Deck", value=lambda row: row.deck, is_strong=True, second_line=None, width=130),
        Column(title="Instance", value=lambda row: row.instance),
        *pages,
        said("You", lambda row: row.mine.value if row.mine else "", "Y, N or U answers"),
        said("People", lambda row: row.people, "no annotator has answered"),
        *map(machine, judges),
    ]


def _short(judge: str) -> str:
    """Return a judge's name without the folders of a scripted one's file."""
    provider, colon, model = judge.partition(":")
    return f"{provider}:{model.replace(chr(92), '/').rsplit('/', 1)[-1]}" if colon else judge


def _reason_words(judge: str, reply: TrialReply) -> str:
    answer = reply.answer.value if reply.answer else reply.status
    slides = sorted({box.slide for box in reply.boxes})
    places = f" · slide{'s' * (len(slides) != 1)} {', '.join(map(str, slides))}" if slides else ""
    hint = " · a suggestion, not a verdict" if reply.is_suggestion else ""
    return f"{_short(judge)}: {answer.replace('_', ' ')}{places}{hint}\n{reply.reason or 'No reason was given.'}"
