"""Steerable pyramid of a picture plane, three levels and four orientations, by real float32 FFTs.

The bands are those of the frequency-domain pyramid of Portilla and Simoncelli as pyrtools computes them
(``SteerablePyramidFreq(height=3, order=3)``), with three differences that change the cost and not the
numbers: a plane is real, so half of its spectrum is enough; the radial and angular masks of a band and of
everything above it are multiplied once per picture size and kept; single precision.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.fft
from numpy.typing import NDArray

LEVELS = 3
ORIENTATIONS = 4
N_BANDS = LEVELS * ORIENTATIONS + 2
MIN_SIDE_PX = 32
"""Shortest side that has room for three levels: floor(log2(side)) - 2 must be at least 3."""

BAND_NAMES: tuple[str, ...] = (
    "highpass",
    *(f"level{level}_{45 * turn}deg" for level in range(LEVELS) for turn in range(ORIENTATIONS)),
    "lowpass",
)
"""Names of the bands in the order in which they come."""

_Real = NDArray[np.float64]
_Mask = NDArray[np.float32]
_SIZES_KEPT = 4
"""Picture sizes whose masks stay in memory; 1280×720 takes 12 MB."""


@dataclass(frozen=True, kw_only=True)
class _Level:
    """One size of the pyramid and the masks that belong to it, on the half spectrum of that size."""

    shape: tuple[int, int]
    oriented: tuple[_Mask, ...]


@dataclass(frozen=True, kw_only=True)
class PyramidMasks:
    """Masks for one picture size."""

    shape: tuple[int, int]
    highpass: _Mask
    levels: tuple[_Level, ...]
    lowpass_shape: tuple[int, int]
    lowpass: _Mask


def bands(plane: NDArray[np.float32]) -> Iterator[NDArray[np.float32]]:
    """Yield the 14 bands of a plane: high-pass, four orientations per level from fine to coarse, low-pass.

    Args:
        plane: (height, width), both at least 32; the edges wrap around.

    Yields:
        Arrays of the plane's size for the high-pass and the first level, of about half that per side for
        each level further down. Each is a new array.

    Raises:
        ValueError: if a side is shorter than 32 pixels.

    Source:
        Simoncelli & Freeman (1995), "The steerable pyramid"; Karasaridis & Simoncelli (1996) for the masks.
    """
    masks = pyramid_masks(plane.shape[0], plane.shape[1])
    spectrum = scipy.fft.rfft2(plane, workers=1)
    yield _inverse(spectrum * masks.highpass, masks.shape)
    # The oriented filters are odd (order 3), so their spectra are imaginary: the factor is taken once.
    turned = spectrum * np.complex64(1j)
    for level in masks.levels:
        part = _crop_half(turned, level.shape)
        for mask in level.oriented:
            yield _inverse(part * mask, level.shape)
    yield _inverse(_crop_half(spectrum, masks.lowpass_shape) * masks.lowpass, masks.lowpass_shape)


@functools.lru_cache(maxsize=_SIZES_KEPT)
def pyramid_masks(height: int, width: int) -> PyramidMasks:
    """Return the masks for pictures of one size.

    Raises:
        ValueError: if a side is shorter than 32 pixels.
    """
    if min(height, width) < MIN_SIDE_PX:
        raise ValueError(f"a pyramid of {LEVELS} levels needs sides of {MIN_SIDE_PX} pixels")
    angle, log_radius = _polar(height, width)
    rise_at, rise = _raised_cosine()
    fall = np.sqrt(np.clip(1.0 - rise**2, 0.0, None))

    highpass = _even_half(np.interp(log_radius, rise_at, rise))
    passed = np.interp(log_radius, rise_at, fall)
    levels: list[_Level] = []
    for level in range(LEVELS):
        shift = level + 1.0
        ring = passed * np.interp(log_radius, rise_at - shift, rise)
        levels.append(
            _Level(
                shape=passed.shape,
                oriented=tuple(_odd_half(ring * _lobe(angle, turn)) for turn in range(ORIENTATIONS)),
            )
        )
        rows, columns = _centre(passed.shape[0]), _centre(passed.shape[1])
        log_radius, angle = log_radius[rows, columns], angle[rows, columns]
        passed = passed[rows, columns] * np.interp(log_radius, rise_at - shift, fall)
    return PyramidMasks(
        shape=(height, width),
        highpass=highpass,
        levels=tuple(levels),
        lowpass_shape=passed.shape,
        lowpass=_even_half(passed),
    )


def _polar(height: int, width: int) -> tuple[_Real, _Real]:
    """Return angle and log2 radius of each frequency, zero frequency in the middle, 1 at the Nyquist limit.

    With an odd side the grid is off the middle by half a step. That is so in pyrtools and is kept, since
    published values depend on it.
    """
    x = np.linspace(-1.0, 1.0, width + 1)[:-1]
    y = np.linspace(-1.0, 1.0, height + 1)[:-1, None]
    radius = np.hypot(x, y)
    radius[height // 2, width // 2] = radius[height // 2, width // 2 - 1]
    return np.arctan2(y, x + 0.0 * y), np.log2(radius)


def _raised_cosine() -> tuple[_Real, _Real]:
    """Return the table, log2 radius → pass, of a filter that rises over the octave below the Nyquist limit.

    256 straight pieces, as in pyrtools, rather than the cosine itself: it keeps the bands equal to its
    bands to the last digits of single precision.
    """
    steps = np.arange(257) / 256.0
    return steps - 1.0, np.sqrt(np.cos(0.5 * np.pi * (steps - 1.0)) ** 2)


def _lobe(angle: _Real, turn: int) -> _Real:
    """Return the angular filter: the cube of a cosine, scaled so that the four squares add up to 1."""
    # 2^(2n) n!^2 / ((n + 1) (2n)!) for order n = 3: 64 · 36 / (4 · 720) = 0.8.
    at = np.pi * np.arange(-2049, 1026) / 1024.0
    table = np.sqrt(0.8) * np.cos(at) ** 3
    lobe: _Real = np.interp(angle, at + np.pi * turn / ORIENTATIONS, table)
    return lobe


def _centre(side: int) -> slice:
    """Return the middle half of a side; zero frequency is where a shifted spectrum of that size has it."""
    half = (side + 1) // 2
    start = side // 2 - half // 2
    return slice(start, start + half)


def _mirrored(mask: _Real) -> _Real:
    """Return the mask at the opposite frequencies; zero frequency first."""
    flipped: _Real = np.roll(mask[::-1, ::-1], (1, 1), axis=(0, 1))
    return flipped


def _even_half(mask: _Real) -> _Mask:
    """Return what of a mask survives in the real part of the band, on the half spectrum.

    The real part of an inverse transform keeps the Hermitian part of a spectrum; a real plane's spectrum
    is Hermitian already, so that is the part of the mask that is even.
    """
    unshifted = np.fft.ifftshift(mask)
    return _half((unshifted + _mirrored(unshifted)) / 2.0)


def _odd_half(mask: _Real) -> _Mask:
    """Return what of a mask with a factor i survives in the real part of the band: its odd part."""
    unshifted = np.fft.ifftshift(mask)
    return _half((unshifted - _mirrored(unshifted)) / 2.0)


def _half(mask: _Real) -> _Mask:
    half = np.ascontiguousarray(mask[:, : mask.shape[1] // 2 + 1], dtype=np.float32)
    half.flags.writeable = False
    return half


def _crop_half(spectrum: NDArray[np.complex64], shape: tuple[int, int]) -> NDArray[np.complex64]:
    """Return the low frequencies of a half spectrum as the half spectrum of a smaller plane.

    An even side's Nyquist row has no partner in the larger spectrum, but the low-pass masks are 0 there.
    """
    if spectrum.shape == (shape[0], shape[1] // 2 + 1):
        return spectrum
    columns = shape[1] // 2 + 1
    below = shape[0] // 2
    return np.concatenate([spectrum[: shape[0] - below, :columns], spectrum[-below:, :columns]])


def _inverse(spectrum: NDArray[np.complex64], shape: tuple[int, int]) -> NDArray[np.float32]:
    band: NDArray[np.float32] = scipy.fft.irfft2(spectrum, s=shape, overwrite_x=True, workers=1)
    return band
