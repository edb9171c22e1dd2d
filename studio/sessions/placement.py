"""Where decks stand in a ranking that is still being made: rank slots with ties and gaps."""

from __future__ import annotations

from collections.abc import Mapping

from studio.model.ids import DeckId

Ranks = dict[DeckId, int]
"""Competition ranks of the placed decks: two decks at 2 leave no 3. Slots may be empty."""


def settle(ranks: Mapping[DeckId, int], n_slots: int) -> Ranks:
    """Return the nearest ranks that fit into slots 1 to `n_slots`.

    A tie of m decks takes m slots, so decks just below it move down, and a tie that would reach past the
    last slot moves up. Order and ties stay as they are.
    """
    groups = _groups(ranks)
    starts: list[int] = []
    free = 1
    for rank, decks in groups:
        starts.append(max(rank, free))
        free = starts[-1] + len(decks)
    last = n_slots
    for index in range(len(groups) - 1, -1, -1):
        size = len(groups[index][1])
        starts[index] = min(starts[index], last - size + 1)
        last = starts[index] - 1
    return {deck: start for start, (_, decks) in zip(starts, groups, strict=True) for deck in decks}


def competition(ranks: Mapping[DeckId, float]) -> Ranks:
    """Return ranks without gaps: 1, 2, 2, 4. The numbers given express order only."""
    placed = sorted(ranks.values())
    return {deck: placed.index(rank) + 1 for deck, rank in ranks.items()}


def put(ranks: Mapping[DeckId, int], deck: DeckId, rank: int, n_slots: int, *, ties_allowed: bool) -> Ranks:
    """Return the ranks after a deck was given a slot; a deck already there ties with it, or makes room.

    Where ties are not allowed, decks from that slot on move down to the first empty slot; if there is none
    below, those up to that slot move up.

    Raises:
        ValueError: if there is no such slot.
    """
    if not 1 <= rank <= n_slots:
        raise ValueError(f"ranks go from 1 to {n_slots}")
    others = {other: place for other, place in ranks.items() if other != deck}
    if not ties_allowed:
        taken = set(others.values())
        first_free_below = rank
        while first_free_below in taken:
            first_free_below += 1
        if first_free_below <= n_slots:
            others = {other: place + (rank <= place < first_free_below) for other, place in others.items()}
        else:
            first_free_above = rank
            while first_free_above in taken:
                first_free_above -= 1
            others = {other: place - (first_free_above < place <= rank) for other, place in others.items()}
    return settle(others | {deck: rank}, n_slots)


def lift_out(ranks: Mapping[DeckId, int], deck: DeckId) -> Ranks:
    """Return the ranks without one deck; its slot stays empty."""
    return {other: place for other, place in ranks.items() if other != deck}


def move(ranks: Mapping[DeckId, int], deck: DeckId, step: int, n_slots: int) -> Ranks:
    """Return the ranks after a deck went one place up (`step` -1) or down (+1).

    A deck in a tie leaves it; alone it passes its neighbour, or takes the empty slot beside it. At the end
    of the slots nothing changes.
    """
    here = ranks[deck]
    others = lift_out(ranks, deck)
    mates = [other for other, place in others.items() if place == here]
    if mates:
        shifted = others | ({mate: here + 1 for mate in mates} if step < 0 else {})
        return settle(shifted | {deck: here if step < 0 else here + len(mates)}, n_slots)
    groups = _groups(others)
    if step < 0:
        above = [(rank, decks) for rank, decks in groups if rank < here]
        if above and above[-1][0] + len(above[-1][1]) == here:
            rank, decks = above[-1]
            return settle(others | {mate: rank + 1 for mate in decks} | {deck: rank}, n_slots)
        return settle(others | {deck: max(here - 1, 1)}, n_slots)
    below = [(rank, decks) for rank, decks in groups if rank > here]
    if below and below[0][0] == here + 1:
        rank, decks = below[0]
        return settle(others | {mate: here for mate in decks} | {deck: here + len(decks)}, n_slots)
    return settle(others | {deck: min(here + 1, n_slots)}, n_slots)


def tie_with_above(ranks: Mapping[DeckId, int], deck: DeckId, n_slots: int) -> Ranks:
    """Return the ranks after a deck joined the nearest deck above it, or left that tie if it is in one.

    Nothing changes for the top deck.
    """
    here = ranks[deck]
    others = lift_out(ranks, deck)
    mates = [other for other, place in others.items() if place == here]
    if mates:
        return settle(others | {deck: here + len(mates)}, n_slots)
    above = [place for place in others.values() if place < here]
    return settle(others | {deck: max(above)}, n_slots) if above else dict(ranks)


def _groups(ranks: Mapping[DeckId, int]) -> list[tuple[int, list[DeckId]]]:
    by_rank: dict[int, list[DeckId]] = {}
    for deck, rank in ranks.items():
        by_rank.setdefault(rank, []).append(deck)
    return sorted(by_rank.items())
