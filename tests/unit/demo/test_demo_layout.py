from __future__ import annotations

import hashlib
import json
from pathlib import Path
from types import ModuleType

import docx
import pymupdf
import pytest
from pptx import Presentation

SYSTEMS = {
    "Demo Template": ".pptx",
    "Demo Minimal": ".pptx",
    "Demo Vector": ".pdf",
    "Demo Web": ".html",
    "Demo Canvas": "",
}


def _instances(built: Path) -> list[Path]:
    return sorted(path for path in built.iterdir() if path.is_dir())


def _hashes(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _slides(deck: Path) -> int:
    if deck.is_dir():
        return len(list(deck.glob("slide_*.png")))
    if deck.suffix == ".pptx":
        return len(Presentation(str(deck)).slides)
    if deck.suffix == ".pdf":
        with pymupdf.open(deck) as document:
            return len(document)
    return deck.read_text(encoding="utf-8").count("<section ")


def _source_text(path: Path) -> str:
    if path.suffix == ".pdf":
        with pymupdf.open(path) as document:
            return "\n".join(page.get_text() for page in document)
    if path.suffix == ".docx":
        return "\n".join(paragraph.text for paragraph in docx.Document(str(path)).paragraphs)
    return path.read_text(encoding="utf-8")


def test_that_every_instance_has_an_instruction_a_source_and_five_decks(built: Path) -> None:
    instances = _instances(built)
    assert len(instances) == 5
    for instance in instances:
        assert (instance / "instruction.md").read_text(encoding="utf-8").startswith("# ")
        assert list((instance / "sources").iterdir())
        decks = {path.name for path in (instance / "decks").iterdir()}
        assert decks == {name + extension for name, extension in SYSTEMS.items()}


def test_that_every_deck_has_six_to_twelve_slides(built: Path) -> None:
    counts = {deck: _slides(deck) for instance in _instances(built) for deck in (instance / "decks").iterdir()}
    assert len(counts) == 25
    assert {deck.as_posix(): count for deck, count in counts.items() if not 6 <= count <= 12} == {}


@pytest.mark.slow
def test_that_two_builds_give_the_same_bytes(recipe: ModuleType, built: Path, tmp_path: Path) -> None:
    assert _hashes(recipe.build(tmp_path)) == _hashes(built)


def test_that_a_build_into_a_used_folder_leaves_foreign_files_alone(
    recipe: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recipe, "INSTANCES", ())
    (tmp_path / "mine.txt").write_text("x", encoding="utf-8")
    recipe.build(tmp_path)
    assert (tmp_path / "mine.txt").read_text(encoding="utf-8") == "x"


def test_that_records_name_the_folders_and_the_deck_files(built: Path) -> None:
    instances = json.loads((built / "instances.json").read_text(encoding="utf-8"))
    systems = json.loads((built / "systems.json").read_text(encoding="utf-8"))
    assert {record["name"] for record in instances} == {path.name for path in _instances(built)}
    assert {record["name"] for record in systems} == set(SYSTEMS)
    assert {record["language"] for record in instances} == {"en", "zh"}
    for record in instances:
        assert all(record[key] for key in ("title", "scenario", "domain", "difficulty"))
    for record in systems:
        assert "invented" in record["version"]
        assert record["paradigm"] in {"template", "code", "html", "image"}


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("white-roofs-paper/sources/white-roofs.pdf", "Invented sample data"),
        ("library-year/sources/library-2025.docx", "Invented sample data"),
        ("weather-station-product/sources/nimbra-go.html", "An invented product"),
    ],
)
def test_that_a_source_with_made_up_facts_says_so(built: Path, source: str, words: str) -> None:
    assert words in _source_text(built / source)


def test_that_sources_are_long_and_hold_tables(built: Path) -> None:
    for instance in _instances(built):
        for source in (instance / "sources").iterdir():
            text = _source_text(source)
            # Chinese is counted in characters, as it has no spaces.
            long_enough = len(text) > 1200 if instance.name == "tea-zh" else len(text.split()) > 500
            assert long_enough, source.name
    assert len(docx.Document(str(built / "library-year/sources/library-2025.docx")).tables) == 1
    assert "<table>" in _source_text(built / "weather-station-product/sources/nimbra-go.html")


def test_that_the_paper_has_five_pages_in_two_columns_with_figures(built: Path) -> None:
    with pymupdf.open(built / "white-roofs-paper/sources/white-roofs.pdf") as document:
        assert len(document) in {5, 6}
        assert sum(len(page.get_images()) for page in document) == 3
        page = document[1]
        middle = page.rect.width / 2
        lines = [line["bbox"] for block in page.get_text("dict")["blocks"] for line in block.get("lines", [])]
        body = [box for box in lines if 50 < box[1] < page.rect.height - 50]
        assert any(box[2] < middle for box in body)
        assert any(box[0] > middle for box in body)
        assert not any(box[0] < middle - 20 and box[2] > middle + 20 for box in body)
