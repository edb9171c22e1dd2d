from __future__ import annotations

import json
from itertools import combinations, product

import pytest

from studio.errors import BadInput
from studio.exchange.columns import COLUMNS
from studio.exchange.export_tables import rows_of
from studio.exchange.files import csv_text, jsonl_text
from studio.exchange.import_tables import import_table
from studio.model.ids import RunId
from studio.model.runs import Run, RunKind, RunState
from studio.model.scores import Score, Verdict
from studio.store import people as people_store
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.project import Project
from tests.projects import decks_of, instance_named, make_project, open_session, person, rank


@pytest.fixture
def project(tmp_path):
    with make_project(tmp_path / "study") as made:
        yield made


def read(project, rows, *, format="csv", columns=None):
    rows = list(rows)
    header = list(columns or dict.fromkeys(key for row in rows for key in row))
    path = project.folder.parent / f"table.{format}"
    path.write_text((jsonl_text if format == "jsonl" else csv_text)(header, rows), encoding="utf-8", newline="")
    return import_table(project, path)


def counts(report) -> tuple[int, int, int, list[object]]:
    return report.new, report.same, report.conflicting, [item["line"] for item in report.refused]


def reasons(report) -> list[str]:
    return [str(item["reason"]) for item in report.refused]


def scored(**more) -> dict[str, object]:
    return {"metric": "my.metric", "instance_id": "topic-1", "system": "Aster", "value": 0.5} | more


def judged(**more) -> dict[str, object]:
    row = {"judge_id": "code", "instance_id": "topic-1", "system": "Aster", "item_id": "i1", "verdict": "yes"}
    return row | more


def checked(**more) -> dict[str, object]:
    row = {"instance_id": "topic-1", "system": "Aster", "item_id": "i1", "annotator_id": "ada", "answer": "yes"}
    return row | more


def compared(**more) -> dict[str, object]:
    return {"instance_id": "topic-1", "annotator_id": "ada", "deck_a": "Aster", "deck_b": "Birch"} | more


def test_that_scores_come_in_with_their_defaults(project):
    assert counts(read(project, [scored(), scored(system="Birch", value="")])) == (1, 0, 0, [3])
    (score,) = score_store.current_scores(project)
    assert (score.metric, score.value, score.preset, score.metric_version) == ("my.metric", 0.5, "benchmark", 1)
    assert (score.run_id, score.slide, score.deck_id) == (None, None, decks_of(project, "topic-1")["Aster"])


def test_that_flags_leave_with_a_score_and_come_back(project):
    read(project, [scored(flags='["no_text_regions", "achromatic"]'), scored(system="Birch")])
    flags = {score.deck_id: score.flags for score in score_store.current_scores(project)}
    decks = decks_of(project, "topic-1")
    assert flags == {decks["Aster"]: ("no_text_regions", "achromatic"), decks["Birch"]: ()}
    assert {row["deck_id"]: row["flags"] for row in rows_of(project, "scores")} == {
        decks["Aster"]: ["no_text_regions", "achromatic"], decks["Birch"]: [],
    }  # fmt: skip


@pytest.mark.parametrize(("flags", "says"), [("no_text", "not JSON"), ('{"a": 1}', "JSON list"), ("[1]", "JSON list")])
def test_that_flags_that_are_no_list_of_names_are_refused(project, flags, says):
    report = read(project, [scored(flags=flags)])
    assert counts(report) == (0, 0, 0, [2])
    assert says in reasons(report)[0]


def test_that_an_undefined_score_comes_in_with_its_reason_and_never_as_zero(project):
    read(project, [scored(value="", undefined_reason="no_text")])
    (score,) = score_store.current_scores(project)
    assert (score.value, score.undefined_reason) == (None, "no_text")
    (row,) = rows_of(project, "scores")
    assert (row["value"], row["undefined_reason"]) == (None, "no_text")


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"value": "NaN"}, "not a finite number"),
        ({"value": "-inf"}, "not a finite number"),
        ({"value": "high"}, "value is not a number"),
        ({"value": ""}, "either a value or an undefined_reason"),
        ({"undefined_reason": "no_text"}, "either a value or an undefined_reason"),
        ({"metric": " "}, "metric is empty"),
        ({"slide": 0}, "slide is not a whole number from 1 up"),
        ({"slide": 1.5}, "slide is not a whole number"),
        ({"system": "Nobody"}, "no deck of system Nobody"),
        ({"instance_id": "topic-9"}, "no instance topic-9"),
        ({"metric_version": "two"}, "metric_version is not a number"),
    ],
)
def test_that_a_score_that_cannot_be_used_is_refused(project, wrong, reason):
    report = read(project, [scored(run_id="r1") | wrong])
    assert counts(report) == (0, 0, 0, [2])
    assert reason in reasons(report)[0]
    assert score_store.current_scores(project) == []
    assert run_store.list_runs(project) == []


def test_that_scores_twice_are_the_same_and_other_values_conflict(project):
    rows = [
        scored(),
        scored(slide=1, value=0.25),
        scored(preset="other", value=7),
        scored(system="Birch", value=1e-300),
    ]
    assert counts(read(project, rows)) == (4, 0, 0, [])
    assert counts(read(project, rows)) == (0, 4, 0, [])
    assert counts(read(project, [scored(value=0.6), scored(value="", undefined_reason="x")])) == (0, 0, 2, [])
    assert counts(read(project, [scored(metric="b"), scored(metric="b"), scored(metric="b", value=9)])) == (1, 1, 1, [])
    assert [row["value"] for row in rows_of(project, "scores")] == [0.5, 0.25, 7.0, 1e-300, 0.5]


def test_that_an_unknown_run_becomes_an_imported_one(project):
    read(project, [scored(run_id="their-run"), scored(system="Birch", run_id="their-run")])
    (run,) = run_store.list_runs(project)
    assert (run.id, run.kind, run.state) == ("their-run", RunKind.IMPORTED, RunState.DONE)
    assert {score.run_id for score in score_store.current_scores(project)} == {"their-run"}


def test_that_rows_that_are_not_taken_in_make_no_run(project):
    read(project, [scored()])
    assert counts(read(project, [scored(run_id="other"), scored(run_id="other", value=2)])) == (0, 1, 1, [])
    assert counts(read(project, [judged(run_id="other", item_id="")])) == (0, 0, 0, [2])
    assert run_store.list_runs(project) == []


def test_that_a_run_that_is_here_is_left_as_it_is(project):
    run_store.add_run(
        project,
        Run(id=RunId("r1"), kind=RunKind.METRICS, title="mine", spec={}, state=RunState.CANCELLED, started_at="2026"),
    )
    read(
        project, [scored(run_id="r1"), judged(run_id="r1", deck_id="", score=1)], columns=[*COLUMNS["scores"], "system"]
    )
    (run,) = run_store.list_runs(project)
    assert (run.kind, run.title, run.state) == (RunKind.METRICS, "mine", RunState.CANCELLED)


def test_that_verdicts_come_in_with_all_they_say(project):
    row = judged(
        run_id="r1", model="m", prompt_version="3", score=4.5, order_index=1, repeat=2, input_tokens=100,
        output_tokens=20, cost=0.01, cached="true", latency_s=1.5,
    )  # fmt: skip
    assert counts(read(project, [row])) == (1, 0, 0, [])
    assert score_store.list_verdicts(project) == [
        Verdict(
            run_id=RunId("r1"), judge_id="code", model="m", prompt_version="3",
            instance_id=instance_named(project, "topic-1"), deck_id=decks_of(project, "topic-1")["Aster"],
            item_id="i1", verdict="yes", score=4.5, status="ok", order_index=1, repeat=2, input_tokens=100,
            output_tokens=20, cost=0.01, cached=True, latency_s=1.5,
        )
    ]  # fmt: skip


def test_that_a_failed_unit_needs_no_verdict_and_is_never_taken_for_a_no(project):
    assert counts(read(project, [judged(verdict="", status="parse_error")])) == (1, 0, 0, [])
    (row,) = rows_of(project, "verdicts")
    assert (row["verdict"], row["status"], row["score"]) == ("", "parse_error", None)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"verdict": ""}, "verdict is empty"),
        ({"status": "fine"}, "status is fine, not one of ok"),
        ({"score": "nan"}, "not a finite number"),
        ({"judge_id": ""}, "judge_id is empty"),
        ({"item_id": ""}, "item_id is empty"),
        ({"repeat": -1}, "repeat is not a whole number from 0 up"),
        ({"input_tokens": "many"}, "input_tokens is not a number"),
        ({"system": "Nobody"}, "no deck of system Nobody"),
    ],
)
def test_that_a_verdict_that_cannot_be_used_is_refused(project, wrong, reason):
    report = read(project, [judged(run_id="r1") | wrong])
    assert counts(report) == (0, 0, 0, [2])
    assert reason in reasons(report)[0]
    assert run_store.list_runs(project) == []


def test_that_repeats_orders_and_runs_are_verdicts_of_their_own(project):
    units = product(("r1", "r2"), (0, 1), (0, 1))
    rows = [judged(run_id=run, order_index=order, repeat=repeat) for run, order, repeat in units]
    assert counts(read(project, rows)) == (8, 0, 0, [])
    assert counts(read(project, rows)) == (0, 8, 0, [])
    assert counts(read(project, [rows[0] | {"verdict": "no"}, rows[1] | {"score": 3}])) == (0, 0, 2, [])


def test_that_a_unit_asked_again_in_its_run_has_one_current_verdict(project):
    for verdict, status in (("", "api_error"), ("no", "ok")):
        score_store.append_verdicts(
            project,
            [
                Verdict(
                    run_id=None, judge_id="j", model="m", prompt_version="1",
                    instance_id=instance_named(project, "topic-1"), deck_id=decks_of(project, "topic-1")["Aster"],
                    item_id="i1", verdict=verdict, status=status,
                )
            ],
        )  # fmt: skip
    assert [(row["verdict"], row["status"]) for row in rows_of(project, "verdicts")] == [("no", "ok")]
    assert len(score_store.list_verdicts(project)) == 2


def test_that_checklist_answers_come_in_with_evidence_and_comment(project):
    evidence = [{"slide": 2, "x0": 0.1, "y0": 0, "x1": 0.5, "y1": 1}, {"slide": 3}]
    comment = ' first line\r\n"second", 模型 🙂 \n'
    row = checked(item_version=2, dimension="design", evidence=json.dumps(evidence), comment=comment)
    assert counts(read(project, [row])) == (1, 0, 0, [])
    (exported,) = rows_of(project, "checklist")
    assert exported == {
        "instance_id": instance_named(project, "topic-1"), "deck_id": decks_of(project, "topic-1")["Aster"],
        "item_id": "i1", "item_version": 2, "dimension": "design", "annotator_id": "ada", "answer": "yes",
        "evidence": evidence, "comment": comment, "quotes": [], "status": "submitted",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"answer": "maybe"}, "answer is maybe, not one of yes, no, cannot_tell, not_applicable"),
        ({"answer": ""}, "answer is empty"),
        ({"item_id": ""}, "item_id is empty"),
        ({"dimension": "beauty"}, "dimension is beauty"),
        ({"evidence": "slide 3"}, "evidence is not JSON"),
        ({"evidence": '{"slide": 3}'}, "evidence is not a JSON list"),
        ({"evidence": '[{"x0": 0}]'}, "evidence names no slide"),
        ({"evidence": '[{"slide": 0}]'}, "evidence names no slide"),
        ({"evidence": '[{"slide": 1, "x0": 120}]'}, "not between 0 and 1"),
        ({"evidence": '[{"slide": 1, "x0": NaN}]'}, "not between 0 and 1"),
        ({"annotator_id": ""}, "annotator_id is empty"),
    ],
)
def test_that_a_checklist_answer_that_cannot_be_used_is_refused(project, wrong, reason):
    report = read(project, [checked() | wrong])
    assert counts(report) == (0, 0, 0, [2])
    assert reason in reasons(report)[0]
    assert people_store.list_annotators(project) == []


def test_that_a_checklist_twice_is_the_same_and_other_words_conflict(project):
    rows = [checked(comment="a"), checked(item_id="i2", comment=""), checked(annotator_id="grace", comment="a")]
    assert counts(read(project, rows)) == (3, 0, 0, [])
    assert counts(read(project, rows)) == (0, 3, 0, [])
    # A table without the column says nothing against the comment.
    assert counts(read(project, [checked()])) == (0, 1, 0, [])
    assert counts(read(project, [checked(answer="no"), checked(comment="b")])) == (0, 0, 2, [])


def test_that_pairs_are_turned_into_one_order(project):
    first, second = sorted([decks_of(project, "topic-1")[system] for system in ("Aster", "Birch")])
    rows = [
        compared(annotator_id="p1", deck_a=first, deck_b=second, preference="a", shown_left=second),
        compared(annotator_id="p2", deck_a=second, deck_b=first, preference="a", strength=2),
        compared(annotator_id="p3", deck_a=second, deck_b=first, preference="b"),
        compared(annotator_id="p4", deck_a=second, deck_b=first, preference="tie"),
        compared(annotator_id="p5", deck_a=second, deck_b=first, preference="both_bad"),
        compared(annotator_id="p6", deck_a=second, deck_b=first, preference="cannot_judge"),
    ]
    assert counts(read(project, rows)) == (6, 0, 0, [])
    exported = rows_of(project, "pairs")
    assert {(row["deck_a"], row["deck_b"]) for row in exported} == {(first, second)}
    assert [row["preference"] for row in exported] == ["a", "b", "a", "tie", "both_bad", "cannot_judge"]
    assert exported[0]["shown_left"] == second
    assert [row["strength"] for row in exported[:2]] == [None, 2.0]
    assert {row["source"] for row in exported} == {"direct"}


def test_that_a_pair_the_other_way_round_is_the_same_answer(project):
    assert counts(read(project, [compared(preference="a")])) == (1, 0, 0, [])
    assert counts(read(project, [compared(preference="a")])) == (0, 1, 0, [])
    turned = compared(deck_a="Birch", deck_b="Aster", preference="b")
    assert counts(read(project, [turned])) == (0, 1, 0, [])
    assert counts(read(project, [turned | {"preference": "a"}, turned | {"preference": "tie"}])) == (0, 0, 2, [])
    assert len(rows_of(project, "pairs")) == 1


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"preference": ""}, "preference is empty"),
        ({"preference": "left"}, "preference is left, not one of a, b, tie"),
        ({"deck_b": "Aster"}, "the same deck"),
        ({"deck_b": ""}, "no deck named"),
        ({"deck_b": "Nobody"}, "no deck Nobody"),
        ({"strength": "much"}, "strength is not a number"),
        ({"shown_left": "Cedar"}, "shown_left is neither"),
        ({"source": "hearsay"}, "source is hearsay"),
    ],
)
def test_that_a_pair_that_cannot_be_used_is_refused(project, wrong, reason):
    report = read(project, [compared(preference="a") | wrong])
    assert counts(report) == (0, 0, 0, [2])
    assert reason in reasons(report)[0]
    assert rows_of(project, "pairs") == []
    assert people_store.list_annotators(project) == []


def test_that_a_ranking_gives_one_pair_for_each_two_decks(project):
    decks = decks_of(project, "topic-1")
    session = open_session(project, "topic-1", "Ada")
    ranks = {"Aster": 1, "Birch": 2, "Cedar": 2, "Dahlia": 4}
    for system, place in ranks.items():
        session.rank(decks[system], place)
    session.submit()
    exported = rows_of(project, "pairs")
    assert len(exported) == 6
    system_of = {deck: system for system, deck in decks.items()}
    shown = list(session.display)
    for row in exported:
        rank_a, rank_b = ranks[system_of[row["deck_a"]]], ranks[system_of[row["deck_b"]]]
        assert row["preference"] == ("tie" if rank_a == rank_b else "a" if rank_a < rank_b else "b")
        assert row["shown_left"] == min(row["deck_a"], row["deck_b"], key=shown.index)
        assert row["source"] == "derived_from_ranking"
    assert {frozenset((row["deck_a"], row["deck_b"])) for row in exported} == {
        frozenset(pair) for pair in combinations(decks.values(), 2)
    }


def test_that_derived_pairs_are_compared_with_the_ranking_and_never_stored(project, tmp_path):
    empty = project.save_copy(tmp_path / "copy")
    rank(project, "topic-1", "Ada", ["Dahlia", "Cedar", "Birch", "Aster"])
    rows = rows_of(project, "pairs")
    assert counts(read(project, rows)) == (0, 6, 0, [])
    turned = [rows[0] | {"preference": {"a": "b", "b": "a"}[rows[0]["preference"]]}]
    assert counts(read(project, turned)) == (0, 0, 1, [])
    assert rows_of(project, "pairs") == rows
    with Project.open(empty, must_write=True) as copy:
        report = read(copy, rows)
        assert counts(report) == (0, 0, 0, [2, 3, 4, 5, 6, 7])
        assert "import the rankings first" in reasons(report)[0]
        assert people_store.list_annotators(copy) == []


@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_that_a_copy_reads_the_same_tables_as_went_out(project, tmp_path, format):
    empty = project.save_copy(tmp_path / "copy")
    aster = decks_of(project, "topic-1")["Aster"]
    instance = instance_named(project, "topic-1")
    rank(project, "topic-1", "Ada", ["Dahlia", "Cedar", "Birch", "Aster"])
    person(project, "nobody yet")
    run_store.add_run(
        project,
        Run(id=RunId("r1"), kind=RunKind.METRICS, title="mine", spec={}, state=RunState.DONE, started_at="2026"),
    )
    score_store.append_scores(
        project,
        [
            Score(
                run_id=RunId("r1"), metric="aesthetics.harmony", metric_version=2, preset="paper-text", deck_id=aster,
                instance_id=instance, slide=slide, value=value, undefined_reason=None if value else "no_text",
                flags=() if value else ("no_text_regions", "achromatic"),
            )
            for slide, value in ((None, 0.1 + 0.2), (1, 1e-7), (2, None))
        ],
    )  # fmt: skip
    read(
        project,
        [judged(run_id="r2", score=4), judged(verdict="", status="refused"), judged(item_id="i2", verdict=" a, b\n")],
    )
    read(
        project,
        [checked(evidence='[{"slide": 1}]', comment='"x",\r\n一 '), checked(item_id="i2", answer="cannot_tell")],
    )
    read(project, [compared(preference="tie"), compared(deck_a="Cedar", preference="b", strength=0.5)])
    tables = ("rankings", "pairs", "checklist", "verdicts", "scores")
    before = {table: rows_of(project, table) for table in tables}
    assert {table: len(rows) for table, rows in before.items()} == {
        "rankings": 4, "pairs": 8, "checklist": 2, "verdicts": 3, "scores": 3,
    }  # fmt: skip
    with Project.open(empty, must_write=True) as copy:
        for table in tables:
            report = read(copy, before[table], format=format, columns=COLUMNS[table])
            assert report.table == table
            assert (report.conflicting, report.refused, report.notes) == (0, [], [])
            assert report.new + report.same == len(before[table])
        for table in tables:
            report = read(copy, before[table], format=format, columns=COLUMNS[table])
            assert counts(report) == (0, len(before[table]), 0, [])

        def sorted_rows(rows):
            return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))

        for table in tables:
            assert sorted_rows(rows_of(copy, table)) == sorted_rows(before[table])
    for table in tables:
        assert counts(read(project, before[table], format=format, columns=COLUMNS[table])) == (
            0, len(before[table]), 0, [],
        )  # fmt: skip


def test_that_an_unknown_table_names_those_that_are(project):
    with pytest.raises(BadInput, match="no table people") as caught:
        rows_of(project, "people")
    assert "rankings" in caught.value.next_step


@pytest.mark.parametrize("table", ["rankings", "pairs", "checklist", "verdicts", "scores"])
def test_that_an_empty_table_is_a_header(project, table):
    assert csv_text(COLUMNS[table], rows_of(project, table)) == "\ufeff" + ",".join(COLUMNS[table]) + "\r\n"
    assert jsonl_text(COLUMNS[table], rows_of(project, table)) == ""
