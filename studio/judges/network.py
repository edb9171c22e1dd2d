"""What both clients need to tell of a connection."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from studio.judges.redaction import Secret, reply_without
from studio.judges.reply_json import storable
from studio.model.judging import CallFailed, CallFault

_HTTP_LIBRARIES = frozenset({"httpx", "httpx2", "httpcore", "httpcore2", "aiohttp", "anyio", "h11", "h2"})


def is_network_error(error: BaseException) -> bool:
    """Return whether an error is of the connection: of the operating system or of an HTTP library."""
    return isinstance(error, OSError) or type(error).__module__.partition(".")[0] in _HTTP_LIBRARIES


def json_of(body: str | bytes, key: Secret) -> Mapping[str, Any]:
    """Return an answer's JSON, without the key that was sent.

    Raises:
        CallFailed: BROKEN_REPLY if it is none, or no object.
    """
    try:
        text = body if isinstance(body, str) else body.decode(json.detect_encoding(body), "surrogatepass")
        value = json.loads(reply_without(text, key))
    except ValueError:
        raise CallFailed(
            CallFault.BROKEN_REPLY, f"The answer is no JSON, or ends in the middle ({len(body)} characters)."
        ) from None
    if not isinstance(value, dict):
        raise CallFailed(CallFault.BROKEN_REPLY, "The answer is JSON, but no object.")
    return dict(storable(value))


def is_local(base_url: str) -> bool:
    """Return whether an address is of this machine."""
    host = urlsplit(base_url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
