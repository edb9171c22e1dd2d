"""Small invented trees in PresentBench's layout, and a reader of results that shares no code with the studio."""

from __future__ import annotations

import json
from pathlib import Path

import pymupdf
import yaml

COUNT = {
    "__type__": "partial", "func": "utils.count_pages.check_slide_count", "args": [],
    "keywords": {"min_count": 3, "max_count": 6},
}  # fmt: skip
COMMON = {
    "material_independent_prefix": "MI|",
    "material_dependent_prefix": "MD|",
    "material_independent_checklist_1": [COUNT, "a1"],
    "material_independent_checklist_2": ["b1", "b2"],
    "material_dependent_checklist_1": ["c0"],
    "material_dependent_checklist_2": ["d0"],
    "material_dependent_checklist_3": [f"slide {number}?" for number in range(1, 13)],
}
CASE = {"material_dependent_checklist_1": ["c1", "c2"], "material_dependent_checklist_2": ["d1"]}
WEIGHTS = {
    "total": 100.0,
    "material_independent": {"1": 20.0, "2": 20.0},
    "material_dependent": {"1": 20.0, "2": 20.0, "3": 20.0},
}


def write_tree(
    root: Path, *, case: object = CASE, common: object = COMMON, weights: object = WEIGHTS, name: str = "tides",
    domain: str = "education", instruction: str = "Make a deck of 3 to 6 slides.",
) -> Path:  # fmt: skip
    """Write a data tree with one case and return the case's folder."""
    folder = root / domain / "Harbour_School" / name
    (folder / "generation_task").mkdir(parents=True)
    (folder / "material.md").write_text("# Tides\n\nThe spring tide is 4.2 m.\n")
    (folder / "generation_task" / "instructions.md").write_text(instruction)
    (folder / "generation_task" / "judge_prompt.json").write_text(json.dumps(case))
    (folder.parents[1] / "common_judge_prompt.json").write_text(json.dumps(common))
    (folder.parents[1] / "judge_weights.yaml").write_text(yaml.safe_dump(weights))
    return folder


def write_results(
    root: Path, case: Path, *, pages: int = 4, files: dict[str, object] | None = None, system: str = "Aster"
) -> Path:
    """Write a results tree beside a case: the deck and the given YAML files; return the results folder."""
    folder = root / system / case.parents[1].name / case.parent.name / case.name / "generation_task" / "results"
    folder.mkdir(parents=True, exist_ok=True)
    if pages:
        write_pdf(folder / "slides.pdf", pages)
    for name, content in (files or {}).items():
        (folder / name).write_text(content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False))
    return folder


def write_pdf(path: Path, pages: int) -> None:
    """Write a PDF with a line of text on each page."""
    document = pymupdf.open()
    for number in range(1, pages + 1):
        document.new_page(width=640, height=360).insert_text((40, 60), f"Slide {number}")
    document.save(path)
    document.close()


def answers(counts: dict[str, dict[str, list[str | None]]]) -> dict[str, object]:
    """Return a result file's content: section → class → answers in order."""
    return {
        section: {
            key: {
                f"{key}.{place}": {
                    "answer": said,
                    "explanation": None if said is None else f"because \\boxed{{{said}}}",
                }
                | ({"log": "nothing came"} if said is None else {})
                for place, said in enumerate(listed, start=1)
            }
            for key, listed in classes.items()
        }
        for section, classes in counts.items()
    }


def reference_total(result: Path, weights: Path) -> tuple[float, int, int]:
    """Return total percent, yes and items of a result file as the rules of PresentBench say, from the files alone.

    Written from the description of its maths, with PyYAML's own resolution of values, so that a file that the
    reference would misread is misread here as well.
    """
    content = yaml.safe_load(result.read_text(encoding="utf-8"))
    points = yaml.safe_load(weights.read_text(encoding="utf-8"))
    reached, yes, items = 0.0, 0, 0
    for section in ("material_independent", "material_dependent"):
        for key, entries in content[section].items():
            met = sum(entry["answer"].strip().lower() == "yes" for entry in entries.values())
            reached += points[section].get(key, 0.0) * met / len(entries)
            yes, items = yes + met, items + len(entries)
    whole = points.get(
        "total", sum(sum(points[one].values()) for one in ("material_independent", "material_dependent"))
    )
    return 100 * reached / whole, yes, items
