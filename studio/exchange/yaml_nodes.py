"""YAML by its nodes: every scalar with what it is and what a YAML 1.1 reader would make of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from studio.errors import BadInput

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LARGEST_BYTES = 64 << 20


class Plain(NamedTuple):
    """A scalar as it stands."""

    text: str
    resolved: Any
    """What YAML 1.1 makes of it: True for an unquoted ``yes``, 1.1 for an unquoted ``1.10``, None for ``null``."""


Node = Plain | dict[Plain, Any] | list[Any]


class Mapping(dict[str, Any]):
    """A mapping with string keys as they stand in the file."""

    def __init__(self) -> None:
        super().__init__()
        self.unquoted: dict[str, Any] = {}
        """Keys that YAML 1.1 reads as something else than a string, with what."""
        self.repeated: list[str] = []


def read_yaml(path: Path) -> Any:
    """Return a file's content: `Mapping`, lists, and `Plain` scalars.

    Raises:
        BadInput: if it cannot be read, is not UTF-8 or no YAML.
    """
    try:
        if path.stat().st_size > _LARGEST_BYTES:
            raise BadInput(f"{path.name} is larger than a result file can be.", next_step="Check the path.")
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path.name} is not UTF-8.", next_step="Save it as UTF-8.") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror or error}).", next_step="Check the path.") from error
    if is_lfs_pointer(text):
        raise BadInput(f"{path.name} is a Git LFS pointer, not the file.", next_step="Run: git lfs pull")
    return parse_yaml(text, path.name)


def parse_yaml(text: str, name: str) -> Any:
    """Return YAML text as `Mapping`, lists and `Plain` scalars; None for an empty document.

    Raises:
        BadInput: if it is no YAML.
    """
    try:
        node = yaml.compose(text, Loader=_LOADER)
        if node is None:
            return None
        return _of(node, yaml.SafeLoader("").construct_object, {})
    except yaml.YAMLError as error:
        where = getattr(error, "problem_mark", None)
        line = f", line {where.line + 1}" if where is not None else ""
        raise BadInput(
            f"{name}{line} is no YAML: {getattr(error, 'problem', None) or 'it cannot be read'}.",
            next_step="Mend that line.",
        ) from error
    except (RecursionError, ValueError) as error:
        raise BadInput(f"{name} cannot be read as YAML: {error or 'nested without end'}.") from error


def _of(node: Any, resolve: Callable[[Any], Any], seen: dict[int, Any]) -> Any:
    if id(node) in seen:
        # An alias stands for the same value; one inside itself has no end.
        if seen[id(node)] is None:
            raise ValueError("an alias is inside what it stands for")
        return seen[id(node)]
    seen[id(node)] = None
    found: Any
    if isinstance(node, yaml.ScalarNode):
        found = _scalar(node, resolve)
    elif isinstance(node, yaml.SequenceNode):
        found = [_of(each, resolve, seen) for each in node.value]
    else:
        found = Mapping()
        for key_node, value_node in node.value:
            key = _of(key_node, resolve, seen)
            if not isinstance(key, Plain):
                raise ValueError("a key is not a single value")
            if key.text in found:
                found.repeated.append(key.text)
            if not isinstance(key.resolved, str):
                found.unquoted[key.text] = key.resolved
            found[key.text] = _of(value_node, resolve, seen)
    seen[id(node)] = found
    return found


def _scalar(node: Any, resolve: Callable[[Any], Any]) -> Plain:
    if node.tag == "tag:yaml.org,2002:str":
        return Plain(node.value, node.value)
    return Plain(node.value, resolve(node))


def is_lfs_pointer(text: str) -> bool:
    """Say whether a text stands in for a large file that was not fetched."""
    return text.startswith("version https://git-lfs.github.com/spec/")
