"""The quantities of a text, in digits or in Chinese numerals, and what of them a reader may go by."""

from __future__ import annotations

from dataclasses import replace

from studio.texts.chinese_numerals import numerals
from studio.texts.folded_text import Folded, fold
from studio.texts.quantities import MANY_DIGITS, Quantity, quantities

_TAIL = 12
"""Letters behind a numeral in which its unit may stand."""


def quantities_in(text: str) -> tuple[Folded, list[Quantity]]:
    """Return a text folded and its quantities in order; places are those of the folded text."""
    folded = fold(text)
    found = quantities(folded)
    taken = [(each.start, each.end) for each in found]
    for numeral in numerals(folded.text):
        if any(start < numeral.end and numeral.start < end for start, end in taken):
            continue
        digits = numeral.digits
        tail = folded.cased[numeral.end : numeral.end + _TAIL]
        written = f"{digits}{tail}"
        read = quantities(Folded(written.lower(), written, folded.origin))
        if read and read[0].start == 0:
            behind = max(0, read[0].end - len(digits))
            found.append(
                replace(
                    read[0], start=numeral.start, end=numeral.end + behind,
                    number_end=min(numeral.end + behind, numeral.end),
                )
            )  # fmt: skip
    found.sort(key=lambda each: each.start)
    return folded, found


def original(text: str, folded: Folded, start: int, end: int) -> tuple[int, int]:
    """Return where a part of a folded text stands in the original: first letter, and the one behind the last."""
    return folded.origin[start], folded.origin[end - 1] + 1


def is_year(quantity: Quantity) -> bool:
    """Return whether a quantity looks like a year: four digits without a unit, 1000 to 2199."""
    if quantity.measured or quantity.is_scaled or quantity.written != 4:
        return False
    return any(1000 <= float(value) < 2200 and float(value).is_integer() for value in quantity.raw)


def dimensions(quantity: Quantity) -> frozenset[str]:
    """Return what a quantity may measure; ``year`` or ``count`` where it has no unit."""
    if quantity.measured:
        return frozenset(name for name, _ in quantity.measured)
    return frozenset({"year" if is_year(quantity) else "count"})


def value_of(quantity: Quantity) -> float:
    """Return a quantity's value in base units, or as it is where it has no unit."""
    if quantity.measured:
        return float(min(quantity.measured)[1])
    return float(min(quantity.raw, default="0"))


def agreement(wanted: Quantity, found: Quantity) -> float:
    """Return how well a quantity of a passage says the wanted one, 0 to 1.

    1: equal; 0.8: the number alone is equal; 0.7: written with a magnitude and at least three digits that count, it
    is the wanted one rounded, as 1.24 million is of 1,243,512. Nothing rounder is accepted: a changed value may
    look so.
    """
    same = wanted.agrees(found)
    if same:
        return same
    if found.is_scaled and found.digits >= MANY_DIGITS and found.rounds(wanted):
        return 0.7
    return 0.0
