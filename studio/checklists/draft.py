"""Items proposed from an instruction by its structure, offline; a person accepts each of them.

Sections and key points become completeness items, numbers and names in them correctness items, constraints code
items where a rule fits and questions where none does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from studio.checklists.pages import PAGE, SLIDE_COUNT
from studio.checklists.prompts import language_of
from studio.model.authoring import InstructionPlan
from studio.model.checklists import Dimension, ItemKind, RuleCall


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """An item that somebody may accept."""

    dimension: Dimension
    text: str
    why: str
    """Which part of the instruction it comes from."""
    kind: ItemKind = ItemKind.QUESTION
    rule: RuleCall | None = None
    note: str = ""


_UNIT = (
    r"(?:\s?(?:%|percent|percentage points|‰|°C|°|km|m|cm|mm|kg|g|t|s|ms|h|min|hours?|days?|years?|GB|MB|TB|Hz|"
    r"kHz|MHz|GHz|kW|MW|GW|W|V|A|million|billion|thousand|"
    r"USD|EUR|元|万|亿|年|月|日|米|公里|千米|吨|人|个百分点|倍))?"
)
_NUMBER = re.compile(rf"(?<![\w.])(?:[$€£¥]\s?)?\d[\d,]*(?:\.\d+)?{_UNIT}(?![\w]*\d)")
_NAME = re.compile(
    r"(?<![.!?:]\s)(?<!^)\b(?:[A-Z][\w'-]+(?:\s+(?:of|the|de|van|von)?\s?[A-Z][\w'-]+)+|[A-Z]{2,}[\w-]*|[A-Z][a-z]+[A-Z]\w*)"
)
_QUOTED = re.compile(r"[“\"「《]([^”\"」》]{2,60})[”\"」》]")
_WORDS = {
    "en": {
        "section": "**{short}** Does the deck have a part on “{said}”?",
        "order": "**Order of parts** Do the parts of the deck come in this order: {said}?",
        "point": "**{short}** Does the deck state this point: {said}?",
        "value": "**{said}** Wherever the deck gives “{said}”, is it as the source has it?",
        "value_no": "the deck does not give it",
        "constraint": "**{short}** Is this requirement met: {said}?",
        "slides": "Has the deck between {} and {} slides?",
        "fidelity": f"Is everything that slide {PAGE} states supported by the sources?",
        "language": "Is the deck written in the language that the instruction asks for ({said}) throughout?",
        "audience": "**Audience** Are the words of the deck fit for this audience: {said}?",
        "tone": "**Tone** Is the tone of the deck as asked for: {said}?",
    },
    "zh": {
        "section": "**{short}** 演示文稿是否有关于“{said}”的部分？",
        "order": "**顺序** 各部分是否按以下顺序出现：{said}？",
        "point": "**{short}** 演示文稿是否说明了这一要点：{said}？",
        "value": "**{said}** 凡是写到“{said}”的地方，是否都与来源一致？",
        "value_no": "演示文稿没有给出它",
        "constraint": "**{short}** 是否满足这一要求：{said}？",
        "slides": "页数是否在{}到{}之间？",
        "fidelity": f"第{PAGE}页的所有内容是否都有来源支持？",
        "language": "整个演示文稿是否使用了要求的语言（{said}）？",
        "audience": "**受众** 用语是否适合这一受众：{said}？",
        "tone": "**语气** 语气是否符合要求：{said}？",
    },
}
_COUNT = r"(\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|一|两|二|三|四|五|六|七|八|九|十)"
_WORD_NUMBERS = {
    word: number
    for words in ("one two three four five six seven eight nine ten", "一 二 三 四 五 六 七 八 九 十")
    for number, word in enumerate(words.split(), start=1)
} | {"两": 2}
_MOST = r"(?:at most|no more than|up to|not more than|a maximum of|max(?:imum)?\.?|至多|最多|不超过|不多于)"
_LEAST = r"(?:at least|no fewer than|no less than|a minimum of|min(?:imum)?\.?|至少|不少于|不低于|不小于)"
_RULES: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (
        re.compile(rf"{_MOST}\s*{_COUNT}\s*(?:bullets?|bullet points|points|条|个要点|项|点)", re.I),
        "bullets_per_slide", "max_bullets",
    ),
    (re.compile(rf"{_LEAST}\s*{_COUNT}\s*(?:pt|points? (?:font|type)|point\b|磅|号)", re.I), "font_size", "min_pt"),
    (re.compile(rf"(?:font|text|字号)\D{{0,30}}{_LEAST}\s*{_COUNT}", re.I), "font_size", "min_pt"),
    (
        re.compile(
            rf"{_LEAST}\s*{_COUNT}\s*(?:slides? with (?:charts?|data|numbers|figures)|quantitative slides?|"
            r"页(?:包含)?(?:图表|数据))",
            re.I,
        ),
        "quantitative_slide_count", "min_count",
    ),
)  # fmt: skip
_PLAIN_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"(?:cite|citation|source|reference)\w*\s+(?:\w+\s+){0,4}(?:every|each) slide|"
            r"(?:every|each) slide\b.{0,40}\b(?:cit\w+|source|reference)|每(?:一)?[页张].{0,12}(?:引用|来源|出处)",
            re.I,
        ),
        "citation_mark",
    ),
    (
        re.compile(r"\b(?:no|avoid|without) (?:placeholder|lorem ipsum|dummy)|不(?:得|要)?(?:有|含|出现)?占位", re.I),
        "placeholder_text",
    ),
)  # fmt: skip


def propose(plan: InstructionPlan) -> list[Proposal]:
    """Return items for an instruction, each once, in the order of the instruction."""
    said = " ".join([*(section.title for section in plan.sections), *plan.constraints])
    word = _WORDS["zh" if (plan.language or language_of(said)).startswith("zh") else "en"]
    found: list[Proposal] = []
    if plan.slide_limits is not None:
        found.append(_slides(word, *plan.slide_limits))
    for section in plan.sections:
        found.append(_question(word, "section", section.title, Dimension.COMPLETENESS, "section"))
        for point in section.key_points:
            found.append(_question(word, "point", point, Dimension.COMPLETENESS, f"key point of {section.title}"))
    if len(plan.sections) > 1:
        order = " → ".join(section.title for section in plan.sections)
        found.append(_question(word, "order", order, Dimension.COMPLETENESS, "order of sections"))
    for section in plan.sections:
        for text in (section.title, *section.key_points):
            for value in facts_in(text):
                found.append(
                    Proposal(
                        dimension=Dimension.CORRECTNESS, text=word["value"].format(said=value), why=f"fact in: {text}",
                        note="",
                    )
                )  # fmt: skip
    found += [_constraint(word, constraint) for constraint in plan.constraints]
    if plan.language:
        found.append(_question(word, "language", plan.language, Dimension.FUNDAMENTALS, "language"))
    for name in ("audience", "tone"):
        if getattr(plan, name):
            found.append(_question(word, name, getattr(plan, name), Dimension.FUNDAMENTALS, name))
    found.append(Proposal(dimension=Dimension.FIDELITY, text=word["fidelity"], why="every page is checked"))
    return list({(each.dimension, each.text): each for each in found}.values())


def facts_in(text: str) -> list[str]:
    """Return the numbers (with their units) and names in a text, in their order, each once."""
    found = [(match.start(), match[0].strip()) for match in _NUMBER.finditer(text)]
    found += [(match.start(), match[0].strip()) for match in _NAME.finditer(text)]
    found += [(match.start(), match[1].strip()) for match in _QUOTED.finditer(text)]
    values = [value for _, value in sorted(found)]
    return list(dict.fromkeys(value for value in values if not re.fullmatch(r"\d", value)))


def _slides(word: dict[str, str], least: int, most: int) -> Proposal:
    return Proposal(
        dimension=Dimension.FUNDAMENTALS, kind=ItemKind.CODE, text=word["slides"].format(least, most),
        rule=RuleCall(rule=SLIDE_COUNT, parameters={"min_count": least, "max_count": most}), why="slide range",
    )  # fmt: skip


def _constraint(word: dict[str, str], said: str) -> Proposal:
    for pattern, rule, parameter in _RULES:
        match = pattern.search(said)
        if match:
            number = _WORD_NUMBERS.get(match[1].lower()) or int(match[1])
            return _code(rule, {parameter: number}, said)
    for pattern, rule in _PLAIN_RULES:
        if pattern.search(said):
            return _code(rule, {}, said)
    return _question(word, "constraint", said, Dimension.DESIGN, "constraint")


def _code(rule: str, parameters: dict[str, object], said: str) -> Proposal:
    return Proposal(
        dimension=Dimension.DESIGN, kind=ItemKind.CODE, text=said, rule=RuleCall(rule=rule, parameters=parameters),
        why="constraint",
    )  # fmt: skip


def _question(word: dict[str, str], form: str, said: str, dimension: Dimension, why: str) -> Proposal:
    said = said.strip().rstrip(".。;；?？")
    return Proposal(dimension=dimension, text=word[form].format(short=_short(said), said=said), why=why)


def _short(said: str) -> str:
    words = said.split()
    if len(words) <= 1:
        return said[:16]
    return " ".join(words[:5]) + ("…" if len(words) > 5 else "")
