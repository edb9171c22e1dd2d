"""What tests of packs share: pictures for decks without any, and an annotator's work in another process."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

from PIL import Image

from studio.actions import sessions
from studio.actions.projects import open_project
from studio.errors import StudioError
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.store import decks as deck_store
from studio.store.project import Project
from tests.small_disk import SmallDisk


def draw_pages(project: Project) -> None:
    """Give every deck the pictures that it counts as having; each slide has a colour of its own."""
    for deck in deck_store.list_decks(project):
        folder = project.cache_folder / f"pages-{deck.id}"
        folder.mkdir(exist_ok=True)
        for slide in deck_store.list_slides(project, deck.id):
            colour = tuple(random.Random(f"{deck.id}{slide.number}").randbytes(3))
            Image.new("RGB", (64, 36), colour).save(folder / f"slide_{slide.number:04d}.png")


def work(folder: Path, name: str, upto: int, ends_by_kill: bool, full_at: int | None = None) -> None:
    """Answer a pack's instances in order: skips, ties, changes of mind, cannot-judge; then end, or be killed.

    What is ranked where depends on the deck ids only, so that a test can work it out by itself. Before the instance
    with the number `full_at` the disk is full for a while.
    """
    project = open_project(folder, must_write=True)
    person = sessions.be_annotator(project, name)
    ids = [instance.id for instance in deck_store.list_instances(project)]
    for number, instance_id in enumerate(ids[:upto]):
        if number == full_at:
            meet_a_full_disk(project, person.id, instance_id, SmallDisk(folder.parent))
        answer(project, name, person.id, instance_id, number)
    if ends_by_kill:
        session, _ = sessions.open_ranking(project, ids[upto % len(ids)], person.id)
        if not session.state.ranks:
            session.rank(sorted(session.display)[0], 1)
        os.kill(os.getpid(), 9)
    project.close()


def meet_a_full_disk(project: Project, person: AnnotatorId, instance_id: InstanceId, disk: SmallDisk) -> None:
    """Act until the disk is full: the act that is refused changed nothing, and can be done when there is room again."""
    session, _ = sessions.open_ranking(project, instance_id, person)
    disk.fill()
    refused = ""
    for number in range(5000):
        note = f"{number} " * 200
        before = session.state
        try:
            session.set_note(note)
        except StudioError as error:
            refused = str(error)
            break
    assert "full" in refused, refused or "the disk never got full"
    assert session.state == before
    stored = sessions.open_ranking(project, instance_id, person)[0]
    assert stored.state == before, "what the page shows is not what is stored"
    disk.free()
    session.set_note(note)
    assert sessions.open_ranking(project, instance_id, person)[0].state.note == note
    for _ in range(number + 1):
        session.undo()
    assert session.state.note == ""


def answer(project: Project, name: str, person: AnnotatorId, instance_id: InstanceId, number: int) -> None:
    """Answer one instance unless it is answered; every fifth is skipped first, every seventh cannot be judged."""
    session, _ = sessions.open_ranking(project, instance_id, person)
    if session.state.status.value in {"submitted", "cannot_judge"}:
        return
    if number % 7 == 6:
        session.cannot_judge("slides in another language")
        return
    if number % 5 == 4:
        session.skip()
    for deck in list(session.state.ranks):  # what was begun before a kill
        session.unrank(deck)
    for deck, rank in first_ranks(name, session.display, number).items():
        session.rank(deck, rank)
    if number % 3 == 0:
        session.set_note(f"note {number}, 模型")
        session.undo()
        session.redo()
    session.submit()
    if number % 4 == 1:  # a change of mind after submit: everything the other way round
        turned = list(first_ranks(name, session.display, number))
        for deck in turned:
            session.unrank(deck)
        for place, deck in enumerate(reversed(turned), start=1):
            session.rank(deck, place)
        session.submit()


def first_ranks(name: str, decks: tuple[DeckId, ...], number: int) -> dict[DeckId, int]:
    """Return the ranks given at first: decks in the order of their ids, turned by the instance's number.

    Every third instance has its last two decks tied.
    """
    order = sorted(decks)
    turn = (number + len(name)) % len(order)
    turned = [*order[turn:], *order[:turn]]
    ranks = {deck: place for place, deck in enumerate(turned, start=1)}
    if number % 3 == 2:
        ranks[turned[-1]] = ranks[turned[-2]]
    return ranks


if __name__ == "__main__":
    work(
        Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4] == "kill",
        int(sys.argv[5]) if len(sys.argv) > 5 else None,
    )  # fmt: skip
