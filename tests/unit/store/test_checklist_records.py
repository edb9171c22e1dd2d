"""Checklists in the database: permanent ids, versions, undo and redo, sign-offs and releases."""

from dataclasses import replace

import pytest

from studio.actions import checklists as actions
from studio.checklists.lint import Hint
from studio.errors import BadInput
from studio.model.authoring import (
    EVERYWHERE,
    Curation,
    InstructionPlan,
    InstructionSection,
    ListSettings,
    Scope,
)  # fmt: skip
from studio.model.checklists import Dimension, ItemKind, RuleCall
from studio.store import checklist_lists as list_store
from studio.store import checklist_records as record_store
from studio.store import checklist_releases as release_store
from studio.store import checklists as checklist_store
from studio.store import decks as deck_store
from studio.store.project import Project
from tests.projects import make_project


@pytest.fixture
def project(tmp_path):
    with make_project(tmp_path / "p") as made:
        yield made


def add(project, text, dimension=Dimension.DESIGN, scope=EVERYWHERE, author="Ada", **more):
    return actions.add_item(project, scope, dimension, text, author=author, **more)[0]


def texts(project, scope=EVERYWHERE):
    return [item.text for item in actions.list_items(project, scope)]


def test_that_editing_makes_a_version_and_keeps_the_id(project):
    item = add(project, "Is it neat?")
    (edited,), _ = actions.edit_items(project, [item.id], {"text": "Is it tidy?"}, author="Bo")
    assert (edited.id, edited.version, edited.author) == (item.id, 2, "Bo")
    assert [each.text for each in actions.versions(project, item.id)] == ["Is it neat?", "Is it tidy?"]


def test_that_moving_and_retiring_keep_the_version(project):
    first, second = add(project, "Is it neat?"), add(project, "Is it calm?")
    actions.order_items(project, [second.id, first.id], author="Ada")
    assert texts(project) == ["Is it calm?", "Is it neat?"]
    (retired,), _ = actions.retire_items(project, [first.id], author="Ada")
    assert (retired.version, retired.is_retired) == (1, True)
    assert texts(project) == ["Is it calm?"]


def test_that_going_back_to_an_earlier_wording_brings_its_number_back(project):
    item = add(project, "Is it neat?")
    actions.edit_items(project, [item.id], {"text": "Is it tidy?"}, author="Ada")
    (back,), _ = actions.edit_items(project, [item.id], {"text": "Is it neat?"}, author="Bo")
    assert (back.version, back.author) == (1, "Ada")
    (third,), _ = actions.edit_items(project, [item.id], {"text": "Is it clean?"}, author="Bo")
    assert third.version == 3


def test_that_every_act_can_be_undone_and_redone(project):
    item = add(project, "Is it neat?")
    actions.edit_items(project, [item.id], {"note": "As a whole."}, author="Ada")
    actions.set_settings(project, EVERYWHERE, ListSettings(independent_prefix="Look.|"), author="Ada")
    actions.undo(project)
    assert actions.settings_of(project, EVERYWHERE) == ListSettings()
    actions.undo(project)
    assert actions.list_items(project, EVERYWHERE)[0].note == ""
    actions.undo(project)
    assert texts(project) == []
    with pytest.raises(BadInput, match="nothing to undo"):
        actions.undo(project)
    for _ in range(3):
        actions.redo(project)
    assert actions.list_items(project, EVERYWHERE)[0].note == "As a whole."
    assert actions.settings_of(project, EVERYWHERE).independent_prefix == "Look.|"
    with pytest.raises(BadInput, match="nothing to redo"):
        actions.redo(project)


def test_that_undo_takes_back_the_authors_own_last_act(project):
    mine, theirs = add(project, "Is it neat?"), add(project, "Is it calm?", author="Bo")
    assert actions.can_undo(project, author="Ada")[0].words == "Added an item"
    act, _ = actions.undo(project, author="Ada")
    assert texts(project) == ["Is it calm?"]
    assert act.author == "Ada"
    with pytest.raises(BadInput, match="nothing of Ada to undo"):
        actions.undo(project, author="Ada")
    actions.redo(project, author="Ada")
    assert {item.id for item in actions.list_items(project, EVERYWHERE)} == {mine.id, theirs.id}


def test_that_undo_is_refused_where_somebody_else_has_changed_the_same_since(project):
    item = add(project, "Is it neat?")
    actions.edit_items(project, [item.id], {"note": "As a whole."}, author="Ada")
    actions.edit_items(project, [item.id], {"text": "Is it tidy?"}, author="Bo")
    with pytest.raises(BadInput, match="Bo has changed this since"):
        actions.undo(project, author="Ada")
    assert texts(project) == ["Is it tidy?"]
    actions.undo(project, author="Bo")
    actions.undo(project, author="Ada")
    assert actions.list_items(project, EVERYWHERE)[0].note == ""
    actions.edit_items(project, [item.id], {"text": "Is it calm?"}, author="Bo")
    with pytest.raises(BadInput, match="Bo has changed this since"):
        actions.redo(project, author="Ada")


def test_that_several_own_acts_on_one_item_are_taken_back_one_by_one(project):
    item = add(project, "Is it neat?")
    for words in ("Is it tidy?", "Is it calm?"):
        actions.edit_items(project, [item.id], {"text": words}, author="Ada")
    add(project, "Is it warm?", author="Bo")
    for left in ("Is it tidy?", "Is it neat?"):
        actions.undo(project, author="Ada")
        assert left in texts(project)
    actions.redo(project, author="Ada")
    assert set(texts(project)) == {"Is it tidy?", "Is it warm?"}


def test_that_tags_make_no_version_and_break_no_sign_off(project):
    item = add(project, "Is it neat?")
    actions.sign_off(project, EVERYWHERE, person="Bo")
    (tagged,), _ = actions.edit_items(project, [item.id], {"tags": ("layout", "图表")}, author="Ada")
    assert (tagged.version, tagged.tags) == (1, ("layout", "图表"))
    assert actions.list_items(project, EVERYWHERE)[0].tags == ("layout", "图表")
    assert actions.sign_off_state(project)[1] == []
    (plain,), _ = actions.edit_items(project, [item.id], {"tags": ()}, author="Ada")
    assert plain.tags == ()


def test_that_a_new_act_ends_what_could_be_redone(project):
    add(project, "Is it neat?")
    actions.undo(project)
    add(project, "Is it calm?")
    assert actions.can_undo(project)[1] is None
    assert texts(project) == ["Is it calm?"]


def test_that_an_item_whose_making_was_undone_stays_known_as_retired(project):
    item = add(project, "Is it neat?")
    actions.undo(project)
    assert [each.id for each in actions.list_items(project, EVERYWHERE, with_retired=True)] == [item.id]


def test_that_nothing_in_the_journal_can_be_changed_or_removed(project):
    add(project, "Is it neat?")
    for table in ("checklist_records", "checklist_acts"):
        for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET act = 0" if "records" in table else
                          f"UPDATE {table} SET author = ''"):  # fmt: skip
            with pytest.raises(Exception, match="append-only"), project.writing() as db:
                db.execute(statement)


def test_that_saving_what_is_there_is_no_act(project):
    item = add(project, "Is it neat?")
    before = len(actions.acts(project))
    actions.edit_items(project, [item.id], {"text": "Is it neat?"}, author="Bo")
    assert len(actions.acts(project)) == before


def test_that_a_bulk_edit_is_one_act(project):
    items = [add(project, f"Is it {word}?") for word in ("neat", "calm", "warm")]
    before = len(actions.acts(project))
    actions.edit_items(project, [item.id for item in items], {"weight": 2.0}, author="Ada")
    assert len(actions.acts(project)) == before + 1
    actions.undo(project)
    assert {item.weight for item in actions.list_items(project, EVERYWHERE)} == {1.0}


def test_that_copies_get_ids_of_their_own(project):
    item = add(project, "Is it neat?")
    scopes = [Scope(instance_id=each.id) for each in deck_store.list_instances(project)]
    copies, _ = actions.duplicate_items(project, [item.id], scopes, author="Bo")
    assert len({item.id, *(each.id for each in copies)}) == 3
    assert [texts(project, scope) for scope in scopes] == [["Is it neat?"]] * 2


@pytest.mark.parametrize(
    ("text", "more"),
    [("  ", {}), ("x", {"kind": ItemKind.CODE}), ("x", {"weight": -1.0}), ("x", {"weight": float("nan")})],
)  # fmt: skip
def test_that_an_item_that_nobody_could_answer_is_refused(project, text, more):
    with pytest.raises(BadInput):
        add(project, text, **more)


@pytest.mark.parametrize(
    "settings",
    [
        ListSettings(slide_limits=(5, 3)),
        ListSettings(weights={Dimension.DESIGN: -1.0}),
        ListSettings(weights_total=0.0),
    ],
)
def test_that_settings_that_no_deck_can_meet_are_refused(project, settings):
    with pytest.raises(BadInput):
        actions.set_settings(project, EVERYWHERE, settings, author="Ada")


def test_that_settings_and_rules_come_back_as_they_were(project):
    settings = ListSettings(
        independent_prefix="", slide_limits=(3, 6), weights={Dimension.DESIGN: 1.5}, weights_total=2.0,
        declared=frozenset({Dimension.FIDELITY}),
    )  # fmt: skip
    actions.set_settings(project, Scope(domain="论文"), settings, author="Ada")
    assert actions.settings_of(project, Scope(domain="论文")) == settings
    rule = RuleCall(rule="slide_count", parameters={"min_count": 3, "max_count": 6})
    item = add(project, "3 to 6?", kind=ItemKind.CODE, rule=rule)
    assert actions.versions(project, item.id)[0].rule == rule


def test_that_only_a_second_person_signs_off_and_a_change_ends_it(project):
    add(project, "Is it neat?", author="Ada")
    with pytest.raises(BadInput, match="Ada wrote 1 of 1"):
        actions.sign_off(project, EVERYWHERE, person="Ada")
    with pytest.raises(BadInput, match="Not signed off"):
        actions.release(project, title="One", author="Ada")
    actions.sign_off(project, EVERYWHERE, person="Bo")
    assert release_store.unsigned(project) == []
    add(project, "Is it calm?", author="Ada")
    assert release_store.unsigned(project) == [EVERYWHERE]


def test_that_a_release_keeps_what_was_asked_when_it_was_made(project):
    item = add(project, "Is it neat?", author="Ada")
    actions.sign_off(project, EVERYWHERE, person="Bo")
    found, _ = actions.release(project, title="One", author="Bo")
    actions.edit_items(project, [item.id], {"text": "Is it tidy?"}, author="Ada")
    (stored,) = release_store.releases(project, with_content=True)
    items, _ = release_store.release_lists(stored)
    assert stored.content_hash == found.content_hash
    assert items[item.id].text == "Is it neat?"
    assert checklist_store.list_items(project)[0].text == "Is it tidy?"


def test_that_an_instruction_keeps_its_parts_and_becomes_text(project):
    instance = deck_store.list_instances(project)[0]
    plan = InstructionPlan(
        slide_limits=(5, 8), sections=(InstructionSection(title="Tides", key_points=("spring tide 4.2 m",)),),
        constraints=("At most 6 bullets a slide",), audience="pupils", language="en",
    )  # fmt: skip
    actions.set_instruction(project, instance.id, plan, author="Ada")
    assert actions.instruction(project, instance.id) == plan
    text = list_store.instance_by_id(project, instance.id).instruction
    assert "5–8 slides" in text
    assert "1. Tides" in text
    proposals = actions.proposals(project, instance.id)
    values = [each.text for each in proposals if each.dimension is Dimension.CORRECTNESS]
    assert any("4.2 m" in each for each in values)
    assert {each.rule.rule for each in proposals if each.rule} == {"slide_count", "bullets_per_slide"}
    scope = Scope(instance_id=instance.id)
    accepted, _ = actions.accept(project, scope, proposals, author="Ada")
    assert len(accepted) == len(proposals)
    assert actions.proposals(project, instance.id) == []


def test_that_a_rejection_needs_a_reason(project):
    instance = deck_store.list_instances(project)[0]
    curation = Curation(instance_id=instance.id, licence="CC0", is_accepted=False)
    with pytest.raises(BadInput, match="reason"):
        actions.set_curation(project, curation, author="Ada")
    actions.set_curation(project, replace(curation, why="too short"), author="Ada")
    assert actions.curations(project)[instance.id].why == "too short"


def test_that_what_was_written_is_there_after_opening_again(tmp_path):
    with make_project(tmp_path / "q") as made:
        add(made, "Is it neat?")
    with Project.open(tmp_path / "q") as again:
        assert texts(again) == ["Is it neat?"]
        assert [act.verb for act in record_store.list_acts(again)] == ["add"]


def test_that_a_bulk_edit_changes_fields_and_tags_as_one_act(project):
    items = [add(project, f"Is it {word}?", tags=("old", word)) for word in ("neat", "calm")]
    add(project, "Is it full?", Dimension.COMPLETENESS)
    before = len(actions.acts(project))
    stored, _ = actions.bulk_edit(
        project, [item.id for item in items], {"dimension": Dimension.COMPLETENESS, "note": "As a whole."},
        author="Ada", add_tags=["new", "neat"], remove_tags=["old"],
    )  # fmt: skip
    assert len(actions.acts(project)) == before + 1
    assert [item.tags for item in stored] == [("neat", "new"), ("calm", "new", "neat")]
    assert texts(project) == ["Is it full?", "Is it neat?", "Is it calm?"]
    actions.undo(project, author="Ada")
    assert [item.tags for item in actions.list_items(project, EVERYWHERE)][:2] == [("old", "neat"), ("old", "calm")]
    with pytest.raises(BadInput, match="Nothing was named"):
        actions.bulk_edit(project, [items[0].id], {}, author="Ada")


def test_that_words_that_a_list_has_already_are_not_copied_again(project):
    item = add(project, "Is it neat?")
    scopes = [Scope(instance_id=each.id) for each in deck_store.list_instances(project)]
    actions.duplicate_items(project, [item.id], scopes[:1], author="Bo")
    copies, _ = actions.duplicate_items(project, [item.id], scopes, author="Bo")
    assert [copy.instance_id for copy in copies] == [scopes[1].instance_id]
    assert actions.own_lists(project)[scopes[1].key] == {Dimension.DESIGN}


def test_that_an_own_list_says_that_it_takes_the_place_of_a_common_one(project):
    add(project, "Is it neat?"), add(project, "Is it calm?")
    instance = deck_store.list_instances(project)[0]
    scope = Scope(instance_id=instance.id)
    assert actions.replaces(project, scope, list(Dimension)) == [Dimension.DESIGN]
    assert not [each for each in actions.lint_instance(project, instance.id) if each.hint is Hint.REPLACES_COMMON]
    add(project, "Is it warm?", scope=scope)
    assert actions.replaces(project, scope, list(Dimension)) == []
    (found,) = [each for each in actions.lint_instance(project, instance.id) if each.hint is Hint.REPLACES_COMMON]
    assert "own design list (1 of its own) takes the place of the common one (2)" in found.message


def test_that_undo_brings_back_the_text_of_a_rewritten_instruction(project):
    instance = deck_store.list_instances(project)[0]
    deck_store.update_instance(project, replace(instance, instruction="In my own words: 8-12 slides."))
    plan = InstructionPlan(slide_limits=(8, 12), sections=(InstructionSection(title="Tides"),))
    actions.set_instruction(project, instance.id, plan, author="Ada")
    written = deck_store.list_instances(project)[0].instruction
    assert "Tides" in written
    actions.undo(project, author="Ada")
    assert deck_store.list_instances(project)[0].instruction == "In my own words: 8-12 slides."
    actions.redo(project, author="Ada")
    assert deck_store.list_instances(project)[0].instruction == written
    deck_store.update_instance(project, replace(instance, instruction="Changed elsewhere."))
    actions.undo(project, author="Ada")
    assert deck_store.list_instances(project)[0].instruction == "Changed elsewhere."
