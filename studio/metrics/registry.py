"""Which metrics there are, what they need and what their numbers mean."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from studio.errors import BadInput

AESTHETICS_VERSION = 1
"""Version of what is measured on a slide and how it is scored. Goes up whenever a value can change."""


CUES_VERSION = 1
"""Version of the cues."""
REFLEX_VERSION = 1
"""Version of the content scorers' features. Goes up whenever a value can change with the same model."""
EDITABILITY_VERSION = 1
"""Version of how a deck's structure is read and judged. Goes up whenever a level can change."""


class Need(StrEnum):
    """What a metric must be given."""

    SLIDE_PICTURES = "slide_pictures"
    TEXT_REGIONS = "text_regions"
    DECK_FILE = "deck_file"
    DECK_WORDS = "deck_words"
    SOURCE_WORDS = "source_words"


@dataclass(frozen=True, kw_only=True)
class MetricSpec:
    """One metric of a deck."""

    name: str
    title: str
    version: int
    needs: frozenset[Need]
    higher_is_better: bool
    unit: str
    range_text: str
    """Range that the benchmark's parameters allow."""
    description: str
    source: str


_PICTURES = frozenset({Need.SLIDE_PICTURES})
_PICTURES_AND_TEXT = frozenset({Need.SLIDE_PICTURES, Need.TEXT_REGIONS})

_CUES_SOURCE = "arXiv 2508.19289 names the cue; the formula is the studio's"

METRICS: dict[str, MetricSpec] = {
    spec.name: spec
    for spec in (
        MetricSpec(
            name="aesthetics.harmony",
            title="Harmony",
            version=AESTHETICS_VERSION,
            needs=_PICTURES,
            higher_is_better=True,
            unit="points",
            range_text="about -3.1 to 2",
            description="How well the hues of the slides fit a harmonic template, and how evenly.",
            source="SlidesGen-Bench 2.3, F.4, tables 9 and 10; Cohen-Or et al. 2006",
        ),
        MetricSpec(
            name="aesthetics.engagement",
            title="Engagement",
            version=AESTHETICS_VERSION,
            needs=_PICTURES,
            higher_is_better=True,
            unit="points",
            range_text="0 to 10.5",
            description="How colourful the slides are on average and how much that varies over the deck.",
            source="SlidesGen-Bench 2.3, F.3; Hasler & Süsstrunk 2003",
        ),
        MetricSpec(
            name="aesthetics.usability",
            title="Usability",
            version=AESTHETICS_VERSION,
            needs=_PICTURES_AND_TEXT,
            higher_is_better=True,
            unit="points",
            range_text="0 to 7",
            description="How well text stands out from what is behind it.",
            source="SlidesGen-Bench 2.3; WCAG 2.1",
        ),
        MetricSpec(
            name="aesthetics.rhythm",
            title="Rhythm",
            version=AESTHETICS_VERSION,
            needs=_PICTURES,
            higher_is_better=True,
            unit="points",
            range_text="0 to 16",
            description="How much visual information the slides carry, and how it changes along the deck.",
            source="SlidesGen-Bench 2.3, F.2, F.5, H.1, table 8; Rosenholtz et al. 2007",
        ),
        MetricSpec(
            name="aesthetics.total",
            title="Aesthetics",
            version=AESTHETICS_VERSION,
            needs=_PICTURES_AND_TEXT,
            higher_is_better=True,
            unit="points",
            range_text="about -3 to 35.5",
            description="Sum of harmony, engagement, usability and rhythm.",
            source="SlidesGen-Bench 2.3",
        ),
        MetricSpec(
            name="cues.whitespace",
            title="Whitespace",
            version=CUES_VERSION,
            needs=_PICTURES,
            higher_is_better=True,
            unit="share",
            range_text="0 to 1",
            description="Share of the slide that looks like its background. A cue, no verdict.",
            source=_CUES_SOURCE,
        ),
        MetricSpec(
            name="cues.edge_density",
            title="Edge density",
            version=CUES_VERSION,
            needs=_PICTURES,
            higher_is_better=True,
            unit="share",
            range_text="0 to 1",
            description="Share of the slide that lies on an edge. A cue, no verdict.",
            source=_CUES_SOURCE,
        ),
        MetricSpec(
            name="cues.balance",
            title="Balance",
            version=CUES_VERSION,
            needs=_PICTURES,
            higher_is_better=True,
            unit="share",
            range_text="0 to 1",
            description="How close the centre of what is on the slide lies to the slide's own. A cue, no verdict.",
            source=_CUES_SOURCE,
        ),
        MetricSpec(
            name="cues.text_density",
            title="Text density",
            version=CUES_VERSION,
            needs=_PICTURES_AND_TEXT,
            higher_is_better=True,
            unit="share",
            range_text="0 to 1",
            description="Share of the slide that text regions cover. A cue, no verdict.",
            source=_CUES_SOURCE,
        ),
        MetricSpec(
            name="cues.brightness_contrast",
            title="Brightness contrast",
            version=CUES_VERSION,
            needs=_PICTURES,
            higher_is_better=True,
            unit="L",
            range_text="0 to 50",
            description="Standard deviation of the lightness of the slide's pixels. A cue, no verdict.",
            source=_CUES_SOURCE,
        ),
        MetricSpec(
            name="editability.pei",
            title="Editability",
            version=EDITABILITY_VERSION,
            needs=frozenset({Need.DECK_FILE}),
            higher_is_better=True,
            unit="level",
            range_text="0 to 5",
            description="How far the file can be edited: text, vectors, structure, data, time, each a gate.",
            source="SlidesGen-Bench 2.4, appendix K, table 4",
        ),
        *(
            MetricSpec(
                name=f"reflex.{name}",
                title=title,
                version=REFLEX_VERSION,
                needs=frozenset({Need.DECK_WORDS, *more}),
                higher_is_better=True,
                unit="share",
                range_text="0 to 1",
                description=description,
                source="REFLEX, section 3; features and models of the studio's own, see the model card",
            )
            for name, title, description, more in (
                ("coverage", "Coverage", "Whether the slides carry every section of the source.", {Need.SOURCE_WORDS}),
                ("redundancy", "Redundancy", "Whether no slide says again what another said.", set[Need]()),
                ("alignment", "Text–image alignment", "Whether images fit the text beside them.", set[Need]()),
                ("flow", "Flow", "Whether the slides follow one another as slides do.", set[Need]()),
            )
        ),
    )
}
"""Name → metric, in the order in which they are shown."""


FROM_PICTURES = tuple(name for name in METRICS if name.startswith(("aesthetics.", "cues.")))
"""Names of the metrics that are computed from slide pictures, all of them at once."""

FROM_WORDS = tuple(name for name in METRICS if name.startswith("reflex."))
"""Names of the metrics that are computed from words by a trained model; they run when they are named."""

EDITABILITY = "editability.pei"
"""Name of the metric that is computed from the file's structure."""


def metric(name: str) -> MetricSpec:
    """Return the metric of that name.

    Raises:
        BadInput: if there is none.
    """
    if name not in METRICS:
        raise BadInput(f"There is no metric called {name!r}.", next_step=f"Choose one of {', '.join(METRICS)}.")
    return METRICS[name]
