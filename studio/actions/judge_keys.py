"""The keys of judges: which there are, keeping one in the system's keyring, and forgetting it. Never their values."""

from __future__ import annotations

from dataclasses import dataclass

from studio.judges import keys
from studio.judges.keys import KEY_NAMES, FoundKey, KeySource
from studio.model.judging import JudgeSetup


@dataclass(frozen=True, kw_only=True)
class KeyState:
    """Whether a provider's key is there, and from where; never the key."""

    provider: str
    name: str
    """In the environment and in the keyring."""
    source: KeySource
    warning: str = ""
    """Why it is not safe where it is."""

    @property
    def is_present(self) -> bool:
        """Whether there is a key."""
        return self.source is not KeySource.NONE


def key_states() -> list[KeyState]:
    """Return the state of every provider's key."""
    states = []
    for provider, name in KEY_NAMES.items():
        source = keys.find_key(provider).source
        warning = keys.keyring_warning() if source is KeySource.KEYRING else ""
        states.append(KeyState(provider=provider, name=name, source=source, warning=warning))
    return states


def key_for(setup: JudgeSetup) -> FoundKey:
    """Return a judge's key for its client and for nothing else; an empty one where there is none."""
    return keys.find_key(setup.provider)


def keep_key(provider: str, value: str) -> KeyState:
    """Keep a key in the system's keyring and return its state.

    Raises:
        BadInput: for a provider without keys, or an empty key.
        StudioError: if the keyring is not there or not safe.
    """
    keys.keep_key(provider, value)
    return KeyState(provider=provider, name=KEY_NAMES[provider], source=keys.find_key(provider).source)


def forget_key(provider: str) -> bool:
    """Return whether a key was removed from the keyring; one in the environment stays."""
    return keys.forget_key(provider)
