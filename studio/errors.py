"""The errors that a user may see: each says what happened and what to do next."""

from __future__ import annotations

from collections.abc import Callable


class StudioError(Exception):
    """A problem that a user can act on.

    The message is one line that names the thing it happened to; `next_step` says what to do.
    Any exception that is not a `StudioError` is a fault of ours and reaches the crash dialog.
    """

    def __init__(self, message: str, *, next_step: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.next_step = next_step

    def __str__(self) -> str:
        return f"{self.message} {self.next_step}".strip()

    def __reduce__(self) -> tuple[Callable[..., StudioError], tuple[object, ...]]:
        # Exceptions are rebuilt from their positional arguments, which would lose the keyword-only ones on the
        # way back from a worker process.
        return _rebuilt, (type(self), self.args, dict(self.__dict__))


def _rebuilt(kind: type[StudioError], arguments: tuple[object, ...], state: dict[str, object]) -> StudioError:
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(state)
    return error


class BadInput(StudioError):
    """Something the user typed, chose or sent in cannot be used as it is."""


class DeckUnreadable(StudioError):
    """A file that should be a deck or a source cannot be read.

    `kind` is one of the failure kinds of `studio.model.decks.FailureKind`.
    """

    def __init__(self, kind: str, message: str, *, next_step: str = "") -> None:
        super().__init__(message, next_step=next_step)
        self.kind = kind


class ToolMissing(StudioError):
    """A program that the studio calls (LibreOffice, Chromium) was not found."""


class ProjectLocked(StudioError):
    """Another program holds the project for writing."""


class ProjectTooNew(StudioError):
    """The project was written by a newer studio than this one."""


class ProjectDamaged(StudioError):
    """The project's database failed its integrity check or is no project at all."""


class Cancelled(StudioError):
    """The user stopped the work; what was finished is kept."""
