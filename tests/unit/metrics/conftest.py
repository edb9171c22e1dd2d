"""The golden slides and their values, made once per run of the tests."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from studio.metrics.parameters import PRESETS
from studio.metrics.pictures import load_picture
from studio.metrics.reference_json import read_boxes
from studio.metrics.slides import PixelBox, SlideMeasures, measure_slide
from tests.shared_files import shared


@dataclass(frozen=True, kw_only=True)
class Golden:
    """Golden slides, their boxes and their values."""

    folder: Path
    values: dict[str, Any]
    pictures: dict[str, np.ndarray]
    boxes: dict[str, tuple[PixelBox, ...]]
    measures: dict[str, SlideMeasures]


@pytest.fixture(scope="session")
def golden(tmp_path_factory: pytest.TempPathFactory) -> Golden:
    source = shared("golden/aesthetics")
    folder = tmp_path_factory.mktemp("golden")
    subprocess.run([sys.executable, str(source / "make_images.py"), str(folder)], check=True, timeout=60)
    values = json.loads((source / "reference_values.json").read_text(encoding="utf-8"))
    pictures = {path.stem: load_picture(path) for path in sorted(folder.glob("*.png"))}
    for name, facts in values["images"].items():
        assert hashlib.sha256(pictures[name].tobytes()).hexdigest() == facts["rgb_sha256"], name
    boxes = read_boxes(folder / "boxes.json")
    measures = {name: measure_slide(picture, boxes[name], PRESETS["benchmark"]) for name, picture in pictures.items()}
    return Golden(folder=folder, values=values, pictures=pictures, boxes=boxes, measures=measures)
