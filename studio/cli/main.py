"""The studio command and what every subcommand shares: errors, exit codes, JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from studio import __version__
from studio.cli.output import note
from studio.errors import Cancelled, StudioError

EXIT_OK, EXIT_SOME_FAILED, EXIT_BAD_INPUT, EXIT_CANCELLED = 0, 1, 2, 130


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="studio")
def studio() -> None:
    """Rank slide decks beside their sources, run metrics, and see how well machines agree with people.

    Exit codes: 0 all good, 1 finished but some units failed, 2 bad usage or input, 130 cancelled.
    Every command takes --json: one JSON document on stdout, everything else on stderr.
    """


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --json to a command."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")(command)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code; a user's mistake is one line on stderr, never a traceback."""
    from studio.cli import commands

    commands.register(studio)
    try:
        result = studio.main(args=arguments, prog_name="studio", standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "studio"
        note(f"{where}: {error.format_message()} See: {where} --help")
        return EXIT_BAD_INPUT
    except click.Abort:
        return EXIT_CANCELLED
    except click.ClickException as error:
        note(f"studio: {error.format_message()}")
        return EXIT_BAD_INPUT
    except (Cancelled, KeyboardInterrupt):
        note("Cancelled; what was finished is kept.")
        return EXIT_CANCELLED
    except StudioError as error:
        note(f"studio: {error}")
        return EXIT_BAD_INPUT
    except BrokenPipeError:
        # The reader of our output went away, as `studio … | head` does; nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_OK
    return result if isinstance(result, int) else EXIT_OK
