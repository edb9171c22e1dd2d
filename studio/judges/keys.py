"""Where keys come from: the environment first, then the system's keyring; nowhere else."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum

from studio.errors import BadInput, StudioError
from studio.judges.redaction import Secret

SERVICE = "podium-studio"
KEY_NAMES = {"gemini": "GEMINI_API_KEY", "openai": "OPENAI_API_KEY"}
"""Provider → name in the environment, and user name in the keyring."""

_PLAIN = frozenset({"PlaintextKeyring"})


class KeySource(StrEnum):
    """Where a key was found."""

    NONE = "none"
    ENVIRONMENT = "environment"
    KEYRING = "keyring"


@dataclass(frozen=True, kw_only=True)
class FoundKey:
    """A key, or that there is none; the key shows itself to nobody by accident."""

    key: Secret
    source: KeySource


def find_key(provider: str) -> FoundKey:
    """Return the key of a provider; an empty one if there is none or the provider needs none."""
    name = KEY_NAMES.get(provider)
    if name is None:
        return FoundKey(key=Secret(""), source=KeySource.NONE)
    value = os.environ.get(name, "").strip()
    if value:
        return FoundKey(key=Secret(value), source=KeySource.ENVIRONMENT)
    kept = _from_keyring(name)
    return FoundKey(key=Secret(kept), source=KeySource.KEYRING if kept else KeySource.NONE)


def keep_key(provider: str, value: str) -> None:
    """Keep a key in the system's keyring.

    Raises:
        BadInput: for a provider without keys, or an empty key.
        StudioError: if there is no keyring, or it would write the key down readable for everybody.
    """
    import keyring
    from keyring.errors import KeyringError

    if provider not in KEY_NAMES or not value.strip():
        raise BadInput("There is no key to keep.", next_step="Choose a provider and give its key.")
    warning = keyring_warning()
    if warning:
        raise StudioError(warning, next_step=f"Set {KEY_NAMES[provider]} in the environment instead.")
    try:
        keyring.set_password(SERVICE, KEY_NAMES[provider], value.strip())
    except KeyringError as error:
        raise StudioError(
            f"The keyring did not take the key ({type(error).__name__}).",
            next_step=f"Set {KEY_NAMES[provider]} in the environment instead.",
        ) from None


def forget_key(provider: str) -> bool:
    """Return whether a key was removed from the keyring."""
    import keyring
    from keyring.errors import KeyringError

    try:
        keyring.delete_password(SERVICE, KEY_NAMES[provider])
    except KeyringError:
        return False
    return True


def keyring_warning() -> str:
    """Return why the system's keyring is not fit for keys; empty if it is."""
    import keyring
    from keyring.errors import KeyringError

    try:
        backend = keyring.get_keyring()
    except KeyringError as error:
        return f"There is no keyring on this system ({type(error).__name__})."
    names = {type(each).__name__ for each in getattr(backend, "backends", [backend])[:1]}
    module = type(backend).__module__
    if names & _PLAIN:
        return "This system's keyring writes keys into a file that anybody with your account's files can read."
    if module.startswith(("keyring.backends.fail", "keyring.backends.null")):
        return "There is no keyring on this system."
    return ""


def _from_keyring(name: str) -> str:
    import keyring
    from keyring.errors import KeyringError

    try:
        return (keyring.get_password(SERVICE, name) or "").strip()
    except KeyringError:
        return ""
