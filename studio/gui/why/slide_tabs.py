"""Harmony and usability: figures of single slides that are drawn on the slide."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout

from studio.actions.explanation import Explanation, Region, SlideWhy
from studio.gui.why.hue_wheel import HueWheel
from studio.gui.why.plots import Band, SlidePlot
from studio.gui.why.slide_pane import HUES, LEVEL_TONES, REGIONS
from studio.gui.why.tab import WhyTab, caption
from studio.gui.widgets.panel import toned_label
from studio.gui.widgets.table import Column, DataTable, RowModel
from studio.metrics.contrast import contrast_score
from studio.metrics.harmony import stray_hues
from studio.metrics.patterns import Pattern

MOST_STRAYS = 4


class HarmonyTab(WhyTab):
    """The hue wheel of the slide, and the hue distance along the deck."""

    title = "Harmony"
    mode = HUES
    patterns = (Pattern.PALETTE_SPIKE,)

    def __init__(self) -> None:
        super().__init__()
        self.wheel = HueWheel()
        self.facts = toned_label("", "muted")
        self.facts.setWordWrap(True)
        self.facts.setTextFormat(Qt.TextFormat.RichText)
        self.facts.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.facts.setMinimumWidth(120)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self.wheel, 3)
        row.addWidget(self.facts, 2)
        self.column.addLayout(row, 3)
        self.column.addWidget(caption("Hue distance along the deck, degrees"))
        self.plot = SlidePlot(y_label="degrees")
        self.plot.slide_picked.connect(self.slide_picked)
        self.column.addWidget(self.plot, 2)

    def show_deck(self, explanation: Explanation) -> None:  # @override
        super().show_deck(explanation)
        p, figures = explanation.parameters, explanation.scores.figures
        self.set_score(
            explanation.scores.harmony,
            f"points of at most {p.harmony_scale * p.harmony_mean_weight:g}",
            f"{p.harmony_scale:g} × ({p.harmony_mean_weight:g} × mean {figures.mean_harmony:.3f} − "
            f"{p.harmony_spread_weight:g} × spread {figures.std_harmony:.3f}). A slide's harmony is "
            f"exp(−D² / 2σ²) with σ = {p.harmony_sigma_deg:g}°: next to a yes or no, so look at the distance D.",
        )
        spikes = [n for each in explanation.findings if each.pattern is Pattern.PALETTE_SPIKE for n in each.slides]
        slides = explanation.slides
        self.plot.show_values(
            [each.number for each in slides], [each.measures.distance_deg for each in slides], marked=spikes, low=0.0
        )

    def show_slide(self, slide: SlideWhy) -> None:  # @override
        self.wheel.show_slide(slide)
        self.plot.set_current(slide.number)
        measures = slide.measures
        if measures.is_achromatic:
            self.facts.setText(
                "No pixel is saturated enough to have a hue: distance 0 and harmony 1 by definition, and no template."
            )
            return
        strays = stray_hues(measures.harmony)
        lines = [
            f"Template <b>{measures.best_template}</b> at {measures.best_rotation_deg}°",
            f"Distance D <b>{measures.distance_deg:.4g}°</b>, harmony <b>{slide.harmony:.3f}</b>",
        ]
        if strays:
            lines.append(f"<br>{len(strays)} hue{'s' if len(strays) > 1 else ''} outside, kept in sight on the slide:")
            lines += [
                f"{each.hue_deg}°: {each.share:.2%} of the saturation, {each.distance_deg:.0f}° outside"
                for each in strays[:MOST_STRAYS]
            ]
            if len(strays) > MOST_STRAYS:
                lines.append(f"and {len(strays) - MOST_STRAYS} more")
        else:
            lines.append("<br>All hues lie inside the template.")
        lines.append(
            "<br>Others: "
            + ", ".join(
                f"{name.replace('_', ' ')} {distance:.2f}°"
                for name, distance in sorted(measures.template_distances.items(), key=lambda item: item[1])[1:4]
            )
        )
        self.facts.setText("<br>".join(lines))


@dataclass(frozen=True, kw_only=True)
class _RegionRow:
    place: int
    region: Region


class UsabilityTab(WhyTab):
    """Text regions of the slide with their contrast, and the mean contrast along the deck."""

    title = "Usability"
    mode = REGIONS
    patterns = (Pattern.FOG,)

    def __init__(self) -> None:
        super().__init__()
        self.note = toned_label("", "muted")
        self.note.setWordWrap(True)
        self.model = RowModel[_RegionRow](
            [
                Column(title="region", value=lambda row: row.region.label, width=92),
                Column(
                    title="strokes", value=lambda row: row.region.stroke_ratio, is_number=True, width=76,
                    text=lambda row: f"{row.region.stroke_ratio:.1f}:1",
                    tip=lambda row: "Contrast of strokes and ground: does not depend on how tight the box is.",
                ),
                Column(
                    title="WCAG", value=lambda row: row.region.stroke_ratio, width=96,
                    text=lambda row: LEVEL_TONES[row.region.level][1],
                    tone=lambda row: LEVEL_TONES[row.region.level][0],
                    tip=lambda row: "AAA from 7:1, AA from 4.5:1, AA for large text from 3:1.",
                ),
                Column(
                    title="tails", value=lambda row: row.region.ratio, is_number=True, width=70,
                    text=lambda row: f"{row.region.ratio:.1f}:1",
                    tip=lambda row: "Contrast of the lightest and the darkest tenth: what the score is made of.",
                ),
                Column(
                    title="score", value=lambda row: row.region.score, is_number=True, width=64,
                    text=lambda row: f"{row.region.score:.3f}",
                ),
                Column(
                    title="ink, %", value=lambda row: row.region.ink_share, is_number=True,
                    text=lambda row: f"{100 * row.region.ink_share:.1f}",
                    tip=lambda row: "Below 10 % of ink the score falls towards 0, however dark the text is.",
                    tone=lambda row: "warn" if row.region.ink_share < 0.1 else "",
                ),
            ],
            key=lambda row: row.place,
        )  # fmt: skip
        self.table = DataTable()
        self.table.set_model(self.model)
        self.table.setMinimumHeight(150)
        self.column.addWidget(caption("Text regions of the slide"))
        self.column.addWidget(self.note)
        self.column.addWidget(self.table, 3)
        self.column.addWidget(caption("Contrast score along the deck, 0–1"))
        self.plot = SlidePlot(y_label="score")
        self.plot.slide_picked.connect(self.slide_picked)
        self.column.addWidget(self.plot, 2)

    def show_deck(self, explanation: Explanation) -> None:  # @override
        super().show_deck(explanation)
        mean = explanation.scores.figures.mean_contrast
        scale = explanation.parameters.usability_scale
        known = sum(each.measures.contrast_mean is not None for each in explanation.slides)
        self.set_score(
            explanation.scores.usability,
            f"points of {scale:g}",
            "No slide has a contrast value."
            if mean is None
            else f"{scale:g} × mean {mean:.3f} over {known} of {len(explanation.slides)} slides. A region scores "
            "ln(contrast ratio) / ln 21, and a slide the mean of its regions.",
        )
        foggy = [n for each in explanation.findings if each.pattern is Pattern.FOG for n in each.slides]
        slides = explanation.slides
        self.plot.show_values(
            [each.number for each in slides],
            [each.measures.contrast_mean for each in slides],
            bands=(
                Band(low=0.0, high=contrast_score(4.5), words="below 4.5:1", tone="bad"),
                Band(low=contrast_score(7.0), high=1.0, words="7:1 and more", tone="ok"),
            ),
            marked=foggy,
            low=0.0,
            high=1.0,
        )

    def show_slide(self, slide: SlideWhy) -> None:  # @override
        self.plot.set_current(slide.number)
        self.model.set_rows([_RegionRow(place=place, region=each) for place, each in enumerate(slide.regions)])
        notes = [each.rule for each in self.explanation.flags if slide.number in each.slides and "box" in each.flag]
        if not slide.regions:
            flags = [each for each in self.explanation.flags if each.flag in slide.measures.flags]
            notes = [each.rule for each in flags if each.flag in ("no_text", "no_regions", "grid_fallback")] or notes
        self.note.setText(" ".join(notes))
        self.note.setVisible(bool(notes))

    @Slot(int)
    def select_region(self, place: int) -> None:
        """Select the row of a region."""
        for number, row in enumerate(self.model.rows()):
            if row.place == place:
                self.table.selectRow(number)
