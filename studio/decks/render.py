"""A deck of any format as one picture per slide, with its words and the places of its text."""

from __future__ import annotations

import shutil
import time
from dataclasses import replace
from pathlib import Path

from studio.decks.fonts import missing_fonts
from studio.decks.html import html_to_pdf
from studio.decks.image_pages import has_screenshots, render_image_pages
from studio.decks.libreoffice import to_pdf
from studio.decks.limits import Limits
from studio.decks.mupdf import page_sizes, pdf_facts, save_without_password
from studio.decks.mupdf_pages import fitted_px, render_pages
from studio.decks.passwords import decrypted, is_encrypted_office
from studio.decks.pdf_pages import render_pdf_pages
from studio.decks.rendered import (
    PAGE_TIMEOUT_S,
    READ_TIMEOUT_S,
    THUMB_PX,
    RenderedDeck,
    RenderedPage,
    RenderJob,
    renderer_name,
    without_picture,
)
from studio.decks.scratch import scratch
from studio.decks.structure import OFFICE_FORMATS, external_warnings, inspect_file, slide_texts
from studio.decks.structure.odp import odp_slide_texts
from studio.decks.structure.pptx import SlideText
from studio.decks.tools import RenderTools, find_tools
from studio.decks.workers import in_worker
from studio.errors import Cancelled, DeckUnreadable, StudioError, ToolMissing
from studio.model.decks import DeckFormat, DeckWarning, Failure, FailureKind
from studio.model.protocols import CancelToken

__all__ = [
    "THUMB_PX",
    "RenderTools",
    "RenderedDeck",
    "RenderedPage",
    "find_tools",
    "page_image_size",
    "render_deck",
    "render_page",
]


def render_deck(
    path: Path,
    out_dir: Path,
    *,
    format: DeckFormat,
    tools: RenderTools,
    box_px: tuple[int, int] = (1280, 720),
    timeout_s: float | None = None,
    cancel: CancelToken | None = None,
    password: str | None = None,
    limits: Limits | None = None,
    with_hidden: bool = False,
) -> RenderedDeck:
    """Render a deck to ``slide_0001.png``, ``thumb_0001.png``… and ``deck.pdf`` in `out_dir`.

    Args:
        path: the file, folder or packed folder.
        out_dir: made if it does not exist; older pictures in it are replaced.
        format: what the file is, as sniffed.
        tools: the programs to use.
        box_px: slides are fitted into this box without padding.
        timeout_s: for the conversion; None: grows with the deck, 2 to 15 minutes.
        cancel: takes effect within two seconds.
        password: for a protected file.
        limits: bounds on what is read.
        with_hidden: whether hidden slides of Office decks get pictures too; they stay marked as hidden.

    Returns:
        A deck that cannot be rendered comes back with its `failure`. A deck without visible slides is
        none: it comes back without pictures and with a warning.

    Raises:
        Cancelled: the token was set.
    """
    started = time.monotonic()
    job = RenderJob(
        path=path, out_dir=out_dir, format=format, tools=tools, box_px=box_px, timeout_s=timeout_s,
        cancel=cancel, password=password, limits=limits or Limits(),
        with_hidden=with_hidden,
    )  # fmt: skip
    try:
        out_dir.mkdir(parents=True, exist_ok=True)
        _clear(out_dir)
        rendered = _render(job)
    except Cancelled:
        raise
    except DeckUnreadable as error:
        rendered = RenderedDeck(failure=Failure(kind=str(error.kind), message=str(error)))
    except StudioError as error:
        rendered = RenderedDeck(failure=Failure(kind=FailureKind.RENDER_FAILED, message=str(error)))
    except (OSError, MemoryError) as error:
        message = f"{path.name} cannot be rendered: {error or type(error).__name__}."
        rendered = RenderedDeck(failure=Failure(kind=FailureKind.RENDER_FAILED, message=message))
    return replace(rendered, seconds=time.monotonic() - started)


def _clear(out_dir: Path) -> None:
    for pattern in ("slide_*.png", "thumb_*.png", "deck.pdf"):
        for old in out_dir.glob(pattern):
            old.unlink(missing_ok=True)


def _render(job: RenderJob) -> RenderedDeck:
    if not job.path.exists():
        raise DeckUnreadable(FailureKind.NOT_FOUND, f"{job.path.name} was not found.")
    if job.path.is_file() and is_encrypted_office(job.path):
        with decrypted(job.path, job.password) as plain:
            return _render(replace(job, path=plain, password=None))
    match job.format:
        case DeckFormat.IMAGES:
            return render_image_pages(job)
        case DeckFormat.PDF:
            return _render_pdf(job)
        case DeckFormat.HTML:
            return render_image_pages(job) if has_screenshots(job) else _render_html(job)
        case _:
            return _render_office(job)


def _render_office(job: RenderJob) -> RenderedDeck:
    facts = inspect_file(job.path, limits=job.limits)
    if facts.failure is not None:
        raise DeckUnreadable(facts.failure.kind, facts.failure.message)
    slides: tuple[SlideText, ...] | None = None
    if job.format in OFFICE_FORMATS:
        slides = slide_texts(job.path, job.limits)
    elif job.format is DeckFormat.ODP:
        # Its fonts are declared for the whole file; which slide uses which, only its styles could tell.
        asked = facts.fonts.asked if facts.fonts is not None else ()
        slides = tuple(replace(slide, fonts=asked) for slide in odp_slide_texts(job.path, job.limits))
    fonts = facts.fonts.missing if facts.fonts is not None else ()
    if slides is not None and (not slides or (not job.with_hidden and all(slide.is_hidden for slide in slides))):
        # LibreOffice makes no PDF of hidden slides only, and invents a page for a deck without slides.
        message = "Every slide of the deck is hidden." if slides else "The deck has no slides."
        return RenderedDeck(
            pages=tuple(without_picture(slide) for slide in slides),
            warnings=(DeckWarning(slide=None, message=message),),
            missing_fonts=fonts,
            renderer=renderer_name("LibreOffice", job.tools.libreoffice),
        )
    try:
        pdf = to_pdf(
            job.path,
            job.out_dir,
            soffice=job.tools.libreoffice,
            timeout_s=_timeout_s(job, facts.slides),
            cancel=job.cancel,
            suffix=f".{job.format}",
            with_hidden=job.with_hidden,
        )
    except DeckUnreadable as error:
        if job.format is DeckFormat.PPT and error.kind == FailureKind.RENDER_FAILED:
            raise DeckUnreadable(
                FailureKind.LEGACY_FORMAT,
                f"{job.path.name} is a PowerPoint 97–2003 file that LibreOffice cannot open.",
                next_step="Save it as .pptx in PowerPoint.",
            ) from error
        raise
    if pdf is None:
        if facts.slides is not None and facts.slides == facts.hidden_slides:
            return RenderedDeck(
                warnings=(DeckWarning(slide=None, message="The deck has no visible slides."),),
                missing_fonts=fonts,
                renderer=renderer_name("LibreOffice", job.tools.libreoffice),
            )
        raise DeckUnreadable(
            FailureKind.RENDER_FAILED,
            f"LibreOffice made no PDF of {job.path.name}.",
            next_step="Open it in the program that made it and save it anew, or as PDF.",
        )
    if slides is None and facts.slides is not None:
        slides = tuple(
            SlideText(number=number, is_hidden=number in facts.hidden, title="", text="", notes="")
            for number in range(1, facts.slides + 1)
        )
    return render_pdf_pages(job, pdf, slides, renderer=renderer_name("LibreOffice", job.tools.libreoffice), fonts=fonts)


def _render_html(job: RenderJob) -> RenderedDeck:
    try:
        printed = html_to_pdf(
            job.path,
            job.out_dir,
            chromium=job.tools.chromium,
            timeout_s=_timeout_s(job, None),
            cancel=job.cancel,
            limits=job.limits,
        )
    except ToolMissing as error:
        raise DeckUnreadable(FailureKind.RENDER_FAILED, error.message, next_step=error.next_step) from error
    deck = printed.deck
    slides: tuple[SlideText, ...] | None = None
    if deck.slides is not None:
        slides = tuple(
            SlideText(
                number=number, is_hidden=number in deck.hidden, title=title, text=text, notes="", fonts=deck.fonts
            )
            for number, (title, text) in enumerate(zip(deck.titles, deck.texts, strict=True), start=1)
        )
    rendered = render_pdf_pages(
        job,
        printed.pdf,
        slides,
        renderer=renderer_name("Chromium", job.tools.chromium),
        fonts=missing_fonts(deck.fonts),
    )
    warnings = tuple(
        DeckWarning(slide=None, message=message) for message in external_warnings(deck.external, deck.lacking)
    )
    return replace(rendered, warnings=warnings + rendered.warnings)


def _render_pdf(job: RenderJob) -> RenderedDeck:
    job.limits.check_file_bytes(job.path.stat().st_size, job.path.name)
    found = in_worker(
        pdf_facts,
        str(job.path),
        job.password,
        job.limits.max_pages,
        timeout_s=READ_TIMEOUT_S,
        cancel=job.cancel,
    )
    facts = inspect_file(job.path, password=job.password, limits=job.limits)
    pdf = job.out_dir / "deck.pdf"
    if found.needed_password and job.password is not None:
        # What is rendered from later on must not ask for the password again.
        in_worker(
            save_without_password, str(job.path), job.password, str(pdf),
            timeout_s=READ_TIMEOUT_S, cancel=job.cancel,
        )  # fmt: skip
        job = replace(job, password=None)
    else:
        shutil.copyfile(job.path, pdf)
    rendered = render_pdf_pages(
        job, pdf, None, renderer="", fonts=facts.fonts.missing if facts.fonts is not None else ()
    )
    if found.was_repaired:
        note = DeckWarning(slide=None, message="The PDF is damaged and was repaired while reading.")
        return replace(rendered, warnings=(note, *rendered.warnings))
    return rendered


def _timeout_s(job: RenderJob, slides: int | None) -> float:
    """Return the time limit: two minutes, more for many slides and megabytes, at most fifteen."""
    if job.timeout_s is not None:
        return job.timeout_s
    megabytes = job.path.stat().st_size / (1 << 20) if job.path.is_file() else 10.0
    return min(job.limits.max_seconds, 120.0 + 4.0 * (slides or 20) + 10.0 * megabytes)


def render_page(
    pdf: Path,
    page: int,
    box_px: tuple[int, int],
    out: Path,
    *,
    password: str | None = None,
    cancel: CancelToken | None = None,
    limits: Limits | None = None,
) -> tuple[int, int]:
    """Render one page into a box of any size, such as for a sharp zoom, and return its size in pixels.

    The box is made smaller where the picture would have more pixels than the limit.

    Raises:
        DeckUnreadable: kind ``render_failed``, ``timed_out`` or what opening the PDF raises.
        Cancelled: the token was set.
    """
    limits = limits or Limits()
    shrink = min(1.0, (limits.max_pixels / (box_px[0] * box_px[1])) ** 0.5)
    box = (max(1, int(box_px[0] * shrink)), max(1, int(box_px[1] * shrink)))
    out.parent.mkdir(parents=True, exist_ok=True)
    # Elsewhere first: nobody ever sees half a picture.
    with scratch("page") as folder:
        part = folder / "page.png"
        (picture,) = in_worker(
            render_pages, str(pdf), password, ((page, str(part), None),), box, THUMB_PX,
            timeout_s=PAGE_TIMEOUT_S, cancel=cancel,
        )  # fmt: skip
        beside = out.with_name(f".{out.name}.part")
        shutil.copyfile(part, beside)
        beside.replace(out)
    return (picture.width_px, picture.height_px)


def page_image_size(pdf: Path, page: int, box_px: tuple[int, int], *, password: str | None = None) -> tuple[int, int]:
    """Return the size in pixels that `render_page` would give, without rendering.

    Raises:
        DeckUnreadable: kind ``render_failed`` if there is no such page or it has no size.
    """
    sizes = in_worker(page_sizes, str(pdf), password, timeout_s=READ_TIMEOUT_S)
    try:
        if not 1 <= page <= len(sizes):
            raise ValueError(f"there is no page {page}")
        return fitted_px(*sizes[page - 1], box_px)
    except ValueError as error:
        raise DeckUnreadable(FailureKind.RENDER_FAILED, f"{pdf.name}: {error}.") from error
