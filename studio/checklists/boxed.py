r"""Reads the verdict out of a judge's reply: ``\boxed{yes}`` or ``\boxed{no}`` somewhere in free words.

Two readings (decision 19): the default takes the last box that holds a verdict and flags a reply whose boxes
contradict each other; the compatible one gives what the reference stores, whatever stands in the box.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from studio.checklists.pages import Mode
from studio.model.checklists import ItemAnswer

_REFERENCE_BOX = re.compile(r"\\boxed\{([^}]+)\}")
_COMMAND = re.compile(r"\\[A-Za-z]+\s*")
_COLOURED = re.compile(r"\\(?:text)?color\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}")
_BOX = "\\boxed{"
_AROUND = " \t\r\n.。．,，!！:：;；*_`~\"'“”‘’«»「」『』()（）$"
"""Emphasis, quotes and full stops that may stand around a verdict."""
_VERDICTS = {"yes": ItemAnswer.YES, "no": ItemAnswer.NO}
_LONGEST_BOX = 2000
"""Letters; a box that is longer holds no verdict, and looking for its end in every reply would take too long."""


@dataclass(frozen=True, kw_only=True)
class BoxedVerdict:
    """What a reply says."""

    answer: ItemAnswer | None
    """None: the reply holds no verdict and is to be asked for again; the reason says why."""
    token: str | None
    """The words that were read, case kept; None where there is no box."""
    reason: str = ""
    is_conflicting: bool = False
    """Boxes of one reply say both yes and no; the last one counts."""
    tokens: tuple[str, ...] = ()
    """The cleaned content of every box, in order."""

    @property
    def is_complete(self) -> bool:
        """Whether nobody needs to ask again."""
        return self.answer is not None


def read_boxed(reply: str | None, *, mode: Mode = Mode.DEFAULT) -> BoxedVerdict:
    """Return the verdict of a reply.

    Args:
        reply: the whole reply; None and empty text are no reply.
        mode: in compatible mode `token` is what the reference stores (any words end the asking), and `answer`
            is how its scoring treats them: yes, or no for everything else.
    """
    text = reply or ""
    return _compat(text) if mode is Mode.COMPAT else _default(text)


def _default(text: str) -> BoxedVerdict:
    tokens = tuple(_plain(content) for content in _balanced(text))
    valid = [token for token in tokens if token.lower() in _VERDICTS]
    if not valid:
        return BoxedVerdict(answer=None, token=tokens[-1] if tokens else None, reason=_why(text, tokens), tokens=tokens)
    said = {token.lower() for token in valid}
    return BoxedVerdict(
        answer=_VERDICTS[valid[-1].lower()], token=valid[-1], is_conflicting=len(said) > 1, tokens=tokens,
        reason="the reply says both yes and no; the last counts" if len(said) > 1 else "",
    )  # fmt: skip


def _compat(text: str) -> BoxedVerdict:
    tokens = tuple(_cleaned(content) for content in _REFERENCE_BOX.findall(text))
    if not tokens:
        return BoxedVerdict(answer=None, token=None, reason=_why(text, tokens))
    token = tokens[0] if tokens[0].lower() in _VERDICTS else tokens[-1]
    said = {each.lower() for each in tokens} & set(_VERDICTS)
    answer = ItemAnswer.YES if token.strip().lower() == "yes" else ItemAnswer.NO
    return BoxedVerdict(answer=answer, token=token, is_conflicting=len(said) > 1, tokens=tokens)


def _why(text: str, tokens: tuple[str, ...]) -> str:
    if not text.strip():
        return "the reply is empty"
    if not tokens:
        return "the reply has no boxed verdict"
    return f"the box holds {tokens[-1][:40]!r} and neither yes nor no"


def _balanced(text: str) -> list[str]:
    r"""Return the content of each ``\boxed{…}`` with its braces counted; one that never closes is no box."""
    found = []
    at = text.find(_BOX)
    while at != -1:
        begin = at + len(_BOX)
        depth, place = 1, begin
        while place < min(len(text), begin + _LONGEST_BOX) and depth:
            letter = text[place]
            depth += (letter == "{") - (letter == "}")
            place += 1
        if depth:
            # A box that is never closed must not swallow the ones that follow it.
            at = text.find(_BOX, begin)
            continue
        content = text[begin : place - 1]
        inner = _balanced(content) if _BOX in content else []
        found += inner or [content]
        at = text.find(_BOX, place)
    return found


def _plain(content: str) -> str:
    without = _COMMAND.sub("", _COLOURED.sub("", content)).replace("{", "").replace("}", "").replace("\\ ", " ")
    return without.strip(_AROUND)


def _cleaned(content: str) -> str:
    """Return a box's content as the reference cleans it."""
    return _COMMAND.sub("", content.strip()).replace("{", "").replace("}", "").strip().strip(".").strip()
