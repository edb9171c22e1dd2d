"""REFLEX's tables about decks that were made worse on purpose, as boards (decision 44)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from studio.actions.content_methods import HEURISTIC, LENGTH, REFLEX, Family, families, family_title
from studio.actions.figures import counted
from studio.actions.lab import LabRung, lab_of
from studio.actions.lab_explanations import ALL_NAMED, explained
from studio.actions.lab_values import LabValues, Values, lab_values
from studio.actions.leaderboard import Board, BoardColumn, BoardRow, Cell
from studio.actions.method_rows import REASONS
from studio.errors import BadInput, StudioError
from studio.metrics.registry import METRICS
from studio.model.ids import DeckId
from studio.model.reflex import ContentMetric, Variant
from studio.perturb.amounts import DEGREES
from studio.reflex.model_file import load
from studio.reflex.shipped import shipped_model
from studio.stats.degrees import DegreeRank, degree_rank
from studio.stats.noticing import Rung
from studio.store.project import Project

SCORES, EXPLANATIONS, SENSITIVITY, SEARCHED = "reflex-1", "reflex-2", "reflex-figure-3", "reflex-5"
EVALUATOR = "evaluator"
CARD, LAB = "card", "lab"
_ROUGE = (("rouge1", "ROUGE-1"), ("rouge2", "ROUGE-2"), ("rouge3", "ROUGE-3"), ("rougeL", "ROUGE-L"))
_ITEMS = (("f1", "item F1"), ("precision", "precision"), ("recall", "recall"))
_NOTHING_NAMED = "nothing was named"
_CARD_KEEPS_RHO = "the card keeps Spearman's ρ of it only"


@dataclass(frozen=True, kw_only=True)
class Rated:
    """A lab that families were run over."""

    name: str
    """Of its folder, or empty for the project itself."""
    values: LabValues
    families: tuple[Family, ...]

    def of(self, method: str) -> Values:
        """Return what a method or baseline says of the lab's files."""
        baseline = next((each.values for each in self.values.baselines if each.name == method), None)
        return self.values.scores.get(method, {}) if baseline is None else baseline


class PaperSource:
    """A project as the paper's tables read it; what several of them need is read once."""

    def __init__(self, project: Project) -> None:
        self.project = project

    @cached_property
    def card(self) -> Mapping[str, Any]:
        """What the shipped model says of itself."""
        return load(shipped_model())[1]

    @cached_property
    def lab(self) -> Rated | None:
        """The lab with most files."""
        return largest_lab(self.project)


def title_of_metric(metric: ContentMetric) -> str:
    """Return what a person calls a content metric."""
    return METRICS[f"reflex.{metric.value}"].title


def largest_lab(project: Project) -> Rated | None:
    """Return the lab with most files: the project itself, or one below its exports; None without any."""
    if lab_of(project) is not None:
        return _rated("", lab_values(project))
    sizes: list[tuple[int, str]] = []
    for path in sorted(project.folder.glob("exports/*/project.db")):
        try:
            with Project.open(path.parent, only_read=True) as each:
                found = lab_of(each)
        except StudioError:
            # A folder of another version, or half made, is no lab that can be read.
            continue
        if found is not None and found.rungs:
            sizes.append((len(found.rungs), path.parent.name))
    if not sizes:
        return None
    name = max(sizes)[1]
    with Project.open(project.folder / "exports" / name, only_read=True) as lab:
        return _rated(name, lab_values(lab))


def scores_board(source: PaperSource) -> Board:
    """Return Table 1: Spearman and Kendall of scores with the degree, of every family."""
    columns = [
        column
        for metric in ContentMetric
        for column in (
            BoardColumn(key=f"{metric.value}.rho", title=f"{metric.value.capitalize()} ρ"),
            BoardColumn(key=f"{metric.value}.tau", title="τ"),
        )
    ]
    card, lab = source.card, source.lab
    rows = [
        BoardRow(key=f"{CARD}/{key}/{variant.value}", title=f"{family_title(key)} · {CARD}{_words(variant)}",
                 cells=_card_cells(card, key, variant))
        for variant in Variant
        for key in (REFLEX, HEURISTIC, LENGTH)
    ]  # fmt: skip
    if lab is not None:
        for family in lab.families:
            ranks = _ranks(lab, family)
            cells = [cell for metric in ContentMetric for cell in _rank_cells(ranks.get(metric), lab, metric)]
            rows.append(BoardRow(key=f"{LAB}/{family.key}", title=f"{family.title} · {LAB}", cells=tuple(cells)))
    return Board(
        view=SCORES, title="Scores against the degree to which decks were made worse", columns=tuple(columns),
        rows=tuple(rows), row_word=EVALUATOR,
        notes=(
            "Spearman's ρ and Kendall's τ of score and 5 − degree, pooled over decks.",
            "Of flow the paper has no heuristic; here it is the mean similarity of neighbours.",
            _card_words(card), _lab_words(lab),
        ),
    )  # fmt: skip


def explanations_board(source: PaperSource) -> Board:
    """Return Table 2: ROUGE of explanations against the gold ones, and F1 of the things that they name."""
    card, lab = source.card, source.lab
    names = (*_ITEMS[:1], *_ROUGE, *_ITEMS[1:])
    of_card = [_means(card, metric) for metric in ContentMetric]
    rows: list[BoardRow] = []

    def add(key: str, title: str, found: Mapping[str, float | None], n: int, why: str) -> None:
        cells = tuple(Cell(value=found.get(name), n=n, reason="" if found.get(name) is not None else why)
                      for name, _ in names)  # fmt: skip
        rows.append(BoardRow(key=key, title=title, cells=cells))

    for key, title, suffix in ((REFLEX, family_title(REFLEX), ""), ("all", "Everything named", "_all")):
        own = [{name: found.get(f"{name}{suffix}") for name, _ in names} for found, _ in of_card]
        why = "" if not suffix else "the card keeps F1 and ROUGE of naming everything"
        defined = [each for each in own if any(value is not None for value in each.values())]
        mean = {name: _mean([each[name] for each in defined]) for name, _ in names}
        add(f"{CARD}/{key}", f"{title} · {CARD} · mean", mean, sum(n for _, n in of_card), why or "no figures")
        for metric, each, (_, n) in zip(ContentMetric, own, of_card, strict=True):
            add(f"{CARD}/{key}/{metric.value}", f"{title} · {CARD} · {title_of_metric(metric)}", each, n,
                why or "no figures")  # fmt: skip
    said = explained(source.project, lab.name) if lab is not None else ()
    for told in said:
        who = "Everything named" if told.family == ALL_NAMED else family_title(told.family)
        kind, words = (told.metric.value, title_of_metric(told.metric)) if told.metric else ("mean", "mean")
        add(f"{LAB}/{told.family}/{kind}", f"{who} · {LAB} · {words}", told.figures, told.n, _NOTHING_NAMED)
    return Board(
        view=EXPLANATIONS, title="Explanations against the gold ones", columns=tuple(
            BoardColumn(key=name, title=title) for name, title in names
        ), rows=tuple(rows), row_word=EVALUATOR,
        notes=(
            "ROUGE is F1 of words, mean over decks; item F1 is of the slides and sections named.",
            "The wording that all share lifts ROUGE: “everything named” shows how far. Look at item F1.",
            _card_words(card),
            f"{_lab_words(lab)} Judges explain with the protocol few-shot." if not said else _lab_words(lab),
        ),
    )  # fmt: skip


def sensitivity_board(source: PaperSource) -> Board:
    """Return Figure 3 as a table: Kendall's tau of the decks as they were and those of one degree."""
    card, lab = source.card, source.lab
    rows: list[BoardRow] = []
    for metric in ContentMetric:
        for variant in Variant:
            seeds = _seeds(card, metric, variant)
            if seeds:
                rows.append(
                    BoardRow(
                        key=f"{CARD}/{REFLEX}/{metric.value}/{variant.value}",
                        title=f"{title_of_metric(metric)} · {family_title(REFLEX)} · {CARD}{_words(variant)}",
                        cells=tuple(
                            _cell(_mean([each["kendall_by_degree"].get(str(degree)) for each in seeds]),
                                  seeds[0]["n_decks"], "constant")
                            for degree in DEGREES
                        ),
                    )
                )  # fmt: skip
        for family in lab.families if lab is not None else ():
            assert lab is not None
            found = _ranks(lab, family).get(metric)
            if found is not None:
                cells = [found.by_degree.get(degree) for degree in DEGREES]
                rows.append(
                    BoardRow(
                        key=f"{LAB}/{family.key}/{metric.value}",
                        title=f"{title_of_metric(metric)} · {family.title} · {LAB}",
                        cells=tuple(
                            Cell(value=None, reason="no file of this degree") if each is None
                            else _cell(each.value, found.n_decks, each.undefined_reason or "")
                            for each in cells
                        ),
                    )
                )  # fmt: skip
    return Board(
        view=SENSITIVITY, title="Sensitivity by degree", columns=tuple(
            BoardColumn(key=str(degree), title=f"degree {degree}") for degree in DEGREES
        ), rows=tuple(rows), row_word=EVALUATOR,
        notes=(
            "Kendall's τ-b of the decks as they were and those of one degree; ties in the labels keep it below 1.",
            _card_words(card), _lab_words(lab),
        ),
    )  # fmt: skip


def searched_board(source: PaperSource) -> Board:
    """Return Table 5: the settings that were searched on the evaluation part.

    Raises:
        BadInput: if the model was not searched.
    """
    found = list(source.card.get("grid", []))
    if not found:
        raise BadInput(
            "The settings of this model were not searched.",
            next_step="studio reflex grid DATA, then studio reflex train DATA --grid TABLE; its card keeps the table.",
        )
    searched = [name for name in found[0]["settings"] if len({row["settings"][name] for row in found}) > 1]
    return Board(
        view=SEARCHED, title="Searched settings", row_word="settings",
        columns=(BoardColumn(key="mean", title="mean ρ", digits=3),
                 *(BoardColumn(key=name, title=name.replace("_", " ")) for name in searched)),
        rows=tuple(
            BoardRow(
                key=str(place), title=f"{title_of_metric(ContentMetric(row['metric']))} · {place + 1}",
                cells=(_cell(row["mean"], 0, "constant"),
                       *(Cell(value=float(row["settings"][name])) for name in searched)),
            )
            for place, row in enumerate(found)
        ),
        notes=("Mean Spearman on the evaluation part; the best row of each metric was taken.",),
    )  # fmt: skip


def _rated(name: str, values: LabValues) -> Rated:
    known = families((*values.scores, *(each.name for each in values.baselines)))
    return Rated(name=name, values=values, families=known)


def _ranks(lab: Rated, family: Family) -> dict[ContentMetric, DegreeRank]:
    found = {}
    for metric, method in family.methods.items():
        values = lab.of(method)
        rungs = _pooled(lab.values.rungs, values, metric)
        if any(rung.degree for rung in rungs):
            found[metric] = degree_rank(rungs, seed=lab.values.lab.seed)
    return found


def _pooled(rungs: Mapping[DeckId, LabRung], values: Values, defect: ContentMetric) -> list[Rung]:
    """Return the rungs of one kind of defect by deck; a deck as it was is in each of its ladders."""
    repeats: dict[str, set[int]] = {}
    for rung in rungs.values():
        if rung.defect is defect:
            repeats.setdefault(rung.name, set()).add(rung.repeat)
    found = []
    for deck_id, rung in rungs.items():
        if deck_id not in values or rung.name not in repeats or rung.defect not in (None, defect):
            continue
        times = len(repeats[rung.name]) if rung.defect is None else 1
        found += [Rung(origin=rung.name, degree=rung.degree, value=values[deck_id])] * times
    return found


def _rank_cells(found: DegreeRank | None, lab: Rated, metric: ContentMetric) -> tuple[Cell, Cell]:
    if found is None:
        left = next((each.reason for each in lab.values.lab.left_out if each.defect is metric), "")
        cell = Cell(value=None, reason=left or "not measured in the lab")
        return cell, cell
    n = found.n_decks
    return (
        _cell(found.rho.value, n, found.rho.undefined_reason or "", low=found.low, high=found.high),
        _cell(found.tau.value, n, found.tau.undefined_reason or ""),
    )


def _cell(value: float | None, n: int, reason: str, *, low: float | None = None, high: float | None = None) -> Cell:
    why = {"too_few": "fewer than three files with a value", "constant": "the same value for every file"}
    return Cell(
        value=value, n=n, low=low, high=high, reason="" if value is not None else why.get(reason, REASONS.get(reason,
        reason)),
    )  # fmt: skip


def _seeds(card: Mapping[str, Any], metric: ContentMetric, variant: Variant) -> list[Mapping[str, Any]]:
    return [
        each for each in card.get("tables", [])
        if (each["metric"], each["variant"]) == (metric.value, variant.value)
    ]  # fmt: skip


def _card_cells(card: Mapping[str, Any], key: str, variant: Variant) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    measures: Mapping[str, Callable[[Mapping[str, Any]], float | None]] = {
        REFLEX: partial(_value, "spearman"), HEURISTIC: partial(_value, "heuristic"),
        LENGTH: partial(_value, "length_only"),
    }  # fmt: skip
    for metric in ContentMetric:
        seeds = _seeds(card, metric, variant)
        if not seeds:
            cell = Cell(value=None, reason=f"no ladder of {metric.value} is made {variant.value.replace('_', ' ')}")
            cells += [cell, cell]
            continue
        n, is_own = int(seeds[0]["n_decks"]), key == REFLEX
        lows = [each["ci_low"] for each in seeds if is_own and each["ci_low"] is not None]
        highs = [each["ci_high"] for each in seeds if is_own and each["ci_high"] is not None]
        rho = _mean([measures[key](each) for each in seeds])
        cells.append(_cell(rho, n, "constant", low=min(lows, default=None), high=max(highs, default=None)))
        tau = _mean([each["kendall"] for each in seeds]) if is_own else None
        cells.append(_cell(tau, n, "constant" if is_own or rho is None else _CARD_KEEPS_RHO))
    return tuple(cells)


def _value(name: str, row: Mapping[str, Any]) -> float | None:
    value: float | None = row.get(name)
    return value


def _means(card: Mapping[str, Any], metric: ContentMetric) -> tuple[dict[str, float | None], int]:
    """Return the figures of explanations on plain ladders, mean over seeds, and the decks behind them."""
    seeds = _seeds(card, metric, Variant.PLAIN)
    names = {name for each in seeds for name in (*each["items"], *each["rouge"])}
    found = {name: _mean([{**each["items"], **each["rouge"]}.get(name) for each in seeds]) for name in names}
    return found, int(seeds[0]["n_decks"]) if seeds else 0


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _words(variant: Variant) -> str:
    return "" if variant is Variant.PLAIN else f" · {variant.value.replace('_', ' ')}"


def _card_words(card: Mapping[str, Any]) -> str:
    n = card.get("checked_on", {}).get("n_decks")
    seeds = len({each.get("seed") for each in card.get("tables", [])})
    return (
        f"Card: the shipped model on {n} decks that it did not learn from, mean of {counted(seeds, 'seed')}; the ends "
        "of its intervals are the lowest and the highest."
    )


def _lab_words(lab: Rated | None) -> str:
    if lab is None:
        return "No sensitivity lab in this project yet: the lab is where judges stand beside these rows."
    names = {rung.name for rung in lab.values.rungs.values()}
    which = next(iter(names)) if len(names) == 1 else counted(len(names), "deck")
    return f"Lab: {which}{'' if lab.name else ' of this project'}; intervals by bootstrap over decks."
