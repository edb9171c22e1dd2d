"""Passwords: asked for only where needed, used once, kept nowhere; five states of a file told apart."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pymupdf
import pytest
from msoffcrypto.format.ooxml import OOXMLFile

from studio.decks import workers
from studio.decks.render import RenderTools, find_tools, render_deck
from studio.decks.structure import inspect_file
from studio.model.decks import DeckFormat, FailureKind
from tests.shared_files import shared
from tests.unit.decks.decks_made_here import pdf_bytes, write_deck

_PASSWORD = "Pä55-w0rd-nobody-writes"


@pytest.fixture
def encrypted(tmp_path) -> Path:
    plain = write_deck(tmp_path / "plain.pptx", ["secret words on a slide"])
    path = tmp_path / "locked.pptx"
    with plain.open("rb") as source, path.open("wb") as out:
        office = OOXMLFile(source)
        office.encrypt(_PASSWORD, out)
    plain.unlink()
    return path


def _pdf(path: Path, *, owner: str, user: str) -> Path:
    with pymupdf.open(stream=pdf_bytes([(720, 405, "page words")]), filetype="pdf") as document:
        document.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw=owner, user_pw=user)
    return path


def test_that_an_encrypted_deck_opens_with_its_password_only(encrypted):
    assert inspect_file(encrypted).failure.kind == FailureKind.NEEDS_PASSWORD
    wrong = inspect_file(encrypted, password="wrong")
    assert wrong.failure.kind == FailureKind.NEEDS_PASSWORD
    assert "wrong" in wrong.failure.message
    facts = inspect_file(encrypted, password=_PASSWORD)
    assert facts.failure is None
    assert (facts.format, facts.slides) == (DeckFormat.PPTX, 1)


@pytest.mark.slow
def test_that_a_password_stands_nowhere_after_it_was_used(tmp_path, encrypted, capfd, caplog, monkeypatch):
    tools = find_tools()
    if tools.libreoffice is None:
        pytest.skip("LibreOffice is not installed")
    inspect_file(encrypted, password=_PASSWORD)
    deck = render_deck(encrypted, tmp_path / "out", format=DeckFormat.PPTX, tools=tools, password=_PASSWORD)
    assert deck.failure is None
    assert deck.pages[0].text == "secret words on a slide"
    pdf = _pdf(tmp_path / "locked.pdf", owner="other", user=_PASSWORD)
    render_deck(pdf, tmp_path / "pdf", format=DeckFormat.PDF, tools=tools, password=_PASSWORD)
    inspect_file(encrypted, password=_PASSWORD + "x")
    workers.shutdown()
    said = capfd.readouterr()
    assert _PASSWORD not in said.out + said.err + caplog.text
    wanted = [_PASSWORD.encode(encoding) for encoding in ("utf-8", "utf-16-le", "latin-1")]
    ours = [tmp_path, *Path(tempfile.gettempdir()).glob("podium-*")]
    files = [file for folder in ours for file in folder.rglob("*") if file.is_file()]
    assert files
    for file in files:
        try:
            data = file.read_bytes()
        except OSError:
            # Another process removed it meanwhile.
            continue
        assert not any(word in data for word in wanted), file
    # The decrypted copy is gone as well.
    assert not [file for file in files if "decrypted-" in str(file) and file.exists()]


def test_that_a_pdf_with_an_owners_password_only_does_not_ask(tmp_path):
    facts = inspect_file(_pdf(tmp_path / "a.pdf", owner="boss", user=""))
    assert facts.failure is None
    assert facts.slides == 1
    deck = render_deck(
        tmp_path / "a.pdf", tmp_path / "out", format=DeckFormat.PDF, tools=RenderTools(libreoffice=None, chromium=None)
    )
    assert deck.failure is None
    assert deck.pages[0].text == "page words"
    asks = inspect_file(_pdf(tmp_path / "b.pdf", owner="boss", user="reader"))
    assert asks.failure.kind == FailureKind.NEEDS_PASSWORD


def test_b12_that_five_states_of_a_file_are_told_apart(tmp_path, encrypted):
    legacy = inspect_file(shared("corpus/bad/derived__legacy_ppt_named.pptx"))
    # A legacy file is a deck that is rendered; its format says what it is.
    assert (legacy.format, legacy.container, legacy.failure) == (DeckFormat.PPT, "ole", None)
    whole = write_deck(tmp_path / "whole.pptx", ["one"]).read_bytes()
    (tmp_path / "half.pptx").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "empty.pptx").write_bytes(b"")
    kinds = {
        name: inspect_file(tmp_path / name).failure
        for name in ("locked.pptx", "empty.pptx", "half.pptx", "missing.pptx")
    }
    assert {name: failure.kind for name, failure in kinds.items()} == {
        "locked.pptx": FailureKind.NEEDS_PASSWORD,
        "empty.pptx": FailureKind.EMPTY,
        "half.pptx": FailureKind.TRUNCATED,
        "missing.pptx": FailureKind.NOT_FOUND,
    }
    assert len({failure.message for failure in kinds.values()}) == 4


@pytest.mark.parametrize("given", ["\udcff\udcfe", "secret\udcff", ""])
def test_that_a_password_whose_bytes_are_no_text_is_a_wrong_password(tmp_path, encrypted, given):
    pdf = _pdf(tmp_path / "closed.pdf", owner="o", user="secret")
    for path in (pdf, encrypted):
        facts = inspect_file(path, password=given)
        assert facts.failure.kind == FailureKind.NEEDS_PASSWORD
        assert ("wrong" in facts.failure.message) is bool(given)
