"""Choosing a run: what, over which decks, with which parameters, and what that will mean before it starts."""

from __future__ import annotations

import os
from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from studio.actions.content import content_models
from studio.actions.programs import render_tools
from studio.actions.run_plan import RunPreview, preview
from studio.actions.runs import CONTENT_MODEL
from studio.gui.background import Ticket
from studio.gui.context import AppContext
from studio.gui.widgets.deck_choice import DeckChoice
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.number_box import WholeBox
from studio.gui.widgets.panel import hairline, toned_label
from studio.metrics.parameters import PRESETS
from studio.metrics.registry import FROM_WORDS, METRICS
from studio.model.decks import Deck, Instance
from studio.model.regions import RegionsMode
from studio.model.runs import RunKind, RunSpec
from studio.store import decks as deck_store
from studio.store import presets as preset_store
from studio.store.presets import StoredPreset

MOST_WORKERS = 64
WAIT_MS = 150
"""Choices in quick succession cost one plan only."""

_PRESET_WORDS = {
    "benchmark": "benchmark · as the published scores were made",
    "paper-text": "paper-text · as the paper's text prints them",
    "code-defaults": "code-defaults · as the code runs without a configuration",
}


CONTENT = "content"
_CONTENT_WORDS = (
    "coverage of the source, redundancy, text–image alignment and flow, from the words of each deck; "
    "the models learned from English talks and flag decks in other languages"
)


class NewRunDialog(QDialog):
    """Asks for a run. `run_chosen` is sent when the user starts it."""

    run_chosen = Signal(object)
    """The `RunSpec`."""
    previewed = Signal()
    """The units, cached and blocked ones are counted and shown."""

    def __init__(self, context: AppContext, parent: QWidget | None = None, *, instance_id: str = "") -> None:
        super().__init__(parent)
        self._context = context
        self._ticket: Ticket | None = None
        self._preview: RunPreview | None = None
        self._wanted_instance = instance_id
        self.setWindowTitle("New run")
        self.setMinimumWidth(520)
        self._build()
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._wait.timeout.connect(self._on_waited)
        self._connect()
        self._on_choice_changed()
        project = context.project
        context.background.query(
            lambda: (deck_store.list_instances(project), deck_store.list_decks(project)),
            self._on_decks_read, context.report, owner=self,
        )  # fmt: skip
        context.background.query(
            lambda: preset_store.list_presets(project), self._on_presets_read, context.report, owner=self
        )

    def _build(self) -> None:
        self.kind = QComboBox()
        self.kind.addItem("Aesthetics metrics", RunKind.METRICS)
        self.kind.addItem("Content (REFLEX)", CONTENT)
        self.kind.addItem("Slide pictures only", RunKind.RENDER)
        self.kind.addItem("Text on slide pictures", RunKind.REGIONS)
        parts = ", ".join(
            spec.title.lower()
            for name, spec in METRICS.items()
            if name != "aesthetics.total" and name not in FROM_WORDS
        )
        self._aesthetics_words = f"{parts} and their total, from one pass over each slide"
        self.measured = toned_label(self._aesthetics_words, "muted")
        self.measured.setWordWrap(True)
        self.preset = QComboBox()
        for name in PRESETS:
            self.preset.addItem(_PRESET_WORDS.get(name, name), name)
        self.model = QComboBox()
        for number, model in enumerate(content_models()):
            self.model.addItem(f"{model.name} · {model.words}", model.name)
            if model.reason:
                self.model.setItemData(number, model.reason, Qt.ItemDataRole.ToolTipRole)
                # A list of items: what cannot be used stays to be read.
                self.model.model().item(number).setEnabled(False)
        self.workers = WholeBox(1, MOST_WORKERS, os.cpu_count() or 1, width_px=80)
        self.force = QCheckBox("Do decks again that have a result")
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        form.addRow("Run", self.kind)
        form.addRow("", self.measured)
        form.addRow("Model", self.model)
        form.addRow("Preset", self.preset)
        self.choice = DeckChoice(form, self)
        form.addRow("Workers", self.workers)
        form.addRow("", self.force)
        self._form = form
        self.count = toned_label("Counting …", "heading")
        self.details = QLabel()
        self.details.setProperty("tone", "muted")
        self.details.setTextFormat(Qt.TextFormat.PlainText)
        for label in (self.count, self.details):
            label.setWordWrap(True)
        self.start = KeyCapButton("Start", "Enter", is_primary=True)
        self.start.setDefault(True)
        self.cancel = KeyCapButton("Cancel", "Esc")
        self.cancel.setAutoDefault(False)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.start)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(12)
        column.addLayout(form, 1)
        column.addWidget(hairline())
        column.addWidget(self.count)
        column.addWidget(self.details)
        column.addLayout(buttons)

    def _connect(self) -> None:
        for box in (self.kind, self.model, self.preset):
            box.currentIndexChanged.connect(self._on_choice_changed)
        self.choice.changed.connect(self._on_choice_changed)
        self.force.toggled.connect(self._on_choice_changed)
        self.start.clicked.connect(self._on_start_clicked)
        self.cancel.clicked.connect(self.reject)

    def spec(self) -> RunSpec:
        """Return the run as it is chosen now."""
        is_content = self.kind.currentData() == CONTENT
        # The default model is not named, so that the run is the one that the terminal starts.
        has_other_model = is_content and self.model.currentIndex() > 0
        return RunSpec(
            kind=self._kind(),
            evaluators=FROM_WORDS if is_content else (),
            options={CONTENT_MODEL: self.model.currentData()} if has_other_model else {},
            preset=self.preset.currentData(),
            deck_ids=self.choice.deck_ids(),
            force=self.force.isChecked(),
            workers=self.workers.value(),
            regions=RegionsMode(self._context.settings.text("text_regions")),
        )

    def _kind(self) -> RunKind:
        chosen = self.kind.currentData()
        return RunKind.METRICS if chosen == CONTENT else RunKind(chosen)

    def choose_decks(self, deck_ids: Sequence[str]) -> None:
        """Choose these decks one by one."""
        self.choice.choose(deck_ids)

    def _on_presets_read(self, presets: list[StoredPreset]) -> None:
        for each in presets:
            self.preset.addItem(f"{each.name} · of this project", each.name)

    def _on_decks_read(self, found: tuple[list[Instance], list[Deck]]) -> None:
        self.choice.set_decks(*found, wanted_instance=self._wanted_instance)
        self._on_choice_changed()

    @Slot()
    def _on_choice_changed(self, *_: object) -> None:
        is_content = self.kind.currentData() == CONTENT
        is_metrics = self._kind() is RunKind.METRICS and not is_content
        self._form.setRowVisible(self.measured, is_metrics or is_content)
        self.measured.setText(_CONTENT_WORDS if is_content else self._aesthetics_words)
        self._form.setRowVisible(self.preset, is_metrics)
        self._form.setRowVisible(self.model, is_content and self.model.count() > 1)
        self._preview = None
        self.count.setText("Counting …")
        self.details.setText("")
        self.start.setEnabled(False)
        if self._ticket is not None:
            self._ticket.drop()
        self._wait.start()

    @Slot()
    def _on_waited(self) -> None:
        project, spec, settings = self._context.project, self.spec(), self._context.settings
        self._ticket = self._context.background.query(
            lambda: preview(project, spec, tools=render_tools(settings)),
            self._on_previewed, self._on_preview_failed, owner=self,
        )  # fmt: skip

    def _on_previewed(self, found: RunPreview) -> None:
        self._preview = found
        decks = f"{found.units:,} deck{'' if found.units == 1 else 's'} to do"
        self.count.setText(f"{decks} · {found.cached:,} cached · {len(found.blocked):,} blocked · free")
        lines = []
        if found.to_render and self._kind() is RunKind.METRICS:
            lines.append(f"{found.to_render:,} of them have no slide pictures and are rendered first.")
        for item in found.blocked[:4]:
            lines.append(f"Blocked: {self.choice.names.get(item.deck_id, item.system)} – {item.reason}")
        if len(found.blocked) > 4:
            lines.append(f"and {len(found.blocked) - 4:,} more")
        if not found.units:
            lines.append("Every deck has a result." if found.cached else "No deck is chosen that can be done.")
        self.details.setText("\n".join(lines))
        self.start.setEnabled(found.units > 0)
        self.previewed.emit()

    def _on_preview_failed(self, error: BaseException) -> None:
        self.count.setText("The units could not be counted")
        self._context.report(error)

    @Slot()
    def _on_start_clicked(self) -> None:
        if self._preview is not None and self._preview.units:
            self.run_chosen.emit(self.spec())
            self.accept()
