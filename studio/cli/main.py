"""The studio command and what every subcommand shares: errors, exit codes, JSON."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from studio import __version__, paths
from studio.cli.commands import Subcommands
from studio.cli.output import ReaderGone, note, one_line, prepare_streams
from studio.errors import Cancelled, StudioError
from studio.model.events import RunEnded
from studio.model.runs import RunState

EXIT_OK, EXIT_SOME_FAILED, EXIT_BAD_INPUT, EXIT_CANCELLED = 0, 1, 2, 130


@click.group(cls=Subcommands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="studio")
def studio() -> None:
    """Rank slide decks beside their sources, run metrics, and see how well machines agree with people.

    Exit codes: 0 all good, 1 finished but some units failed, 2 bad usage or input, 130 cancelled.
    Every command except gui takes --json: one JSON document on stdout, everything else on stderr.

    Example: studio demo --headless
    """


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --json to a command."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")(command)


def exit_code(ended: RunEnded) -> int:
    """Return the exit code for how a run ended; where it failed as a whole, say why."""
    if ended.state is RunState.FAILED:
        note(one_line(f"studio: the run failed: {ended.reason}"))
        return EXIT_SOME_FAILED
    if ended.state is RunState.CANCELLED:
        return EXIT_CANCELLED
    if ended.state is RunState.PAUSED:
        note(one_line(f"studio: the run is paused: {ended.reason}"))
        return EXIT_SOME_FAILED
    return EXIT_SOME_FAILED if set(ended.counts) - {"ok"} else EXIT_OK


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code; a user's mistake is one line on stderr, never a traceback."""
    prepare_streams()
    polite = _taken_for_ctrl_c(signal.SIGTERM)
    try:
        result = studio.main(args=arguments, prog_name="studio", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        note(error.format_message())
        return EXIT_BAD_INPUT
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "studio"
        note(one_line(f"{where}: {error.format_message()} See: {where} --help"))
        return EXIT_BAD_INPUT
    except click.ClickException as error:
        note(one_line(f"studio: {error.format_message()}"))
        return EXIT_BAD_INPUT
    except (Cancelled, KeyboardInterrupt, click.Abort):
        note("Cancelled; what was finished is kept.")
        return EXIT_CANCELLED
    except StudioError as error:
        note(one_line(f"studio: {error}"))
        return EXIT_BAD_INPUT
    except (ReaderGone, BrokenPipeError):
        # The reader of our output went away, as `studio … | head` does; nothing is wrong. What is still in the
        # buffer goes nowhere, so that the interpreter does not complain at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_OK
    except OSError as error:
        place = f": {error.filename}" if error.filename else ""
        note(one_line(f"studio: {error.strerror or error}{place}. Check the path, its permissions and the disk."))
        return EXIT_BAD_INPUT
    except Exception as error:
        note(one_line(f"studio: A fault of the studio, not yours: {type(error).__name__}: {error}. {_kept(error)}"))
        # Nothing was finished, so it is not "some failed"; of the four codes this is the nearest.
        return EXIT_BAD_INPUT
    finally:
        if polite is not None:
            signal.signal(signal.SIGTERM, polite)
    return result if isinstance(result, int) else EXIT_OK


def _taken_for_ctrl_c(number: int) -> Any:
    """Let a polite kill end a command as Ctrl-C does: files that are half written go, and the code is 130.

    Return what was done about it before; None where nothing may be changed, as outside the main thread.
    """
    if threading.current_thread() is not threading.main_thread():
        return None
    return signal.signal(number, signal.default_int_handler)


def _kept(error: Exception) -> str:
    """Write a fault's traceback into the log folder and say where it is."""
    file: Path = paths.log_dir() / "terminal.log"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as log:
            log.write("".join(traceback.format_exception(error)) + "\n")
    except OSError:
        return "Its details could not be written to the log folder."
    return f"Details: {file}"
