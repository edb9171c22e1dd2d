"""What the ranking page says when there is nothing left to rank."""

from __future__ import annotations

from studio.actions.ranking_desk import nothing_left_words, read_desk
from studio.actions.sessions import open_ranking
from studio.model.decks import RenderState
from tests.gui.projects import add_deck, add_instance, make_project


def test_that_a_project_without_instances_says_so(tmp_path):
    with make_project(tmp_path / "p", instances=0, systems=()) as project:
        desk = read_desk(project, "ann")
        assert nothing_left_words(desk) == ("Nothing to rank yet", "The project has no instances yet.")


def test_that_decks_that_are_not_drawn_are_counted(tmp_path):
    with make_project(tmp_path / "p", instances=0, systems=()) as project:
        ports = add_instance(project, "ports", title="Sea ports")
        add_deck(project, ports.id, "alpha", slides=1)
        add_deck(project, ports.id, "beta", render=RenderState.PENDING)
        words = "An instance needs two decks with drawn slides; 1 instance with fewer. Not drawn yet: 1 deck."
        assert nothing_left_words(read_desk(project, "ann")) == ("Nothing to rank yet", words)


def test_that_a_finished_queue_says_how_it_was_finished(tmp_path):
    with make_project(tmp_path / "p", instances=2, slides=1) as project:
        desk = read_desk(project, "ann")
        first, second = (entry.instance.id for entry in desk.queue)
        session, _ = open_ranking(project, first, desk.person.id)
        for rank, deck in enumerate(session.display, start=1):
            session.rank(deck, rank)
        session.submit()
        open_ranking(project, second, desk.person.id).session.cannot_judge("other")
        title, words = nothing_left_words(read_desk(project, "ann"))
        assert (title, words) == ("All 2 instances are done", "1 submitted, 1 cannot judge, 0 skipped.")
