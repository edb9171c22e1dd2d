"""The slide that an explanation is about: the picture, what is drawn over it, and the deck's film strip."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from studio.actions.explanation import Explanation, SlideWhy
from studio.gui import theme
from studio.gui.background import Background, Ticket
from studio.gui.image_cache import ImageCache
from studio.gui.why.hue_mask import stray_mask
from studio.gui.why.slide_figures import SlideFigures
from studio.gui.widgets.film_strip import FilmStrip, StripSlide
from studio.gui.widgets.panel import Panel, hairline
from studio.gui.widgets.slide_view import Box, SlideView
from studio.metrics.patterns import WcagLevel

LEVEL_TONES = {
    WcagLevel.AAA: ("ok", "✓ AAA"),
    WcagLevel.AA: ("ok", "✓ AA"),
    WcagLevel.AA_LARGE: ("warn", "? AA large"),
    WcagLevel.FAILS: ("bad", "✗ fails"),
}
NOTHING, HUES, REGIONS = "nothing", "hues", "regions"


class Overlay(QWidget):
    """A picture laid over the slide of a view, wherever that lies."""

    def __init__(self, view: SlideView) -> None:
        super().__init__(view)
        self._view = view
        self._image: QImage | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        view.installEventFilter(self)
        view.zoom_changed.connect(self._on_view_moved)
        view.centre_changed.connect(self._on_view_moved)
        self.hide()

    def set_image(self, image: QImage | None) -> None:
        """Lay this picture over the slide; None takes it away."""
        self._image = image
        self.setVisible(image is not None)
        self.update()

    @property
    def image(self) -> QImage | None:
        """The picture that lies over the slide."""
        return self._image

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # @override
        if event.type() == QEvent.Type.Resize:
            self.resize(self._view.size())
        return False

    def paintEvent(self, _event: QPaintEvent) -> None:  # @override
        if self._image is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(self._view.slide_rect(), self._image, QRectF(self._image.rect()))
        painter.end()

    @Slot()
    def _on_view_moved(self) -> None:
        self.update()


class WhySlide(Panel):
    """One slide of the deck; the tab in front says what is drawn over it."""

    slide_picked = Signal(int)
    overlay_shown = Signal()
    """What lies over the slide is up to date."""
    region_picked = Signal(int)
    """The place of the text region that was clicked."""

    def __init__(self, background: Background, images: ImageCache) -> None:
        super().__init__("Slide", " ")
        self._background = background
        self._explanation: Explanation | None = None
        self._number = 0
        self._mode = NOTHING
        self._marked = -1
        self._ticket: Ticket | None = None
        self.view = SlideView(background, images)
        self.overlay = Overlay(self.view)
        self.strip = FilmStrip(background, images)
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.figures = SlideFigures()
        column.addWidget(self.view, 1)
        column.addWidget(self.strip)
        column.addWidget(hairline())
        column.addWidget(self.figures)
        self.set_body(holder)
        self.strip.slide_picked.connect(self.slide_picked)
        self.strip.slide_picked_for_all.connect(self.slide_picked)
        self.view.page_asked.connect(self._on_page_asked)
        self.view.point_clicked.connect(self._on_point_clicked)
        self.view.zoom_changed.connect(self._on_zoomed)
        theme.current().theme_changed.connect(self._on_theme_changed)

    @property
    def number(self) -> int:
        """The slide that is shown."""
        return self._number

    def show_deck(self, explanation: Explanation) -> None:
        """Take another deck; `show_slide` follows."""
        self._explanation = explanation
        marks = {number for finding in explanation.findings for number in finding.slides}
        self.strip.set_slides(
            [
                StripSlide(
                    number=slide.number,
                    thumbnail=slide.thumbnail,
                    mark="alert" if slide.number in marks else "",
                    failure="" if slide.thumbnail else "the picture is gone from the cache",
                )
                for slide in explanation.slides
            ]
        )

    def show_slide(self, number: int) -> None:
        """Show a slide of the deck."""
        self._number = number
        self._marked = -1
        slide = self._slide()
        place = [each.number for each in self._explanation.slides].index(number) + 1
        patterns = [
            each.pattern.value.replace("_", " ") for each in self._explanation.findings if number in each.slides
        ]
        facts = f"{place} of {len(self._explanation.slides)}"
        self.set_title(f"Slide {number}", f"{facts} · {', '.join(dict.fromkeys(patterns))}" if patterns else facts)
        self.strip.set_current(number)
        self.figures.show_slide(slide)
        if slide.picture is None:
            self.view.show_failed("No picture", "The pictures were removed from the cache. Draw them again in Library.")
        else:
            aspect = slide.measures.width_px / slide.measures.height_px
            self.view.show_slide(
                slide.picture,
                thumbnail=slide.thumbnail,
                aspect=aspect,
                name=f"{self._explanation.system}, slide {number}",
            )
        self._draw()

    def set_mode(self, mode: str) -> None:
        """Draw nothing, stray hues or text regions over the slide."""
        self._mode = mode
        if self._explanation is not None and self._number:
            self._draw()

    def mark_region(self, place: int) -> None:
        """Draw one text region in the accent colour; -1 for none."""
        self._marked = place
        self._draw()

    def clear(self) -> None:
        """Drop what is still being read."""
        if self._ticket is not None:
            self._ticket.drop()
            self._ticket = None

    def _slide(self) -> SlideWhy:
        return self._explanation.slide(self._number)

    def _draw(self) -> None:
        self.clear()
        self.overlay.set_image(None)
        slide = self._slide()
        self._draw_boxes()
        if self._mode == HUES and slide.picture is not None and slide.stray_hues_deg:
            work = partial(
                stray_mask, slide.picture, slide.stray_hues_deg,
                min_saturation=self._explanation.parameters.min_saturation, cover=theme.color("surface"),
                edge=theme.color("overlay_box"),
            )  # fmt: skip
            self._ticket = self._background.query(work, self._on_mask, self._on_mask_failed, owner=self)
        else:
            self.overlay_shown.emit()

    def _draw_boxes(self) -> None:
        """Draw the text regions, with as many labels as there is room for: marked first, then the weakest."""
        if self._explanation is None or not self._number:
            return
        regions = self._slide().regions if self._mode == REGIONS else ()
        metrics = QFontMetricsF(theme.sized_font(theme.CAPTION_PX, bold=True))
        slide = self.view.slide_rect()
        taken: list[QRectF] = []
        boxes = []
        order = sorted(enumerate(regions), key=lambda item: (item[0] != self._marked, item[1].stroke_ratio))
        for place, region in order:
            tone, word = LEVEL_TONES[region.level]
            x, y, width, height = region.shares
            words = f"{region.stroke_ratio:.1f}:1 {word}"
            left, top = slide.left() + x * slide.width(), slide.top() + y * slide.height()
            tag = QRectF(left - 1.5, max(slide.top(), top - 18), metrics.horizontalAdvance(words) + 10, 18)
            has_room = not any(tag.intersects(other) for other in taken)
            if has_room:
                taken.append(tag)
            boxes.append(
                Box(
                    rect=QRectF(x, y, width, height),
                    tone="accent" if place == self._marked else tone,
                    label=words if has_room else "",
                )
            )
        # The ones that matter most are drawn last, over the others.
        self.view.set_boxes(boxes[::-1])

    def resizeEvent(self, event: QResizeEvent) -> None:  # @override
        super().resizeEvent(event)
        self._draw_boxes()

    @Slot()
    def _on_zoomed(self) -> None:
        self._draw_boxes()

    def _on_mask(self, image: QImage) -> None:
        self._ticket = None
        self.overlay.resize(self.view.size())
        self.overlay.set_image(image)
        self.overlay_shown.emit()

    def _on_mask_failed(self, _error: BaseException) -> None:
        # The view itself says why there is no picture.
        self._ticket = None
        self.overlay_shown.emit()

    @Slot(int)
    def _on_page_asked(self, by: int) -> None:
        numbers = [each.number for each in self._explanation.slides]
        there = numbers.index(self._number) + by
        if 0 <= there < len(numbers):
            self.slide_picked.emit(numbers[there])

    @Slot(object)
    def _on_point_clicked(self, at: object) -> None:
        if self._mode != REGIONS:
            return
        for place, region in enumerate(self._slide().regions):
            x, y, width, height = region.shares
            if x <= at.x() <= x + width and y <= at.y() <= y + height:
                self.region_picked.emit(place)
                return

    @Slot()
    def _on_theme_changed(self) -> None:
        if self._explanation is not None and self._number:
            self._draw()
