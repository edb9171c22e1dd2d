"""Ranks typed as digits, of which two in quick succession may make one number."""

from __future__ import annotations

PAIR_S = 0.7
"""A second digit within this time belongs to the first."""


class DigitEntry:
    """Takes digits and says which rank they mean.

    With up to nine ranks every digit is a rank at once. With more, a digit that can begin a two-digit rank
    waits for the second one.

    Args:
        n_ranks: the highest rank.
    """

    def __init__(self, n_ranks: int) -> None:
        self._n_ranks = n_ranks
        self._first: int | None = None

    @property
    def waiting(self) -> int | None:
        """The digit that waits for a second one."""
        return self._first

    def press(self, digit: int) -> tuple[int, ...]:
        """Return the ranks that are certain after this digit: none while it waits.

        The caller calls `flush` when `PAIR_S` seconds have gone without another digit.
        """
        if self._first is not None:
            pair, first = self._first * 10 + digit, self._first
            self._first = None
            if pair <= self._n_ranks:
                return (pair,)
            return (first, *self.press(digit))
        if digit == 0:
            return ()
        if digit * 10 <= self._n_ranks:
            self._first = digit
            return ()
        return (digit,)

    def flush(self) -> int | None:
        """Return the digit that waited, as a rank of its own; None if none did."""
        first, self._first = self._first, None
        return first
