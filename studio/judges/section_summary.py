"""Asks a model to sum up one section of a source, and reads what it says."""

from __future__ import annotations

from collections.abc import Sequence

from studio.judges.prompts import prompt
from studio.judges.re_asking import request_of
from studio.judges.reply_json import objects_in
from studio.model.judging import JudgeRequest
from studio.model.reflex import Section

SENTENCES = 4
MOST_SIGNS = 24_000
"""Of a section; what is longer is cut, and the model is told."""
LONGEST_SUMMARY = 3_000


def summary_request(section: Section, above: Sequence[str], *, language: str) -> JudgeRequest:
    """Return the one request of a section.

    Args:
        section: what is summed up.
        above: the headings that it stands below, the highest first.
        language: of the summary; empty: the section's own.
    """
    words = prompt("section-summary")
    cut = "\n[cut here]" if len(section.text) > MOST_SIGNS else ""
    filled = words.filled(
        {
            "language": language or "the section's own", "most": str(SENTENCES), "section": section.title.strip(),
            "place": " › ".join(above) or "at the top", "text": section.text[:MOST_SIGNS].strip() + cut,
        }
    )  # fmt: skip
    return request_of((), filled, [words.id])


def read_summary(reply: str) -> str:
    """Return the summary in a reply; empty if it has none that can be used."""
    for value in objects_in(reply):
        said = value.get("summary")
        if isinstance(said, str):
            told = " ".join(said.split())
            return told if len(told) <= LONGEST_SUMMARY else ""
    return ""
