from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from studio.errors import BadInput, StudioError
from studio.exchange.columns import COLUMNS
from studio.exchange.export_tables import rows_of
from studio.exchange.files import csv_text, jsonl_text
from studio.exchange.import_tables import import_table
from studio.exchange.rankings import current_rankings
from studio.model.answers import AnswerKind, AnswerStatus
from studio.model.decks import DeckStatus
from studio.sessions.clock import Spent
from studio.store import answers as answer_store
from studio.store import people as people_store
from studio.store.project import Project
from tests.projects import (
    SYSTEMS,
    add_deck,
    add_instance,
    decks_of,
    instance_named,
    make_project,
    open_session,
    person,
    rank,
)

HARD_SYSTEMS = ("A,B", 'say "q"', "x=y", "模型 一", " leading", "two\nlines", "🙂")


@pytest.fixture
def project(tmp_path):
    with make_project(tmp_path / "study", instances=3) as made:
        yield made


def read(project: Project, rows: Iterable[dict], *, name: str = "rankings.csv", columns: Iterable[str] | None = None):
    rows = list(rows)
    header = list(columns or dict.fromkeys(key for row in rows for key in row))
    path = project.folder.parent / name
    path.write_text((jsonl_text if name.endswith("jsonl") else csv_text)(header, rows), encoding="utf-8", newline="")
    return import_table(project, path)


def ranked(instance: str, who: str, ranks: dict[str, object], **more) -> list[dict]:
    return [
        {"instance_id": instance, "annotator_id": who, "system": system, "rank": number} | more
        for system, number in ranks.items()
    ]


def said(project: Project, instance: str = "topic-1") -> dict[str, int]:
    """Return the current ranks of an instance's only ranking by system."""
    (ranking,) = [item for item in current_rankings(project) if item.instance_id == instance_named(project, instance)]
    names = {deck: system for system, deck in decks_of(project, instance).items()}
    return {names[deck]: number for deck, number in ranking.ranks.items()}


def counts(report) -> tuple[int, int, int, list[object]]:
    return report.new, report.same, report.conflicting, [item["line"] for item in report.refused]


ORDER = {"Aster": 1, "Birch": 2, "Cedar": 3, "Dahlia": 4}


def test_that_a_ranking_comes_in_by_names_and_makes_its_annotator(project):
    report = read(project, ranked("topic-1", "ada", ORDER))
    assert report.table == "rankings"
    assert counts(report) == (4, 0, 0, [])
    assert said(project) == ORDER
    (ranking,) = current_rankings(project)
    assert (ranking.annotator, ranking.annotator_id) == ("ada", "ada")
    assert (ranking.status, ranking.revision) == (AnswerStatus.SUBMITTED, 1)
    assert ranking.rank_method.value == "imported"
    assert ranking.n_candidates == 4


def test_that_ids_and_names_may_be_mixed(project):
    ada = person(project, "Ada Example")
    decks = decks_of(project, "topic-1")
    rows = [
        {"instance_id": instance_named(project, "topic-1"), "annotator_id": ada, "deck_id": decks["Aster"], "rank": 1},
        {"instance_id": "topic-1", "annotator_id": "Ada Example", "deck_id": "Birch", "rank": 2},
        {"instance_id": "topic-1", "annotator_id": ada, "deck_id": "deck_of_elsewhere", "system": "Cedar", "rank": 3},
        {
            "instance_id": " topic-1 ",
            "annotator_id": " Ada Example ",
            "deck_id": "",
            "system": " Dahlia",
            "rank": " 4 ",
        },
    ]
    assert counts(read(project, rows)) == (4, 0, 0, [])
    assert said(project) == ORDER
    assert [who.id for who in people_store.list_annotators(project)] == [ada]


@pytest.mark.parametrize(
    "numbers", [(1, 2, 3, 4), (10, 20, 30, 400), (-3, -2, 0, 7), (1, 1.5, 2.25, "3e3"), ("01", "2.0", "3", "4")]
)
def test_that_numbers_express_order_only(project, numbers):
    assert counts(read(project, ranked("topic-1", "ada", dict(zip(ORDER, numbers, strict=True))))) == (4, 0, 0, [])
    assert said(project) == ORDER


@pytest.mark.parametrize("numbers", [(1, 2, 2, 4), (1, 2.5, 2.5, 4), (1, 2, 2, 3), (5, 70, 70, 900)])
def test_that_equal_numbers_are_ties_and_stored_as_competition_ranks(project, numbers):
    read(project, ranked("topic-1", "ada", dict(zip(ORDER, numbers, strict=True))))
    assert said(project) == {"Aster": 1, "Birch": 2, "Cedar": 2, "Dahlia": 4}
    assert [(row["rank"], row["is_tied"]) for row in rows_of(project, "rankings")] == [
        (1, False), (2, True), (2, True), (4, False),
    ]  # fmt: skip


def test_that_reading_twice_changes_nothing(project):
    rows = ranked("topic-1", "ada", ORDER) + ranked("topic-2", "ada", {"Aster": 2, "Birch": 1})
    read(project, rows)
    before = answer_store.events_of(project, AnswerKind.RANKING)
    assert counts(read(project, rows)) == (0, 6, 0, [])
    # The same order in other numbers is the same too.
    assert counts(read(project, [row | {"rank": row["rank"] * 10} for row in rows])) == (0, 6, 0, [])
    assert answer_store.events_of(project, AnswerKind.RANKING) == before


def test_that_a_contradiction_is_counted_row_by_row_and_left_out(project):
    read(project, ranked("topic-1", "ada", ORDER))
    # Birch and Cedar change places; the other two rows say what is there.
    report = read(project, ranked("topic-1", "ada", {"Aster": 1, "Cedar": 2, "Birch": 3, "Dahlia": 4}))
    assert counts(report) == (0, 2, 2, [])
    assert said(project) == ORDER


def test_that_what_a_person_ranked_here_is_never_overwritten(project):
    rank(project, "topic-1", "ada", ["Aster", "Birch", "Cedar", "Dahlia"])
    ada = person(project, "ada")
    assert counts(read(project, ranked("topic-1", ada, ORDER))) == (0, 4, 0, [])
    assert read(project, ranked("topic-1", ada, dict(zip(ORDER, (4, 3, 2, 1), strict=True)))).conflicting == 4
    assert said(project) == ORDER


def test_that_a_deck_more_is_not_put_into_what_a_person_ranked_here(project):
    rank(project, "topic-1", "ada", ORDER)
    add_deck(project, instance_named(project, "topic-1"), "Elder")
    report = read(project, ranked("topic-1", person(project, "ada"), ORDER | {"Elder": 5}))
    assert counts(report) == (0, 4, 1, [])
    assert said(project) == ORDER


def test_that_rows_that_cannot_be_used_are_refused_with_their_lines(project):
    good = ranked("topic-1", "ada", ORDER)
    elsewhere = decks_of(project, "topic-2")["Aster"]
    bad = [
        {"instance_id": "topic-9", "annotator_id": "ada", "system": "Aster", "rank": 1},
        {"instance_id": "topic-2", "annotator_id": "ada", "system": "Nobody", "rank": 1},
        {"instance_id": "topic-2", "annotator_id": "ada", "system": "Aster", "rank": "first"},
        {"instance_id": "topic-2", "annotator_id": "ada", "system": "Aster", "rank": ""},
        {"instance_id": "topic-2", "annotator_id": "", "system": "Aster", "rank": 1},
        {"instance_id": "topic-2", "annotator_id": "ada", "system": "", "rank": 1},
        {"instance_id": "topic-2", "annotator_id": "ada", "system": "Aster", "rank": 1, "status": "done"},
        {"instance_id": "topic-2", "annotator_id": "ada", "system": "Aster", "rank": "nan"},
        {"instance_id": "topic-2", "annotator_id": "ada", "system": "Aster", "rank": "inf"},
        {"instance_id": "topic-2", "annotator_id": "ada", "system": "Aster", "rank": 1, "revision": 0},
        {"instance_id": "topic-2", "annotator_id": "ada", "system": "Aster", "rank": 1, "revision": "inf"},
        {"instance_id": "topic-2", "annotator_id": "ada", "system": "Aster", "rank": 1, "submitted_at": "yesterday"},
        {"instance_id": "topic-1", "annotator_id": "ada", "deck_id": elsewhere, "system": "Aster", "rank": 1},
    ]
    report = read(project, good + bad)
    assert (report.new, report.same, report.conflicting) == (4, 0, 0)
    # The header is line 1 and the four good rows are lines 2 to 5.
    assert {item["line"]: item["reason"] for item in report.refused} == {
        6: "no instance topic-9",
        7: "no deck of system Nobody",
        8: "rank is not a number: first",
        9: "rank is empty",
        10: "annotator_id is empty",
        11: "no deck named",
        12: "status is done, not one of draft, submitted, returned, skipped, cannot_judge",
        13: "rank is not a finite number: nan; leave it empty if there is none",
        14: "rank is not a finite number: inf; leave it empty if there is none",
        15: "revision is not a whole number from 1 up: 0",
        16: "revision is not a finite number: inf; leave it empty if there is none",
        17: "submitted_at is not a time like 2026-05-04T10:20:30Z: yesterday",
        18: f"deck {elsewhere} belongs to another instance",
    }


def test_that_refused_rows_make_no_annotator(project):
    read(project, ranked("topic-9", "ghost", {"Aster": 1}) + ranked("topic-1", "ghost", {"Aster": 1}, revision="x"))
    assert people_store.list_annotators(project) == []


def test_that_a_line_that_was_mended_is_added_and_the_others_are_the_same(project):
    rows = ranked("topic-1", "ada", {"Aster": 1, "Brich": 2, "Cedar": 3, "Dahlia": 4})
    assert counts(read(project, rows)) == (3, 0, 0, [3])
    assert said(project) == {"Aster": 1, "Cedar": 2, "Dahlia": 3}
    assert counts(read(project, ranked("topic-1", "ada", ORDER))) == (1, 3, 0, [])
    assert said(project) == ORDER
    assert counts(read(project, ranked("topic-1", "ada", ORDER))) == (0, 4, 0, [])


def test_that_a_part_of_what_is_there_is_the_same(project):
    read(project, ranked("topic-1", "ada", ORDER))
    assert counts(read(project, ranked("topic-1", "ada", {"Birch": 1, "Dahlia": 2}))) == (0, 2, 0, [])
    assert counts(read(project, ranked("topic-1", "ada", {"Birch": 2, "Dahlia": 1}))) == (0, 0, 2, [])
    assert said(project) == ORDER


def test_that_one_deck_twice_is_the_same_or_a_conflict(project):
    rows = ranked("topic-1", "ada", ORDER)
    assert counts(read(project, [*rows, rows[0], rows[1] | {"rank": 9}])) == (4, 1, 1, [])
    assert said(project) == ORDER


def test_that_rows_of_one_ranking_must_agree_on_its_status(project):
    rows = ranked("topic-1", "ada", ORDER)
    rows[2] |= {"status": "draft"}
    report = read(project, rows)
    assert counts(report) == (3, 0, 0, [4])
    assert "line 2" in str(report.refused[0]["reason"])


def test_that_a_partial_ranking_stays_partial(project):
    rows = ranked("topic-1", "ada", {"Aster": 1, "Birch": 2}, n_candidates=4, display_position="")
    rows += ranked("topic-1", "ada", {"Cedar": ""}, n_candidates=4, display_position=3)
    assert counts(read(project, rows)) == (3, 0, 0, [])
    exported = rows_of(project, "rankings")
    assert [(row["system"], row["rank"], row["n_ranked"], row["n_candidates"]) for row in exported] == [
        ("Aster", 1, 2, 4), ("Birch", 2, 2, 4), ("Cedar", None, 2, 4),
    ]  # fmt: skip
    assert counts(read(project, rows)) == (0, 3, 0, [])


@pytest.mark.parametrize("status", ["draft", "skipped", "cannot_judge", "returned"])
def test_that_other_statuses_come_in_and_go_out_as_they_are(project, status):
    rows = ranked("topic-1", "ada", {"Aster": 1, "Birch": ""}, status=status)
    assert counts(read(project, rows)) == (2, 0, 0, [])
    exported = rows_of(project, "rankings")
    assert [(row["system"], row["rank"], row["status"]) for row in exported] == [
        ("Aster", 1, status), ("Birch", None, status),
    ]  # fmt: skip
    assert [row for row in rows_of(project, "pairs") if row["source"] == "derived_from_ranking"] == []
    assert counts(read(project, rows)) == (0, 2, 0, [])


def test_that_a_draft_becomes_the_submitted_answer_of_the_same_order(project):
    read(project, ranked("topic-1", "ada", ORDER, status="draft"))
    assert counts(read(project, ranked("topic-1", "ada", ORDER))) == (4, 0, 0, [])
    assert current_rankings(project)[0].status is AnswerStatus.SUBMITTED
    assert counts(read(project, ranked("topic-1", "ada", ORDER))) == (0, 4, 0, [])
    # Going back to a draft would take a submitted answer away.
    assert counts(read(project, ranked("topic-1", "ada", ORDER, status="draft"))) == (0, 0, 4, [])


def test_that_revisions_are_kept_and_the_last_one_holds(project):
    reverse = dict(zip(ORDER, (4, 3, 2, 1), strict=True))
    rows = ranked("topic-1", "ada", reverse, revision=2) + ranked("topic-1", "ada", ORDER, revision=1)
    assert counts(read(project, rows)) == (8, 0, 0, [])
    assert said(project) == reverse
    assert current_rankings(project)[0].revision == 2
    assert len(answer_store.events_of(project, AnswerKind.RANKING)) == 2
    assert counts(read(project, rows)) == (0, 8, 0, [])
    # An older revision that was never here contradicts nothing that it can be compared with but what holds now.
    assert counts(read(project, ranked("topic-1", "ada", ORDER, revision=3))) == (4, 0, 0, [])
    assert said(project) == ORDER


def test_that_the_current_ranking_is_the_submitted_one_and_else_the_draft(project):
    rank(project, "topic-1", "Ada", ["Aster", "Birch"], submit=False)
    (draft,) = current_rankings(project)
    assert (draft.status, len(draft.ranks), draft.submitted_at) == (AnswerStatus.DRAFT, 2, "")
    rank(project, "topic-1", "Ada", ["Aster", "Birch", "Cedar", "Dahlia"])
    session = open_session(project, "topic-1", "Ada")
    session.move(decks_of(project, "topic-1")["Aster"], +1)
    (submitted,) = current_rankings(project)
    assert (submitted.status, submitted.revision) == (AnswerStatus.SUBMITTED, 1)
    assert said(project) == ORDER
    session.submit()
    assert said(project) == {"Birch": 1, "Aster": 2, "Cedar": 3, "Dahlia": 4}
    assert current_rankings(project)[0].revision == 2
    session.undo()
    assert said(project) == ORDER


@pytest.mark.parametrize("seed", range(20))
def test_that_ranks_are_those_that_were_given_whatever_the_order_shown(tmp_path, seed):
    draw = random.Random(seed)
    order = draw.sample(SYSTEMS, len(SYSTEMS))
    with make_project(tmp_path / "study", instances=1) as project:
        project.set_meta("seed", str(seed))
        decks = decks_of(project, "topic-1")
        session = open_session(project, "topic-1", "Ada")
        # Ranked in yet another order than they are shown in.
        for system in draw.sample(SYSTEMS, len(SYSTEMS)):
            session.rank(decks[system], order.index(system) + 1)
        # On the way a deck may have tied with one that stood there; the last word counts.
        for system in order:
            session.rank(decks[system], order.index(system) + 1)
        session.submit()
    expected = {system: place for place, system in enumerate(order, start=1)}
    with Project.open(tmp_path / "study", must_write=True) as project:
        shown = open_session(project, "topic-1", "Ada").state.ranks
        assert {system: shown[deck] for system, deck in decks.items()} == expected
        assert {row["system"]: row["rank"] for row in rows_of(project, "rankings")} == expected


def test_that_cannot_judge_after_a_submit_is_what_is_exported(project):
    rank(project, "topic-1", "Ada", ORDER)
    open_session(project, "topic-1", "Ada").cannot_judge("wrong files")
    (ranking,) = current_rankings(project)
    assert (ranking.status, ranking.revision) == (AnswerStatus.CANNOT_JUDGE, 2)
    assert {row["status"] for row in rows_of(project, "rankings")} == {"cannot_judge"}


def test_that_a_draft_after_cannot_judge_leaves_that_in_force(project):
    session = open_session(project, "topic-1", "Ada")
    session.cannot_judge("wrong files")
    session.rank(decks_of(project, "topic-1")["Aster"], 1)
    (ranking,) = current_rankings(project)
    assert (ranking.status, ranking.revision, ranking.ranks) == (AnswerStatus.CANNOT_JUDGE, 1, {})


def test_that_an_answer_that_was_wholly_undone_is_none(project):
    session = open_session(project, "topic-1", "Ada")
    session.rank(decks_of(project, "topic-1")["Aster"], 1)
    session.undo()
    assert current_rankings(project) == []
    assert rows_of(project, "rankings") == []


def test_that_times_are_summed_once_over_all_acts_up_to_the_answer(project):
    decks = decks_of(project, "topic-1")
    session = open_session(project, "topic-1", "Ada", spent=lambda: Spent(active_s=2.0, wall_s=3.0))
    for place, system in enumerate(ORDER, start=1):
        session.rank(decks[system], place)
    session.move(decks["Aster"], +1)
    session.undo()
    session.submit()
    # Four ranks, a move, its undo and the submit: seven acts of 2 s and 3 s.
    (ranking,) = current_rankings(project)
    assert (ranking.active_s, ranking.duration_s) == (14.0, 21.0)
    assert ranking.started_at == "2026-05-04T10:00:00.000Z"
    assert ranking.submitted_at == "2026-05-04T10:00:06.000Z"
    session.toggle_flag()
    assert current_rankings(project)[0].active_s == 14.0
    session.submit()
    assert current_rankings(project)[0].active_s == 18.0


def test_that_times_of_a_table_are_not_doubled_by_what_comes_after(project):
    read(project, ranked("topic-1", "ada", ORDER, duration_s=100, active_s=80))
    reverse = dict(zip(ORDER, (4, 3, 2, 1), strict=True))
    read(project, ranked("topic-1", "ada", reverse, revision=2, duration_s=150, active_s=100))
    (ranking,) = current_rankings(project)
    assert (ranking.duration_s, ranking.active_s) == (150.0, 100.0)
    session = open_session(project, "topic-1", "ada", spent=lambda: Spent(active_s=5.0, wall_s=7.0))
    session.move(decks_of(project, "topic-1")["Dahlia"], +1)
    session.submit()
    (ranking,) = current_rankings(project)
    # 150 + 2 x 7 and 100 + 2 x 5.
    assert (ranking.duration_s, ranking.active_s) == (164.0, 110.0)


def test_that_times_that_nobody_knows_are_empty_and_not_zero(project):
    read(project, ranked("topic-1", "ada", ORDER))
    row = rows_of(project, "rankings")[0]
    assert [row[name] for name in ("duration_s", "active_s", "started_at", "submitted_at")] == [None] * 4


def test_that_display_positions_are_those_that_the_person_saw(project):
    session = open_session(project, "topic-1", "Ada")
    rank(project, "topic-1", "Ada", ["Dahlia", "Cedar", "Birch", "Aster"])
    exported = {row["deck_id"]: row["display_position"] for row in rows_of(project, "rankings")}
    assert exported == {deck: position for position, deck in enumerate(session.display, start=1)}


def test_that_unranked_decks_of_a_draft_are_rows_without_rank(project):
    rank(project, "topic-1", "Ada", ["Cedar"], submit=False)
    exported = rows_of(project, "rankings")
    assert [(row["rank"], row["is_tied"]) for row in exported] == [(1, False)] + [(None, None)] * 3
    assert [row["display_position"] for row in exported[1:]] == sorted(row["display_position"] for row in exported[1:])
    assert {(row["n_ranked"], row["n_candidates"], row["status"]) for row in exported} == {(1, 4, "draft")}


def test_that_candidates_are_decks_that_were_delivered(project):
    instance = add_instance(project, "odd")
    for system in ("Aster", "Birch", "Cedar"):
        add_deck(project, instance, system)
    add_deck(project, instance, "Dahlia", status=DeckStatus.FAILED)
    read(project, ranked("odd", "ada", {"Aster": 1, "Birch": 2}))
    assert current_rankings(project)[0].n_candidates == 3


@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_that_hard_names_survive_the_way_out_and_in(tmp_path, format):
    names = ["topic, one", "主题 二"]
    text = csv_text if format == "csv" else jsonl_text
    with make_project(tmp_path / "a", instances=names, systems=HARD_SYSTEMS) as project:
        for name in names:
            rank(project, name, 'Ada "A," 一', reversed(HARD_SYSTEMS))
        rows = rows_of(project, "rankings")
        by_name = [
            {"instance_id": names[index // len(HARD_SYSTEMS)], "annotator_id": 'Ada "A," 一', "system": row["system"],
             "rank": row["rank"]}
            for index, row in enumerate(rows)
        ]  # fmt: skip
        with make_project(tmp_path / "b", instances=names, systems=HARD_SYSTEMS) as other:
            path = tmp_path / f"t.{format}"
            path.write_text(text(list(by_name[0]), by_name), encoding="utf-8", newline="")
            assert counts(import_table(other, path)) == (14, 0, 0, [])
            expected = {system: place for place, system in enumerate(reversed(HARD_SYSTEMS), start=1)}
            assert said(other, names[0]) == said(other, names[1]) == expected


def test_that_a_file_that_is_no_table_says_what_one_needs(project, tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    with pytest.raises(BadInput, match="none of the tables") as caught:
        import_table(project, tmp_path / "x.csv")
    assert "rankings: instance_id, annotator_id, rank" in caught.value.next_step
    (tmp_path / "x.csv").write_text("instance_id,annotator_id,rank\ntopic-1,ada,1\n")
    with pytest.raises(BadInput, match="none of the tables"):
        import_table(project, tmp_path / "x.csv")


def test_that_unknown_columns_are_left_out_with_a_note(project):
    report = read(project, ranked("topic-1", "ada", ORDER, colour="red", mood="good"))
    assert report.new == 4
    assert report.notes == ["columns left out: colour, mood"]


def test_that_a_ragged_row_is_refused_among_good_ones(project, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(
        "instance_id,annotator_id,system,rank\ntopic-1,ada,Aster,1\ntopic-1,ada,Birch\ntopic-1,ada,Cedar,3\n"
    )
    assert counts(import_table(project, path)) == (2, 0, 0, [3])


def test_that_reading_into_a_read_only_project_says_so(project):
    path = project.folder.parent / "t.csv"
    path.write_text("instance_id,annotator_id,system,rank\ntopic-1,ada,Aster,1\n")
    with Project.open(project.folder) as reader, pytest.raises(StudioError, match="read-only"):
        import_table(reader, path)


def test_that_a_fault_half_way_takes_nothing_in(project, monkeypatch):
    real = answer_store.append
    calls = []

    def second_fails(to, event):
        calls.append(event)
        if len(calls) == 2:
            raise StudioError("The disk is full.")
        return real(to, event)

    monkeypatch.setattr(answer_store, "append", second_fails)
    with pytest.raises(StudioError):
        read(project, ranked("topic-1", "ada", ORDER) + ranked("topic-2", "ada", ORDER))
    assert answer_store.events_of(project, AnswerKind.RANKING) == []
    assert people_store.list_annotators(project) == []


def test_that_a_copy_reads_the_same_rankings_as_went_out(project, tmp_path):
    empty = project.save_copy(tmp_path / "copy")
    decks = decks_of(project, "topic-1")
    rank(project, "topic-1", "Ada", ["Cedar", "Aster", "Dahlia", "Birch"])
    tied = open_session(project, "topic-1", "Grace")
    for system, place in {"Aster": 1, "Birch": 1, "Cedar": 3, "Dahlia": 4}.items():
        tied.rank(decks[system], place)
    tied.submit()
    tied.move(decks["Cedar"], -1)
    tied.submit()
    rank(project, "topic-2", "Ada", ["Birch"], submit=False)
    open_session(project, "topic-2", "Grace").cannot_judge("too dark")
    open_session(project, "topic-3", "Grace").skip()
    read(project, ranked("topic-3", "table", {"Aster": 2, "Cedar": 1}, submitted_at="2026-05-04T12:00:00Z"))
    before = rows_of(project, "rankings")
    assert len({(row["instance_id"], row["annotator_id"]) for row in before}) == 6
    for number, (to_text, format) in enumerate(((csv_text, "csv"), (jsonl_text, "jsonl"))):
        path = tmp_path / f"out.{format}"
        path.write_text(to_text(COLUMNS["rankings"], before), encoding="utf-8", newline="")
        with Project.open(empty, must_write=True) as copy:
            expected = (len(before), 0, 0, []) if number == 0 else (0, len(before), 0, [])
            assert counts(import_table(copy, path)) == expected

            def by_answer(rows):
                return sorted(rows, key=lambda row: (row["instance_id"], row["annotator_id"], row["deck_id"]))

            assert by_answer(rows_of(copy, "rankings")) == by_answer(before)
    # And in the project itself nothing is news.
    path = Path(tmp_path / "out.csv")
    assert counts(import_table(project, path)) == (0, len(before), 0, [])


def test_that_a_revision_beyond_what_is_told_apart_is_refused_with_its_line(project):
    report = read(project, ranked("topic-1", "Ada", {SYSTEMS[0]: 1}, revision=10**20))
    assert report.refused == [{"line": 2, "reason": f"revision is too large: {10**20}"}]
    assert report.new == 0


def test_that_a_new_persons_name_is_on_one_line_and_reading_again_changes_nothing(project):
    rows = ranked("topic-1", "Ada\nLovelace\t(invented)", {SYSTEMS[0]: 1, SYSTEMS[1]: 2})
    assert read(project, rows).new == 2
    assert [each.name for each in people_store.list_annotators(project)] == ["Ada Lovelace (invented)"]
    assert read(project, rows).same == 2
