"""Where the text of slide pictures is, as layout detectors and others write it down."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from studio.errors import BadInput
from studio.metrics.json_values import finite_number, json_object, what_is_wrong
from studio.metrics.slides import PixelBox


def read_boxes(source: Path | str | Mapping[str, Any]) -> dict[str, tuple[PixelBox, ...]]:
    """Return where the text of slides is, by the stem of the slide's picture.

    Two layouts are read, and a folder of files in the second: ``{stem: {"boxes": […]}, …}`` for many slides,
    and the output of a layout detector, ``{"boxes": […], "input_path": …}``, for one, whose stem is that of
    the file or, without a file, of `input_path`. Further keys are ignored, and so are entries that have
    nothing to do with boxes. A border inside a pixel takes the whole pixel.

    Args:
        source: the file or folder, or the content of a file.

    Returns:
        Picture stem → boxes, used as they are; an empty tuple is a slide without text.

    Raises:
        BadInput: if it cannot be read or is not in that layout.
    """
    if isinstance(source, str):
        source = Path(source)
    if isinstance(source, Path) and source.is_dir():
        found: dict[str, tuple[PixelBox, ...]] = {}
        for file in sorted(source.glob("*.json")):
            for stem, of_slide in read_boxes(file).items():
                if stem in found:
                    raise BadInput(f"Two files in {source} have boxes for {stem}.", next_step="Keep one of them.")
                found[stem] = of_slide
        if not found:
            raise BadInput(f"There are no JSON files in {source}.", next_step="Give a file or folder with boxes.")
        return found
    content, name = json_object(source)
    if isinstance(content.get("boxes"), list):
        # The file is the better name: detectors write a path of the machine that they ran on.
        stem = source.stem if isinstance(source, Path) else _stem(str(content.get("input_path", "")))
        if not stem:
            raise BadInput(f"{name} does not say which slide its boxes belong to.", next_step="Add input_path.")
        return {stem: _boxes(content["boxes"], name)}
    result: dict[str, tuple[PixelBox, ...]] = {}
    for key, slide in content.items():
        if not isinstance(slide, list) and (not isinstance(slide, Mapping) or "boxes" not in slide):
            continue
        boxes = slide["boxes"] if isinstance(slide, Mapping) else None
        if not isinstance(boxes, list):
            raise BadInput(
                f"{name} has no list of boxes for {key}.",
                next_step='Each slide needs {"boxes": [{"label", "score", "coordinate"}]}.',
            )
        result[str(key)] = _boxes(boxes, f"{name}, slide {key}")
    if content and not result:
        raise BadInput(
            f"{name} has no boxes for any slide.",
            next_step='Each slide needs {"boxes": [{"label", "score", "coordinate"}]}.',
        )
    return result


def _boxes(listed: list[Any], where: str) -> tuple[PixelBox, ...]:
    boxes: list[PixelBox] = []
    for position, each in enumerate(listed, start=1):
        try:
            x0, y0, x1, y1 = (finite_number(corner) for corner in each["coordinate"])
            boxes.append(
                PixelBox(
                    label=str(each["label"]),
                    x0=math.floor(x0),
                    y0=math.floor(y0),
                    x1=math.ceil(x1),
                    y1=math.ceil(y1),
                    score=finite_number(each.get("score", 1.0)),
                )
            )
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(
                f"{where}: box {position} cannot be used: {what_is_wrong(error)}.",
                next_step='A box is {"label": "text", "score": 1.0, "coordinate": [x0, y0, x1, y1]}.',
            ) from error
    return tuple(boxes)


def _stem(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0]
