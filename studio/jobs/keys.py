"""Keys of units: equal keys mean equal results, so that what is done is never done twice."""

from __future__ import annotations

import hashlib
import json

from studio.store.values import plain


def unit_key(*parts: object) -> str:
    """Return the key of a unit made from these parts (hashes, names, versions, parameters), 64 hex digits."""
    text = json.dumps([plain(part) for part in parts], sort_keys=True, ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()
