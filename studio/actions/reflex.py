"""REFLEX: building a data set, training, scoring, evaluating."""

from __future__ import annotations

import concurrent.futures
import json
import multiprocessing
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from studio import __version__
from studio.actions.perturb import document_of_file
from studio.actions.source_summaries import with_kept_summaries
from studio.decks.slide_objects import read_slide_objects
from studio.errors import BadInput, Cancelled
from studio.exchange.sciduet import read_sciduet
from studio.jobs.reflex_job import deck_object, task_of
from studio.model.protocols import CancelToken
from studio.model.reflex import ContentMetric, DeckObject, DocumentObject, Section, SlideImage, SlideObject
from studio.reflex import evaluation
from studio.reflex.dataset import LEAST_SLIDES, MOST_SLIDES, Rejected, split, why_not
from studio.reflex.embedded import embedded
from studio.reflex.encoder import Encoder
from studio.reflex.encoders import DEFAULT, ENCODERS, encoder_named, keep_vectors
from studio.reflex.explanations import suggestion_json
from studio.reflex.language import language_of
from studio.reflex.model_file import load, save
from studio.reflex.scorer import ContentScore, ContentScorer, Scorer
from studio.reflex.sentence_encoder import SentenceEncoder
from studio.reflex.shipped import model_file, scorer_of
from studio.reflex.training import MetricModel, Settings, fit
from studio.store import decks as deck_store
from studio.store.project import Project
from studio.whole_files import write_whole

Tell = Callable[[str], None]
ALL = tuple(ContentMetric)
_LEAST_SHARE = 0.1
"""Of the decks with a known language: fewer teach nothing of it."""


@dataclass(frozen=True, kw_only=True)
class DataSet:
    """Decks that may teach, who is in which part, and why the others are not there."""

    decks: tuple[DeckObject, ...]
    parts: dict[str, tuple[str, ...]]
    rejected: tuple[Rejected, ...] = ()

    def part(self, name: str) -> list[DeckObject]:
        """Return the decks of one part, or all of them for an empty name.

        Raises:
            BadInput: if there is no such part.
        """
        if not name:
            return list(self.decks)
        if name not in self.parts:
            raise BadInput(f"There is no part {name!r}.", next_step=f"Choose one of {', '.join(self.parts)}.")
        wanted = set(self.parts[name])
        return [deck for deck in self.decks if deck.id in wanted]


def build(
    decks: Sequence[DeckObject], *, seed: int, needs_ends: bool = True, languages: Sequence[str] = ("en",)
) -> DataSet:
    """Return the decks that are fit to learn from, split 70:15:15 by deck, and why the others are not."""
    kept, rejected = [], []
    for deck in decks:
        reasons = why_not(deck, needs_ends=needs_ends, language=language_of(deck), languages=languages)
        if reasons:
            rejected.append(Rejected(deck_id=deck.id, reasons=reasons))
        else:
            kept.append(deck)
    parts = split([deck.id for deck in kept], seed=seed)
    return DataSet(decks=tuple(kept), parts=parts, rejected=tuple(rejected))


def read_data(path: Path, part: str = "") -> list[DeckObject]:
    """Return decks of a data set made here, of a SciDuet-like folder, or of a project.

    Of a folder or project only the number of slides (5 to 35) decides.

    Raises:
        BadInput: if it is none of these, or has no such part.
    """
    if (path / "dataset.json").is_file():
        return read_dataset(path / "dataset.json").part(part)
    return [deck for deck in all_decks(path, part) if LEAST_SLIDES <= len(deck.slides) <= MOST_SLIDES]


def all_decks(path: Path, part: str = "") -> list[DeckObject]:
    """Return the decks of a SciDuet-like folder or of a project, whatever they are like.

    Raises:
        BadInput: if it is neither, or has no such part.
    """
    if (path / "slides.json").is_file():
        return read_sciduet(path, part)
    if (path / "project.db").is_file():
        with Project.open(path) as project:
            return project_decks(project)
    raise BadInput(
        f"{path.name} is neither a data set, a SciDuet-like folder nor a project.",
        next_step="Name a folder with dataset.json, slides.json or project.db.",
    )


def project_decks(project: Project, *, cancel: CancelToken | None = None) -> list[DeckObject]:
    """Return every deck of a project that has a file, as the scorers see it."""
    found = []
    for deck in deck_store.list_decks(project):
        if cancel is not None and cancel.is_set():
            raise Cancelled("Reading the decks was stopped.")
        task = task_of(project, deck, ALL)
        if task is not None:
            made = deck_object(task)
            found.append(replace(made, document=with_kept_summaries(project, made.document)))
    return found


def file_deck(path: Path, source: Path | None = None) -> DeckObject:
    """Return a deck file, with its source if there is one, as the scorers see it.

    Raises:
        DeckUnreadable: if one of them cannot be read.
    """
    document = document_of_file(source) if source else None
    return DeckObject(
        id=path.stem, slides=read_slide_objects(path),
        document=document if document is not None and document.sections else None,
    )  # fmt: skip


def train(
    decks: Sequence[DeckObject],
    out: Path,
    *,
    data: str,
    licence: str = "",
    remark: str = "",
    metrics: Sequence[ContentMetric] = ALL,
    settings: Settings | None = None,
    best: Mapping[ContentMetric, Settings] | None = None,
    grid: Sequence[Mapping[str, Any]] = (),
    check_on: Sequence[DeckObject] = (),
    seeds: Sequence[int] = (1, 2, 3),
    workers: int = 2,
    encoder: str = DEFAULT,
    cancel: CancelToken | None = None,
    tell: Tell = lambda _: None,
) -> dict[str, Any]:
    """Fit the scorers, write them with their model card, and return the card.

    Args:
        decks: to learn from.
        out: the model file.
        data: what the decks are, for the card.
        licence: of the decks, for the card.
        remark: what else a reader of the card should know, such as how often the checked part was looked at.
        metrics: which scorers; those that the decks do not allow are left out and named in the card.
        settings: of the fit.
        best: settings of single metrics that a search chose, instead of `settings`.
        grid: the table of that search, kept in the card.
        check_on: decks that are not learned from; the card's tables are made on them.
        seeds: of their perturbations.
        workers: processes; each metric is fitted in one.
        encoder: name of the encoder that turns words into vectors; the model file is tied to it.
        cancel: stops between steps.
        tell: told what goes on.

    Raises:
        BadInput: if no metric can be fitted, or there is no such encoder.
        ToolMissing: if the encoder is not installed.
    """
    vectors = encoder_named(encoder)
    keep_vectors(vectors)
    _read_once(decks, vectors, cancel=cancel, tell=tell)
    settings = settings or Settings()
    chosen = {metric: (best or {}).get(metric, settings) for metric in metrics}
    models: dict[ContentMetric, MetricModel] = {}
    left_out: dict[str, str] = {}
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(max(1, workers), mp_context=context) as pool:
        # The longest first, so that no core waits at the end.
        order = sorted(metrics, key=lambda each: (ContentMetric.FLOW, ContentMetric.COVERAGE).count(each) == 0)
        waiting = {pool.submit(_fit_one, list(decks), metric, chosen[metric], encoder): metric for metric in order}
        try:
            for done in concurrent.futures.as_completed(waiting):
                metric = waiting[done]
                try:
                    models[metric] = done.result()
                    tell(f"{metric.value}: {models[metric].n_samples} decks made of {models[metric].n_decks}")
                except BadInput as error:
                    left_out[metric.value] = str(error)
                    tell(f"{metric.value} left out: {error}")
                if cancel is not None and cancel.is_set():
                    raise Cancelled("The training was stopped.")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    if not models:
        raise BadInput("No scorer could be fitted: " + " ".join(left_out.values()))
    ordered = {metric: models[metric] for metric in ContentMetric if metric in models}
    card: dict[str, Any] = {
        "made_at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), "app_version": __version__,
        "encoder": vectors.id, "data": data, "licence": licence, "n_decks": len(decks),
        "settings": asdict(settings), "left_out": left_out, "language": ",".join(languages_of(decks)),
        "remark": remark,
        "note": "Trained on decks made worse on purpose. Nobody has compared these scores with people's yet.",
    }  # fmt: skip
    if best:
        card["settings_of"] = {metric.value: asdict(chosen[metric]) for metric in ordered}
        card["grid"] = [dict(row) for row in grid]
    many = ENCODERS[encoder].reads_many_languages
    scorer = Scorer(ordered, vectors, languages_of(decks), reads_others=many)
    if check_on:
        card |= evaluate(check_on, scorer, seeds=seeds, cancel=cancel, tell=tell)
        card["checked_on"] = {"n_decks": len(check_on)}
    save(out, ordered, card)
    return card


def languages_of(decks: Sequence[DeckObject]) -> tuple[str, ...]:
    """Return the languages that a model learns from these decks: those of a tenth of them or more, by name.

    A model knows what it saw: decks in other languages keep their scores, with a flag.
    """
    counts = Counter(language for deck in decks if (language := language_of(deck)))
    return tuple(sorted(name for name, n in counts.items() if n >= _LEAST_SHARE * counts.total()))


def evaluate(
    decks: Sequence[DeckObject], scorer: ContentScorer, *, seeds: Sequence[int], cancel: CancelToken | None = None,
    tell: Tell = lambda _: None,
) -> dict[str, Any]:  # fmt: skip
    """Return the tables of each seed, their means, and which scorer sees which defect."""
    encoder = scorer.encoder
    keep_vectors(encoder)
    tables = []
    for seed in seeds:
        tell(f"seed {seed}: {len(decks)} decks")
        for table in evaluation.evaluate(decks, scorer, encoder, seed=seed, cancel=cancel):
            tables.append({"seed": seed} | evaluation.table_json(table))
        if cancel is not None and cancel.is_set():
            raise Cancelled("The evaluation was stopped.")
    return {
        "tables": tables, "means": _means(tables),
        "cross_defects": evaluation.cross_defects(decks, scorer, encoder, seed=seeds[0]),
    }  # fmt: skip


def load_scorer(model: Path | None = None, encoder: str = "") -> tuple[Scorer, dict[str, Any]]:
    """Return a scorer and its card.

    Args:
        model: a file, or the name of a shipped model; the shipped one of the encoder if left out.
        encoder: name of the encoder that the model must have been trained with; any if empty.

    Raises:
        BadInput: if the file is no model, or one of another encoder.
        ToolMissing: if its encoder is not installed.
    """
    path = model_file(model, encoder)
    _, card = load(path)
    return scorer_of(path, encoder), card


def _read_once(
    decks: Sequence[DeckObject], encoder: Encoder, *, cancel: CancelToken | None, tell: Tell
) -> None:  # fmt: skip
    """Let a slow encoder read the decks before several processes need their vectors."""
    if not isinstance(encoder, SentenceEncoder):
        return
    tell(f"reading {len(decks)} decks with {encoder.id}")
    for number, deck in enumerate(decks, start=1):
        embedded(deck, encoder)
        if number % 25 == 0:
            tell(f"{number} of {len(decks)} decks read")
        if cancel is not None and cancel.is_set():
            raise Cancelled("The training was stopped.")


def score_json(score: ContentScore) -> dict[str, Any]:
    """Return a score as the command line prints it."""
    return {
        "metric": f"reflex.{score.metric.value}", "value": score.value, "undefined_reason": score.undefined_reason,
        "explanation": score.explanation, "flags": list(score.flags),
        "suggestions": [suggestion_json(each) for each in score.suggestions],
    }  # fmt: skip


def write_dataset(data: DataSet, folder: Path) -> Path:
    """Write a data set as one JSON file, whole or not at all, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "dataset.json"
    value = {
        "format": 1, "parts": {name: list(ids) for name, ids in data.parts.items()},
        "rejected": [{"deck_id": each.deck_id, "reasons": list(each.reasons)} for each in data.rejected],
        "decks": [asdict(deck) for deck in data.decks],
    }  # fmt: skip
    write_whole(path, json.dumps(value, ensure_ascii=False))
    return path


def read_dataset(path: Path) -> DataSet:
    """Return a data set that `write_dataset` wrote.

    Raises:
        BadInput: if the file is damaged or of another kind.
    """
    try:
        value = json.loads(path.read_text("utf-8"))
        decks = tuple(_deck(each) for each in value["decks"])
        parts = {name: tuple(ids) for name, ids in value["parts"].items()}
        rejected = tuple(
            Rejected(deck_id=each["deck_id"], reasons=tuple(each["reasons"])) for each in value["rejected"]
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInput(
            f"{path.name} is no REFLEX data set: {error}.", next_step="Make it with reflex build."
        ) from error
    return DataSet(decks=decks, parts=parts, rejected=rejected)


def _deck(value: dict[str, Any]) -> DeckObject:
    slides = tuple(
        SlideObject(**(each | {"images": tuple(SlideImage(**image) for image in each["images"])}))
        for each in value["slides"]
    )
    document = value["document"]
    if document is not None:
        sections = tuple(Section(**each) for each in document["sections"])
        document = DocumentObject(title=document["title"], sections=sections)
    return DeckObject(id=value["id"], slides=slides, document=document)


def _fit_one(decks: list[DeckObject], metric: ContentMetric, settings: Settings, encoder: str) -> MetricModel:
    vectors = encoder_named(encoder)
    keep_vectors(vectors)
    return fit(decks, metric, vectors, settings)


def _means(tables: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    keys = dict.fromkeys((table["metric"], table["variant"]) for table in tables)
    means = []
    for metric, variant in keys:
        own = [table for table in tables if (table["metric"], table["variant"]) == (metric, variant)]
        row: dict[str, Any] = {"metric": metric, "variant": variant, "seeds": len(own), "n_decks": own[0]["n_decks"]}
        for name in ("spearman", "kendall", "within_deck", "heuristic", "length_only"):
            values = [table[name] for table in own if table[name] is not None]
            row[name] = sum(values) / len(values) if values else None
        row["f1"] = sum(table["items"]["f1"] for table in own) / len(own)
        row["f1_all"] = sum(table["items"]["f1_all"] for table in own) / len(own)
        means.append(row)
    return means
