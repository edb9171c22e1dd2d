"""What machines say: scores of metrics and verdicts of judges."""

from __future__ import annotations

from dataclasses import dataclass, field

from studio.model.ids import DeckId, InstanceId, RunId


@dataclass(frozen=True, kw_only=True)
class Value:
    """A number, or the reason why there is none (exactly one of the two)."""

    value: float | None
    undefined_reason: str | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.undefined_reason is None):
            raise ValueError("a value is either a number or has a reason, never both or neither")


@dataclass(frozen=True, kw_only=True)
class Score:
    """One metric's value for a deck or one of its slides; higher is better unless the metric says otherwise."""

    run_id: RunId | None
    metric: str
    """Such as ``aesthetics.harmony``."""
    metric_version: int
    preset: str
    deck_id: DeckId
    instance_id: InstanceId
    slide: int | None
    """Slide number from 1; None for the whole deck."""
    value: float | None
    undefined_reason: str | None = None
    raster_px: tuple[int, int] | None = None
    """Size of the pictures it was computed from."""
    flags: tuple[str, ...] = ()
    """Rules that applied, such as ``no_text``, ``achromatic``, ``one_slide``."""
    detail: dict[str, object] = field(default_factory=dict)
    """Everything needed to explain the value, as JSON values."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """One judge's answer to one unit."""

    run_id: RunId | None
    judge_id: str
    model: str
    prompt_version: str
    instance_id: InstanceId
    deck_id: DeckId
    item_id: str
    verdict: str
    score: float | None = None
    status: str = "ok"
    order_index: int = 0
    repeat: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    cached: bool = False
    latency_s: float = 0.0
