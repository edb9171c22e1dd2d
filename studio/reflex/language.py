"""Which language a deck is in, and whether a model was trained on it."""

from __future__ import annotations

from collections.abc import Collection

from studio.model.reflex import DeckObject

UNTRAINED_LANGUAGE = "untrained_language"
LANGUAGE_IN_VECTORS = "language_in_vectors"
"""Beside the other flag: the encoder reads the language, but no deck in it taught the model."""
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


def language_flags(deck: DeckObject, trained: Collection[str], *, reads_others: bool = False) -> tuple[str, ...]:
    """Return the flags of a deck whose language the model was not trained on; none where the language is unknown.

    Args:
        deck: with words.
        trained: languages of the decks that the model learned from (ISO 639-1).
        reads_others: whether its encoder was made from text of many languages.
    """
    found = language_of(deck)
    if not found or found in trained:
        return ()
    return (UNTRAINED_LANGUAGE, LANGUAGE_IN_VECTORS) if reads_others else (UNTRAINED_LANGUAGE,)
