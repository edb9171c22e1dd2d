"""What moves on a slide: animation effects in their order, and the transition to it."""

from __future__ import annotations

from collections.abc import Iterator

from studio.decks.structure.package import MC, Element, P
from studio.decks.structure.shapes import visible_children
from studio.model.structure import Effect


def effects_of(root: Element) -> tuple[Effect, ...]:
    """Return the animation effects of a slide in the order of its timeline."""
    timing = _timing(root)
    if timing is None:
        return ()
    return tuple(_effect(node) for node in timing.iter(f"{P}cTn") if node.get("presetClass") and not _is_fallback(node))


def has_build_list(root: Element) -> bool:
    """Say whether the slide's timing has a build list with an entry."""
    timing = _timing(root)
    builds = timing.find(f"{P}bldLst") if timing is not None else None
    return builds is not None and len(builds) > 0


def transition_of(root: Element) -> str | None:
    """Return the kind of the slide's transition, empty for one without an effect, None without one."""
    found = list(_named(root, f"{P}transition"))
    if not found:
        return None
    for transition in found:
        for child in transition:
            name = str(child.tag).rpartition("}")[2]
            if name not in {"sndAc", "extLst"}:
                return name
    return ""


def _effect(node: Element) -> Effect:
    target = next(node.iter(f"{P}spTgt"), None)
    durations = [text for inner in node.iter(f"{P}cTn") if (text := inner.get("dur", "")).isdecimal()]
    return Effect(
        preset_class=str(node.get("presetClass")),
        preset_id=str(node.get("presetID", "")),
        trigger=str(node.get("nodeType", "")),
        shape_id=str(target.get("spid", "")) if target is not None else "",
        duration_s=max(int(text) for text in durations) / 1000 if durations else None,
    )


def _timing(root: Element) -> Element | None:
    return next(_named(root, f"{P}timing"), None)


def _named(root: Element, tag: str) -> Iterator[Element]:
    return (node for node in visible_children(root) if node.tag == tag)


def _is_fallback(node: Element) -> bool:
    return any(parent.tag == f"{MC}Fallback" for parent in node.iterancestors())
