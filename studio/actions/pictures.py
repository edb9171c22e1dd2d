"""Work on files without a project: rendering one deck, measuring a folder of slide pictures."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from studio.decks.images import page_images
from studio.decks.ocr import PictureTask, read_pictures
from studio.decks.passwords import decrypted, is_encrypted_office
from studio.decks.render import RenderedDeck, RenderTools, render_deck
from studio.decks.scratch import scratch
from studio.decks.sniff import sniff
from studio.decks.text_regions import detector_name, why_no_detector
from studio.decks.workers import in_worker
from studio.errors import BadInput, DeckUnreadable, ToolMissing
from studio.jobs.measured_regions import pixel_box
from studio.metrics.aesthetics import deck_scores
from studio.metrics.parameters import PRESETS
from studio.metrics.reference_json import read_boxes, result_json
from studio.metrics.slides import PixelBox
from studio.metrics.work import DETECTED_REGIONS, MeasureTask, SlideInput, measure_deck
from studio.model.protocols import CancelToken
from studio.model.regions import RegionsMode


def render_file(
    path: Path,
    out: Path,
    *,
    box_px: tuple[int, int],
    tools: RenderTools,
    cancel: CancelToken,
    password: str | None = None,
    with_hidden: bool = False,
) -> RenderedDeck:
    """Render one deck into `out` as slide_0001.png and so on, and return what came of it.

    Args:
        path: the file; a folder of slide pictures is a deck too.
        out: made if missing.
        box_px: width and height that every slide is fitted into.
        tools: LibreOffice and Chromium.
        cancel: stops the work.
        password: of a protected file.
        with_hidden: whether hidden slides get pictures too.

    Raises:
        DeckUnreadable: if it is no deck or cannot be rendered; nothing is then left in `out`.
    """
    if password is not None and is_encrypted_office(path):
        # Only the content says what kind of deck it is, and that is to be had decrypted only.
        with decrypted(path, password) as plain:
            return _render_into(
                plain,
                path.name,
                out,
                box_px=box_px,
                tools=tools,
                cancel=cancel,
                password=None,
                with_hidden=with_hidden,
            )
    return _render_into(
        path,
        path.name,
        out,
        box_px=box_px,
        tools=tools,
        cancel=cancel,
        password=password,
        with_hidden=with_hidden,
    )


def _render_into(
    path: Path,
    name: str,
    out: Path,
    *,
    box_px: tuple[int, int],
    tools: RenderTools,
    cancel: CancelToken,
    password: str | None,
    with_hidden: bool,
) -> RenderedDeck:
    kind = sniff(path)
    if kind.deck_format is None:
        raise DeckUnreadable("not_a_deck", f"{name} is no deck but a {kind.what}.", next_step="Choose a deck file.")
    # Removed by the next start if this one is killed, unlike an ordinary temporary folder.
    with scratch("render") as folder:
        rendered = render_deck(
            path, folder, format=kind.deck_format, tools=tools, box_px=box_px, cancel=cancel, password=password,
            with_hidden=with_hidden,
        )  # fmt: skip
        if rendered.failure is not None:
            message = rendered.failure.message
            raise DeckUnreadable(rendered.failure.kind, message if name in message else f"{name}: {message}")
        try:
            out.mkdir(parents=True, exist_ok=True)
            for page in rendered.pages:
                if page.image is not None:
                    shutil.copyfile(page.image, out / page.image.name)
        except OSError as error:
            raise BadInput(
                f"{out} cannot be written ({error.strerror or error}).", next_step="Choose another folder."
            ) from error
    return rendered


def rendered_json(rendered: RenderedDeck, out: Path) -> dict[str, Any]:
    """Return what `studio render --json` prints."""
    return {
        "out": str(out),
        "size_px": list(rendered.raster_px) if rendered.raster_px else None,
        "renderer": rendered.renderer,
        "seconds": round(rendered.seconds, 3),
        "missing_fonts": list(rendered.missing_fonts),
        "warnings": [{"slide": item.slide, "message": item.message} for item in rendered.warnings],
        "pages": [
            {
                "slide": page.number,
                "page": page.page,
                "hidden": page.is_hidden,
                "missing_fonts": list(page.missing_fonts),
                "file": page.image.name if page.image else None,
                "size_px": [page.width_px, page.height_px],
            }
            for page in rendered.pages
        ],
    }


def measure_images(
    folder: Path, *, boxes: Path | None = None, preset: str = "benchmark", regions: RegionsMode = RegionsMode.NONE
) -> dict[str, Any]:
    """Return the result of measuring a folder of slide pictures, in the reference's layout.

    Args:
        folder: the pictures of one deck, one for each slide, in natural order of their names.
        boxes: a detection file or folder; pictures that it does not name have unknown text regions.
        preset: name of the parameters.
        regions: whether to look for text on pictures that the detection file does not name.

    Raises:
        BadInput: if there is no picture, or the boxes or the preset cannot be used.
    """
    if preset not in PRESETS:
        raise BadInput(f"There is no preset {preset}.", next_step=f"Known: {', '.join(PRESETS)}.")
    try:
        images = page_images(folder)
    except OSError as error:
        raise BadInput(
            f"{folder} cannot be read ({error.strerror or error}).", next_step="Give a folder of PNG or JPEG files."
        ) from error
    if not images:
        raise BadInput(f"{folder} holds no slide pictures.", next_step="Give a folder of PNG or JPEG files.")
    found = read_boxes(boxes) if boxes is not None else {}
    parameters = PRESETS[preset]
    detected = (
        _detected([image for image in images if image.stem not in found]) if regions is RegionsMode.DETECT else {}
    )
    slides = tuple(
        SlideInput(
            number=number, image_path=str(image), boxes_px=found.get(image.stem, detected.get(image.stem)),
            flags=(DETECTED_REGIONS,) if image.stem in detected else (),
        )
        for number, image in enumerate(images, start=1)
    )  # fmt: skip
    measured = measure_deck(MeasureTask(slides=slides, parameters=parameters))
    scores = deck_scores(measured.slides, parameters, numbers=measured.numbers)
    result = result_json(measured.slides, scores, parameters, [str(image) for image in images])
    if detected:
        result["studio"]["detected_regions"] = {"detector": detector_name(), "pictures": sorted(detected)}
    unused = sorted(set(found) - {image.stem for image in images})
    if unused:
        result["studio"]["boxes_without_picture"] = unused
    return result


def _detected(images: Sequence[Path]) -> dict[str, tuple[PixelBox, ...]]:
    reason = why_no_detector()
    if reason:
        raise ToolMissing(f"{reason[0].upper()}{reason[1:]}")
    paths = tuple(str(image) for image in images)
    if not paths:
        return {}
    task = PictureTask(paths=paths, is_read=False)
    texts = in_worker(read_pictures, task, timeout_s=60.0 + 10.0 * len(paths))
    return {
        image.stem: tuple(pixel_box(region) for region in text.regions)
        for image, text in zip(images, texts, strict=True)
    }
