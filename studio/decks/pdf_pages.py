"""The pages of a PDF as pictures of the slides that they show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from studio.decks.fonts import fonts_fingerprint, missing_fonts, missing_pdf_fonts
from studio.decks.mupdf import page_texts
from studio.decks.mupdf_pages import PagePicture, PageText, render_pages
from studio.decks.rendered import (
    PAGE_TIMEOUT_S,
    READ_TIMEOUT_S,
    THUMB_PX,
    RenderedDeck,
    RenderedPage,
    RenderJob,
    mupdf_name,
    picture_files,
    without_picture,
)
from studio.decks.slide_pages import slide_pages
from studio.decks.structure.pptx import SlideText
from studio.decks.workers import in_worker
from studio.errors import DeckUnreadable
from studio.model.decks import DeckWarning, FailureKind, TextBox

_CHUNK = 12
"""Pages per call of a worker: cancel is felt between calls, and a crash costs one of them."""


def render_pdf_pages(
    job: RenderJob, pdf: Path, slides: tuple[SlideText, ...] | None, *, renderer: str, fonts: tuple[str, ...]
) -> RenderedDeck:
    """Return the deck that the pages of `pdf` are the pictures of.

    Args:
        job: what is rendered, and where to.
        pdf: the deck as PDF.
        slides: the slides of the deck; None: the pages are the slides.
        renderer: name and version of what made the PDF; empty if it is the deck itself.
        fonts: names of missing fonts, handed on.

    Raises:
        DeckUnreadable: if no page can be rendered.
        Cancelled: the token was set.
    """
    texts = in_worker(page_texts, str(pdf), job.password, timeout_s=READ_TIMEOUT_S, cancel=job.cancel)
    job.limits.check_pages(len(texts), job.path.name)
    warnings: tuple[DeckWarning, ...] = ()
    if slides is None:
        slides = tuple(
            SlideText(number=number, is_hidden=False, title="", text="", notes="")
            for number in range(1, len(texts) + 1)
        )
        pages: tuple[int | None, ...] = tuple(range(1, len(texts) + 1))
    else:
        pages, warnings = slide_pages(
            [slide.is_hidden and not job.with_hidden for slide in slides], [slide.text for slide in slides], texts
        )
    wanted = [
        (page, *picture_files(job.out_dir, slide.number))
        for slide, page in zip(slides, pages, strict=True)
        if page is not None
    ]
    pictures, faults = _pictures(job, pdf, wanted)
    number_of = {page: slide.number for slide, page in zip(slides, pages, strict=True) if page is not None}
    warnings += tuple(DeckWarning(slide=number_of[page], message=message) for page, message in sorted(faults.items()))
    if not pictures and wanted:
        raise DeckUnreadable(FailureKind.RENDER_FAILED, f"{job.path.name}: {next(iter(faults.values()))}")
    rendered = tuple(
        _rendered_page(job.out_dir, slide, pictures.get(page) if page is not None else None, is_pdf=not renderer)
        for slide, page in zip(slides, pages, strict=True)
    )
    first = next((page for page in rendered if page.image is not None), None)
    return RenderedDeck(
        pages=rendered,
        raster_px=(first.width_px, first.height_px) if first is not None else None,
        renderer=_renderer(renderer),
        pdf=pdf,
        warnings=warnings,
        missing_fonts=fonts,
    )


def _renderer(program: str) -> str:
    if not program:
        return mupdf_name()
    fonts = fonts_fingerprint()
    return f"{program} + {mupdf_name()}" + (f", fonts {fonts}" if fonts else "")


def _pictures(
    job: RenderJob, pdf: Path, wanted: Sequence[tuple[int, str, str]]
) -> tuple[dict[int, PagePicture], dict[int, str]]:
    """Return pictures by page, and why the others failed; a page that crashes MuPDF costs only itself."""
    pictures: dict[int, PagePicture] = {}
    faults: dict[int, str] = {}
    for start in range(0, len(wanted), _CHUNK):
        chunk = tuple(wanted[start : start + _CHUNK])
        try:
            done = _render_chunk(job, pdf, chunk)
            pictures |= {picture.page: picture for picture in done}
        except DeckUnreadable:
            for one in chunk:
                try:
                    pictures[one[0]] = _render_chunk(job, pdf, (one,))[0]
                except DeckUnreadable as error:
                    faults[one[0]] = str(error)
    return pictures, faults


def _render_chunk(job: RenderJob, pdf: Path, chunk: tuple[tuple[int, str, str], ...]) -> tuple[PagePicture, ...]:
    return in_worker(
        render_pages,
        str(pdf),
        job.password,
        chunk,
        job.box_px,
        THUMB_PX,
        timeout_s=PAGE_TIMEOUT_S * (1 + len(chunk) / 4),
        cancel=job.cancel,
    )


def _rendered_page(out_dir: Path, slide: SlideText, picture: PagePicture | None, *, is_pdf: bool) -> RenderedPage:
    if picture is None:
        return without_picture(slide)
    image, thumb = picture_files(out_dir, slide.number)
    return RenderedPage(
        number=slide.number,
        page=picture.page,
        is_hidden=slide.is_hidden,
        image=Path(image),
        thumb=Path(thumb),
        width_px=picture.width_px,
        height_px=picture.height_px,
        text=slide.text or picture.text.text,
        notes=slide.notes,
        boxes=_labelled(picture.text, slide.title),
        # A PDF that was made here holds what was put in a missing font's place; only the slide tells.
        fonts=picture.fonts if is_pdf else slide.fonts,
        missing_fonts=missing_pdf_fonts(picture.fonts_not_embedded) if is_pdf else missing_fonts(slide.fonts),
    )


def _labelled(found: PageText, title: str) -> tuple[TextBox, ...] | None:
    """Return the boxes with the title marked: by the title placeholder's words, else by letter size."""
    if found.boxes is None:
        return None
    wanted = "".join(title.split()).casefold()
    index = found.largest
    if wanted:
        matches = [at for at, box in enumerate(found.boxes) if "".join(box.text.split()).casefold() == wanted]
        index = matches[0] if matches else None
    return tuple(replace(box, label="doc_title") if at == index else box for at, box in enumerate(found.boxes))
