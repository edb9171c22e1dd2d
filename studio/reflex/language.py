"""Which language a deck is in, and whether a model was trained on it."""

from __future__ import annotations

from collections.abc import Collection

from studio.model.reflex import DeckObject

UNTRAINED_LANGUAGE = "untrained_language"
_LEAST_LETTERS = 20


def language_of(deck: DeckObject) -> str:
    """Return the language of a deck's words (ISO 639-1), by script for CJK; empty for fewer than 20 letters."""
    text = " ".join(slide.text for slide in deck.slides)
    letters = sum(char.isalpha() for char in text)
    if letters < _LEAST_LETTERS:
        return ""
    if sum("\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7a3" for char in text) > 0.3 * letters:
        if any("\u3040" <= char <= "\u30ff" for char in text):
            return "ja"
        return "ko" if any("\uac00" <= char <= "\ud7a3" for char in text) else "zh"
    import py3langid

    return str(py3langid.classify(text)[0])


def language_flags(deck: DeckObject, trained: Collection[str]) -> tuple[str, ...]:
    """Return the flag of a deck whose language the model was not trained on; none where the language is unknown."""
    found = language_of(deck)
    return (UNTRAINED_LANGUAGE,) if found and found not in trained else ()
