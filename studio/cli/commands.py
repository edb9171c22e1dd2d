"""All subcommands, one file for each subject."""

from __future__ import annotations

import click

from studio.cli import (
    align,
    decks,
    demo,
    doctor,
    files,
    importing,
    metrics,
    presets,
    projects,
    reference,
    tables,
    tuning,
)


def register(group: click.Group) -> None:
    """Add every subcommand to the group."""
    for module in (demo, projects, importing, tables, decks, files, metrics, presets, reference, align, tuning, doctor):
        for command in module.COMMANDS:
            group.add_command(command)
