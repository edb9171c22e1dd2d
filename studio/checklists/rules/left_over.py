"""What a generator or a template left behind: raw markup, and text that was to be replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from studio.checklists.rules.findings import evidence_box, no, quoted, slides_named, yes
from studio.checklists.rules.rule import Rule, parameter
from studio.model.checklists import Finding
from studio.model.deck_evidence import DeckEvidence, Fact, TextPiece

_LATEX = (
    re.compile(
        r"(?<![\w:\\])\\(?:d?frac|sqrt|begin|end|cite[pt]?|ref|label|textbf|textit|texttt|emph|item|sum|prod|int|infty"
        r"|alpha|beta|gamma|delta|epsilon|theta|lambda|mu|sigma|omega|pi|phi|psi|rho|tau|nabla|partial|mathbb|mathbf"
        r"|mathrm|mathcal|text|left|right|times|cdot|leq?|geq?|neq?|approx|rightarrow|leftarrow|Rightarrow|subseteq"
        r"|section|subsection|usepackage|includegraphics|caption|hline|hat|bar|vec|overline|underline|quad)(?![A-Za-z])"
    ),
    re.compile(r"\$\$[^$]+\$\$"),
    re.compile(r"(?<![\\\w$])\$(?=\S)[^$\n]{0,80}?[\\^_][^$\n]{0,80}?(?<=\S)\$(?!\d)"),
    re.compile(r"\\\((?=.*[\w}])[^\n]{1,120}?\\\)|\\\[[^\n]{1,200}?\\\]"),
)
_MARKDOWN = (
    re.compile(r"(?<![\w*])\*\*(?=[^\s*])[^*\n]{1,120}?(?<=[^\s*])\*\*(?![\w*])"),
    re.compile(r"^\s*#{2,6}\s+\S", re.MULTILINE),
    re.compile(r"```"),
    re.compile(r"!?\[[^\]\n]{1,120}\]\((?:https?:|mailto:|\.{0,2}/|#)[^)\s]+\)"),
    re.compile(r"^\s*[-*+]\s+\[[ xX]\]\s", re.MULTILINE),
    re.compile(r"\|\s*:?-{3,}:?\s*\|"),
)
_HTML = (
    re.compile(r"<br\s*/?>|</(?:b|i|u|p|li|ul|ol|div|span|strong|em|sup|sub|h[1-6]|td|tr|table)\s*>", re.IGNORECASE),
    re.compile(r"&(?:nbsp|amp|lt|gt|quot|#\d{2,5}|#x[0-9a-f]{2,5});", re.IGNORECASE),
)
_PLACEHOLDER = re.compile(
    r"\blorem ipsum\b|\bdolor sit amet\b"
    r"|\b(?:click|tap)(?: here)? to (?:add|edit|enter|insert|type)\b"
    r"|\b(?:add|insert|enter|type|put|place|write)\s+(?:your\s+|a\s+|the\s+)?"
    r"(?:text|title|subtitle|content|name|logo|image|picture|photo|date|description|heading|caption|quote)s?\s+here\b"
    r"|\byour\s+(?:\w+\s+)?(?:title|text|logo|name|company|subtitle|content|tagline|picture|image)\s+(?:goes\s+)?here\b"
    r"|\b(?:placeholder|sample|dummy|filler)\s+text\b|\btext\s+placeholder\b"
    r"|[\[<{]\s*(?:your|insert|add|enter)\s[^\]>}\n]{1,50}[\]>}]|[(]\s*your\s(?:\w+\s)?(?:name|title|text|logo|company)\s*[)]"
    r"|\[\s*(?:placeholder|company name|company|author name|author|presenter|date|title|name|logo|image|tbd|todo)\s*\]"
    r"|\{\{\s*[\w. -]{1,40}\s*\}\}|\bX{4,}\b|\bxxxx+\b"
    r"|(?:单击|點擊|点击|點選)(?:此处|此處|这里|這裡|以)|(?:在)?此(?:处|處)(?:可)?(?:添加|加入|输入|輸入|键入|插入|填写|编辑|新增)"
    r"|请(?:在此)?(?:处)?(?:添加|输入|键入|插入|填写)(?:您的|你的)?(?:标题|文本|文字|内容|副标题|正文|姓名)"
    r"|(?:您|你)的(?:标题|内容|文字|公司名称|logo)(?:打在|写在|在)?这里|占位(?:符|文本)"
    r"|クリックして[^\n]{0,20}(?:入力|追加)|ここに[^\n]{0,12}(?:入力|追加)|サンプルテキスト"
    r"|클릭하여|여기에[^\n]{0,12}(?:입력|추가)"
    r"|\bklicken sie,? um\b|\b(?:titel|text|untertitel) (?:durch klicken )?hinzufügen\b|\b(?:blind|muster)text\b"
    r"|\bcliquez (?:ici )?pour (?:ajouter|modifier)\b|\bmodifiez le style\b|\bhaga clic para\b"
    r"|\bclique para (?:adicionar|editar)\b"
    r"|\bfare clic per\b",
    re.IGNORECASE,
)
_TO_DO = re.compile(r"^\W*(?:TODO|TBD|TBA|FIXME|to be (?:added|completed|filled in|determined)|待补充|待定|待完善)\b")


@dataclass(frozen=True, kw_only=True)
class MarkupParameters:
    """Which markup is looked for."""

    latex: bool = parameter(True, "Whether commands and formulas of LaTeX fail.")
    markdown: bool = parameter(True, "Whether Markdown fails: bold, headings, links, code fences, tables.")
    html: bool = parameter(True, "Whether closing tags, line breaks and entities of HTML fail.")


def raw_markup(evidence: DeckEvidence, parameters: MarkupParameters) -> Finding:
    """Yes if no visible slide shows LaTeX, Markdown or HTML as it was written.

    Looked for are LaTeX commands, formulas between dollar signs or escaped brackets; Markdown's bold text between
    double stars, headings of two or more hashes, links, code fences, check lists and rules of tables; HTML's closing
    tags, line breaks and entities. Text in fonts whose letters are equally wide is code and left out. A single star or
    hash, and one dollar sign, are no markup.
    """
    chosen = (
        *(_LATEX if parameters.latex else ()), *(_MARKDOWN if parameters.markdown else ()),
        *(_HTML if parameters.html else ()),
    )  # fmt: skip
    return _search(evidence, chosen, "Raw markup", "No raw LaTeX, Markdown or HTML is left over.", with_code=False)


@dataclass(frozen=True, kw_only=True)
class PlaceholderParameters:
    """Which texts count as left to be replaced."""

    to_do: bool = parameter(True, "Whether paragraphs that begin with TODO, TBD and the like fail too.")
    more: tuple[str, ...] = parameter((), "Further texts that fail, in any case of letters.")


def placeholder_text(evidence: DeckEvidence, parameters: PlaceholderParameters) -> Finding:
    """Yes if no visible slide shows text that was to be replaced.

    Looked for are "lorem ipsum", the prompts of templates in eight languages ("Click to add title", 单击此处添加标题,
    在此处添加 …), "insert … here", brackets such as [Your Name], {{name}}, rows of four or more X, and paragraphs that
    begin with TODO or TBD. Placeholders that nobody filled do not show, and do not fail.
    """
    chosen = [_PLACEHOLDER, *(re.compile(re.escape(text), re.IGNORECASE) for text in parameters.more if text.strip())]
    if parameters.to_do:
        chosen.append(_TO_DO)
    return _search(evidence, chosen, "Placeholder text", "No placeholder text is left over.", with_code=True)


def _search(
    evidence: DeckEvidence, patterns: Sequence[re.Pattern[str]], what: str, passed: str, *, with_code: bool
) -> Finding:
    found = [
        (slide.number, piece, match)
        for slide in evidence.visible
        for piece, match in _matches(slide.pieces, patterns, with_code=with_code)
    ]
    if not found:
        return yes(passed)
    _, piece, match = found[0]
    around = piece.text[max(0, match.start() - 12) : match.end() + 12]
    boxes = [evidence_box(number, each.box) for number, each, _ in found]
    where = slides_named(number for number, _, _ in found)
    return no(f"{what} is left over on {where}, such as {quoted(around)}.", list(dict.fromkeys(boxes)))


def _matches(
    pieces: Sequence[TextPiece], patterns: Sequence[re.Pattern[str]], *, with_code: bool
) -> Iterator[tuple[TextPiece, re.Match[str]]]:
    for piece in pieces:
        if piece.is_code and not with_code:
            continue
        match = next((match for pattern in patterns if (match := pattern.search(piece.text))), None)
        if match is not None:
            yield piece, match


_NEEDS = frozenset({Fact.SLIDES, Fact.TEXT})
MARKUP = Rule(
    name="raw_markup", title="No raw LaTeX, Markdown or HTML is left over", judge=raw_markup,
    parameters=MarkupParameters, needs=_NEEDS, is_verdict=True,
)  # fmt: skip
PLACEHOLDER = Rule(
    name="placeholder_text", title="No placeholder text is left over", judge=placeholder_text,
    parameters=PlaceholderParameters, needs=_NEEDS, is_verdict=True,
)  # fmt: skip
