"""Judging through the command line, against a server that speaks the wire formats: every protocol, counts, keys."""

from __future__ import annotations

import json
import re

import pytest

from studio.actions.tables import TABLES
from studio.model.authoring import EVERYWHERE, ListSettings
from studio.model.checklists import Dimension, Item, ItemId
from studio.store import checklists as checklist_store
from studio.store import scores as score_store
from studio.store.project import Project
from tests.fake_judge_server import KEY, FakeJudgeServer, Fault
from tests.flows.made_here import instances, picture, ranking_rows, write_csv

SYSTEMS = ("Aster", "Birch", "Cedar")
JUDGE = "openai:m-1"
ITEMS = (
    (Dimension.FUNDAMENTALS, "Is every title short?"),
    (Dimension.DESIGN, "Is nothing cut off?"),
    (Dimension.FIDELITY, "Does slide 1 agree with the source?"),
)


@pytest.fixture(autouse=True)
def key(monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture
def project(studio, tmp_path):
    """Two instances with three decks of two slides, and three checklist items."""
    made = tmp_path / "study"
    assert studio("new", made).code == 0
    ended = studio("import", made, instances(tmp_path / "material", ["tides", "glaciers"], systems=SYSTEMS, slides=2))
    assert ended.code == 0, ended.err
    with Project.open(made, must_write=True) as opened:
        checklist_store.save_items(
            opened,
            [
                Item(id=ItemId(f"q{number}"), version=1, dimension=dimension, text=text, position=float(number))
                for number, (dimension, text) in enumerate(ITEMS)
            ],
            author="tester",
            verb="add",
            words="Added",
        )
    return made


def answer(call):
    """Answers every prompt of the studio; ratings follow the pictures' hashes, so that decks differ."""
    text = call.text
    score = 1 + int(call.images[0][:4], 16) % 10 if call.images else 4
    if "out at random" in text:  # listwise
        labels = re.search(r"The letters are ([A-Z, ]+) and", text)[1].split(", ")
        return json.dumps({"reason": "r", "ranking": sorted(labels)})
    if "[[A]]" in text:
        return "Compared. [[A]]" if call.images[0] < call.images[-1] else "Compared. [[B]]"
    if "write nothing but this number" in text:
        return str(1 + score % 5)
    if '"results"' in text:
        numbers = re.findall(r"Requirement (\d+):", text)
        return json.dumps({"results": [{"item": int(n), "answer": "yes", "reason": "slide 1"} for n in numbers]})
    if "boxed" in text:
        return "Slide 1 is fine. \\boxed{yes}" if score % 2 else "Slide 2 fails. \\boxed{no}"
    if "Describe and do not assess" in text:
        return "Blocks of colour, no words."
    if "Description:" in text:
        return '{"reason": "as described", "score": 3}'
    return f'```json\n{{"reason": "slide 1", "score": {score}}}\n```'


@pytest.fixture
def server():
    with FakeJudgeServer(answer=answer) as running:
        yield running


@pytest.fixture
def judge(studio, project, server):
    def run(protocol="checklist", *more, judge=JUDGE):
        return studio("judge", project, "--judge", judge, "--protocol", protocol, "--base-url", server.openai_url,
                      "--json", *more)  # fmt: skip

    return run


# Calls by hand: 6 decks of 2 slides in 2 instances of 3 decks. Checklist: 6·3. Rating: 6·4. Arena: 2 instances · 3
# pairs · 2 orders. Lists: 2 · 3. PPTEval: 6 decks · 2 slides · 2 dimensions · 2 stages; a picture deck has no text,
# so its coherence cannot be asked after. G-Eval with 2 samples: 6 · 4 · 2.
@pytest.mark.parametrize(
    ("protocol", "more", "units", "calls"),
    [
        ("checklist", (), 18, 18),
        ("checklist", ("--set", "batch=2"), 12, 12),
        ("rating", (), 24, 24),
        ("arena", (), 12, 12),
        ("listwise", (), 6, 6),
        ("geval", ("--set", "geval=samples", "--set", "samples=2"), 24, 48),
    ],
)
def test_that_each_protocol_runs_with_exactly_its_calls_and_a_second_run_makes_none(
    judge, server, protocol, more, units, calls
):
    first = judge(protocol, *more)
    assert first.code == 0, first.err
    assert first.json["units"] == {"ok": units, "parse_error": 0, "api_error": 0, "refused": 0, "skipped": 0}
    assert (first.json["calls"], server.n_calls) == (calls, calls)
    again = judge(protocol, *more)
    assert (again.code, again.json["calls"], again.json["cached"], server.n_calls) == (0, 0, units, calls)
    assert again.json["cost"] == 0


def test_that_ppteval_asks_in_two_stages_and_says_what_it_cannot_ask(judge, server):
    ended = judge("ppteval")
    assert ended.json["units"]["ok"] == 24
    assert ended.json["units"]["skipped"] == 6
    assert (ended.code, server.n_calls) == (1, 48)


@pytest.mark.parametrize("protocol", ["checklist", "rating", "arena", "listwise"])
def test_that_a_judge_is_a_method_beside_the_metrics(studio, project, judge, tmp_path, protocol):
    ranks = {
        name: dict(zip(SYSTEMS, order, strict=True)) for name, order in (("tides", (1, 2, 3)), ("glaciers", (2, 1, 3)))
    }
    studio("import-table", project, write_csv(tmp_path / "rankings.csv", ranking_rows(ranks)))
    assert judge(protocol).code == 0
    table = studio("align", project, "--json").json
    method = next(each for each in table["methods"] if each["method"] == f"{JUDGE}/{protocol}")
    assert method["n_total"] == 2


def test_that_the_price_comes_before_the_run_and_nothing_is_asked(judge, server):
    told = judge("rating", "--dry-run").json
    assert (told["units"], told["cached"], told["pictures"], server.n_calls) == (24, 0, 48, 0)
    judge("rating")
    told = judge("rating", "--dry-run").json
    assert (told["units"], told["cached"], told["price"]) == (0, 24, 0.0)


def test_that_ratings_of_prose_are_parse_errors_and_retry_failed_asks_only_those(studio, project, judge, server):
    def sulks(call):
        return "I would say seven." if "usability" in call.text else answer(call)

    server.answer = sulks
    ended = judge("rating")
    # 6 decks · (3 readable criteria + 1 criterion asked 5 times).
    assert (ended.code, ended.json["units"]["parse_error"], server.n_calls) == (1, 6, 48)
    with Project.open(project) as opened:
        totals = [s for s in score_store.current_scores(opened) if s.metric == f"{JUDGE}/rating"]
        assert {(score.value, score.undefined_reason) for score in totals} == {(None, "parse_error: usability")}
    server.answer = answer
    retried = studio("runs", project, "--retry-failed", ended.json["run_id"], "--json")
    assert (retried.code, retried.json["units"]["ok"], retried.json["calls"]) == (0, 6, 6)
    with Project.open(project) as opened:
        totals = [s for s in score_store.current_scores(opened) if s.metric == f"{JUDGE}/rating"]
        assert all(score.value is not None for score in totals)


@pytest.mark.parametrize(
    ("change", "calls"),
    [(("--set", "temperature=1"), 24), (("--set", "seed=7"), 24), (("--set", "max_in_flight=2"), 0)],
)
def test_that_a_setting_asks_again_only_if_it_changes_answers(judge, server, change, calls):
    judge("rating")
    assert judge("rating", *change).json["calls"] == calls


def test_that_another_model_asks_everything_again(judge, server):
    judge("rating")
    assert judge("rating", judge="openai:m-2").json["calls"] == 24


def test_that_one_word_of_an_item_asks_exactly_its_units_again(project, judge, server):
    judge()
    with Project.open(project, must_write=True) as opened:
        item = next(each for each in checklist_store.list_items(opened) if each.id == "q0")
        from dataclasses import replace

        checklist_store.save_items(
            opened, [replace(item, text="Is every title very short?")], author="tester", verb="edit", words="Edited"
        )
    assert judge().json["calls"] == 6


def test_that_a_prefix_asks_its_tier_again(project, judge, server):
    judge()
    with Project.open(project, must_write=True) as opened:
        checklist_store.save_settings(
            opened, EVERYWHERE, ListSettings(dependent_prefix="Look closely. Say \\boxed{yes} or no.\n\n"), author="t"
        )
    assert judge().json["calls"] == 6


def test_that_another_picture_asks_exactly_its_deck_again(studio, project, judge, server, tmp_path):
    judge("rating")
    changed = tmp_path / "changed"
    for number in (1, 2):
        picture(changed / f"slide_{number}.png", seed=9000 + number)
    decks = studio("decks", project, "--json").json
    deck = next(each for each in decks if each["system"] == "Birch")
    assert studio("replace", project, deck["deck_id"], "--with", changed).code == 0
    assert judge("rating").json["calls"] == 4


def test_that_repeats_are_distinct_calls(judge, server):
    assert judge("rating", "--repeats", "3").json["calls"] == 72
    assert judge("rating", "--repeats", "3").json["calls"] == 0


def test_that_a_wrong_key_is_one_line_and_one_call(studio, project, server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "wrong-key-of-mine")
    ended = studio("judge", project, "--judge", JUDGE, "--protocol", "rating", "--base-url", server.openai_url)
    assert ended.code == 2
    assert "Traceback" not in ended.err
    assert "wrong-key-of-mine" not in ended.err + ended.out


def test_that_keys_are_nowhere_in_the_project(project, judge):
    judge("rating")
    for file in project.rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes()


@pytest.mark.parametrize("judge", ["openai:m-1", "gemini:g-1"])
def test_that_a_key_that_a_server_repeats_is_nowhere_in_project_logs_or_exports(
    studio, project, judge, home, tmp_path, monkeypatch
):
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    said = f"You asked with {KEY}."
    faults = [Fault.NONE, Fault.BAD_REQUEST, Fault.TORN_JSON, Fault.OVERLOADED]
    with FakeJudgeServer(answer=lambda call: json.dumps({"reason": said, "score": 3}), faults=faults) as server:
        url = server.url if judge.startswith("gemini") else server.openai_url
        ended = studio("judge", project, "--judge", judge, "--protocol", "rating", "--base-url", url, "--json")
    assert ended.json["units"]["ok"] >= 20, ended.err
    told = [ended.out + ended.err]
    out = tmp_path / "out"
    out.mkdir()
    for number, table in enumerate(TABLES):
        done = studio("export", project, "--table", table, "--format", "jsonl", "--out", out / f"{number}.jsonl")
        told.append(done.out + done.err)
    assert studio("report", project, "--out", out / "report.html").code == 0
    assert KEY not in "".join(told)
    files = [file for folder in (project, home, out) for file in folder.rglob("*") if file.is_file()]
    assert [file for file in files if KEY.encode() in file.read_bytes()] == []
    # What the judge said is there all the same.
    assert any(b"You asked with [key hidden]." in file.read_bytes() for file in files)


def test_that_a_deck_of_text_is_judged_without_pictures(judge, server):
    assert judge("rating", "--set", "input=text", "--decks", "Aster").json["units"]["ok"] == 8
    assert all(not call.images for call in server.calls)
    assert all("No pictures can be shown" in call.text for call in server.calls)


def test_that_labels_name_slides_and_sources_and_the_prompt_comes_last(judge, server):
    judge("checklist", "--decks", "tides/Aster")
    dependent = next(call for call in server.calls if "agree with the source" in call.text)
    places = [dependent.text.index(words) for words in ("deck slide 1", "deck slide 2", "source 1 page 1", ITEMS[2][1])]
    assert places == sorted(places)
    assert dependent.text.endswith(ITEMS[2][1])
    independent = next(call for call in server.calls if ITEMS[0][1] in call.text)
    assert "source 1" not in independent.text


def test_that_a_server_error_leaves_a_unit_to_be_resumed(studio, project, judge, server):
    server.rule = lambda call: Fault.BAD_REQUEST if "usability" in call.text else Fault.NONE
    ended = judge("rating")
    assert (ended.code, ended.json["units"]["api_error"]) == (1, 6)
    server.rule = None
    resumed = studio("runs", project, "--resume", ended.json["run_id"], "--json")
    assert (resumed.code, resumed.json["units"]["ok"], resumed.json["calls"]) == (0, 6, 6)
    kinds = [row["kind"] for row in studio("runs", project, "--json").json]
    assert kinds.count("judge") == 2


def test_that_a_blocked_reply_is_refused_and_never_a_verdict(judge, server):
    server.rule = lambda call: Fault.BLOCKED_REPLY
    ended = judge("rating", "--decks", "tides/Aster")
    assert (ended.code, ended.json["units"]["refused"], ended.json["units"]["ok"]) == (1, 4, 0)


@pytest.mark.parametrize(
    "wrong",
    [
        ("--judge", "nobody:x"), ("--judge", "openai:"), ("--judge", JUDGE, "--set", "wonder=1"),
        ("--judge", JUDGE, "--set", "batch=0"), ("--judge", JUDGE, "--set", "temperature"),
        ("--judge", JUDGE, "--decks", "nowhere"), ("--judge", "code", "--protocol", "rating"),
        ("--judge", "scripted:/nowhere.json"), ("--judge", JUDGE, "--executor", "dask"),
    ],
)  # fmt: skip
def test_that_a_mistake_is_one_clear_line(studio, project, wrong):
    ended = studio("judge", project, *wrong)
    assert ended.error_line


def test_that_a_scripted_judge_is_named_so_and_needs_no_key(studio, project, tmp_path, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    script = tmp_path / "script.json"
    lines = [{"text": "Whole numbers from 1 to 10", "reply": {"reason": "scripted", "score": "{{number:1:10}}"}}]
    script.write_text(json.dumps({"format": "podium scripted judge", "lines": lines}), encoding="utf-8")
    ended = studio("judge", project, "--judge", f"scripted:{script}", "--protocol", "rating", "--json")
    assert ended.code == 0, ended.err
    with Project.open(project) as opened:
        scores = [score for score in score_store.current_scores(opened) if score.metric.endswith("/rating")]
        assert all(score.detail["is_scripted"] for score in scores)
        assert len(scores) == 6


def test_that_a_judge_that_prefers_the_first_place_is_seen_through(studio, project, judge, server):
    server.answer = lambda call: "[[A]]"
    assert judge("arena").code == 0
    row = studio("judge", project, "--quality", "--json").json[0]
    # All six pairs say "first" in both orders.
    assert (row["swap_consistency"], row["always_first"], row["first_slot_rate"]) == (0.0, 1.0, 1.0)
    with Project.open(project) as opened:
        scores = [s for s in score_store.current_scores(opened) if s.metric == f"{JUDGE}/arena"]
    # Every pair is inconsistent, which is half a win for each: all strengths are equal.
    assert [round(s.value, 6) for s in scores] == [0.0] * 6
    assert all((s.detail["inconsistent"], s.detail["ties"], s.detail["elo"]) == (2, 0, 1500.0) for s in scores)


def test_that_repeats_that_differ_are_counted_as_flips(studio, project, judge, server):
    asked = iter(range(1000))
    server.answer = lambda call: json.dumps({"reason": "r", "score": 3 + next(asked) % 2})
    judge("rating", "--repeats", "2", "--set", "max_in_flight=1", "--decks", "tides/Aster")
    row = studio("judge", project, "--quality", "--json").json[0]
    # Four criteria asked twice: calls 0 to 3 say 3, 4, 3, 4 and calls 4 to 7 say the same: no flip at all.
    assert (row["repeated"], row["flip_rate"]) == (4, 0.0)


def test_that_a_judge_with_a_name_is_asked_by_it_without_its_address(studio, project, server):
    kept = studio("judges", project, "--add", "Careful", "--judge", JUDGE, "--base-url", server.openai_url, "--set",
                  "temperature=0", "--json")  # fmt: skip
    assert kept.json["judges"] == [
        {"name": "Careful", "judge": JUDGE, "base_url": server.openai_url, "settings": {"temperature": 0.0}}
    ]
    ended = studio("judge", project, "--judge", "careful", "--protocol", "rating", "--json")
    assert ended.json["units"]["ok"] == 24
    assert {call.settings["temperature"] for call in server.calls} == {0}
    # The name is no part of the judge: asked by its address it is the same one.
    again = studio("judge", project, "--judge", JUDGE, "--protocol", "rating", "--base-url", server.openai_url, "--set",
                   "temperature=0", "--json")  # fmt: skip
    assert (again.json["calls"], again.json["cached"]) == (0, 24)
    assert studio("judges", project, "--remove", "CAREFUL", "--json").json["judges"] == []
    assert "no judge called “careful”" in studio("judge", project, "--judge", "careful").err


@pytest.mark.parametrize("name", ["", "openai:x", "code", "n" * 61])
def test_that_a_name_that_could_be_taken_for_a_judge_is_refused(studio, project, name):
    ended = studio("judges", project, "--add", name, "--judge", JUDGE)
    assert ended.code == 2
    assert "cannot be called" in ended.err


def test_that_a_sample_of_units_is_asked_and_measures_the_price_of_the_rest(judge, server):
    sample = judge("rating", "--first", "6")
    assert (sample.json["units"]["ok"], server.n_calls) == (6, 6)
    # Spread over the plan of 24: not all of the first deck.
    assert len({call.images[:1] for call in server.calls}) > 1
    told = judge("rating", "--dry-run")
    assert (told.json["units"], told.json["cached"], told.json["calls"]) == (18, 6, 18)
    assert "measured on 6 replies" in told.json["rule"]
    # The fake server counts 100 tokens in, 258 for each of the two pictures, and 27 out for every call.
    assert (told.json["input_tokens"], told.json["output_tokens"]) == (18 * 616, 18 * 27)
    assert judge("rating").json["calls"] == 18


def test_that_a_budget_of_tokens_pauses_and_one_of_dollars_needs_a_price(studio, project, judge):
    ended = judge("rating", "--budget-tokens", "5000", "--set", "max_in_flight=1")
    assert ended.json["state"] == "paused"
    # 643 tokens a call: seven make 4,501, an eighth would make 5,144. The first reply shows the real size.
    assert ended.json["calls"] == 7
    refused = studio("judge", project, "--judge", JUDGE, "--base-url", "https://judge.invalid/v1", "--budget", "1")
    assert refused.code == 2
    assert "price of m-1 is not known" in refused.err


def test_that_a_unit_can_be_looked_into_with_its_pictures_and_raw_reply(studio, project, judge, server):
    run_id = judge("checklist", "--items", "q2").json["run_id"]
    units = studio("runs", project, "--units", run_id, "--json").json
    assert {unit["status"] for unit in units} == {"ok"}
    shown = studio("runs", project, "--unit", units[0]["key"][:16], "--json").json
    assert (shown["judge"], shown["protocol"], len(shown["calls"])) == (JUDGE, "checklist", 1)
    parts = shown["calls"][0]["parts"]
    assert [part["label"] for part in parts if "label" in part][:2] == ["deck slide 1", "deck slide 2"]
    assert all(part["path"] for part in parts if "label" in part)
    assert "Does slide 1 agree with the source?" in parts[-1]["text"]
    assert shown["calls"][0]["replies"][0]["raw"]["model"] == "m-1-001"
    assert shown["verdicts"][0]["verdict"] in ("yes", "no")
    assert KEY not in json.dumps(shown)
    words = studio("runs", project, "--unit", units[0]["key"]).out
    assert "[deck slide 1]" in words


def test_that_replies_are_read_again_without_a_call(studio, project, judge, server):
    run_id = judge("rating").json["run_id"]
    calls = server.n_calls
    again = studio("runs", project, "--reparse", run_id, "--json")
    assert (again.json["units"]["ok"], again.json["calls"], again.json["replies_reused"]) == (24, 0, 24)
    assert server.n_calls == calls


def test_that_the_page_rule_is_set_once_for_the_project_and_stands_beside_each_value(studio, project, judge):
    assert studio("judges", project, "--json").json["pages"] == "cut"
    assert studio("judges", project, "--pages", "full", "--json").json["pages"] == "full"
    judge("rating")
    with Project.open(project) as opened:
        pages = [score.detail.get("pages") for score in score_store.current_scores(opened)]
    rules = {each["rule"] for each in pages if each}
    assert rules == {"full"}


def test_that_swiss_rounds_ask_fewer_pairs_and_every_round_is_planned_by_the_one_before(
    studio, tmp_path, server, monkeypatch
):
    made = tmp_path / "five"
    assert studio("new", made).code == 0
    assert studio("import", made, instances(tmp_path / "tides", ["tides"], slides=1)).code == 0
    # The deck whose picture has the larger hash wins, in whatever place.
    server.answer = lambda call: "[[A]]" if call.images[0] > call.images[1] else "[[B]]"
    ask = ("judge", made, "--judge", JUDGE, "--protocol", "arena", "--base-url", server.openai_url, "--json", "--set",
           "pairs=swiss")  # fmt: skip
    first = studio(*ask, "--dry-run").json
    # Five decks: two pairs a round in both orders, one rests.
    assert first["units"] == 4
    assert "this round only" in first["rule"]
    ended = studio(*ask)
    # ⌈log2 5⌉ + 1 = 4 rounds of 2 pairs in 2 orders; all pairs would be 10 · 2 = 20.
    assert (ended.json["units"]["ok"], ended.json["calls"], server.n_calls) == (16, 16, 16)
    pairs = [frozenset(call.images) for call in server.calls]
    assert {pairs.count(pair) for pair in pairs} == {2}
    runs = studio("runs", made, "--json").json
    assert [run["title"] for run in runs if run["kind"] == "judge"] == ["openai:m-1/arena"] * 4
    assert studio(*ask).json["calls"] == 0
    with Project.open(made) as opened:
        strengths = {s.deck_id: s for s in score_store.current_scores(opened) if s.metric == "openai:m-1/arena"}
    assert len(strengths) == 5
    best = max(strengths.values(), key=lambda score: score.value)
    # Who wins every game has the largest strength.
    assert best.detail["won"] == best.detail["pairs"]


def pdf(path, words):
    import pymupdf

    with pymupdf.open() as document:
        for each in words:
            document.new_page(width=640, height=360).insert_text((60, 120), each, fontsize=30)
        document.save(path)
    return path


def test_that_a_deck_and_its_sources_go_as_files_cut_to_the_judged_pages(studio, tmp_path, server):
    material = instances(tmp_path / "material", ["tides"], systems=("Aster",), slides=1)
    pdf(material / "tides" / "decks" / "Birch.pdf", ["One", "Two", "Three"])
    pdf(material / "tides" / "sources" / "paper.pdf", ["Source"])
    made = tmp_path / "files"
    assert studio("new", made).code == 0
    ended = studio("import", made, material)
    assert ended.code == 0, ended.err
    with Project.open(made, must_write=True) as opened:
        checklist_store.save_settings(opened, EVERYWHERE, ListSettings(slide_limits=(1, 2)), author="tester")
    ask = ("judge", made, "--judge", JUDGE, "--base-url", server.openai_url, "--json", "--decks", "Birch", "--protocol")
    whole = studio(*ask, "geval", "--set", "input=file", "--set", "geval=single")
    assert whole.code == 0, whole.err
    assert whole.json["units"]["ok"] == 4
    assert all(call.images == () and len(call.files) in (1, 2) for call in server.calls)
    # Coverage is judged beside the sources.
    assert sorted(len(call.files) for call in server.calls) == [1, 1, 1, 2]
    assert "first page is its slide 1" in server.calls[0].text
    shown = studio("runs", made, "--units", whole.json["run_id"], "--json").json
    parts = studio("runs", made, "--unit", shown[0]["key"], "--json").json["calls"][0]["parts"]
    (path,) = [part["path"] for part in parts if part.get("label") == "deck"]
    import pymupdf

    with pymupdf.open(path) as cut:
        assert [page.get_text().strip() for page in cut] == ["One", "Two"]
    # Its own file is a PDF too; one of three pages cannot stand for two in a format that is not cut.
    assert studio(*ask, "ppteval", "--set", "input=file").code == 2


def test_that_a_judge_that_dislikes_repetition_is_sensitive_to_it_and_to_nothing_else(studio, tmp_path, server):
    made = tmp_path / "many"
    assert studio("new", made).code == 0
    material = instances(tmp_path / "material", ["tides", "glaciers"], systems=SYSTEMS, slides=5)
    assert studio("import", made, material).code == 0

    def strict(call):
        repeated = len(call.images) - len(set(call.images))
        return json.dumps({"reason": "r", "score": max(1, 9 - 2 * repeated)})

    server.answer = strict
    ask = ("judge", made, "--judge", JUDGE, "--base-url", server.openai_url, "--json", "--protocol")
    assert studio(*ask, "arena", "--set", "sensitivity=yes").code == 2
    calls = server.n_calls
    ended = studio(*ask, "rating", "--set", "sensitivity=yes", "--set", "criteria=harmony")
    # 6 decks: as they are, and 4 degrees of flow and of redundancy; a picture deck carries no topics to take out.
    assert (ended.json["units"]["ok"], ended.json["units"]["skipped"]) == (6 * 9, 6 * 4)
    assert server.n_calls - calls == 6 * 9
    (quality,) = [row for row in studio("judge", made, "--quality", "--json").json if row["protocol"] == "rating"]
    by_defect = {each["defect"]: each for each in quality["sensitivity"]}
    # 20 % of five slides a degree are 1, 2, 3 and 4 copies: 2 points each, down to 1 at least.
    redundancy = by_defect["redundancy"]
    assert redundancy["noticed_from"] == 1
    assert [each["fall"] for each in redundancy["degrees"]] == [-2, -4, -6, -8]
    assert {each["lower"] for each in redundancy["degrees"]} == {1}
    assert by_defect["flow"]["noticed_from"] is None
    assert [each["fall"] for each in by_defect["flow"]["degrees"]] == [0, 0, 0, 0]
    # Nothing of it counts as a verdict on the decks.
    assert quality["verdicts"] == 0
    with Project.open(made) as opened:
        assert [score for score in score_store.current_scores(opened) if score.metric.startswith("openai")] == []
    assert "noticed from" in studio("judge", made, "--quality").out


def test_that_a_draft_by_a_judge_tells_its_price_before_it_is_asked(studio, project, tmp_path):
    base = ("checklist", "draft", project, "--instance", "tides")
    told = studio(*base, "--judge", "openai:gpt-4o", "--dry-run")
    assert told.code == 0, told.err
    assert re.match(r"1 call, about [\d,]+ tokens in and 2,000 out: about \$0\.02\d\d\.", told.out)
    assert "price entered by hand on 2026-11-30: check it with your provider" in told.err
    found = json.loads(studio(*base, "--judge", "openai:gpt-4o", "--dry-run", "--json").out)
    assert (found["calls"], found["dry_run"]) == (1, True)
    assert studio(*base, "--dry-run").code == 2
    script = tmp_path / "draft.json"
    items = [{"dimension": "completeness", "text": "Does the deck name tides?"}]
    lines = [{"text": "checklist for slide decks", "reply": {"items": items}}]
    script.write_text(json.dumps({"format": "podium scripted judge", "lines": lines}), encoding="utf-8")
    asked = studio(*base, "--judge", f"scripted:{script}")
    assert asked.err.index("1 call, about") < asked.err.index("1 calls, $0.0000")
    assert "No call: the same was asked before" in studio(*base, "--judge", f"scripted:{script}", "--dry-run").out
