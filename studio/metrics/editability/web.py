"""The two gates of an HTML deck; its text flows by nature, so vectors against canvases decide the second."""

from __future__ import annotations

from collections.abc import Sequence

from studio.metrics.editability.gates import Finding
from studio.metrics.editability.rules import EditabilityRules
from studio.model.editability import Evidence
from studio.model.structure import WebSlide


def web_text_gate(slides: Sequence[WebSlide], rules: EditabilityRules, *, are_slides_known: bool) -> Finding:
    """T1 of an HTML deck: there is text, and most slides are more than a picture."""
    chars = sum(_solid(slide.text) for slide in slides)
    pictures = [slide for slide in slides if not _solid(slide.text) and slide.images + slide.canvases > 0]
    share = len(pictures) / len(slides)
    first = next((slide for slide in slides if _solid(slide.text)), None)
    where = first.number if first is not None and are_slides_known else None
    evidence = [Evidence(text=f"{chars:,} characters of text" if chars else "no text on any slide", slide=where)]
    if pictures:
        text = f"{len(pictures)} of {len(slides)} slides are pictures without text, the first here"
        evidence.append(Evidence(text=text, slide=pictures[0].number))
    holds = chars >= max(rules.min_text_chars, 1) and share <= rules.max_picture_only_share
    return Finding(holds, tuple(evidence), {"text_chars": chars, "picture_only_share": share})


def web_vector_gate(slides: Sequence[WebSlide], rules: EditabilityRules) -> Finding:
    """T2 of an HTML deck: SVG drawings, and no fewer of them than canvases (paper K.5)."""
    svgs = sum(slide.svgs for slide in slides)
    canvases = sum(slide.canvases for slide in slides)
    first = next((slide.number for slide in slides if slide.svgs), None)
    drawing = next((slide.number for slide in slides if slide.canvases), None)
    evidence = [
        Evidence(
            text=f"{svgs} SVG drawings, the first here" if svgs > 1 else f"{svgs or 'no'} SVG drawing", slide=first
        ),
        Evidence(text=f"{canvases or 'no'} canvas{'es' if canvases > 1 else ''}", slide=drawing),
        Evidence(text="text in HTML flows by itself; where it breaks is not looked at"),
    ]
    holds = svgs >= rules.min_svgs and svgs >= canvases
    return Finding(holds, tuple(evidence), {"svgs": svgs, "canvases": canvases})


def _solid(text: str) -> int:
    return sum(not letter.isspace() for letter in text)
