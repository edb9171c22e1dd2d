"""Where the text is on a picture without a text layer, found by a model that comes in a wheel.

The detector is the text detection network of PaddleOCR (PP-OCRv6, DBNet), run by RapidOCR on onnxruntime.
Nothing is fetched: the model files of the wheel are named one by one, so that RapidOCR never looks for others.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from studio.decks.flat_picture import flat_rgb
from studio.decks.rendered import package_version
from studio.errors import ToolMissing
from studio.model.regions import PictureRegion

PACKAGES = ("rapidocr", "onnxruntime")
DETECTOR_MODEL = "PP-OCRv6_det_small"
_RULES = 1
"""Goes up when the same model would give other regions, so that old ones are found anew."""


class Detail(StrEnum):
    """How closely a picture is looked at."""

    SLIDE = "slide"
    """Longer side brought to 960 pixels: half the time, and of a slide only the smallest labels are lost."""
    PAGE = "page"
    """As it is, up to 2000 pixels: for scanned pages, whose letters are small."""


_SIDES = {Detail.SLIDE: ("max", 960), Detail.PAGE: ("min", 736)}


class Quads(NamedTuple):
    """The outlines of the regions on one picture."""

    corners: NDArray[np.float32]
    """(n, 4, 2) in pixels: corners from the upper left one, clockwise."""
    scores: tuple[float, ...]


def why_no_detector() -> str:
    """Return why text cannot be found on pictures here, with the next step; empty if it can."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        return (
            f"text cannot be found on pictures: {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} "
            "not installed. Run: make setup"
        )
    if not model_file(DETECTOR_MODEL).is_file():
        return (
            f"text cannot be found on pictures: the installed rapidocr does not carry {DETECTOR_MODEL}. Run: make setup"
        )
    return ""


def detector_name(detail: Detail = Detail.SLIDE) -> str:
    """Return name and version of the detector, its model and its settings; equal names find equal regions."""
    limit, side = _SIDES[detail]
    version = package_version("rapidocr")
    return f"RapidOCR {version} {DETECTOR_MODEL} {limit} {side} px, rules {_RULES}"


def model_file(model: str) -> Path:
    """Return where the wheel keeps a model, whether or not it is there."""
    spec = importlib.util.find_spec("rapidocr")
    folder = Path(spec.origin).parent if spec is not None and spec.origin else Path("rapidocr")
    return folder / "models" / f"{model}.onnx"


def load_bgr(path: Path) -> NDArray[np.uint8]:
    """Return a picture as (height, width, 3), blue first as the models want it, what is transparent on white."""
    with Image.open(path) as opened:
        return np.ascontiguousarray(np.asarray(flat_rgb(opened), np.uint8)[..., ::-1])


def find_quads(bgr: NDArray[np.uint8], detail: Detail = Detail.SLIDE) -> Quads:
    """Return the outlines of the text lines on a picture, in reading order.

    Raises:
        ToolMissing: if the detector is not installed.
    """
    # All three flags every time: RapidOCR keeps those of the call before.
    found = _detector(detail)(bgr, use_det=True, use_cls=False, use_rec=False)
    if not len(found):
        return Quads(np.zeros((0, 4, 2), np.float32), ())
    corners = np.asarray(found.boxes, np.float32).reshape(-1, 4, 2)
    return Quads(corners, tuple(float(score) for score in found.scores))


def upright(quads: Quads, width_px: int, height_px: int) -> tuple[PictureRegion, ...]:
    """Return the upright boxes around outlines, cut off at the edges of the picture."""
    regions = []
    for corners, score in zip(quads.corners, quads.scores, strict=True):
        (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
        regions.append(
            PictureRegion(
                x0=max(0.0, round(float(x0), 1)), y0=max(0.0, round(float(y0), 1)),
                x1=min(float(width_px), round(float(x1), 1)), y1=min(float(height_px), round(float(y1), 1)),
                score=round(score, 4),
            )
        )  # fmt: skip
    return tuple(regions)


@functools.cache
def _detector(detail: Detail) -> Any:
    limit, side = _SIDES[detail]
    return engine({"Det.limit_type": limit, "Det.limit_side_len": side})


def engine(options: dict[str, Any]) -> Any:
    """Return a RapidOCR with one thread, silent, and with no model but those of the wheel.

    Raises:
        ToolMissing: if it is not installed.
    """
    reason = why_no_detector()
    if reason:
        raise ToolMissing(reason[0].upper() + reason[1:].partition(". ")[0] + ".", next_step="Run: make setup")
    # Imported late: half a second, for workers only.
    rapidocr = importlib.import_module("rapidocr")
    return rapidocr.RapidOCR(
        params={
            # It logs to stderr in colours, also that a picture has no text.
            "Global.log_level": "critical",
            "Global.use_cls": False,
            # More threads than one spin against those of the other workers: 3 to 30 times slower on a loaded machine.
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            # Without a path it compares the file with a list and fetches what does not agree.
            "Det.model_path": str(model_file(DETECTOR_MODEL)),
            **options,
        }
    )
