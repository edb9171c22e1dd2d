"""Reports over a project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from studio.actions import align
from studio.actions.figures import figure, percent
from studio.actions.method_rows import title_of
from studio.exchange.files import write_whole
from studio.exchange.report_html import report_html
from studio.exchange.svg_plots import heat_colour, interval_axis_svg, interval_svg, legend_svg, scatter_svg
from studio.stats.rankings import consensus
from studio.store.project import Project, utc_now

MAX_PLOTS = 6


def write_report(project: Project, out: Path) -> Path:
    """Write a self-contained HTML report on the alignment with people and return the file."""
    table = align.methods_table(project)
    write_whole(out, report_html(**_values(project, table)))
    return out


def _values(project: Project, table: align.AlignmentTable) -> dict[str, Any]:
    evidence = table.evidence
    methods = list(table.methods.items())
    first = methods[0][1] if methods else None
    systems = sorted({deck.system for deck in evidence.decks.values()})
    plotted = [name for name, _ in methods if len(align.points(evidence, name)) > 1][:MAX_PLOTS]
    return {
        "title": project.title,
        "made": f"{utc_now()[:16].replace('T', ' ')} UTC",
        "n_instances": len(evidence.instances),
        "n_systems": len(systems),
        "n_annotators": len(evidence.annotators),
        "level": table.level.value,
        "sample_data": evidence.has_sample_people,
        "adjudicated": evidence.n_adjudicated,
        "ceiling": table.ceilings.leave_one_out,
        "ceiling_svg": interval_svg(None, None, None, table.ceilings.leave_one_out),
        "axis_svg": interval_axis_svg(),
        "ceiling_text": figure(table.ceilings.leave_one_out),
        "pairwise_text": figure(table.ceilings.pairwise_mean),
        "resamples": first.resamples if first else 0,
        "seed": first.seed if first else 0,
        "methods": [_method(name, method, table) for name, method in methods],
        "instances": _instances(table),
        "plots": [_plot(evidence, name, systems) for name in plotted],
        "legend": [{"system": name, "mark": legend_svg(index, name)} for index, name in enumerate(systems)],
        "score_columns": [_short(name) for name in evidence.methods],
        "scores": _scores(table),
    }


def _method(name: str, method: Any, table: align.AlignmentTable) -> dict[str, Any]:
    return {
        "name": title_of(name),
        "short": _short(name),
        "interval_svg": interval_svg(method.mean_rho, method.ci_low, method.ci_high, table.ceilings.leave_one_out),
        "mean_rho": figure(method.mean_rho),
        "std_rho": figure(method.std_rho),
        "identical": percent(method.identical),
        "chance": percent(method.chance_identical),
        "defined": f"{method.n_defined}/{method.n_total}",
        "undefined": align.left_out(method),
    }


def _instances(table: align.AlignmentTable) -> list[dict[str, Any]]:
    found: dict[str, list[Any]] = {}
    for method in table.methods.values():
        for item in method.instances:
            found.setdefault(item.instance_id, []).append(item)
    return [
        {
            "title": instance.title or instance.name,
            "people": max(item.n_annotators for item in found[instance.id]),
            "cells": [
                {
                    "text": figure(item.rho),
                    "colour": heat_colour(item.rho),
                    "hover": f"{item.n} decks{', ' + item.reason if item.reason else ''}",
                }
                for item in found[instance.id]
            ],
        }
        for instance in table.evidence.instances.values()
        if instance.id in found
    ]


def _plot(evidence: align.Evidence, name: str, systems: list[str]) -> dict[str, Any]:
    title = title_of(name)
    points = [
        (
            point.mean_human_rank,
            point.score,
            point.system,
            f"{evidence.instances[point.instance_id].title} · {point.system}: "
            f"mean rank {figure(point.mean_human_rank)}, score {figure(point.score)}",
        )
        for point in align.points(evidence, name)
    ]
    svg = scatter_svg(points, systems, x_label="mean human rank (1 is best)", y_label=title)
    return {"title": title, "svg": svg, "n": len(points)}


def _scores(table: align.AlignmentTable) -> list[dict[str, Any]]:
    evidence = table.evidence
    side = consensus(evidence.human)
    ranks = {
        deck: float(rank)
        for decks, row in zip(side.deck_ids, side.mean_ranks, strict=True)
        for deck, rank in zip(decks, row, strict=False)
    }
    rows: list[dict[str, Any]] = []
    for deck in evidence.decks.values():
        values = [scores.get(deck.instance_id, {}).get(deck.id) for scores in evidence.methods.values()]
        reasons = sorted({evidence.reasons.get(name, {}).get(deck.id, "") for name in evidence.methods} - {""})
        rows.append(
            {
                "instance": evidence.instances[deck.instance_id].title,
                "is_first": not rows or rows[-1]["instance_id"] != deck.instance_id,
                "instance_id": deck.instance_id,
                "system": deck.system,
                "figures": [figure(value) for value in values],
                "mean_rank": figure(ranks.get(deck.id)),
                "reason": "; ".join(reasons),
            }
        )
    return rows


def _short(name: str) -> str:
    return name.removeprefix("aesthetics.")
