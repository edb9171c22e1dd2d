"""Scores of many stored verdicts: as many questions to the database for many decks as for few, and the same totals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from studio.actions import checklist_scores
from studio.checklists.scoring import DIMENSION_ORDER
from studio.model.checklists import Item, ItemId
from studio.model.scores import Verdict
from studio.store import checklists as checklist_store
from studio.store import decks as deck_store
from studio.store import scores as score_store
from studio.store.project import Project
from tests.projects import make_project

JUDGE = "openai:m-1"


def filled(folder: Path, *, instances: int) -> Project:
    project = make_project(folder, instances=instances, systems=("Aster", "Birch"))
    items = [
        Item(id=ItemId(f"q{n}"), version=1, dimension=DIMENSION_ORDER[n % 2], text=f"Is {n} met?", position=float(n))
        for n in range(4)
    ]
    checklist_store.save_items(project, items, author="tester", verb="add", words="Added")
    for deck in deck_store.list_decks(project):
        score_store.append_verdicts(project, [said(deck, item.id, "yes") for item in items])
    return project


def said(deck, item: str, verdict: str, **more: object) -> Verdict:
    made = Verdict(
        run_id=None, judge_id=JUDGE, model="m-1", prompt_version="1", instance_id=deck.instance_id, deck_id=deck.id,
        item_id=item, verdict=verdict,
    )  # fmt: skip
    return replace(made, **more)  # type: ignore[arg-type]


def statements(project: Project) -> int:
    counted: list[str] = []
    connection = project.reading().conn
    connection.set_trace_callback(counted.append)
    checklist_scores.project_scores(project, JUDGE)
    connection.set_trace_callback(None)
    return len(counted)


def test_that_the_database_is_asked_as_often_for_many_decks_as_for_few(tmp_path: Path) -> None:
    counts = []
    for instances in (1, 6):
        project = filled(tmp_path / str(instances), instances=instances)
        counts.append(statements(project))
        project.close()
    assert counts[0] == counts[1]


def test_that_the_newest_verdict_of_the_first_repeat_counts_and_a_failed_unit_is_no_answer(tmp_path: Path) -> None:
    project = filled(tmp_path / "study", instances=1)
    first, second = deck_store.list_decks(project)
    score_store.append_verdicts(
        project,
        [
            said(first, "q0", "no"), said(first, "q1", "", status="parse_error"),
            said(first, "q2", "no", repeat=1), said(second, "q0", "no", judge_id="openai:other"),
        ],
    )  # fmt: skip
    scores = checklist_scores.project_scores(project, JUDGE)
    totals = {deck.deck_id: total for deck, total in zip(scores.decks, scores.totals, strict=True)}
    # Two dimensions of two items: q0 is no now, q1 has no answer, which counts as not met; the repeat does not count.
    assert totals[first.id] == pytest.approx((50 + 50) / 2)
    assert totals[second.id] == pytest.approx(100.0)
    assert score_store.judges_that_said(project, ["yes", "no"]) == ["openai:m-1", "openai:other"]
    project.close()
