"""What kind of slide a slide is: cover, section header, farewell, list of references, or content."""

from __future__ import annotations

import re

from studio.model.deck_evidence import DeckEvidence, SlideEvidence, TextRole
from studio.model.structure import Box, ShapeKind

_SECTION_LAYOUT = re.compile(
    r"section|title slide|cover|divider|chapter|abschnitt|titelfolie|kapitel|diapositive de titre|segment"
    r"|节|章|封面|标题幻灯片|过渡|表紙|セクション|섹션|구역",
    re.IGNORECASE,
)
_FAREWELL = re.compile(
    r"thank|question|q\s*&\s*a|the end|contact|discussion|danke|fragen|merci|gracias|obrigad|grazie|спасибо"
    r"|谢|感谢|致谢|提问|问答|ご清聴|ありがとう|감사|질문",
    re.IGNORECASE,
)
_REFERENCES = re.compile(
    r"^\W*(?:\d+\W+)?(?:references?|bibliograph\w*|works cited|sources?|further reading|literatur\w*|quellen\w*"
    r"|参考文献|参考资料|引用)\b",
    re.IGNORECASE,
)
_AGENDA = re.compile(
    r"^\W*(?:agenda|outline|contents?|table of contents|overview|roadmap|inhalt\w*|gliederung"
    r"|目录|大纲|议程|目次|목차)\W*$",
    re.IGNORECASE,
)
_CONTENT = frozenset(
    {ShapeKind.PICTURE, ShapeKind.TABLE, ShapeKind.CHART, ShapeKind.SMARTART, ShapeKind.MEDIA, ShapeKind.OLE,
     ShapeKind.OTHER}
)  # fmt: skip
_DRAWING = 3
"""From so many drawn shapes on, they are a drawing and no decoration."""
_SMALL_PICTURE = 0.02
"""A picture that covers less of the slide is a logo or an icon."""
_DRAWN_SHARE = 0.02
"""From this share of a page on, what is drawn beside the text is content."""
_ANY_SHARE = 0.002
"""Below this share of a page, nothing but a hair line is drawn."""
_HEADING_WORDS = 12


def has_text(slide: SlideEvidence) -> bool:
    """Say whether a slide has any text beside footers and numbers."""
    return any(piece.role is not TextRole.FOOTER and piece.text.strip() for piece in slide.pieces)


def shows_anything(slide: SlideEvidence, *, tells_shapes: bool) -> bool:
    """Say whether anything is seen on a slide that is no footer, however small."""
    if has_text(slide):
        return True
    if tells_shapes:
        return bool(slide.pictures or slide.charts) or any(shape.role is not TextRole.FOOTER for shape in slide.shapes)
    return bool(slide.pictures) or (slide.drawn_share is not None and slide.drawn_share >= _ANY_SHARE)


def has_objects(slide: SlideEvidence, *, tells_shapes: bool) -> bool:
    """Say whether a slide has anything to look at that is no text.

    Args:
        slide: the slide.
        tells_shapes: whether the file tells of its objects; else the page as drawn decides.
    """
    if tells_shapes:
        drawn = [shape for shape in slide.shapes if shape.is_drawn and not shape.text.strip()]
        kinds = {ShapeKind.AUTOSHAPE, ShapeKind.FREEFORM, ShapeKind.TEXT_BOX}
        return (
            any(shape.kind in _CONTENT and _area(shape.box) >= _SMALL_PICTURE for shape in slide.shapes)
            or sum(shape.kind in kinds for shape in drawn) >= _DRAWING
        )
    return any(_area(picture.box) >= _SMALL_PICTURE for picture in slide.pictures) or (
        slide.drawn_share is not None and slide.drawn_share >= _DRAWN_SHARE
    )


def is_only_title(slide: SlideEvidence, *, tells_shapes: bool) -> bool:
    """Say whether a slide has a title, or one short line in its place, and nothing else."""
    if has_objects(slide, tells_shapes=tells_shapes) or not has_text(slide):
        return False
    rest = [piece for piece in slide.pieces if piece.role is not TextRole.FOOTER]
    titles = [piece for piece in rest if piece.role is TextRole.TITLE]
    if titles:
        return len(titles) == len(rest)
    words = sum(len(piece.text.split()) for piece in rest)
    return len({piece.block for piece in rest}) == 1 and words <= _HEADING_WORDS and not any(p.is_bullet for p in rest)


def is_section_header(slide: SlideEvidence) -> bool:
    """Say whether a slide's layout is made for headings of sections, or for covers."""
    return bool(_SECTION_LAYOUT.search(slide.layout))


def is_farewell(slide: SlideEvidence) -> bool:
    """Say whether a slide says thank you, or asks for questions, and little else."""
    return bool(_FAREWELL.search(slide.text)) and len(slide.text.split()) <= 40


def is_references(slide: SlideEvidence) -> bool:
    """Say whether a slide is a list of sources."""
    return bool(_REFERENCES.match(slide.title))


def is_agenda(slide: SlideEvidence) -> bool:
    """Say whether a slide lists what is to come."""
    return bool(_AGENDA.match(slide.title))


def content_slides(evidence: DeckEvidence, *, skip_first: bool, tells_shapes: bool) -> tuple[SlideEvidence, ...]:
    """Return the visible slides without cover, agenda, section headers, farewell and references."""
    visible = evidence.visible[1:] if skip_first else evidence.visible
    return tuple(
        slide
        for slide in visible
        if (has_text(slide) or has_objects(slide, tells_shapes=tells_shapes))
        and not is_only_title(slide, tells_shapes=tells_shapes)
        and not is_section_header(slide) and not is_references(slide) and not is_agenda(slide)
        and not (slide is visible[-1] and is_farewell(slide))
    )  # fmt: skip


def _area(box: Box) -> float:
    width = min(1.0, box.x1) - max(0.0, box.x0)
    height = min(1.0, box.y1) - max(0.0, box.y0)
    return width * height if width > 0 and height > 0 else 0.0
