"""How numbers are written for people: in the window, in the terminal and in reports alike."""

from __future__ import annotations

UNDEFINED = "–"
"""Stands where there is no number."""


def figure(value: float | None, digits: int = 2) -> str:
    """Return a number to so many digits, "–" for none; −0.00 is 0.00."""
    if value is None:
        return UNDEFINED
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")


def percent(share: float | None) -> str:
    """Return a share of 1 in percent with one digit and without the sign, "–" for none."""
    return figure(None if share is None else 100 * share, 1)


def interval_in_words(low: float | None, high: float | None) -> str:
    """Return such as "−0.10 … 0.42", "–" for none."""
    return UNDEFINED if low is None or high is None else f"{figure(low)} … {figure(high)}"


def counted(number: int, noun: str) -> str:
    """Return such as "1 deck", "0 decks" or "1,204 decks"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def p_in_words(p: float | None) -> str:
    """Return ".012", "<.001", "1.000" or "–"."""
    if p is None:
        return UNDEFINED
    if p < 0.001:
        return "<.001"
    return f"{p:.3f}".removeprefix("0")
