"""Numbers that are written in Chinese numerals: 三千五百万, 百分之三十五, 二〇二一年."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_WRITTEN = ("零〇", "一壹", "二两兩贰", "三叁", "四肆", "五伍", "六陆", "七柒", "八捌", "九玖")
_DIGITS = {letter: value for value, letters in enumerate(_WRITTEN) for letter in letters}
_SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_LARGE = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_ALL = "".join([*_DIGITS, *_SMALL, *_LARGE])
_NUMERAL = re.compile(rf"(?P<share>百分之)?(?P<words>[{_ALL}]+(?:[点點][{''.join(_DIGITS)}]+)?)")


class Numeral(NamedTuple):
    """A numeral and the same number in digits."""

    start: int
    end: int
    digits: str
    """Such as ``35000000``, or ``35%`` for a share of a hundred."""


def numerals(text: str) -> Iterator[Numeral]:
    """Yield the numerals of a text that are numbers beyond doubt.

    A single letter, as in 统一 or 一种, is a word more often than a number and is left out, unless it stands behind
    百分之; so are two or three digits without a magnitude, as in 两三; so is a numeral behind a digit, such as the 万
    of 3万, which belongs to that number.
    """
    for match in _NUMERAL.finditer(text):
        words = match["words"]
        if match.start() and (text[match.start() - 1].isdigit() or text[match.start() - 1] == "."):
            continue
        if not match["share"] and (len(words) < 2 or (words[0] not in _DIGITS and words[0] not in "十拾")):
            continue
        if not match["share"] and len(words) < 4 and all(letter in _DIGITS for letter in words):
            # 两三年 is two or three years; digit by digit only years and long numbers are written.
            continue
        value = value_of(words)
        if value is not None:
            yield Numeral(match.start(), match.end(), f"{value}{'%' if match['share'] else ''}")


def value_of(words: str) -> str | None:
    """Return a numeral in digits; None if it is none that is written in order."""
    whole, _, part = words.replace("點", "点").partition("点")
    fraction = "".join(str(_DIGITS[letter]) for letter in part)
    if not whole:
        return None
    if all(letter in _DIGITS for letter in whole):
        # Read digit by digit, as years are.
        number = "".join(str(_DIGITS[letter]) for letter in whole)
        return f"{number}.{fraction}" if fraction else number
    total = section = digit = 0
    for letter in whole:
        if letter in _DIGITS:
            digit = _DIGITS[letter]
        elif letter in _SMALL:
            section += (digit or 1) * _SMALL[letter]
            digit = 0
        else:
            large = _LARGE[letter]
            # 一万亿: what stands before is multiplied as a whole.
            total = (total + section + digit) * large if large == 10**8 else total + (section + digit or 1) * large
            section = digit = 0
    value = total + section + digit
    return f"{value}.{fraction}" if fraction else str(value)
