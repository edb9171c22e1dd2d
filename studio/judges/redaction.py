"""Keeps keys out of everything that is written down."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NoReturn

HIDDEN = "[key hidden]"
_LEAST_LETTERS = 8

_LOOKS_LIKE_A_KEY = re.compile(
    r"AIza[0-9A-Za-z_\-]{20,}|AQ\.[0-9A-Za-z_\-]{20,}|sk-[0-9A-Za-z_\-*]{8,}"
    r"|(?<=[?&]key=)(?!\[key hidden\])[^&\s\"']+|(?<=Bearer )(?!\[key hidden\])[^\s\"',}]+",
)


class Secret:
    """A key that shows itself to nobody by accident: not in text, not in a traceback's locals, not pickled."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the key, to hand it to a client and to nothing else."""
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return HIDDEN

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is never sent or stored; workers read it from their own environment")


def reply_without(body: str, secret: Secret) -> str:
    """Return a server's reply as it came, but for the given key, should the server repeat it.

    Else nothing is changed, since replies are kept raw: what only looks like a key may be what a slide says. A word of
    a few letters, as local servers take for a key, is no secret and may be part of any word.
    """
    key = secret.reveal()
    if len(key) < _LEAST_LETTERS:
        return body
    for written in (key, key.replace("/", "\\/")):
        body = body.replace(written, HIDDEN)
    return body


def redacted(text: str, secrets: Iterable[Secret] = ()) -> str:
    """Return the text of a server or a library without the given keys and without anything that looks like one."""
    for secret in secrets:
        if secret:
            text = text.replace(secret.reveal(), HIDDEN)
    return _LOOKS_LIKE_A_KEY.sub(HIDDEN, text)
