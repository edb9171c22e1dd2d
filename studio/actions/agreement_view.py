"""Everything that the Agreement page shows of one choice of answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from studio.actions.agreement import ALL, AgreementRow, agreement_rows, as_json, label_rows, rank_rows
from studio.actions.annotator_report import AnnotatorReport, annotator_reports
from studio.actions.consensus import InstanceConsensus, consensus_of
from studio.actions.definitions import DEFINITIONS, TITLES
from studio.actions.figures import figure, interval_in_words
from studio.actions.human_answers import HumanAnswers, known_sides, read_human_side
from studio.actions.method_rows import REASONS
from studio.exchange.columns import COLUMNS
from studio.exchange.files import csv_text, write_whole
from studio.model.decks import Deck, Instance
from studio.model.human_side import HumanSide, HumanSource
from studio.model.ids import DeckId, InstanceId
from studio.stats.ceiling import human_ceilings
from studio.store import checklists as checklist_store
from studio.store import decks as deck_store
from studio.store.project import Project


@dataclass(frozen=True, kw_only=True)
class AgreementItem:
    """One instance, or one checklist item: how far people agree on it."""

    key: str
    title: str
    n: int
    """People on the instance; couples of answers to the item."""
    value: float | None
    """Mean ρ of couples; for items alpha."""
    second: float | None
    """Leave-one-out ρ; for items the share of equal answers."""
    reason: str


@dataclass(frozen=True, kw_only=True)
class AgreementView:
    """One choice of answers, and what people's agreement on them is."""

    sides: tuple[HumanSide, ...]
    """What there are answers for."""
    answers: HumanAnswers
    rows: tuple[AgreementRow, ...]
    """Of everybody together; couples are in the export."""
    reports: tuple[AnnotatorReport, ...]
    items: tuple[AgreementItem, ...]
    """Instances, or checklist items."""
    instances: Mapping[InstanceId, Instance]
    decks: Mapping[DeckId, Deck]

    @property
    def is_by_item(self) -> bool:
        """Whether `items` are checklist items."""
        return self.answers.side.source is HumanSource.CHECKLIST

    def consensus(self, instance_id: InstanceId) -> InstanceConsensus | None:
        """Return the consensus of one instance; None if nobody answered it."""
        return consensus_of(
            self.answers, instance_id, instances=dict(self.instances), decks=dict(self.decks)
        )  # fmt: skip


def agreement_view(project: Project, side: HumanSide | None = None) -> AgreementView:
    """Return the agreement on the chosen answers; on the first kind there is without a choice.

    Raises:
        BadInput: for a side that nobody answered.
    """
    decks = {deck.id: deck for deck in deck_store.list_decks(project)}
    answers = read_human_side(project, side, with_times=True, decks=decks)
    sides = tuple(known_sides(project, answers))
    if side is None and sides and sides[0] != answers.side:
        answers = read_human_side(project, sides[0], with_times=True, decks=decks)
    rows = rank_rows(answers, with_couples=False) + label_rows(project, answers, with_couples=False)
    everybody = [row for row in rows if row.who_a == ALL]
    instances = {item.id: item for item in deck_store.list_instances(project)}
    is_by_item = answers.side.source is HumanSource.CHECKLIST
    return AgreementView(
        sides=sides, answers=answers, rows=tuple(row for row in everybody if not row.about),
        reports=tuple(annotator_reports(project, answers)),
        items=_of_items(project, everybody) if is_by_item else _of_instances(answers, instances),
        instances=instances, decks=decks,
    )  # fmt: skip


def copied(row: AgreementRow, answers: HumanAnswers) -> str:
    """Return one number with what it is, ready to be pasted into a text."""
    lines = [f"{title_of(row)} = {figure(row.value, 4)}"]
    if row.ci_low is not None:
        lines[0] += f" (95 % interval {interval_in_words(row.ci_low, row.ci_high)}, bootstrap over instances)"
    if row.undefined_reason:
        lines[0] += f" ({REASONS.get(row.undefined_reason, row.undefined_reason)})"
    side = answers.side
    lines.append(f"Between {who_in_words(row)}; {side.words}; level: {row.level.value}; n = {row.n:,}.")
    if side.filter_words:
        lines.append(f"Only answers: {side.filter_words}.")
    lines.append(DEFINITIONS.get(row.metric, ""))
    if answers.has_sample_people:
        lines.append("Includes invented sample annotators.")
    return "\n".join(line for line in lines if line)


def title_of(row: AgreementRow) -> str:
    """Return what a person calls the number of a row."""
    return TITLES.get(row.metric, row.metric)


def who_in_words(row: AgreementRow) -> str:
    """Return who agrees with whom in a row about everybody."""
    return "couples of annotators" if row.who_b == ALL else "each annotator and the mean of the others"


def who_in_short(row: AgreementRow) -> str:
    """Return the same in a word or two."""
    return "couples" if row.who_b == ALL else "with others"


def export_agreement(project: Project, side: HumanSide, out: Path) -> Path:
    """Write every row of agreement on the chosen answers as CSV, couples too. Returns the file.

    Raises:
        BadInput: if it cannot be written.
    """
    write_whole(out, csv_text(COLUMNS["agreement"], as_json(agreement_rows(project, side=side))))
    return out


def rows_csv(view: AgreementView) -> str:
    """Return the rows about everybody as CSV."""
    return csv_text(COLUMNS["agreement"], as_json(view.rows))


def _of_instances(answers: HumanAnswers, instances: Mapping[InstanceId, Instance]) -> tuple[AgreementItem, ...]:
    order = {instance_id: place for place, instance_id in enumerate(instances)}
    found = [
        AgreementItem(
            key=each.instance_id,
            title=_title(instances.get(each.instance_id), each.instance_id), n=each.n_annotators,
            value=each.pairwise_mean, second=each.leave_one_out,
            reason=REASONS.get(each.reason or "", each.reason or ""),
        )
        for each in human_ceilings(answers.rankings).instances
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda each: order.get(InstanceId(each.key), len(order))))


def _title(instance: Instance | None, fallback: str) -> str:
    return (instance.title or instance.name) if instance is not None else fallback


def _of_items(project: Project, rows: list[AgreementRow]) -> tuple[AgreementItem, ...]:
    words = {str(item.id): item.text for item in checklist_store.list_items(project, with_retired=True)}
    alphas = {row.about: row for row in rows if row.about and row.metric == "krippendorff_alpha_nominal"}
    same = {row.about: row for row in rows if row.about and row.metric == "percent_agreement"}
    return tuple(
        AgreementItem(
            key=item, title=" ".join(words.get(item, item).split()), n=same[item].n, value=row.value,
            second=same[item].value, reason=REASONS.get(row.undefined_reason or "", row.undefined_reason or ""),
        )
        for item, row in alphas.items()
    )  # fmt: skip
