"""Content scores: training on two cores, and scoring a deck of 20 slides: ``-m tests.bench reflex``.

Training uses the training part of the shared SciDuet data where it lies beside the checkout, otherwise invented decks,
and says which. Scoring is measured after the words are vectors, as a run finds them when it scores all four metrics.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

import psutil

from studio.actions import reflex
from studio.reflex.embedded import embedded
from studio.reflex.encoder import static_encoder
from studio.reflex.language import language_flags
from studio.reflex.shipped import scorer_of
from tests.shared_files import shared_root
from tests.unit.reflex.made_decks import made_deck

REPEATS = 30


def main() -> None:
    scoring()
    training()


def scoring() -> None:
    """Print how long one deck of 20 slides takes."""
    scorer, encoder = scorer_of(), static_encoder()
    deck = made_deck(1, slides=20)
    start = time.perf_counter()
    it = embedded(deck, encoder)
    print(f"   words to vectors, once: {1000 * (time.perf_counter() - start):.1f} ms")
    names = [*(metric.value for metric in scorer.models), "all four", "all four, processor time"]
    times: dict[str, list[float]] = {name: [] for name in names}
    flags = language_flags(deck, scorer.languages)
    for _ in range(REPEATS):
        fresh = it.taken(range(it.n))
        start_all, busy = time.perf_counter(), time.process_time()
        for metric in scorer.models:
            start = time.perf_counter()
            scorer.score_embedded(fresh, metric, flags)
            times[metric.value].append(time.perf_counter() - start)
        times["all four"].append(time.perf_counter() - start_all)
        times["all four, processor time"].append(time.process_time() - busy)
    for name, seen in times.items():
        print(f"   scoring 20 slides, {name}: median {1000 * statistics.median(seen):.1f} ms, "
              f"slowest {1000 * max(seen):.1f} ms")  # fmt: skip


def training() -> None:
    """Print how long the four scorers take to fit with two processes, and the processor time that it took."""
    folder = (shared_root() or Path()) / "data" / "sciduet"
    is_there = (folder / "slides.json").is_file()
    decks = reflex.read_data(folder, "train") if is_there else [made_deck(number) for number in range(60)]
    kind = "SciDuet" if is_there else "invented"
    print(f"   training on {len(decks)} {kind} decks; load of the machine before: {psutil.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as out:
        start = time.perf_counter()
        reflex.train(decks, Path(out) / "model.npz", data="bench")
        print(f"   training: {time.perf_counter() - start:.0f} s with two processes")
