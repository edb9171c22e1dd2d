"""Marks that every slide should carry: of its sources, and of its section."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from studio.checklists.rules.findings import evidence_box, no, not_applicable, slides_named, yes
from studio.checklists.rules.rule import Rule, parameter
from studio.checklists.rules.slide_kinds import content_slides, is_agenda, is_only_title, is_section_header
from studio.errors import BadInput
from studio.model.checklists import Finding
from studio.model.deck_evidence import DeckEvidence, Fact, SlideEvidence, TextRole

_CITATION = re.compile(
    r"\[\s*\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\s*\]"
    r"|\[[A-Z][A-Za-z+]{1,12}\s?\d{2,4}[a-z]?\]"
    r"|[(（][^()（）\n]{0,80}\b(?:19|20)\d\d[a-z]?\s*(?:,\s*(?:p|pp|S)\.?\s*[\d–-]+)?[)）]"
    r"|\b[A-Z][\w'’-]+(?:\s+(?:et al\.?|(?:and|&)\s+[A-Z][\w'’-]+))?,?\s+[(（]?(?:19|20)\d\d[a-z]?\b"
    r"|\bet al\b|\bibid\b|\bdoi\b|\b10\.\d{4,9}/\S+|\barXiv\b|https?://|\bwww\."
    r"|\b(?:source|sources|quelle|quellen|fuente|fonte|adapted from|reproduced from|data from|after ref|cf)\b\s*[.:：]?"
    r"|来源|出处|引自|参见|参考文献|資料来源|出典|출처"
    r"|[¹²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹]*|〔\d+〕|【\d+】|［\d+］",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"^\s*(?:§\s*\d|(?:part|section|chapter|module|unit|kapitel|teil|abschnitt|chapitre|partie|parte|capítulo)"
    r"\s+(?:\d+|[ivx]+|one|two|three|four|five|six)\b"
    r"|第\s*[一二三四五六七八九十\d]+\s*[章节部讲篇]|[一二三四五六七八九十]+\s*[、.．]"
    r"|0?\d{1,2}(?:\.\d{1,2})+\s|0?\d{1,2}\s*[.、|/)]\s*\D)",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"default section|untitled section|summary section|standardabschnitt|默认节|无标题节", re.IGNORECASE
)
_TOP, _BOTTOM = 0.2, 0.85


@dataclass(frozen=True, kw_only=True)
class CitationParameters:
    """What counts as a citation, and where it is asked for."""

    pattern: str = parameter("", "Regular expression of a mark; empty: the usual forms.")
    skip_first: bool = parameter(True, "Whether the first slide, a cover, may do without.")
    min_share: float = parameter(1.0, "Share of the content slides that must have a mark.", 0.0, 1.0)


def citation_mark(evidence: DeckEvidence, parameters: CitationParameters) -> Finding:
    """Yes if at least `min_share` of the content slides carry a mark of a source.

    Marks are [3], [Doe20], (Doe, 2020), Doe 2020, "et al.", a DOI, arXiv number or address, raised digits, and words
    such as "Source:" in several languages; or whatever `pattern` matches. Content slides are the visible ones without
    cover, agenda, section headers, references, a farewell, and slides with a title only. Whether a mark names what
    the slide rests on is not looked at, so this only suggests an answer.
    """
    mark = _compiled(parameters.pattern) if parameters.pattern else _CITATION
    return _each_slide(evidence, parameters, lambda slide: bool(mark.search(_all_text(slide))), "a mark of a source")


@dataclass(frozen=True, kw_only=True)
class SectionParameters:
    """What counts as a mark of a section, and where it is asked for."""

    sections: tuple[str, ...] = parameter((), "Names of the sections; empty: the file's own, or those the deck shows.")
    skip_first: bool = parameter(True, "Whether the first slide, a cover, may do without.")
    min_share: float = parameter(1.0, "Share of the content slides that must have a mark.", 0.0, 1.0)


def section_mark(evidence: DeckEvidence, parameters: SectionParameters) -> Finding:
    """Yes if at least `min_share` of the content slides show which section they belong to.

    A mark is the name of a section in the upper fifth or the lowest seventh of the slide, in its title or footer; or a
    number such as "2.1", "Part II" or "第三章" where these begin. Names are those given, else those of the file's
    sections, else the words of section headers and of the agenda. Content slides are as for citation marks. A mark may
    also be a colour or a bar, so this only suggests an answer.
    """
    names = [_squeezed(name) for name in parameters.sections or _names(evidence)]
    names = [name for name in names if len(name) >= 2]

    def is_marked(slide: SlideEvidence) -> bool:
        texts = list(_outer(slide))
        return any(_NUMBERED.match(text) for text in texts) or any(
            name in _squeezed(text) for text in texts for name in names
        )

    return _each_slide(evidence, parameters, is_marked, "a mark of their section")


def _each_slide(
    evidence: DeckEvidence,
    parameters: CitationParameters | SectionParameters,
    is_marked: Callable[[SlideEvidence], bool],
    what: str,
) -> Finding:
    tells_shapes = Fact.SHAPES not in evidence.gaps
    asked = content_slides(evidence, skip_first=parameters.skip_first, tells_shapes=tells_shapes)
    if not asked:
        return not_applicable("The deck has no content slide beside its cover.")
    bare = [slide.number for slide in asked if not is_marked(slide)]
    share = 1 - len(bare) / len(asked)
    if share >= parameters.min_share - 1e-9:
        reason = f"{len(asked) - len(bare)} of {len(asked)} content slides have {what}."
        return yes(reason)
    text = f"{slides_named(bare)} {'has' if len(bare) == 1 else 'have'} no {what.removeprefix('a ')}"
    return no(f"{text[0].upper()}{text[1:]}.", [evidence_box(number, None) for number in bare])


def _all_text(slide: SlideEvidence) -> str:
    """Return the slide's own words and those that its layout puts on the page."""
    drawn = [line.text for line in slide.lines or () if line.is_seen]
    return "\n".join([slide.text, *drawn])


def _outer(slide: SlideEvidence) -> Iterator[str]:
    yield slide.title
    for piece in slide.pieces:
        if piece.role in {TextRole.TITLE, TextRole.FOOTER}:
            yield piece.text
    placed = [(piece.text, piece.box) for piece in slide.pieces]
    placed += [(line.text, line.box) for line in slide.lines or () if line.is_seen]
    for text, box in placed:
        if box is not None and (box.y1 <= _TOP or box.y0 >= _BOTTOM):
            yield text


def _names(evidence: DeckEvidence) -> list[str]:
    own = [name for name in evidence.sections if name.strip() and not _NO_NAME.search(name)]
    if own:
        return own
    tells_shapes = Fact.SHAPES not in evidence.gaps
    found = []
    for slide in evidence.visible[1:]:
        if is_section_header(slide) or is_only_title(slide, tells_shapes=tells_shapes):
            found.append(slide.title or slide.text)
        elif is_agenda(slide):
            found += [piece.text for piece in slide.pieces if piece.role is TextRole.BODY and len(piece.text) <= 60]
    return [re.sub(r"^\W*\d*\W*", "", name) for name in found]


def _squeezed(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise BadInput(f"citation_mark: pattern is no regular expression: {error}.") from error


_NEEDS = frozenset({Fact.SLIDES, Fact.TEXT})
CITATION = Rule(
    name="citation_mark", title="Every content slide names its source", judge=citation_mark,
    parameters=CitationParameters, needs=_NEEDS, reads_pages=True, is_verdict=False,
)  # fmt: skip
SECTION = Rule(
    name="section_mark", title="Every content slide shows its section", judge=section_mark,
    parameters=SectionParameters, needs=_NEEDS, reads_pages=True, is_verdict=False,
)  # fmt: skip
