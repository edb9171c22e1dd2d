"""Facts of every file of the shared corpus against its manifest, which was made by another reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from studio.decks.structure import inspect_file
from studio.model.decks import DeckFacts, DeckFormat
from tests.shared_files import shared, shared_root

pytestmark = pytest.mark.corpus

_FAILURES = {
    "bad/derived__empty.pptx": "empty",
    "bad/derived__pdf_truncated.pdf": "truncated",
    "bad/derived__png_named.pptx": "not_a_deck",
    "bad/derived__truncate_half.pptx": "truncated",
    "bad/pdfjs__poppler-85140-0.pdf": "unreadable",
    "bad/poi__clusterfuzz-testcase-minimized-POIXSLFFuzzer-5463285576892416.pptx": "unreadable",
    "bad/tika__testPPT_protected_passtika.pptx": "needs_password",
    "pdf/unstructured__password.pdf": "needs_password",
}
_LEGACY = {"bad/derived__legacy_ppt_named.pptx", "bad/poi__basic_test_ppt_file.ppt"}


def _entries() -> list[dict[str, Any]]:
    root = shared_root()
    manifest = root / "corpus" / "manifest.json" if root is not None else None
    if manifest is None or not manifest.is_file():
        return []
    entries: list[dict[str, Any]] = json.loads(manifest.read_text("utf-8"))["files"]
    return entries


_ENTRIES = _entries()


def _by_kind(kind: str) -> list[Any]:
    chosen = [
        entry
        for entry in _ENTRIES
        if entry["facts"].get("kind") == kind and entry["file"] not in _FAILURES and entry["file"] not in _LEGACY
    ]
    return [pytest.param(entry, id=entry["file"]) for entry in chosen] or [
        pytest.param(None, id="no-corpus", marks=pytest.mark.skip(reason="needs the shared corpus"))
    ]


def _inspect(entry: dict[str, Any], password: str | None = None) -> DeckFacts:
    return inspect_file(shared(f"corpus/{entry['file']}"), password=password)


def test_that_every_file_of_the_corpus_is_looked_at():
    manifest = shared("corpus/manifest.json")
    files = {entry["file"] for entry in json.loads(manifest.read_text("utf-8"))["files"]}
    looked_at = set(_FAILURES) | _LEGACY
    for kind in ("pptx", "pdf", "html", "docx", "md", "txt"):
        looked_at |= {param.values[0]["file"] for param in _by_kind(kind)}
    assert looked_at == files
    assert len(files) == 79


@pytest.mark.parametrize("entry", _by_kind("pptx"))
def test_that_a_powerpoint_file_has_the_facts_of_the_manifest(entry):
    truth = entry["facts"]
    facts = _inspect(entry)
    assert facts.failure is None
    assert facts.format == DeckFormat(truth["format"])
    assert facts.container == truth["container"]
    assert facts.slide_size_emu == tuple(truth["slide_size_emu"])
    assert list(facts.hidden) == truth["slides_hidden"]
    pictures, charts, media, animations = facts.pictures, facts.charts, facts.media, facts.animations
    assert pictures is not None
    assert charts is not None
    assert media is not None
    assert animations is not None
    found = {
        "slides_declared": facts.slides,
        "n_slides_hidden": facts.hidden_slides,
        "n_text_boxes": facts.text_boxes,
        "n_groups": facts.groups,
        "n_tables": facts.tables,
        "n_smartart": facts.smartart,
        "n_pictures": pictures.embedded + pictures.linked + pictures.broken,
        "n_linked_pictures": pictures.linked,
        "n_charts": charts.native,
        "n_charts_embedded_intact": charts.with_workbook,
        "n_charts_external": charts.external,
        "n_charts_broken": charts.broken,
        "n_media_embedded": media.embedded,
        "n_media_linked": media.linked,
        "n_anim_effects": animations.effects,
        "n_notes_with_text": facts.notes,
    }
    assert found == {name: truth[name] for name in found}
    assert pictures.broken >= truth["n_broken_pictures"]
    assert animations.slides == len(truth["slides_with_real_animation"])
    assert facts.transitions == len(truth["slides_with_transition"])
    assert facts.fonts is not None
    assert set(facts.fonts.asked) >= set(truth["fonts"])
    missing = truth["slides_missing"]
    warned = {warning.slide for warning in facts.warnings if "cannot be read" in warning.message}
    assert warned >= set(missing)


@pytest.mark.parametrize("entry", _by_kind("pdf"))
def test_that_a_pdf_has_the_pages_and_fonts_of_the_manifest(entry):
    truth = entry["facts"]
    facts = _inspect(entry)
    assert facts.failure is None
    assert facts.format == DeckFormat.PDF
    assert facts.slides == truth["pages"]
    assert facts.fonts is not None
    assert set(facts.fonts.asked) >= set(truth.get("fonts", []))
    assert facts.text_boxes is None


@pytest.mark.parametrize("entry", _by_kind("html"))
def test_that_an_html_deck_has_as_many_slides_as_leaf_sections_or_steps(entry):
    truth = entry["facts"]
    facts = _inspect(entry)
    assert facts.failure is None
    assert facts.format == DeckFormat.HTML
    assert facts.slides == (truth.get("steps_impress") or truth["sections_leaf"])


@pytest.mark.parametrize("entry", [*_by_kind("docx"), *_by_kind("md"), *_by_kind("txt")])
def test_that_a_source_is_not_a_deck(entry):
    facts = _inspect(entry)
    assert facts.failure is not None
    assert facts.failure.kind == "not_a_deck"
    assert facts.slides is None


@pytest.mark.parametrize("file", sorted(_FAILURES))
def test_that_a_bad_file_fails_with_its_own_kind(file):
    facts = inspect_file(shared(f"corpus/{file}"))
    assert facts.failure is not None
    assert facts.failure.kind == _FAILURES[file]
    assert "\n" not in facts.failure.message
    assert Path(file).name in facts.failure.message


@pytest.mark.parametrize("file", sorted(_LEGACY))
def test_that_a_legacy_powerpoint_file_is_a_deck_of_unknown_structure(file):
    facts = inspect_file(shared(f"corpus/{file}"))
    assert facts.failure is None
    assert facts.format == DeckFormat.PPT
    assert facts.container == "ole"
    assert facts.slides is None
    assert facts.text_boxes is None
    assert len(facts.warnings) == 1


@pytest.mark.parametrize(
    ("file", "password", "slides"),
    [
        ("pdf/unstructured__password.pdf", "password", 1),
        ("bad/tika__testPPT_protected_passtika.pptx", "tika", 1),
    ],
)
def test_that_a_password_opens_a_protected_file(file, password, slides):
    facts = inspect_file(shared(f"corpus/{file}"), password=password)
    assert facts.failure is None
    assert facts.slides == slides


def test_that_all_three_malformed_pictures_are_counted_as_broken():
    facts = inspect_file(shared("corpus/pptx/docling__powerpoint_malformed_pictures.pptx"))
    assert facts.pictures is not None
    assert facts.pictures.broken == 3
    reasons = [warning.message for warning in facts.warnings if "picture" in warning.message]
    assert len(set(reasons)) == 3


def test_that_a_dead_relation_is_a_warning_of_its_slide():
    facts = inspect_file(shared("corpus/bad/derived__null_rel.pptx"))
    assert any(
        warning.slide == 1 and "rIdNull points to a part that is not in the file" in warning.message
        for warning in facts.warnings
    )
