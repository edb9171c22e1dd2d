"""Which components a score needs to agree with people: every subset of them, and sums with other weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from studio.actions.align import DEFAULT_PRESET, Evidence, gather, method_name
from studio.actions.method_rows import title_of
from studio.errors import BadInput
from studio.stats.components import (
    MOST_COMPONENTS,
    ComponentTable,
    SumAlignment,
    ablation,
    component_table,
    weighted,
)
from studio.stats.intervals import PairedComparison, compare_paired, holm
from studio.store.project import Project

COMPONENTS = ("aesthetics.harmony", "aesthetics.engagement", "aesthetics.usability", "aesthetics.rhythm")
"""What the aesthetics total is the sum of."""


@dataclass(frozen=True, kw_only=True)
class AblationRow:
    """One subset of the components."""

    alignment: SumAlignment
    against_all: PairedComparison | None
    """This subset minus all components, on the instances where both have a ρ; None for all components."""
    p_holm: float | None


@dataclass(frozen=True, kw_only=True)
class AblationTable:
    """The plain sum of every subset against people (the paper's table 5)."""

    components: tuple[str, ...]
    rows: tuple[AblationRow, ...]
    """Smaller subsets first, all components last."""
    cells: ComponentTable
    """For sums with other weights; see `studio.stats.components.weighted`."""
    evidence: Evidence

    def with_weights(self, weights: Mapping[str, float]) -> SumAlignment:
        """Return the agreement of one weighted sum."""
        return weighted(self.cells, weights)


def components_in(evidence: Evidence, *, preset: str = DEFAULT_PRESET) -> tuple[str, ...]:
    """Return the components of the aesthetics total that this preset has scores of."""
    return tuple(name for each in COMPONENTS if (name := method_name(each, preset)) in evidence.methods)


def ablate(project: Project, *, preset: str = DEFAULT_PRESET, components: Sequence[str] = ()) -> AblationTable:
    """Return how well the sum of each subset of components agrees with the people.

    Args:
        project: an open project.
        preset: of the aesthetics scores.
        components: methods to combine; empty for the four of the aesthetics total.

    Raises:
        BadInput: if a component has no scores, there are too many, or nobody ranked.
    """
    return ablation_of(gather(project), preset=preset, components=components)


def ablation_of(
    evidence: Evidence, *, preset: str = DEFAULT_PRESET, components: Sequence[str] = ()
) -> AblationTable:  # fmt: skip
    """Return the ablation table of evidence that was gathered before; see `ablate`."""
    chosen = tuple(dict.fromkeys(components)) or components_in(evidence, preset=preset)
    missing = [name for name in chosen if name not in evidence.methods]
    if missing or not chosen:
        known = ", ".join(evidence.methods) or "none yet"
        raise BadInput(
            f"No scores of {', '.join(missing) or f'the aesthetics with the preset {preset}'} in this project.",
            next_step=f"Run: studio metrics PROJECT. There are: {known}.",
        )
    if len(chosen) > MOST_COMPONENTS:
        raise BadInput(
            f"{len(chosen)} components have too many subsets.", next_step=f"Choose {MOST_COMPONENTS} at most."
        )
    if not evidence.human.instance_ids:
        raise BadInput("No ranking is submitted in this project.", next_step="Rank decks, or import rankings.")
    cells = component_table(evidence.human, {name: evidence.methods[name] for name in chosen})
    sums = ablation(cells)
    everything = list(sums[-1].rho.values())
    paired = [compare_paired(list(each.rho.values()), everything) for each in sums[:-1]]
    tested = [place for place, each in enumerate(paired) if each.p is not None]
    adjusted = dict(zip(tested, holm([paired[place].p or 0.0 for place in tested]), strict=True))
    rows = [
        AblationRow(alignment=each, against_all=against, p_holm=adjusted.get(place))
        for place, (each, against) in enumerate(zip(sums[:-1], paired, strict=True))
    ]
    rows.append(AblationRow(alignment=sums[-1], against_all=None, p_holm=None))
    return AblationTable(components=chosen, rows=tuple(rows), cells=cells, evidence=evidence)


def short_name(component: str) -> str:
    """Return "Harmony" for ``aesthetics.harmony``, and what a person calls any other method."""
    return title_of(component)


def as_json(table: AblationTable) -> dict[str, Any]:
    """Return the table as `studio ablate --json` prints it."""
    return {
        "components": list(table.components),
        "n_annotators": len(table.evidence.annotators),
        "sample_data": table.evidence.has_sample_people,
        "rows": [
            {
                "components": list(row.alignment.components),
                **sum_json(row.alignment),
                "difference_from_all": None if row.against_all is None else row.against_all.difference,
                "p": None if row.against_all is None else row.against_all.p,
                "p_holm": row.p_holm,
            }
            for row in table.rows
        ],
    }


def sum_json(item: SumAlignment) -> dict[str, Any]:
    """Return the numbers of one weighted sum as JSON values."""
    return {
        "weights": dict(item.weights), "mean_rho": item.mean_rho, "std_rho": item.std_rho,
        "identical": item.identical, "n_defined": item.n_defined, "n_total": item.n_total,
        "undefined": dict(item.undefined), "undefined_reason": item.undefined_reason,
    }  # fmt: skip
