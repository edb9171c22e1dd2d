"""Asking for a provider's key, which goes to the system's keyring and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QWidget

from studio.actions import judge_keys
from studio.actions.judge_keys import KeyState
from studio.gui.context import AppContext
from studio.gui.dialogs.password import PasswordDialog


def ask_for_key(
    context: AppContext, parent: QWidget, provider: str, kept: Callable[[Sequence[KeyState]], None]
) -> None:
    """Open the dialog that keeps a provider's key; `kept` is told which keys there are afterwards."""
    name = judge_keys.KEY_NAMES[provider]

    def keep(value: str) -> list[KeyState]:
        judge_keys.keep_key(provider, value)
        return judge_keys.key_states()

    dialog = PasswordDialog(
        name, keep, context.background, parent, title="Keep a key", about=f"The key of {provider}",
        kept="It is kept in this system's keyring and nowhere else: not in the project, its exports or the log. "
        f"{name} in the environment counts before it.", placeholder="Key", verb="Keep",
    )  # fmt: skip
    dialog.opened.connect(kept)
    dialog.open()
