from __future__ import annotations

import csv
import io
import json
from types import ModuleType

import pytest

from studio.sessions.placement import competition


@pytest.fixture(scope="module")
def variants(recipe: ModuleType) -> ModuleType:
    import podium_demo.variants as found

    return found


def test_that_the_full_demo_has_24_instances_of_five_systems_with_names_of_their_own(variants: ModuleType) -> None:
    instances = variants.full_instances()
    assert len(instances) == 24
    assert len({each.name for each in instances}) == len({each.title for each in instances}) == 24
    assert {len(each.takes) for each in instances} == {5}
    assert {each.subject for each in instances} == {each.name for each in instances[:5]}


def test_that_variants_are_the_same_each_time(variants: ModuleType) -> None:
    assert variants.full_instances() == variants.full_instances()
    instance = variants.full_instances()[-1]
    assert variants.ranking_of(instance, "sample-a") == variants.ranking_of(instance, "sample-a")
    assert variants.answers_to(instance) == variants.answers_to(instance)


def test_that_every_take_shows_sections_that_there_are(variants: ModuleType) -> None:
    for instance in variants.full_instances():
        for take in instance.takes.values():
            assert set(take.sections) <= set(range(len(instance.outline.sections)))
            assert len(take.sections) >= 3


def test_that_everybody_ranks_every_deck_once_in_competition_ranks(
    recipe: ModuleType, variants: ModuleType, tmp_path
) -> None:
    recipe._write_rankings(tmp_path / "rankings.csv", variants.full_instances())
    rows = list(csv.DictReader(io.StringIO((tmp_path / "rankings.csv").read_text(encoding="utf-8-sig"))))
    drawn = [row for row in rows if "-v" in row["instance_id"]]
    assert len(drawn) == 19 * 5 * 3
    answers: dict[tuple[str, str], dict[str, int]] = {}
    for row in drawn:
        answers.setdefault((row["instance_id"], row["annotator_id"]), {})[row["system"]] = int(row["rank"])
    assert len(answers) == 19 * 3
    for ranks in answers.values():
        assert competition(ranks) == ranks


def test_that_people_agree_and_not_wholly(variants: ModuleType) -> None:
    same = total = 0
    for instance in variants.full_instances()[5:]:
        first, second = (variants.ranking_of(instance, person)["ranks"] for person in ("sample-a", "sample-b"))
        total += 5
        same += sum(first[system] == second[system] for system in first)
    # Two orders of five at random share a place in one case of five.
    assert 0.3 < same / total < 0.95


def test_that_answers_name_decks_and_people_of_the_demo_and_are_said_to_be_invented(
    recipe: ModuleType, variants: ModuleType
) -> None:
    content = recipe._checklists(variants.full_instances())
    assert "Invented" in content["note"]
    names = {each.name: each for each in variants.full_instances()}
    for answer in content["answers"]:
        assert answer["system"] in names[answer["instance"]].takes
        assert answer["annotator"] in {"sample-a", "sample-b", "sample-c"}
    assert set(content["items"]) == set(content["slide_limits"]) == set(names)
    assert json.dumps(content, ensure_ascii=False)
