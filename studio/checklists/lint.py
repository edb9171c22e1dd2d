"""What is likely to go wrong with an item, in English and Chinese words; hints for an author, never a bar.

Each hint is a pattern over the words, so it can miss and can be wrong; the author decides.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from studio.checklists.pages import PAGE, slide_range
from studio.checklists.prompts import item_words
from studio.model.checklists import Dimension, Item, ItemId, ItemKind, Tier


class Hint(StrEnum):
    """What a finding says."""

    DOUBLE_BARRELLED = "double_barrelled"
    NOT_ANSWERABLE = "not_answerable_from_slides"
    NO_YES_NO_FORM = "no_yes_no_form"
    NEAR_DUPLICATE = "near_duplicate"
    MISSING_IF_NO = "missing_if_no"
    SOURCE_NEEDED = "source_needed_but_independent"
    SLIDE_RANGE = "slide_range_differs"
    TOOL_ERROR = "tool_error"
    UNKNOWN_RULE = "unknown_rule"
    RULE_PARAMETERS = "rule_parameters"
    EMPTY_CLASS = "empty_class"
    REPLACES_COMMON = "replaces_common_list"


class Severity(StrEnum):
    """How sure it is that something must change."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


@dataclass(frozen=True, kw_only=True)
class LintFinding:
    """One thing about one item, or about a whole list."""

    item_id: ItemId | None
    """None for a finding about the list."""
    hint: Hint
    severity: Severity
    message: str
    other_id: ItemId | None = None
    """The other one of two items that say the same."""


_TITLE = re.compile(r"^\s*(?:\*\*[^*]+\*\*|#+[^\n]*\n|[-*]\s)\s*[:：]?\s*")
_AUXILIARY = (
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|should|must|will|would|may|might|"
    r"isn't|aren't|doesn't|don't)"
)
_ASKS = re.compile(rf"(?:^|[.!?:：;,，。]\s*|\n\s*|\b(?:whether|if)\b[^?]*?)\b{_AUXILIARY}\b", re.IGNORECASE)
_OPEN_QUESTION = re.compile(
    r"^(?:how|what|why|which|who|when|where|describe|list|explain|rate|score|name)\b", re.IGNORECASE
)
_ASKS_ZH = re.compile(r"是否|有没有|有无|能否|可否|是不是|吗\s*[？?]|会不会|能不能")
_OPEN_ZH = re.compile(
    r"^(?:如何|怎么|怎样|为什么|什么|哪|多少|请(?:描述|列出|说明|评价))|(?:如何|怎么样|怎样|多少|哪些)[？?]"
)
_AND = re.compile(r"\b(?:and|or|as well as|and/or|along with)\b", re.IGNORECASE)
_AFTER_AND = re.compile(
    rf"\s*(?:also\s+)?(?:{_AUXILIARY}|the|all|every|each|its|their|no|any|that|whether|not|free|properly|clearly)\b",
    re.IGNORECASE,
)
_AND_ZH = re.compile(r"并且|而且|同时|以及|，且|且(?=是否|没有|能|不)|并(?=是否|且|能|给出|说明|列出|包含|标注)")
_SPOKEN = re.compile(
    r"\b(?:speaker|presenter|narrat\w+|spoken|orally|verbal\w*|voice|pronunciation|body language|eye contact|"
    r"rehears\w+|delivery|delivered|q&a session|audience (?:understand|understood|enjoy|react|feel|laugh|applau)\w*|"
    r"speaking (?:time|speed|pace)|time limit|minutes long|intend\w*|the author (?:want|mean|think|believe)\w*|"
    r"easy to edit|file size|load(?:s|ing)? (?:quick|fast|time))",
    re.IGNORECASE,
)
_SPOKEN_ZH = re.compile(
    r"演讲者|讲者|主讲人|口头|语速|语气停顿|朗读|肢体语言|现场|听众(?:的)?(?:反应|感受|理解)|演讲时长|讲解是否|"
    r"作者(?:的)?意图|文件大小"
)
_SOURCE = re.compile(
    r"\b(?:source (?:material|document|text|paper|file|article)s?|(?:provided|original|given|supplied|reference) "
    r"(?:material|document|text|paper|article|report|source)s?|background material|input documents?|"
    r"(?:match(?:es)?|agrees? with|consistent with|according to|faithful to|grounded in|supported by|contradicts?|"
    r"taken from|compared (?:to|with)|as (?:stated|given|described|reported) in|verbatim from|found in) "
    r"(?:the |its |their )?(?:\w+ )?(?:sources?|papers?|articles?|reports?|materials?|documents?))\b",
    re.IGNORECASE,
)
_SOURCE_ZH = re.compile(
    r"原文|源材料|源文件|原始材料|背景材料|参考材料|所给材料|给定材料|与(?:材料|论文|来源|文献|报告)|(?:材料|论文)中"
)
_THING = re.compile(
    r"\b(?:charts?|graphs?|tables?|figures?|diagrams?|plots?|images?|pictures?|photos?|icons?|graphics|illustrations?|"
    r"formulas?|equations?|code (?:snippets?|blocks?)|animations?|transitions?|videos?|citations?|quotes?|quotations?|"
    r"footnotes?|axes|axis|legends?)\b",
    re.IGNORECASE,
)
_THING_ZH = re.compile(r"图表|表格|图片|图像|插图|图形|示意图|流程图|公式|代码|动画|视频|引用|引文|脚注|坐标轴|图例")
_IF_NO = re.compile(
    r"\bif (?:there (?:is|are) )?(?:no|none|not)\b|\bcounts? as (?:a )?no\b|\banswer (?:is )?[\"“']?no\b|"
    r"\botherwise\b|\bwithout (?:any|a) \w+[^?]{0,40}(?:no|yes)\b|\bwhen (?:there (?:is|are) )?no\b|"
    r"\bif (?:the deck|it) has no\b|"
    r"(?:如果|若|如)(?:没有|无|不)|没有.{0,12}(?:时|则|算|视为)|否则|算“?否|视为“?否",
    re.IGNORECASE,
)
_HAS = re.compile(
    r"^(?:is|are) there\b|\b(?:contain|include|have|has|provide|show)s?\b (?:at least|a|an|any|some|one)\b|"
    r"(?:是否|有没有)(?:有|包含|含有|提供)?|有没有",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")
DUPLICATE_FROM = 85.0
"""Likeness in percent from which two items say the same."""


def lint_item(item: Item, *, known_rules: Collection[str] | None = None) -> list[LintFinding]:
    """Return what is to be said about one item by itself.

    Args:
        item: one item.
        known_rules: names of the rules that there are; None does not look.
    """
    if item.kind is ItemKind.TOOL_ERROR:
        return [_finding(item, Hint.TOOL_ERROR, Severity.ERROR, f"{item.text}; replace or retire it")]
    if item.kind is ItemKind.CODE:
        is_unknown = known_rules is not None and item.rule is not None and item.rule.rule not in known_rules
        message = f"there is no rule {item.rule.rule if item.rule else ''}"
        return [_finding(item, Hint.UNKNOWN_RULE, Severity.ERROR, message)] if is_unknown else []
    question = _TITLE.sub("", item.text).strip()
    checks = (
        (_is_double(question), Hint.DOUBLE_BARRELLED, Severity.WARNING,
         "asks two things at once; partly met counts as no, so split it"),
        (bool(_SPOKEN.search(question) or _SPOKEN_ZH.search(question)), Hint.NOT_ANSWERABLE, Severity.WARNING,
         "cannot be answered from the slides alone"),
        (not _is_yes_no(question), Hint.NO_YES_NO_FORM, Severity.WARNING, "cannot be answered with yes or no"),
        (item.dimension.tier is Tier.INDEPENDENT and bool(_SOURCE.search(question) or _SOURCE_ZH.search(question)),
         Hint.SOURCE_NEEDED, Severity.WARNING, "needs a source, but its dimension is judged without"),
        (_lacks_if_no(item, question), Hint.MISSING_IF_NO, Severity.HINT,
         "does not say what counts where the deck has no such thing"),
    )  # fmt: skip
    return [_finding(item, hint, severity, message) for holds, hint, severity, message in checks if holds]


def lint_list(
    items: Sequence[Item],
    *,
    instruction_range: tuple[int, int] | None = None,
    limits: tuple[int, int] | None = None,
    known_rules: Collection[str] | None = None,
    notes: Sequence[str] = (),
) -> list[LintFinding]:
    """Return what is to be said about the items of a list and about the list.

    Args:
        items: a whole checklist.
        instruction_range: fewest and most slides that the instruction asks for.
        limits: those that the list's settings say; None takes them from a slide-count item.
        known_rules: names of the rules that there are; None does not look.
        notes: what merging the list said.
    """
    found = [finding for item in items for finding in lint_item(item, known_rules=known_rules)]
    found += near_duplicates(items)
    asked = limits or slide_range(items)
    if instruction_range is not None and asked is not None and instruction_range != asked:
        counter = next((item for item in items if item.kind is ItemKind.CODE and slide_range([item]) == asked), None)
        found.append(
            LintFinding(
                item_id=counter.id if counter else None, hint=Hint.SLIDE_RANGE, severity=Severity.WARNING,
                message=_ranges_differ(instruction_range, asked),
            )
        )  # fmt: skip
    found += [
        LintFinding(item_id=None, hint=Hint.EMPTY_CLASS, severity=Severity.WARNING, message=note)
        for note in notes
        if note.startswith("empty class")
    ]
    return found


def lint_draft(
    item: Item,
    others: Sequence[Item],
    *,
    instruction_range: tuple[int, int] | None = None,
    known_rules: Collection[str] | None = None,
) -> list[LintFinding]:
    """Return what is to be said about an item that is being typed, beside the items that it will stand among.

    Args:
        item: as it is typed.
        others: the rest of the checklist; an earlier state of the item among them is left out.
        instruction_range: fewest and most slides that the instruction asks for.
        known_rules: names of the rules that there are; None does not look.
    """
    found = lint_item(item, known_rules=known_rules)
    beside = [each for each in others if each.id != item.id]
    # The later one carries the finding: put last, it is the typed one.
    found += [each for each in near_duplicates([*beside, item]) if each.item_id == item.id]
    own = slide_range([item]) if item.kind is ItemKind.CODE else None
    if own is not None and instruction_range is not None and own != instruction_range:
        found.append(_finding(item, Hint.SLIDE_RANGE, Severity.WARNING, _ranges_differ(instruction_range, own)))
    return found


def near_duplicates(items: Sequence[Item]) -> list[LintFinding]:
    """Return pairs of questions that say nearly the same; the later one carries the finding."""
    # Imported here: the library takes long to import, and most uses look at one item.
    from rapidfuzz import fuzz, process

    asked = [item for item in items if item.kind is ItemKind.QUESTION and PAGE not in item.text]
    if len(asked) < 2:
        return []
    words = [_normal(item) for item in asked]
    likeness = process.cdist(words, words, scorer=fuzz.token_sort_ratio, score_cutoff=DUPLICATE_FROM)
    found = []
    for later, item in enumerate(asked):
        for earlier in range(later):
            score = float(likeness[later][earlier])
            if score >= DUPLICATE_FROM and not _differ_in_page_only(asked[earlier], item):
                message = f"says nearly the same ({score:.0f} %) as: {_short(asked[earlier])}"
                found.append(_finding(item, Hint.NEAR_DUPLICATE, Severity.WARNING, message, asked[earlier].id))
    return found


def _ranges_differ(instruction: tuple[int, int], checklist: tuple[int, int]) -> str:
    return (
        f"the instruction asks for {instruction[0]}–{instruction[1]} slides, the checklist for "
        f"{checklist[0]}–{checklist[1]}"
    )


def _differ_in_page_only(first: Item, second: Item) -> bool:
    """Say whether two fidelity items are the same question about two pages."""
    if not first.dimension is second.dimension is Dimension.FIDELITY:
        return False
    return first.text != second.text and _DIGITS.sub("#", first.text) == _DIGITS.sub("#", second.text)


def _normal(item: Item) -> str:
    text = re.sub(r"[^\w\u4e00-\u9fff]+", " ", _TITLE.sub("", item.text).lower()).strip()
    # Chinese has no spaces, and likeness is counted over words.
    return re.sub(r"([\u4e00-\u9fff])", r"\1 ", text)


def _is_double(question: str) -> bool:
    body = re.split(r"\n\s*(?:note|说明)\s*[:：]", question, maxsplit=1, flags=re.IGNORECASE)[0]
    if len(re.findall(r"[?？]", body)) > 1 or _AND_ZH.search(body):
        return True
    first = next((part for part in re.split(r"(?<=[?？])", body) if part.strip()), body)
    start = re.search(rf"\b{_AUXILIARY}\b", first, re.IGNORECASE)
    if start is None:
        return False
    for match in _AND.finditer(first, start.end()):
        before = first[start.end() : match.start()].split()
        if "between" in (word.lower() for word in before):
            continue
        # One or two words before the first "and" are a subject ("Do text and images match?").
        if len(before) >= 3 and _AFTER_AND.match(first, match.end()):
            return True
    return False


def _is_yes_no(question: str) -> bool:
    if _ASKS_ZH.search(question):
        return True
    if _OPEN_ZH.search(question):
        return False
    last = [part.strip() for part in re.split(r"(?<=[.!?。！？])\s+", question) if "?" in part or "？" in part]
    asked = last or [question]
    return any(_ASKS.search(part) and not _OPEN_QUESTION.match(part) for part in asked) and "?" in question


def _lacks_if_no(item: Item, question: str) -> bool:
    thing = _THING.search(question) or _THING_ZH.search(question)
    has = _HAS.search(question)
    # "Is there a chart?" asks for the thing itself; "Does each chart have a legend?" takes the chart for granted.
    if thing is None or (
        has is not None and has.start() < thing.start() and not question[: has.start()].strip("每个一")
    ):
        return False
    if has is not None and has.start() < thing.start() and re.search(r"deck|slides?|演示文稿", question[: has.start()]):
        return False
    return not item.no_when.strip() and not _IF_NO.search(item_words(item))


def _short(item: Item) -> str:
    text = " ".join(item.text.split())
    return text if len(text) <= 60 else f"{text[:59]}…"


def _finding(item: Item, hint: Hint, severity: Severity, message: str, other: ItemId | None = None) -> LintFinding:
    return LintFinding(item_id=item.id, hint=hint, severity=severity, message=message, other_id=other)
