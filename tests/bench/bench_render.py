"""Decks a minute of the rendering service against a fresh LibreOffice for each deck: ``-m tests.bench render``.

Both convert the same decks, the same number at once, in the same run: the service in warm workers, the other way
with a new profile and a new process for every deck. Then the service's whole way, pictures and text boxes included.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from studio.decks import libreoffice, workers
from studio.decks.processes import run_program
from studio.decks.render import find_tools, render_deck
from studio.model.decks import DeckFormat

DECKS, SLIDES, AT_ONCE = 16, 10, 2
TARGET = 3.0


def write_decks(folder: Path, n_decks: int = DECKS) -> list[Path]:
    """Write decks of ten slides with words, a chart, a table and a picture."""
    picture = folder / "picture.png"
    Image.linear_gradient("L").resize((800, 450)).convert("RGB").save(picture)
    decks = []
    for deck in range(n_decks):
        presentation = Presentation()
        for number in range(SLIDES):
            slide = presentation.slides.add_slide(presentation.slide_layouts[5])
            slide.shapes.title.text = f"Deck {deck}, slide {number}"
            place = (Inches(1), Inches(2), Inches(7), Inches(4))
            if number % 4 == 0:
                data = CategoryChartData()
                data.categories = ["one", "two", "three"]
                data.add_series("values", [deck + 1, number + 2, 3])
                slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data)
            elif number % 4 == 1:
                table = slide.shapes.add_table(5, 4, *place).table
                for row in range(5):
                    for column in range(4):
                        table.cell(row, column).text = f"{row * column + deck}"
            elif number % 4 == 2:
                slide.shapes.add_picture(str(picture), *place)
            else:
                slide.shapes.add_textbox(*place).text_frame.text = "Words that fill the slide. " * 12
        path = folder / f"deck{deck:02}.pptx"
        presentation.save(str(path))
        decks.append(path)
    return decks


class MemoryWatch:
    """The most memory that this process and its children held together, in bytes."""

    def __init__(self) -> None:
        self.peak_bytes = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> MemoryWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        me = psutil.Process()
        while not self._over.wait(0.1):
            held = 0
            for process in (me, *me.children(recursive=True)):
                try:
                    held += process.memory_info().rss
                except psutil.Error:
                    continue
            self.peak_bytes = max(self.peak_bytes, held)


def timed(work: Callable[[Path], None], decks: Sequence[Path]) -> tuple[float, int]:
    """Return the seconds for all decks and the peak memory of the process tree in bytes."""
    with MemoryWatch() as memory, ThreadPoolExecutor(AT_ONCE) as threads:
        start = time.perf_counter()
        list(threads.map(work, decks))
        return time.perf_counter() - start, memory.peak_bytes


def main() -> None:
    """Print decks a minute and peak memory of both ways; fails below three times as fast."""
    tools = find_tools()
    soffice = tools.libreoffice
    if soffice is None:
        print("LibreOffice is not installed; nothing was measured.")
        return
    with tempfile.TemporaryDirectory(prefix="bench-render-") as name:
        folder = Path(name)
        decks = write_decks(folder)

        def by_fresh_program(deck: Path) -> None:
            work = folder / f"fresh-{deck.stem}"
            work.mkdir()
            run_program(
                [
                    str(soffice), f"-env:UserInstallation={(work / 'profile').as_uri()}", "--headless", "--norestore",
                    "--convert-to", "pdf", "--outdir", str(work), str(deck),
                ],
                name="LibreOffice", log=work / "log.txt", timeout_s=300,
                env=os.environ | {"SAL_USE_VCLPLUGIN": "svp"},
            )  # fmt: skip
            if not (work / f"{deck.stem}.pdf").is_file():
                raise RuntimeError(f"no PDF of {deck.name}")
            shutil.rmtree(work)

        def by_service(deck: Path) -> None:
            out = folder / f"service-{deck.stem}"
            out.mkdir()
            if libreoffice.to_pdf(deck, out, soffice=soffice, timeout_s=300) is None:
                raise RuntimeError(f"no PDF of {deck.name}")

        def with_pictures(deck: Path) -> None:
            out = folder / f"whole-{deck.stem}"
            rendered = render_deck(deck, out, format=DeckFormat.PPTX, tools=tools)
            if rendered.failure is not None or len(rendered.pages) != SLIDES:
                raise RuntimeError(f"{deck.name} was not rendered: {rendered.failure}")

        cold_s, cold_bytes = timed(by_service, decks)
        warm_decks = [decks[number % DECKS] for number in range(DECKS)]
        for old in folder.glob("service-*"):
            shutil.rmtree(old)
        warm_s, warm_bytes = timed(by_service, warm_decks)
        whole_s, whole_bytes = timed(with_pictures, decks)
        libreoffice.shutdown()
        workers.shutdown()
        fresh_s, fresh_bytes = timed(by_fresh_program, decks)
    for words, seconds, peak in (
        ("fresh LibreOffice per deck, to PDF", fresh_s, fresh_bytes),
        ("service from its start, to PDF", cold_s, cold_bytes),
        ("service when warm, to PDF", warm_s, warm_bytes),
        (f"service, pictures of {SLIDES} slides too", whole_s, whole_bytes),
    ):
        print(f"{words:<40}{DECKS / seconds * 60:7.0f} decks/min   peak memory {peak / 2**20:6.0f} MB")
    ratio = fresh_s / cold_s
    print(f"service against fresh, its start counted: {ratio:.1f}x (warm {fresh_s / warm_s:.1f}x; wanted {TARGET:g}x)")
    if ratio < TARGET:
        raise SystemExit(f"the service is only {ratio:.1f} times as fast")


if __name__ == "__main__":
    main()
