"""A generation instruction between its two shapes: Markdown for generators, parts for authors."""

from __future__ import annotations

import re

from studio.checklists.instruction_text import slide_range_in
from studio.checklists.prompts import language_of
from studio.model.authoring import InstructionPlan, InstructionSection

_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
_NUMBERED = re.compile(r"^\s{0,3}(?:\d{1,2}[.)、]|[一二三四五六七八九十]+[、.])\s*(.+)$")
_BULLET = re.compile(r"^\s*[-*+•·]\s+(.+)$")
_FIELD = re.compile(
    r"^(?:[-*+]\s*)?\**(audience|tone|style|language|受众|听众|对象|语气|风格|语言)\**\s*[:：]\s*\**\s*(.+)$",
    re.IGNORECASE,
)
_FIELDS = {
    "audience": "audience", "受众": "audience", "听众": "audience", "对象": "audience", "tone": "tone", "style": "tone",
    "语气": "tone", "风格": "tone", "language": "language", "语言": "language",
}  # fmt: skip
_CONSTRAINT_HEAD = re.compile(
    r"constraint|requirement|rule|format|design|style|约束|要求|限制|格式|规范", re.IGNORECASE
)
_SECTIONS_HEAD = re.compile(
    r"^(?:required |the )?(?:sections?|structure|outline|parts|table of contents|contents)\b|"
    r"^(?:内容|结构|章节|大纲|目录|各部分)(?:[（(：:]|$)",
    re.IGNORECASE,
)
"""A heading over the list of sections, itself none."""
_CONSTRAINT = re.compile(
    r"\b(?:must|should|do not|don't|never|avoid|at most|at least|no more than|no fewer than|every slide|"
    r"each slide|only)\b|"
    r"必须|不得|不要|避免|至多|最多|至少|不超过|每页|每一页|每张",
    re.IGNORECASE,
)
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_LANGUAGES = {
    "en": "en",
    "english": "en",
    "英文": "en",
    "英语": "en",
    "zh": "zh",
    "chinese": "zh",
    "中文": "zh",
    "汉语": "zh",
}


def parts_of(text: str) -> InstructionPlan:
    """Return what can be told of an instruction's parts; what fits nowhere is left out.

    Numbered lines and headings below the first are sections, bullets under them key points; lines with "must",
    "at most", "every slide" and the like, and bullets below a heading such as "Constraints", are constraints.
    """
    sections: list[tuple[str, list[str]]] = []
    constraints: list[str] = []
    fields: dict[str, str] = {}
    in_constraints = False
    for line in text.splitlines():
        field = _FIELD.match(line.strip())
        heading, numbered, bullet = _HEADING.match(line.strip()), _NUMBERED.match(line), _BULLET.match(line)
        if field:
            fields[_FIELDS[field[1].lower()]] = field[2].strip()
        elif heading:
            in_constraints = bool(_CONSTRAINT_HEAD.search(heading[1]))
            if not line.startswith("# ") and not in_constraints and not _SECTIONS_HEAD.search(heading[1]):
                sections.append((_plain(heading[1]), []))
        elif (numbered or bullet) and slide_range_in(line) is None:
            said = _plain((numbered or bullet)[1])  # type: ignore[index]  # one of them matched
            if in_constraints or (_CONSTRAINT.search(said) and not numbered):
                constraints.append(said)
            elif numbered:
                title, _, rest = said.partition(": ") if ": " in said else said.partition("：")
                sections.append((title.strip(), [rest.strip()] if rest.strip() else []))
            elif sections:
                sections[-1][1].append(said)
            else:
                sections.append((said, []))
        else:
            constraints += [part.strip() for part in re.split(r"(?<=[.。;；])\s*", line) if _CONSTRAINT.search(part)]
    language = _LANGUAGES.get(fields.get("language", "").lower(), fields.get("language", ""))
    # A heading over nothing but further headings is a title, not a part of the deck.
    kept = [(title, points) for title, points in sections if title and (points or len(sections) > 1)]
    return InstructionPlan(
        slide_limits=slide_range_in(text),
        sections=tuple(InstructionSection(title=title, key_points=tuple(points)) for title, points in kept),
        constraints=tuple(constraints), audience=fields.get("audience", ""), tone=fields.get("tone", ""),
        language=language,
    )  # fmt: skip


def text_of(plan: InstructionPlan, *, title: str = "") -> str:
    """Return an instruction as Markdown, in Chinese where its sections are."""
    is_chinese = (plan.language or language_of(" ".join(section.title for section in plan.sections))) == "zh"
    word = _WORDS["zh" if is_chinese else "en"]
    lines = [f"# {title}", ""] if title else []
    if plan.slide_limits is not None:
        lines += [word["slides"].format(*plan.slide_limits), ""]
    lines += [f"{word[name]}{getattr(plan, name)}" for name in ("audience", "tone", "language") if getattr(plan, name)]
    if plan.sections:
        lines += ["", f"## {word['sections']}", ""]
        for number, section in enumerate(plan.sections, start=1):
            lines += [f"{number}. {section.title}", *(f"   - {point}" for point in section.key_points)]
    if plan.constraints:
        lines += ["", f"## {word['constraints']}", "", *(f"- {each}" for each in plan.constraints)]
    return "\n".join(lines).strip() + "\n"


_WORDS = {
    "en": {
        "slides": "Make a deck of {}–{} slides.", "audience": "Audience: ", "tone": "Tone: ", "language": "Language: ",
        "sections": "Sections, in this order", "constraints": "Constraints",
    },
    "zh": {
        "slides": "请制作{}–{}页的演示文稿。", "audience": "受众：", "tone": "语气：", "language": "语言：",
        "sections": "内容（按此顺序）", "constraints": "要求",
    },
}  # fmt: skip


def _plain(text: str) -> str:
    return _BOLD.sub(r"\1", text).strip().strip("*_").strip()
