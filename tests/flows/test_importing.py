import os
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from tests.flows.made_here import instances, picture_deck
from tests.shared_files import shared
from tests.unit.decks.decks_made_here import pdf_bytes

FACTS = {
    "format", "container", "slides", "hidden_slides", "slide_size_emu", "text_boxes", "groups", "pictures", "charts",
    "tables", "smartart", "media", "animations", "transitions", "notes", "fonts", "warnings", "failure",
}  # fmt: skip
NOTHING = {"instances": 0, "sources": 0, "decks": 0}


@pytest.fixture
def project(studio, tmp_path):
    folder = tmp_path / "study"
    assert studio("new", folder).code == 0
    return folder


def files_of(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_that_a_path_named_twice_comes_in_once(studio, project, tmp_path):
    material = instances(tmp_path / "material", ["alpha"], systems=("Aster", "Birch"))
    inside = material / "alpha" / "decks" / "Aster"
    link = tmp_path / "link"
    link.symlink_to(material)
    first = studio("import", project, material, material, link, inside, "--no-render", "--json")
    assert first.json == {"added": {"instances": 1, "sources": 1, "decks": 2}, "skipped": 0, "failed": []}


def test_that_systems_with_the_same_file_are_rendered_at_once(studio, project, tmp_path):
    material = instances(tmp_path / "material", ["alpha"], systems=("Aster",), slides=2)
    decks = material / "alpha" / "decks"
    for number in range(24):
        shutil.copytree(decks / "Aster", decks / f"Copy {number}")
    done = studio("import", project, material, "--json")
    assert (done.code, done.json["failed"]) == (0, [])
    assert studio("status", project, "--json").json["rendered"] == 25


@pytest.mark.skipif(sys.platform == "darwin", reason="its file systems take UTF-8 names only")
def test_that_names_that_are_no_text_are_shown_with_a_mark_and_stop_nothing(process, project, tmp_path):
    folder = tmp_path / os.fsdecode(b"caf\xe9") / "decks"
    folder.mkdir(parents=True)
    (folder / os.fsdecode(b"m\xfcnchen.pdf")).write_bytes(pdf_bytes([(720, 405, "one")]))
    (folder / os.fsdecode(b"\xff.pptx")).write_bytes(b"")
    (folder / os.fsdecode(b"\xfe.exe")).write_bytes(b"MZ\x00\x00")
    (folder / "plain.pdf").write_bytes(pdf_bytes([(720, 405, "two")]))
    done = process("import", project, folder.parent, "--no-render", "--json")
    assert done.code == 1, done.err
    assert done.json["added"] == {"instances": 1, "sources": 0, "decks": 2}
    assert len(done.json["failed"]) == 2
    rows = process("decks", project, "--json").json
    assert {(row["instance"], row["system"], row["status"]) for row in rows} == {
        ("caf\ufffd", "m\ufffdnchen", "present"), ("caf\ufffd", "plain", "present"), ("caf\ufffd", "\ufffd", "failed"),
    }  # fmt: skip
    again = process("import", project, folder.parent, "--no-render", "--json")
    assert again.json["added"] == NOTHING
    facts = process("inspect", folder / os.fsdecode(b"m\xfcnchen.pdf"))
    assert facts.json["slides"] == 1


def test_that_a_folder_of_instances_comes_in_once(studio, project, tmp_path):
    material = instances(tmp_path / "material", ["alpha", "beta"], systems=("Aster", "Birch"))
    before = files_of(material)
    first = studio("import", project, material, "--json")
    assert first.code == 0
    assert first.json == {"added": {"instances": 2, "sources": 2, "decks": 4}, "skipped": 0, "failed": []}
    again = studio("import", project, material, "--json")
    assert again.code == 0
    # 2 sources and 4 decks are there already.
    assert again.json == {"added": NOTHING, "skipped": 6, "failed": []}
    counts = studio("status", project, "--json").json
    assert [counts[name] for name in ("instances", "sources", "systems", "decks", "rendered")] == [2, 2, 2, 4, 4]
    assert files_of(material) == before


def test_that_one_instance_folder_is_one_instance(studio, project, tmp_path):
    material = instances(tmp_path / "material", ["alpha"], systems=("Aster", "Birch"))
    added = studio("import", project, material / "alpha", "--layout", "folders", "--json").json["added"]
    assert added == {"instances": 1, "sources": 1, "decks": 2}
    rows = studio("decks", project, "--json").json
    assert {(row["instance"], row["system"], row["pages_rendered"]) for row in rows} == {
        ("alpha", "Aster", 1), ("alpha", "Birch", 1),
    }  # fmt: skip


def test_that_loose_decks_of_all_kinds_are_one_instance_with_file_names_as_systems(studio, project, tmp_path):
    folder = tmp_path / "loose decks"
    folder.mkdir()
    shutil.copy(shared("corpus/pptx/pptx-automizer__SlideDimensions2.pptx"), folder / "Office.pptx")
    shutil.copy(shared("corpus/pdf/markitdown__test.pdf"), folder / "Print é.pdf")
    shutil.copy(shared("corpus/html/derived__impress_classic_static.html"), folder / "Web.html")
    picture_deck(folder / "Pictures", seed=1, slides=3)
    ended = studio("import", project, folder, "--json")
    assert ended.json == {"added": {"instances": 1, "sources": 0, "decks": 4}, "skipped": 0, "failed": []}
    rows = {row["system"]: row for row in studio("decks", project, "--json").json}
    assert rows.keys() == {"Office", "Print é", "Web", "Pictures"}
    assert {row["instance"] for row in rows.values()} == {"loose decks"}
    assert [rows[name]["format"] for name in ("Office", "Print é", "Web")] == ["pptx", "pdf", "html"]
    for row in rows.values():
        assert row.keys() >= FACTS | {"instance_id", "deck_id", "system", "status", "pages_rendered"}
        assert row["status"] == "present"
        assert row["pages_rendered"] == row["slides"] - row["hidden_slides"]
    # Files that are named one by one are told apart by where they lie, and are there already.
    again = studio("import", project, folder / "Office.pptx", folder / "Web.html", "--json").json
    assert (again["added"], again["skipped"]) == (NOTHING, 2)


def test_that_a_changed_deck_of_the_same_system_is_a_conflict_and_the_old_one_stays(studio, project, tmp_path):
    material = instances(tmp_path / "material", ["alpha"], systems=("Aster",))
    studio("import", project, material)
    before = studio("decks", project, "--json").json
    shutil.rmtree(material / "alpha" / "decks" / "Aster")
    picture_deck(material / "alpha" / "decks" / "Aster", seed=99)
    ended = studio("import", project, material, "--json")
    assert ended.code == 1
    assert ended.json["added"] == NOTHING
    (failed,) = ended.json["failed"]
    assert failed["path"].endswith("Aster")
    assert "conflict" in failed["reason"]
    assert studio("decks", project, "--json").json == before


def test_that_bad_files_are_kept_as_failed_decks_and_stop_nobody(studio, project, tmp_path):
    folder = tmp_path / "mixed"
    picture_deck(folder / "Good", seed=1)
    (folder / "Empty.pptx").write_bytes(b"")
    (folder / "Text.pptx").write_text("just text")
    (folder / "Cut.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<<")
    with zipfile.ZipFile(folder / "Zip.pptx", "w") as packed:
        packed.writestr("hello.txt", "no deck")
    ended = studio("import", project, folder, "--json")
    assert ended.code == 1
    assert ended.json["added"] == {"instances": 1, "sources": 0, "decks": 1}
    assert {item["path"].rsplit("/", 1)[-1] for item in ended.json["failed"]} == {
        "Empty.pptx", "Text.pptx", "Cut.pdf", "Zip.pptx",
    }  # fmt: skip
    rows = {row["system"]: row for row in studio("decks", project, "--json").json}
    assert rows.keys() == {"Good", "Empty", "Text", "Cut", "Zip"}
    assert {name: row["status"] for name, row in rows.items() if row["status"] != "present"} == dict.fromkeys(
        ("Empty", "Text", "Cut", "Zip"), "failed"
    )
    assert rows["Empty"]["failure"]["kind"] == "empty"
    assert rows["Cut"]["failure"]["kind"] in {"truncated", "unreadable"}
    assert all(row["pages_rendered"] == 0 for name, row in rows.items() if name != "Good")
    status = studio("status", project, "--json").json
    assert status["decks_by_status"] == {"present": 1, "failed": 4}
    again = studio("import", project, folder, "--json")
    assert again.json["added"] == NOTHING
    assert len(studio("decks", project, "--json").json) == 5


def test_that_a_mended_file_takes_the_place_of_the_failed_one(studio, project, tmp_path):
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "Aster.pdf").write_bytes(b"")
    assert studio("import", project, folder).code == 1
    shutil.copy(shared("corpus/pdf/markitdown__test.pdf"), folder / "Aster.pdf")
    ended = studio("import", project, folder, "--json")
    assert (ended.code, ended.json["failed"]) == (0, [])
    (row,) = studio("decks", project, "--json").json
    assert (row["status"], row["failure"]) == ("present", None)
    assert row["pages_rendered"] == row["slides"] > 0


def test_that_a_missing_path_beside_good_ones_only_fails_itself(studio, project, tmp_path):
    material = instances(tmp_path / "material", ["alpha"], systems=("Aster",))
    ended = studio("import", project, material, tmp_path / "nothing", "--json")
    assert ended.code == 1
    assert ended.json["added"]["decks"] == 1
    (failed,) = ended.json["failed"]
    assert failed["path"] == str(tmp_path / "nothing")
    assert failed["reason"].startswith("not_found")


def test_that_an_import_without_rendering_leaves_the_pages_for_later(studio, project, tmp_path):
    material = instances(tmp_path / "material", ["alpha"], systems=("Aster",))
    assert studio("import", project, material, "--no-render").code == 0
    assert studio("status", project, "--json").json["rendered"] == 0
    assert studio("metrics", project, "--workers", 1).code in {0, 1}
    assert studio("status", project, "--json").json["rendered"] == 1


def test_that_importing_again_renders_what_an_import_that_ended_early_left(studio, project, tmp_path):
    material = instances(tmp_path / "material", ["alpha"], systems=("Aster",))
    assert studio("import", project, material, "--no-render").code == 0
    again = studio("import", project, material, "--json")
    assert (again.code, again.json["added"], again.json["skipped"]) == (0, NOTHING, 2)
    assert studio("status", project, "--json").json["rendered"] == 1
    runs = studio("runs", project, "--json").json
    studio("import", project, material)
    assert studio("runs", project, "--json").json == runs  # nothing waits any more


def test_that_the_status_names_files_that_are_gone(studio, project, tmp_path):
    studio("import", project, instances(tmp_path / "material", ["alpha"], systems=("Aster",)))
    for asset in (project / "assets").iterdir():
        asset.unlink()
    missing = studio("status", project, "--json").json["missing_files"]
    assert len(missing) == 2
    shown = studio("status", project).out
    assert all(name in shown for name in missing)


def test_that_an_import_into_a_moved_project_finds_everything(studio, project, tmp_path):
    material = instances(tmp_path / "material", ["alpha"], systems=("Aster",))
    studio("import", project, material)
    moved = project.rename(tmp_path / "moved – 移动")
    assert studio("import", moved, material, "--json").json["skipped"] == 2
    assert studio("status", moved, "--json").json["missing_files"] == []


def test_that_rendering_a_file_writes_its_pages_and_their_map(studio, tmp_path):
    deck = picture_deck(tmp_path / "deck", seed=1, slides=3)
    ended = studio("render", deck, "--out", tmp_path / "out" / "pages", "--size", "640x360", "--json")
    assert ended.code == 0
    assert [page["file"] for page in ended.json["pages"]] == [
        "slide_0001.png", "slide_0002.png", "slide_0003.png",
    ]  # fmt: skip
    assert [page["slide"] for page in ended.json["pages"]] == [1, 2, 3]
    assert ended.json["size_px"] == [640, 360]
    assert ended.json["seconds"] >= 0
    assert sorted(path.name for path in (tmp_path / "out" / "pages").iterdir()) == [
        "slide_0001.png", "slide_0002.png", "slide_0003.png",
    ]  # fmt: skip
    assert "3 pages of 640×360" in studio("render", deck, "--out", tmp_path / "again", "--size", "640x360").out


def test_that_a_file_is_inspected_without_a_project(studio, process):
    ended = studio("inspect", shared("corpus/pptx/pptx-automizer__SlideWithCharts.pptx"))
    assert (ended.code, ended.err) == (0, "")
    assert ended.json.keys() >= FACTS
    assert ended.json["failure"] is None
    locked = shared("corpus/bad/tika__testPPT_protected_passtika.pptx")
    refused = studio("inspect", locked, "--json")
    assert (refused.code, refused.json["failure"]["kind"]) == (1, "needs_password")
    opened = process("inspect", locked, "--password-stdin", text_in="tika\n")
    assert (opened.code, opened.json["failure"]) == (0, None)
    wrong = process("inspect", locked, "--password-stdin", text_in="wrong\n")
    assert (wrong.code, wrong.json["failure"]["kind"]) == (1, "needs_password")


def test_that_a_protected_file_is_rendered_with_its_password_only(process, tmp_path):
    for name, password, slides in (
        ("bad/tika__testPPT_protected_passtika.pptx", "tika", None),
        ("pdf/unstructured__password.pdf", "password", 1),
    ):
        locked = shared(f"corpus/{name}")
        assert "password" in process("render", locked, "--out", tmp_path / "no").error_line
        assert "password" in process("render", locked, "--out", tmp_path / "no", "--password-stdin", text_in="x\n").err
        assert not (tmp_path / "no").exists()
        out = tmp_path / locked.stem
        opened = process("render", locked, "--out", out, "--password-stdin", "--json", text_in=f"{password}\n")
        assert opened.code == 0, opened.err
        assert sum(page["file"] is not None for page in opened.json["pages"]) == len(list(out.iterdir())) > 0
        if slides is not None:
            assert len(opened.json["pages"]) == slides


def test_that_an_instruction_that_cannot_be_read_stops_nothing(studio, project, tmp_path, monkeypatch):
    material = instances(tmp_path / "material", ["alpha"], systems=("Aster",))
    (material / "alpha" / "instruction.md").write_text("# Alpha")
    read_text = Path.read_text

    def refused(path, *arguments, **more):
        if path.name == "instruction.md":
            raise PermissionError(13, "Permission denied")
        return read_text(path, *arguments, **more)

    # The rights themselves do not hold root back.
    monkeypatch.setattr(Path, "read_text", refused)
    ended = studio("import", project, material, "--no-render", "--json")
    assert ended.code == 1
    assert ended.json["added"]["decks"] == 1
    assert [item["reason"] for item in ended.json["failed"]] == ["unreadable: instruction.md: Permission denied"]
