from __future__ import annotations

import hashlib
import threading
from collections import namedtuple
from itertools import count
from pathlib import Path

import pytest

from studio.errors import BadInput, StudioError
from studio.model.answers import AnswerKind
from studio.model.ids import DeckId, InstanceId, RunId, Sha256
from studio.model.runs import Run, RunKind, RunState, UnitRecord, UnitStatus
from studio.model.scores import Score, Verdict
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import places
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.places import risk_of
from studio.store.project import Project
from studio.store.values import from_json, plain, to_json
from tests.projects import decks_of, instance_named, make_project, person
from tests.unit.store.other_programs import OtherProgram
from tests.unit.store.test_store_writing import event

Disk = namedtuple("Disk", "device mountpoint fstype opts")


@pytest.fixture
def project(tmp_path):
    with make_project(tmp_path / "study") as made:
        yield made


def original(tmp_path: Path, content: bytes = b"slides") -> tuple[Path, Sha256]:
    path = tmp_path / "a deck.pptx"
    path.write_bytes(content)
    return path, Sha256(hashlib.sha256(content).hexdigest())


def test_that_an_original_lies_under_its_content_and_others_may_read_it(project, tmp_path):
    path, asset = original(tmp_path)
    stored = project.add_asset(path, asset, "pptx")
    assert stored == project.folder / "assets" / f"{asset}.pptx"
    assert stored.read_bytes() == b"slides"
    assert stored.stat().st_mode & 0o444 == 0o444
    assert path.read_bytes() == b"slides"


def test_that_the_same_content_is_stored_once(project, tmp_path):
    path, asset = original(tmp_path)
    first = project.add_asset(path, asset, "pptx")
    before = first.stat()
    assert project.add_asset(path, asset, "pptx") == first
    assert first.stat().st_mtime_ns == before.st_mtime_ns
    assert len(list(first.parent.iterdir())) == 1


def test_that_a_file_that_changes_while_it_is_read_is_refused(project, tmp_path):
    path, _ = original(tmp_path)
    with pytest.raises(BadInput, match="changed while it was read"):
        project.add_asset(path, Sha256("0" * 64), "pptx")
    assert list((project.folder / "assets").iterdir()) == []


def test_that_a_file_that_is_gone_is_said_clearly(project, tmp_path):
    with pytest.raises(StudioError, match=r"gone\.pptx could not be copied .*No such file"):
        project.add_asset(tmp_path / "gone.pptx", Sha256("0" * 64), "pptx")
    assert list((project.folder / "assets").iterdir()) == []


SLOW_COPY = """
    import hashlib, sys
    from pathlib import Path
    from studio.store.project import Project
    project = Project.open(Path(sys.argv[1]), must_write=True)
    real = hashlib.sha256
    class Slow:
        def __init__(self):
            self.digest = real()
        def update(self, block):
            self.digest.update(block)
            print("block", flush=True)
            sys.stdin.readline()
    hashlib.sha256 = Slow
    project.add_asset(Path(sys.argv[2]), sys.argv[3], "pptx")
"""


def test_that_a_killed_copy_leaves_no_half_original(project, tmp_path):
    path, asset = original(tmp_path, b"x" * (3 << 20))
    project.close()
    with OtherProgram(SLOW_COPY, project.folder, path, asset) as copying:
        assert copying.line() == "block"
        copying.kill()
    assert not project.asset_path(asset, "pptx").exists()
    assert len(list((project.folder / "assets").iterdir())) == 1
    with Project.open(project.folder, must_write=True) as again:
        assert list((again.folder / "assets").iterdir()) == []
        assert again.add_asset(path, asset, "pptx").stat().st_size == 3 << 20


def test_that_pictures_of_a_killed_rendering_are_cleared_away_by_the_next_writer(project):
    half = project.cache_folder / ".pages-abc.123.456"
    whole = project.cache_folder / "pages-abc"
    for folder in (half, whole):
        folder.mkdir()
        (folder / "slide_0001.png").write_bytes(b"x")
    Project.open(project.folder).close()
    assert half.exists()
    project.close()
    Project.open(project.folder, must_write=True).close()
    assert not half.exists()
    assert whole.exists()


def test_that_a_reader_does_not_clear_away_the_copy_of_the_writer(project):
    half = project.folder / "assets" / ".incoming-abc"
    half.write_bytes(b"x")
    Project.open(project.folder).close()
    assert half.exists()


def test_that_a_copy_is_whole_without_the_cache(project, tmp_path):
    path, asset = original(tmp_path)
    project.add_asset(path, asset, "pptx")
    (project.folder / "assets" / ".incoming-half").write_bytes(b"x")
    (project.cache_folder / "page.png").write_bytes(b"x")
    copy = project.save_copy(tmp_path / "elsewhere" / "copy")
    assert sorted(item.name for item in copy.rglob("*")) == sorted(
        ["assets", "cache", "exports", "project.db", f"{asset}.pptx"]
    )
    with Project.open(copy, must_write=True) as again:
        assert again.id == project.id
        assert deck_store.list_decks(again) == deck_store.list_decks(project)
    assert [item.name for item in (tmp_path / "elsewhere").iterdir()] == ["copy"]


def test_that_a_copy_made_while_others_write_is_a_moment_of_the_project(project, tmp_path):
    instance, who = instance_named(project, "topic-1"), person(project, "Ada")
    stop = threading.Event()

    def write() -> None:
        for number in count():
            if stop.is_set():
                return
            # Both or neither must be in the copy.
            with project.writing():
                answer_store.append(project, event(2 * number, instance, who))
                answer_store.append(project, event(2 * number + 1, instance, who))

    thread = threading.Thread(target=write)
    thread.start()
    try:
        copies = [project.save_copy(tmp_path / f"copy-{number}") for number in range(3)]
    finally:
        stop.set()
        thread.join()
    sizes = []
    for copy in copies:
        with Project.open(copy, must_write=True) as again:
            uids = [item.uid for item in answer_store.events_of(again, AnswerKind.RANKING)]
        assert uids == [f"u{number}" for number in range(len(uids))]
        assert len(uids) % 2 == 0
        sizes.append(len(uids))
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("comes_first", [True, False])
def test_that_an_original_that_comes_during_a_copy_is_not_missing_from_it(project, tmp_path, monkeypatch, comes_first):
    path, asset = original(tmp_path)
    deck = decks_of(project, "topic-1")["Aster"]
    real = project._database.copy_to

    def import_one() -> None:
        project.add_asset(path, asset, "pptx")
        with project.writing() as db:
            db.execute("UPDATE decks SET asset = ? WHERE id = ?", [asset, deck])

    def copy_to(target: Path) -> None:
        if comes_first:
            import_one()
        real(target)
        if not comes_first:
            import_one()

    monkeypatch.setattr(project._database, "copy_to", copy_to)
    with Project.open(project.save_copy(tmp_path / "copy")) as again:
        (named,) = [item.asset for item in deck_store.list_decks(again) if item.id == deck]
        assert (named == asset) is comes_first
        assert again.asset_path(asset, "pptx").is_file()


def test_that_a_copy_goes_nowhere_it_does_harm(project, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    with pytest.raises(BadInput, match="not empty"):
        project.save_copy(tmp_path / "full")
    with pytest.raises(BadInput, match="inside its own"):
        project.save_copy(project.folder / "exports" / "copy")
    (tmp_path / "a file").write_text("mine")
    with pytest.raises(BadInput, match="could not be written"):
        project.save_copy(tmp_path / "a file" / "copy")
    (tmp_path / ".kept.partial").mkdir()
    (tmp_path / "empty").mkdir()
    project.save_copy(tmp_path / "empty")
    assert (tmp_path / ".kept.partial").is_dir()


@pytest.mark.parametrize(
    "name",
    [
        "Dropbox", "Dropbox (Personal)", "my dropbox", "OneDrive", "OneDrive - Example Ltd", "Google Drive",
        "GoogleDrive-me@example.org", "iCloud Drive", "iCloudDrive", "com~apple~CloudDocs", "Nextcloud", "ownCloud",
        "Box Sync", "CloudStorage",
    ],
)  # fmt: skip
def test_that_synced_folders_are_told_by_name(tmp_path, name):
    assert name in (risk_of(tmp_path / name / "studies" / "a") or "")


@pytest.mark.parametrize("name", ["Box Syncope", "Dropboxes", "cloud", "my-onedriver", "Sync study", "box sync2"])
def test_that_other_names_are_no_risk(tmp_path, monkeypatch, name):
    monkeypatch.setattr(places.psutil, "disk_partitions", lambda all: [Disk("/dev/x", "/", "ext4", "")])
    assert risk_of(tmp_path / name / "study") is None


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "smb3", "fuse.sshfs", "9p", "AFPFS"])
def test_that_a_network_file_system_is_a_risk(tmp_path, monkeypatch, kind):
    disks = [Disk("/dev/x", "/", "ext4", ""), Disk("server:/x", str(tmp_path / "net"), kind, "")]
    monkeypatch.setattr(places.psutil, "disk_partitions", lambda all: disks)
    assert kind.lower() in (risk_of(tmp_path / "net" / "study") or "")
    # A neighbour whose name begins the same lies on the other disk.
    assert risk_of(tmp_path / "network" / "study") is None


def test_that_the_nearest_mount_decides(tmp_path, monkeypatch):
    disks = [
        Disk("/dev/x", "/", "ext4", ""),
        Disk("server:/x", str(tmp_path), "nfs", ""),
        Disk("/dev/y", str(tmp_path / "local"), "xfs", ""),
    ]
    monkeypatch.setattr(places.psutil, "disk_partitions", lambda all: disks)
    assert risk_of(tmp_path / "local" / "study") is None
    assert "nfs" in (risk_of(tmp_path / "study") or "")


def test_that_hidden_mounts_do_not_keep_a_project_shut(project, monkeypatch):
    def hidden(all: bool) -> list[Disk]:
        raise PermissionError("/proc is hidden")

    monkeypatch.setattr(places.psutil, "disk_partitions", hidden)
    assert risk_of(project.folder) is None


def test_that_a_risk_is_a_notice_of_the_project(tmp_path):
    with Project.create(tmp_path / "Dropbox" / "study") as made:
        assert "Dropbox" in made.notices[0]
    with Project.open(tmp_path / "Dropbox" / "study") as again:
        assert not again.is_read_only
        assert "Dropbox" in again.notices[0]


def test_that_values_go_to_json_and_back():
    value = {"a": (1, 2.5, None, True), "b": "模型 🙂\n", "c": frozenset({"y", "x"}), "d": RunKind.RENDER}
    assert from_json(to_json(value)) == {"a": [1, 2.5, None, True], "b": "模型 🙂\n", "c": ["x", "y"], "d": "render"}
    assert plain({3: {UnitStatus.OK}}) == {"3": ["ok"]}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"a": [float("-inf")]}])
def test_that_nan_never_gets_into_json(value):
    with pytest.raises(ValueError, match="Out of range"):
        to_json(value)


def score(project: Project, value: float | None, **more) -> Score:
    deck = deck_store.list_decks(project)[0]
    fields = {
        "run_id": None, "metric": "m", "metric_version": 1, "preset": "benchmark", "deck_id": deck.id,
        "instance_id": deck.instance_id, "slide": None, "value": value,
        "undefined_reason": "no_text" if value is None else None,
    }  # fmt: skip
    return Score(**(fields | more))


def test_that_the_newest_score_of_a_kind_is_the_current_one(project):
    score_store.append_scores(project, [score(project, 1.0), score(project, 5.0, preset="other")])
    score_store.append_scores(project, [score(project, 2.0), score(project, 0.5, slide=1)])
    assert {(item.preset, item.slide): item.value for item in score_store.current_scores(project)} == {
        ("benchmark", None): 2.0,
        ("other", None): 5.0,
    }
    with_slides = score_store.current_scores(project, with_slides=True)
    assert {(item.preset, item.slide): item.value for item in with_slides} == {
        ("benchmark", None): 2.0,
        ("other", None): 5.0,
        ("benchmark", 1): 0.5,
    }


def test_that_an_undefined_score_keeps_its_reason_and_details(project):
    made = score(project, None, raster_px=(1280, 720), flags=("no_text",), detail={"a": [1]})
    score_store.append_scores(project, [made])
    assert score_store.current_scores(project) == [made]


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_that_a_score_that_is_no_number_is_refused(project, value):
    with pytest.raises(ValueError, match="None with a reason"):
        score_store.append_scores(project, [score(project, 1.0), score(project, value)])
    assert score_store.current_scores(project) == []
    verdict = Verdict(
        run_id=None, judge_id="j", model="", prompt_version="", instance_id=InstanceId("i"), deck_id=DeckId("d"),
        item_id="x", verdict="yes", score=value,
    )  # fmt: skip
    with pytest.raises(ValueError, match="None with a reason"):
        score_store.append_verdicts(project, [verdict])


def a_run(project: Project, run_id: str) -> RunId:
    run_store.add_run(
        project,
        Run(
            id=RunId(run_id), kind=RunKind.METRICS, title="t", spec={}, state=RunState.RUNNING, started_at="2026",
            total=3,
        ),
    )  # fmt: skip
    return RunId(run_id)


def test_that_only_units_with_a_good_result_count_as_scored(project):
    deck = deck_store.list_decks(project)[0]
    run_id = a_run(project, "r1")
    for key, status in (("good", UnitStatus.OK), ("late", UnitStatus.TIMED_OUT), ("blocked", UnitStatus.SKIPPED)):
        score_store.append_scores(project, [score(project, None, run_id=run_id)], unit_key=key)
        record = UnitRecord(
            run_id=run_id, key=key, deck_id=deck.id, instance_id=deck.instance_id, label="", status=status
        )
        run_store.add_units(project, [record])
    score_store.append_scores(project, [score(project, 1.0)])
    assert score_store.scored_units(project) == {("good", deck.id)}


def test_that_runs_found_running_are_marked_as_interrupted(project):
    running = a_run(project, "r1")
    ended = a_run(project, "r2")
    run_store.end_run(project, ended, RunState.DONE, {})
    assert run_store.mark_interrupted(project) == 1
    assert {run.id: run.state for run in run_store.list_runs(project)} == {
        running: RunState.INTERRUPTED,
        ended: RunState.DONE,
    }
    assert run_store.mark_interrupted(project) == 0


def test_that_a_run_counts_its_units_from_their_rows(project):
    deck = deck_store.list_decks(project)[0]
    run_id = a_run(project, "r1")
    records = [
        UnitRecord(run_id=run_id, key=str(n), deck_id=deck.id, instance_id=deck.instance_id, label="x", status=status)
        for n, status in enumerate([UnitStatus.OK, UnitStatus.OK, UnitStatus.TOOL_ERROR])
    ]
    run_store.add_units(project, records)
    assert run_store.list_runs(project)[0].counts == {"ok": 2, "tool_error": 1}
    assert run_store.units_of(project, run_id) == records


def test_that_events_are_found_by_kind_instance_and_person(project):
    first, second = instance_named(project, "topic-1"), instance_named(project, "topic-2")
    ada, grace = person(project, "Ada"), person(project, "Grace")
    for number, (instance, who) in enumerate([(first, ada), (second, ada), (first, grace)]):
        answer_store.append(project, event(number, instance, who))

    def uids(**where) -> list[str]:
        return [item.uid for item in answer_store.events_of(project, AnswerKind.RANKING, **where)]

    assert uids() == ["u0", "u1", "u2"]
    assert uids(instance_id=first) == ["u0", "u2"]
    assert uids(annotator_id=ada) == ["u0", "u1"]
    assert uids(instance_id=first, annotator_id=grace) == ["u2"]
    assert answer_store.events_of(project, AnswerKind.PAIR) == []
    assert answer_store.known_uids(project) == {"u0", "u1", "u2"}
