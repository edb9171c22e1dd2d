"""Which language a text is in: by its script, and for Latin letters by a model that comes in a wheel."""

from __future__ import annotations

import functools
import importlib
import unicodedata
from collections import Counter
from typing import Any

_IDEOGRAPH_WEIGHT = 2.5
"""Letters of Latin script that say as much as one Chinese character."""
_OF_SCRIPT = {
    "HANGUL": "ko", "HIRAGANA": "ja", "KATAKANA": "ja", "CJK": "zh", "GREEK": "el", "HEBREW": "he", "THAI": "th",
    "DEVANAGARI": "hi", "ARABIC": "ar", "CYRILLIC": "ru", "ARMENIAN": "hy", "GEORGIAN": "ka",
}  # fmt: skip
LATIN = "latin"
_MODEL_LANGUAGES = (
    "en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "fi", "pl", "cs", "hu", "ro", "tr", "id", "vi", "ca",
)  # fmt: skip
_SHARE_OF_KANA = 0.1
"""With so many kana among its characters, a text is Japanese however many of them are Chinese."""


def script_weights(text: str) -> Counter[str]:
    """Return how much of a text is in each script: language codes, and ``latin``; in Latin letters' worth."""
    weights: Counter[str] = Counter()
    for letter in text:
        if not letter.isalpha():
            continue
        code = _script(letter)
        if code:
            weights[code] += _IDEOGRAPH_WEIGHT if code in {"zh", "ja", "ko"} else 1.0  # type: ignore[assignment]
    if weights["ja"] > _SHARE_OF_KANA * (weights["ja"] + weights["zh"]):
        weights["ja"] += weights.pop("zh", 0)
    return +weights


@functools.lru_cache(maxsize=20_000)
def _script(letter: str) -> str:
    if letter.isascii():
        return LATIN
    first = unicodedata.name(letter, "").split(" ")[0].split("-")[0]
    return LATIN if first == "LATIN" else _OF_SCRIPT.get(first, "")


def latin_language(text: str) -> tuple[str, float]:
    """Return the language of a text in Latin letters as an ISO 639-1 code, and its probability, 0 to 1."""
    # Short and capitalised words are names more often than not, in any language.
    code, probability = _model().classify(text.lower())
    return str(code), float(probability)


@functools.cache
def _model() -> Any:
    # Imported late: loading the model takes more than a second.
    langid = importlib.import_module("py3langid.langid")
    model = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)
    model.set_languages(list(_MODEL_LANGUAGES))
    return model
