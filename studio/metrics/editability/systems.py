"""From the levels of many decks to one level for each system."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from studio.model.editability import MAXIMUM_LEVEL, SystemEditability, Triage

SYSTEM_RULE = "median of the decks' levels; of an even number, the lower of the middle two"
"""How a system gets its level. The paper's own rule is not given (table 4)."""


def system_levels(levels: Mapping[str, Sequence[int | None]]) -> tuple[SystemEditability, ...]:
    """Return each system's level and how its decks spread over the levels, in the order given.

    Args:
        levels: system → the level of each of its decks, None for a deck without one.
    """
    found = []
    for system, given in levels.items():
        known = [level for level in given if level is not None]
        n_levels = MAXIMUM_LEVEL[Triage.NATIVE] + 1
        found.append(
            SystemEditability(
                system=system,
                level=statistics.median_low(known) if known else None,
                n_decks=len(known),
                n_undefined=len(given) - len(known),
                shares=tuple(known.count(level) / len(known) if known else 0.0 for level in range(n_levels)),
            )
        )
    return tuple(found)
