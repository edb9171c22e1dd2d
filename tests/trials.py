"""A study of picture decks, and a scripted judge that answers checklist items, for tests of trying an item."""

from __future__ import annotations

import json
import threading
from pathlib import Path

from studio.actions import checklists as author
from studio.actions.decks import import_paths
from studio.model.authoring import EVERYWHERE
from studio.model.checklists import Dimension, Item, ItemKind, RuleCall
from studio.store.project import Project
from tests.flows.made_here import instances

AUTHOR = "Ada Example (invented)"
SYSTEMS = ("Aster", "Birch", "Cedar", "Dahlia")


def trial_project(folder: Path) -> Project:
    """Return an open project with two instances, each with picture decks of four systems."""
    project = Project.create(folder / "study", title="Trials")
    instances(folder / "in", ("rivers", "roofs"), systems=SYSTEMS, slides=2)
    import_paths(project, [folder / "in"], emit=lambda _: None, cancel=threading.Event())
    return project


def question(project: Project, text: str = "Is every slide calm?") -> Item:
    """Store a question in the list of everywhere."""
    return author.add_item(project, EVERYWHERE, Dimension.DESIGN, text, author=AUTHOR)[0]


def code_item(project: Project, rule: str = "slide_count", **parameters: object) -> Item:
    """Store a code item in the list of everywhere."""
    return author.add_item(
        project, EVERYWHERE, Dimension.FUNDAMENTALS, "Is the number of slides right?", author=AUTHOR,
        kind=ItemKind.CODE, rule=RuleCall(rule=rule, parameters=parameters),
    )[0]  # fmt: skip


def script(folder: Path, answer: str = "no", words: str = "calm") -> str:
    """Write a scripted judge that says one thing wherever some words are asked, and return its name."""
    path = folder / "script.json"
    lines = [{"text": words, "reply": f"Slide 2 has five colours. \\boxed{{{answer}}}"}]
    path.write_text(json.dumps({"format": "podium scripted judge", "lines": lines}), encoding="utf-8")
    return f"scripted:{path}"
