"""Agreement on the usefulness of explanations, against figures worked out by hand."""

from __future__ import annotations

import pytest

from studio.actions import studies
from studio.actions.explanation_agreement import explanation_agreement
from studio.actions.explanation_units import Explanation, explanation_id, explanation_rows, plan_explanations
from studio.model.studies import StudyKind
from studio.store import studies as study_store
from studio.store.project import Project
from tests.human_answers import add_decks, add_explanation_rating, deck_id, person

SYSTEMS = ("alpha", "beta", "gamma", "delta")


@pytest.fixture
def project(tmp_path):
    made = Project.create(tmp_path / "study", title="Study")
    add_decks(made, ["one"], SYSTEMS)
    yield made
    made.close()


@pytest.fixture
def study(project):
    made, _ = studies.create_study(project, "Useful", StudyKind.RATE, scale_set="usefulness")
    return made


def explain(project, study) -> list[Explanation]:
    """Four explanations: two of flow by a model, two of coverage by a person."""
    made = [
        Explanation(
            deck_id=deck_id("one", system), metric="flow" if place < 2 else "coverage", text=f"About {system}.",
            written_by="judge-x" if place < 2 else "Ada Example",
        )
        for place, system in enumerate(SYSTEMS)
    ]  # fmt: skip
    plan_explanations(project, study, made, [person(project, "ada")])
    return made


def rate(project, study, explanations, name: str, points) -> None:
    for system, each, point in zip(SYSTEMS, explanations, points, strict=True):
        if point is not None:
            add_explanation_rating(
                project, name, "one", system, explanation_id(project, each),
                study=study_store.event_study(study.id) or "", usefulness=point,
            )  # fmt: skip


def test_that_every_couple_counts_and_the_best_one_is_named_apart(project, study):
    made = explain(project, study)
    # Spearman by 1 − 6·Σd²/60: ada and bo 1 − 6·2/60 = 0.8, ada and cy −1, bo and cy 1 − 6·18/60 = −0.8.
    for name, points in (("ada", (1, 2, 3, 4)), ("bo", (2, 1, 3, 4)), ("cy", (4, 3, 2, 1))):
        rate(project, study, made, name, points)
    found = explanation_agreement(explanation_rows(project, study))
    whole = found[0]
    assert (whole.dimension, whole.about, whole.n, whole.n_shared, whole.n_couples) == ("usefulness", "all", 4, 4, 3)
    assert whole.pairwise_mean == pytest.approx((0.8 - 1 - 0.8) / 3)
    assert whole.pairwise_max == pytest.approx(0.8)
    assert whole.mean == pytest.approx(30 / 12)
    assert [(row.about, row.name, row.n) for row in found[1:]] == [
        ("metric", "coverage", 2), ("metric", "flow", 2), ("written by", "Ada Example", 2),
        ("written by", "judge-x", 2),
    ]  # fmt: skip
    # Two explanations correlate with +1 or −1 whatever was said.
    assert {(row.pairwise_mean, row.undefined_reason) for row in found[1:]} == {(None, "too_few")}


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"ada": (1, 2, 3, 4)}, "one_rater"),
        ({"ada": (1, 2, 3, 4), "bo": (3, 3, 3, 3)}, "constant"),
        ({"ada": (1, 2, None, None), "bo": (None, 2, 3, 4)}, "too_few"),
    ],
)
def test_that_without_a_couple_the_reason_is_told(project, study, given, reason):
    made = explain(project, study)
    for name, points in given.items():
        rate(project, study, made, name, points)
    whole = explanation_agreement(explanation_rows(project, study))[0]
    assert (whole.pairwise_mean, whole.pairwise_max, whole.n_couples) == (None, None, 0)
    assert whole.undefined_reason == reason


def test_that_nothing_rated_is_no_row(project, study):
    explain(project, study)
    assert explanation_agreement(explanation_rows(project, study)) == ()
