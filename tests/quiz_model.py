"""What a fake server says in place of a model that builds question banks and reads slides, with faults put in."""

from __future__ import annotations

import json
import re
import threading
import zlib
from collections import Counter
from typing import Any

from tests.fake_judge_server import Call

INVENTED = "The invented network has 7,777 stations on the moon."
_PAGE = re.compile(r"^\[source (?P<source>.+?) · page (?P<page>\d+)\]$", re.MULTILINE)
_SENTENCE = re.compile(r"[^.\n]+\d[^.\n]*\.(?=\s|$)")
_FACT = re.compile(r"^(\d+)\. (.*?)\n(?:Value: (.*?)\n)?Quote \((.*?), page (\d+)\): (.*?)$", re.MULTILINE)


class QuizModel:
    """Answers by the phase that a call belongs to; counts how often each prompt came.

    Args:
        broken: how many calls of each phase get broken JSON first.
    """

    def __init__(self, *, broken: int = 0) -> None:
        self.broken = broken
        self.asked: Counter[str] = Counter()
        self.phases: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __call__(self, call: Call) -> str:
        if "Write down everything on them" in call.text:
            with self._lock:
                self.phases["describe"] += 1
            return "# Slide 1: As read\n- The answer is two\n# Slide 2\n- Nothing else"
        phase = self._phase(call.text)
        with self._lock:
            self.asked[call.text] += 1
            self.phases[phase] += 1
            is_broken = self.asked[call.text] <= self.broken
        if is_broken:
            return '{"evidence": [{"type": "data", "claim": "half'
        return json.dumps(getattr(self, f"_{phase}")(call.text), ensure_ascii=False)

    def _phase(self, text: str) -> str:
        for words, phase in (
            ("List the facts on them", "analyst"), ("Check the list as a sceptic", "critic"),
            ("multiple-choice questions, exactly one", "setter"), ("Answer each from this material", "answers"),
            ("there is no material to look at", "closed"),
        ):  # fmt: skip
            if words in text:
                return phase
        raise AssertionError(f"no phase asks so: {text[:80]}")

    def _analyst(self, text: str) -> dict[str, Any]:
        found: list[dict[str, Any]] = []
        for source, page, words in _pages(text):
            for number, match in enumerate(_SENTENCE.finditer(words)):
                quote = match.group().strip()
                value = re.search(r"\d[\d,.]*\d|\d", quote)
                entry = {
                    "type": "data" if number % 2 else "concept", "claim": f"It is said that {quote}",
                    "value": value.group() if value and number % 2 else "", "source": source, "page": page,
                    "quote": quote,
                }  # fmt: skip
                found += [entry, entry]
                # The same with another number: what a model makes up.
                changed = re.sub(r"\d", lambda digit: str((int(digit[0]) + 3) % 10), quote)
                found.append({**entry, "type": "data", "claim": changed, "quote": changed, "value": ""})
            found.append({"type": "data", "claim": INVENTED, "value": "7,777", "source": source, "page": page,
                          "quote": INVENTED})  # fmt: skip
        return {"evidence": [*found, "no object", {"type": "poem"}]}

    def _critic(self, text: str) -> dict[str, Any]:
        facts = _FACT.findall(text)
        additions = [
            {"type": "concept", "claim": f"Added: {quote}", "source": source, "page": int(page), "quote": quote}
            for _, _, _, source, page, quote in facts[1:2]
            if "Added" not in text
        ]
        additions.append({"type": "data", "claim": INVENTED, "value": "7,777", "page": 1, "quote": INVENTED})
        verdicts = [{"id": number, "supported": number != "2", "reason": "goes beyond its quote"}
                    for number, *_ in facts]  # fmt: skip
        return {"verdicts": verdicts, "additions": additions}

    def _setter(self, text: str) -> dict[str, Any]:
        questions = []
        for place, (number, claim, value, *_rest) in enumerate(_FACT.findall(text)):
            right = value or f"What claim {number} says: {claim[:40]}"
            wrong = [f"{place + 1}{n}3.5" if value else f"Something else, kind {n} of {claim[8:30]}" for n in (1, 2, 3)]
            if place == 0:
                wrong[0] = wrong[1]  # two options alike: not to be let through
            # No words of the claim: a question that holds its own answer is not let through.
            mark = "".join(chr(97 + int(digit, 16)) for digit in f"{zlib.crc32(claim.encode()):x}")
            asked = f"What is true of item {number} ({mark})?"
            questions.append({"id": number, "question": asked, "right": right, "wrong": wrong, "explanation": "x"})
        return {"questions": questions}

    def _answers(self, text: str) -> dict[str, Any]:
        numbers = re.findall(r"^(\d+)\. ", text.rpartition("Questions:")[2], re.MULTILINE)
        return {"answers": [{"id": each, "answer": "A", "slides": [1], "reason": "read"} for each in numbers]}

    _closed = _answers


def _pages(text: str) -> list[tuple[str, int, str]]:
    marks = list(_PAGE.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    return [(mark["source"], int(mark["page"]), text[mark.end() : end]) for mark, end in zip(marks, ends, strict=True)]
