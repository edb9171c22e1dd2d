"""Makes the client of a judge."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from studio.errors import BadInput
from studio.judges.keys import KEY_NAMES
from studio.judges.openai_compatible import LOCAL_SERVERS, needs_no_key
from studio.judges.redaction import Secret
from studio.judges.settings import read_settings
from studio.judges.uploads import UploadNotes
from studio.long_lived import keep_library
from studio.model.judging import JudgeClient, JudgeSetup

PROVIDERS = ("gemini", "openai", "code", "scripted")


def read_setup(judge: str, *, base_url: str = "", settings: Mapping[str, object] | None = None) -> JudgeSetup:
    """Return the setup of a judge named ``provider:model``, such as ``openai:gpt-4o-mini`` or ``code``.

    Args:
        judge: its name.
        base_url: another endpoint than the provider's; the name of a local server (`LOCAL_SERVERS`) will do.
        settings: as text or values; see `studio.judges.settings`.

    Raises:
        BadInput: for an unknown provider, a missing model, or a setting that does not fit.
    """
    provider, _, model = judge.partition(":")
    if provider not in PROVIDERS:
        raise BadInput(
            f"There is no judge {judge}: its provider is not known.",
            next_step="Name it gemini:MODEL, openai:MODEL, code or scripted:FILE.",
        )
    if not model and provider != "code":
        raise BadInput(f"The judge {judge} has no model.", next_step=f"Name it {provider}:MODEL.")
    presets = {name.casefold(): address for name, address in LOCAL_SERVERS.items()}
    return JudgeSetup(
        provider=provider, model=model, base_url=presets.get(base_url.casefold(), base_url).rstrip("/"),
        settings=read_settings(settings or {}),
    )  # fmt: skip


def needs_key(setup: JudgeSetup) -> bool:
    """Return whether a judge can be asked only with a key."""
    match setup.provider:
        case "gemini":
            return True
        case "openai":
            return not needs_no_key(setup.base_url)
        case _:
            return False


def connect(setup: JudgeSetup, *, key: Secret | str | None = None, notes: Path | None = None) -> JudgeClient:
    """Return a client for a judge; call it off the window's thread, since the libraries take seconds to load.

    Args:
        setup: the judge.
        key: its key; None where it needs none.
        notes: folder for notes of what is uploaded, so that a later start deletes what a crash left behind.

    Raises:
        BadInput: if a key is needed and missing, or the provider is asked in another way.
    """
    secret = key if isinstance(key, Secret) else Secret(key or "")
    if needs_key(setup) and not secret:
        name = KEY_NAMES[setup.provider]
        raise BadInput(
            f"{setup.id} needs a key, and there is none.",
            next_step=f"Set {name} in the environment, or keep it in the system's keyring (Settings, Judges).",
        )
    match setup.provider:
        case "gemini":
            from studio.judges.gemini import GeminiClient

            client = GeminiClient(setup, secret, notes=UploadNotes(notes) if notes else None)
            keep_library("google-genai")
            client.delete_left_over()
            return client
        case "openai":
            from studio.judges.openai_compatible import OpenAIClient

            asks = OpenAIClient(setup, secret)
            keep_library("openai")
            return asks
        case "scripted":
            from studio.judges.scripted import ScriptedClient

            return ScriptedClient(setup)
    raise BadInput(f"{setup.id} is not asked through a server.", next_step="Choose another judge.")
