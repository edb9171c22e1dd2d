"""How long a queue of 20,000 instances with 4 decks takes to be read, and how much memory that needs."""

from __future__ import annotations

import tempfile
import time
import tracemalloc
from pathlib import Path

from studio.actions import studies
from studio.actions.study_queue import read_queue
from studio.model.answers import AnswerStatus
from studio.store.project import Project
from tests.projects import person

INSTANCES = 20_000


def main() -> None:
    """Print seconds and megabytes."""
    with tempfile.TemporaryDirectory() as folder:
        project = Project.create(Path(folder) / "study")
        fill(project)
        who = person(project, "p0")
        study = studies.implicit_study(project)
        for name, wanted in (("whole", {}), ("filtered by text", {"text": "instance 19"}),
                             ("drafts only", {"statuses": {AnswerStatus.DRAFT}})):  # fmt: skip
            start = time.perf_counter()
            queue = read_queue(project, study, who, **wanted)
            print(f"   queue {name}: {time.perf_counter() - start:.2f} s, {len(queue.items):,} items, {queue.words()}")
        tracemalloc.start()
        read_queue(project, study, who)
        print(f"   memory at its peak: {tracemalloc.get_traced_memory()[1] / 1e6:.0f} MB")
        project.close()


def fill(project: Project) -> None:
    """Store instances, decks and three people's answers to half of them."""
    with project.writing() as db:
        for system in range(4):
            db.execute(
                "INSERT INTO systems VALUES (?, ?, '', '', '', '', '')", [f"system_{system}", f"System {system}"]
            )
        for name in ("p0", "p1", "p2"):
            db.execute("INSERT INTO annotators VALUES (?, ?, '', 'annotator', 0)", [name, name])
        for number in range(INSTANCES):
            instance = f"instance_{number}"
            db.execute(
                "INSERT INTO instances VALUES (?, ?, ?, '', 'teaching', '', '', '', ?)",
                [instance, f"topic-{number}", f"Instance {number}", number],
            )
            for system in range(4):
                deck = f"deck_{number}_{system}"
                db.execute(
                    "INSERT INTO decks VALUES (?, ?, ?, 'present', '', '', 'pptx', ?, 'pptx', '', 1, 2, 0, '[]', '{}')",
                    [deck, instance, f"system_{system}", deck],
                )
                db.execute(
                    "INSERT INTO renders VALUES (?, ?, 'rendered', '', '', 2, 1280, 720, '[]', '[]', '', 0, '')",
                    [deck, deck],
                )
            if number % 2:
                continue
            for name in ("p0", "p1", "p2"):
                for act, verb in enumerate(("rank", "rank", "rank", "rank", "submit")):
                    db.execute(
                        "INSERT INTO answer_events (uid, kind, instance_id, annotator_id, item_key, verb, state, at, "
                        "active_s, wall_s, display, revision, guidelines_version, app_version) VALUES "
                        "(?, 'ranking', ?, ?, '', ?, ?, '', 1, 1, '[]', 1, '', '')",
                        [f"{number}{name}{act}", instance, name, verb,
                         f'{{"ranks":{{}},"status":"{"submitted" if verb == "submit" else "draft"}"}}'],
                    )  # fmt: skip


if __name__ == "__main__":
    main()
