"""How often the rules of the code judge say no to the decks of the shared corpus: ``-m tests.bench rules``.

Most of these files were made to test a program and few are talks that people gave, none to fail a rule, so that a
rule with a high share of no probably asks for more than people do. Thresholds and the list of technical terms were
set with these same files in view: the shares say how the rules do here, not how they would do on other decks. A few
alarms were looked at and are marked; a no is right where the slide shows what the reason says. Without the shared
folder nothing is measured.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from studio.checklists.rules import RULES
from studio.checklists.rules.work import CodeOutcome, CodeTask, judge_task
from studio.decks.evidence.drawn import drawn_pdf
from studio.decks.sniff import sniff
from studio.decks.tools import find_tools
from studio.decks.workers import in_worker
from studio.errors import StudioError
from studio.model.checklists import ItemAnswer, RuleCall
from tests.shared_files import shared_root

FOLDERS = ("pptx", "pdf", "html")
LOOKED_AT = {
    ("python-pptx__no-slides.pptx", "slide_count"): True,
    ("openxmlsdk__sldsz-Slide Size-type-b4iso.pptx", "empty_or_title_only_slides"): True,
    ("python-pptx__prs-notes.pptx", "empty_or_title_only_slides"): True,
    ("python-pptx__shp-freeform.pptx", "empty_or_title_only_slides"): True,
    # The slide's own part is empty, but text and a picture of its master show.
    ("tika__testPPT_various2.pptx", "empty_or_title_only_slides"): False,
    ("docling__odf_presentation_01.odp.pdf", "bullets_per_slide"): False,  # the cells of a table
    ("office2pdf__04_training_deck_ko.pptx", "bullets_per_slide"): True,
    ("pptx-glimpse__real-financial-report.pptx", "font_size"): True,
    ("docling__powerpoint_unrecognized_shape.pptx", "text_overflow"): True,
    ("docling__odf_presentation_01.odp.pdf", "text_overlap"): False,  # one of the lines is covered by a table
    ("docling__normal_4pages.pdf", "contrast"): True,
    ("pptx-glimpse__real-financial-report.pptx", "contrast"): True,
    ("shapecrawler__002 bar chart.pptx", "contrast"): True,
    ("unstructured__reliance.pdf", "contrast"): True,
    ("pptx-automizer__ChartWithExternalData.pptx", "spelling"): True,
    ("derived__impress_classic_static.html", "raw_markup"): True,
    ("derived__reveal_math_static.html", "raw_markup"): True,
    ("docling__pptx_chart.pptx", "chart_legend"): True,
    ("shapecrawler__002 bar chart.pptx", "chart_legend"): True,
}
"""File and rule → whether the no is right."""

_NAMED = 70
"""Characters of a reason that are printed."""


def judged(path: Path) -> tuple[CodeOutcome, ...]:
    """Return what all rules say of a deck with their default parameters."""
    found = sniff(path).deck_format
    if found is None:
        return ()
    with tempfile.TemporaryDirectory() as folder:
        pages = drawn_pdf(path, Path(folder), format=found, tools=find_tools())
        task = CodeTask(
            path=path, format=found, pdf=pages.pdf, why_no_pages=pages.reason,
            calls=tuple(RuleCall(rule=name) for name in RULES),
        )  # fmt: skip
        return in_worker(judge_task, task, timeout_s=300.0)


def print_rule(name: str, outcomes: dict[str, CodeOutcome]) -> None:
    """Print the counts of a rule, the share of no, and every deck that it says no to."""
    answers = Counter(outcome.finding.answer if outcome.finding is not None else None for outcome in outcomes.values())
    n_yes, n_no = answers[ItemAnswer.YES], answers[ItemAnswer.NO]
    share = f"{n_no / (n_yes + n_no):.0%}" if n_yes + n_no else "–"
    kind = "verdict" if RULES[name].is_verdict else "suggestion"
    print(
        f"{name:<28} {kind:<10} no {n_no:>3} of {n_yes + n_no:>3} ({share:>4}), not applicable "
        f"{answers[ItemAnswer.NOT_APPLICABLE]:>3}, no answer {answers[None]:>2}{_precision(name, outcomes)}"
    )
    for file, outcome in outcomes.items():
        finding = outcome.finding
        if finding is not None and finding.answer is ItemAnswer.NO:
            label = {True: "right", False: "WRONG", None: "     "}[LOOKED_AT.get((file, name))]
            mark = "?" if finding.is_suggestion else " "
            print(f"    {label} {mark} {file[:52]:<52} {finding.reason[:_NAMED]}")


def _precision(name: str, outcomes: dict[str, CodeOutcome]) -> str:
    labels = [
        LOOKED_AT[file, name]
        for file, outcome in outcomes.items()
        if (file, name) in LOOKED_AT and outcome.finding is not None and outcome.finding.answer is ItemAnswer.NO
    ]
    return f", looked at {len(labels)}: {sum(labels)} right" if labels else ""


def main() -> None:
    """Judge every deck of the corpus by every rule and print what they say."""
    root = shared_root()
    if root is None:
        print("Nothing was measured: there is no shared folder beside the checkout.")
        return
    found: dict[str, tuple[CodeOutcome, ...]] = {}
    seconds: list[float] = []
    for path in sorted(path for folder in FOLDERS for path in (root / "corpus" / folder).iterdir()):
        start = time.perf_counter()
        try:
            outcomes = judged(path)
        except StudioError as error:
            print(f"    left out: {path.name}: {error.message}")
            continue
        if outcomes:
            found[path.name] = outcomes
            seconds.append(time.perf_counter() - start)
    print(f"{len(found)} decks, {_figures(seconds)} s each with drawing")
    for index, name in enumerate(RULES):
        print_rule(name, {file: outcomes[index] for file, outcomes in found.items()})


def _figures(seconds: Sequence[float]) -> str:
    return f"{statistics.median(seconds):.1f} (median), {max(seconds):.1f} (longest)" if seconds else "–"


if __name__ == "__main__":
    main()
