"""The sources of the demo's instances, each in the file format of its kind, built from Markdown."""

from __future__ import annotations

from pathlib import Path

from podium_demo.content import source_text
from podium_demo.outline import DemoInstance
from podium_demo.sources import page, paper, report


def write_source(instance: DemoInstance, folder: Path) -> None:
    """Write the instance's source file into the folder, in the format that its name says."""
    target = folder / instance.source
    text = source_text(instance)
    match target.suffix:
        case ".pdf":
            paper.write_pdf(instance, text, target)
        case ".docx":
            report.write_docx(instance, text, target)
        case ".html":
            page.write_html(instance, text, target)
        case _:
            target.write_text(text, encoding="utf-8", newline="\n")
