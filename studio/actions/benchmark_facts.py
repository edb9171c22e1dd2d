"""What a benchmark is made of: instances by domain, source, language and difficulty, and their sizes.

The tables of facts are those of PresentBench's Tables 2 and 7, the distributions those of its Figures 2, 4 and 5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from studio.checklists.tokens import PAGE_PICTURE_TOKENS, RULE, text_tokens
from studio.decks.sources import read_source
from studio.errors import StudioError
from studio.exchange.files import csv_text
from studio.model.checklists import Dimension
from studio.model.decks import SourceFormat
from studio.model.ids import InstanceId
from studio.store import checklists as checklist_store
from studio.store import decks as deck_store
from studio.store.checklist_lists import checklists
from studio.store.project import Project

TOKEN_RULE = RULE
GROUPS = ("domain", "source", "language", "difficulty")


@dataclass(frozen=True, kw_only=True)
class InstanceFacts:
    """One instance in numbers."""

    instance_id: InstanceId
    name: str
    domain: str
    source: str
    """Where its sources come from, such as a conference; the instance's scenario."""
    language: str
    difficulty: str
    address: str
    licence: str
    is_accepted: bool | None
    why: str
    sources: int
    pages: int | None
    """Of PDF sources, as in the paper; None where there is none, or one cannot be read."""
    images: int
    """Sources that are pictures."""
    tokens: int | None
    """Instruction and texts of the sources by `TOKEN_RULE`; None where a source cannot be read."""
    items: dict[Dimension, int]
    """Page items are not counted, as in the paper."""
    faults: tuple[str, ...] = ()
    """Sources that could not be read, with the reason."""


def instance_facts(project: Project) -> list[InstanceFacts]:
    """Return the facts of every instance; PDF sources are read, which takes a moment each."""
    merged = checklists(project)
    curated = checklist_store.curations(project)
    found = []
    for instance in checklist_store.as_curated(project, deck_store.list_instances(project)):
        sources = deck_store.list_sources(project, instance.id)
        pages, tokens, faults = 0, text_tokens(instance.instruction), []
        for source in sources:
            if source.format is SourceFormat.IMAGE:
                tokens += PAGE_PICTURE_TOKENS
                continue
            try:
                content = read_source(project.asset_path(source.asset, source.extension), source.format)
            except (StudioError, OSError) as error:
                faults.append(f"{source.name}: {error}")
                continue
            tokens += sum(text_tokens(page.text) for page in content.pages)
            pages += len(content.pages) if source.format is SourceFormat.PDF else 0
        curation = curated.get(instance.id)
        has_pdf = any(source.format is SourceFormat.PDF for source in sources)
        checklist = merged[instance.id]
        found.append(
            InstanceFacts(
                instance_id=instance.id, name=instance.name, domain=instance.domain, source=instance.scenario,
                language=instance.language, difficulty=instance.difficulty,
                address=curation.address if curation else "", licence=curation.licence if curation else "",
                is_accepted=curation.is_accepted if curation else None, why=curation.why if curation else "",
                sources=len(sources), pages=pages if has_pdf and not faults else None,
                images=sum(source.format is SourceFormat.IMAGE for source in sources),
                tokens=None if faults else tokens, faults=tuple(faults),
                items={
                    dimension: sum(
                        item.dimension is dimension for item in checklist.items if dimension is not Dimension.FIDELITY
                    )
                    for dimension in Dimension
                },
            )
        )  # fmt: skip
    return found


def summary(facts: Sequence[InstanceFacts]) -> dict[str, Any]:
    """Return counts and means over instances, as JSON values."""
    return {
        "instances": len(facts),
        "accepted": sum(each.is_accepted is True for each in facts),
        "rejected": sum(each.is_accepted is False for each in facts),
        **{group: _counts(facts, group) for group in GROUPS},
        "tokens": _mean([each.tokens for each in facts]),
        "pages": _mean([each.pages for each in facts]),
        "images": sum(each.images for each in facts),
        "items": {
            dimension.value: _mean([each.items[dimension] for each in facts])
            for dimension in Dimension
            if dimension is not Dimension.FIDELITY
        },
        "items_total": _mean([sum(each.items.values()) for each in facts]),
        "token_rule": TOKEN_RULE,
        "faults": [f"{each.name}: {fault}" for each in facts for fault in each.faults],
    }


def table_2(facts: Sequence[InstanceFacts]) -> list[dict[str, Any]]:
    """Return a row for each domain and one for all: instances, languages, tokens, pages and items."""
    return table_by(facts, "domain")


def table_by(facts: Sequence[InstanceFacts], group: str) -> list[dict[str, Any]]:
    """Return a row for each value of one of `GROUPS` and one for all: instances, languages, sizes and items."""
    rows = []
    for value in [*sorted({getattr(each, group) for each in facts}), None]:
        inside = [each for each in facts if value is None or getattr(each, group) == value]
        rows.append(
            {
                group: "all" if value is None else value, "instances": len(inside),
                "languages": _counts(inside, "language"), "tokens": _mean([each.tokens for each in inside]),
                "pages": _mean([each.pages for each in inside]), "images": sum(each.images for each in inside),
                **{
                    dimension.value: _mean([each.items[dimension] for each in inside])
                    for dimension in Dimension
                    if dimension is not Dimension.FIDELITY
                },
                "items": _mean([sum(each.items.values()) for each in inside]),
            }
        )  # fmt: skip
    return rows


def table_7(facts: Sequence[InstanceFacts]) -> list[dict[str, Any]]:
    """Return a row for each source of data: its domain, number of instances, licences and share."""
    groups: dict[tuple[str, str], list[InstanceFacts]] = {}
    for each in facts:
        groups.setdefault((each.domain, each.source), []).append(each)
    return [
        {
            "domain": domain, "source": source, "instances": len(group), "share": len(group) / len(facts),
            "licences": sorted({each.licence for each in group if each.licence}),
        }
        for (domain, source), group in sorted(groups.items())
    ]  # fmt: skip


def histogram(values: Sequence[float | None], *, bins: int = 10) -> dict[str, Any]:
    """Return counts in bins of equal width over the numbers that are there; edges are one more than counts.

    Of whole numbers a bin holds whole numbers too: its lower edge is the first of them, its upper edge the first of
    the next bin.

    Args:
        values: None where it is not known.
        bins: at most so many.
    """
    known = np.array([value for value in values if value is not None], dtype=np.float64)
    missing = len(values) - len(known)
    if not len(known):
        return {"edges": [], "counts": [], "n": 0, "missing": missing}
    edges: Any = bins
    if np.all(known == np.round(known)):
        low, high = known.min(), known.max()
        width = max(1.0, float(np.ceil((high - low + 1) / bins)))
        edges = low + width * np.arange(int((high - low) // width) + 2)
    counts, found = np.histogram(known, bins=edges)
    return {"edges": found.tolist(), "counts": counts.tolist(), "n": len(known), "missing": missing}


def figures(facts: Sequence[InstanceFacts]) -> dict[str, Any]:
    """Return what Figures 2, 4 and 5 draw: shares of domains and sources, and the spread of sizes and of items."""
    return {
        "figure_2": {"domain": _counts(facts, "domain"), "source": _counts(facts, "source")},
        "figure_4": {
            "tokens": histogram([each.tokens for each in facts]),
            "pages": histogram([each.pages for each in facts]),
            "images": histogram([each.images for each in facts]),
        },
        "figure_5": {
            "items": histogram([float(sum(each.items.values())) for each in facts]),
            **{
                dimension.value: histogram([float(each.items[dimension]) for each in facts])
                for dimension in Dimension
                if dimension is not Dimension.FIDELITY
            },
        },
    }


def facts_csv(rows: Sequence[dict[str, Any]]) -> str:
    """Return rows of a table of facts as CSV with byte order mark."""
    return csv_text(tuple(rows[0]) if rows else (), rows)


def _counts(facts: Sequence[InstanceFacts], group: str) -> dict[str, int]:
    return dict(sorted(Counter(str(getattr(each, group)) for each in facts).items()))


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
