"""Mean ratings with their intervals as an SVG picture, drawn without a window: one field a column, one line a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from studio.exchange.sensitivity_svg import PAPER, Colours
from studio.exchange.svg_marks import fitted, letters, line, text

_FIELD_W, _GAP, _TOP, _ROW_H, _FOOT = 168, 24, 52, 26, 34
_LETTER_PX, _MOST_LETTERS = 6.4, 40


@dataclass(frozen=True, kw_only=True)
class Rating:
    """One mean in one field."""

    mean: float | None
    """None: nothing is drawn but a dash."""
    low: float | None
    high: float | None
    n: int
    reason: str = ""
    """Why there is none."""


@dataclass(frozen=True, kw_only=True)
class RatingRow:
    """One line of every field."""

    title: str
    ratings: tuple[Rating, ...]
    """One for each field."""


def ratings_svg(
    fields: Sequence[str], rows: Sequence[RatingRow], *, words: str, low: float, high: float, colours: Colours = PAPER
) -> str:
    """Return an SVG document.

    Args:
        fields: their titles, from left to right.
        rows: from top to bottom, each with one rating for each field.
        words: what the values are.
        low: left end of every field, in points.
        high: right end.
        colours: of everything in it.
    """
    left = 24 + int(_LETTER_PX * max((letters(fitted(row.title, _MOST_LETTERS)) for row in rows), default=8))
    width = left + len(fields) * (_FIELD_W + _GAP) + 12
    bottom = _TOP + _ROW_H * max(1, len(rows))
    height = bottom + _FOOT
    marks = [
        Markup('<rect width="{}" height="{}" fill="{}"/>').format(width, height, colours.ground),
        text(12, 20, words, font_size=13),
    ]
    for place, name in enumerate(fields):
        x = left + place * (_FIELD_W + _GAP)
        marks.append(text(x, _TOP - 12, fitted(name, 24), font_weight="bold"))
        points = range(int(low), int(high) + 1)
        for point in points:
            at = _at(point, x, low, high)
            marks.append(line(at, _TOP, at, bottom, colours.grid))
            marks.append(text(at, bottom + 16, str(point), "middle"))
        for number, row in enumerate(rows):
            marks += _rating(row.ratings[place], x, _TOP + _ROW_H * (number + 0.5), low, high,
                             colours.lines[number % len(colours.lines)], colours)  # fmt: skip
    for number, row in enumerate(rows):
        y = _TOP + _ROW_H * (number + 0.5) + 4
        marks.append(text(left - 12, y, fitted(row.title, _MOST_LETTERS), "end"))
    head = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" '
        'font-family="sans-serif" font-size="11" role="img"><title>{2}</title><g fill="{3}">'
    ).format(width, height, words, colours.ink)
    return f"{head}{Markup('').join(marks)}</g></svg>\n"


def _rating(
    rating: Rating, x: float, y: float, low: float, high: float, colour: str, colours: Colours
) -> list[Markup]:  # fmt: skip
    if rating.mean is None:
        why = rating.reason or "no value"
        return [Markup("<g><title>{}</title>{}</g>").format(why, text(x + _FIELD_W / 2, y + 4, "–", "middle"))]
    marks = [line(x, y, x + _FIELD_W, y, colours.grid)]
    hover = f"{rating.mean:.2f}, n = {rating.n}"
    if rating.low is not None and rating.high is not None:
        hover += f", 95 % {rating.low:.2f} to {rating.high:.2f}"
        marks.append(line(_at(rating.low, x, low, high), y, _at(rating.high, x, low, high), y, colour, width=3))
    at = _at(rating.mean, x, low, high)
    marks.append(
        Markup('<circle cx="{:.1f}" cy="{:.1f}" r="5" fill="{}"><title>{}</title></circle>').format(
            at, y, colour, hover
        )
    )
    # The number stands where the line leaves room: beyond the interval, or before it near the right end.
    end = _at(rating.high if rating.high is not None else rating.mean, x, low, high)
    start = _at(rating.low if rating.low is not None else rating.mean, x, low, high)
    words = f"{rating.mean:.2f}"
    is_right = end + 40 < x + _FIELD_W
    marks.append(text(end + 9 if is_right else start - 9, y - 3, words, "start" if is_right else "end"))
    return marks


def _at(value: float, x: float, low: float, high: float) -> float:
    return x + (value - low) / (high - low) * _FIELD_W
