"""How large letters are and whether paragraphs have bullets, once everything that a shape inherits is counted."""

from __future__ import annotations

from dataclasses import dataclass

from studio.decks.structure.package import A, Element

LEVELS = 9
_DEFAULT_PT = 18.0
"""What PowerPoint takes where nothing in the file names a size."""
_BULLETS = ("buChar", "buAutoNum", "buBlip")


@dataclass(frozen=True, kw_only=True)
class LevelStyle:
    """What one indent level says; None: it leaves that to what is below."""

    size_pt: float | None = None
    bullet: bool | None = None

    def over(self, below: LevelStyle) -> LevelStyle:
        """Return this style with its open values taken from below."""
        return LevelStyle(
            size_pt=self.size_pt if self.size_pt is not None else below.size_pt,
            bullet=self.bullet if self.bullet is not None else below.bullet,
        )


@dataclass(frozen=True, kw_only=True)
class ListStyle:
    """The styles of the nine indent levels."""

    levels: tuple[LevelStyle, ...] = (LevelStyle(),) * LEVELS

    def over(self, below: ListStyle) -> ListStyle:
        """Return this style with its open values taken from below."""
        return ListStyle(levels=tuple(own.over(under) for own, under in zip(self.levels, below.levels, strict=True)))

    def level(self, number: int) -> LevelStyle:
        """Return the style of an indent level from 0; the last one for deeper levels."""
        return self.levels[min(max(number, 0), LEVELS - 1)]

    def size_pt(self, number: int) -> float:
        """Return the size of letters on an indent level."""
        return self.level(number).size_pt or _DEFAULT_PT


NO_STYLE = ListStyle()


def list_style(node: Element | None) -> ListStyle:
    """Return what a ``lstStyle``, ``titleStyle`` or the like says."""
    if node is None:
        return NO_STYLE
    return ListStyle(levels=tuple(paragraph_style(node.find(f"{A}lvl{n}pPr")) for n in range(1, LEVELS + 1)))


def paragraph_style(properties: Element | None) -> LevelStyle:
    """Return what the properties of a paragraph or of a level say."""
    if properties is None:
        return LevelStyle()
    return LevelStyle(size_pt=points(properties.find(f"{A}defRPr")), bullet=_bullet(properties))


def points(properties: Element | None) -> float | None:
    """Return the size that the properties of a run name."""
    text = properties.get("sz") if properties is not None else None
    return int(text) / 100 if text is not None and text.isdecimal() and int(text) > 0 else None


def font_scale(body: Element | None) -> float:
    """Return by how much a text body shrinks its letters to fit, 1 for not at all."""
    fit = body.find(f"{A}bodyPr/{A}normAutofit") if body is not None else None
    text = fit.get("fontScale", "") if fit is not None else ""
    try:
        share = float(text.rstrip("%")) / (100.0 if text.endswith("%") else 100_000.0)
    except ValueError:
        return 1.0
    return share if 0.01 <= share <= 1.0 else 1.0


def fit_of(body: Element | None) -> str:
    """Return ``none``, ``shrink`` or ``grow``; empty where the body does not say."""
    properties = body.find(f"{A}bodyPr") if body is not None else None
    for tag, name in (("noAutofit", "none"), ("normAutofit", "shrink"), ("spAutoFit", "grow")):
        if properties is not None and properties.find(f"{A}{tag}") is not None:
            return name
    return ""


def _bullet(properties: Element) -> bool | None:
    if properties.find(f"{A}buNone") is not None:
        return False
    return True if any(properties.find(f"{A}{name}") is not None for name in _BULLETS) else None
