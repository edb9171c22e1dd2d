"""The fields of a judge run: which judge, how it is asked, about what, within which limits."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from studio.actions.judge_keys import KeyState
from studio.actions.judge_wish import WITH_SENSITIVITY, JudgeWish, read_wish
from studio.actions.page_rule import PageRule
from studio.errors import BadInput
from studio.gui.widgets.deck_choice import DeckChoice
from studio.gui.widgets.elided_label import ElidedLabel
from studio.gui.widgets.keycap import KeyCapButton
from studio.gui.widgets.number_box import WholeBox
from studio.gui.widgets.panel import toned_label
from studio.judges.openai_compatible import LOCAL_SERVERS
from studio.model.judging import JudgeSetup, JudgingProtocol
from studio.model.judging_options import GEvalMode, Pairs, ShownAs
from studio.store.judging import SavedJudge

_PROVIDERS = (
    ("Gemini", "gemini"), ("OpenAI or compatible", "openai"), ("Code rules (no model)", "code"),
    ("Scripted (no model, for tries)", "scripted"),
)  # fmt: skip
_PROTOCOLS = {
    JudgingProtocol.CHECKLIST: "Checklist · yes or no to each item",
    JudgingProtocol.RATING: "Rating · 1 to 10 on four criteria",
    JudgingProtocol.ARENA: "Arena · which of two decks is better",
    JudgingProtocol.LISTWISE: "List · all decks of an instance in order",
    JudgingProtocol.PPTEVAL: "PPTEval · content, design, coherence",
    JudgingProtocol.GEVAL: "G-Eval · 1 to 5 on four criteria",
}
_SHOWN = {
    ShownAs.PICTURES: "Pictures of slides", ShownAs.TEXT: "Text of slides",
    ShownAs.FILE: "One PDF of the deck", ShownAs.OFFICE: "The deck's own file",
}  # fmt: skip
_PAIRS = {Pairs.ALL: "All pairs", Pairs.SHARE: "A random share of 60 %", Pairs.SWISS: "Swiss rounds"}
_SPLIT = re.compile(r"[\s,;]+")


class JudgeForm(QWidget):
    """Makes a `JudgeWish` of what is chosen; `changed` is sent whenever another one comes out."""

    changed = Signal()
    key_asked = Signal(str)
    """The provider whose key is to be kept."""
    rule_chosen = Signal(object)
    """The `PageRule` for the whole project."""
    save_asked = Signal()
    forget_asked = Signal(str)
    """The name of a saved judge."""

    def __init__(self, parent: QWidget | None = None, *, names_judge_only: bool = False) -> None:
        """Make the form.

        Args:
            parent: of the widget.
            names_judge_only: only who is asked, how pictures are shown and what may be spent; no protocol, no decks.
        """
        super().__init__(parent)
        self._names_judge_only = names_judge_only
        self._shows_slides = True
        self._saved: dict[str, JudgeSetup] = {}
        self._keys: dict[str, KeyState] = {}
        self._is_filling = False
        self._build()
        self._connect()
        self._show_rows()

    def _build(self) -> None:
        self.saved = QComboBox()
        self.saved.addItem("Not saved", "")
        self.save = KeyCapButton("Save", is_compact=True)
        self.forget = KeyCapButton("Forget", is_compact=True)
        self.provider = QComboBox()
        for words, name in _PROVIDERS:
            if name != "code" or not self._names_judge_only:
                self.provider.addItem(words, name)
        self.provider.setCurrentIndex(1)
        self.model = QLineEdit()
        self.address = QComboBox()
        self.address.setEditable(True)
        self.address.addItem("")
        self.address.addItems(list(LOCAL_SERVERS))
        self.address.lineEdit().setPlaceholderText("The provider's own")
        self.key_state = ElidedLabel("")
        self.key_state.setProperty("tone", "muted")
        self.keep_key = KeyCapButton("Keep a key", is_compact=True)
        self.temperature = QLineEdit()
        self.temperature.setPlaceholderText("The model's own")
        self.in_flight = WholeBox(1, 512, 8, width_px=80)
        self.more = QLineEdit()
        self.more.setPlaceholderText("seed=7 thinking=low max_output_tokens=2000")
        self.protocol = QComboBox()
        for protocol, words in _PROTOCOLS.items():
            self.protocol.addItem(words, protocol.value)
        self.shown_as = QComboBox()
        for shown, words in _SHOWN.items():
            self.shown_as.addItem(words, shown.value)
        self.pages = QComboBox()
        self.pages.addItem("Cut at the instance's limit", PageRule.CUT)
        self.pages.addItem("Whole decks", PageRule.FULL)
        self.pages.setToolTip(
            "One rule for the whole project: checklists, judges and the pages that show decks obey it."
        )
        self.items = QLineEdit()
        self.items.setPlaceholderText("All")
        self.batch = WholeBox(1, 100, 1, width_px=80)
        self.pairs = QComboBox()
        for words, kind in (
            ("All pairs", Pairs.ALL),
            ("A random share of 60 %", Pairs.SHARE),
            ("Swiss rounds", Pairs.SWISS),
        ):
            self.pairs.addItem(words, kind.value)
        self.geval = QComboBox()
        for words, mode in (
            ("Probabilities of the score's tokens", GEvalMode.LOGPROB), ("Mean of 20 samples", GEvalMode.SAMPLES),
            ("One reply", GEvalMode.SINGLE),
        ):  # fmt: skip
            self.geval.addItem(words, mode.value)
        self.repeats = WholeBox(0, 1000, 0, width_px=80)
        self.repeats.setSpecialValueText("–")
        self.repeats.setToolTip("How often everything is asked; – as the protocol says.")
        self.usd, self.tokens = QLineEdit(), QLineEdit()
        self.usd.setPlaceholderText("US dollars")
        self.tokens.setPlaceholderText("tokens")
        self.scheduler = QLineEdit()
        self.scheduler.setPlaceholderText("This machine; or tcp://host:8786 of a Dask cluster")
        self.sensitivity = QCheckBox("Also show decks made worse by degrees")
        self.sensitivity.setToolTip("Slides taken out, doubled or in other places: does the judge notice? See Quality.")
        self.force = QCheckBox("Ask again what has a verdict")
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(6)
        form.addRow("Saved", _row(self.saved, self.save, self.forget))
        form.addRow("Provider", self.provider)
        form.addRow("Model", self.model)
        form.addRow("Address", self.address)
        self._key_row = _row(self.key_state, self.keep_key)
        form.addRow("Key", self._key_row)
        form.addRow("Temperature", self.temperature)
        form.addRow("In flight", self.in_flight)
        form.addRow("Other settings", self.more)
        form.addRow("Protocol", self.protocol)
        form.addRow("Shown as", self.shown_as)
        form.addRow("Pages", self.pages)
        form.addRow("Items", self.items)
        form.addRow("Items a call", self.batch)
        form.addRow("Pairs", self.pairs)
        form.addRow("Score from", self.geval)
        form.addRow("Repeats", self.repeats)
        self.choice = DeckChoice(form, self)
        form.addRow("Budget", _row(self.usd, self.tokens))
        form.addRow("Worked off by", self.scheduler)
        form.addRow("", self.sensitivity)
        form.addRow("", self.force)
        self._form = form
        self.wrong = toned_label("", "bad")
        self.wrong.setWordWrap(True)
        column = QVBoxLayout(self)
        # Room for the scroll bar, which lies over the form.
        column.setContentsMargins(0, 0, 16, 0)
        column.addLayout(form)
        column.addWidget(self.wrong)
        column.addStretch(1)
        for box in (self.saved, self.provider, self.address, self.protocol, self.shown_as, self.pages, self.pairs,
                    self.geval):  # fmt: skip
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(12)
        for name, field in (
            ("Model", self.model), ("Address", self.address), ("Temperature", self.temperature),
            ("Other settings", self.more), ("Items", self.items), ("Budget in US dollars", self.usd),
            ("Budget in tokens", self.tokens), ("Scheduler", self.scheduler),
        ):  # fmt: skip
            field.setAccessibleName(name)

    def _connect(self) -> None:
        self.saved.activated.connect(self._on_saved_chosen)
        self.save.clicked.connect(self.save_asked)
        self.forget.clicked.connect(self._on_forget_clicked)
        self.keep_key.clicked.connect(self._on_keep_key_clicked)
        self.pages.activated.connect(self._on_pages_chosen)
        for box in (self.provider, self.protocol, self.shown_as, self.pairs, self.geval):
            box.currentIndexChanged.connect(self._on_changed)
        self.address.currentTextChanged.connect(self._on_changed)
        for line in (self.model, self.temperature, self.more, self.items, self.usd, self.tokens, self.scheduler):
            line.textChanged.connect(self._on_changed)
        for spin in (self.in_flight, self.batch, self.repeats):
            spin.valueChanged.connect(self._on_changed)
        for box in (self.force, self.sensitivity):
            box.toggled.connect(self._on_changed)
        self.choice.changed.connect(self._on_changed)

    # what it is told

    def set_saved(self, judges: Sequence[SavedJudge], *, chosen: str = "") -> None:
        """Offer the project's judges with names."""
        self._saved = {each.name: each.setup for each in judges}
        self.saved.clear()
        self.saved.addItem("Not saved", "")
        for each in judges:
            self.saved.addItem(each.name, each.name)
        self.saved.setCurrentIndex(max(0, self.saved.findData(chosen)))
        self._show_rows()

    def set_keys(self, states: Sequence[KeyState]) -> None:
        """Say which keys there are; never what they are."""
        self._keys = {state.provider: state for state in states}
        self._show_rows()

    def set_page_rule(self, rule: PageRule) -> None:
        """Show the project's rule for pages."""
        self.pages.setCurrentIndex(self.pages.findData(rule))

    def set_shows_slides(self, shows: bool) -> None:
        """Say whether the judge is shown slides at all, so that how they are shown is asked."""
        self._shows_slides = shows
        self._show_rows()

    def show_setup(self, setup: JudgeSetup) -> None:
        """Fill the judge's fields."""
        self._is_filling = True
        settings = dict(setup.settings)
        self.provider.setCurrentIndex(max(0, self.provider.findData(setup.provider)))
        self.model.setText(setup.model)
        self.address.setCurrentText(next((n for n, u in LOCAL_SERVERS.items() if u == setup.base_url), setup.base_url))
        temperature = settings.pop("temperature", "")
        self.temperature.setText(f"{temperature:g}" if isinstance(temperature, float) else str(temperature))
        self.in_flight.setValue(int(str(settings.pop("max_in_flight", 8))))
        self.more.setText(" ".join(f"{name}={value}" for name, value in settings.items()))
        self._is_filling = False
        self._on_changed()

    # what it says

    def judge(self) -> str:
        """Return the judge as ``provider:model``."""
        provider = self.provider.currentData()
        return provider if provider == "code" else f"{provider}:{self.model.text().strip()}"

    def settings(self) -> list[str]:
        """Return the judge's settings as ``name=value``."""
        words = [word for word in _SPLIT.split(self.more.text()) if word]
        if self.temperature.text().strip():
            words.insert(0, f"temperature={self.temperature.text().strip()}")
        if self.in_flight.value() != 8:
            words.append(f"max_in_flight={self.in_flight.value()}")
        return words

    def setup(self) -> JudgeSetup:
        """Return the judge by itself.

        Raises:
            BadInput: for something that does not fit.
        """
        return read_wish(self.judge(), base_url=self._address(), settings=self.settings()).setup

    def budget_usd(self) -> float | None:
        """Return what may be spent, in US dollars; None without a limit.

        Raises:
            BadInput: for words that are no number.
        """
        found = _number(self.usd, "A budget in dollars", float)
        return None if found is None else float(found)

    def wish(self) -> JudgeWish:
        """Return the run as it is chosen.

        Raises:
            BadInput: for something that does not fit.
        """
        is_code = self.provider.currentData() == "code"
        protocol = JudgingProtocol.CHECKLIST if is_code else JudgingProtocol(self.protocol.currentData())
        options = [] if is_code else [f"input={self.shown_as.currentData()}"]
        if protocol is JudgingProtocol.CHECKLIST and self.batch.value() > 1 and not is_code:
            options.append(f"batch={self.batch.value()}")
        if protocol is JudgingProtocol.ARENA:
            options.append(f"pairs={self.pairs.currentData()}")
        if protocol is JudgingProtocol.GEVAL:
            options.append(f"geval={self.geval.currentData()}")
        if protocol in WITH_SENSITIVITY and self.sensitivity.isChecked() and not is_code:
            options.append("sensitivity=yes")
        scheduler = self.scheduler.text().strip()
        return read_wish(
            self.judge(), protocol=protocol.value, base_url=self._address(),
            settings=[*([] if is_code else self.settings()), *options],
            item_ids=tuple(word for word in _SPLIT.split(self.items.text()) if word), deck_ids=self.choice.deck_ids(),
            repeats=self.repeats.value() or None, budget_usd=_number(self.usd, "A budget in dollars", float),
            budget_tokens=_number(self.tokens, "A budget in tokens", int), force=self.force.isChecked(),
            executor="dask" if scheduler else "threads", scheduler=scheduler,
        )  # fmt: skip

    def _address(self) -> str:
        return self.address.currentText().strip() if self.provider.currentData() in {"openai", "gemini"} else ""

    # what the user does

    @Slot()
    def _on_changed(self, *_: object) -> None:
        if self._is_filling:
            return
        self._show_rows()
        self.changed.emit()

    @Slot(int)
    def _on_saved_chosen(self, _place: int) -> None:
        setup = self._saved.get(self.saved.currentData())
        if setup is not None:
            self.show_setup(setup)
        self._show_rows()

    @Slot()
    def _on_forget_clicked(self) -> None:
        self.forget_asked.emit(self.saved.currentData())

    @Slot()
    def _on_keep_key_clicked(self) -> None:
        self.key_asked.emit(self.provider.currentData())

    @Slot(int)
    def _on_pages_chosen(self, _place: int) -> None:
        self.rule_chosen.emit(self.pages.currentData())

    def _show_rows(self) -> None:
        provider = self.provider.currentData()
        is_code, is_asked = provider == "code", provider in {"gemini", "openai"}
        protocol = self.protocol.currentData()
        state = self._keys.get(provider)
        if state is not None:
            words = f"from the {state.source.value}" if state.is_present else "none"
            if not state.is_present and provider == "openai" and self.address.currentText().strip():
                words = "none; a local server needs none"
            self.key_state.set_text(words)
            self.key_state.setToolTip(state.warning or f"{state.name}: {words}")
        self.model.setPlaceholderText(
            "demo, or the path of a script" if provider == "scripted" else "Name of the model"
        )
        self.forget.setEnabled(bool(self.saved.currentData()))
        for row, is_shown in (
            (self.model, not is_code), (self.address, is_asked), (self._key_row, is_asked),
            (self.temperature, is_asked), (self.in_flight, not is_code), (self.more, is_asked),
            (self.protocol, not is_code), (self.shown_as, not is_code and self._shows_slides),
            (self.pages, not is_code),
            (self.items, is_code or protocol == JudgingProtocol.CHECKLIST),
            (self.batch, not is_code and protocol == JudgingProtocol.CHECKLIST),
            (self.pairs, not is_code and protocol == JudgingProtocol.ARENA),
            (self.geval, not is_code and protocol == JudgingProtocol.GEVAL), (self.repeats, not is_code),
            (self.scheduler, is_asked), (self.sensitivity, not is_code and protocol in WITH_SENSITIVITY),
        ):  # fmt: skip
            self._form.setRowVisible(row, is_shown)
        self._form.setRowVisible(self.usd.parentWidget(), is_asked)
        if self._names_judge_only:
            for row in (self.protocol, self.pages, self.items, self.batch, self.pairs, self.geval, self.repeats,
                        self.scheduler, self.sensitivity, self.force, self.choice.scope,
                        self.choice.instance, self.choice.decks):  # fmt: skip
                self._form.setRowVisible(row, False)
            self.tokens.hide()


def _row(*widgets: QWidget) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    for place, widget in enumerate(widgets):
        row.addWidget(widget, 0 if isinstance(widget, KeyCapButton) else 1 + (place == 0))
    return holder


def _number(line: QLineEdit, what: str, kind: type) -> float | int | None:
    words = line.text().strip().replace(",", "")
    if not words:
        return None
    try:
        return kind(words)
    except ValueError:
        raise BadInput(f"{what} cannot be {words}.", next_step="Give a number, or leave it empty.") from None
