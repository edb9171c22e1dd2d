"""Where a shape lies on the slide once all groups around it have moved, scaled, turned and flipped it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import NamedTuple

from studio.decks.structure.package import A, Element
from studio.model.structure import Box

_PER_UNIT = {"mm": 36_000.0, "cm": 360_000.0, "in": 914_400.0, "pt": 12_700.0, "pc": 152_400.0, "pi": 152_400.0}
_MEASURE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(mm|cm|in|pt|pc|pi)?\s*$")


class Frame(NamedTuple):
    """A rectangle before it is turned, in EMU of the space around it."""

    x: float
    y: float
    width: float
    height: float
    rotation_deg: float
    flip_h: bool
    flip_v: bool


@dataclass(frozen=True, kw_only=True)
class Placed:
    """A shape's place on the slide."""

    box: Box
    corners: tuple[tuple[float, float], ...]
    """Its four corners as shares of the slide's width and height, around it from the first one."""
    rotation_deg: float
    area: float
    """Its own area as a share of the slide's, whatever lies outside of the slide counted."""


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """An affine map of the plane: x' = a·x + c·y + e, y' = b·x + d·y + f."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def __matmul__(self, other: Matrix) -> Matrix:
        """Return the map that applies `other` first."""
        return Matrix(
            a=self.a * other.a + self.c * other.b,
            b=self.b * other.a + self.d * other.b,
            c=self.a * other.c + self.c * other.d,
            d=self.b * other.c + self.d * other.d,
            e=self.a * other.e + self.c * other.f + self.e,
            f=self.b * other.e + self.d * other.f + self.f,
        )

    def apply(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point goes."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    @property
    def determinant(self) -> float:
        """How areas grow."""
        return self.a * self.d - self.b * self.c


def emu(text: str | None) -> float:
    """Return a coordinate in EMU; plain numbers are EMU, others carry a unit.

    Raises:
        ValueError: if it is no coordinate.
    """
    match = _MEASURE.match(text or "")
    if match is None:
        raise ValueError(f"{text!r} is no coordinate")
    return float(match.group(1)) * _PER_UNIT.get(match.group(2) or "", 1.0)


def frame_of(xfrm: Element | None) -> Frame | None:
    """Return the rectangle of a transform element, or None if it has none or a damaged one."""
    if xfrm is None:
        return None
    offset, extent = xfrm.find(f"{A}off"), xfrm.find(f"{A}ext")
    if offset is None or extent is None:
        return None
    try:
        return Frame(
            emu(offset.get("x")), emu(offset.get("y")), emu(extent.get("cx")), emu(extent.get("cy")),
            int(xfrm.get("rot", "0")) / 60_000 % 360, *_flips(xfrm),
        )  # fmt: skip
    except ValueError:
        return None


def _flips(xfrm: Element) -> tuple[bool, bool]:
    return xfrm.get("flipH") in {"1", "true"}, xfrm.get("flipV") in {"1", "true"}


def group_matrix(xfrm: Element | None, around: Matrix | None = None) -> Matrix:
    """Return the map from a group's inner coordinates to those around it, or to the slide if `around` maps there.

    Without a transform of its own, or with a damaged one, a group leaves everything where it is.
    """
    around = around or Matrix()
    frame = frame_of(xfrm)
    if frame is None or xfrm is None:
        return around
    inner_offset, inner_extent = xfrm.find(f"{A}chOff"), xfrm.find(f"{A}chExt")
    try:
        x, y = (emu(inner_offset.get("x")), emu(inner_offset.get("y"))) if inner_offset is not None else frame[:2]
        wide, high = (
            (emu(inner_extent.get("cx")), emu(inner_extent.get("cy"))) if inner_extent is not None else frame[2:4]
        )
    except ValueError:
        return around
    scale_x = frame.width / wide if wide else 1.0
    scale_y = frame.height / high if high else 1.0
    scaled = Matrix(a=scale_x, d=scale_y, e=frame.x - scale_x * x, f=frame.y - scale_y * y)
    return _upright(frame, around) @ scaled


def _upright(frame: Frame, around: Matrix) -> Matrix:
    """Return the map of a rectangle to the slide, in which it stays a rectangle.

    A group that is stretched more in one direction moves what is in it and makes it wider or higher; it never
    slants a shape that is turned. A shape that lies on its side takes the stretch of the other direction.
    """
    wide, high = math.hypot(around.a, around.b), math.hypot(around.c, around.d)
    if not wide or not high:
        return around @ _turned(frame)
    x, y = frame.x + frame.width / 2, frame.y + frame.height / 2
    there_x, there_y = around.apply(x, y)
    turned = Matrix(a=around.a / wide, b=around.b / wide, c=around.c / high, d=around.d / high) @ _turned(
        frame._replace(x=-frame.width / 2, y=-frame.height / 2)
    )
    is_on_side = 45 <= frame.rotation_deg % 180 < 135
    scale_x, scale_y = (high, wide) if is_on_side else (wide, high)
    sized = Matrix(a=scale_x, d=scale_y, e=-scale_x * x, f=-scale_y * y)
    return Matrix(e=there_x, f=there_y) @ turned @ sized


def _turned(frame: Frame) -> Matrix:
    """Return the flips and then the rotation about a rectangle's centre."""
    angle = math.radians(frame.rotation_deg)
    cos, sin = math.cos(angle), math.sin(angle)
    h, v = (-1.0 if frame.flip_h else 1.0), (-1.0 if frame.flip_v else 1.0)
    a, b, c, d = cos * h, sin * h, -sin * v, cos * v
    x, y = frame.x + frame.width / 2, frame.y + frame.height / 2
    return Matrix(a=a, b=b, c=c, d=d, e=x - a * x - c * y, f=y - b * x - d * y)


def placed(frame: Frame, around: Matrix, slide_size_emu: tuple[int, int]) -> Placed:
    """Return where a shape's rectangle ends up.

    Args:
        frame: the shape's own rectangle.
        around: the map of all groups around it.
        slide_size_emu: width and height of the slide.
    """
    whole = _upright(frame, around)
    wide, high = slide_size_emu
    right, bottom = frame.x + frame.width, frame.y + frame.height
    around_it = ((frame.x, frame.y), (right, frame.y), (right, bottom), (frame.x, bottom))
    corners = [(x / wide, y / high) for x, y in (whole.apply(*corner) for corner in around_it)]
    xs, ys = [corner[0] for corner in corners], [corner[1] for corner in corners]
    return Placed(
        box=Box(x0=min(xs), y0=min(ys), x1=max(xs), y1=max(ys)),
        corners=tuple(corners),
        rotation_deg=_rotation(whole),
        area=abs(whole.determinant) * frame.width * frame.height / (wide * high),
    )


def _rotation(matrix: Matrix) -> float:
    # A mirrored shape keeps its upright direction: the second axis tells the turn without the first one's flip.
    if matrix.determinant < 0:
        angle = math.degrees(math.atan2(-matrix.c, matrix.d))
    else:
        angle = math.degrees(math.atan2(matrix.b, matrix.a))
    return round(angle, 4) % 360


def coverage(place: Placed) -> float:
    """Return the share of the slide that a rectangle covers, 0 to 1, what lies outside cut off.

    A turned rectangle counts with the smaller of its own area and that of its bounds on the slide.
    """
    box = place.box
    wide = min(box.x1, 1.0) - max(box.x0, 0.0)
    high = min(box.y1, 1.0) - max(box.y0, 0.0)
    return min(wide * high, place.area, 1.0) if wide > 0 and high > 0 else 0.0
