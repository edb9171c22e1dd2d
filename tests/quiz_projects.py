"""A project with real sources and decks for the tests of question banks."""

from __future__ import annotations

import threading
from pathlib import Path

from pptx import Presentation

from studio.actions import decks as deck_actions
from studio.store.project import Project

NAMES = ("station", "bridge", "reservoir", "library", "tunnel", "harbour", "school", "garden")


def long_source(pages: int, *, seed: int = 0) -> str:
    """Return Markdown of so many pages, a fact with its own number in every sentence."""
    parts = []
    for page in range(1, pages + 1):
        lines = [f"## Chapter {page} of the report", ""]
        for place, name in enumerate(NAMES):
            value = 1000 + 97 * page + 13 * place + seed
            lines.append(
                f"In district {page * 100 + place} the {name} counted {value:,} visits, as it was open longer. "
                "Nothing else of importance was reported by the people who work there every day of the week."
            )
        parts.append("\n".join(lines))
    return "# Report\n\n" + "\n\n".join(parts) + "\n"


def deck(path: Path, slides: list[tuple[str, list[str]]]) -> Path:
    """Write a PowerPoint file with a title and bullets on each slide, and return it."""
    made = Presentation()
    for title, bullets in slides:
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = title
        body = slide.placeholders[1].text_frame
        body.text = bullets[0] if bullets else ""
        for line in bullets[1:]:
            body.add_paragraph().text = line
    path.parent.mkdir(parents=True, exist_ok=True)
    made.save(str(path))
    return path


def quiz_project(
    folder: Path, material: Path, sources: dict[str, str], decks: dict[str, Path] | None = None
) -> Project:
    """Return a project with one instance for each source, whose decks are taken for every instance."""
    for name, text in sources.items():
        (material / name / "sources").mkdir(parents=True)
        (material / name / "sources" / "report.md").write_text(text, encoding="utf-8")
        (material / name / "instruction.md").write_text("Make slides of the report.", encoding="utf-8")
        for system, path in (decks or {}).items():
            target = material / name / "decks" / f"{system}.pptx"
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(path.read_bytes())
        if not decks:
            deck(material / name / "decks" / "Aster.pptx", [("Report", ["Nothing to see"])])
    project = Project.create(folder, title="Quiz study")
    report, _ = deck_actions.import_paths(
        project, [material], layout="folders", emit=lambda event: None, cancel=threading.Event()
    )
    assert not report.failed
    return project
