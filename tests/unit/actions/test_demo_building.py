import json
import tempfile
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from PIL import Image

from studio.actions import demo
from studio.errors import BadInput, Cancelled, ProjectLocked, StudioError
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store.project import Project

RANKINGS = "instance_id,annotator_id,system,rank\nalpha,sample-1,Aster,1\nalpha,sample-1,Birch,2\n"


def small_material(folder: Path, *, is_full: bool = False) -> Path:
    """Write what a recipe writes, with decks of one picture."""
    for number, system in enumerate(("Aster", "Birch")):
        deck = folder / "alpha" / "decks" / system
        deck.mkdir(parents=True)
        Image.new("RGB", (32, 18), (number * 90, 20, 60)).save(deck / "slide_1.png")
    (folder / "alpha" / "sources").mkdir()
    (folder / "alpha" / "sources" / "text.md").write_text("# Alpha\n")
    for name, records in {
        "instances": [{"name": "alpha", "title": "Alpha", "scenario": "teaching", "language": "en"}],
        "systems": [{"name": "Aster", "version": "1"}, {"name": "Birch", "version": "2"}],
        "annotators": [{"id": "sample-1", "name": "Sample 1", "group": "expert"}],
    }.items():
        (folder / f"{name}.json").write_text(json.dumps(records))
    (folder / "rankings.csv").write_text(RANKINGS)
    checklists = {
        "author": "Sample author",
        "items": {"alpha": [{"dimension": "completeness", "text": "Is alpha named?"}]},
        "slide_limits": {"alpha": [1, 9]},
        "code_items": [],
        "answers": [{"instance": "alpha", "system": "Aster", "annotator": "sample-1", "no": {"0": 1}}],
    }
    (folder / "checklists.json").write_text(json.dumps(checklists))
    question = {"question": "What is it?", "options": ["Alpha", "Beta", "Gamma", "Delta"], "answer": "A"}
    (folder / "quiz_banks.json").write_text(json.dumps({"instruction": "alpha", "questions": [question]}))
    return folder


@pytest.fixture(autouse=True)
def small_recipe(monkeypatch, tmp_path):
    """Put a recipe with two tiny decks in place of the real one, and locks where no other test sees them."""
    monkeypatch.setattr(demo, "_recipe", lambda: SimpleNamespace(build=small_material))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def build(folder, *, rebuild=False, cancel=None, says=None):
    return demo.build_demo(
        folder,
        rebuild=rebuild,
        emit=lambda _: None,
        cancel=cancel or threading.Event(),
        say=(says.append if says is not None else lambda _: None),
    )


def identity(folder):
    with Project.open(folder) as project:
        return project.id


def test_that_the_recipe_s_records_reach_the_project(tmp_path):
    with Project.open(build(tmp_path / "demo")) as project:
        (instance,) = deck_store.list_instances(project)
        assert (instance.name, instance.title, instance.scenario) == ("alpha", "Alpha", "teaching")
        assert {system.name: system.version for system in deck_store.list_systems(project)} == {
            "Aster": "1",
            "Birch": "2",
        }
        (person,) = people_store.list_annotators(project)
        assert (person.name, person.is_sample) == ("Sample 1", True)


def test_that_a_built_demo_is_taken_as_it_is(tmp_path):
    says = []
    place = build(tmp_path / "demo", says=says)
    first = identity(place)
    assert len(says) == 1
    assert build(tmp_path / "demo", says=says) == place
    assert (identity(place), len(says)) == (first, 1)


def test_that_a_rebuild_keeps_the_old_ones_beside_it(tmp_path):
    place = build(tmp_path / "home" / "demo")
    ids = [identity(place)]
    for _ in range(2):
        build(place, rebuild=True)
        ids.append(identity(place))
    assert len(set(ids)) == 3
    assert sorted(path.name for path in place.parent.iterdir()) == ["demo", "demo-1", "demo-2"]
    assert [identity(place.parent / name) for name in ("demo-1", "demo-2", "demo")] == ids


def test_that_what_a_killed_build_left_is_cleared_away(tmp_path):
    left = tmp_path / "home" / ".demo-building-abc" / "project"
    left.mkdir(parents=True)
    (left / "project.db").write_text("half")
    build(tmp_path / "home" / "demo")
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["demo"]


def test_that_an_empty_folder_is_filled_and_another_s_is_left_alone(tmp_path):
    (tmp_path / "home" / "empty").mkdir(parents=True)
    build(tmp_path / "home" / "empty")
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["empty"]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep me")
    for rebuild in (False, True):
        with pytest.raises(BadInput, match="something else"):
            build(tmp_path / "mine", rebuild=rebuild)
    assert (tmp_path / "mine" / "notes.txt").read_text() == "keep me"


def test_that_a_cancelled_build_leaves_nothing(tmp_path):
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        build(tmp_path / "home" / "demo", cancel=cancel)
    assert list((tmp_path / "home").iterdir()) == []


def test_that_two_programs_do_not_build_at_once(tmp_path, monkeypatch):
    def meanwhile(folder, *, is_full):
        monkeypatch.setattr(demo, "_recipe", lambda: SimpleNamespace(build=small_material))
        with pytest.raises(ProjectLocked, match="another program"):
            build(tmp_path / "demo")
        return small_material(folder)

    monkeypatch.setattr(demo, "_recipe", lambda: SimpleNamespace(build=meanwhile))
    assert identity(build(tmp_path / "demo"))


def test_that_a_recipe_with_a_bad_deck_is_refused_whole(tmp_path, monkeypatch):
    def broken(folder, *, is_full):
        small_material(folder)
        (folder / "alpha" / "decks" / "Cedar.pptx").write_bytes(b"")
        return folder

    monkeypatch.setattr(demo, "_recipe", lambda: SimpleNamespace(build=broken))
    with pytest.raises(StudioError, match="could not be built"):
        build(tmp_path / "home" / "demo")
    assert list((tmp_path / "home").iterdir()) == []
