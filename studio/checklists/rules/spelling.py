"""Words that are no words, by word lists that come in a wheel."""

from __future__ import annotations

import functools
import importlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from studio.checklists.rules.findings import evidence_box, no, not_applicable, quoted, slides_named, yes
from studio.checklists.rules.rule import Rule, parameter
from studio.checklists.rules.slide_kinds import is_references
from studio.checklists.rules.tongues import LATIN, latin_language, script_weights
from studio.model.checklists import EvidenceBox, Finding
from studio.model.deck_evidence import DeckEvidence, Fact, SlideEvidence, TextPiece

LANGUAGES = ("en", "es", "fr", "it", "pt", "de", "nl")
"""Languages of the word lists whose words end at spaces and are written in Latin letters."""
_WORD = re.compile(r"(?<![\w@/\\.#-])[^\W\d_]{4,}(?![\w@/\\-]|[.'’]\w)")
_ADDRESS = re.compile(r"\S*(?:://|www\.|@)\S*|\S+\.(?:com|org|net|io|edu|py|js|html?)\b\S*")
_BEGINNINGS = ("pre", "re", "un", "non", "multi", "sub", "co", "de", "meta", "auto", "hyper", "inter", "micro", "anti",
               "over", "under", "super", "post", "semi", "ultra", "bio", "geo", "cyber", "nano", "mis", "dis", "out",
               "up", "electro", "photo", "thermo", "neuro", "macro", "intra", "trans", "back", "in")  # fmt: skip
_ENDINGS = ("s", "es", "ed", "d", "ing", "ly", "ness", "able", "er", "ers", "r", "rs", "ize", "ized", "izing",
            "ization", "ise", "ised", "ising", "isation", "al", "ally", "ity", "less", "ful", "ish", "like",
            "wise")  # fmt: skip
_BRITISH = (("our", "or"), ("yse", "yze"), ("ogue", "og"), ("tre", "ter"), ("ence", "ense"), ("amme", "am"),
            ("aem", "em"), ("oe", "e"), ("lling", "ling"), ("lled", "led"), ("ller", "ler"))  # fmt: skip
"""British spellings that a list of American words lacks."""
_SURE, _ENOUGH_LETTERS = 0.95, 120
"""From this probability, and this many letters on, the model of languages is believed."""
_TERMS = frozenset(
    {"modulo", "rect", "codec", "async", "param", "params", "enum", "regex", "config", "repo", "kernel", "tensor",
     "softmax", "argmax", "logit", "logits", "prior", "priors", "recall", "epoch", "epochs", "embeddings", "ablation",
     "quantile", "covariate", "covariates", "heuristic", "latency", "runtime", "token", "tokens", "prompt", "prompts",
     "benchmark", "pixel", "pixels", "voxel", "genome", "genomes", "microbiome"}
)  # fmt: skip
"""Terms of computing and science that lists of everyday words lack."""
_COMMON = 2e-7
"""Share of all words from which on a word counts as one that somebody may have meant."""


@dataclass(frozen=True, kw_only=True)
class SpellingParameters:
    """How many misspelt words are allowed."""

    max_words: int = parameter(0, "Most different misspelt words in the deck, this number included.", 0, 10_000)
    language: str = parameter("", "en, es, fr, it, pt, de or nl; empty: the deck's own.")
    allowed: tuple[str, ...] = parameter((), "Words that are right here, whatever the list says.")


def spelling(evidence: DeckEvidence, parameters: SpellingParameters) -> Finding:
    """Yes if the visible slides have at most `max_words` different misspelt words.

    Misspelt is a word of four or more small letters that is not in the language's list, is no known word with a usual
    beginning or ending, no two known words in one, not used three times in the deck (a term), and one slip (a letter
    more, less, other, or two exchanged) away from a common word. Capitalised words, code, addresses, references and
    words cut at the end of a line are left out. Terms of a field still come up, so this only suggests a fault.
    """
    text = "\n".join(slide.text for slide in evidence.visible)
    language = parameters.language.lower().partition("-")[0] or _language(text)
    if language not in LANGUAGES:
        return not_applicable(f"There is no word list for the deck's language{f' ({language})' if language else ''}.")
    uses = Counter(word.lower() for word in _WORD.findall(_ADDRESS.sub(" ", text)))
    allowed = {word.lower() for word in parameters.allowed}
    found: dict[str, str] = {}
    boxes: list[EvidenceBox] = []
    slides: set[int] = set()
    for slide in evidence.visible:
        for piece, word in _candidates(slide):
            if word in allowed or uses[word] >= 3:
                continue
            meant = _meant(word, language)
            if meant:
                found.setdefault(word, meant)
                slides.add(slide.number)
                boxes.append(evidence_box(slide.number, piece.box))
    if len(found) <= parameters.max_words:
        return yes("No misspelt word was found." if not found else f"{len(found)} words may be misspelt, as allowed.")
    named = ", ".join(f"{quoted(word)} (for {meant})" for word, meant in list(found.items())[:3])
    return no(f"{len(found)} words may be misspelt, on {slides_named(slides)}: {named}.", _each_once(boxes))


def _candidates(slide: SlideEvidence) -> Iterator[tuple[TextPiece, str]]:
    if is_references(slide):
        return
    pieces = slide.pieces
    for index, piece in enumerate(pieces):
        if piece.is_code:
            continue
        text = _ADDRESS.sub(" ", piece.text)
        after_hyphen = index > 0 and pieces[index - 1].text.rstrip().endswith(("-", "\u00ad", "‐"))
        for match in _WORD.finditer(text):
            is_cut = after_hyphen and not text[: match.start()].strip()
            if match.group().islower() and not is_cut:
                yield piece, match.group()


@functools.lru_cache(maxsize=20_000)
def _meant(word: str, language: str) -> str:
    """Return the common word that a misspelt one stands for; empty where it is right or nobody can tell."""
    words = _words(language)
    if not word.isalpha() or _is_known(word, words):
        return ""
    near = words.known(words.edit_distance_1(word))
    common = {each for each in near if words.word_usage_frequency(each) >= _COMMON and len(each) >= 4}
    # Equally common words: the first one of the alphabet, so that the same word always comes up.
    return min(common, key=lambda each: (-words.word_usage_frequency(each), each), default="")


def _is_known(word: str, words: Any) -> bool:
    if word in _TERMS or words.known([word]):
        return True
    if any(words.known([word.replace(british, american)]) for british, american in _BRITISH if british in word):
        return True
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= 3 and words.known([stem, f"{stem}e", f"{stem}y", *_undoubled(stem)]):
            return True
    for start in _BEGINNINGS:
        rest = word.removeprefix(start)
        if rest != word and len(rest) >= 3 and words.known([rest]):
            return True
    # A slip rarely leaves two words of four letters.
    return any(len(words.known([word[:at], word[at:]])) == 2 for at in range(4, len(word) - 3))


def _undoubled(stem: str) -> list[str]:
    return [stem[:-1]] if len(stem) > 3 and stem[-1] == stem[-2] else []


def _language(text: str) -> str:
    """Return the language of most of a text; of few words in Latin letters, the one that knows most of them."""
    weights = script_weights(text)
    if not weights:
        return ""
    script = max(weights, key=lambda code: weights[code])
    if script != LATIN:
        return script
    code, probability = latin_language(text)
    if probability >= _SURE and weights[LATIN] >= _ENOUGH_LETTERS:
        return code
    used = {word.lower() for word in _WORD.findall(_ADDRESS.sub(" ", text))}
    return max(LANGUAGES, key=lambda each: len(_words(each).known(used)))


@functools.cache
def _words(language: str) -> Any:
    # Imported late: reading a list takes half a second.
    return importlib.import_module("spellchecker").SpellChecker(language=language, distance=1)


def _each_once(boxes: list[EvidenceBox]) -> list[EvidenceBox]:
    return list(dict.fromkeys(boxes))


SPELLING = Rule(
    name="spelling", title="No word is misspelt", judge=spelling, parameters=SpellingParameters,
    needs=frozenset({Fact.SLIDES, Fact.TEXT}), is_verdict=False,
)  # fmt: skip
