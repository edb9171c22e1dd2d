"""REFLEX's tables about people: scores against ratings, raters against each other, the use of explanations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from studio.actions.align import Evidence, gather
from studio.actions.answer_desk import scale_set_named
from studio.actions.content_methods import families
from studio.actions.explanation_agreement import ALL, ExplanationAgreement, explanation_agreement, rating_agreement
from studio.actions.explanation_units import ExplanationRow, explanation_rows
from studio.actions.human_answers import rated_dimensions
from studio.actions.lab_values import Baseline, baselines
from studio.actions.leaderboard import Board, BoardColumn, BoardRow, Cell
from studio.actions.method_rows import REASONS
from studio.actions.reflex_boards import EVALUATOR, PaperSource, title_of_metric
from studio.errors import BadInput
from studio.model.human_side import HumanSide, HumanSource
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.model.reflex import ContentMetric
from studio.model.studies import Study, StudyKind
from studio.sessions.scales import REFLEX as SCALES
from studio.sessions.scales import USEFULNESS as USE
from studio.stats.alignment import align_methods
from studio.stats.intervals import bootstrap_mean
from studio.stats.levels import Level
from studio.store import people as people_store
from studio.store import studies as study_store
from studio.store.project import Project

PEOPLE, AGREEMENT, USEFULNESS = "reflex-3", "reflex-4", "reflex-figure-4"
_RATERS = "people"
_RATE_DECKS = (
    f"Make a rate study with the scales {SCALES.title}: studio study new PROJECT NAME --kind rate --scales "
    f"{SCALES.name}, and let people rate decks on the Rate page."
)
_RATE_WORDS = (
    "Give explanations to a rate study with the scales Usefulness: studio study explanations PROJECT STUDY FILE, and "
    "let people rate them."
)
Methods = Mapping[InstanceId, Mapping[DeckId, float | None]]


class _Rated(NamedTuple):
    scale_set: str
    evidence: Evidence


def people_board(source: PaperSource) -> Board:
    """Return Table 3: Spearman of every family with people's ratings of the same metric, pooled over decks.

    Raises:
        BadInput: if nobody rated the content of decks.
    """
    project, rated = source.project, _rated(source.project)
    words = baselines(project, {deck for each in rated.values() for deck in _rated_decks(each.evidence)})
    by_metric: dict[ContentMetric, dict[str, Cell]] = {}
    known: set[str] = set()
    for metric, (_, evidence) in rated.items():
        of_words = {each.name: _spread(each, evidence) for each in words}
        methods: dict[str, Methods] = {**evidence.methods, **of_words}
        chosen = {name: values for name, values in methods.items() if name.partition("@")[0].endswith(metric.value)
                  or name.startswith("length.")}  # fmt: skip
        known |= set(methods)
        by_metric[metric] = {
            name: Cell(
                value=found.mean_rho, low=found.ci_low, high=found.ci_high, n=found.n_units,
                reason=REASONS.get(found.undefined_reason or "", found.undefined_reason or ""),
            )
            for name, found in align_methods(evidence.human, chosen, level=Level.POOLED).items()
        }  # fmt: skip
    rows = []
    for family in families(known):
        cells = []
        for metric in ContentMetric:
            if metric not in rated:
                cells.append(Cell(value=None, reason=f"nobody rated {metric.value}"))
            elif metric not in family.methods:
                cells.append(Cell(value=None, reason=f"{family.title} has no score of {metric.value} here"))
            else:
                cells.append(by_metric[metric][family.methods[metric]])
        rows.append(BoardRow(key=family.key, title=family.title, cells=tuple(cells)))
    rows.append(BoardRow(key=_RATERS, title="People, one with another", cells=tuple(
        _mean_cell(_deck_agreement(metric, rated[metric].evidence)) if metric in rated
        else Cell(value=None, reason=f"nobody rated {metric.value}")
        for metric in ContentMetric
    )))  # fmt: skip
    n = {len(each.evidence.annotators) for each in rated.values()}
    return Board(
        view=PEOPLE, title="Scores against people's ratings", columns=tuple(
            BoardColumn(key=metric.value, title=title_of_metric(metric)) for metric in ContentMetric
        ), rows=tuple(rows), row_word=EVALUATOR,
        notes=(
            "Spearman's ρ of a score and the mean rating of a deck, pooled over decks; intervals by bootstrap over "
            "instances, too narrow with fewer than ten of them. The same numbers stand on Align, with these ratings "
            "as the human side, at the level pooled.",
            f"Rated by {max(n, default=0):,} of the annotators at most; scales: {_sets(rated)}.",
            "People: mean over couples of raters on the decks that both rated. It is no upper bound of the rows above.",
        ),
        sample_data=any(each.evidence.has_sample_people for each in rated.values()),
    )  # fmt: skip


def agreement_board(source: PaperSource) -> Board:
    """Return Table 4: how far raters agree, as mean and best couple, on decks and on explanations.

    Raises:
        BadInput: if nobody rated either.
    """
    project = source.project
    rated = _rated(project, is_needed=False)
    explained = _explanations(project)
    if not rated and not explained:
        raise BadInput("Nobody rated the content of decks or explanations yet.", next_step=_RATE_DECKS)
    rows: list[BoardRow] = []
    for metric in ContentMetric:
        if metric in rated:
            rows.append(_agreement_row(metric.value, title_of_metric(metric), _deck_agreement(metric, rated[metric]
                                                                                              .evidence)))  # fmt: skip
        else:
            cell = Cell(value=None, reason=f"nobody rated {metric.value}")
            rows.append(BoardRow(key=metric.value, title=title_of_metric(metric), cells=(cell,) * 4))
    found = [each for each in explanation_agreement(explained) if each.about == ALL]
    rows += [_agreement_row(f"explanations.{each.dimension}", f"Explanations · {each.dimension}", each)
             for each in found]  # fmt: skip
    if not found:
        cell = Cell(value=None, reason="nobody rated an explanation")
        rows.append(BoardRow(key="explanations", title="Explanations", cells=(cell,) * 4))
    return Board(
        view=AGREEMENT, title="How far raters agree", row_word="what was rated",
        columns=(
            BoardColumn(key="mean", title="mean ρ"), BoardColumn(key="max", title="best couple"),
            BoardColumn(key="alpha", title="Krippendorff's α"), BoardColumn(key="rating", title="mean rating"),
        ), rows=tuple(rows),
        notes=(
            "Spearman's ρ of every couple of raters on what both rated: mean over couples, and the best couple, which "
            "grows with the number of raters. α is ordinal, over everybody.",
        ),
        sample_data=_has_sample_people(project, rated, explained),
    )  # fmt: skip


def usefulness_board(source: PaperSource) -> Board:
    """Return Figure 4 as a table: people's mean rating of explanations by who wrote them, in points of the scale.

    Raises:
        BadInput: if nobody rated an explanation.
    """
    project = source.project
    rows = _explanations(project)
    if not rows:
        raise BadInput("Nobody rated an explanation yet.", next_step=_RATE_WORDS)
    metrics = list(dict.fromkeys(row.metric for row in rows))
    metrics.sort(key=lambda name: (name not in set(ContentMetric), list(ContentMetric).index(ContentMetric(name))
                                   if name in set(ContentMetric) else 0, name))  # fmt: skip
    writers = list(dict.fromkeys(row.written_by for row in rows))
    board_rows = []
    for writer in writers:
        own = [row for row in rows if row.written_by == writer]
        cells = [_points_cell(own), *(_points_cell([row for row in own if row.metric == name]) for name in metrics)]
        board_rows.append(BoardRow(key=writer, title=writer or "nobody noted", cells=tuple(cells)))
    board_rows.sort(key=lambda row: -(row.cells[0].value or 0.0))
    return Board(
        view=USEFULNESS, title="How useful people find explanations", row_word="written by",
        columns=(BoardColumn(key=ALL, title="All"), *(
            BoardColumn(key=name, title=title_of_metric(ContentMetric(name)) if name in set(ContentMetric) else name)
            for name in metrics
        )), rows=tuple(board_rows),
        notes=("Mean over explanations of the mean of their raters, in points of the scale; 95 % of resamples of "
               "explanations.",),
        sample_data=_has_sample_people(project, {}, rows),
    )  # fmt: skip


def _rated(project: Project, *, is_needed: bool = True) -> dict[ContentMetric, _Rated]:
    """Return the ratings of each metric: on the scales of REFLEX, else on the first set that has the dimension."""
    known = rated_dimensions(project)
    found: dict[ContentMetric, _Rated] = {}
    for metric in ContentMetric:
        sets = [scale_set for scale_set, dimension in known if dimension == metric.value]
        if sets:
            chosen = SCALES.name if SCALES.name in sets else sets[0]
            side = HumanSide(source=HumanSource.RATINGS, scale_set=chosen, dimension=metric.value)
            found[metric] = _Rated(chosen, gather(project, side))
    if is_needed and not found:
        raise BadInput("Nobody rated the content of decks yet.", next_step=_RATE_DECKS)
    return found


def _rated_decks(evidence: Evidence) -> set[DeckId]:
    return {deck for by_person in evidence.human.ranks.values() for decks in by_person.values() for deck in decks}


def _spread(baseline: Baseline, evidence: Evidence) -> Methods:
    found: dict[InstanceId, dict[DeckId, float | None]] = {}
    for deck, value in baseline.values.items():
        if deck in evidence.decks:
            found.setdefault(evidence.decks[deck].instance_id, {})[deck] = value
    return found


def _deck_agreement(metric: ContentMetric, evidence: Evidence) -> ExplanationAgreement:
    points: dict[str, dict[AnnotatorId, float]] = {}
    for by_person in evidence.human.ranks.values():
        for person, decks in by_person.items():
            for deck, turned in decks.items():
                points.setdefault(deck, {})[person] = -turned
    return rating_agreement(metric.value, ALL, "", points)


def _agreement_row(key: str, title: str, found: ExplanationAgreement) -> BoardRow:
    best = Cell(value=found.pairwise_max, n=found.n_shared, reason=_mean_cell(found).reason)
    alpha = Cell(value=found.alpha, n=found.n, reason="" if found.alpha is not None else _why(found))
    mean = Cell(value=found.mean, n=found.n)
    return BoardRow(key=key, title=title, cells=(_mean_cell(found), best, alpha, mean))


def _mean_cell(found: ExplanationAgreement) -> Cell:
    return Cell(
        value=found.pairwise_mean, n=found.n_shared, reason="" if found.pairwise_mean is not None else _why(found)
    )


def _why(found: ExplanationAgreement) -> str:
    words = {
        "one_rater": "one rater only", "too_few": "fewer than three that two people rated",
        "constant": "somebody gave everything the same",
    }  # fmt: skip
    return words.get(found.undefined_reason or "", found.undefined_reason or "everybody gave everything the same")


def _points_cell(rows: list[ExplanationRow]) -> Cell:
    means = [math.fsum(row.ratings) / len(row.ratings) for row in rows if row.ratings]
    if not means:
        return Cell(value=None, reason="no explanation of this metric was rated")
    found = bootstrap_mean(means)
    return Cell(value=found.mean, low=found.low, high=found.high, n=len(means))


def rating_range(project: Project) -> tuple[int, int]:
    """Return the lowest and the highest point that explanations were rated with."""
    scales = scale_set_named(project, _explanation_scales(project)).scales
    return min(scale.low for scale in scales), max(scale.high for scale in scales)


def _explanations(project: Project) -> list[ExplanationRow]:
    """Return the explanations that were rated, of all studies with one set of scales: points of two do not mix."""
    chosen = _explanation_scales(project)
    return [
        row for study in _rate_studies(project) if study.scale_set == chosen
        for row in explanation_rows(project, study) if row.ratings
    ]  # fmt: skip


def _explanation_scales(project: Project) -> str:
    sets = [study.scale_set for study in _rate_studies(project)
            if any(row.ratings for row in explanation_rows(project, study))]  # fmt: skip
    return USE.name if USE.name in sets or not sets else sets[0]


def _rate_studies(project: Project) -> list[Study]:
    return [study for study in study_store.list_studies(project) if study.kind is StudyKind.RATE]


def _has_sample_people(
    project: Project, rated: Mapping[ContentMetric, _Rated], explained: list[ExplanationRow]
) -> bool:
    if any(each.evidence.has_sample_people for each in rated.values()):
        return True
    samples = {person.id for person in people_store.list_annotators(project) if person.is_sample}
    return any(samples & set(row.points) for row in explained)


def _sets(rated: Mapping[ContentMetric, _Rated]) -> str:
    return ", ".join(dict.fromkeys(each.scale_set or "without a name" for each in rated.values()))
