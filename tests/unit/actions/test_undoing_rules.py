"""Changes of a study's rules and training: taken back, brought back, and refused where answers would be lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from studio.actions import care, studies
from studio.actions.study_desk import read_studies, save_training, training_item
from studio.actions.study_plan import plan_study
from studio.errors import BadInput
from studio.model.studies import RankingRule, StudyKind
from studio.store import quality as quality_store
from studio.store import studies as study_store
from studio.store.care import Kind
from studio.store.project import Project
from tests.projects import make_project, person


@pytest.fixture
def project(tmp_path):
    with make_project(tmp_path / "study", instances=2) as made:
        yield made


def rules(project, study):
    return studies.study_named(project, study.id)


def test_that_changes_of_rules_are_taken_back_one_by_one_and_brought_back_also_after_a_restart(tmp_path):
    with make_project(tmp_path / "study", instances=2) as project:
        study, _ = studies.create_study(project, "Pilot", StudyKind.RANK, overlap=3)
        first = rules(project, study)
        second, _ = studies.save_study(project, replace(first, rule=RankingRule.TOP_K, top_k=2))
        studies.save_study(project, replace(second, name="整体印象", systems=("Aster", "Birch")))
        third = rules(project, study)
    with Project.open(tmp_path / "study", must_write=True) as project:
        assert read_studies(project).undo_words == "Changed the rules of Pilot"
        done, _ = studies.undo_study(project)
        assert (done.words, rules(project, study)) == ("Undone: Changed the rules of Pilot", second)
        studies.undo_study(project)
        assert rules(project, study) == first
        with pytest.raises(BadInput, match="nothing to undo in the studies"):
            studies.undo_study(project)
        for state in (second, third):
            studies.undo_study(project, is_redo=True)
            assert rules(project, study) == state
        with pytest.raises(BadInput, match="nothing to redo in the studies"):
            studies.undo_study(project, is_redo=True)


def test_that_saving_the_same_rules_is_no_change_to_undo(project):
    study, _ = studies.create_study(project, "Pilot", StudyKind.RANK)
    studies.save_study(project, rules(project, study))
    assert studies.study_acts(project) == (None, None)


def test_that_a_training_comes_back_whole(project):
    study, _ = studies.create_study(project, "Pilot", StudyKind.RANK)
    items = [training_item(study.id, f"Question {n}?", ["a", "b"], "a", "So.") for n in range(3)]
    save_training(project, study, items, pass_mark=0.5, tries=1, is_needed=True)
    save_training(project, rules(project, study), items[:1], pass_mark=0.5, tries=1, is_needed=True)
    done, _ = studies.undo_study(project)
    assert done.words == "Undone: Changed the training of Pilot"
    assert quality_store.training_items(project, study.id) == items
    studies.undo_study(project, is_redo=True)
    assert quality_store.training_items(project, study.id) == items[:1]


def test_that_closing_is_taken_back_and_the_plan_stays(project):
    who = person(project, "Ada")
    study, _ = studies.create_study(project, "Pilot", StudyKind.RANK)
    plan_study(project, study)
    studies.close_study(project, rules(project, study))
    studies.undo_study(project)
    assert not rules(project, study).is_closed
    assert len(study_store.list_assignments(project, study.id, annotator_id=who)) == 2


def test_that_rules_under_which_people_have_worked_since_are_not_taken_back(project):
    person(project, "Ada")
    study, _ = studies.create_study(project, "Pilot", StudyKind.PAIRWISE)
    changed, _ = studies.save_study(project, replace(rules(project, study), kind=StudyKind.RANK))
    plan_study(project, changed)
    with pytest.raises(BadInput, match="what it asks cannot be changed"):
        studies.undo_study(project)
    assert rules(project, study).kind is StudyKind.RANK
    assert studies.study_acts(project)[0].words == "Changed the rules of Pilot"


def test_that_the_library_and_the_studies_each_take_back_their_own(project):
    study, _ = studies.create_study(project, "Pilot", StudyKind.RANK)
    care.rename(project, Kind.INSTANCE, read_studies(project).instances[0].id, "renamed")
    studies.save_study(project, replace(rules(project, study), overlap=2))
    assert care.undo(project)[0].kind is Kind.INSTANCE
    assert rules(project, study).overlap == 2
    assert studies.undo_study(project)[0].kind is Kind.STUDY
    assert rules(project, study).overlap is None
    assert care.redo(project)[0].kind is Kind.INSTANCE
