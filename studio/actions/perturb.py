"""Making a deck file worse on purpose, with the recipe kept."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.decks.content import unpacked
from studio.decks.images import page_images
from studio.decks.limits import Limits
from studio.decks.mupdf import page_texts
from studio.decks.scratch import scratch
from studio.decks.slide_objects import read_slide_objects
from studio.decks.sniff import sniff
from studio.decks.sources import read_source
from studio.decks.structure import OFFICE_FORMATS
from studio.decks.workers import in_worker
from studio.errors import BadInput
from studio.model.decks import DeckFormat
from studio.model.reflex import ContentMetric, DocumentObject, Recipe, Variant
from studio.perturb import choose
from studio.perturb.office_file import OfficeFile
from studio.perturb.other_files import rearranged_pdf, rearranged_pictures
from studio.perturb.topics import carried, document_of
from studio.whole_files import write_whole

_WRITE_S = 120.0


@dataclass(frozen=True, kw_only=True)
class PerturbedFile:
    """A worse deck on disk."""

    path: Path
    recipe_path: Path
    recipe: Recipe


def perturb_file(
    path: Path,
    out: Path,
    metric: ContentMetric,
    *,
    degree: int,
    seed: int,
    source: Path | Sequence[Path] | None = None,
    variant: Variant = Variant.PLAIN,
) -> PerturbedFile:
    """Write one worse deck and its recipe into a folder; the same files for equal arguments.

    A PowerPoint file stays one that PowerPoint and LibreOffice open; a PDF stays a PDF; page pictures become a zip.
    Hidden slides stay where they are. Images can only change places in a PowerPoint file.

    Args:
        path: the deck.
        out: the folder; made if it does not exist.
        metric: what is made worse.
        degree: 1 to 4, 20 % each.
        seed: of chance.
        source: the document or documents that the deck was made from; needed for coverage.
        variant: plain, or for redundancy with the number of slides kept.

    Raises:
        BadInput: if the deck has too few slides, images or topics, or the format does not allow it.
        DeckUnreadable: if a file cannot be read.
    """
    sources = (source,) if isinstance(source, Path) else tuple(source or ())
    if metric is ContentMetric.COVERAGE and not sources:
        raise BadInput(
            "Coverage needs the source that the deck was made from.", next_step="Name it with --source FILE."
        )
    if variant is Variant.NOISY or (variant is Variant.LENGTH_MATCHED and metric is not ContentMetric.REDUNDANCY):
        raise BadInput(
            f"A file cannot be made worse in the {variant.value.replace('_', '-')} way for {metric.value}.",
            next_step="Choose plain.",
        )
    limits = Limits()
    sniffed = sniff(path, limits=limits)
    format = sniffed.deck_format
    name = f"{path.stem}_{metric.value}_{degree}_seed{seed}"
    out.mkdir(parents=True, exist_ok=True)
    if format in OFFICE_FORMATS:
        office = OfficeFile(path, limits)
        visible = office.visible()
        if metric is ContentMetric.ALIGNMENT:
            images = {number: image.digest for number, image in office.main_images().items()}
            recipe = choose.alignment(visible, images, degree=degree, seed=seed)
        else:
            texts = [slide.text for slide in read_slide_objects(path, limits=limits)]
            recipe = _recipe(metric, visible, texts, degree=degree, seed=seed, sources=sources, variant=variant)
        office.apply(recipe)
        target = out / f"{name}{path.suffix.lower()}"
        office.write(target)
    elif metric is ContentMetric.ALIGNMENT:
        raise BadInput(
            f"{path.name}: images can only change places in a PowerPoint file.",
            next_step="Use the .pptx of this deck.",
        )
    elif format is DeckFormat.PDF:
        texts = list(in_worker(page_texts, str(path), None, timeout_s=_WRITE_S))
        recipe = _recipe(metric, range(1, len(texts) + 1), texts, degree=degree, seed=seed, sources=sources,
                         variant=variant)  # fmt: skip
        target = out / f"{name}.pdf"
        with scratch("perturbed") as folder:
            in_worker(rearranged_pdf, str(path), recipe.permutation, str(folder / "deck.pdf"), timeout_s=_WRITE_S)
            beside = target.with_name(f".{target.name}.part")
            beside.write_bytes((folder / "deck.pdf").read_bytes())
            beside.replace(target)
    elif format is DeckFormat.IMAGES and metric is not ContentMetric.COVERAGE:
        target = out / f"{name}.zip"
        with unpacked(path, limits=limits) as folder:
            pictures = page_images(folder)
            recipe = _recipe(metric, range(1, len(pictures) + 1), [], degree=degree, seed=seed, sources=(),
                             variant=variant)  # fmt: skip
            rearranged_pictures(pictures, recipe.permutation, target)
    else:
        raise BadInput(
            f"{path.name} is a {sniffed.what}; decks of this kind cannot be made worse for {metric.value}.",
            next_step="Save it as .pptx or .pdf.",
        )
    recipe_path = target.with_name(f"{target.name}.recipe.json")
    result = PerturbedFile(path=target, recipe_path=recipe_path, recipe=recipe)
    write_whole(recipe_path, json.dumps(recipe_json(recipe), ensure_ascii=False, indent=2) + "\n")
    return result


def recipe_json(recipe: Recipe) -> dict[str, Any]:
    """Return a recipe as the command line prints it."""
    return {
        "metric": recipe.metric.value, "degree": recipe.degree, "seed": recipe.seed, "picked": list(recipe.picked),
        "permutation": list(recipe.permutation), "variant": recipe.variant.value, "inserted": list(recipe.inserted),
    }  # fmt: skip


def recipe_of(values: Mapping[str, Any]) -> Recipe:
    """Return the recipe that `recipe_json` wrote."""
    return Recipe(
        metric=ContentMetric(values["metric"]), degree=int(values["degree"]), seed=int(values["seed"]),
        picked=tuple(values["picked"]), permutation=tuple(int(each) for each in values["permutation"]),
        variant=Variant(values["variant"]), inserted=tuple(int(each) for each in values["inserted"]),
    )  # fmt: skip


def document_of_file(*paths: Path) -> DocumentObject:
    """Return one or more source files as one document of topics, titled after the first.

    Raises:
        DeckUnreadable: if one cannot be read.
        BadInput: if one is no source.
    """
    texts = []
    for path in paths:
        sniffed = sniff(path)
        if sniffed.source_format is None:
            raise BadInput(
                f"{path.name} is no source but a {sniffed.what}.", next_step="Give a PDF, .docx, .md or .txt."
            )
        texts.append(read_source(path, sniffed.source_format))
    return document_of(texts, title=paths[0].stem)


def _recipe(
    metric: ContentMetric, visible: Sequence[int], texts: Sequence[str], *, degree: int, seed: int,
    sources: Sequence[Path], variant: Variant,
) -> Recipe:  # fmt: skip
    if metric is ContentMetric.FLOW:
        return choose.flow(visible, degree=degree, seed=seed)
    if metric is ContentMetric.REDUNDANCY:
        return choose.redundancy(visible, degree=degree, seed=seed, variant=variant)
    sections = document_of_file(*sources).sections
    if not sections:
        raise BadInput(f"{sources[0].name} has too few sentences for topics.", next_step="Give a longer source.")
    names = [section.title for section in sections]
    return choose.coverage(visible, names, carried(texts, sections), degree=degree, seed=seed)
