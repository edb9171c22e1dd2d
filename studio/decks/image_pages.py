"""Page pictures as slides: fitted into the box, never enlarged in memory beyond the limit."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from studio.decks.capture import screenshots
from studio.decks.content import unpacked
from studio.decks.flat_picture import flat_rgb
from studio.decks.images import image_kind, page_images
from studio.decks.limits import Limits
from studio.decks.mupdf_pages import fitted_px, save_thumb
from studio.decks.rendered import (
    THUMB_PX,
    RenderedDeck,
    RenderedPage,
    RenderJob,
    package_version,
    picture_files,
    without_picture,
)
from studio.decks.structure.pptx import SlideText
from studio.errors import Cancelled, DeckUnreadable
from studio.model.decks import DeckWarning, FailureKind

Image.MAX_IMAGE_PIXELS = None  # `Limits.max_pixels` is checked before decoding, with a message of ours


def render_image_pages(job: RenderJob) -> RenderedDeck:
    """Return the deck of a folder of page pictures, a packed one, or a single picture.

    Raises:
        DeckUnreadable: if none of the pictures can be read.
        Cancelled: the token was set.
    """
    warnings: list[DeckWarning] = []
    pages: list[RenderedPage] = []
    with _pictures_of(job) as pictures:
        job.limits.check_pages(len(pictures), job.path.name)
        for number, picture in enumerate(pictures, start=1):
            if job.cancel is not None and job.cancel.is_set():
                raise Cancelled("Stopped.")
            image, thumb = picture_files(job.out_dir, number)
            slide = SlideText(number=number, is_hidden=False, title="", text="", notes="")
            try:
                size = _fit_image(picture, job, image, thumb)
            except DeckUnreadable as error:
                warnings.append(DeckWarning(slide=number, message=str(error)))
                pages.append(without_picture(slide))
                continue
            pages.append(
                replace(
                    without_picture(slide),
                    page=number,
                    image=Path(image),
                    thumb=Path(thumb),
                    width_px=size[0],
                    height_px=size[1],
                )
            )
    if pages and all(page.image is None for page in pages):
        raise DeckUnreadable(FailureKind.UNREADABLE, f"{job.path.name}: none of its pictures can be read.")
    if not pages:
        warnings.append(DeckWarning(slide=None, message="The folder has no page pictures."))
    first = next((page for page in pages if page.image is not None), None)
    return RenderedDeck(
        pages=tuple(pages),
        raster_px=(first.width_px, first.height_px) if first is not None else None,
        renderer=f"Pillow {package_version('pillow')}",
        warnings=tuple(warnings),
    )


@contextmanager
def _pictures_of(job: RenderJob) -> Iterator[tuple[Path, ...]]:
    """Give the page pictures of a folder or a packed one; a single picture is a deck of one page."""
    if job.path.is_file():
        with job.path.open("rb") as file:
            is_picture = image_kind(file.read(16)) is not None
        if is_picture:
            yield (job.path,)
            return
    with unpacked(job.path, limits=job.limits) as folder:
        yield screenshots(folder) or page_images(folder)


def has_screenshots(job: RenderJob) -> bool:
    """Say whether a deck is a saved web page with screenshots, which then are its pictures."""
    if job.path.is_file():
        with job.path.open("rb") as file:
            if file.read(2) != b"PK":
                return False
    with unpacked(job.path, limits=job.limits) as folder:
        return bool(screenshots(folder))


def picture_as_pdf(picture: Path, *, limits: Limits | None = None) -> bytes:
    """Return a PDF of one page that is a picture, at 96 pixels an inch; what is transparent is white.

    Raises:
        DeckUnreadable: if it cannot be read.
    """
    out = io.BytesIO()
    try:
        with Image.open(picture) as opened:
            (limits or Limits()).check_pixels(*opened.size, picture.name)
            flat_rgb(opened).save(out, format="PDF", resolution=96.0)
    except (OSError, SyntaxError, ValueError) as error:
        raise DeckUnreadable(
            FailureKind.UNREADABLE, f"{picture.name} cannot be read as a picture.", next_step="Save it anew as PNG."
        ) from error
    return out.getvalue()


def _fit_image(picture: Path, job: RenderJob, image: str, thumb: str) -> tuple[int, int]:
    try:
        with Image.open(picture) as opened:
            job.limits.check_pixels(*opened.size, picture.name)
            flat = flat_rgb(opened)
    except DeckUnreadable:
        raise
    except UnidentifiedImageError as error:
        # Pillow's words name the place where a packed picture was unpacked to.
        what = "is no picture" if picture.stat().st_size else "is empty"
        raise DeckUnreadable(FailureKind.UNREADABLE, f"the picture {picture.name} cannot be read: it {what}") from error
    except Exception as error:  # Pillow raises many types for damaged pictures
        raise DeckUnreadable(FailureKind.UNREADABLE, f"the picture {picture.name} cannot be read: {error}") from error
    size = fitted_px(flat.width, flat.height, job.box_px)
    fitted = flat if flat.size == size else flat.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)
    fitted.save(image, compress_level=1)
    save_thumb(fitted, THUMB_PX, thumb)
    return size
