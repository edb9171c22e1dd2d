"""Time the aesthetics metrics against the straightforward way: ``python -m tests.bench.bench_metrics``.

One process, one thread, 1280×720. Each of our numbers is the median of several runs over three unlike
slides; the straightforward way runs once per slide. Of its 2880 passes of harmony over all pixels some
are timed and the time is scaled up, since all of them take most of a minute per slide.

After that the same decks go through the pool of worker processes that a run uses, with one worker and with
more, to show how it scales to the cores and how much memory a worker takes.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.metrics import colour
from studio.metrics.colourfulness import colourfulness
from studio.metrics.contrast import region_contrast
from studio.metrics.cues import slide_cues
from studio.metrics.entropy import subband_entropy
from studio.metrics.harmony import harmony
from studio.metrics.parameters import PRESETS
from studio.metrics.slides import PixelBox, measure_slide
from studio.metrics.work import MeasureTask, SlideInput, measure_deck, one_thread
from tests.bench import straightforward

Picture = NDArray[np.uint8]
WIDTH, HEIGHT = 1280, 720
REPEATS = 3
"""Of each number of workers; the fastest counts, since others may use the cores too."""
BOXES = [(60, 60, 900, 120), *((60, 180 + 80 * line, 1000 - 60 * line, 220 + 80 * line) for line in range(6))]


def bench_slides() -> dict[str, Picture]:
    """Return a text slide, a chart slide and a photo-like slide; the same on every machine."""
    text = np.full((HEIGHT, WIDTH, 3), (250, 250, 245), np.uint8)
    text[:, :30] = (37, 99, 235)
    for x0, y0, x1, y1 in BOXES:
        for x in range(x0 + 4, x1 - 12, 14):
            text[y0 + 6 : y1 - 6, x : x + 3] = (30, 41, 59)
            text[y1 - 9 : y1 - 6, x : x + 9] = (30, 41, 59)
    chart = text.copy()
    for bar, ink in enumerate([(31, 119, 180), (255, 127, 14), (44, 160, 44), (214, 39, 40)]):
        chart[650 - 110 * (bar + 1) : 650, 700 + 120 * bar : 790 + 120 * bar] = ink
    rng = np.random.default_rng(7)
    noise = rng.integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)
    photo = cv2.normalize(cv2.GaussianBlur(noise, (0, 0), 6), None, 0, 255, cv2.NORM_MINMAX)
    return {"text": text, "chart": chart, "photo": photo}


def seconds(work: Callable[[], object], runs: int) -> float:
    """Return the median wall time of some runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def ours(slides: Sequence[Picture], runs: int) -> dict[str, float]:
    """Return seconds per slide of each metric, of all, and of the FFTs alone."""
    boxes = [PixelBox(label="text", x0=x0, y0=y0, x1=x1, y1=y1) for x0, y0, x1, y1 in BOXES]
    # The cues take the colour conversion that entropy needs anyway.
    labs = {id(rgb): colour.lab_planes(rgb) for rgb in slides}
    ways: dict[str, Callable[[Picture], object]] = {
        "colourfulness": colourfulness,
        "harmony": harmony,
        "contrast": lambda rgb: [region_contrast(rgb, box, "text") for box in BOXES],
        "entropy": subband_entropy,
        "cues": lambda rgb: slide_cues(rgb, labs[id(rgb)], BOXES),
        "all": lambda rgb: measure_slide(rgb, boxes, PRESETS["benchmark"]),
    }
    result = {}
    for name, way in ways.items():
        way(slides[0])  # Masks and tables are made once per process and size.
        result[name] = statistics.mean(seconds(lambda rgb=rgb, way=way: way(rgb), runs) for rgb in slides)
    return result


def the_other_way(slides: Sequence[Picture], passes: int) -> dict[str, float]:
    """Return seconds per slide of the straightforward way."""
    ways: dict[str, Callable[[Picture], object]] = {
        "colourfulness": straightforward.colourfulness,
        "harmony": lambda rgb: _some_passes(rgb, passes),
        "contrast": lambda rgb: [straightforward.region_score(rgb, box) for box in BOXES],
        "entropy": straightforward.subband_entropy,
    }
    result = {
        name: statistics.mean(seconds(lambda rgb=rgb, way=way: way(rgb), 1) for rgb in slides)
        for name, way in ways.items()
    }
    result["harmony"] *= straightforward.N_PASSES / passes
    result["all"] = sum(result.values())
    return result


def _some_passes(rgb: Picture, passes: int) -> None:
    # All pixels, as the reference has it: nothing is dropped before the passes.
    hsv = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV).astype(float)
    hue, saturation = 2.0 * hsv[..., 0].ravel(), hsv[..., 1].ravel() / 255.0
    names = list(straightforward.SECTORS)
    for turn in range(passes):
        straightforward.harmony_pass(hue, saturation, names[turn % len(names)], 9 * turn)


def floor_of_entropy(rgb: Picture, runs: int) -> float:
    """Return what CIELAB, the FFTs and OpenCV's float histograms of three channels cost on this machine."""
    import scipy.fft

    plane = np.ascontiguousarray(rgb[..., 0], dtype=np.float32)
    spectrum = scipy.fft.rfft2(plane)
    forward = seconds(lambda: scipy.fft.rfft2(plane, workers=1), runs)
    backward = seconds(lambda: scipy.fft.irfft2(spectrum, s=plane.shape, workers=1), runs)
    counting = seconds(lambda: cv2.calcHist([plane], [0], None, [960], [0.0, 256.0]), runs)
    lab = seconds(lambda: colour.lab_planes(rgb), runs)
    # Five bands at full size, four at a quarter of the pixels, four at a sixteenth, one at a sixty-fourth.
    bands = 5 + 4 / 4 + 4 / 16 + 1 / 64
    return lab + 3 * (forward + bands * (backward + counting))


def scaling(slides: Sequence[Picture], *, decks: int, per_deck: int) -> dict[int, tuple[float, int]]:
    """Return workers → (seconds, peak bytes of the largest worker) for 1, 2, 4 … up to the cores.

    The first decks of every worker are not timed: they bring in the libraries and make the tables.
    """
    found = {}
    boxes = tuple(PixelBox(label="text", x0=x0, y0=y0, x1=x1, y1=y1) for x0, y0, x1, y1 in BOXES)
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, rgb in enumerate(slides):
            paths.append(str(Path(folder) / f"{number}.png"))
            cv2.imwrite(paths[-1], cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR))
        task = MeasureTask(
            slides=tuple(
                SlideInput(number=number + 1, image_path=paths[number % len(paths)], boxes_px=boxes)
                for number in range(per_deck)
            ),
            parameters=PRESETS["benchmark"],
        )
        counts = sorted({1, *(2**power for power in range(1, 8) if 2**power <= cores()), cores()})
        for workers in counts:
            with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=one_thread) as pool:
                list(pool.map(measure_deck, [task] * (2 * workers)))
                taken = min(
                    seconds(lambda pool=pool: list(pool.map(measure_deck, [task] * decks)), 1) for _ in range(REPEATS)
                )
                found[workers] = (taken, max(pool.map(peak_rss_bytes, range(4 * workers))))
    return found


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def peak_rss_bytes(_: int) -> int:
    """Return the most memory that this process has had; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def print_scaling(found: dict[int, tuple[float, int]], slides: int) -> None:
    """Print seconds, slides in a second, the ratio to one worker and the memory of a worker."""
    load = f", load {os.getloadavg()[0]:.1f} at the end" if hasattr(os, "getloadavg") else ""
    print(f"\nin worker processes, {slides} slides in decks, on {cores()} cores, best of {REPEATS}{load}")
    print(f"{'workers':>8} {'s':>7} {'slides/s':>9} {'times one':>10} {'of linear':>10} {'MiB/worker':>11}")
    alone = found[1][0]
    for workers, (taken, peak) in found.items():
        ratio = alone / taken
        print(
            f"{workers:8} {taken:7.2f} {slides / taken:9.1f} {ratio:9.2f}× {ratio / workers:9.0%} {peak / 2**20:11.0f}"
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="runs of ours per slide; the median counts")
    parser.add_argument("--passes", type=int, default=40, help="of the 2880 straightforward harmony passes")
    parser.add_argument("--decks", type=int, default=8, help="of ten slides, for the scaling over worker processes")
    arguments = parser.parse_args()
    one_thread()
    slides = list(bench_slides().values())
    fast = ours(slides, arguments.runs)
    slow = the_other_way(slides, arguments.passes)
    print(f"{WIDTH}×{HEIGHT}, one thread, mean of {len(slides)} slides, median of {arguments.runs} runs")
    print(f"{'metric':14} {'ms/slide':>9} {'slides/s':>9} {'straightforward ms':>19} {'ratio':>8}")
    for name, taken in fast.items():
        if name not in slow:
            print(f"{name:14} {1e3 * taken:9.2f} {1 / taken:9.1f} {'–':>19} {'–':>9}")
            continue
        other = slow[name]
        print(f"{name:14} {1e3 * taken:9.2f} {1 / taken:9.1f} {1e3 * other:19.1f} {other / taken:7.0f}×")
    floor = floor_of_entropy(slides[0], arguments.runs)
    print(
        f"straightforward harmony: {arguments.passes} of {straightforward.N_PASSES} passes over all pixels, scaled up"
    )
    print(
        f"entropy against its transforms and float histograms alone ({1e3 * floor:.0f} ms): "
        f"{fast['entropy'] / floor:.2f} of it"
    )
    print_scaling(scaling(slides, decks=arguments.decks, per_deck=10), 10 * arguments.decks)


if __name__ == "__main__":
    main()
