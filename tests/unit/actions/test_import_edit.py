from pathlib import Path

import pytest

from studio.actions.import_edit import FileRole, ImportEdit, known_decks
from studio.decks.layouts import ImportPlan, PlannedDeck, PlannedFailure, PlannedInstance, PlannedSource
from studio.errors import BadInput
from studio.model.decks import Deck, DeckFormat, DeckStatus, Failure, FailureKind, Instance, SourceFormat
from studio.model.ids import DeckId, InstanceId
from studio.store import decks as deck_store
from studio.store.project import Project


def deck(name: str, system: str, *, failure: Failure | None = None) -> PlannedDeck:
    path = Path("in") / name
    format = DeckFormat.PDF if path.suffix == ".pdf" else DeckFormat.PPTX
    return PlannedDeck(path=path, system=system, format=format, failure=failure)


def instance(name: str, *decks: PlannedDeck, sources: tuple[PlannedSource, ...] = ()) -> PlannedInstance:
    return PlannedInstance(name=name, title=name.title(), instruction=None, sources=sources, decks=decks)


SOURCE = PlannedSource(path=Path("in/paper.pdf"), name="paper.pdf", format=SourceFormat.PDF)
BROKEN = Failure(kind=FailureKind.TRUNCATED, message="gamma.pptx ends too early.")


@pytest.fixture
def edit() -> ImportEdit:
    plan = ImportPlan(
        instances=(
            instance("ports", deck("alpha.pptx", "alpha"), deck("beta.pdf", "beta"), sources=(SOURCE,)),
            instance("tides", deck("alpha2.pptx", "alpha"), deck("gamma.pptx", "gamma", failure=BROKEN)),
        ),
        failures=(PlannedFailure(path=Path("in/notes.xyz"), kind="unreadable", reason="notes.xyz is no deck."),),
    )
    return ImportEdit(plan, known={"ports": {"beta"}})


def key_of(edit: ImportEdit, name: str) -> int:
    return next(file.key for group in edit.groups for file in group.files if file.path.name == name)


def names(edit: ImportEdit) -> dict[str, list[str]]:
    return {group.name: [file.path.name for file in group.files] for group in edit.groups}


def test_that_an_unchanged_plan_comes_back_as_it_was(edit):
    plan = edit.plan()
    assert [item.name for item in plan.instances] == ["ports", "tides"]
    assert [item.system for item in plan.instances[0].decks] == ["alpha", "beta"]
    assert plan.instances[0].sources == (SOURCE,)
    assert plan.instances[1].decks[1].failure == BROKEN
    assert len(plan.failures) == 1


def test_that_counts_tell_failed_excluded_and_refused_files_apart(edit):
    edit.exclude({key_of(edit, "beta.pdf")})
    counts = edit.counts()
    # alpha.pptx and alpha2.pptx are good, gamma.pptx is kept as failed, beta.pdf is out, notes.xyz is refused.
    assert (counts.instances, counts.decks, counts.failed, counts.sources) == (2, 2, 1, 1)
    assert (counts.excluded, counts.refused, counts.systems) == (1, 1, 2)


def test_that_a_system_is_renamed_in_every_instance(edit):
    edit.map_system("alpha", "Alpha 2.0")
    assert edit.systems() == {"Alpha 2.0": 2, "beta": 1, "gamma": 1}


def test_that_renaming_one_deck_leaves_the_others_alone(edit):
    edit.name_file(key_of(edit, "alpha2.pptx"), "delta")
    assert edit.systems() == {"alpha": 1, "beta": 1, "delta": 1, "gamma": 1}


def test_that_two_decks_of_one_system_clash_and_stop_the_import(edit):
    edit.name_file(key_of(edit, "beta.pdf"), "alpha")
    (clash,) = edit.clashes()
    assert clash.system == "alpha"
    assert set(clash.files) == {key_of(edit, "alpha.pptx"), key_of(edit, "beta.pdf")}
    assert edit.problems() == ["ports: 2 decks of alpha; one system has one deck there."]
    with pytest.raises(BadInput):
        edit.plan()


def test_that_excluding_one_of_two_clashing_decks_solves_the_clash(edit):
    edit.name_file(key_of(edit, "beta.pdf"), "alpha")
    edit.exclude({key_of(edit, "beta.pdf")})
    assert edit.problems() == []
    assert [item.system for item in edit.plan().instances[0].decks] == ["alpha"]


def test_that_an_instance_renamed_to_another_one_joins_it(edit):
    edit.rename(edit.groups[1].key, "ports")
    assert names(edit) == {"ports": ["alpha.pptx", "beta.pdf", "paper.pdf", "alpha2.pptx", "gamma.pptx"]}
    assert [clash.system for clash in edit.clashes()] == ["alpha"]


def test_that_files_move_to_another_instance(edit):
    edit.move({key_of(edit, "beta.pdf")}, edit.groups[1].key)
    assert names(edit) == {
        "ports": ["alpha.pptx", "paper.pdf"],
        "tides": ["alpha2.pptx", "gamma.pptx", "beta.pdf"],
    }


def test_that_an_instance_whose_last_file_moved_away_is_gone(edit):
    edit.move({key_of(edit, "alpha2.pptx"), key_of(edit, "gamma.pptx")}, "winds")
    assert names(edit) == {
        "ports": ["alpha.pptx", "beta.pdf", "paper.pdf"],
        "winds": ["alpha2.pptx", "gamma.pptx"],
    }


def test_that_moving_to_a_known_name_makes_no_second_instance(edit):
    edit.move({key_of(edit, "gamma.pptx")}, "ports")
    assert list(names(edit)) == ["ports", "tides"]


def test_that_a_pdf_may_be_a_source_instead_of_a_deck_and_back(edit):
    key = key_of(edit, "beta.pdf")
    edit.use_as({key}, FileRole.SOURCE)
    planned = edit.plan().instances[0]
    assert [(item.name, item.format) for item in planned.sources] == [
        ("beta.pdf", SourceFormat.PDF),
        ("paper.pdf", SourceFormat.PDF),
    ]
    edit.use_as({key}, FileRole.DECK)
    assert [item.system for item in edit.plan().instances[0].decks] == ["alpha", "beta"]


def test_that_a_powerpoint_file_stays_a_deck(edit):
    before = edit.groups
    edit.use_as({key_of(edit, "alpha.pptx")}, FileRole.SOURCE)
    assert edit.groups == before
    assert not edit.can_undo


def test_that_undo_and_redo_walk_through_the_changes(edit):
    before = edit.groups
    edit.map_system("alpha", "A")
    edit.rename(edit.groups[0].key, "harbours")
    after = edit.groups
    edit.undo()
    edit.undo()
    assert edit.groups == before
    edit.redo()
    edit.redo()
    assert edit.groups == after
    edit.undo()
    edit.map_system("beta", "B")
    assert not edit.can_redo


def test_that_a_deck_whose_place_is_taken_in_the_project_is_told(edit):
    assert edit.known_decks() == {key_of(edit, "beta.pdf")}
    assert edit.is_known(edit.groups[0])
    assert not edit.is_known(edit.groups[1])


def test_that_empty_names_are_refused(edit):
    for change in (
        lambda: edit.rename(edit.groups[0].key, "  "),
        lambda: edit.name_file(key_of(edit, "beta.pdf"), ""),
        lambda: edit.map_system("alpha", " "),
        lambda: edit.move({1}, ""),
    ):
        with pytest.raises(BadInput):
            change()


def test_that_a_plan_with_everything_excluded_cannot_begin(edit):
    edit.exclude({file.key for group in edit.groups for file in group.files})
    assert edit.problems() == ["Nothing is left to import."]
    assert edit.counts().instances == 0


def test_that_the_systems_with_a_deck_are_known_by_instance(tmp_path):
    with Project.create(tmp_path / "study") as project:
        for name in ("ports", "tides"):
            deck_store.add_instance(project, Instance(id=InstanceId(name), name=name, title=name))
        for system, status in (("alpha", DeckStatus.PRESENT), ("beta", DeckStatus.MISSING)):
            deck_store.add_deck(
                project,
                Deck(
                    id=DeckId(system), instance_id=InstanceId("ports"), system=system, status=status,
                    system_id=deck_store.system_named(project, system).id,
                ),
            )  # fmt: skip
        assert known_decks(project) == {"ports": frozenset({"alpha"}), "tides": frozenset()}
