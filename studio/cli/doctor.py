"""studio doctor."""

from __future__ import annotations

from dataclasses import asdict

import click

from studio.actions.doctor import examine
from studio.cli.main import EXIT_OK, EXIT_SOME_FAILED, json_option
from studio.cli.opened import tools
from studio.cli.output import print_json, say


@click.command()
@json_option
def doctor(as_json: bool) -> int:
    """Say what is installed: LibreOffice, Chromium, fonts, libraries, keys (present or not, never their value).

    Example: studio doctor
    """
    checks = examine(tools())
    if as_json:
        print_json([asdict(check) for check in checks])
    else:
        for check in checks:
            mark = "ok" if check.ok else "MISSING" if check.is_required else "-"
            say(f"{mark:<8}{check.check}: {check.detail} {check.next_step}".rstrip())
    return EXIT_OK if all(check.ok or not check.is_required for check in checks) else EXIT_SOME_FAILED
