"""Engagement and rhythm: figures that are about the deck as a whole."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from studio.actions.explanation import Explanation, SlideWhy
from studio.gui.why.plots import Band, CurvePlot, SlidePlot
from studio.gui.why.tab import WhyTab, caption
from studio.metrics.patterns import Pattern
from studio.metrics.rhythm import OVERLOAD_ABOVE, OVERLOAD_WINDOW, RhythmBand

BAND_WORDS = {
    RhythmBand.UNDEFINED: "undefined: fewer than two slides",
    RhythmBand.CONSTANT: "constant (below 0.01)",
    RhythmBand.STEADY: "steady (0.01 to 0.10)",
    RhythmBand.VARIED: "varied (0.10 to 0.30)",
    RhythmBand.RESTLESS: "restless (above 0.30)",
}
RMSSD_BANDS = (
    Band(low=0.0, high=0.01, words="", tone="warn", is_vertical=True),
    Band(low=0.01, high=0.10, words="steady", tone="ok", is_vertical=True),
    Band(low=0.10, high=0.30, words="varied", tone="plot_axis", is_vertical=True),
    Band(low=0.30, high=1.0, words="restless", tone="bad", is_vertical=True),
)
"""The paper's table 12; the words are the studio's."""


def _beside(left: tuple[str, object], right: tuple[str, object]) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(16)
    for words, widget in (left, right):
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(caption(words))
        column.addWidget(widget, 1)
        row.addLayout(column, 1)
    return row


class EngagementTab(WhyTab):
    """Level and pacing curves with the deck's place, and colourfulness along the deck."""

    title = "Engagement"
    patterns = (Pattern.GHOSTLY,)

    def __init__(self) -> None:
        super().__init__()
        self.level = CurvePlot(x_label="mean colourfulness")
        self.pacing = CurvePlot(x_label="spread of colourfulness")
        self.plot = SlidePlot(y_label="colourfulness")
        self.plot.slide_picked.connect(self.slide_picked)
        self.column.addLayout(_beside(("Level", self.level), ("Pacing", self.pacing)), 3)
        self.column.addWidget(caption("Colourfulness along the deck"))
        self.column.addWidget(self.plot, 3)

    def show_deck(self, explanation: Explanation) -> None:  # @override
        super().show_deck(explanation)
        level, pacing, figures = explanation.curves["level"], explanation.curves["pacing"], explanation.scores.figures
        self.set_score(
            explanation.scores.engagement,
            f"points of {level.most + pacing.most:g}",
            f"level {level.earned:.2f} of {level.most:g} for a mean of {figures.mean_colourfulness:.1f}, "
            f"pacing {pacing.earned:.2f} of {pacing.most:g} for a spread of {figures.std_colourfulness:.1f}.",
        )
        self.level.show_curve(level)
        self.pacing.show_curve(pacing)
        mean, spread = figures.mean_colourfulness, figures.std_colourfulness
        pale = [n for each in explanation.findings if each.pattern is Pattern.GHOSTLY for n in each.slides]
        slides = explanation.slides
        self.plot.show_values(
            [each.number for each in slides],
            [each.measures.colourfulness for each in slides],
            bands=(Band(low=max(0.0, mean - spread), high=mean + spread, words="mean ± spread"),),
            marked=pale,
            low=0.0,
        )

    def show_slide(self, slide: SlideWhy) -> None:  # @override
        self.plot.set_current(slide.number)


class RhythmTab(WhyTab):
    """Entropy along the deck, the two halves of the score with the paper's bands, and overload."""

    title = "Rhythm"
    patterns = (Pattern.JUMPSCARE, Pattern.FLATLINE, Pattern.STROBE, Pattern.OVERLOAD)

    def __init__(self) -> None:
        super().__init__()
        self.entropy = CurvePlot(x_label="mean subband entropy, bits")
        self.pacing = CurvePlot(x_label="RMSSD of complexity")
        self.bits = SlidePlot(y_label="bits")
        self.plot = SlidePlot(y_label="complexity, 0–1")
        for plot in (self.bits, self.plot):
            plot.slide_picked.connect(self.slide_picked)
        self.column.addLayout(_beside(("Amount", self.entropy), ("Change, with the paper's bands", self.pacing)), 3)
        self.column.addWidget(caption("Subband entropy along the deck, bits"))
        self.column.addWidget(self.bits, 2)
        self.column.addWidget(caption("Complexity (0–1) along the deck; windows of overload are shaded"))
        self.column.addWidget(self.plot, 2)

    def show_deck(self, explanation: Explanation) -> None:  # @override
        super().show_deck(explanation)
        entropy, change, figures = (
            explanation.curves["entropy"],
            explanation.curves["rmssd"],
            explanation.scores.figures,
        )
        rmssd = "undefined" if figures.rmssd is None else f"{figures.rmssd:.3f}"
        mean = "undefined" if figures.mean_entropy is None else f"{figures.mean_entropy:.2f} bits"
        self.set_score(
            explanation.scores.rhythm,
            f"points of {entropy.most + change.most:g}",
            f"amount {entropy.earned:.2f} of {entropy.most:g} for a mean entropy of {mean}, change {change.earned:.2f} "
            f"of {change.most:g} for an RMSSD of {rmssd}: {BAND_WORDS[figures.band]}. The reference's code calls it "
            f"{figures.interpretation.value.replace('_', ' ')}.",
        )
        self.entropy.show_curve(entropy)
        self.pacing.show_curve(change, bands=RMSSD_BANDS)
        slides = explanation.slides
        numbers = [each.number for each in slides]
        self.bits.show_values(numbers, [each.measures.subband_entropy for each in slides], low=0.0)
        windows = [
            Band(
                low=numbers[start] - 0.4, high=numbers[start + OVERLOAD_WINDOW - 1] + 0.4, words="", tone="bad",
                is_vertical=True,
            )
            for start in figures.overload_windows
        ]  # fmt: skip
        jumps = [n for each in explanation.findings if each.pattern is Pattern.JUMPSCARE for n in each.slides]
        limit = Band(low=OVERLOAD_ABOVE, high=1.0, words="dense", tone="warn")
        self.plot.show_values(
            numbers, [each.complexity for each in slides], bands=[limit, *windows], marked=jumps, low=0.0, high=1.0
        )

    def show_slide(self, slide: SlideWhy) -> None:  # @override
        self.bits.set_current(slide.number)
        self.plot.set_current(slide.number)
