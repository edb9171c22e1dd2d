"""One slide drawn again, or a hidden one for the first time."""

from __future__ import annotations

import shutil
from pathlib import Path

from studio.decks.mupdf_pages import fitted_px
from studio.decks.render import THUMB_PX, RenderTools, render_deck, render_page
from studio.decks.scratch import scratch
from studio.errors import BadInput, DeckUnreadable
from studio.jobs.render_job import RASTER_PX
from studio.model.decks import Deck, Slide, slide_file_name, thumb_file_name
from studio.model.ids import DeckId
from studio.model.passwords import PasswordVault
from studio.model.protocols import CancelToken
from studio.store import decks as deck_store
from studio.store.project import Project


def render_slide_again(
    project: Project,
    deck_id: DeckId,
    number: int,
    *,
    tools: RenderTools,
    cancel: CancelToken | None = None,
    passwords: PasswordVault | None = None,
) -> Path:
    """Draw one slide anew and return its picture, which replaces the one that was there.

    A hidden slide gets a picture to look at; it stays hidden, and no metric counts it.

    Args:
        project: the project.
        deck_id: a deck whose pages are in the cache.
        number: slide number from 1.
        tools: the programs to use.
        cancel: takes effect within two seconds.
        passwords: of protected decks, kept in memory.

    Raises:
        BadInput: if there is no such slide, or the deck has no pages yet.
        DeckUnreadable: if it cannot be drawn.
        Cancelled: the token was set.
    """
    deck = next((deck for deck in deck_store.list_decks(project) if deck.id == deck_id), None)
    slide = next((slide for slide in deck_store.list_slides(project, deck_id) if slide.number == number), None)
    folder = deck_store.page_folder(project, deck_id)
    if deck is None or slide is None or folder is None:
        raise BadInput(f"There is no rendered slide {number}.", next_step="Render the deck first.")
    with scratch("slide") as work:
        picture, thumb = work / "slide.png", work / "thumb.png"
        pdf = folder / "deck.pdf"
        if slide.page is not None and pdf.is_file():
            render_page(pdf, slide.page, RASTER_PX, picture, cancel=cancel)
            render_page(pdf, slide.page, fitted_px(slide.width_px, slide.height_px, THUMB_PX), thumb, cancel=cancel)
        else:
            _from_whole_deck(project, deck, slide, tools, cancel, work, passwords)
        _put(picture, folder / slide_file_name(number))
        _put(thumb, folder / thumb_file_name(number))
    return folder / slide_file_name(number)


def _from_whole_deck(
    project: Project,
    deck: Deck,
    slide: Slide,
    tools: RenderTools,
    cancel: CancelToken | None,
    work: Path,
    passwords: PasswordVault | None,
) -> None:
    if deck.asset is None or deck.format is None:
        raise BadInput(f"{deck.system} has no file.", next_step="Import its deck.")
    rendered = render_deck(
        project.asset_path(deck.asset, deck.extension), work / "pages", format=deck.format, tools=tools,
        box_px=RASTER_PX, cancel=cancel, with_hidden=True,
        password=passwords.of(deck.asset) if passwords else None,
    )  # fmt: skip
    if rendered.failure is not None:
        raise DeckUnreadable(rendered.failure.kind, rendered.failure.message)
    page = next((page for page in rendered.pages if page.number == slide.number), None)
    if page is None or page.image is None or page.thumb is None:
        raise DeckUnreadable("render_failed", f"No picture could be made of slide {slide.number}.")
    page.image.rename(work / "slide.png")
    page.thumb.rename(work / "thumb.png")


def _put(picture: Path, place: Path) -> None:
    # Whole or not at all: the window may be reading it.
    beside = place.with_name(f".{place.name}.part")
    shutil.copyfile(picture, beside)
    beside.replace(place)
