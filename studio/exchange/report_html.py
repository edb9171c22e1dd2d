"""One HTML file that says how well methods agree with people, without any outside reference."""

from __future__ import annotations

from typing import Any

import jinja2

from studio import __version__
from studio.paths import resource


def report_html(**values: Any) -> str:
    """Return the report for the values that its template names; text is escaped."""
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    template = environment.from_string(resource("report/report.html").read_text(encoding="utf-8"))
    return template.render(version=__version__, **values)
