"""A program for the test of killed runs: judges until it is done or killed. Arguments: folder, port, units."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from studio.jobs.engine import run_job
from studio.model.events import UnitDone
from studio.model.ids import DeckId, InstanceId
from studio.store import decks as deck_store
from studio.store import runs as run_store
from studio.store.project import Project
from tests.unit.judges.talks import Talk, judge_job


def the_talks(project: Project, number: int) -> list[Talk]:
    decks = deck_store.list_decks(project)
    return [
        Talk(
            deck_id=DeckId(decks[each % len(decks)].id), instance_id=InstanceId(decks[each % len(decks)].instance_id),
            words=f"What of {each}?",
        )
        for each in range(number)
    ]  # fmt: skip


def main() -> None:
    folder, port, number = sys.argv[1:4]
    scheduler = sys.argv[4] if len(sys.argv) > 4 else ""
    project = Project.open(Path(folder), must_write=True)
    run_store.mark_interrupted(project)

    def tell(event: object) -> None:
        if isinstance(event, UnitDone):
            print(event.done, flush=True)

    job = judge_job(
        the_talks(project, int(number)), f"http://127.0.0.1:{port}/v1", settings={"max_in_flight": 16},
        scheduler=scheduler,
    )  # fmt: skip
    ended = run_job(project, job, emit=tell, cancel=threading.Event())
    print("ended", ended.state.value, ended.counts, flush=True)
    project.close()


if __name__ == "__main__":
    main()
