"""The prices of models as a table that the user can change; what was shipped stays, the user's own count before it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import tomlkit
from tomlkit.exceptions import TOMLKitError

from studio import paths
from studio.errors import BadInput
from studio.judges.pricing import FILE_NAME, Price, read_prices
from studio.whole_files import write_whole


@dataclass(frozen=True, kw_only=True)
class PriceRow:
    """One model's price and where it comes from."""

    model: str
    price: Price
    is_own: bool
    """Whether the user's file says it."""
    is_shipped: bool
    """Whether removing the user's own price leaves one that was shipped."""


def price_rows() -> list[PriceRow]:
    """Return all known prices by model.

    Raises:
        BadInput: if the user's file cannot be read.
    """
    shipped, own = paths.resource(f"prices/{FILE_NAME}"), paths.config_dir() / FILE_NAME
    ours = read_prices(shipped, shipped.with_name("none"))
    theirs = read_prices(own, own).models if own.is_file() else {}
    both = {**ours.models, **theirs}
    return [
        PriceRow(model=name, price=both[name], is_own=name in theirs, is_shipped=name in ours.models)
        for name in sorted(both, key=str.casefold)
    ]


def set_price(model: str, price: Price) -> None:
    """Write a model's price into the user's file; its other entries and comments stay as they are.

    Raises:
        BadInput: for a name or a number that cannot be, or a file that cannot be read or written.
    """
    name = model.strip()
    if not name:
        raise BadInput("A price needs the name of a model.", next_step="Write the model's name as the provider does.")
    for value, what in ((price.input, "Input"), (price.output, "Output"), (price.cached_input, "Cached input")):
        if not (0 <= value < math.inf):
            raise BadInput(f"{what} cannot cost {value:g}.", next_step="Give US dollars for a million tokens.")
    document = _document()
    models = document.setdefault("models", tomlkit.table(is_super_table=True))
    entry = models.get(name) or tomlkit.table()
    entry.update({"input": price.input, "output": price.output, "cached_input": price.cached_input})
    for field, words in (("as_of", price.as_of), ("entered", price.entered), ("note", price.note)):
        if words:
            entry[field] = words
        else:
            entry.pop(field, None)
    models[name] = entry
    _write(document)


def remove_price(model: str) -> bool:
    """Return whether a price of the user's own was removed; one that was shipped stays."""
    document = _document()
    models = document.get("models", {})
    if model not in models:
        return False
    del models[model]
    _write(document)
    return True


def _document() -> tomlkit.TOMLDocument:
    own = paths.config_dir() / FILE_NAME
    if not own.is_file():
        return tomlkit.document()
    try:
        return tomlkit.parse(own.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, TOMLKitError) as error:
        raise BadInput(f"The prices in {own.name} cannot be read: {error}.", next_step=f"Correct {own}.") from error


def _write(document: tomlkit.TOMLDocument) -> None:
    own = paths.config_dir() / FILE_NAME
    try:
        write_whole(own, tomlkit.dumps(document))
    except OSError as error:
        raise BadInput(
            f"The prices cannot be written ({error.strerror or error}).", next_step=f"Make room for {own}."
        ) from error
