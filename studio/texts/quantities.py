"""Numbers with their units in a text, as values that can be compared however they are written."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from studio.texts.folded_text import WIDE, Folded
from studio.texts.units import MAGNITUDES, PREFIXES, UnitOf, meanings

_NUMBER = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d])|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?(?!\d)|\d{1,3}\.\d{3},\d+"
    r"|\d{1,3}(?:'\d{3})+(?:[.,]\d+)?(?!\d)|\d{1,2}(?:,\d{2})+,\d{3}(?!\d)"
    r"|\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?![\d])|\d+(?:[.,]\d+)?|(?<![\w.])\.\d+"
)
_DATE = re.compile(r"\d{4}([-/])\d{1,2}\1\d{1,2}(?!\d)")
_POWER = re.compile(r"(?: ?[x×*·] ?10\^?(-?\d{1,2})|e([+-]?\d{1,2}))(?![\w])")
_SYMBOL = re.compile(rf"[^\W\d_{WIDE}]+(?:\^[23]|[23](?!\w))?|°[cf]?|[%‰$€£¥₹]|us\$|hk\$", re.IGNORECASE)
_WIDE_RUN = re.compile(rf"[{WIDE}]{{1,4}}")
_PER_CENT = re.compile(r"per ?cent(?:age points?)?|percentage points?", re.IGNORECASE)
_SIGNS = sorted(PREFIXES, key=len, reverse=True)
_CONNECTORS = frozenset({"-", "~", "–", "to", "至", "到", "～"})
MANY_DIGITS = 3
"""From so many digits on a number alone is taken for the same number with a unit."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number of a text."""

    start: int
    """In characters of the folded text, sign, currency and unit included."""
    end: int
    raw: frozenset[str]
    """The values that it may be, without a unit, such as ``1.2e+06``; several where the writing allows several."""
    measured: frozenset[tuple[str, str]]
    """(dimension, value in base units) that it may be; empty without a unit."""
    digits: int
    """Digits that count for rounding: those of 612,000 are three."""
    written: int = 0
    """Digits as written, leading zeros left out: those of 612,000 are six."""
    is_scaled: bool = False
    """A word such as "million" stands behind it."""
    number_end: int = 0
    """Where the bare number ends."""
    currency: str = ""
    """The unit that stands before the number."""
    half_step: float = 0.0
    """Half of the last digit that counts, as a share of the value: how far off a rounded number may be."""

    def agrees(self, other: Quantity) -> float:
        """Return how well this quantity of a phrase is met by another of a source: 1, 0.8 or 0.

        A number without a unit is met by that number with any unit. One with a unit is met by an equal one, and
        only by a bare number, as in a table whose unit is in its head, if enough digits agree.
        """
        if not self.measured:
            return 1.0 if self.raw & other.raw or self._as_share(other) else 0.0
        if other.measured:
            return 1.0 if self.measured & other.measured else 0.0
        if self.written >= MANY_DIGITS and (self.raw & other.raw or other._as_share(self)):
            return 0.8
        return 0.0

    @property
    def may_be_rounded(self) -> bool:
        """Whether as many digits are written as somebody gives who rounds, and not too few to say anything."""
        return self.digits >= MANY_DIGITS or (self.digits >= 2 and (self.is_scaled or bool(self.measured)))

    def rounds(self, other: Quantity) -> bool:
        """Return whether this quantity of a phrase is that one of a source, rounded: 1.15 million for 1,148,000."""
        if not self.may_be_rounded or other.digits <= self.digits:
            return False
        if self.measured and other.measured:
            return any(
                dimension == of_other and self._is_near(float(value), float(exact))
                for dimension, value in self.measured
                for of_other, exact in other.measured
            )
        if self.measured and self.digits < MANY_DIGITS:
            return False
        return any(self._is_near(float(value), float(exact)) for value in self.raw for exact in other.raw)

    def _is_near(self, rounded: float, exact: float) -> bool:
        return abs(rounded - exact) <= abs(rounded) * self.half_step * (1 + 1e-9)

    def _as_share(self, percent: Quantity) -> bool:
        """Return whether this bare number, such as 0.873, is that percentage, 87.3 %."""
        if self.written < MANY_DIGITS:
            return False
        return any(dimension == "%" and key(float(value) / 100) in self.raw for dimension, value in percent.measured)


def key(value: float) -> str:
    """Return a value so that equal ones have equal keys in spite of rounding in their conversion."""
    return f"{value:.9g}"


def quantities(folded: Folded) -> list[Quantity]:
    """Return the numbers of a text in order; the first of a range has the unit of the second."""
    found: list[Quantity] = []
    for quantity in _single(folded):
        if found:
            before = found[-1]
            if is_connector(folded.text[before.end : quantity.start]):
                found[-1], quantity = _as_range(folded, before, quantity)
        found.append(quantity)
    return found


def is_connector(gap: str) -> bool:
    """Return whether what stands between two numbers makes a range of them."""
    return gap.strip() in _CONNECTORS


def _single(folded: Folded) -> Iterator[Quantity]:
    at = 0
    while (match := _NUMBER.search(folded.text, at)) is not None:
        if _is_inside_word(folded.text, match.start()) or _is_version(folded.text, match):
            at = _behind_number(folded.text, match.end())
            continue
        quantity = _quantity(folded, match)
        yield quantity
        date = _DATE.match(folded.text, match.start())
        # Of 2026-03-01 only the year is a number that people look for.
        at = date.end() if date is not None else max(match.end(), quantity.end)


def _quantity(folded: Folded, match: re.Match[str]) -> Quantity:
    start, number, prefix = _sign_and_currency(folded.text, match.start())
    end = number_end = match.end()
    values = _values(match.group())
    digits = _significant_digits(match.group())
    power = _POWER.match(folded.text, end)
    if power is not None:
        values = [value * 10.0 ** int(power.group(1) or power.group(2)) for value in values]
        end = number_end = power.end()
    values = [number * value for value in values]
    readings: list[tuple[float, UnitOf | None]] = [(value, None) for value in values]
    raw = {key(value) for value in values}
    is_scaled = False
    word, word_end = _word(folded, end)
    if word in MAGNITUDES:
        scaled = [value * MAGNITUDES[word] for value in values]
        # "5 m" may be five million or five metres; what is no unit can only be the first.
        units = meanings(word)
        readings = [(value, unit) for value in values for unit in units]
        if not units:
            raw = set()
        raw |= {key(value) for value in scaled}
        is_scaled, end = True, word_end
        unit_word, unit_end = _word(folded, end)
        units_behind = meanings(unit_word)
        if units_behind:
            readings = [(value, unit) for value in scaled for unit in units_behind]
            raw, end = {key(value) for value in scaled}, unit_end
        elif prefix:
            readings, raw = [(value, None) for value in scaled], {key(value) for value in scaled}
    else:
        units, word_end = _unit(folded, word, word_end)
        if units:
            readings = [(value, unit) for value in values for unit in units]
            end = word_end
    if prefix:
        readings = [(value, unit) for value, _ in readings for unit in meanings(prefix)]
    return Quantity(
        start=start, end=end, raw=frozenset(raw),
        measured=frozenset((unit.dimension, key(value * unit.factor)) for value, unit in readings if unit is not None),
        digits=digits, written=len(re.sub(r"\D", "", match.group()).lstrip("0")), is_scaled=is_scaled,
        number_end=number_end, currency=prefix,
        half_step=_half_step(match.group(), values[0]),
    )  # fmt: skip


def _unit(folded: Folded, word: str, word_end: int) -> tuple[tuple[UnitOf, ...], int]:
    """Return what the word behind a number measures, with what it is divided by, such as km/h."""
    units = meanings(word)
    if not units:
        return (), word_end
    slash = re.compile(r" ?/ ?| per ").match(folded.text, word_end)
    below, below_end = _word(folded, slash.end()) if slash is not None else ("", 0)
    under = meanings(below)
    if under and units[0].dimension != "time":
        return tuple(
            UnitOf(f"{above.dimension}/{part.dimension}", above.factor / part.factor)
            for above in units
            for part in under
        ), below_end
    return units, word_end


def _word(folded: Folded, at: int) -> tuple[str, int]:
    """Return the word behind a number that may be a unit or a magnitude, as written, and where it ends."""
    text = folded.cased
    if at < len(text) and text[at] in " -" and at + 1 < len(text) and not text[at + 1].isdigit():
        at += 1
    percent = _PER_CENT.match(text, at)
    if percent is not None:
        return ("pp" if "point" in percent.group().lower() else "%"), percent.end()
    wide = _WIDE_RUN.match(text, at)
    if wide is not None:
        for length in range(len(wide.group()), 0, -1):
            word = wide.group()[:length]
            if word in MAGNITUDES or meanings(word):
                return word, at + length
        return "", at
    match = _SYMBOL.match(text, at)
    if match is None:
        return "", at
    word = match.group()
    lower = word.lower()
    known = word if word in MAGNITUDES or meanings(word) else lower
    if len(word) > 1 and lower in MAGNITUDES:
        known = lower
    return known, match.end()


def _sign_and_currency(text: str, start: int) -> tuple[int, float, str]:
    prefix = ""
    for sign in _SIGNS:
        before = start - 1 if start and text[start - 1] == " " else start
        begin = before - len(sign)
        if (
            begin >= 0
            and text.startswith(sign, begin)
            and not (sign[0].isalpha() and begin and text[begin - 1].isalnum())
        ):
            prefix, start = PREFIXES[sign], begin
            break
    is_negative = start > 0 and text[start - 1] == "-" and (start == 1 or text[start - 2] in " (:=,;[<>$€£")
    return (start - 1, -1.0, prefix) if is_negative else (start, 1.0, prefix)


def _values(written: str) -> list[float]:
    """Return what a number may be: the usual reading first, the one with a decimal comma where it may be meant."""
    text = written.replace(" ", "").replace("'", "")
    commas, points = text.count(","), text.count(".")
    if commas and points:
        decimal = max(",.", key=text.rfind)
        return [float(text.replace("," if decimal == "." else ".", "").replace(",", "."))]
    if not commas and not points:
        return [float(text)]
    sign = "," if commas else "."
    head, _, tail = text.rpartition(sign)
    grouped = float(text.replace(sign, ""))
    if commas + points > 1:
        return [grouped]
    decimal_value = float(f"{head or '0'}.{tail}")
    if len(tail) != 3 or not head or head == "0" or len(head) > 3:
        return [decimal_value]
    if sign == ",":
        # "3,500" is no way to write 3.5: nobody adds two zeros behind a decimal comma.
        return [grouped] if tail.endswith("0") else [grouped, decimal_value]
    return [decimal_value, grouped]


def _significant_digits(written: str) -> int:
    """Return how many digits say something; the zeros at the end of 612,000 do not."""
    digits = re.sub(r"\D", "", written).lstrip("0")
    is_whole = _values(written)[0].is_integer() and not re.search(r"[.,]\d{1,2}$", written)
    return len(digits.rstrip("0") if is_whole else digits) or 1


def _half_step(written: str, value: float) -> float:
    """Return half of the last digit that counts as a share of the value; 0 for zero."""
    if not value:
        return 0.0
    number = _values(written)[0]
    exponent = math.floor(math.log10(abs(number))) - _significant_digits(written) + 1 if number else 0
    return float(0.5 * 10.0**exponent / abs(number)) if number else 0.0


def _is_inside_word(text: str, start: int) -> bool:
    """Return whether digits belong to a name such as GPT4 or H100."""
    if start == 0:
        return False
    before = text[start - 1]
    if before == "_" or (before.isalpha() and not re.match(f"[{WIDE}]", before)):
        return not any(
            sign.isalpha() and text.startswith(sign, start - len(sign))
            and (start == len(sign) or not text[start - len(sign) - 1].isalnum())
            for sign in _SIGNS
        )  # fmt: skip
    return before == "^"


def _is_version(text: str, match: re.Match[str]) -> bool:
    """Return whether a number goes on as no number does: 1.2.3, 2026-03-01."""
    rest = text[match.end() : match.end() + 2]
    return len(rest) == 2 and rest[0] in ".," and rest[1].isdigit()


def _behind_number(text: str, at: int) -> int:
    match = re.compile(r"(?:[.,]?\d)*").match(text, at)
    return match.end() if match is not None else at


def _as_range(folded: Folded, first: Quantity, second: Quantity) -> tuple[Quantity, Quantity]:
    """Return both ends of a range, each with the unit, the magnitude and the currency that stand at one of them."""
    is_open = not first.is_scaled and (not first.measured or bool(first.currency))
    if is_open and (second.is_scaled or second.measured):
        # As if what stands behind the second number stood behind the first too: "10-20 million".
        behind = folded.cased[second.number_end : second.end]
        first = _read_anew(folded, first, first.start, first.number_end, behind=behind)
    if first.currency and not second.measured:
        second = _read_anew(folded, second, second.start, second.end, before=first.currency)
    return first, second


def _read_anew(
    folded: Folded, quantity: Quantity, start: int, end: int, *, before: str = "", behind: str = ""
) -> Quantity:
    text = f"{before}{folded.cased[start:end]}{behind}"
    read = list(_single(Folded(text.lower(), text, folded.origin)))
    if len(read) != 1:
        return quantity
    return replace(
        quantity, raw=quantity.raw | read[0].raw, measured=read[0].measured or quantity.measured,
        currency=read[0].currency,
    )  # fmt: skip
