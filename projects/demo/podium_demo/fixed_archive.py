"""Office files that are the same bytes on every build."""

from __future__ import annotations

import io
import re
import zipfile

_DATE = (2026, 1, 1, 0, 0, 0)
_STAMP = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*(</dcterms:)")


def fixed(archive: bytes) -> bytes:
    """Return an Office file with fixed dates in its entries, properties and workbooks."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(archive)) as source,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for entry in source.infolist():
            data = source.read(entry.filename)
            if entry.filename.endswith(".xlsx"):
                data = fixed(data)
            elif entry.filename == "docProps/core.xml":
                data = _STAMP.sub(rb"\g<1>2026-01-01T00:00:00Z\g<3>", data)
            info = zipfile.ZipInfo(entry.filename, _DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = 0o600 << 16
            target.writestr(info, data)
    return out.getvalue()
