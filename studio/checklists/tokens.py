"""How many tokens a text comes to, by a stated rule; no model's own count, and good for comparing instances."""

from __future__ import annotations

import math

LETTERS_PER_TOKEN = 4
PAGE_PICTURE_TOKENS = 258
"""Of one page or picture that is sent as an image; what Gemini counts for one tile."""
RULE = (
    "1 token for each Chinese, Japanese or Korean character and for every 4 other characters begun; "
    "258 for each page that is sent as a picture"
)


def text_tokens(text: str) -> int:
    """Return the estimate for a text."""
    wide = sum(_is_wide(letter) for letter in text)
    return wide + math.ceil((len(text) - wide) / LETTERS_PER_TOKEN)


def _is_wide(letter: str) -> bool:
    return "\u3040" <= letter <= "\u30ff" or "\u3400" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7a3"
