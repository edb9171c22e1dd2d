"""A judge that says what it is told to, for conversations without a server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from studio.judges.shown import ShownDeck
from studio.model.ids import DeckId, InstanceId, Sha256
from studio.model.judging import (
    ImagePart,
    JudgeReply,
    JudgeRequest,
    ReplyEnd,
    TextPart,
    TokenChoice,
    Usage,
    VerdictRecord,
)

Says = str | JudgeReply | Callable[[JudgeRequest], str]


class Replying:
    """Answers call after call from a list and keeps what it was asked; asking once too often is a fault."""

    def __init__(self, *says: Says) -> None:
        self._says = list(says)
        self.asked: list[JudgeRequest] = []

    def __call__(self, requests: Sequence[JudgeRequest], /) -> Sequence[JudgeReply]:
        replies = []
        for request in requests:
            self.asked.append(request)
            said = self._says.pop(0)
            said = said(request) if callable(said) else said
            replies.append(reply(said) if isinstance(said, str) else said)
        return replies

    @property
    def calls(self) -> int:
        return len(self.asked)

    @property
    def is_used_up(self) -> bool:
        return not self._says


def reply(text: str = "", end: ReplyEnd = ReplyEnd.COMPLETE, tokens: tuple[TokenChoice, ...] = ()) -> JudgeReply:
    return JudgeReply(text=text, end=end, usage=Usage(), raw={}, tokens=tokens)


def words(request: JudgeRequest) -> str:
    """The last words of a request: the prompt."""
    last = request.parts[-1]
    assert isinstance(last, TextPart)
    return last.text


def picture(number: int, label: str = "deck slide") -> ImagePart:
    return ImagePart(path=Path(f"slide_{number:04d}.png"), sha256=Sha256(f"{number:064x}"), label=f"{label} {number}")


def deck(name: str = "d1", slides: int = 3, label: str = "deck slide") -> ShownDeck:
    return ShownDeck(
        deck_id=DeckId(name), parts=tuple(picture(number, label) for number in range(1, slides + 1)),
        slides=tuple(range(1, slides + 1)), texts=tuple(f"Text of {number}" for number in range(1, slides + 1)),
    )  # fmt: skip


def about(item_id: str, deck_id: str = "d1", **more: object) -> VerdictRecord:
    return VerdictRecord(instance_id=InstanceId("i1"), deck_id=DeckId(deck_id), item_id=item_id, **more)  # type: ignore[arg-type]
