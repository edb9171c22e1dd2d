"""The full demo: 24 instances. Beside the five that were written, 19 are drawn from them by a seed.

A variant has the source of one of the five and decks of other sections, palettes and flaws; what the invented
annotators say about it follows from the flaws, with some noise of each person's own. Nothing of it is an opinion.
"""

from __future__ import annotations

import random
from dataclasses import replace

from podium_demo.content import INSTANCES
from podium_demo.outline import DemoInstance, Flaw, Take

N_INSTANCES = 24
SEED = "podium full demo 1"

SCENARIOS = ("topic introduction", "work report", "business plan", "brand promote", "personal statement")

_PALETTES = {
    "Demo Template": ("harbour", "moss", "plum"),
    "Demo Minimal": ("white", "sky", ""),
    "Demo Vector": ("ember", "aqua", "jade"),
    "Demo Web": ("ink", "paper"),
    "Demo Canvas": ("sun", "sky", "ink"),
}
_FLAWED_PALETTES = {"Demo Web": "neon", "Demo Canvas": "candy"}
"""Palettes that clash."""
_FLAWS = {
    "Demo Template": (Flaw.LEFTOVER,),
    "Demo Minimal": (Flaw.CROWDED, Flaw.PALE, Flaw.REPEATED),
    "Demo Vector": (Flaw.PALE,),
    "Demo Web": (Flaw.THIN, Flaw.CLASHING),
    "Demo Canvas": (Flaw.CROWDED, Flaw.BLURRED, Flaw.THIN, Flaw.CLASHING),
}
"""The weaknesses that a system's decks can have."""
_LOOKS = {"Demo Template": 0.9, "Demo Minimal": -0.8, "Demo Vector": 0.6, "Demo Web": 0.3, "Demo Canvas": 0.0}
"""How the invented annotators like a system's decks without any flaw."""
_WEIGHTS = {
    Flaw.PALE: 0.7, Flaw.CROWDED: 0.9, Flaw.REPEATED: 0.6, Flaw.THIN: 1.0, Flaw.BLURRED: 0.8, Flaw.LEFTOVER: 0.5,
    Flaw.CLASHING: 1.3,
}  # fmt: skip
_NOISE = {"sample-a": 0.45, "sample-b": 0.35, "sample-c": 0.7}
_SEEN_BY_RULE = {
    Flaw.PALE: "contrast", Flaw.CROWDED: "text_overflow", Flaw.LEFTOVER: "placeholder_text",
    Flaw.THIN: "empty_or_title_only_slides",
}  # fmt: skip
"""The item that a person says no to because of a flaw; the rule may see it otherwise."""


def full_instances() -> tuple[DemoInstance, ...]:
    """Return the five instances and 19 variants of them, the same each time."""
    return (*INSTANCES, *(_variant(number) for number in range(N_INSTANCES - len(INSTANCES))))


def ranking_of(instance: DemoInstance, annotator: str) -> dict[str, object]:
    """Return what an invented annotator says to a variant, in the form of ``rankings.json``."""
    drawn = _drawn("ranking", instance.name, annotator)
    liked = {
        system: _LOOKS[system]
        - sum(_WEIGHTS[flaw] for flaw in sorted(take.flaws))
        - 0.12 * max(0, len(instance.outline.sections) - len(take.sections))
        + drawn.gauss(0.0, _NOISE[annotator])
        for system, take in instance.takes.items()
    }
    order = sorted(liked, key=lambda system: -liked[system])
    ranks: dict[str, int] = {}
    for place, system in enumerate(order, start=1):
        before = order[place - 2] if place > 1 else ""
        # Decks that somebody likes about equally share a rank now and then.
        is_tie = bool(before) and liked[before] - liked[system] < 0.06
        ranks[system] = ranks[before] if is_tie else place
    shown = list(order)
    drawn.shuffle(shown)
    active_s = drawn.randint(95, 320)
    return {"shown": shown, "ranks": ranks, "duration_s": active_s + drawn.randint(5, 60), "active_s": active_s}


def answers_to(instance: DemoInstance) -> list[dict[str, object]]:
    """Return two annotators' invented answers to the checklist of three decks, in the form of ``checklists.json``."""
    found: list[dict[str, object]] = []
    for system in _drawn("asked", instance.name).sample(sorted(instance.takes), 3):
        take = instance.takes[system]
        for annotator in ("sample-a", "sample-b"):
            drawn = _drawn("answers", instance.name, system, annotator)
            seen = {_SEEN_BY_RULE[flaw] for flaw in take.flaws if flaw in _SEEN_BY_RULE and drawn.random() < 0.85}
            if drawn.random() < 0.12:
                seen.add(drawn.choice(("bullets_per_slide", "font_size")))
            noes = {
                str(place): drawn.randint(2, max(2, len(take.sections)))
                for place in drawn.sample(range(20), len(take.flaws) + (drawn.random() < 0.4))
            }
            found.append(
                {
                    "annotator": annotator, "instance": instance.name, "system": system, "no": noes,
                    "code_no": {rule: drawn.randint(2, max(2, len(take.sections))) for rule in sorted(seen)},
                }
            )  # fmt: skip
    return found


def _variant(number: int) -> DemoInstance:
    base = INSTANCES[number % len(INSTANCES)]
    place = number // len(INSTANCES) + 2
    name = f"{base.name}-v{place}"
    drawn = _drawn("variant", name)
    word = "版本" if base.is_chinese else "version"
    return replace(
        base, name=name, drawn_from=base.name, title=f"{base.title} · {word} {place}",
        scenario=SCENARIOS[number % len(SCENARIOS)], difficulty=drawn.choice(("easy", "medium", "hard")),
        takes={system: _take(base, system, drawn) for system in base.takes},
    )  # fmt: skip


def _take(base: DemoInstance, system: str, drawn: random.Random) -> Take:
    n = len(base.outline.sections)
    kept = sorted(drawn.sample(range(n), drawn.randint(max(3, n - 3), n)))
    possible = [flaw for flaw in _FLAWS[system] if flaw is not Flaw.CROWDED or _can_crowd(base, kept)]
    flaws = frozenset(drawn.sample(possible, min(len(possible), drawn.choice((0, 0, 1, 1, 2)))))
    palette = drawn.choice(_PALETTES[system])
    if Flaw.CLASHING in flaws:
        palette = _FLAWED_PALETTES[system]
    swaps = base.takes[system].swaps
    return Take(sections=tuple(kept), flaws=flaws, palette=palette, swaps=swaps)


def _can_crowd(base: DemoInstance, sections: list[int]) -> bool:
    return all(base.outline.sections[place].heading for place in sections)


def _drawn(*words: str) -> random.Random:
    return random.Random("\x1f".join((SEED, *words)))
