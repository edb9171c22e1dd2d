"""What reviewers decide: cases, decisions, undo, returns, and what none of it touches."""

import pytest

from studio.actions import align, checklist_answers, checklist_stats, checklists, review
from studio.actions.checklist_scores import project_scores
from studio.actions.review import CaseState, Filter, accept, decide, filtered, read_desk, return_case
from studio.actions.review_evidence import open_case_named
from studio.errors import BadInput
from studio.model.authoring import EVERYWHERE
from studio.model.checklists import Dimension, EvidenceBox, ItemAnswer
from studio.model.ids import RunId
from studio.model.judging import JudgingProtocol, VerdictRecord
from studio.model.reviews import ERROR_TYPES, CaseKind, Confidence, Decision, Dispute, DisputeKind
from studio.model.runs import Run, RunKind, RunState
from studio.model.scores import Score, Verdict
from studio.sessions.checklist import Unit
from studio.store import decks as deck_store
from studio.store import judging as judging_store
from studio.store import people as people_store
from studio.store import reviews as review_store
from studio.store import runs as run_store
from studio.store import scores as score_store
from studio.store.project import utc_now
from tests.projects import add_instance, decks_of, make_project, open_session, person
from tests.sheets import submit_as_it_is

SYSTEMS = ("Aster", "Birch", "Cedar", "Dahlia")
YES, NO = ItemAnswer.YES, ItemAnswer.NO


def rank(project, instance, who, order):
    session = open_session(project, instance, who)
    decks = decks_of(project, instance)
    for place, system in enumerate(order, start=1):
        session.rank(decks[system], place)
    session.submit()


def score(project, instance, method, values):
    decks = decks_of(project, instance)
    instance_id = next(item.id for item in deck_store.list_instances(project) if item.name == instance)
    score_store.append_scores(
        project,
        [
            Score(run_id=None, metric=method, metric_version=1, preset="benchmark", deck_id=decks[system],
                  instance_id=instance_id, slide=None, value=value)
            for system, value in values.items()
        ],
    )  # fmt: skip


@pytest.fixture
def project(tmp_path):
    with make_project(tmp_path / "p", instances=1, systems=SYSTEMS) as made:
        for who in ("Ada", "Bo", "Cy"):
            rank(made, "topic-1", who, SYSTEMS)
        # Puts the people's best deck last and the others as they do.
        score(made, "topic-1", "aesthetics.total", {"Birch": 9.0, "Cedar": 8.0, "Dahlia": 7.0, "Aster": 1.0})
        yield made


@pytest.fixture
def reviewer(project):
    return review.reviewer_named(project, "Rae").id


def pair(project, one, other):
    decks = decks_of(project, "topic-1")
    named = {decks[one], decks[other]}
    return next(
        entry for entry in read_desk(project).entries
        if entry.case.kind is CaseKind.PAIR and {entry.case.deck_id, entry.case.against} == named
    )  # fmt: skip


def better(entry, project, system):
    """Return the decision that this system's deck is the better one."""
    return Decision.A if entry.case.deck_id == decks_of(project, "topic-1")[system] else Decision.B


def test_that_a_pair_is_a_case_where_people_and_a_metric_disagree_the_widest_first(project):
    found = read_desk(project).entries
    assert {entry.case.kind for entry in found} == {CaseKind.PAIR}
    # Aster against each of the other three; Aster and Dahlia lie 3 ranks apart for people, 1 place for the metric:
    # (3/3 + 1/3) / 2 = 2/3; Aster and Birch 1 rank and 3 places, as much; Aster and Cedar 2 and 2 of 3, as well.
    assert len(found) == 3
    assert [entry.size for entry in found] == pytest.approx([2 / 3] * 3)
    assert all(entry.case.disputes[0].kind is DisputeKind.PEOPLE_MACHINE for entry in found)
    assert all(entry.case.majority[1:] == (1.0, 3) for entry in found)


def test_that_a_decision_changes_the_methods_table_and_undo_brings_it_back(project, reviewer):
    before = align.methods_table(project, resamples=50)
    rho = before.methods["aesthetics.total"].mean_rho
    # People 1 2 3 4 against 4 1 2 3: 1 − 6 · (9 + 1 + 1 + 1) / 60.
    assert rho == pytest.approx(-0.2)
    entry = pair(project, "Aster", "Dahlia")
    decide(project, entry.case, better(entry, project, "Dahlia"), reviewer=reviewer)
    after = align.methods_table(project, resamples=50)
    # Earliest order Birch Cedar Dahlia Aster, latest Dahlia Aster Birch Cedar: Birch 2, Cedar 3, Dahlia 2, Aster 3.
    # Ranks 1.5 3.5 1.5 3.5 against 1 2 3 4 (Birch, Cedar, Dahlia, Aster): Pearson of the two is 2 / sqrt(4 · 5).
    assert after.methods["aesthetics.total"].mean_rho == pytest.approx(2 / 20**0.5)
    assert after.ceilings == before.ceilings
    assert len(after.evidence.annotators) == 3
    assert align.as_json(after)["adjudicated_pairs"] == 1
    review.undo(project, reviewer=reviewer)
    assert align.methods_table(project, resamples=50).methods["aesthetics.total"].mean_rho == pytest.approx(rho)
    review.redo(project, reviewer=reviewer)
    assert align.methods_table(project, resamples=50).methods["aesthetics.total"].mean_rho == pytest.approx(2 / 20**0.5)


def test_that_a_decided_case_stays_in_the_list_and_counts_as_nobodys_answer(project, reviewer):
    entry = pair(project, "Aster", "Birch")
    decide(project, entry.case, Decision.TIE, reviewer=reviewer, confidence=Confidence.HIGH, comment="as good")
    again = pair(project, "Aster", "Birch")
    assert (again.state, again.size, again.case.people) == (CaseState.DECIDED, entry.size, entry.case.people)
    assert (again.review.confidence, again.review.comment) == (Confidence.HIGH, "as good")
    assert again.review.reviewer_id == reviewer


def test_that_each_part_of_a_review_is_an_act_of_its_own(project, reviewer):
    case = pair(project, "Aster", "Birch").case
    decide(project, case, Decision.A, reviewer=reviewer)
    review.set_error_type(project, case, "taste", reviewer=reviewer)
    review.set_confidence(project, case, Confidence.LOW, reviewer=reviewer)
    review.set_comment(project, case, " dark ", reviewer=reviewer)
    review.set_evidence(project, case, [EvidenceBox(slide=2)], [], reviewer=reviewer)
    review.set_confidence(project, case, Confidence.LOW, reviewer=reviewer)  # nothing new, so no act
    assert len(review_store.list_acts(project)) == 5
    for _ in range(4):
        review.undo(project, reviewer=reviewer)
    held = review_store.review_of(project, case.id)
    assert (held.decision, held.error_type, held.confidence, held.comment, held.boxes) == (Decision.A, "", None, "", ())
    review.undo(project, reviewer=reviewer)
    assert review_store.review_of(project, case.id) is None
    with pytest.raises(BadInput, match="nothing to undo"):
        review.undo(project, reviewer=reviewer)


def test_that_nobody_takes_back_what_another_reviewer_decided(project, reviewer):
    case = pair(project, "Aster", "Birch").case
    other = review.reviewer_named(project, "Sol").id
    decide(project, case, Decision.A, reviewer=reviewer)
    decide(project, case, Decision.B, reviewer=other)
    with pytest.raises(BadInput, match="somebody else"):
        review.undo(project, reviewer=reviewer)
    review.undo(project, reviewer=other)
    assert review_store.review_of(project, case.id).decision is Decision.A
    with pytest.raises(BadInput):
        decide(project, case, Decision.YES, reviewer=reviewer)
    with pytest.raises(BadInput, match="taste"):
        review.set_error_type(project, case, "value_mismatch", reviewer=reviewer)


def test_that_a_returned_ranking_counts_no_more_until_it_is_submitted_as_another_revision(project, reviewer):
    entry = pair(project, "Aster", "Birch")
    with pytest.raises(BadInput, match="what should be looked at"):
        return_case(project, entry.case, "  ", reviewer=reviewer)
    return_case(project, entry.case, "Look at slide 2 again", reviewer=reviewer)
    assert align.gather(project).annotators == {}
    with pytest.raises(BadInput, match="already"):
        return_case(project, entry.case, "again", reviewer=reviewer)
    session = open_session(project, "topic-1", "Ada")
    assert (session.state.status.value, session.state.reason) == ("returned", "Look at slide 2 again")
    session.submit()
    assert list(align.gather(project).annotators.values()) == ["Ada"]
    with pytest.raises(BadInput, match="Ada has changed"):
        review.undo(project, reviewer=reviewer)


def test_that_a_return_is_taken_back_while_nobody_went_on(project, reviewer):
    entry = pair(project, "Aster", "Birch")
    return_case(project, entry.case, "Look again", reviewer=reviewer)
    review.undo(project, reviewer=reviewer)
    assert len(align.gather(project).annotators) == 3
    review.redo(project, reviewer=reviewer)
    assert align.gather(project).annotators == {}
    review.undo(project, reviewer=reviewer)
    assert len(align.gather(project).annotators) == 3
    assert pair(project, "Aster", "Birch").state is CaseState.OPEN


def test_that_agreement_above_a_threshold_is_accepted_listed_and_undone_as_one(project, reviewer):
    rank(project, "topic-1", "Di", ("Birch", "Aster", "Cedar", "Dahlia"))
    accepted, _ = accept(project, 0.8, reviewer=reviewer)
    # Of Aster and Birch only 3 of 4 say Aster; of the other two pairs all four do.
    assert len(accepted) == 2
    assert all(entry.case.people[decision.value] == 4 for entry, decision in accepted)
    desk = read_desk(project)
    assert (desk.count(CaseState.ACCEPTED), desk.count(CaseState.OPEN)) == (2, 1)
    assert accept(project, 0.8, reviewer=reviewer)[0] == []
    review.undo(project, reviewer=reviewer)
    assert read_desk(project).count(CaseState.OPEN) == 3
    with pytest.raises(BadInput, match=r"above 0\.5"):
        accept(project, 0.5, reviewer=reviewer)


def test_that_a_decision_on_another_file_of_the_deck_counts_no_more(project, reviewer):
    entry = pair(project, "Aster", "Dahlia")
    decide(project, entry.case, better(entry, project, "Dahlia"), reviewer=reviewer)
    with project.writing() as db:
        db.execute("UPDATE decks SET asset = 'other' WHERE id = ?", [decks_of(project, "topic-1")["Dahlia"]])
    assert align.gather(project).n_adjudicated == 0
    stale = next(each for each in read_desk(project).entries if each.case.id == entry.case.id)
    assert (stale.state, stale.is_open) == (CaseState.OUTDATED, True)


@pytest.fixture
def answered(tmp_path):
    with make_project(tmp_path / "q", instances=1, systems=("Aster", "Birch")) as made:
        items = [
            checklists.add_item(made, EVERYWHERE, Dimension.DESIGN, f"Is {word} so?", author="Ada")[0].id
            for word in ("one", "two", "three", "four")
        ]
        instance = deck_store.list_instances(made)[0]
        decks = decks_of(made, "topic-1")
        # Aster: all yes but Bo on the first; Birch: no to the last two.
        for who in ("Ada", "Bo", "Cy"):
            sheet, _ = checklist_answers.open_sheet(made, instance.id, people_store.annotator_named(made, who).id)
            for place, item in enumerate(items):
                sheet.answer(Unit(decks["Aster"], item), NO if who == "Bo" and place == 0 else YES)
                sheet.answer(Unit(decks["Birch"], item), YES if place < 2 else NO)
            submit_as_it_is(sheet)
        verdicts = {"Aster": ("no", "yes", "yes", "yes"), "Birch": ("yes", "yes", "no", "no")}
        for judge, turned in (("openai:one", ()), ("openai:two", (("Birch", 2),))):
            score_store.append_verdicts(
                made,
                [
                    Verdict(run_id=None, judge_id=judge, model="m", prompt_version="p", instance_id=instance.id,
                            deck_id=decks[system], item_id=items[place], repeat=repeat,
                            verdict="yes" if (system, place) in turned else said)
                    for system, row in verdicts.items()
                    for place, said in enumerate(row)
                    for repeat in (0, 1)
                ],
            )  # fmt: skip
        yield made, items, decks


def disputes(project, deck, item):
    entry = read_desk(project).entry(f"item:{deck}:{item}")
    return {(each.kind, each.who_b): each.size for each in entry.case.disputes} if entry else {}


def test_that_item_cases_carry_every_disagreement_with_its_size(answered):
    project, items, decks = answered
    # Two yes, one no: 1 − 1/3. Both judges say no, as one of three people does.
    assert disputes(project, decks["Aster"], items[0]) == pytest.approx(
        {
            (DisputeKind.PEOPLE, "people"): 2 / 3,
            (DisputeKind.PEOPLE_MACHINE, "openai:one"): 2 / 3,
            (DisputeKind.PEOPLE_MACHINE, "openai:two"): 2 / 3,
        }
    )
    assert disputes(project, decks["Birch"], items[2]) == pytest.approx(
        {(DisputeKind.PEOPLE_MACHINE, "openai:two"): 1.0, (DisputeKind.MACHINES, "openai:two"): 1.0}
    )
    assert disputes(project, decks["Birch"], items[0]) == {}
    only = filtered(read_desk(project), Filter(dispute=DisputeKind.MACHINES))
    assert [entry.case.item_id for entry in only] == [items[2]]
    assert len(filtered(read_desk(project), Filter(who="openai:two"))) == 2


def test_that_a_judge_flips_where_its_repeats_differ(answered):
    project, items, decks = answered
    instance = deck_store.list_instances(project)[0].id
    score_store.append_verdicts(
        project,
        [
            Verdict(run_id=None, judge_id="openai:one", model="m", prompt_version="p", instance_id=instance,
                    deck_id=decks["Birch"], item_id=items[1], verdict="no", repeat=1)
        ],
    )  # fmt: skip
    assert disputes(project, decks["Birch"], items[1]) == {(DisputeKind.FLIP, "openai:one"): 1.0}
    opened = open_case_named(project, f"item:{decks['Birch']}:{items[1]}", is_blind=True)
    said = {side.says: [each.who for each in side.statements] for side in opened.sides}
    assert said["no"] == ["openai:one, repeat 2"]
    assert "openai:one" in said["yes"]


def test_that_an_arena_that_contradicts_itself_shows_both_orders(project):
    decks = decks_of(project, "topic-1")
    a, b = decks["Birch"], decks["Cedar"]
    instance = deck_store.list_instances(project)[0].id
    run = RunId("run_1")
    run_store.add_run(
        project, Run(id=run, kind=RunKind.JUDGE, title="", spec={}, state=RunState.DONE, started_at=utc_now())
    )

    def verdict(first, second, order, reason):
        return VerdictRecord(instance_id=instance, deck_id=first, item_id="overall", verdict="first", score=1.0,
                             against=(second,), order_index=order, reason=reason)  # fmt: skip

    judging_store.append_outcome(
        project,
        judging_store.UnitOutcome(
            run_id=run, unit_key="u", judge_id="m:x", judge_version="1", protocol=JudgingProtocol.ARENA,
            prompt_version="p", model="x", verdicts=(verdict(a, b, 0, "clearer"), verdict(b, a, 1, "livelier")),
        ),
    )  # fmt: skip
    entry = pair(project, "Birch", "Cedar")
    assert {each.kind: each.size for each in entry.case.disputes} == {DisputeKind.FLIP: 1.0}
    opened = open_case_named(project, entry.case.id, is_blind=False)
    by_arena = {each.words: side.says for side in opened.sides for each in side.statements if each.who == "m:x"}
    is_a = entry.case.deck_id == a
    assert by_arena == {"clearer": "a" if is_a else "b", "livelier": "b" if is_a else "a"}


def test_that_a_judge_right_on_items_and_wrong_on_the_rank_is_found(answered):
    project = answered[0]
    for who in ("Ada", "Bo"):
        rank(project, "topic-1", who, ("Aster", "Birch"))
    score(project, "topic-1", "openai:one/rating", {"Aster": 2.0, "Birch": 5.0})
    entry = filtered(read_desk(project), Filter(kind=CaseKind.PAIR))[0]
    found = {each.kind: each for each in entry.case.disputes}
    # The judge says as people do on 7 of 8 items; people and judge both lie one whole range apart.
    assert found[DisputeKind.ITEMS_NOT_RANK].size == pytest.approx(7 / 8)
    assert found[DisputeKind.PEOPLE_MACHINE].who_b == "openai:one/rating"


def test_that_a_decided_item_stands_for_people_but_not_for_their_agreement(answered):
    project, items, decks = answered
    reviewer = review.reviewer_named(project, "Rae").id
    before = {each.item_id: each for each in checklist_stats.item_statistics(project)}[items[0]]
    case = read_desk(project).entry(f"item:{decks['Aster']}:{items[0]}").case
    decide(project, case, Decision.NO, reviewer=reviewer, error_type="overlooked")
    after = {each.item_id: each for each in checklist_stats.item_statistics(project)}[items[0]]
    assert (before.prevalence.value, after.prevalence.value) == (1.0, 0.5)
    assert (after.agreement, after.same) == (before.agreement, before.same)
    compared = {(each.item_id, each.judge_id): each for each in checklist_stats.compare(project)}
    assert compared[items[0], "openai:one"].no.precision.value == 1.0
    scores = project_scores(project, "people")
    totals = {deck.deck_id: total for deck, total in zip(scores.decks, scores.totals, strict=True)}
    assert totals[decks["Aster"]] == pytest.approx(75)


def test_that_a_returned_item_is_left_out_until_it_is_answered_again(answered):
    project, items, decks = answered
    reviewer = review.reviewer_named(project, "Rae").id
    case = read_desk(project).entry(f"item:{decks['Aster']}:{items[0]}").case
    return_case(project, case, "Slide 2 shows it", reviewer=reviewer)
    assert (decks["Aster"], items[0]) not in checklist_answers.human_replies(project)
    instance = deck_store.list_instances(project)[0].id
    sheet, _ = checklist_answers.open_sheet(project, instance, person(project, "Bo"))
    assert sheet.deck_state(decks["Aster"]).status.value == "returned"
    assert sheet.deck_state(decks["Aster"]).reason == "Slide 2 shows it"
    assert sheet.reply(Unit(decks["Aster"], items[0])).answer is NO
    sheet.answer(Unit(decks["Aster"], items[0]), YES)
    # What is changed counts once it is submitted again; the item that was returned does not count meanwhile.
    assert (decks["Aster"], items[0]) not in checklist_answers.human_replies(project)
    submit_as_it_is(sheet)
    said = checklist_answers.human_replies(project)[decks["Aster"], items[0]]
    assert [reply.answer for reply in said.values()] == [YES]


def test_that_another_source_of_cases_is_one_more_function(project, reviewer, monkeypatch):
    deck = decks_of(project, "topic-1")["Aster"]
    instance = deck_store.list_instances(project)[0].id
    asked = review.Case(
        id="quiz:1", kind=CaseKind.QUIZ, instance_id=instance, deck_id=deck, item_id="q1", text="How many?",
        disputes=(Dispute(kind=DisputeKind.PEOPLE_MACHINE, who_a="people", who_b="reader", size=1.0),),
    )  # fmt: skip
    monkeypatch.setattr(review, "SOURCES", [*review.SOURCES, lambda _project: [asked]])
    entry = read_desk(project).entry("quiz:1")
    for code in ("missing_content", "value_mismatch", "extraction_failure", "other"):
        review.set_error_type(project, entry.case, code, reviewer=reviewer)
    assert tuple(ERROR_TYPES[CaseKind.QUIZ]) == ("missing_content", "value_mismatch", "extraction_failure", "other")
    decide(project, entry.case, Decision.WRONG, reviewer=reviewer)
    assert read_desk(project).entry("quiz:1").state is CaseState.DECIDED


def test_that_a_project_without_answers_has_no_cases(tmp_path):
    with make_project(tmp_path / "e", instances=1) as empty:
        add_instance(empty, "alone")
        assert read_desk(empty).entries == ()
