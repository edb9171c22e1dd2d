"""The methods table as rows: what the Alignment page shows and what leaves as CSV or Markdown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from studio.actions.align import DEFAULT_PRESET, AlignmentTable, Evidence, points, table_of
from studio.actions.figures import UNDEFINED, figure, interval_in_words, p_in_words, percent
from studio.exchange.files import csv_text, write_whole
from studio.exchange.table_formats import latex_text, markdown_text
from studio.metrics.registry import METRICS
from studio.model.ids import InstanceId
from studio.stats.alignment import Caution, MethodAlignment
from studio.stats.intervals import PairedComparison, bootstrap_mean, compare_each, holm
from studio.stats.levels import Level

PEOPLE = "people"
"""The name of the row of the annotators themselves."""

REASONS = {
    "constant": "one side gives every deck the same value",
    "too_few": "fewer than three decks that both sides have",
    "one_rater": "one annotator only",
    "no_labels": "no deck has a system",
    "incomplete": "somebody left something out",
    "too_many": "more decks than all orders can be tried for",
    "not_connected": "groups of decks were never compared with each other",
    "separated": "some deck never loses",
    "degenerate": "the formula divides by zero here",
}

LEVEL_WORDS = {
    Level.INSTANCE: "per instance",
    Level.SCENARIO: "per scenario",
    Level.SYSTEM: "per system",
    Level.POOLED: "pooled",
}

CAUTIONS = {
    Caution.FEW_INSTANCES: "Fewer than ten defined instances: the interval is too narrow.",
    Caution.FEW_DECKS: "Some instance has fewer than five shared decks.",
    Caution.NO_WIDTH: "The interval has no width, since all values are equal.",
    Caution.SIGNS_DISAGREE: "The levels disagree in sign: say which one a number is from.",
}


@dataclass(frozen=True, kw_only=True)
class InstanceCell:
    """One method, or the people, on one instance."""

    instance_id: InstanceId
    rho: float | None
    reason: str
    """Why there is no rho; empty if there is one."""
    n: int
    """Decks that both sides have; for people 0."""
    n_annotators: int


@dataclass(frozen=True, kw_only=True)
class MethodRow:
    """One row of the methods table."""

    name: str
    title: str
    kind: str
    """``metric``, ``judge``, ``imported`` or ``leave one out``."""
    mean_rho: float | None
    std_rho: float | None
    identical: float | None
    """Share of 1."""
    ci_low: float | None
    ci_high: float | None
    n_defined: int
    n_total: int
    undefined: Mapping[str, int]
    reason: str
    """Why `mean_rho` is undefined; empty if it is defined."""
    paired: PairedComparison | None
    """Against the chosen method, on the rho of each instance; None for that method itself and for people."""
    p_holm: float | None
    """`paired.p` adjusted for the number of methods in the table."""
    by_level: Mapping[Level, float | None]
    cautions: tuple[str, ...]
    cells: tuple[InstanceCell, ...]
    alignment: MethodAlignment | None = None
    """The numbers as computed; None for people."""

    @property
    def is_people(self) -> bool:
        """Whether this is the row of the annotators."""
        return self.name == PEOPLE

    @property
    def signs_disagree(self) -> bool:
        """Whether the four levels disagree in sign."""
        return self.alignment is not None and Caution.SIGNS_DISAGREE in self.alignment.cautions

    @property
    def levels_in_words(self) -> str:
        """Return "per instance 0.20, per scenario 0.18, per system −0.40, pooled 0.02"."""
        return ", ".join(f"{LEVEL_WORDS[level]} {figure(value)}" for level, value in self.by_level.items())

    @property
    def undefined_in_words(self) -> str:
        """Return "2 × fewer than three decks that both sides have", one line a reason."""
        return "\n".join(
            f"{count:,} × {REASONS.get(reason, reason)}" for reason, count in self.undefined.items() if count
        )


@dataclass(frozen=True, kw_only=True)
class MethodsView:
    """Everything the Alignment page shows at one level."""

    table: AlignmentTable
    compared_with: str
    rows: tuple[MethodRow, ...]
    """The methods, and the people last."""

    @property
    def evidence(self) -> Evidence:
        """Return what it is computed from."""
        return self.table.evidence

    def row(self, name: str) -> MethodRow | None:
        """Return the row of a method, or None."""
        return next((row for row in self.rows if row.name == name), None)


def title_of(method: str) -> str:
    """Return what a person calls a method: "Harmony", "Harmony · paper-text", or the name itself."""
    metric, _, preset = method.partition("@")
    known = METRICS.get(metric)
    words = known.title if known is not None else metric
    return f"{words} · {preset}" if preset and preset != DEFAULT_PRESET else words


def view_of(evidence: Evidence, *, level: str, compare_with: str = "", resamples: int = 1000) -> MethodsView:
    """Return the rows of the methods table.

    Args:
        evidence: from `gather`.
        level: ``instance``, ``scenario``, ``system`` or ``pooled``.
        compare_with: the method of the paired tests; the first one if it is empty or not there.
        resamples: bootstrap resamples for the intervals.
    """
    table = table_of(evidence, chosen=list(evidence.methods), level=level, resamples=resamples)
    return compared(table, compare_with)


def compared(table: AlignmentTable, compare_with: str) -> MethodsView:
    """Return the rows of a table with the paired tests against one method."""
    methods = table.methods
    base = compare_with if compare_with in methods else next(iter(methods), "")
    others = [name for name in methods if name != base]
    compared_ones = compare_each(_rhos(methods[base]), [_rhos(methods[name]) for name in others]) if others else []
    paired = dict(zip(others, compared_ones, strict=True))
    tested = {name: result.p for name, result in paired.items() if result.p is not None}
    adjusted = dict(zip(tested, holm(list(tested.values())), strict=True))
    rows = [_method_row(name, method, paired.get(name), adjusted.get(name), table) for name, method in methods.items()]
    return MethodsView(table=table, compared_with=base, rows=(*rows, people_row(table)))


def people_row(table: AlignmentTable) -> MethodRow:
    """Return the annotators' own row: each against the mean of the others, per instance whatever the level."""
    ceilings = table.ceilings
    values = [each.leave_one_out for each in ceilings.instances if each.leave_one_out is not None]
    mean = ceilings.leave_one_out
    # As many resamples as the methods have, from the same seed; sorted, so that the order of instances is nothing.
    first = next((method for method in table.methods.values() if method.resamples), None)
    interval = (
        bootstrap_mean(sorted(values), resamples=first.resamples, seed=first.seed) if first and values else None
    )  # fmt: skip
    return MethodRow(
        name=PEOPLE,
        title="People",
        kind="leave one out",
        mean_rho=mean,
        std_rho=_deviation(values),
        identical=ceilings.identical,
        ci_low=interval.low if interval is not None else None,
        ci_high=interval.high if interval is not None else None,
        n_defined=ceilings.n_defined,
        n_total=ceilings.n_total,
        undefined=ceilings.undefined,
        reason="" if mean is not None else "no instance has two annotators with an order to compare",
        paired=None,
        p_holm=None,
        by_level={},
        cautions=(),
        cells=tuple(
            InstanceCell(
                instance_id=each.instance_id,
                rho=each.leave_one_out,
                reason="" if each.leave_one_out is not None else REASONS.get(each.reason or "", each.reason or ""),
                n=0,
                n_annotators=each.n_annotators,
            )
            for each in ceilings.instances
        ),
    )


COLUMNS = (
    "method", "level", "mean_rho", "std_rho", "identical", "ci_low", "ci_high", "n_defined", "n_total",
    "undefined_constant", "undefined_too_few", "undefined_one_rater", "undefined_reason", "compared_with",
    "difference", "p", "p_holm", "n_pairs", "sample_data",
)  # fmt: skip
"""Of the table as it is exported."""


def as_csv(view: MethodsView) -> str:
    """Return the table as CSV in full precision; undefined values are empty, with the reason beside them."""
    return csv_text(*method_cells(view))


def method_cells(view: MethodsView) -> tuple[tuple[str, ...], list[dict[str, object]]]:
    """Return the columns and rows of the table in full precision."""
    return COLUMNS, [_cells(view, row) for row in view.rows]


def as_latex(view: MethodsView) -> str:
    """Return the table as LaTeX for ``booktabs``, rounded as in the window."""
    head, rows, remarks = _rounded(view)
    return latex_text(head, [dict(zip(head, row, strict=True)) for row in rows], right=head[1:], remarks=remarks)


def as_markdown(view: MethodsView) -> str:
    """Return the table as Markdown, rounded as in the window, for a paper's notes."""
    head, rows, remarks = _rounded(view)
    table = markdown_text(head, [dict(zip(head, row, strict=True)) for row in rows], right=head[1:])
    return "\n".join([table, *remarks]) + "\n"


def _rounded(view: MethodsView) -> tuple[tuple[str, ...], list[tuple[str, ...]], list[str]]:
    """Return heads, cells and remarks as a paper prints them."""
    head = ("Method", "mean ρ", "95 % interval", "std", "identical %", "defined", "paired p")
    rows: list[tuple[str, ...]] = [
        (
            row.title + (f" ({row.kind})" if row.is_people else ""), figure(row.mean_rho),
            interval_in_words(row.ci_low, row.ci_high), figure(row.std_rho), percent(row.identical),
            f"{row.n_defined} / {row.n_total}", p_in_words(row.paired.p if row.paired is not None else None),
        )
        for row in view.rows
    ]  # fmt: skip
    against = title_of(view.compared_with) if view.compared_with else UNDEFINED
    remarks = [f"Level: {view.table.level.value}. Paired p against {against}, on the ρ of each instance."]
    if view.evidence.has_sample_people:
        remarks.append("The rankings include invented sample data.")
    return head, rows, remarks


def instances_csv(view: MethodsView) -> str:
    """Return the correlation of every method on every instance as CSV, with the reason where there is none."""
    return csv_text(*instance_cells(view))


def instance_cells(view: MethodsView) -> tuple[tuple[str, ...], list[dict[str, object]]]:
    """Return the columns and rows of the correlation of every method on every instance."""
    names = {key: item.name for key, item in view.evidence.instances.items()}
    columns = ("method", "instance_id", "instance", "rho", "undefined_reason", "n", "n_annotators")
    return columns, [
        {
            "method": row.name, "instance_id": cell.instance_id, "instance": names.get(cell.instance_id, ""),
            "rho": cell.rho, "undefined_reason": cell.reason or None, "n": cell.n or None,
            "n_annotators": cell.n_annotators,
        }
        for row in view.rows
        for cell in row.cells
    ]  # fmt: skip


def points_csv(evidence: Evidence, method: str) -> str:
    """Return the decks of a method's scatter plot as CSV."""
    names = {key: item.name for key, item in evidence.instances.items()}
    return csv_text(
        ("method", "instance_id", "instance", "deck_id", "system", "mean_human_rank", "score"),
        [
            {
                "method": method, "instance_id": point.instance_id, "instance": names.get(point.instance_id, ""),
                "deck_id": point.deck_id, "system": point.system, "mean_human_rank": point.mean_human_rank,
                "score": point.score,
            }
            for point in points(evidence, method)
        ],
    )  # fmt: skip


def export_methods(view: MethodsView, out: Path) -> Path:
    """Write the table into a file and return it: Markdown for ``.md``, LaTeX for ``.tex``, else CSV.

    Raises:
        BadInput: if it cannot be written.
    """
    write = {".md": as_markdown, ".tex": as_latex}.get(out.suffix.lower(), as_csv)
    write_whole(out, write(view))
    return out


def _method_row(
    name: str, method: MethodAlignment, paired: PairedComparison | None, p_holm: float | None, table: AlignmentTable
) -> MethodRow:
    return MethodRow(
        name=name,
        title=title_of(name),
        kind="metric" if name.partition("@")[0] in METRICS else "judge" if "/" in name else "imported",
        mean_rho=method.mean_rho,
        std_rho=method.std_rho,
        identical=method.identical,
        ci_low=method.ci_low,
        ci_high=method.ci_high,
        n_defined=method.n_defined,
        n_total=method.n_total,
        undefined=method.undefined,
        reason=REASONS.get(method.undefined_reason or "", method.undefined_reason or ""),
        paired=paired,
        p_holm=p_holm,
        by_level=method.by_level,
        cautions=tuple(words for caution, words in CAUTIONS.items() if caution in method.cautions),
        cells=tuple(
            InstanceCell(
                instance_id=item.instance_id,
                rho=item.rho,
                reason=REASONS.get(item.reason or "", item.reason or "")
                + _why_missing(table.evidence, name, item.instance_id),
                n=item.n,
                n_annotators=item.n_annotators,
            )
            for item in method.instances
        ),
        alignment=method,
    )


def _why_missing(evidence: Evidence, name: str, instance_id: InstanceId) -> str:
    reasons = evidence.reasons.get(name, {})
    decks = evidence.methods[name].get(instance_id, {})
    found = sorted({reasons[deck] for deck in decks if deck in reasons})
    return f" ({', '.join(found)})" if found else ""


def _rhos(method: MethodAlignment) -> list[float | None]:
    return [item.rho for item in method.instances]


def _cells(view: MethodsView, row: MethodRow) -> dict[str, object]:
    return {
        "method": row.name,
        "level": Level.INSTANCE.value if row.is_people else view.table.level.value,
        "mean_rho": row.mean_rho,
        "std_rho": row.std_rho,
        "identical": row.identical,
        "ci_low": row.ci_low,
        "ci_high": row.ci_high,
        "n_defined": row.n_defined,
        "n_total": row.n_total,
        **{f"undefined_{reason}": row.undefined.get(reason, 0) for reason in ("constant", "too_few", "one_rater")},
        "undefined_reason": row.reason or None,
        "compared_with": view.compared_with if row.paired is not None else None,
        "difference": row.paired.difference if row.paired is not None else None,
        "p": row.paired.p if row.paired is not None else None,
        "p_holm": row.p_holm,
        "n_pairs": row.paired.n if row.paired is not None else None,
        "sample_data": view.evidence.has_sample_people,
    }


def _deviation(values: Sequence[float]) -> float | None:
    if not values:
        return None
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))
