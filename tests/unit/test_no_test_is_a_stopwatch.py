"""Elapsed time never decides a test: a slow machine is not a fault of the program."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
CLOCKS = {"time", "monotonic", "perf_counter", "process_time", "thread_time"}


def reads_a_clock(node: ast.AST) -> bool:
    return any(
        isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and each.func.attr.removesuffix("_ns") in CLOCKS
        and isinstance(each.func.value, ast.Name)
        and each.func.value.id == "time"
        for each in ast.walk(node)
    )


def stopwatches(code: str) -> list[int]:
    """Return the lines that assert something about a clock's reading, also by way of a name."""
    tree = ast.parse(code)
    named = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and reads_a_clock(node.value) and isinstance(node.value, ast.BinOp)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert)
        and any(
            reads_a_clock(compare) or any(isinstance(name, ast.Name) and name.id in named for name in ast.walk(compare))
            for compare in ast.walk(node.test)
            if isinstance(compare, ast.Compare)
        )
    ]


def test_that_no_test_passes_or_fails_by_the_clock():
    found = {
        path.relative_to(TESTS).as_posix(): lines
        for path in sorted(TESTS.rglob("*.py"))
        if "bench" not in path.relative_to(TESTS).parts and (lines := stopwatches(path.read_text("utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("assert time.monotonic() - begun < 2", [1]),
        ("took = time.perf_counter() - begun\nassert took < 1 and 3", [2]),
        ("assert process.wait(60) == 0", []),
        ("while time.monotonic() < until:\n    pass", []),
    ],
)
def test_that_a_stopwatch_is_known_by_its_reading(code, lines):
    assert stopwatches(code) == lines
