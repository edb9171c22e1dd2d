"""Whether a deck keeps to one language."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from studio.checklists.rules.findings import evidence_box, no, not_applicable, slides_named, yes
from studio.checklists.rules.rule import Rule, parameter
from studio.checklists.rules.slide_kinds import is_references
from studio.checklists.rules.tongues import LATIN, latin_language, script_weights
from studio.model.checklists import Finding
from studio.model.deck_evidence import DeckEvidence, Fact, SlideEvidence, TextRole

_SURE = 0.99


@dataclass(frozen=True, kw_only=True)
class LanguageParameters:
    """Which language is expected, and when a slide counts."""

    language: str = parameter("", "ISO 639-1 code such as en or zh; empty: the language of most of the deck.")
    min_letters: int = parameter(40, "A slide with fewer letters says nothing of its language.", 5, 10_000)
    min_latin_letters: int = parameter(
        120, "The same for telling languages in Latin letters from each other.", 20, 10_000
    )


def language_consistency(evidence: DeckEvidence, parameters: LanguageParameters) -> Finding:
    """Yes if every visible slide with enough text is in the deck's language.

    A slide's language is that of the script with most letters (a Chinese, Japanese or Korean character counts as 2.5
    letters, so that terms and names in Latin letters do not matter). Languages in Latin letters are told apart by a
    statistical model, on slides with `min_latin_letters` letters and only where it is 99% sure. Text in fonts of code,
    footers and lists of references are left out. Whether two languages belong together nobody can tell by code: a
    language course has two.
    """
    told = {slide.number: code for slide in evidence.visible if (code := _language(slide, parameters)) is not None}
    if not told:
        return not_applicable("No slide has enough text to tell its language.")
    wanted = parameters.language.lower().partition("-")[0] or _main(told, evidence)
    other = {number: code for number, code in told.items() if not _agree(code, wanted)}
    if not other:
        return yes(f"All slides with enough text are in one language ({wanted}).")
    codes = ", ".join(sorted(set(other.values())))
    text = f"{slides_named(other)} {'is' if len(other) == 1 else 'are'} in another language ({codes}) than {wanted}."
    return no(text[0].upper() + text[1:], [evidence_box(number, None) for number in other])


def _language(slide: SlideEvidence, parameters: LanguageParameters) -> str | None:
    """Return a code, ``latin`` where only the script is known, or None for too little text."""
    if is_references(slide):
        return None
    text = "\n".join(piece.text for piece in slide.pieces if piece.role is not TextRole.FOOTER and not piece.is_code)
    weights = script_weights(text)
    if not weights or sum(weights.values()) < parameters.min_letters:
        return None
    script = max(weights, key=lambda code: weights[code])
    if script != LATIN:
        return script
    if weights[LATIN] < parameters.min_latin_letters:
        return LATIN
    code, probability = latin_language(text)
    return code if probability >= _SURE else LATIN


def _main(told: dict[int, str], evidence: DeckEvidence) -> str:
    """Return the language of most letters; a language comes before ``latin``, with which it agrees."""
    letters: Counter[str] = Counter()
    for slide in evidence.visible:
        if slide.number in told:
            letters[told[slide.number]] += len(slide.text)
    sure = {code: count for code, count in letters.items() if code != LATIN}
    if not sure:
        return LATIN
    best = max(sure, key=lambda code: sure[code])
    return best if _agree(LATIN, best) or sure[best] >= letters[LATIN] else LATIN


def _agree(code: str, wanted: str) -> bool:
    own_script = {"ko", "ja", "zh", "el", "he", "th", "hi", "ar", "ru", "hy", "ka"}
    return code == wanted or (LATIN in {code, wanted} and not {code, wanted} & own_script)


LANGUAGE = Rule(
    name="language_consistency", title="The deck keeps to one language", judge=language_consistency,
    parameters=LanguageParameters, needs=frozenset({Fact.SLIDES, Fact.TEXT}), is_verdict=True,
)  # fmt: skip
