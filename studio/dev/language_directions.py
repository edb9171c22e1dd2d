"""`python -m studio.dev.language_directions`: makes the constants of the multilingual encoder from its sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from studio.reflex import multilingual


def main() -> None:
    """Write the mean and the directions of languages among the resources."""
    query = multilingual.asked()
    mean, languages = multilingual.directions(
        {language: query(texts) for language, texts in multilingual.parallel_sentences().items()}
    )
    out = Path(__file__).resolve().parents[2] / "resources" / multilingual.DIRECTIONS
    with out.open("wb") as file:
        np.savez(file, mean=mean, languages=languages)


if __name__ == "__main__":
    main()
