"""Editability as JSON values: what the terminal prints and what is stored beside a score."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from studio.model.editability import GATE_TITLES, LEVEL_NAMES, Editability, GateResult, SystemEditability


def editability_json(found: Editability) -> dict[str, Any]:
    """Return a deck's editability with every gate, its evidence and its numbers."""
    return {
        "level": found.level,
        "level_name": LEVEL_NAMES[found.level] if found.level is not None else None,
        "undefined_reason": found.undefined_reason,
        "maximum": found.maximum,
        "triage": found.triage.value if found.triage is not None else None,
        "rules": found.rules or None,
        "slides": found.n_slides,
        "gates": [_gate(result) for result in found.gates],
        "subcriteria": asdict(found.subcriteria) if found.subcriteria is not None else None,
        "notes": list(found.notes),
        "failure": {"kind": found.failure.kind, "message": found.failure.message} if found.failure else None,
    }


def _gate(result: GateResult) -> dict[str, Any]:
    text = "; ".join(str(item) for item in result.evidence)
    return {
        "gate": result.gate.value,
        "title": GATE_TITLES[result.gate],
        "passed": result.passed,
        "reached": result.is_reached,
        "holds": result.holds,
        "evidence": text,
        "facts": [
            {"text": item.text, "slide": item.slide, "shape": item.shape or None, "part": item.part or None}
            for item in result.evidence
        ],
        "measures": dict(result.measures),
    }


def system_json(found: SystemEditability) -> dict[str, Any]:
    """Return one system's level and the share of its decks at each level."""
    return {
        "system": found.system,
        "level": found.level,
        "undefined_reason": None if found.level is not None else "no_levels: none of its decks has a level",
        "decks": found.n_decks,
        "undefined": found.n_undefined,
        "shares": {f"L{level}": share for level, share in enumerate(found.shares)},
    }
