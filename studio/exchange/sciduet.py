"""Papers with their authors' slides in the layout of SciDuet (document2slides, Sun et al., NAACL 2021)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from studio.errors import BadInput
from studio.model.reflex import DeckObject, DocumentObject, Section, SlideImage, SlideObject

_NO_TOPIC = re.compile(r"^\W*(references?|acknowledge?ments?|appendix|supplementary.*|abstract)\W*$", re.IGNORECASE)
_LEAST_WORDS = 20


def read_sciduet(folder: Path, part: str = "") -> list[DeckObject]:
    """Return the decks of a SciDuet-like folder: ``slides.json``, ``paper_jsons/<id>.json`` and lists of ids.

    Args:
        folder: the folder.
        part: name of a list such as ``train`` (``train.txt``); empty for every deck of ``slides.json``.

    Raises:
        BadInput: if the folder has no such files, or they are damaged; the message names the file.
    """
    slides = _json(folder / "slides.json")
    wanted = list(slides)
    if part:
        list_file = folder / f"{part}.txt"
        if not list_file.is_file():
            raise BadInput(f"{folder.name} has no part {part}: {list_file.name} is missing.",
                           next_step="Name a part that has a .txt file of ids.")  # fmt: skip
        wanted = [line.strip() for line in list_file.read_text("utf-8").splitlines() if line.strip()]
    decks = []
    for deck_id in wanted:
        if deck_id not in slides:
            continue
        paper = folder / "paper_jsons" / f"{deck_id}.json"
        decks.append(_deck(deck_id, slides[deck_id], _json(paper) if paper.is_file() else {}))
    return decks


def _deck(deck_id: str, entry: dict[str, Any], paper: dict[str, Any]) -> DeckObject:
    captions = {Path(str(each.get("filename", ""))).name: str(each.get("caption", "")) for each in
                paper.get("figures", []) if isinstance(each, dict)}  # fmt: skip
    made = []
    pages = entry.get("slides", {}) if isinstance(entry, dict) else {}
    for number, key in enumerate(sorted(pages, key=_order), start=1):
        page = pages[key]
        images = []
        for image in page.get("images") or []:
            name = Path(str(image if isinstance(image, str) else image.get("filename", ""))).name
            images.append(SlideImage(id=name, caption=captions.get(name, "")))
        lines = page.get("text") or []
        made.append(SlideObject(
            number=number, title=str(page.get("title") or "").strip(), source="table", images=tuple(images),
            body="\n".join([lines] if isinstance(lines, str) else [str(line) for line in lines]),
        ))  # fmt: skip
    return DeckObject(id=deck_id, slides=tuple(made), document=_document(paper) if paper else None)


def _document(paper: dict[str, Any]) -> DocumentObject:
    sentences = {int(each["id"]): str(each["string"]) for each in paper.get("text", []) if "id" in each}
    sections = []
    for header in paper.get("headers", []):
        text = " ".join(sentences.get(n, "") for n in range(int(header["start"]), int(header["end"]) + 1)).strip()
        name = str(header.get("section", "")).strip()
        if _NO_TOPIC.match(name) or len(text.split()) < _LEAST_WORDS:
            continue
        level = 1 + str(header.get("n", "")).rstrip(".").count(".")
        sections.append(Section(title=name, text=text, level=level))
    return DocumentObject(title=str(paper.get("title", "")), sections=tuple(sections))


def _order(key: str) -> tuple[int, str]:
    return (int(key), key) if key.isdigit() else (10**9, key)


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise BadInput(f"{path.name} is missing in {path.parent.name}.",
                       next_step="Name a folder with slides.json and paper_jsons.") from error  # fmt: skip
    except (OSError, ValueError, RecursionError) as error:
        raise BadInput(f"{path.name} cannot be read: {error}.", next_step="Get the file again.") from error
