"""Builds the demo project's instances, decks, people and rankings into a folder: ``python recipe.py OUT``.

The folder has the layout ``folders`` of ``studio import``; on one machine every build gives the same bytes.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
if str(_HERE) not in sys.path:
    # The recipe is shipped as data and imported by its path, so nothing else puts its package there.
    sys.path.insert(0, str(_HERE))

from podium_demo.content import INSTANCES  # noqa: E402
from podium_demo.people import ANNOTATORS, RANKING_COLUMNS, ranking_rows  # noqa: E402
from podium_demo.sources import write_source  # noqa: E402
from podium_demo.systems import SYSTEMS  # noqa: E402


def build(out_dir: Path) -> Path:
    """Write the demo's material and return the folder.

    Args:
        out_dir: made if missing; parts that the recipe writes are replaced, other files are left alone.
    """
    out_dir.mkdir(parents=True, exist_ok=True)
    for instance in INSTANCES:
        folder = out_dir / instance.name
        if folder.exists():
            shutil.rmtree(folder)
        (folder / "sources").mkdir(parents=True)
        (folder / "decks").mkdir()
        _write_text(folder / "instruction.md", instance.instruction)
        write_source(instance, folder / "sources")
        for system in SYSTEMS:
            take = instance.takes[system.name]
            system.build(instance, take, folder / "decks" / f"{system.name}{system.extension}")
    _write_json(out_dir / "instances.json", [_instance_record(name) for name in range(len(INSTANCES))])
    _write_json(out_dir / "systems.json", [system.record() for system in SYSTEMS])
    _write_json(out_dir / "annotators.json", ANNOTATORS)
    _write_rankings(out_dir / "rankings.csv")
    for name in ("checklists.json", "quiz_banks.json"):
        shutil.copyfile(_HERE / name, out_dir / name)
    return out_dir


def _instance_record(index: int) -> dict[str, str]:
    instance = INSTANCES[index]
    names = ("name", "title", "scenario", "domain", "language", "difficulty")
    return {name: getattr(instance, name) for name in names}


def _write_rankings(target: Path) -> None:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, RANKING_COLUMNS)
    writer.writeheader()
    writer.writerows(ranking_rows(_HERE / "rankings.json"))
    target.write_bytes(b"\xef\xbb\xbf" + text.getvalue().encode("utf-8"))


def _write_json(target: Path, value: object) -> None:
    _write_text(target, json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def _write_text(target: Path, text: str) -> None:
    target.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python recipe.py OUT")
    print(build(Path(sys.argv[1])))
