from __future__ import annotations

from PIL import Image


def picture(path, colour="white"):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (320, 180), colour).save(path, format="PNG")
    return path


def test_that_a_single_picture_is_a_deck_of_one_page(studio, tmp_path):
    found = studio("inspect", picture(tmp_path / "one.png")).json
    assert (found["format"], found["slides"], found["failure"]) == ("images", 1, None)


def test_that_a_picture_under_a_deck_s_name_is_no_deck(studio, tmp_path):
    ended = studio("inspect", picture(tmp_path / "one.pptx"))
    assert ended.code == 1
    assert ended.json["failure"]["kind"] == "not_a_deck"


def test_that_single_pictures_in_decks_are_imported_rendered_and_measured(studio, tmp_path):
    picture(tmp_path / "task" / "decks" / "Alpha.png", "navy")
    picture(tmp_path / "task" / "decks" / "Beta.png", "orange")
    project = tmp_path / "study"
    assert studio("new", project).code == 0
    assert studio("import", project, tmp_path / "task", "--json").json["added"] == {
        "instances": 1, "sources": 0, "decks": 2,
    }  # fmt: skip
    rows = studio("decks", project, "--json").json
    assert [(row["system"], row["format"], row["pages_rendered"]) for row in rows] == [
        ("Alpha", "images", 1),
        ("Beta", "images", 1),
    ]
    rendered = studio("render", tmp_path / "task" / "decks" / "Alpha.png", "--out", tmp_path / "pages", "--json")
    assert [page["file"] for page in rendered.json["pages"]] == ["slide_0001.png"]
