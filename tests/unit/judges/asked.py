"""Requests and pictures for the tests of judges."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path

import cv2
import numpy as np

from studio.model.ids import Sha256
from studio.model.judging import FilePart, ImagePart, JudgeRequest, Part, TextPart

NEVER = threading.Event()


def picture(folder: Path, grey: int = 200, label: str = "deck slide 7") -> ImagePart:
    path = folder / f"page{grey}.png"
    cv2.imwrite(str(path), np.full((72, 128, 3), grey, np.uint8))
    return ImagePart(path=path, sha256=digest(path), label=label, size_px=(128, 72))


def document(folder: Path, name: str = "source.pdf", content: bytes = b"%PDF-1.4 words") -> FilePart:
    path = folder / name
    path.write_bytes(content)
    return FilePart(path=path, sha256=digest(path), label="source 1", mime="application/pdf", pages=2)


def digest(path: Path) -> Sha256:
    return Sha256(hashlib.sha256(path.read_bytes()).hexdigest())


def ask_for(*parts: Part | str, **more: object) -> JudgeRequest:
    made = tuple(TextPart(text=part) if isinstance(part, str) else part for part in parts)
    return JudgeRequest(parts=made, prompt_version="test 1", **more)  # type: ignore[arg-type]
