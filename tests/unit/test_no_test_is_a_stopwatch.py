"""Elapsed time never decides a test: a slow machine is not a fault of the program.

Found is a difference of clock readings that is compared with anything, also by way of names and lists, and an
`assert` about a reading itself. A loop up to a deadline, ``while time.monotonic() < until``, is a guard against
hanging and stays. Not found is a duration that the program itself has measured.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
CLOCKS = {"time", "monotonic", "perf_counter", "process_time", "thread_time"}
SAME_MEANING = {"abs", "float", "int", "max", "mean", "median", "min", "round", "sorted", "sum"}
"""Functions of elapsed times that are elapsed times; what any other function makes of a time is something else."""
READINGS = CLOCKS | {f"{name}_ns" for name in CLOCKS}


def stopwatches(code: str) -> list[int]:
    """Return the lines of a module that compare elapsed time, ascending."""
    tree = ast.parse(code)
    clocks = _clock_calls(tree)
    return sorted({line for scope in _scopes(tree) for line in _compared(scope, clocks)})


def _clock_calls(tree: ast.Module) -> set[str]:
    """Return the words by which this module reads a clock, such as ``time.monotonic``."""
    words = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules = [each.asname or each.name for each in node.names if each.name == "time"]
            words |= {f"{module}.{reading}" for module in modules for reading in READINGS}
        elif isinstance(node, ast.ImportFrom) and node.module == "time":
            words |= {each.asname or each.name for each in node.names if each.name in READINGS}
    return words


def _scopes(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """Yield the statements of the module itself and those of each outermost function; names mean one thing in each."""
    functions = []
    waiting: list[ast.stmt] = list(tree.body)
    own = []
    for node in waiting:
        if isinstance(node, ast.ClassDef):
            waiting += node.body
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions.append([node])
        else:
            own.append(node)
    yield own
    yield from functions


def _compared(scope: list[ast.stmt], clocks: set[str]) -> Iterator[int]:
    nodes = [node for statement in scope for node in ast.walk(statement)]
    readings: set[str] = set()
    spans: set[str] = set()

    def holds(node: ast.AST, names: set[str]) -> bool:
        return any(isinstance(each, ast.Name) and each.id in names for each in _parts(node))

    def reads(node: ast.AST) -> bool:
        calls = (each for each in _parts(node) if isinstance(each, ast.Call))
        return holds(node, readings) or any(ast.unparse(each.func) in clocks for each in calls)

    def spans_time(node: ast.AST) -> bool:
        differences = (each for each in _parts(node) if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Sub))
        return holds(node, spans) or any(reads(each) for each in differences)

    # A name may come from one that is assigned further down, in a loop: look until nothing is new.
    known = -1
    while known != len(readings) + len(spans):
        known = len(readings) + len(spans)
        for node in nodes:
            for names, value in _assigned(node):
                if spans_time(value):
                    spans |= names
                elif reads(value):
                    readings |= names
    asserted = [node.test for node in nodes if isinstance(node, ast.Assert)]
    for node in nodes:
        if isinstance(node, ast.Compare) and spans_time(node):
            yield node.lineno
    for test in asserted:
        for node in ast.walk(test):
            if isinstance(node, ast.Compare) and reads(node):
                yield node.lineno


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all in it but the arguments of functions that make something else of them."""
    yield node
    if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] not in SAME_MEANING:
        return
    for child in ast.iter_child_nodes(node):
        yield from _parts(child)


def _assigned(node: ast.AST) -> Iterator[tuple[set[str], ast.expr]]:
    """Yield the names that a node gives a value, or puts one into, and that value."""
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield {_root(target) for target in targets} - {""}, node.value
    elif (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"append", "add", "extend", "insert"}
    ):
        for argument in node.args:
            yield {_root(node.func.value)} - {""}, argument


def _root(target: ast.expr) -> str:
    while isinstance(target, ast.Attribute | ast.Subscript):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""


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
        ("import time\nassert time.monotonic() - begun < 2", [2]),
        ("import time\ntook = time.perf_counter() - begun\nassert took < 1 and 3", [3]),
        ("import time as t\nassert 2 > t.process_time_ns() - begun", [2]),
        ("from time import monotonic as now\nbegun = now()\nended = now()\nassert ended - begun < 2", [4]),
        ("import time\ntook = []\nfor _ in x:\n    took.append(time.time() - x)\nassert sorted(took)[7] < 0.1", [5]),
        ("import time\nmade.took = time.time() - x\nif made.took > 2:\n    pytest.fail('slow')", [3]),
        ("import time\nassert time.monotonic() < until", [2]),
        ("import time\ntimes = [time.time() - x]\nassert statistics.median(times) < 1", [3]),
        ("import time\nassert (took := time.monotonic() - begun) < 2", [2]),
        ("import time\ndef test_it():\n    begun = time.time()\n    assert time.time() - begun < 1", [4]),
        # Guards against hanging, and names that mean something else elsewhere.
        ("assert process.wait(60) == 0", []),
        ("import time\nwhile time.monotonic() < until:\n    pass", []),
        ("import time\ndef one():\n    took = time.time() - x\ndef two():\n    took = 3\n    assert took < 4", []),
        ("import time\nnow = time.time()\nassert evict(now=now - 5) == 3", []),
        ("import time\nos.utime(path, (time.time() - 5000,) * 2)", []),
    ],
)
def test_that_a_stopwatch_is_known_by_its_reading(code, lines):
    assert stopwatches(code) == lines
