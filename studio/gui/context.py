"""What a page is given besides the project."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from studio.gui.background import Background
from studio.gui.image_cache import ImageCache
from studio.gui.theme import Theme
from studio.model.changes import Changes
from studio.model.passwords import PasswordVault
from studio.settings import Role, Settings

if TYPE_CHECKING:
    from studio.gui.shortcuts import Shortcuts


class Navigate(Protocol):
    """Goes to a page and a place on it, such as `navigate("compare", instance="inst_…")`."""

    def __call__(self, page_id: str, /, **place: str) -> None: ...


@dataclass(frozen=True, kw_only=True)
class AppContext:
    """The open project and the services of the window around it."""

    project: Any
    background: Background
    settings: Settings
    theme: Theme
    shortcuts: Shortcuts
    images: ImageCache
    navigate: Navigate
    toast: Callable[[str], None]
    """Shows one short line for a few seconds."""
    report: Callable[[BaseException], None]
    """Shows an error: a `StudioError` as a line with its next step, anything else in the crash dialog."""
    announce: Callable[[Changes], None]
    """Tells every page what an action changed."""
    set_crumb: Callable[[str], None]
    """Puts the study or instance between project and page in the top bar; empty takes it away."""
    set_saved: Callable[[str], None]
    """Shows the saved state at the right of the top bar, such as "saved 14:02:11"; empty hides it."""
    set_spend: Callable[[str], None]
    """Shows what judges have cost so far in the status line; empty hides it."""
    is_pack: bool = False
    """Whether the project came from a pack, whose window is an annotator's."""
    passwords: PasswordVault = field(default_factory=PasswordVault)
    """Passwords of protected decks and sources; cleared when the project is closed."""

    @property
    def role(self) -> Role:
        """The role of the present profile; in a pack always an annotator."""
        return Role.ANNOTATOR if self.is_pack else self.settings.role

    @property
    def is_blind(self) -> bool:
        """Whether system names, verdicts and other people's answers must not be seen."""
        return self.role is Role.ANNOTATOR
