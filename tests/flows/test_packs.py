"""Packs: three people, two of them elsewhere, and what comes back."""

import csv
import hashlib
import hmac
import io
import json
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from studio.actions import answer_desk, packs, quality, sessions, studies, study_desk, study_plan, tables
from studio.actions.explanation_units import Explanation, explanation_rows, plan_explanations
from studio.actions.projects import open_project
from studio.actions.study_queue import assignments_of
from studio.errors import BadInput, StudioError
from studio.exchange.rankings import current_rankings
from studio.model.authoring import Curation
from studio.model.packs import PackContent
from studio.model.quality import ExampleDeck
from studio.model.studies import StudyKind
from studio.sessions.placement import competition
from studio.stats.correlation import spearman
from studio.store import answers as answer_store
from studio.store import care as care_store
from studio.store import checklists as checklist_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store.project import Project
from tests.flows.conftest import environment
from tests.pack_stories import answer, draw_pages, first_ranks
from tests.projects import make_project
from tests.small_disk import mounted

ROOT = Path(__file__).resolve().parents[2]
FIVE = ("Aster Maker", "Birch-Gen", "Cedar 模型", "Dahlia,Pro", "Elder")
PEOPLE = ("Ann", "Bert", "Clara")  # invented


@pytest.fixture
def origin(tmp_path):
    project = make_project(tmp_path / "origin", instances=4, systems=FIVE)
    draw_pages(project)
    yield project
    project.close()


def sent(project: Project, folder: Path, name: str, **how) -> Path:
    packs.create_pack(project, folder / f"{name}.pack", annotator=name, **how)
    return packs.open_pack(folder / f"{name}.pack", folder / name)


def elsewhere(folder: Path, name: str, upto: int, end: str, *more: str) -> int:
    script = [sys.executable, "-m", "tests.pack_stories", str(folder), name, str(upto), end, *more]
    done = subprocess.run(script, cwd=ROOT, env=environment(), check=False, capture_output=True, text=True)
    assert done.returncode in (0, -9), done.stderr
    return done.returncode


def sent_back(folder: Path, out: Path) -> Path:
    project = open_project(folder)
    try:
        return packs.write_answers(project, out)[0]
    finally:
        project.close()


def answered(origin: Project, tmp_path: Path, name: str = "Ann") -> Path:
    """Return the answers that a person gave to all of a pack."""
    folder = sent(origin, tmp_path, name)
    with open_project(folder, must_write=True) as project:
        who = sessions.be_annotator(project, name).id
        for number, instance in enumerate(deck_store.list_instances(project)):
            answer(project, name, who, instance.id, number)
    return sent_back(folder, tmp_path / f"{name}.answers.jsonl")


@pytest.fixture
def berts_machine(tmp_path):
    """Give the folder of a disk of six megabytes, and whether it is one: else the story goes without a full disk."""
    with mounted(tmp_path / "machine of Bert") as (disk, _):
        yield tmp_path / "machine of Bert", disk is not None


def test_that_a_study_by_three_people_two_of_them_elsewhere_comes_together(tmp_path, berts_machine):
    # Bert's disk is full for a while when he is at his eleventh instance.
    place, can_be_full = berts_machine
    places = {"Ann": tmp_path / "machine of Ann", "Bert": place}
    origin = make_project(tmp_path / "origin", instances=20, systems=FIVE)
    draw_pages(origin)
    files = []
    for name in PEOPLE[:2]:
        folder = sent(origin, places[name], name)
        assert elsewhere(folder, name, 8, "kill") == -9
        assert elsewhere(folder, name, 20, "end", *(["10"] if name == "Bert" and can_be_full else [])) == 0
        files.append(sent_back(folder, tmp_path / f"{name}.answers.jsonl"))
    origin.close()
    assert elsewhere(tmp_path / "origin", "Clara", 12, "kill") == -9
    origin = open_project(tmp_path / "origin", must_write=True)
    clara = sessions.be_annotator(origin, "Clara").id
    for number, instance in enumerate(deck_store.list_instances(origin)):
        answer(origin, "Clara", clara, instance.id, number)
    for file in files:
        assert packs.merge_answers(origin, file, is_dry_run=True)[0].new == 20
        report, _ = packs.merge_answers(origin, file)
        assert (report.new, report.same, report.conflicting, report.over_quota, report.refused) == (20, 0, 0, 0, ())
    wanted = {}
    for number, instance in enumerate(deck_store.list_instances(origin)):
        decks = tuple(deck.id for deck in deck_store.list_decks(origin, instance.id))
        for name in PEOPLE:
            if number % 7 == 6:  # cannot be judged: no ranks
                wanted[name, instance.id] = ("cannot_judge", {}, 1)
                continue
            first = first_ranks(name, decks, number)
            if number % 4 == 1:
                ranks = {deck: place for place, deck in enumerate(reversed(list(first)), start=1)}
                wanted[name, instance.id] = ("submitted", ranks, 2)
            else:
                wanted[name, instance.id] = ("submitted", competition(first), 1)
    found = {
        (ranking.annotator, ranking.instance_id): (ranking.status.value, ranking.ranks, ranking.revision)
        for ranking in current_rankings(origin)
    }
    assert found == wanted
    text = tables.table_text(origin, "rankings", format="csv")
    rows = list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"))))
    assert len(rows) == 3 * 20 * 5
    names = {who.id: who.name for who in sessions.list_people(origin)}
    assert {
        (names[row["annotator_id"]], row["instance_id"], row["deck_id"]): (
            row["status"], row["rank"], row["revision"], row["n_ranked"], row["n_candidates"],
        )
        for row in rows
    } == {
        (name, instance, deck): (status, str(ranks.get(deck, "")), str(revision), str(len(ranks)), "5")
        for (name, instance), (status, ranks, revision) in wanted.items()
        for deck in (deck.id for deck in deck_store.list_decks(origin, instance))
    }  # fmt: skip
    assert {row["is_tied"] for row in rows if row["rank"] == ""} == {""}
    # Twenty instances without those numbered 6 and 13: 18 × 3 people × 5 decks have a rank.
    assert sum(row["rank"] != "" for row in rows) == 18 * 3 * 5
    for file in files:
        report, _ = packs.merge_answers(origin, file)
        assert (report.new, report.same, report.conflicting) == (0, 20, 0)
    assert tables.table_text(origin, "rankings", format="csv") == text
    # Ann turns the decks by 3, Bert by 4: ranks 1 2 3 4 5 against 2 3 4 5 1 differ by 1 1 1 1 4, so that
    # rho = 1 − 6·(1+1+1+1+16)/(5·24) = 0 on the instance numbered 0, where nothing is tied or turned round.
    first = deck_store.list_instances(origin)[0].id
    decks = sorted(wanted["Ann", first][1])
    rho = spearman([found["Ann", first][1][d] for d in decks], [found["Bert", first][1][d] for d in decks])
    assert rho.value == pytest.approx(0.0, abs=1e-12)
    origin.close()


def test_that_a_full_disk_refuses_an_act_in_one_line_and_takes_it_afterwards(origin):
    who = sessions.be_annotator(origin, "Clara").id
    instance = deck_store.list_instances(origin)[3].id
    session, _ = sessions.open_ranking(origin, instance, who)
    db = origin.reading()
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StudioError, match=r"full|space"):
        session.set_note("x" * 200_000)
    assert session.state.note == ""
    assert answer_store.events_of(origin, session_kind(), instance_id=instance, annotator_id=who) == []
    db.execute("PRAGMA max_page_count = 1073741823")
    session.set_note("x" * 200_000)
    assert len(answer_store.events_of(origin, session_kind(), instance_id=instance, annotator_id=who)) == 1


def session_kind():
    return studies.ANSWER_KINDS[StudyKind.RANK]


@pytest.mark.parametrize("content", list(PackContent))
def test_that_no_byte_of_a_pack_or_of_its_project_names_a_system(tmp_path, content):
    origin = made_from_files(tmp_path)
    packs.create_pack(origin, tmp_path / "a.pack", annotator="Ann", content=content)
    origin.close()
    names = [b"Secretsmith", b"secretsmith", b"Hiddenworks"]
    for where, data in all_bytes((tmp_path / "a.pack").read_bytes(), "a.pack"):
        assert not any(name in data for name in names), where
    folder = packs.open_pack(tmp_path / "a.pack")
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            for where, data in all_bytes(file.read_bytes(), file.name):
                assert not any(name in data for name in names), where


def made_from_files(tmp_path: Path) -> Project:
    from pptx import Presentation

    origin = Project.create(tmp_path / "origin", title="Study")
    project = make_project(tmp_path / "other", instances=1, systems=())
    project.close()
    from tests.projects import add_instance

    instance = add_instance(origin, "topic-1")
    for system in ("Secretsmith", "Hiddenworks"):
        deck = Presentation()
        slide = deck.slides.add_slide(deck.slide_layouts[0])
        slide.shapes.title.text = "Storage"
        slide.notes_slide.notes_text_frame.text = f"made by {system}"
        deck.core_properties.author = system
        path = tmp_path / f"{system}.pptx"
        deck.save(path)
        add_real_deck(origin, instance, system, path)
    draw_pages(origin)
    return origin


def add_real_deck(origin: Project, instance, system: str, path: Path) -> None:
    import hashlib

    from studio.model.decks import Deck, DeckFormat, DeckStatus, RenderState, Slide
    from studio.model.ids import DeckId, Sha256, new_id

    asset = Sha256(hashlib.sha256(path.read_bytes()).hexdigest())
    origin.add_asset(path, asset, "pptx")
    deck_id = DeckId(new_id("deck"))
    made_by = deck_store.system_named(origin, system)
    deck_store.add_deck(
        origin,
        Deck(
            id=deck_id, instance_id=instance, system_id=made_by.id, system=system, status=DeckStatus.PRESENT,
            format=DeckFormat.PPTX, asset=asset, extension="pptx", original_name=path.name, slides=1,
        ),
    )  # fmt: skip
    slide = Slide(deck_id=deck_id, number=1, page=1, text=f"Storage by {system.upper()}", notes=f"by {system}")
    deck_store.record_rendering(
        origin,
        deck_store.Rendering(
            deck_id=deck_id, asset=asset, state=RenderState.RENDERED, pages=1, folder=f"pages-{deck_id}",
            slides=(slide,),
        ),
    )  # fmt: skip


def all_bytes(data: bytes, where: str):
    """Yield a file's bytes and those of everything packed in it, zips in zips too."""
    yield where, data
    yield f"name {where}", where.encode()
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield from all_bytes(archive.read(name), name)


def test_that_the_same_project_gives_the_same_bytes(origin, tmp_path):
    for name in ("one", "two"):
        packs.create_pack(origin, tmp_path / f"{name}.pack", annotator="Ann")
    assert (tmp_path / "one.pack").read_bytes() == (tmp_path / "two.pack").read_bytes()


def test_that_a_pack_has_the_difficulty_that_an_instances_curation_gives(origin, tmp_path):
    first, second, *_ = deck_store.list_instances(origin)
    checklist_store.save_curation(origin, Curation(instance_id=first.id, difficulty="hard"), author="tester")
    study = sent(origin, tmp_path, "Bert")
    with open_project(study) as opened:
        found = sorted(each.difficulty for each in deck_store.list_instances(opened))
    assert found == ["", "", "", "hard"]
    assert second.difficulty == ""


def test_that_a_pack_shows_decks_in_the_order_of_the_project(origin, tmp_path):
    folder = sent(origin, tmp_path, "Ann")
    who = sessions.be_annotator(origin, "Ann").id
    with open_project(folder) as there:
        for instance in deck_store.list_instances(origin):
            here = sessions.open_ranking(origin, instance.id, who).session.display
            assert sessions.open_ranking(there, instance.id, who).session.display == here
        assert sessions.be_annotator(there, "somebody else").id == who


def test_that_a_torn_last_line_loses_one_answer_and_its_whole_file_brings_it(origin, tmp_path):
    file = answered(origin, tmp_path)
    torn = tmp_path / "torn.answers.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    assert len(lines) == 5  # a header and four answers
    torn.write_bytes(b"".join(lines)[:-30])
    report, _ = packs.merge_answers(origin, torn)
    assert (report.new, [line for line, _ in report.refused]) == (3, [5])
    report, _ = packs.merge_answers(origin, file)
    assert (report.new, report.same, report.refused) == (1, 3, ())


def test_that_answers_to_another_file_of_a_deck_are_refused(origin, tmp_path):
    file = answered(origin, tmp_path)
    deck = deck_store.list_decks(origin)[0]
    care_store.act(origin, "replace", care_store.Kind.DECK, deck.id, "Replaced", {"asset": "0" * 64})
    report, _ = packs.merge_answers(origin, file)
    assert report.new == 3
    about = [json.loads(line).get("instance_id") for line in file.read_text(encoding="utf-8").splitlines()]
    assert [line for line, _ in report.refused] == [about.index(deck.instance_id) + 1]
    assert "another file" in report.refused[0][1]


def test_that_histories_that_went_apart_stay_out_until_they_are_asked_for(origin, tmp_path):
    file = answered(origin, tmp_path)
    who = sessions.be_annotator(origin, "Ann").id
    instance = deck_store.list_instances(origin)[0].id
    session, _ = sessions.open_ranking(origin, instance, who)
    for place, deck in enumerate(sorted(session.display, reverse=True), start=1):
        session.rank(deck, place)
    session.submit()
    mine = dict(session.state.ranks)
    report, _ = packs.merge_answers(origin, file)
    assert (report.new, report.conflicting) == (3, 1)
    now = next(item for item in current_rankings(origin) if item.instance_id == instance)
    assert now.ranks == mine
    report, _ = packs.merge_answers(origin, file, takes_conflicting=True)
    assert (report.same, report.conflicting) == (3, 1)
    now = next(item for item in current_rankings(origin) if item.instance_id == instance)
    assert (now.ranks, now.revision) == (first_ranks("Ann", session.display, 0), 2)
    assert packs.merge_answers(origin, file, takes_conflicting=True)[0].same == 4


def test_that_answers_beyond_the_overlap_are_kept_and_counted(origin, tmp_path):
    study, _ = studies.create_study(origin, "Pilot", StudyKind.RANK, overlap=1)
    for name in ("Ann", "Bert"):
        folder = sent(origin, tmp_path, name, study="Pilot")
        with open_project(folder, must_write=True) as there:
            who = sessions.be_annotator(there, name).id
            chosen = studies.study_named(there, study.id)
            instance = deck_store.list_instances(there)[0].id
            submit_one(there, chosen, who, instance)
        file = sent_back(folder, tmp_path / f"{name}.answers.jsonl")
        report, _ = packs.merge_answers(origin, file)
        assert (report.new, report.over_quota) == ((1, 0) if name == "Ann" else (0, 1))
        assert packs.merge_answers(origin, file)[0].same == 1
    assert len([item for item in current_rankings(origin) if item.study_id == study.id]) == 2


def submit_one(project, study, who, instance) -> None:
    from studio.model.studies import Assignment
    from studio.sessions.ranking import RankingSession
    from tests.projects import SPENT, ticking_clock

    item = Assignment(study_id=study.id, annotator_id=who, instance_id=instance)
    session = RankingSession(
        instance_id=instance, annotator_id=who, display=studies.shown_decks(project, study, item),
        events=studies.events_of(project, study, item), record=studies.recorder(project, study),
        now=ticking_clock(start=0), spent=lambda: SPENT,
    )  # fmt: skip
    for place, deck in enumerate(session.display, start=1):
        session.rank(deck, place)
    session.submit()


def test_that_an_annotator_who_is_gone_is_made_again_and_a_foreign_file_is_refused(origin, tmp_path):
    file = answered(origin, tmp_path)
    other = make_project(tmp_path / "other", instances=1)
    with pytest.raises(BadInput, match="another project"):
        packs.merge_answers(other, file)
    other.close()
    text = (
        file.read_text(encoding="utf-8").replace('"id":"', '"id":"new_', 1).replace('"name":"Ann"', '"name":"Zoe"', 1)
    )
    file.write_text(text, encoding="utf-8")
    report, _ = packs.merge_answers(origin, file)
    assert (report.annotator, report.new + len(report.refused)) == ("Zoe", 4)


def repacked(pack: Path, out: Path, change) -> Path:
    with zipfile.ZipFile(pack) as old, zipfile.ZipFile(out, "w") as new:
        members = {name: old.read(name) for name in old.namelist()}
        for name, data in change(members).items():
            new.writestr(name, data)
    return out


@pytest.mark.parametrize(
    "change",
    [
        lambda members: members | {"../../evil.txt": b"x"},
        lambda members: members | {"/etc/evil": b"x"},
        lambda members: members | {"decks/run.py": b"print(1)"},
        lambda members: members | {"pack.json": b"{" * 10_000},
        lambda members: members | {"pack.json": b'{"format":"podium-pack","version":1,"files":{}}'},
        lambda members: {name: data[:-1] if name.endswith(".png") else data for name, data in members.items()},
        lambda members: {name: data for name, data in members.items() if name != "pack.json"},
        lambda members: members | {"decks/x/slide_0001.png": b"\0" * (64 << 20)},
    ],
)
def test_that_a_pack_with_anything_odd_is_refused_in_one_line(origin, tmp_path, change):
    packs.create_pack(origin, tmp_path / "a.pack", annotator="Ann")
    bad = repacked(tmp_path / "a.pack", tmp_path / "bad.pack", change)
    with pytest.raises(BadInput) as refused:
        packs.open_pack(bad, tmp_path / "opened" / "here")
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "opened" / "here").exists()
    assert list((tmp_path / "opened").iterdir()) == []


def test_that_foreign_lines_are_refused_with_their_numbers_and_the_others_taken(origin, tmp_path):
    file = answered(origin, tmp_path)
    lines = file.read_text(encoding="utf-8").splitlines()
    raw = json.loads(lines[1])
    bad = []
    for change in (
        {"instance_id": "no_such"}, {"events": []}, {"kind": "odd"}, {"repeat": -1}, {"study_id": "study_x"},
        {"decks": {}}, {"deck_id": 7},
    ):  # fmt: skip
        bad.append(json.dumps(raw | change))
    bad += [
        "[1]",
        "nonsense",
        '{"line":"\\ud800"}',
        '{"a":' * 5000,
        json.dumps({"line": "views", "views": [{"uid": 1}]}),
    ]
    file.write_text("\n".join([lines[0], *bad, *lines[1:]]) + "\n", encoding="utf-8")
    report, _ = packs.merge_answers(origin, file)
    assert report.new == 4
    assert [line for line, _ in report.refused] == list(range(2, 2 + len(bad)))


def test_that_the_terminal_sends_a_pack_out_and_takes_answers_back(studio, tmp_path):
    origin = make_project(tmp_path / "origin", instances=2, systems=FIVE)
    draw_pages(origin)
    origin.close()
    made = studio("pack", "create", tmp_path / "origin", tmp_path / "ann.pack", "--annotator", "Ann", "--json")
    assert (made.code, made.json["instances"], made.json["decks"]) == (0, 2, 10)
    assert studio("pack", "open", tmp_path / "ann.pack", "--json").json == {"path": str(tmp_path / "ann")}
    assert elsewhere(tmp_path / "ann", "Ann", 2, "end") == 0
    back = tmp_path / "ann.answers.jsonl"
    assert studio("pack", "answers", tmp_path / "ann", "--out", back, "--json").json["answers"] == 2
    tried = studio("pack", "merge", tmp_path / "origin", back, "--dry-run", "--json").json
    assert (tried["new"], tried["same"], tried["refused"]) == (2, 0, [])
    for new, same in ((2, 0), (0, 2)):
        merged = studio("pack", "merge", tmp_path / "origin", back, "--json").json
        assert {name: merged[name] for name in ("new", "same", "conflicting", "over_quota", "refused")} == {
            "new": new, "same": same, "conflicting": 0, "over_quota": 0, "refused": [],
        }  # fmt: skip
    (tmp_path / "no.jsonl").write_text("hello\n")
    refused = studio("pack", "merge", tmp_path / "origin", tmp_path / "no.jsonl")
    assert refused.code == 2
    assert refused.out == ""
    shutil.rmtree(tmp_path / "ann")


def test_that_a_pack_brings_scales_reasons_and_explanations_without_their_writers(origin, tmp_path):
    anchors = ["no", "yes"]
    answer_desk.save_scale_set(origin, {"name": "own", "scales": [{"dimension": "清楚", "anchors": anchors}]})
    answer_desk.save_cannot_judge_reasons(origin, ["看不清"])
    study, _ = studies.create_study(origin, "Own", StudyKind.RATE, scale_set="own")
    useful, _ = studies.create_study(origin, "Useful", StudyKind.RATE, scale_set="usefulness")
    deck = deck_store.list_decks(origin)[0]
    who = sessions.be_annotator(origin, "Ann").id
    said = [
        Explanation(deck_id=deck.id, metric="flow", text=f"{deck.system} jumps.", written_by="SecretWriter",
                    known_defect="SecretDefect"),
    ]  # fmt: skip
    plan_explanations(origin, useful, said, [who])
    with open_project(sent(origin, tmp_path / "own", "Ann", study=study.id)) as there:
        assert [scale.dimension for scale in answer_desk.scale_set_named(there, "own").scales] == ["清楚"]
        assert answer_desk.cannot_judge_reasons(there) == ("看不清",)
    folder = sent(origin, tmp_path / "useful", "Ann", study=useful.id)
    for secret in (b"SecretWriter", b"SecretDefect"):
        packed = (tmp_path / "useful" / "Ann.pack").read_bytes()
        assert [where for where, data in all_bytes(packed, "Ann.pack") if secret in data] == []
    with open_project(folder, must_write=True) as there:
        (assignment,) = assignments_of(there, studies.study_named(there, useful.id), who)
        opened = answer_desk.open_unit(there, studies.study_named(there, useful.id), assignment)
        assert opened.explanation.metric == "flow"
        assert "jumps." in opened.explanation.text
        assert deck.system not in opened.explanation.text
        opened.session.rate("usefulness", 4)
        opened.session.submit()
    report, _ = packs.merge_answers(origin, sent_back(folder, tmp_path / "Ann.answers.jsonl"))
    assert (report.new, report.refused) == (1, ())
    (row,) = explanation_rows(origin, useful)
    assert (row.written_by, row.ratings) == ("SecretWriter", (4,))


@pytest.mark.parametrize(
    "desk",
    [
        [], {"scale_sets": [1]}, {"reasons": [1]}, {"reasons": ["x"] * 9}, {"explanations": {"a": {"text": 1}}},
        {"scale_sets": [{"name": "reflex", "scales": [{"dimension": "a", "anchors": ["x", "y"]}]}]},
    ],
)  # fmt: skip
def test_that_a_pack_whose_desk_is_odd_is_refused(origin, tmp_path, desk):
    packs.create_pack(origin, tmp_path / "a.pack", annotator="Ann")

    def change(members):
        manifest = json.loads(members["pack.json"])
        return members | {"pack.json": json.dumps(manifest | {"desk": desk}).encode()}

    with pytest.raises(BadInput):
        packs.open_pack(repacked(tmp_path / "a.pack", tmp_path / "bad.pack", change), tmp_path / "here")
    assert not (tmp_path / "here").exists()


def doubled(name: str):
    return lambda found: found[name].append(found[name][0])


@pytest.mark.parametrize(
    "change",
    [
        lambda pack: pack["rules"].update(ranking_require="../../evil"),
        lambda pack: pack["study"].update(top_k="many"),
        lambda pack: pack["study"].update(training_pass_mark=float("nan")),
        lambda pack: pack["study"].update(graded_gaps="yes"),
        lambda pack: pack["assignments"][0].update(position=10**30),
        lambda pack: pack["assignments"][0].update(instance_id="elsewhere"),
        lambda pack: pack["assignments"][0].update(deck_ids=["elsewhere"]),
        lambda pack: pack["assignments"][0].update(is_about_deck=True, deck_ids=[]),
        lambda pack: pack["instances"][0]["decks"][0]["slides"][0].update(width_px=10**30),
        lambda pack: doubled("slides")(pack["instances"][0]["decks"][0]),
        lambda pack: doubled("decks")(pack["instances"][0]),
        doubled("instances"), doubled("training"),
    ],
)  # fmt: skip
def test_that_a_pack_whose_study_was_edited_is_refused_whole(origin, tmp_path, change):
    study, _ = with_example(origin, deck_store.list_decks(origin)[0])
    people_store.annotator_named(origin, "Ann")
    study_plan.plan_study(origin, study)
    packs.create_pack(origin, tmp_path / "a.pack", annotator="Ann", study=study.name)

    def edited(members):
        pack = json.loads(members["pack.json"])
        change(pack)
        return members | {"pack.json": json.dumps(pack).encode()}

    with pytest.raises(BadInput, match="is no sound pack"):
        packs.open_pack(repacked(tmp_path / "a.pack", tmp_path / "bad.pack", edited), tmp_path / "here" / "there")
    assert list((tmp_path / "here").iterdir()) == []


def with_example(origin: Project, deck) -> tuple:
    """Return a study whose guidelines and training show a deck, and the example."""
    study, _ = studies.create_study(origin, "Shown", StudyKind.RANK)
    example = ExampleDeck(title="Room", why="Far apart.", is_good=True, deck_id=deck.id)
    quality.add_guidelines(origin, "v1", "# Look", [example])
    item = study_desk.training_item(study.id, "Which?", ["this", "that"], "this", "So.", examples=[example])
    told = replace(study, guidelines_version="v1")
    study_desk.save_training(origin, told, [item], pass_mark=1.0, tries=2, is_needed=True)
    return studies.study_named(origin, study.id), example


def test_that_a_pack_brings_the_pictures_of_example_decks_but_not_which_decks_they_are(origin, tmp_path):
    deck = deck_store.list_decks(origin)[0]
    study, _ = with_example(origin, deck)
    report, _ = packs.create_pack(origin, tmp_path / "Ann.pack", annotator="Ann", study=study.id)
    assert report.warnings == ()
    with zipfile.ZipFile(tmp_path / "Ann.pack") as archive:
        assert len([name for name in archive.namelist() if name.startswith("examples/")]) == 1
        manifest = json.loads(archive.read("pack.json"))
    told = [*manifest["guidelines"][0]["examples"], *manifest["training"][0]["examples"]]
    assert [item["deck_id"] for item in told] == [None, None]
    with open_project(packs.open_pack(tmp_path / "Ann.pack", tmp_path / "there"), must_write=True) as there:
        desk = answer_desk.read_desk(there, "Ann", kinds=(StudyKind.RANK,))
        (shown,) = desk.guidelines.guidelines.examples
        first = deck_store.page_folder(origin, deck.id) / "slide_0001.png"
        assert (shown.title, shown.why, shown.is_good) == ("Room", "Far apart.", True)
        with Image.open(desk.guidelines.pictures[shown]) as here, Image.open(first) as before:
            assert here.tobytes() == before.tobytes()
        assert list(desk.training_pictures) == list(desk.training_items[0].examples)


def test_that_an_author_is_told_of_examples_without_a_picture_and_of_words_that_name_a_system(origin, tmp_path):
    deck = deck_store.list_decks(origin)[0]
    study, _ = with_example(origin, deck)
    shutil.rmtree(deck_store.page_folder(origin, deck.id))
    quality.add_guidelines(origin, "v2", "As Birch-Gen does.", [])
    studies.save_study(origin, replace(study, guidelines_version="v2", systems=FIVE[1:]))
    report, _ = packs.create_pack(origin, tmp_path / "Ann.pack", annotator="Ann", study=study.id)
    assert report.warnings == (
        "The example Room: its deck has no picture, so the pack has only its words",
        "The guidelines v2: the words name Birch-Gen",
    )
    assert packs.undrawn_decks(origin, studies.study_named(origin, study.id)) == (deck.id,)


@pytest.mark.parametrize(
    "odd",
    [
        {"resource": "../../secret.png"}, {"resource": "/etc/hostname"}, {"resource": 1}, {"title": 1},
        {"picture": "decks/other.png"}, {"picture": 7}, {"picture": "pack.json"},
    ],
)  # fmt: skip
def test_that_a_pack_whose_examples_reach_elsewhere_is_refused(origin, tmp_path, odd):
    study, _ = with_example(origin, deck_store.list_decks(origin)[0])
    packs.create_pack(origin, tmp_path / "a.pack", annotator="Ann", study=study.id)

    def change(members):
        manifest = json.loads(members["pack.json"])
        manifest["guidelines"][0]["examples"][0] |= odd
        return members | {"pack.json": json.dumps(manifest).encode()}

    with pytest.raises(BadInput, match="no sound pack"):
        packs.open_pack(repacked(tmp_path / "a.pack", tmp_path / "bad.pack", change), tmp_path / "here")
    assert not (tmp_path / "here").exists()


def test_that_answers_to_packs_of_the_release_before_still_come_in(origin, tmp_path):
    back = answered(origin, tmp_path)
    key = f"{origin.id}\x1f{origin.meta('seed')}\x1f{origin.meta('created_at')}".encode()
    lines = [json.loads(line) for line in back.read_text(encoding="utf-8").splitlines()]
    assets = {deck.id: deck.asset for deck in deck_store.list_decks(origin)}
    for line in lines:
        for deck in line.get("decks", {}):
            line["decks"][deck] = hmac.new(key, assets[deck].encode(), hashlib.sha256).hexdigest()
    back.write_text("\n".join(json.dumps(line) for line in lines) + "\n", encoding="utf-8")
    report, _ = packs.merge_answers(origin, back)
    assert (report.new, report.refused) == (4, ())


def test_that_answers_of_a_person_with_a_very_long_name_find_a_file(studio, tmp_path):
    make_project(tmp_path / "origin", instances=1, systems=FIVE).close()
    with open_project(tmp_path / "origin", must_write=True) as origin:
        draw_pages(origin)
    made = studio("pack", "create", tmp_path / "origin", tmp_path / "a pack.pack", "--annotator", "长名字很长" * 40)
    assert made.code == 0
    opened = studio("pack", "open", tmp_path / "a pack.pack")
    assert opened.out.strip().endswith(f"Next: studio gui '{tmp_path / 'a pack'}'")
    written = studio("pack", "answers", tmp_path / "a pack", "--json")
    assert (written.code, Path(written.json["path"]).name.startswith("a pack-长名字")) == (0, True)
