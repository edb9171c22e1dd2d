"""What the text on a picture says: the regions of the detector, read one by one."""

from __future__ import annotations

import functools
import hashlib
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.decks.rendered import package_version
from studio.decks.text_regions import Detail, Quads, detector_name, engine, find_quads, load_bgr, model_file, upright
from studio.errors import BadInput
from studio.model.ids import Sha256
from studio.model.regions import PictureRegion, PictureText

READER_MODEL = "PP-OCRv6_rec_small"
MIN_TEXT_SCORE = 0.5
"""A line that the reader is less sure of than this has no text; its region stays."""


@dataclass(frozen=True, kw_only=True)
class PictureTask:
    """Pictures to look through for text."""

    paths: tuple[str, ...]
    is_read: bool = True
    """Also read what the regions say."""
    detail: Detail = Detail.SLIDE


def reader_name() -> str:
    """Return name and version of what reads the regions; equal names read equal words."""
    return f"RapidOCR {package_version('rapidocr')} {READER_MODEL}"


def read_pictures(task: PictureTask) -> tuple[PictureText, ...]:
    """Return what was found on each picture, in the order of the task; for worker processes.

    Raises:
        BadInput: if a picture cannot be read; it names the file.
        ToolMissing: if the detector is not installed.
    """
    cv2.setNumThreads(1)
    return tuple(read_picture(Path(path), is_read=task.is_read, detail=task.detail) for path in task.paths)


def read_picture(path: Path, *, is_read: bool = True, detail: Detail = Detail.SLIDE) -> PictureText:
    """Return the text regions of a picture and, if asked, what they say.

    Args:
        path: a picture file.
        is_read: also read the regions; about as long again as finding them.
        detail: how closely to look.

    Raises:
        BadInput: if the file is no picture.
        ToolMissing: if the detector is not installed.
    """
    started = time.perf_counter()
    try:
        data = path.read_bytes()
        bgr = load_bgr(path)
    except (OSError, SyntaxError, ValueError) as error:
        raise BadInput(
            f"The picture {path.name} cannot be read: {error}.", next_step="Render its deck again."
        ) from error
    height, width = bgr.shape[:2]
    quads = find_quads(bgr, detail)
    regions = upright(quads, width, height)
    if is_read and regions:
        regions = _read(bgr, quads, regions)
    return PictureText(
        picture=Sha256(hashlib.sha256(data).hexdigest()), detector=detector_name(detail),
        reader=reader_name() if is_read else "", width_px=width, height_px=height, regions=regions,
        seconds=time.perf_counter() - started,
    )  # fmt: skip


def _read(bgr: NDArray[np.uint8], quads: Quads, regions: tuple[PictureRegion, ...]) -> tuple[PictureRegion, ...]:
    reader = _reader()
    read = reader.recognize_txt(reader.crop_text_regions(bgr, quads.corners))
    return tuple(
        replace(region, text=text.strip() if score >= MIN_TEXT_SCORE else "", text_score=round(float(score), 4))
        for region, text, score in zip(regions, read.txts, read.scores, strict=True)
    )


@functools.cache
def _reader() -> Any:
    return engine({"Rec.model_path": str(model_file(READER_MODEL))})
