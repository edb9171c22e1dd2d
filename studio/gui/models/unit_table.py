"""The units of one run as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject

from studio.gui.widgets.table import Column, RowModel
from studio.model.ids import InstanceId
from studio.model.runs import UnitRecord, UnitStatus

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


class UnitTable(RowModel[UnitRow]):
    """The units that ended, in that order; all of them or the failed ones only."""

    def __init__(self, parent: QObject | None = None) -> None:
        columns = [
            Column(title="unit", value=lambda row: row.name),
            Column(title="status", value=lambda row: _WORDS[row.record.status][0],
                   tone=lambda row: _WORDS[row.record.status][1], width=96),
            Column(title="time, s", is_number=True, width=64,
                   value=lambda row: None if row.record.status is UnitStatus.SKIPPED else row.record.seconds,
                   text=lambda row: f"{row.record.seconds:.1f}", reason=lambda _row: "It was not tried."),
            Column(title="reason", value=lambda row: _reason(row) or "", tone=lambda _row: "text_muted"),
        ]  # fmt: skip
        super().__init__(columns, parent, key=lambda row: (row.record.key, row.record.deck_id))
        self._all: list[UnitRow] = []
        self._seen: set[tuple[str, str]] = set()
        self._is_failed_only = False
        self._names: Mapping[InstanceId, str] = {}

    def set_names(self, names: Mapping[InstanceId, str]) -> None:
        """Say what the instances are called."""
        self._names = names

    def set_units(self, records: Iterable[UnitRecord]) -> None:
        """Show these units."""
        self._all, self._seen = [], set()
        self._note(records)
        self._show()

    def add_units(self, records: Iterable[UnitRecord]) -> None:
        """Show further units; one that is shown already is passed over."""
        fresh = self._note(records)
        shown = [row for row in fresh if row.is_failed or not self._is_failed_only]
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
        return sum(row.is_failed for row in self._all)

    def _note(self, records: Iterable[UnitRecord]) -> list[UnitRow]:
        fresh = []
        for record in records:
            key = (record.key, record.deck_id)
            if key not in self._seen:
                self._seen.add(key)
                instance = self._names.get(record.instance_id, "")
                name = f"{instance} · {record.label}" if instance else record.label
                fresh.append(UnitRow(name=name, record=record))
        self._all.extend(fresh)
        return fresh

    def _show(self) -> None:
        self.set_rows([row for row in self._all if row.is_failed or not self._is_failed_only])
