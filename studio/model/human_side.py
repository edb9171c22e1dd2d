"""Which answers of which people are the human side of a comparison."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class HumanSource(StrEnum):
    """What people were asked."""

    RANKINGS = "rankings"
    PAIRS = "pairs"
    RATINGS = "ratings"
    CHECKLIST = "checklist"


@dataclass(frozen=True, kw_only=True)
class HumanSide:
    """The choice of the human side: a kind of answers, and which of them count.

    The default is every submitted ranking.
    """

    source: HumanSource = HumanSource.RANKINGS
    dimension: str = ""
    """For ratings: the dimension of the scale, such as ``usefulness``."""
    scale_set: str = ""
    """For ratings: the set of scales that the dimension belongs to; empty for whichever has it."""
    study: str | None = None
    """Of one study only, as events name it (empty: the implicit study); None for all."""
    groups: frozenset[str] = frozenset()
    """Annotators of these groups only; empty for all."""
    min_seconds: float | None = None
    """Least active time on an instance."""
    max_seconds: float | None = None
    """Most active time on an instance."""
    min_slides_seen: float | None = None
    """Least share (0 to 1) of the visible slides of the judged decks that the annotator looked at."""

    @property
    def is_filtered(self) -> bool:
        """Whether some answers of the source are kept out."""
        return bool(self.groups) or self.study is not None or any(
            limit is not None for limit in (self.min_seconds, self.max_seconds, self.min_slides_seen)
        )  # fmt: skip

    @property
    def is_on_one_scale(self) -> bool:
        """Whether values of different instances can be compared, and not only the order within one."""
        return self.source in (HumanSource.RATINGS, HumanSource.CHECKLIST)

    @property
    def words(self) -> str:
        """Return what the side is made of, such as "rankings" or "ratings of usefulness"."""
        match self.source:
            case HumanSource.RATINGS:
                return f"ratings of {self.dimension}"
            case HumanSource.CHECKLIST:
                return "people's checklist scores"
            case HumanSource.PAIRS:
                return "pairwise comparisons"
            case HumanSource.RANKINGS:
                return "rankings"

    @property
    def axis_words(self) -> str:
        """Return what a value of the side is called on an axis."""
        match self.source:
            case HumanSource.RATINGS:
                return f"mean {self.dimension}"
            case HumanSource.CHECKLIST:
                return "mean checklist score, %"
            case HumanSource.RANKINGS | HumanSource.PAIRS:
                return "mean human rank"

    @property
    def filter_words(self) -> str:
        """Return the filters, such as "experts; at least 30 s"; empty without any."""
        parts = [", ".join(sorted(self.groups))] if self.groups else []
        if self.min_seconds is not None:
            parts.append(f"at least {self.min_seconds:g} s")
        if self.max_seconds is not None:
            parts.append(f"at most {self.max_seconds:g} s")
        if self.min_slides_seen is not None:
            parts.append(f"{100 * self.min_slides_seen:g} % of slides seen")
        return "; ".join(parts)
