from __future__ import annotations

import pytest

from studio.decks import fonts


@pytest.fixture
def _installed(monkeypatch):
    monkeypatch.setattr(fonts, "installed_families", lambda: frozenset({"dejavusans", "notosanscjkjp"}))


@pytest.mark.usefixtures("_installed")
def test_that_a_family_is_found_whatever_its_case_and_spaces():
    assert fonts.missing_fonts(["DejaVu Sans", "dejavu sans", "Aptos", "Aptos"]) == ("Aptos",)


@pytest.mark.usefixtures("_installed")
def test_that_pdf_fonts_are_known_by_family_and_the_base_fonts_come_with_every_reader():
    names = ["ABCDEF+DejaVuSans-Bold", "Helvetica-Bold", "Times-Roman", "Calibri-Italic"]
    assert fonts.missing_pdf_fonts(names) == ("Calibri-Italic",)


def test_that_nothing_is_called_missing_where_nothing_is_known(monkeypatch):
    monkeypatch.setattr(fonts, "installed_families", frozenset)
    assert fonts.missing_fonts(["Aptos"]) == ()
