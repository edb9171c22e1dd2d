"""The size of a picture inside a package in pixels, from its head alone."""

from __future__ import annotations

import io
import warnings

from PIL import Image, UnidentifiedImageError

from studio.decks.structure.package import Package, PartFault

_HEAD_BYTES = 1 << 18
"""Enough for the sizes of all but JPEGs with a large preview in front, which are then read whole."""


def pixels_of(package: Package, part: str) -> tuple[int, int] | None:
    """Return width and height of a raster image, or None for vectors and what cannot be read."""
    for whole in (False, True):
        try:
            data = package.data(part) if whole else package.head(part, _HEAD_BYTES)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with Image.open(io.BytesIO(data)) as image:
                    # Metafiles have a size too, but none in pixels that are there.
                    return None if image.format in {"WMF", "EMF"} else (image.width, image.height)
        except PartFault:
            return None
        except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
            continue
    return None
