"""The units of one run as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer, Slot

from studio.gui.widgets.table import Column, RowModel
from studio.model.ids import InstanceId
from studio.model.runs import UnitRecord, UnitStatus

ALL = ""
"""The filter that lets every unit pass."""
IN_SIGHT = 100
"""So many rows appear at once; further ones lie below what can be seen."""
SOON_MS = 500
"""How often rows below that are added: each time, the table lays itself out and paints all that is in sight."""
_VERDICT_TONES = {"yes": "ok", "no": "bad"}
_WORDS = {
    UnitStatus.OK: ("✓ done", "ok"),
    UnitStatus.SKIPPED: ("skipped", "text_muted"),
    UnitStatus.TIMED_OUT: ("✗ timed out", "bad"),
    UnitStatus.TOOL_ERROR: ("✗ failed", "bad"),
    UnitStatus.PARSE_ERROR: ("✗ unreadable reply", "bad"),
    UnitStatus.API_ERROR: ("✗ no reply", "bad"),
    UnitStatus.REFUSED: ("? refused", "warn"),
    UnitStatus.INCOMPLETE: ("? incomplete", "warn"),
}


@dataclass(frozen=True, kw_only=True)
class UnitRow:
    """One unit, with the name that a person knows it by."""

    name: str
    """Such as ``storage · B``."""
    record: UnitRecord
    said: str = ""
    """A judge's verdict, where it gave one."""

    @property
    def group(self) -> str:
        """How it ended, with the class of its failure: what units are filtered by."""
        kind = self.record.failure_kind
        status = self.record.status.value
        return f"{status}: {kind}" if kind and kind != status else status

    @property
    def is_failed(self) -> bool:
        """Whether it ended in a failure; a skipped unit was never tried."""
        return self.record.status not in {UnitStatus.OK, UnitStatus.SKIPPED}


def _reason(row: UnitRow) -> str | None:
    record = row.record
    kind = record.failure_kind.replace("_", " ")
    if record.message and kind and kind not in record.message:
        return f"{kind}: {record.message}"
    return record.message or kind or None


def group_words(group: str) -> str:
    """Return "✗ no reply: server" for a group of units."""
    status, _, kind = group.partition(": ")
    words = _WORDS[UnitStatus(status)][0]
    return f"{words}: {kind.replace('_', ' ')}" if kind else words


def _status_words(row: UnitRow) -> str:
    if row.record.status is UnitStatus.OK and row.said:
        return {"yes": "✓ yes", "no": "✗ no"}.get(row.said, row.said)
    return _WORDS[row.record.status][0]


def _status_tone(row: UnitRow) -> str:
    if row.record.status is UnitStatus.OK and row.said:
        return _VERDICT_TONES.get(row.said, "text")
    return _WORDS[row.record.status][1]


class UnitTable(RowModel[UnitRow]):
    """The units that ended, in that order; all of them, or those that a filter lets pass."""

    def __init__(self, parent: QObject | None = None) -> None:
        columns = [
            Column(title="unit", value=lambda row: row.name),
            Column(title="status", value=_status_words, tone=_status_tone, width=126),
            Column(title="time, s", is_number=True, width=64,
                   value=lambda row: None if row.record.status is UnitStatus.SKIPPED else row.record.seconds,
                   text=lambda row: f"{row.record.seconds:.1f}", reason=lambda _row: "It was not tried."),
            Column(title="reason", value=lambda row: _reason(row) or "", tone=lambda _row: "text_muted"),
        ]  # fmt: skip
        super().__init__(columns, parent, key=lambda row: (row.record.key, row.record.deck_id))
        self._all: list[UnitRow] = []
        self._places: dict[tuple[str, str], int] = {}
        """Where each unit stands in `_all`, by key and deck."""
        self._groups: Counter[str] = Counter()
        self._n_failed = 0
        self._is_failed_only = False
        self._names: Mapping[InstanceId, str] = {}
        self._group, self._wanted = ALL, ""
        self._said: dict[tuple[str, str], str] = {}
        self._n_shown = 0
        """How many of `_all`, from the first on, were looked at for what is shown."""
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON_MS)
        self._soon.timeout.connect(self._on_soon)

    def set_filter(self, *, group: str, words: str) -> None:
        """Show only units of a group (see `UnitRow.group`), with all these words in name, verdict or reason."""
        wanted = words.casefold().strip()
        if (group, wanted) != (self._group, self._wanted):
            self._group, self._wanted = group, wanted
            self._show()

    def set_said(self, said: Mapping[tuple[str, str], Sequence[str]]) -> None:
        """Show what a judge said in these units, by key and deck."""
        fresh = {
            place: " ".join(words) if len(words) < 4 else f"{len(words)} verdicts" for place, words in said.items()
        }
        if not fresh:
            return
        self._said |= fresh
        for place in fresh:
            if place in self._places:
                at = self._places[place]
                self._all[at] = self._with_said(self._all[at])
        self.replace_all({
            number: self._with_said(row)
            for number, row in enumerate(self._rows)
            if (row.record.key, row.record.deck_id) in fresh
        })  # fmt: skip

    def groups(self) -> dict[str, int]:
        """Return how many units ended how: good ones first, then by number."""
        return dict(sorted(self._groups.items(), key=lambda each: (each[0] != UnitStatus.OK.value, -each[1])))

    def set_names(self, names: Mapping[InstanceId, str]) -> None:
        """Say what the instances are called."""
        self._names = names

    def set_units(self, records: Iterable[UnitRecord]) -> None:
        """Show these units."""
        self._all, self._places, self._said = [], {}, {}
        self._groups, self._n_failed = Counter(), 0
        self._note(records)
        self._show()

    def add_units(self, records: Iterable[UnitRecord]) -> None:
        """Take further units; one that is there already is passed over. Rows below those in sight come many at once."""
        self._note(records)
        if self.rowCount() < IN_SIGHT:
            self._show_more()
        elif not self._soon.isActive():
            self._show_more()
            self._soon.start()

    @Slot()
    def _on_soon(self) -> None:
        if self._n_shown < len(self._all):
            self._show_more()
            self._soon.start()

    def _show_more(self) -> None:
        shown = [row for row in self._all[self._n_shown :] if self._passes(row)]
        self._n_shown = len(self._all)
        if self._sorted_by is None:
            self.append(shown)
        elif shown:
            self._show()

    def set_failed_only(self, is_failed_only: bool) -> None:
        """Show the failed units only, or all."""
        if is_failed_only != self._is_failed_only:
            self._is_failed_only = is_failed_only
            self._show()

    @property
    def units(self) -> list[UnitRecord]:
        """All units, whatever is shown."""
        return [row.record for row in self._all]

    @property
    def n_failed(self) -> int:
        """How many units failed."""
        return self._n_failed

    def _note(self, records: Iterable[UnitRecord]) -> None:
        fresh = []
        for record in records:
            key = (record.key, record.deck_id)
            if key not in self._places:
                self._places[key] = len(self._all) + len(fresh)
                instance = self._names.get(record.instance_id, "")
                # A conversation's label names its instance itself, since it says more than the deck.
                name = f"{instance} · {record.label}" if instance and " · " not in record.label else record.label
                # What it said may have been read before its event came.
                fresh.append(self._with_said(UnitRow(name=name, record=record)))
        self._all.extend(fresh)
        self._groups.update(row.group for row in fresh)
        self._n_failed += sum(row.is_failed for row in fresh)

    def _show(self) -> None:
        self._soon.stop()
        self._n_shown = len(self._all)
        self.set_rows([row for row in self._all if self._passes(row)])

    def _passes(self, row: UnitRow) -> bool:
        if (self._is_failed_only and not row.is_failed) or (self._group and row.group != self._group):
            return False
        if not self._wanted:
            return True
        text = f"{row.name} {_status_words(row)} {_reason(row) or ''}".casefold()
        return all(word in text for word in self._wanted.split())

    def _with_said(self, row: UnitRow) -> UnitRow:
        said = self._said.get((row.record.key, row.record.deck_id), row.said)
        return row if said == row.said else replace(row, said=said)
