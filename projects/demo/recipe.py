"""Builds the demo project's instances, decks, people and rankings into a folder: ``python recipe.py OUT [--full]``.

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
from podium_demo.outline import DemoInstance  # noqa: E402
from podium_demo.people import ANNOTATORS, RANKING_COLUMNS, ranking_rows, written_answers  # noqa: E402
from podium_demo.sources import write_source  # noqa: E402
from podium_demo.systems import SYSTEMS  # noqa: E402
from podium_demo.variants import answers_to, full_instances, ranking_of  # noqa: E402


def build(out_dir: Path, *, is_full: bool = False) -> Path:
    """Write the demo's material and return the folder.

    Args:
        out_dir: made if missing; parts that the recipe writes are replaced, other files are left alone.
        is_full: 24 instances instead of five, the others drawn from the five by a seed.
    """
    out_dir.mkdir(parents=True, exist_ok=True)
    instances = full_instances() if is_full else INSTANCES
    for instance in instances:
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
    _write_json(out_dir / "instances.json", [_instance_record(instance) for instance in instances])
    _write_json(out_dir / "systems.json", [system.record() for system in SYSTEMS])
    _write_json(out_dir / "annotators.json", ANNOTATORS)
    _write_rankings(out_dir / "rankings.csv", instances)
    _write_json(out_dir / "checklists.json", _checklists(instances))
    shutil.copyfile(_HERE / "quiz_banks.json", out_dir / "quiz_banks.json")
    return out_dir


def _instance_record(instance: DemoInstance) -> dict[str, str]:
    names = ("name", "title", "scenario", "domain", "language", "difficulty")
    return {name: getattr(instance, name) for name in names}


def _checklists(instances: tuple[DemoInstance, ...]) -> dict[str, object]:
    """Return the checklists that were written, with those of variants: the items of their source, answers drawn."""
    content = json.loads((_HERE / "checklists.json").read_text(encoding="utf-8"))
    for instance in instances[len(INSTANCES) :]:
        for part in ("items", "slide_limits"):
            content[part][instance.name] = content[part][instance.subject]
        content["answers"] += answers_to(instance)
    return content


def _write_rankings(target: Path, instances: tuple[DemoInstance, ...]) -> None:
    answers = written_answers(_HERE / "rankings.json")
    for annotator, by_instance in answers.items():
        by_instance.update({each.name: ranking_of(each, annotator) for each in instances[len(INSTANCES) :]})
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, RANKING_COLUMNS)
    writer.writeheader()
    writer.writerows(ranking_rows(answers, instances))
    target.write_bytes(b"\xef\xbb\xbf" + text.getvalue().encode("utf-8"))


def _write_json(target: Path, value: object) -> None:
    _write_text(target, json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def _write_text(target: Path, text: str) -> None:
    target.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--full"]
    if len(words) != 1:
        sys.exit("usage: python recipe.py OUT [--full]")
    print(build(Path(words[0]), is_full="--full" in sys.argv))
