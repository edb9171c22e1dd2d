from __future__ import annotations

import re

import pytest

from studio.judges.prompts import PREFIXES, PromptFault, _parsed, prompt, prompt_names


@pytest.mark.parametrize("name", prompt_names())
def test_that_every_shipped_prompt_has_a_version_and_a_hash(name: str) -> None:
    found = prompt(name)
    assert re.fullmatch(rf"{name}@\d+#[0-9a-f]{{12}}", found.id)
    assert found.template.strip()


@pytest.mark.parametrize("name", prompt_names())
def test_that_a_filled_prompt_has_no_place_left(name: str) -> None:
    found = prompt(name)
    assert "{{" not in found.filled({place: "words" for place in found.placeholders})


def test_that_a_value_with_braces_is_not_filled_again() -> None:
    text = prompt("ppteval-content-score").filled({"description": "says {{description}} and {{other}}"})
    assert "says {{description}} and {{other}}" in text


@pytest.mark.parametrize("values", [{}, {"description": "x", "more": "y"}, {"other": "x"}])
def test_that_missing_and_extra_values_are_refused(values: dict[str, str]) -> None:
    with pytest.raises(PromptFault):
        prompt("ppteval-content-score").filled(values)


def test_that_a_changed_letter_changes_the_id() -> None:
    one = _parsed("x", "title: T\nversion: 1\n---\nSay yes.\n")
    other = _parsed("x", "title: T\nversion: 1\n---\nSay yes!\n")
    assert one.id != other.id


@pytest.mark.parametrize(
    "text", ["Say yes.", "title: T\n---\nx", "version: 1\n---\nx", "title: T\nversion: 1\nplaceholders: a\n---\nx"]
)
def test_that_a_broken_prompt_file_is_refused(text: str) -> None:
    with pytest.raises(PromptFault):
        _parsed("x", text)


def test_that_prefixes_end_so_that_an_item_can_follow() -> None:
    assert all(prompt(name).template.endswith("Requirement:\n\n") for name in PREFIXES)
