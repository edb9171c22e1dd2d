"""A deck of any format as one picture per slide, with its words and the places of its text."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from PIL import Image

from studio.decks.content import unpacked
from studio.decks.fonts import missing_fonts
from studio.decks.html import html_to_pdf
from studio.decks.images import image_kind, page_images
from studio.decks.libreoffice import to_pdf
from studio.decks.limits import Limits
from studio.decks.mupdf import (
    PagePicture,
    PageText,
    fitted_px,
    page_sizes,
    page_texts,
    pdf_facts,
    render_pages,
    save_thumb,
    save_without_password,
)
from studio.decks.passwords import decrypted, is_encrypted_office
from studio.decks.slide_pages import slide_pages
from studio.decks.structure import OFFICE_FORMATS, external_warnings, inspect_file, slide_texts
from studio.decks.structure.pptx import SlideText
from studio.decks.tools import RenderTools, find_tools, program_version
from studio.decks.workers import in_worker
from studio.errors import Cancelled, DeckUnreadable, StudioError, ToolMissing
from studio.model.decks import DeckFormat, DeckWarning, Failure, FailureKind, TextBox
from studio.model.protocols import CancelToken

__all__ = [
    "RenderTools",
    "RenderedDeck",
    "RenderedPage",
    "find_tools",
    "page_image_size",
    "render_deck",
    "render_page",
]

THUMB_PX = (480, 270)
"""The box that thumbnails are fitted into."""
_CHUNK = 12
"""Pages per call of a worker: cancel is felt between calls, and a crash costs one of them."""
_PAGE_TIMEOUT_S = 60.0
_READ_TIMEOUT_S = 120.0
Image.MAX_IMAGE_PIXELS = None  # `Limits.max_pixels` is checked before decoding, with a message of ours


@dataclass(frozen=True, kw_only=True)
class RenderedPage:
    """One slide as it looks."""

    number: int
    """Slide number from 1, hidden slides counted."""
    page: int | None
    """Page of the PDF or number of the picture, from 1; None without a picture."""
    is_hidden: bool
    image: Path | None
    thumb: Path | None
    width_px: int
    height_px: int
    text: str
    notes: str
    boxes: tuple[TextBox, ...] | None
    """None: nothing is known of text regions; empty: a slide without text."""


@dataclass(frozen=True, kw_only=True)
class RenderedDeck:
    """All pictures of a deck, or why there are none."""

    pages: tuple[RenderedPage, ...] = ()
    raster_px: tuple[int, int] | None = None
    """Size of the first picture."""
    renderer: str = ""
    """Names and versions, such as ``LibreOffice 7.4.7.2 + MuPDF 2.0``."""
    pdf: Path | None = None
    warnings: tuple[DeckWarning, ...] = ()
    missing_fonts: tuple[str, ...] = ()
    seconds: float = 0.0
    failure: Failure | None = None


@dataclass(frozen=True, kw_only=True)
class _Job:
    """What every step of one rendering needs."""

    path: Path
    out_dir: Path
    format: DeckFormat
    tools: RenderTools
    box_px: tuple[int, int]
    timeout_s: float | None
    cancel: CancelToken | None
    password: str | None
    limits: Limits


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

    Returns:
        A deck that cannot be rendered comes back with its `failure`. A deck without visible slides is
        none: it comes back without pictures and with a warning.

    Raises:
        Cancelled: the token was set.
    """
    started = time.monotonic()
    job = _Job(
        path=path, out_dir=out_dir, format=format, tools=tools, box_px=box_px, timeout_s=timeout_s,
        cancel=cancel, password=password, limits=limits or Limits(),
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


def _render(job: _Job) -> RenderedDeck:
    if not job.path.exists():
        raise DeckUnreadable(FailureKind.NOT_FOUND, f"{job.path.name} was not found.")
    if job.path.is_file() and is_encrypted_office(job.path):
        with decrypted(job.path, job.password) as plain:
            return _render(replace(job, path=plain, password=None))
    match job.format:
        case DeckFormat.IMAGES:
            return _render_images(job)
        case DeckFormat.PDF:
            return _render_pdf(job)
        case DeckFormat.HTML:
            return _render_html(job)
        case _:
            return _render_office(job)


def _render_office(job: _Job) -> RenderedDeck:
    facts = inspect_file(job.path, limits=job.limits)
    if facts.failure is not None:
        raise DeckUnreadable(facts.failure.kind, facts.failure.message)
    slides: tuple[SlideText, ...] | None = None
    if job.format in OFFICE_FORMATS:
        slides = slide_texts(job.path, job.limits)
    fonts = facts.fonts.missing if facts.fonts is not None else ()
    if slides is not None and all(slide.is_hidden for slide in slides):
        # LibreOffice makes no PDF of hidden slides only, and invents a page for a deck without slides.
        message = "Every slide of the deck is hidden." if slides else "The deck has no slides."
        return RenderedDeck(
            pages=tuple(_without_picture(slide) for slide in slides),
            warnings=(DeckWarning(slide=None, message=message),),
            missing_fonts=fonts,
            renderer=_renderer("LibreOffice", job.tools.libreoffice),
        )
    try:
        pdf = to_pdf(
            job.path,
            job.out_dir,
            soffice=job.tools.libreoffice,
            timeout_s=_timeout_s(job, facts.slides),
            cancel=job.cancel,
            suffix=f".{job.format}",
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
                renderer=_renderer("LibreOffice", job.tools.libreoffice),
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
    return _from_pdf(job, pdf, slides, renderer=_renderer("LibreOffice", job.tools.libreoffice), fonts=fonts)


def _render_html(job: _Job) -> RenderedDeck:
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
            SlideText(number=number, is_hidden=number in deck.hidden, title=title, text=text, notes="")
            for number, (title, text) in enumerate(zip(deck.titles, deck.texts, strict=True), start=1)
        )
    rendered = _from_pdf(
        job,
        printed.pdf,
        slides,
        renderer=_renderer("Chromium", job.tools.chromium),
        fonts=missing_fonts(deck.fonts),
    )
    warnings = tuple(
        DeckWarning(slide=None, message=message) for message in external_warnings(deck.external, deck.lacking)
    )
    return replace(rendered, warnings=warnings + rendered.warnings)


def _render_pdf(job: _Job) -> RenderedDeck:
    job.limits.check_file_bytes(job.path.stat().st_size, job.path.name)
    found = in_worker(
        pdf_facts,
        str(job.path),
        job.password,
        job.limits.max_pages,
        timeout_s=_READ_TIMEOUT_S,
        cancel=job.cancel,
    )
    facts = inspect_file(job.path, password=job.password, limits=job.limits)
    pdf = job.out_dir / "deck.pdf"
    if found.needed_password and job.password is not None:
        # What is rendered from later on must not ask for the password again.
        in_worker(
            save_without_password, str(job.path), job.password, str(pdf),
            timeout_s=_READ_TIMEOUT_S, cancel=job.cancel,
        )  # fmt: skip
        job = replace(job, password=None)
    else:
        shutil.copyfile(job.path, pdf)
    rendered = _from_pdf(
        job, pdf, None, renderer="", fonts=facts.fonts.missing if facts.fonts is not None else ()
    )
    if found.was_repaired:
        note = DeckWarning(slide=None, message="The PDF is damaged and was repaired while reading.")
        return replace(rendered, warnings=(note, *rendered.warnings))
    return rendered


def _from_pdf(
    job: _Job, pdf: Path, slides: tuple[SlideText, ...] | None, *, renderer: str, fonts: tuple[str, ...]
) -> RenderedDeck:
    texts = in_worker(page_texts, str(pdf), job.password, timeout_s=_READ_TIMEOUT_S, cancel=job.cancel)
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
            [slide.is_hidden for slide in slides], [slide.text for slide in slides], texts
        )
    wanted = [
        (page, *_files(job.out_dir, slide.number))
        for slide, page in zip(slides, pages, strict=True)
        if page is not None
    ]
    pictures, faults = _pictures(job, pdf, wanted)
    number_of = {page: slide.number for slide, page in zip(slides, pages, strict=True) if page is not None}
    warnings += tuple(
        DeckWarning(slide=number_of[page], message=message) for page, message in sorted(faults.items())
    )
    if not pictures and wanted:
        raise DeckUnreadable(FailureKind.RENDER_FAILED, f"{job.path.name}: {next(iter(faults.values()))}")
    rendered = tuple(
        _rendered_page(job.out_dir, slide, pictures.get(page) if page is not None else None)
        for slide, page in zip(slides, pages, strict=True)
    )
    first = next((page for page in rendered if page.image is not None), None)
    return RenderedDeck(
        pages=rendered,
        raster_px=(first.width_px, first.height_px) if first is not None else None,
        renderer=f"{renderer} + {_mupdf_name()}" if renderer else _mupdf_name(),
        pdf=pdf,
        warnings=warnings,
        missing_fonts=fonts,
    )


def _files(out_dir: Path, number: int) -> tuple[str, str]:
    return str(out_dir / f"slide_{number:04d}.png"), str(out_dir / f"thumb_{number:04d}.png")


def _pictures(
    job: _Job, pdf: Path, wanted: Sequence[tuple[int, str, str]]
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


def _render_chunk(job: _Job, pdf: Path, chunk: tuple[tuple[int, str, str], ...]) -> tuple[PagePicture, ...]:
    return in_worker(
        render_pages,
        str(pdf),
        job.password,
        chunk,
        job.box_px,
        THUMB_PX,
        timeout_s=_PAGE_TIMEOUT_S * (1 + len(chunk) / 4),
        cancel=job.cancel,
    )


def _rendered_page(out_dir: Path, slide: SlideText, picture: PagePicture | None) -> RenderedPage:
    if picture is None:
        return _without_picture(slide)
    image, thumb = _files(out_dir, slide.number)
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
    )


def _without_picture(slide: SlideText) -> RenderedPage:
    return RenderedPage(
        number=slide.number, page=None, is_hidden=slide.is_hidden, image=None, thumb=None, width_px=0,
        height_px=0, text=slide.text, notes=slide.notes, boxes=None,
    )  # fmt: skip


def _labelled(found: PageText, title: str) -> tuple[TextBox, ...] | None:
    """Return the boxes with the title marked: by the title placeholder's words, else by letter size."""
    if found.boxes is None:
        return None
    wanted = "".join(title.split()).casefold()
    index = found.largest
    if wanted:
        matches = [at for at, box in enumerate(found.boxes) if "".join(box.text.split()).casefold() == wanted]
        index = matches[0] if matches else None
    return tuple(
        replace(box, label="doc_title") if at == index else box for at, box in enumerate(found.boxes)
    )


def _render_images(job: _Job) -> RenderedDeck:
    warnings: list[DeckWarning] = []
    pages: list[RenderedPage] = []
    with _pictures_of(job) as pictures:
        job.limits.check_pages(len(pictures), job.path.name)
        for number, picture in enumerate(pictures, start=1):
            if job.cancel is not None and job.cancel.is_set():
                raise Cancelled("Stopped.")
            image, thumb = _files(job.out_dir, number)
            slide = SlideText(number=number, is_hidden=False, title="", text="", notes="")
            try:
                size = _fit_image(picture, job, image, thumb)
            except DeckUnreadable as error:
                warnings.append(DeckWarning(slide=number, message=str(error)))
                pages.append(_without_picture(slide))
                continue
            pages.append(
                replace(
                    _without_picture(slide),
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
        renderer=f"Pillow {_version('pillow')}",
        warnings=tuple(warnings),
    )


@contextmanager
def _pictures_of(job: _Job) -> Iterator[tuple[Path, ...]]:
    """Give the page pictures of a folder or a packed one; a single picture is a deck of one page."""
    if job.path.is_file():
        with job.path.open("rb") as file:
            is_picture = image_kind(file.read(16)) is not None
        if is_picture:
            yield (job.path,)
            return
    with unpacked(job.path, limits=job.limits) as folder:
        yield page_images(folder)


def _fit_image(picture: Path, job: _Job, image: str, thumb: str) -> tuple[int, int]:
    try:
        with Image.open(picture) as opened:
            job.limits.check_pixels(*opened.size, picture.name)
            flat = _flat(opened)
    except DeckUnreadable:
        raise
    except Exception as error:  # Pillow raises many types for damaged pictures
        raise DeckUnreadable(
            FailureKind.UNREADABLE, f"the picture {picture.name} cannot be read: {error}"
        ) from error
    size = fitted_px(flat.width, flat.height, job.box_px)
    fitted = flat if flat.size == size else flat.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)
    fitted.save(image, compress_level=1)
    save_thumb(fitted, THUMB_PX, thumb)
    return size


def _flat(picture: Image.Image) -> Image.Image:
    """Return the picture as RGB, what is transparent on white."""
    if picture.mode in {"RGBA", "LA", "PA"} or "transparency" in picture.info:
        over = picture.convert("RGBA")
        white = Image.new("RGBA", over.size, (255, 255, 255, 255))
        return Image.alpha_composite(white, over).convert("RGB")
    return picture.convert("RGB")


def _timeout_s(job: _Job, slides: int | None) -> float:
    """Return the time limit: two minutes, more for many slides and megabytes, at most fifteen."""
    if job.timeout_s is not None:
        return job.timeout_s
    megabytes = job.path.stat().st_size / (1 << 20) if job.path.is_file() else 10.0
    return min(job.limits.max_seconds, 120.0 + 4.0 * (slides or 20) + 10.0 * megabytes)


def _renderer(name: str, program: Path | None) -> str:
    version = program_version(program) if program is not None else ""
    return f"{name} {version}".strip()


def _mupdf_name() -> str:
    return f"MuPDF {_version('pymupdf')}"


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return ""


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
    # Under another name first: nobody ever sees half a picture.
    with tempfile.TemporaryDirectory(prefix=".page-", dir=out.parent) as temp:
        part = Path(temp) / "page.png"
        (picture,) = in_worker(
            render_pages, str(pdf), password, ((page, str(part), None),), box, THUMB_PX,
            timeout_s=_PAGE_TIMEOUT_S, cancel=cancel,
        )  # fmt: skip
        part.replace(out)
    return (picture.width_px, picture.height_px)


def page_image_size(
    pdf: Path, page: int, box_px: tuple[int, int], *, password: str | None = None
) -> tuple[int, int]:
    """Return the size in pixels that `render_page` would give, without rendering.

    Raises:
        DeckUnreadable: kind ``render_failed`` if there is no such page or it has no size.
    """
    sizes = in_worker(page_sizes, str(pdf), password, timeout_s=_READ_TIMEOUT_S)
    try:
        if not 1 <= page <= len(sizes):
            raise ValueError(f"there is no page {page}")
        return fitted_px(*sizes[page - 1], box_px)
    except ValueError as error:
        raise DeckUnreadable(FailureKind.RENDER_FAILED, f"{pdf.name}: {error}.") from error
