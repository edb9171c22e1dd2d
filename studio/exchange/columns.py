"""The columns of every table that leaves or enters a project."""

from __future__ import annotations

COLUMNS: dict[str, tuple[str, ...]] = {
    "rankings": (
        "project_id", "instance_id", "scenario", "annotator_id", "deck_id", "system", "rank", "rank_method",
        "n_ranked", "n_candidates", "is_tied", "display_position", "status", "duration_s", "active_s", "revision",
        "started_at", "submitted_at", "guidelines_version", "app_version",
    ),
    "pairs": (
        "instance_id", "annotator_id", "deck_a", "deck_b", "preference", "strength", "shown_left", "source",
    ),
    "checklist": (
        "instance_id", "deck_id", "item_id", "item_version", "dimension", "annotator_id", "answer", "evidence",
        "comment", "quotes", "status",
    ),
    "ratings": (
        "instance_id", "deck_id", "slide", "scale_set", "dimension", "target", "target_id", "annotator_id", "value",
        "scale_low", "scale_high", "comment", "duration_s", "active_s",
    ),
    "dpo": (
        "prompt", "chosen", "rejected", "instance_id", "chosen_deck_id", "rejected_deck_id", "chosen_system",
        "rejected_system", "n_for", "n_against", "n_undecided",
    ),
    "views": ("instance_id", "deck_id", "annotator_id", "slide", "seen_s", "source_opened_s"),
    "touches": (
        "study", "instance_id", "annotator_id", "deck_id", "display_position", "n_acts", "first_at", "last_at",
    ),
    "reviews": (
        "case_id", "instance_id", "deck_id", "item_id", "reviewer_id", "decision", "error_type", "confidence",
        "comment", "kind", "against_deck_id", "status", "decided_by", "threshold", "was_blind", "evidence", "quotes",
        "at", "is_current",
    ),
    "training": ("annotator_id", "study", "item", "tries", "correct", "passed"),
    "verdicts": (
        "run_id", "judge_id", "model", "prompt_version", "instance_id", "deck_id", "item_id", "verdict", "score",
        "status", "order_index", "repeat", "input_tokens", "output_tokens", "cost", "cached", "latency_s",
    ),
    "scores": (
        "run_id", "metric", "metric_version", "preset", "instance_id", "deck_id", "slide", "value",
        "undefined_reason", "flags",
    ),
    "quiz": (
        "bank_id", "question_id", "type", "instance_id", "deck_id", "reader", "answer", "key", "correct",
        "cited_slides", "error_type", "audited_by", "condition", "text_from",
    ),
    "agreement": (
        "metric", "level", "who_a", "who_b", "value", "ci_low", "ci_high", "n", "tie_method", "undefined_reason",
        "answers", "about",
    ),
}  # fmt: skip
"""Columns of each table, in order."""

REQUIRED: dict[str, tuple[str, ...]] = {
    "rankings": ("instance_id", "annotator_id", "rank"),
    "pairs": ("instance_id", "annotator_id", "deck_a", "deck_b", "preference"),
    "checklist": ("instance_id", "item_id", "annotator_id", "answer"),
    "verdicts": ("judge_id", "instance_id", "item_id", "verdict"),
    "scores": ("metric", "instance_id", "value"),
}
"""Columns that a table must have to be read back; all but pairs need deck_id or system as well."""

ANSWERS = ("yes", "no", "cannot_tell", "not_applicable")
PREFERENCES = ("a", "b", "tie", "both_bad", "cannot_judge")
SOURCES = ("direct", "derived_from_ranking")
DIMENSIONS = ("fundamentals", "design", "completeness", "correctness", "fidelity")
RANK_METHODS = ("ranking", "comparison", "imported")
ANSWER_STATUSES = ("draft", "submitted", "returned", "skipped", "cannot_judge")
UNIT_STATUSES = ("ok", "parse_error", "api_error", "refused", "incomplete", "timed_out", "tool_error", "skipped")


def table_of(header: tuple[str, ...]) -> str | None:
    """Return the table that a header belongs to, or None; the one whose required columns are most specific."""
    names = set(header)
    fitting = [table for table, required in REQUIRED.items() if names.issuperset(required)]
    return max(fitting, key=lambda table: (len(REQUIRED[table]), len(names & set(COLUMNS[table]))), default=None)
