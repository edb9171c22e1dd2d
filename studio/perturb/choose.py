"""What is made worse: chance chooses, the recipe says what came of it (REFLEX, section 3.3)."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence

from studio.errors import BadInput
from studio.model.reflex import ContentMetric, Recipe, Variant
from studio.perturb.amounts import amount, derangement
from studio.perturb.topics import LEAST_TOPICS

LEAST_SLIDES = 2
LEAST_IMAGES = 3


def rng_of(metric: ContentMetric, degree: int, seed: int, salt: str = "") -> random.Random:
    """Return the chance of one recipe: the same for equal arguments, on every machine."""
    return random.Random(f"{metric.value}/{degree}/{seed}/{salt}")


def flow(slides: Sequence[int], *, degree: int, seed: int) -> Recipe:
    """Permute the positions of some slides so that none of them stays where it was; at least two.

    Args:
        slides: numbers of the slides in order.
        degree: 1 to 4.
        seed: of chance.

    Raises:
        BadInput: for fewer than two slides.
    """
    _enough(len(slides), LEAST_SLIDES, "slides")
    rng = rng_of(ContentMetric.FLOW, degree, seed)
    picked = sorted(rng.sample(list(slides), amount(len(slides), degree, least=2)))
    mixed = derangement(picked, rng)
    assert mixed is not None  # two distinct things or more can always change places
    moved = dict(zip(picked, mixed, strict=True))
    return Recipe(
        metric=ContentMetric.FLOW, degree=degree, seed=seed, picked=tuple(picked),
        permutation=tuple(moved.get(each, each) for each in slides),
    )  # fmt: skip


def redundancy(slides: Sequence[int], *, degree: int, seed: int, variant: Variant = Variant.PLAIN) -> Recipe:
    """Show some slides twice: the copies come at random places, or over other slides if the length is to stay.

    Raises:
        BadInput: for fewer than two slides.
    """
    _enough(len(slides), LEAST_SLIDES, "slides")
    rng = rng_of(ContentMetric.REDUNDANCY, degree, seed)
    n = amount(len(slides), degree)
    if variant is Variant.LENGTH_MATCHED:
        # One slide at least has to be left to copy from.
        overwritten = set(rng.sample(list(slides), min(n, len(slides) - 1)))
        left = [each for each in slides if each not in overwritten]
        order = [rng.choice(left) if each in overwritten else each for each in slides]
        inserted = [place for place, each in enumerate(slides, start=1) if each in overwritten]
        picked = sorted({order[place - 1] for place in inserted})
    else:
        picked = sorted(rng.sample(list(slides), n))
        marked: list[tuple[int, bool]] = [(each, False) for each in slides]
        for each in rng.sample(picked, n):
            marked.insert(rng.randint(0, len(marked)), (each, True))
        order = [each for each, _ in marked]
        inserted = [place for place, (_, is_copy) in enumerate(marked, start=1) if is_copy]
    return Recipe(
        metric=ContentMetric.REDUNDANCY, degree=degree, seed=seed, picked=tuple(picked), permutation=tuple(order),
        variant=variant, inserted=tuple(inserted),
    )  # fmt: skip


def alignment(slides: Sequence[int], images: Mapping[int, Hashable], *, degree: int, seed: int) -> Recipe:
    """Permute the images of some of the slides that have one, so that each of them shows another image.

    Args:
        slides: numbers of the slides in order.
        images: slide → what tells its image from others, for slides that have one.
        degree: 1 to 4.
        seed: of chance.

    Raises:
        BadInput: for fewer than three slides with images, or if too many of them are the same.
    """
    _enough(len(images), LEAST_IMAGES, "slides with an image of their own")
    rng = rng_of(ContentMetric.ALIGNMENT, degree, seed)
    with_image = [each for each in slides if each in images]
    n = amount(len(with_image), degree, least=2)
    for _ in range(50):
        picked = sorted(rng.sample(with_image, n))
        mixed = derangement(picked, rng, kind=[images[each] for each in picked])
        if mixed is not None:
            moved = dict(zip(picked, mixed, strict=True))
            return Recipe(
                metric=ContentMetric.ALIGNMENT, degree=degree, seed=seed, picked=tuple(picked),
                permutation=tuple(moved.get(each, each) for each in slides),
            )  # fmt: skip
    raise BadInput(
        "The images cannot change places: too many slides show the same one.",
        next_step="Choose a lower degree, or a deck with more different images.",
    )


def coverage(
    slides: Sequence[int],
    topics: Sequence[str],
    carried: Sequence[frozenset[int]],
    *,
    degree: int,
    seed: int,
    variant: Variant = Variant.PLAIN,
) -> Recipe:
    """Take some topics out: every slide that carries one of them goes, or gives way to a slide of another deck.

    Only topics that a slide carries are drawn, at least one is kept, and at least one slide stays.

    Args:
        slides: numbers of the slides in order.
        topics: names of the source's topics.
        carried: for each slide, the numbers of its topics, from 0.
        degree: 1 to 4.
        seed: of chance.
        variant: plain, or with the length kept.

    Raises:
        BadInput: for fewer than four carried topics or two slides.
    """
    _enough(len(slides), LEAST_SLIDES, "slides")
    there = sorted(set().union(*carried))
    if len(there) < LEAST_TOPICS:
        raise BadInput(
            f"The slides carry {len(there)} of the source's {len(topics)} topics; four are needed.",
            next_step="Give a longer source, or one with headings.",
        )
    rng = rng_of(ContentMetric.COVERAGE, degree, seed)
    n = min(amount(len(there), degree), len(there) - 1)
    for _ in range(200):
        gone = set(rng.sample(there, n))
        stays = [each for each, has in zip(slides, carried, strict=True) if not has & gone]
        if stays:
            break
    else:
        # Every draw empties the deck: slides carry several topics each. Keep those of the topic with fewest.
        keep = min(there, key=lambda topic: (sum(topic in has for has in carried), topic))
        kept = next(has for has in carried if keep in has)
        gone = set([each for each in there if each not in kept][:n])
        stays = [each for each, has in zip(slides, carried, strict=True) if not has & gone]
        if not gone or not stays:
            raise BadInput("No topic can be taken out without taking every slide.", next_step="Choose a lower degree.")
    kept_set = set(stays)
    order = stays if variant is Variant.PLAIN else [each if each in kept_set else 0 for each in slides]
    return Recipe(
        metric=ContentMetric.COVERAGE, degree=degree, seed=seed,
        picked=tuple(topics[each] for each in sorted(gone)), permutation=tuple(order), variant=variant,
    )  # fmt: skip


def _enough(n: int, least: int, what: str) -> None:
    if n < least:
        raise BadInput(f"The number of {what} is {n}; it takes {least} or more.", next_step="Choose another deck.")
