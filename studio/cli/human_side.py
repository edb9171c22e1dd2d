"""The options that choose the human side of a comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from studio.errors import BadInput
from studio.model.human_side import HumanSide, HumanSource

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--human", type=click.Choice([each.value for each in HumanSource]), default=HumanSource.RANKINGS.value,
        show_default=True, help="What people said: the human side.",
    ),
    click.option("--dimension", default="", help="With --human ratings: the dimension, or SET/DIMENSION."),
    click.option("--study", "human_study", help="Answers of one study only, by its name or id."),
    click.option("--group", "groups", multiple=True, help="Annotators of this group only; may be repeated."),
    click.option("--min-seconds", type=click.FloatRange(0), help="Least active time of a person on an instance."),
    click.option("--max-seconds", type=click.FloatRange(0), help="Most active time of a person on an instance."),
    click.option("--min-seen", type=click.FloatRange(0, 1), help="Least share (0 to 1) of the slides looked at."),
)  # fmt: skip
NAMES = ("human", "dimension", "human_study", "groups", "min_seconds", "max_seconds", "min_seen")


def human_side_options(command: Command) -> Command:
    """Return the command with the options that choose the human side; `side_of` reads them."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def side_of(options: dict[str, Any], study_id: str | None) -> HumanSide:
    """Return the side that the options choose.

    Args:
        options: what click gave for `NAMES`.
        study_id: the study that `--study` names, as events name it.

    Raises:
        BadInput: for a dimension without ratings, or ratings without a dimension.
    """
    source = HumanSource(options["human"])
    named = str(options["dimension"])
    if named and source is not HumanSource.RATINGS:
        raise BadInput("Only ratings have a dimension.", next_step="Add --human ratings, or leave --dimension out.")
    if source is HumanSource.RATINGS and not named:
        raise BadInput("Ratings need a dimension.", next_step="Add --dimension, such as --dimension coverage.")
    scale_set, _, dimension = named.rpartition("/")
    return HumanSide(
        source=source, scale_set=scale_set, dimension=dimension, study=study_id, groups=frozenset(options["groups"]),
        min_seconds=options["min_seconds"], max_seconds=options["max_seconds"], min_slides_seen=options["min_seen"],
    )  # fmt: skip
