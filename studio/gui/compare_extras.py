"""What Compare does with single slides and decks: copy, print, draw again, show in a second window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Slot
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from studio.actions import programs
from studio.actions.animation import animation_steps
from studio.actions.slide_pictures import render_slide_again
from studio.actions.viewing import DeckOnView
from studio.errors import Cancelled, StudioError
from studio.gui.contact_sheet import paint_sheets, set_page, write_pdf
from studio.gui.context import AppContext
from studio.gui.image_cache import Picture, read_picture
from studio.gui.second_window import SecondWindow, deck_window
from studio.gui.widgets.deck_stage import DeckStage
from studio.model.changes import Topic, changed
from studio.model.decks import Slide, slide_file_name, thumb_file_name
from studio.model.ids import DeckId
from studio.model.passwords import PasswordVault
from studio.model.protocols import CancelToken, Emit
from studio.settings import Settings

NO_PICTURE = "This slide has no picture."


class CompareExtras(QObject):
    """Works on the focused deck of a stage. Lives as long as the page that owns it."""

    def __init__(self, context: AppContext, stage: DeckStage, owner: QWidget, title: Callable[[], str]) -> None:
        super().__init__(owner)
        self._context, self._stage, self._owner, self._title = context, stage, owner, title
        self.windows: list[SecondWindow] = []

    def close_windows(self) -> None:
        """Close every second window."""
        for window in list(self.windows):
            window.close()

    def _focused(self) -> tuple[DeckOnView, Slide | None] | None:
        deck = self._stage.deck(self._stage.focused)
        if deck is None:
            return None
        number = self._stage.viewing.slide(deck.id)
        return deck, next((slide for slide in deck.slides if slide.number == number), None)

    # one slide

    def copy_slide(self) -> None:
        """Put the picture of the focused slide on the clipboard."""
        found = self._focused()
        if found is None:
            return
        deck, slide = found
        if deck.folder is None or slide is None or (slide.page is None and slide.number not in deck.drawn_hidden):
            self._context.toast(NO_PICTURE)
            return
        self._context.background.query(
            partial(read_picture, deck.folder / slide_file_name(slide.number)),
            partial(self._on_copied, f"Slide {slide.number} of {deck.name}"),
            self._context.report,
            owner=self,
        )

    def _on_copied(self, name: str, picture: Picture) -> None:
        QApplication.clipboard().setImage(picture.image)
        self._context.toast(f"{name} copied as a picture.")

    def draw_slide(self) -> None:
        """Draw the focused slide again; a hidden one for the first time."""
        found = self._focused()
        if found is None or found[1] is None:
            return
        deck, slide = found
        if self._context.project.is_read_only:
            self._context.toast("The project is open read-only, so nothing can be drawn.")
            return
        self._context.background.start(
            _draw,
            self._context.project,
            deck.id,
            slide.number,
            self._context.settings,
            self._context.passwords,
            name=f"Draw slide {slide.number}",
            done=partial(self._on_drawn, slide.number),
            failed=self._on_not_drawn,
            owner=self,
        )

    def _on_drawn(self, number: int, picture: Path) -> None:
        self._context.images.forget(picture)
        self._context.images.forget(picture.with_name(thumb_file_name(number)))
        self._context.announce(changed(Topic.DECKS))
        self._context.toast(f"Slide {number} was drawn.")

    def _on_not_drawn(self, error: BaseException) -> None:
        if not isinstance(error, Cancelled):
            self._context.report(error)

    # animation steps

    def read_steps(self) -> None:
        """Read the animation steps of the decks on the stage that were not read yet."""
        if not self._stage.shows_steps:
            return
        for deck in self._stage.decks:
            if not self._stage.has_steps(deck.id) and not deck.failure:
                self._context.background.query(
                    partial(animation_steps, self._context.project, deck.id, self._context.passwords),
                    partial(self._on_steps, deck.id),
                    partial(self._on_no_steps, deck.id),
                    owner=self,
                )

    def _on_steps(self, deck_id: DeckId, steps: dict[int, tuple[str, ...]] | None) -> None:
        self._stage.set_steps(deck_id, steps, "Animation is not known for this format")

    def _on_no_steps(self, deck_id: DeckId, error: BaseException) -> None:
        if not isinstance(error, StudioError):
            self._context.report(error)
        self._stage.set_steps(deck_id, None, str(error))

    # contact sheets

    def ask_pdf(self) -> None:
        """Ask where the focused deck's contact sheet goes as a PDF."""
        found = self._focused()
        if found is None or not found[0].slides:
            return
        deck = found[0]
        folder = self._context.project.exports_folder
        dialog = QFileDialog(self._owner, f"Save the contact sheet of {deck.name}", str(folder), "PDF (*.pdf)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("pdf")
        dialog.selectFile(f"{_file_name(f'{self._title()} {deck.name}')}.pdf")
        dialog.fileSelected.connect(partial(self.save_pdf, deck))
        dialog.open()

    def save_pdf(self, deck: DeckOnView, path: str) -> None:
        """Write a deck's contact sheet as a PDF."""
        self._context.background.query(
            partial(write_pdf, deck, Path(path), title=f"{self._title()} · {deck.name}"),
            self._on_saved,
            self._context.report,
            owner=self,
        )

    def _on_saved(self, path: Path) -> None:
        self._context.toast(f"{path.name} was saved.")

    def ask_print(self) -> None:
        """Ask for a printer and print the focused deck's contact sheet."""
        found = self._focused()
        if found is None or not found[0].slides:
            return
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        set_page(printer)
        dialog = QPrintDialog(printer, self._owner)
        dialog.setWindowTitle(f"Print the contact sheet of {found[0].name}")
        dialog.accepted.connect(partial(self.print_sheet, found[0], printer))
        dialog.open()

    def print_sheet(self, deck: DeckOnView, printer: QPrinter) -> None:
        """Print a deck's contact sheet."""
        self._context.background.query(
            partial(paint_sheets, printer, deck, title=f"{self._title()} · {deck.name}"),
            self._on_printed,
            self._context.report,
            owner=self,
        )

    def _on_printed(self, pages: int) -> None:
        self._context.toast(f"{pages} page{'s' if pages != 1 else ''} went to the printer.")

    # second windows

    def detach_deck(self) -> None:
        """Show the focused deck in a window of its own as well."""
        found = self._focused()
        if found is None:
            return
        deck, slide = found
        window = deck_window(
            deck, f"{deck.name} · {self._title()}", self._context.background, self._context.images, self._owner,
            slide=slide.number if slide is not None else 1,
        )  # fmt: skip
        self.show_window(window)

    def show_window(self, window: SecondWindow) -> None:
        """Show a window and keep it until it is closed."""
        self.windows.append(window)
        window.closed.connect(self._on_window_closed)
        window.show()

    @Slot()
    def _on_window_closed(self) -> None:
        window = self.sender()
        if window in self.windows:
            self.windows.remove(window)
            window.deleteLater()


def _draw(
    project: Any,
    deck_id: DeckId,
    number: int,
    settings: Settings,
    passwords: PasswordVault,
    *,
    emit: Emit,
    cancel: CancelToken,
) -> Path:
    tools = programs.render_tools(settings)
    return render_slide_again(project, deck_id, number, tools=tools, cancel=cancel, passwords=passwords)


def _file_name(words: str) -> str:
    kept = "".join(letter if letter.isalnum() or letter in " -_." else "_" for letter in words)
    return kept.strip() or "contact sheet"
