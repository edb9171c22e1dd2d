"""What a search over parameters is computed from: measured slides, rankings and pairs, read once."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from studio.actions.align import Evidence, gather
from studio.errors import BadInput
from studio.exchange.settled import settled_answers
from studio.jobs.parameters import parameters_of
from studio.metrics.aesthetics import deck_scores_from_raw
from studio.metrics.parameters import AestheticsParameters
from studio.metrics.raw_decks import RawDecks, RawSlides, raw_decks
from studio.model.answers import AnswerKind
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.stats.rankings import HumanRankings, Scores
from studio.stats.targets import JudgedPair, PairTarget, RankingTarget
from studio.store.project import Project
from studio.store.raw_slides import RawSlide, raw_slides


class Answers(StrEnum):
    """Which of people's answers scores are fitted to or tested on."""

    RANKINGS = "rankings"
    PAIRS = "pairs"


@dataclass(frozen=True, kw_only=True)
class TuningData:
    """A project's measured decks with what people said about them."""

    preset: str
    """Where the search starts; the slides are as a run of it, or of one that measures the same, found them."""
    parameters: AestheticsParameters
    deck_ids: tuple[DeckId, ...]
    instance_of: Mapping[DeckId, InstanceId]
    slides: tuple[tuple[RawSlide, ...], ...]
    """Of each deck."""
    raw: RawDecks
    """The same as arrays."""
    pairs: tuple[JudgedPair, ...]
    """Decided pairs that were judged directly."""
    n_undecided: int
    """Pairs that people called equal or could not judge."""
    evidence: Evidence

    def target(self, answers: Answers, human: HumanRankings) -> RankingTarget | PairTarget:
        """Return people's answers of one kind, on the instances of `human`, ready to be compared."""
        if answers is Answers.RANKINGS:
            return RankingTarget(human, self.deck_ids)
        kept = set(human.ranks)
        return PairTarget([pair for pair in self.pairs if pair.instance_id in kept], self.deck_ids)

    def everyone(self) -> HumanRankings:
        """Return the rankings with an empty entry for each instance that nobody ranked, so that pairs find it."""
        human = self.evidence.human
        return HumanRankings(
            ranks={**{each: {} for each in self.evidence.instances}, **human.ranks},
            scenarios=human.scenarios,
            systems=human.systems,
        )

    def totals(self, parameters: AestheticsParameters) -> Scores:
        """Return the aesthetics total of each deck, computed as a metrics run computes it."""
        found: dict[InstanceId, dict[DeckId, float | None]] = {}
        for deck_id, slides in zip(self.deck_ids, self.slides, strict=True):
            scores = deck_scores_from_raw(
                [each.contrast_mean for each in slides],
                [each.distance_deg for each in slides],
                [each.colourfulness for each in slides],
                [each.entropy for each in slides],
                parameters,
            )
            found.setdefault(self.instance_of[deck_id], {})[deck_id] = scores.total.value
        return found

    def fingerprint(self) -> str:
        """Return a text that differs as soon as a slide, a ranking or a pair does."""
        ranks = sorted(
            (instance, person, sorted(ranks.items()))
            for instance, people in self.evidence.human.ranks.items()
            for person, ranks in people.items()
        )
        pairs = sorted((pair.instance_id, pair.better, pair.worse) for pair in self.pairs)
        slides = sorted(zip(self.deck_ids, self.slides, strict=True))
        return hashlib.sha256(repr((slides, ranks, pairs)).encode()).hexdigest()


def tuning_data(project: Project, preset: str) -> TuningData:
    """Return what a search that starts from a preset needs.

    Slides are taken as the newest run of that preset measured them. If there is none, a run of "benchmark" serves
    where both look at slides in the same way (`min_saturation`, `grid_fallback`); weights do not matter for that.

    Raises:
        BadInput: if there is no such preset, or no deck is measured for it.
    """
    parameters = parameters_of(project, preset)
    found = raw_slides(project, preset)
    if not found and _looks(parameters) == _looks(parameters_of(project, "benchmark")):
        found = raw_slides(project, "benchmark")
    if not found:
        raise BadInput(
            f"No deck of this project is measured with the preset {preset}.",
            next_step=f"Run: studio metrics PROJECT --preset {preset}",
        )
    evidence = gather(project)
    deck_ids = tuple(deck for deck in evidence.decks if deck in found)
    pairs, undecided = judged_pairs(project)
    slides = tuple(found[deck][1] for deck in deck_ids)
    return TuningData(
        preset=preset,
        parameters=parameters,
        deck_ids=deck_ids,
        instance_of={deck: found[deck][0] for deck in deck_ids},
        slides=slides,
        raw=raw_decks(_raw(each) for each in slides),
        pairs=pairs,
        n_undecided=undecided,
        evidence=evidence,
    )


def judged_pairs(project: Project) -> tuple[tuple[JudgedPair, ...], int]:
    """Return the pairs that people decided directly, and how many they did not decide.

    A person's newest answer to a pair counts. "tie", "both_bad" and "cannot_judge" decide nothing.
    """
    newest: dict[tuple[InstanceId, AnnotatorId, str], object] = {}
    for event in settled_answers(project, AnswerKind.PAIR):
        if "#" not in event.item_key:  # a preference between single slides says nothing of the decks
            newest[event.instance_id, event.annotator_id, event.item_key] = event.state.get("preference")
    pairs: list[JudgedPair] = []
    undecided = 0
    for (instance_id, _, key), preference in newest.items():
        first, _, second = key.partition("|")
        if preference not in ("a", "b"):
            undecided += 1
            continue
        better, worse = (first, second) if preference == "a" else (second, first)
        pairs.append(JudgedPair(instance_id=instance_id, better=DeckId(better), worse=DeckId(worse)))
    return tuple(pairs), undecided


def _looks(parameters: AestheticsParameters) -> tuple[float, bool]:
    return parameters.min_saturation, parameters.grid_fallback


def _raw(slides: Sequence[RawSlide]) -> RawSlides:
    return RawSlides(
        contrast_means=tuple(each.contrast_mean for each in slides),
        distances_deg=tuple(each.distance_deg for each in slides),
        colourfulness=tuple(each.colourfulness for each in slides),
        entropies=tuple(each.entropy for each in slides),
    )
