"""Office files with a password, decrypted into a temporary copy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msoffcrypto  # type: ignore[import-untyped]
import olefile  # type: ignore[import-untyped]

from studio.decks.scratch import scratch
from studio.errors import DeckUnreadable
from studio.model.decks import FailureKind

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def is_encrypted_office(path: Path) -> bool:
    """Say whether a file is an encrypted Office Open XML file; False for anything unreadable."""
    try:
        with path.open("rb") as file:
            if file.read(8) != _OLE:
                return False
        with olefile.OleFileIO(str(path)) as ole:
            return bool(ole.exists("EncryptedPackage"))
    except Exception:  # olefile raises many types for damaged files; sniffing says what is wrong
        return False


@contextmanager
def decrypted(path: Path, password: str | None) -> Iterator[Path]:
    """Give a decrypted copy that is removed afterwards.

    Raises:
        DeckUnreadable: kind ``needs_password`` without a password or with a wrong one.
    """
    if not password:
        raise DeckUnreadable(
            FailureKind.NEEDS_PASSWORD,
            f"{path.name} is protected with a password.",
            next_step="Give its password, or save a copy without one.",
        )
    with scratch("decrypted") as folder:
        plain = folder / f"deck{path.suffix or '.pptx'}"
        try:
            with path.open("rb") as source, plain.open("wb") as out:
                office = msoffcrypto.OfficeFile(source)
                office.load_key(password=password, verify_password=True)
                office.decrypt(out)
        except Exception as error:  # msoffcrypto raises many types, wrong passwords among them
            raise DeckUnreadable(
                FailureKind.NEEDS_PASSWORD,
                f"{path.name} cannot be opened: the password given is wrong or the encryption unknown.",
                next_step="Check the password.",
            ) from error
        yield plain
