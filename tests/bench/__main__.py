"""Runs the measurements of this folder: `python -m tests.bench [NAME…]`.

The measurement NAME is the module `bench_NAME.py` here; its `main()` prints its figures. They run one after the
other, so that none disturbs the next; one that fails is named at the end and does not keep the others from running.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
import time
import traceback

import tests.bench

PREFIX = "bench_"


def measurements() -> list[str]:
    """Return the names of the measurements in this folder, sorted."""
    modules = (module.name for module in pkgutil.iter_modules(tests.bench.__path__))
    return sorted(name.removeprefix(PREFIX) for name in modules if name.startswith(PREFIX))


def run(names: list[str]) -> list[str]:
    """Run the measurements named, in that order, and return those that failed."""
    failed = []
    for name in names:
        print(f"== {name}", flush=True)
        start = time.perf_counter()
        # A measurement that has options of its own must not take our names for them.
        sys.argv = [name]
        try:
            importlib.import_module(f"tests.bench.{PREFIX}{name}").main()
        except Exception:
            traceback.print_exc()
            failed.append(name)
        print(f"   {name}: {time.perf_counter() - start:.1f} s in all", flush=True)
    return failed


def main() -> int:
    """Run what the command line names, or everything; return 1 if a measurement failed."""
    known = measurements()
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure speed and memory.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(known) or 'none yet'}")
    names = parser.parse_args().names or known
    unknown = sorted(set(names) - set(known))
    if unknown:
        parser.error(f"no such measurement: {', '.join(unknown)} (there are: {', '.join(known) or 'none yet'})")
    if not names:
        print("There is no measurement yet.")
    failed = run(names)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
