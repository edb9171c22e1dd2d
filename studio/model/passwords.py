"""Passwords that a person gave, for as long as the project is open: in memory only, never in a file or a log."""

from __future__ import annotations

from studio.model.ids import Sha256


class PasswordVault:
    """Passwords by the content that they open. Says of itself only how many there are."""

    def __init__(self) -> None:
        self._given: dict[Sha256, str] = {}

    def give(self, asset: Sha256, password: str) -> None:
        """Keep a password until `clear`."""
        self._given[asset] = password

    def of(self, asset: Sha256 | None) -> str | None:
        """Return the password of a content, or None if nobody gave one."""
        return self._given.get(asset) if asset is not None else None

    def clear(self) -> None:
        """Forget all of them."""
        self._given.clear()

    def __repr__(self) -> str:
        return f"<{len(self._given)} passwords>"

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("passwords do not leave this process in one piece")
