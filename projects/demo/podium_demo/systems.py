"""The five invented systems of the demo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from podium_demo.outline import DemoInstance, Take
from podium_demo.styles import canvas, minimal, template, vector, web


@dataclass(frozen=True, kw_only=True)
class DemoSystem:
    """A system that exists in the demo only."""

    name: str
    """Also the name of its deck files."""
    extension: str
    """Empty for a folder of pictures."""
    paradigm: str
    settings: str
    adaptation: str
    build: Callable[[DemoInstance, Take, Path], None]

    def record(self) -> dict[str, object]:
        """Return what `systems.json` says about the system."""
        return {
            "name": self.name,
            "version": "1.0 (invented)",
            "paradigm": self.paradigm,
            "access_date": "2026-01-01",
            "settings": self.settings,
            "adaptation": self.adaptation,
            "is_sample": True,
        }


SYSTEMS: tuple[DemoSystem, ...] = (
    DemoSystem(
        name="Demo Template",
        extension=".pptx",
        paradigm="template",
        settings="Invented demo system: own slide master, native charts and tables, speaker notes",
        adaptation="None",
        build=template.build,
    ),
    DemoSystem(
        name="Demo Minimal",
        extension=".pptx",
        paradigm="template",
        settings="Invented demo system: bullets in the plainest layouts",
        adaptation="None",
        build=minimal.build,
    ),
    DemoSystem(
        name="Demo Vector",
        extension=".pdf",
        paradigm="code",
        settings="Invented demo system: vector drawing, dark ground",
        adaptation="Exported as PDF",
        build=vector.build,
    ),
    DemoSystem(
        name="Demo Web",
        extension=".html",
        paradigm="html",
        settings="Invented demo system: one HTML page of sections, 1280 × 720",
        adaptation="Scripts left out; every section is static",
        build=web.build,
    ),
    DemoSystem(
        name="Demo Canvas",
        extension="",
        paradigm="image",
        settings="Invented demo system: one picture a slide, 1280 × 720",
        adaptation="Pictures put into a folder in their order",
        build=canvas.build,
    ),
)
