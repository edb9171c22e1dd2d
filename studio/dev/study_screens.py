"""Pictures of the studies window in each of its tabs, with studies, people and answers that are invented."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from studio.actions import known_answers, quality, studies
from studio.actions.explanation_units import Explanation, plan_explanations
from studio.actions.projects import open_project
from studio.actions.study_plan import people_asked, plan_study
from studio.dev.answer_screens import STUDIES
from studio.gui.dialogs.merge_answers import MergeAnswers
from studio.gui.main_window import MainWindow
from studio.model.packs import MergeReport
from studio.model.studies import StudyKind
from studio.store import decks as deck_store

PEOPLE = (
    ("Sample expert (invented)", "expert", "Five years of slide design"),
    ("Sample student (invented)", "design student", "Second year"),
    ("示例用户（虚构）", "end user", "母语者"),
)
PLANNED = "Planned with an overlap of two"


def prepare_studies(folder: Path) -> None:
    """Put people, a planned study with known answers, and explanations into a project that has studies."""
    with open_project(folder, must_write=True) as project:
        for name, group, qualification in PEOPLE:
            quality.set_profile(project, name, group=group, qualification=qualification)
        study, _ = studies.create_study(project, PLANNED, StudyKind.RANK, overlap=2)
        plan_study(project, study)
        instance = deck_store.list_instances(project)[0]
        decks = [deck.id for deck in studies.study_decks(project, study, instance.id)]
        known_answers.set_known_order(project, study, instance.id, decks[:2])
        useful, _ = studies.create_study(project, "Useful explanations", StudyKind.RATE, scale_set="usefulness")
        said = [
            Explanation(deck_id=decks[0], metric="coverage", text="Slide 2 lacks the second topic of the source.",
                        written_by="a judge", known_defect="topic taken out"),
            Explanation(deck_id=decks[0], metric="flow", text="第 3 页与前后不连贯。", written_by="a person"),
        ]  # fmt: skip
        plan_explanations(project, useful, said, people_asked(project, useful))


def take_studies(window: MainWindow, settle: Callable[[], None], grab: Callable[[QWidget, str], object]) -> None:
    """Go through the tabs of the studies window; the project with the studies is open for an author."""
    window.studies.open()
    settle()
    shown = window.studies.shown
    assert shown is not None
    assert shown.desk is not None
    names = {row.study.name: row.study.id for row in shown.desk.rows}
    shown.choose(names[PLANNED])
    settle()
    for tab in ("rules", "results", "packs"):
        shown.show_tab(tab)
        settle()
        grab(shown, f"studies-{tab}")
    shown.choose(names[STUDIES[-1][0]])
    settle()
    shown.show_tab("training")
    settle()
    grab(shown, "studies-training")
    shown.choose(names["Useful explanations"])
    settle()
    shown.show_tab("explanations")
    settle()
    grab(shown, "studies-explanations")
    for tab in ("people", "guidelines", "scales"):
        shown.show_tab(tab)
        settle()
        grab(shown, f"studies-{tab}")
    shown.new_study()
    form = shown.rules.form
    form.instances.every.setChecked(False)
    form.systems.every.setChecked(False)
    form.strata["scenario"].setChecked(True)
    form.overlap.setValue(5)
    settle()
    grab(shown, "studies-new")
    merging = MergeAnswers(
        [
            MergeReport(file="ada.answers.jsonl", annotator=PEOPLE[0][0], new=12, same=3, conflicting=2),
            MergeReport(file="很长的名字-用户.answers.jsonl", annotator=PEOPLE[2][0], same=20, over_quota=1,
                        refused=((21, "the line is cut off"),)),
        ],
        shown,
    )  # fmt: skip
    merging.open()
    settle()
    grab(merging, "studies-merge")
    merging.reject()
    window.studies.close()
    settle()
