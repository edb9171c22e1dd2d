"""How many bullets a slide has, and how large its letters are."""

from __future__ import annotations

import re
from dataclasses import dataclass

from studio.checklists.rules.findings import evidence_box, no, not_applicable, slides_named, yes
from studio.checklists.rules.rule import Rule, parameter
from studio.model.checklists import EvidenceBox, Finding
from studio.model.deck_evidence import DeckEvidence, Fact, SlideEvidence, TextPiece, TextRole
from studio.model.structure import Box

_TYPED_BULLET = re.compile(r"^\s*[•◦▪▫●○■□‣⁃∙►▶➢➤❖✓✔]\s*\S")


@dataclass(frozen=True, kw_only=True)
class BulletParameters:
    """How many bullets are allowed."""

    max_bullets: int = parameter(6, "Most bullets on one slide, this number included.", 1, 200)
    top_level_only: bool = parameter(False, "Whether bullets under bullets are left out (PowerPoint files only).")


def bullets_per_slide(evidence: DeckEvidence, parameters: BulletParameters) -> Finding:
    """Yes if no visible slide has more than `max_bullets` bullets.

    A bullet is a paragraph with text, outside of titles, tables and footers, that has a bullet or number by its own
    format or by what it inherits, or that begins with a typed bullet. In formats without paragraphs it is a line of
    the page that begins with a bullet, a dash or a number with a point, which only suggests it.
    """
    tells_shapes = Fact.SHAPES not in evidence.gaps
    worst: dict[int, int] = {}
    boxes: list[EvidenceBox] = []
    for slide in evidence.visible:
        bullets = [piece for piece in slide.pieces if _is_bullet(piece) and not _is_deeper(piece, parameters)]
        if len(bullets) > parameters.max_bullets:
            worst[slide.number] = len(bullets)
            blocks = {piece.block: piece.box for piece in bullets}
            boxes += [evidence_box(slide.number, box) for box in _joined(blocks, bullets, tells_shapes)]
    if worst:
        most = max(worst.values())
        verb = "has" if len(worst) == 1 else "have up to"
        text = f"{slides_named(worst)} {verb} {most} bullets, more than {parameters.max_bullets}."
        return no(text[0].upper() + text[1:], boxes, is_suggestion=not tells_shapes)
    return yes(f"No slide has more than {parameters.max_bullets} bullets.", is_suggestion=not tells_shapes)


def _is_bullet(piece: TextPiece) -> bool:
    return piece.role is TextRole.BODY and (piece.is_bullet or bool(_TYPED_BULLET.match(piece.text)))


def _is_deeper(piece: TextPiece, parameters: BulletParameters) -> bool:
    return parameters.top_level_only and piece.level > 0


def _joined(blocks: dict[int, Box | None], bullets: list[TextPiece], tells_shapes: bool) -> list[Box | None]:
    """Return one box for each shape; of lines, the one box around them all."""
    if tells_shapes:
        return list(blocks.values())
    known = [piece.box for piece in bullets if piece.box is not None]
    if not known:
        return [None]
    return [
        Box(
            x0=min(box.x0 for box in known), y0=min(box.y0 for box in known),
            x1=max(box.x1 for box in known), y1=max(box.y1 for box in known),
        )
    ]  # fmt: skip


BULLETS = Rule(
    name="bullets_per_slide", title="No slide has too many bullets", judge=bullets_per_slide,
    parameters=BulletParameters, needs=frozenset({Fact.SLIDES, Fact.TEXT}), reads_pages=True, is_verdict=True,
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class FontSizeParameters:
    """How large body text must be."""

    min_pt: float = parameter(12.0, "Smallest size of body text, in points on a slide 7.5 inches high.", 1.0, 200.0)
    max_small_share: float = parameter(
        0.2, "Share of a slide's body letters that may be smaller, for captions and notes of sources.", 0.0, 1.0
    )
    tables: bool = parameter(False, "Whether text in tables counts as body text.")
    min_letters: int = parameter(10, "Fewer small letters than this on a slide do not count.", 1, 10_000)


def font_size(evidence: DeckEvidence, parameters: FontSizeParameters) -> Finding:
    """Yes if on no visible slide more than `max_small_share` of the body's letters are below `min_pt`.

    The body is all text but titles, footers, dates, slide numbers and, unless asked for, tables. Sizes are those
    shown: inherited ones and the shrinking of text to fit are counted, and they are scaled to a slide 540 points high,
    so that pages of any size are compared by their share of the screen. Of a page alone nobody can tell body text from
    labels of a drawing: findings on other formats than PowerPoint's are suggestions. A slide with fewer than
    `min_letters` small letters passes.
    """
    smallest: dict[int, float] = {}
    boxes: list[EvidenceBox] = []
    is_any = False
    is_page = Fact.SHAPES in evidence.gaps
    for slide in evidence.visible:
        body = _sized(slide, parameters)
        is_any = is_any or bool(body)
        small = [piece for piece in body if (piece.size_pt or 0.0) < parameters.min_pt]
        letters = sum(_letters(piece) for piece in small)
        share = letters / max(1, sum(_letters(piece) for piece in body))
        if small and letters >= parameters.min_letters and share > parameters.max_small_share:
            smallest[slide.number] = min(piece.size_pt or 0.0 for piece in small)
            places = {piece.block: piece.box for piece in small}
            boxes += [evidence_box(slide.number, box) for box in places.values()]
    if not is_any:
        return not_applicable("The deck has no body text whose size is known.")
    if smallest:
        least = min(smallest.values())
        text = f"{slides_named(smallest)} {'has' if len(smallest) == 1 else 'have'} body text as small as {least:g} pt"
        return no(
            f"{text[0].upper()}{text[1:]}, below {parameters.min_pt:g} pt on a slide 7.5 inches high.",
            boxes,
            is_suggestion=is_page,
        )
    return yes(f"Body text is {parameters.min_pt:g} pt or larger on every slide.", is_suggestion=is_page)


def _sized(slide: SlideEvidence, parameters: FontSizeParameters) -> list[TextPiece]:
    roles = {TextRole.BODY, TextRole.TABLE} if parameters.tables else {TextRole.BODY}
    return [piece for piece in slide.pieces if piece.size_pt is not None and piece.role in roles and _letters(piece)]


def _letters(piece: TextPiece) -> int:
    return len("".join(piece.text.split()))


FONT_SIZE = Rule(
    name="font_size", title="Body text is large enough to be read", judge=font_size, parameters=FontSizeParameters,
    needs=frozenset({Fact.SLIDES, Fact.TEXT}), reads_pages=True, is_verdict=True,
)  # fmt: skip
