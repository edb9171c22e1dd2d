"""A part of a project's instances that looks like the whole, drawn by a seed."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from studio.errors import BadInput
from studio.model.decks import Instance
from studio.model.ids import InstanceId
from studio.sessions.pairing import seeded

STRATA = ("domain", "scenario", "difficulty", "language")
"""What a sample can be stratified by."""

Key = TypeVar("Key", bound=Hashable)


def quotas(sizes: Mapping[Key, int], n: int) -> dict[Key, int]:
    """Return how many of `n` each stratum gets, by the largest remainder (Hamilton's method).

    Equal remainders go to the larger stratum, then to the one whose name comes first.

    Raises:
        BadInput: if `n` is negative or more than there are.
    """
    total = sum(sizes.values())
    if not 0 <= n <= total:
        raise BadInput(f"{n} of {total} cannot be drawn.", next_step=f"Choose 0 to {total}.")
    if not total:
        return dict.fromkeys(sizes, 0)
    found = {key: n * size // total for key, size in sizes.items()}
    by_remainder = sorted(sizes, key=lambda key: (-(n * sizes[key] % total), -sizes[key], str(key)))
    for key in by_remainder[: n - sum(found.values())]:
        found[key] += 1
    return found


def strata_of(instances: Sequence[Instance], by: Sequence[str]) -> dict[tuple[str, ...], list[Instance]]:
    """Return the instances of each combination of what they are stratified by.

    Raises:
        BadInput: for a property that is none of `STRATA`.
    """
    unknown = [name for name in by if name not in STRATA]
    if unknown:
        raise BadInput(f"There are no strata by {unknown[0]}.", next_step=f"Use: {', '.join(STRATA)}.")
    found: dict[tuple[str, ...], list[Instance]] = {}
    for instance in instances:
        found.setdefault(tuple(str(getattr(instance, name)) for name in by), []).append(instance)
    return found


def stratified_sample(
    instances: Sequence[Instance], n: int, *, by: Sequence[str] = (), seed: int
) -> tuple[InstanceId, ...]:
    """Return `n` instances, of each stratum as many as its share asks for, in the order in which they were given.

    The same seed gives the same sample, whatever order the instances come in.

    Raises:
        BadInput: if there are fewer than `n`.
    """
    strata = strata_of(instances, by)
    wanted = quotas({key: len(members) for key, members in strata.items()}, n)
    chosen: set[InstanceId] = set()
    for key, members in strata.items():
        ordered = sorted(members, key=lambda instance: instance.id)
        seeded(seed, "sample", *key).shuffle(ordered)
        chosen.update(instance.id for instance in ordered[: wanted[key]])
    return tuple(instance.id for instance in instances if instance.id in chosen)


def chosen_systems(systems: Sequence[str], n: int, *, seed: int) -> tuple[str, ...]:
    """Return `n` of the systems, drawn by the seed, sorted by name.

    Raises:
        BadInput: if there are fewer.
    """
    if not 1 <= n <= len(systems):
        raise BadInput(f"{n} of {len(systems)} systems cannot be drawn.", next_step=f"Choose 1 to {len(systems)}.")
    return tuple(sorted(seeded(seed, "systems").sample(sorted(systems), n)))
