"""How decisions and sides are called and coloured."""

from __future__ import annotations

from studio.model.reviews import Confidence, Decision

SAID_WORDS = {
    "yes": "yes", "no": "no", "cannot_tell": "cannot tell", "not_applicable": "not applicable", "a": "A is better",
    "b": "B is better", "tie": "equal", "correct": "correct", "wrong": "wrong", "failed": "no verdict",
}  # fmt: skip
SAID_TONES = {
    "yes": "ok", "no": "bad", "cannot_tell": "warn", "correct": "ok", "wrong": "bad", "failed": "warn",
}  # fmt: skip
SAID_GLYPHS = frozenset({"ok", "bad", "warn"})
"""Tones that a badge draws with a glyph."""
BUTTONS = {
    Decision.YES: ("Yes", "yes", "ok"),
    Decision.NO: ("No", "no", "bad"),
    Decision.CANNOT_TELL: ("Cannot tell", "cannot_tell", "warn"),
    Decision.NOT_APPLICABLE: ("Not applicable", "not_applicable", ""),
    Decision.A: ("A is better", "a", ""),
    Decision.B: ("B is better", "b", ""),
    Decision.TIE: ("Equal", "tie", ""),
    Decision.CORRECT: ("Correct", "correct", "ok"),
    Decision.WRONG: ("Wrong", "wrong", "bad"),
}
"""Words, name of the action, and tone of each decision."""
CONFIDENCE_WORDS = {Confidence.LOW: "Low", Confidence.MEDIUM: "Medium", Confidence.HIGH: "High"}


def tone_of(says: str) -> str:
    """Return the colour of what a side says; empty for none."""
    return SAID_TONES.get(says, "")
