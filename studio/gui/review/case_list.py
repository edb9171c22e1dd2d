"""The queue of disagreements: filters above, one row for each case below."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from studio.actions.figures import figure
from studio.actions.method_rows import title_of
from studio.actions.review import CaseState, Entry, Filter, ReviewDesk
from studio.gui.widgets.panel import Panel, hairline
from studio.gui.widgets.question_list import DIMENSION_WORDS
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.model.checklists import Dimension
from studio.model.reviews import DISPUTE_WORDS, CaseKind, DisputeKind

PAUSE_MS = 80
ROW_PX = 46
STATE_WORDS = {
    CaseState.OPEN: "open", CaseState.DECIDED: "decided", CaseState.ACCEPTED: "accepted",
    CaseState.RETURNED: "returned", CaseState.OUTDATED: "deck has changed",
}  # fmt: skip
STATE_TONES = {
    CaseState.OPEN: "", CaseState.DECIDED: "ok", CaseState.ACCEPTED: "ok", CaseState.RETURNED: "warn",
    CaseState.OUTDATED: "warn",
}  # fmt: skip
KIND_WORDS = {CaseKind.ITEM: "Checklist items", CaseKind.PAIR: "Pairs of decks", CaseKind.QUIZ: "Quiz questions"}


class CaseModel(RowModel[Entry]):
    """The cases that the filter lets through."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            [
                Column(title="Case", value=case_title, is_strong=True, tip=_tip, second_line=_second_line,
                       tone=lambda row: "" if row.is_open else "text_muted"),
                Column(title="size", value=lambda row: row.size, text=lambda row: figure(row.size), is_number=True,
                       width=52, tip=_why),
            ],
            parent, key=lambda row: row.case.id,
        )  # fmt: skip


class CaseList(Panel):
    """Says which case was chosen and what the filter lets through; it reads nothing by itself."""

    case_chosen = Signal(object)
    filter_changed = Signal()

    def __init__(self) -> None:
        super().__init__("Cases", " ")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self.filter_changed)
        self._item = ""
        self.search = QLineEdit()
        self.search.setPlaceholderText("Filter by words")
        self.search.setAccessibleName("Filter by words")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._on_edited)
        self.boxes = {name: QComboBox() for name in ("dispute", "who", "kind", "group", "instance", "state")}
        for name, words in (
            ("dispute", "Any dispute"), ("who", "Any method"), ("kind", "Any kind"),
            ("group", "Any dimension"), ("instance", "Any instance"), ("state", "Any state"),
        ):  # fmt: skip
            box = self.boxes[name]
            box.setAccessibleName(name.capitalize())
            box.addItem(words, "")
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(6)
            box.currentIndexChanged.connect(self._on_edited)
        for dispute in DisputeKind:
            self.boxes["dispute"].addItem(DISPUTE_WORDS[dispute], dispute.value)
        for kind in CaseKind:
            self.boxes["kind"].addItem(KIND_WORDS[kind], kind.value)
        for state in (CaseState.OPEN, CaseState.DECIDED, CaseState.ACCEPTED, CaseState.RETURNED):
            self.boxes["state"].addItem(STATE_WORDS[state].capitalize(), state.value)
        grid = QGridLayout()
        grid.setContentsMargins(8, 8, 8, 8)
        grid.setSpacing(6)
        grid.addWidget(self.search, 0, 0, 1, 2)
        for place, box in enumerate(self.boxes.values()):
            grid.addWidget(box, 1 + place // 2, place % 2)
        self.model = CaseModel(self)
        self.table = DataTable(row_px=ROW_PX)
        self.table.set_model(self.model)
        self.table.setAccessibleName("Disagreements")
        self.table.row_selected.connect(self.case_chosen)
        self.table.row_opened.connect(self.case_chosen)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(grid)
        column.addWidget(hairline())
        column.addWidget(self.table, 1)
        self.set_body(body)

    def set_desk(self, desk: ReviewDesk) -> None:
        """Offer the judges, instances and groups of these cases; what was chosen stays chosen."""
        groups = dict.fromkeys(entry.case.group for entry in desk.entries if entry.case.group)
        kinds = dict.fromkeys(entry.case.kind for entry in desk.entries)
        self._offer("who", [(title_of(name), name) for name in desk.who])
        self._offer("instance", [(title, str(key)) for key, title in desk.instances.items()])
        self._offer("group", [(_group_words(name), name) for name in groups])
        self.boxes["kind"].setVisible(len(kinds) > 1)

    def show_entries(self, entries: Sequence[Entry], desk: ReviewDesk) -> None:
        """Show these cases."""
        self.model.set_rows(entries)
        self.show_facts(desk)

    def show_facts(self, desk: ReviewDesk) -> None:
        """Say how many cases there are and how many are open."""
        n_open, n_shown = sum(entry.is_open for entry in desk.entries), self.model.rowCount()
        shown = "" if n_shown == len(desk.entries) else f"{n_shown:,} shown · "
        self.set_title("Cases", f"{shown}{n_open:,} of {len(desk.entries):,} open")

    def select(self, case_id: str) -> None:
        """Mark a row without telling anybody."""
        for number, entry in enumerate(self.model.rows()):
            if entry.case.id == case_id:
                self.table.blockSignals(True)
                self.table.selectRow(number)
                self.table.scrollTo(self.model.index(number, 0))
                self.table.blockSignals(False)
                return

    def wanted(self) -> Filter:
        """Return what the user wants to see."""
        said = {name: str(box.currentData() or "") for name, box in self.boxes.items()}
        return Filter(
            kind=CaseKind(said["kind"]) if said["kind"] else None,
            dispute=DisputeKind(said["dispute"]) if said["dispute"] else None, who=said["who"],
            instance_id=said["instance"], group=said["group"], state=said["state"], text=self.search.text(),
            item_id=self._item,
        )  # fmt: skip

    def choose(self, **values: str) -> None:
        """Let through what has these values and everything else; takes effect at once."""
        self._timer.stop()
        for name, box in self.boxes.items():
            box.blockSignals(True)
            box.setCurrentIndex(max(0, box.findData(values.get(name, ""))))
            box.blockSignals(False)
        self._item = values.get("item", "")
        self.search.blockSignals(True)
        self.search.clear()
        self.search.blockSignals(False)
        self.filter_changed.emit()

    def begin(self) -> None:
        """Put the cursor into the line for words."""
        self.search.setFocus()
        self.search.selectAll()

    def stop(self) -> None:
        """Tell nothing any more: the project closes."""
        self._timer.stop()

    def _offer(self, name: str, values: Sequence[tuple[str, str]]) -> None:
        box = self.boxes[name]
        wanted = ["", *(value for _, value in values)]
        if [box.itemData(number) for number in range(box.count())] != wanted:
            chosen, first = box.currentData(), box.itemText(0)
            box.blockSignals(True)
            box.clear()
            box.addItem(first, "")
            for words, value in values:
                box.addItem(words, value)
            box.setCurrentIndex(max(0, box.findData(chosen)))
            box.blockSignals(False)
        box.setVisible(len(values) > 0)

    @Slot()
    def _on_edited(self, *_: object) -> None:
        # What is chosen by hand looks at all items again.
        self._item = ""
        self._timer.start()


def case_title(entry: Entry) -> str:
    """Return what a case is called in a list: its question, or of a pair the instance."""
    return f"Two decks: {entry.instance}" if entry.case.kind is CaseKind.PAIR else entry.case.text


def _second_line(entry: Entry) -> str:
    kinds = dict.fromkeys(DISPUTE_WORDS[dispute.kind] for dispute in entry.case.disputes)
    words = ", ".join(kinds) or "no disagreement any more"
    state = "" if entry.state is CaseState.OPEN else f"{STATE_WORDS[entry.state]} · "
    where = "" if entry.case.kind is CaseKind.PAIR else f" · {entry.instance}"
    return f"{state}{words}{where}"


def _tip(entry: Entry) -> str:
    return f"{entry.case.text}\n{entry.instance}"


def _why(entry: Entry) -> str:
    return "\n".join(f"{DISPUTE_WORDS[each.kind]}: {figure(each.size)}" for each in entry.case.disputes)


def _group_words(name: str) -> str:
    return DIMENSION_WORDS[Dimension(name)] if name in set(Dimension) else name.capitalize()
