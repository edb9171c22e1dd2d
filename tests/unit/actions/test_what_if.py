from __future__ import annotations

import numpy as np
import pytest

from studio.actions import align
from studio.actions.method_rows import view_of
from studio.actions.what_if import WhatIf, components_of, droppable, judges_of, without
from studio.checklists.scoring import DIMENSION_ORDER
from studio.model.authoring import EVERYWHERE
from studio.model.checklists import Dimension, Item, ItemId
from studio.model.human_side import HumanSide, HumanSource
from studio.model.ids import InstanceId
from studio.model.scores import Verdict
from studio.store import checklists as checklist_store
from studio.store import scores as score_store
from studio.store.project import Project
from tests.human_answers import add_check, add_decks, add_ranking, add_scores, deck_id

SYSTEMS = ("alpha", "beta", "gamma", "delta")
COMPONENTS = ("harmony", "engagement", "usability", "rhythm")


@pytest.fixture
def project(tmp_path):
    made = Project.create(tmp_path / "study", title="Study")
    add_decks(made, ["one", "two"], SYSTEMS, scenario="lecture")
    add_decks(made, ["three"], SYSTEMS, scenario="report")
    for name, ranks in (("ada", (1, 2, 3, 4)), ("bo", (4, 3, 2, 1)), ("cy", (1, 2, 3, 4))):
        for instance in ("one", "two", "three"):
            add_ranking(made, name, instance, dict(zip(SYSTEMS, ranks, strict=True)))
    for instance in ("one", "two", "three"):
        values = (9, 8, 7, 6) if instance != "three" else (6, 7, 8, 9)
        add_scores(made, "m", instance, dict(zip(SYSTEMS, values, strict=True)))
    yield made
    made.close()


def rhos(evidence, method="m"):
    table = align.table_of(evidence, chosen=[method], level="instance", resamples=0)
    return table.methods[method]


def test_that_a_dropped_annotator_and_scenario_change_the_numbers_as_by_hand(project):
    evidence = align.gather(project)
    material = droppable(project, evidence)
    # Mean ranks 2, 7/3, 8/3, 3 are in the order of ada and cy: 1, 1 and −1.
    assert rhos(evidence).mean_rho == pytest.approx(1 / 3)
    assert rhos(without(evidence, WhatIf(scenarios=frozenset({"report"})), material)).mean_rho == 1.0
    left = without(evidence, WhatIf(annotators=frozenset({"a_ada", "a_cy"})), material)
    assert rhos(left).mean_rho == pytest.approx(-1 / 3)
    assert list(left.annotators) == ["a_bo"]
    assert rhos(evidence).mean_rho == pytest.approx(1 / 3), "the evidence itself stays"


def test_that_a_dropped_component_leaves_the_sum_of_the_others(project):
    rng = np.random.default_rng(0)
    for instance in ("one", "two", "three"):
        parts = {name: rng.normal(size=4) for name in COMPONENTS}
        for name, values in parts.items():
            add_scores(project, f"aesthetics.{name}", instance, dict(zip(SYSTEMS, values.tolist(), strict=True)))
        total = sum(parts.values())
        add_scores(project, "aesthetics.total", instance, dict(zip(SYSTEMS, total.tolist(), strict=True)))
    evidence = align.gather(project)
    assert len(components_of(evidence)) == 4
    left = without(evidence, WhatIf(components=frozenset({"aesthetics.rhythm"})), droppable(project, evidence))
    found = left.methods["aesthetics.total"][InstanceId("i_one")][deck_id("one", "alpha")]
    rest = [evidence.methods[f"aesthetics.{name}"]["i_one"][deck_id("one", "alpha")] for name in COMPONENTS[:3]]
    assert found == pytest.approx(sum(rest))
    assert "aesthetics.rhythm" in left.methods


def test_that_a_judge_takes_all_its_methods_along(project):
    for method in ("openai:m/rating", "openai:m/rating.harmony", "gemini:g/arena"):
        add_scores(project, method, "one", dict.fromkeys(SYSTEMS, 1.0))
    evidence = align.gather(project)
    assert judges_of(evidence) == ["gemini:g", "openai:m"]
    left = without(evidence, WhatIf(judges=frozenset({"openai:m"})), droppable(project, evidence))
    assert set(left.methods) == {"m", "gemini:g/arena"}


def add_items(project, *ids):
    checklist_store.save_items(
        project,
        [
            Item(id=ItemId(name), version=1, dimension=dimension, text=f"Is it {name}?")
            for name, dimension in ids
        ],
        author="a", verb="add", words="Add items",
    )  # fmt: skip
    assert checklist_store.list_items(project, scopes=[EVERYWHERE])


def add_verdicts(project, judge, instance, answers):
    """answers: system → item → yes or no."""
    score_store.append_verdicts(
        project,
        [
            Verdict(
                run_id=None, judge_id=judge, model="m", prompt_version="1", instance_id=InstanceId(f"i_{instance}"),
                deck_id=deck_id(instance, system), item_id=item, verdict=answer,
            )
            for system, of_deck in answers.items()
            for item, answer in of_deck.items()
        ],
    )  # fmt: skip


def test_that_dropped_items_and_dimensions_are_added_up_again(project):
    add_items(project, ("x", Dimension.DESIGN), ("y", Dimension.DESIGN), ("z", Dimension.FIDELITY))
    yes = {"alpha": "xyz", "beta": "xy", "gamma": "x", "delta": "z"}
    answers = {
        system: {item: "yes" if item in said else "no" for item in "xyz"} for system, said in yes.items()
    }  # fmt: skip
    add_verdicts(project, "j", "one", answers)
    # Design is the half of x and y, fidelity that of z; the total is the mean of both.
    stored = {"alpha": 100.0, "beta": 50.0, "gamma": 25.0, "delta": 50.0}
    add_scores(project, "j/checklist", "one", stored)
    add_scores(project, "j/checklist.design", "one", {"alpha": 100.0, "beta": 100.0, "gamma": 50.0, "delta": 0.0})
    evidence = align.gather(project)
    material = droppable(project, evidence)
    assert set(material.cells) == {"j/checklist", "j/checklist.design"}
    assert material.items == {item: f"Is it {item}?" for item in "xyz"}
    assert material.dimensions == (Dimension.DESIGN, Dimension.FIDELITY)

    def values(what_if, method="j/checklist"):
        found = without(evidence, what_if, material).methods.get(method, {}).get("i_one", {})
        return {deck.rpartition("_")[2]: value for deck, value in found.items()}

    assert values(WhatIf(items=frozenset("y"))) == {"alpha": 100.0, "beta": 50.0, "gamma": 50.0, "delta": 50.0}
    no_fidelity = WhatIf(dimensions=frozenset({"fidelity"}))
    assert values(no_fidelity) == {"alpha": 100.0, "beta": 100.0, "gamma": 50.0, "delta": 0.0}
    assert values(WhatIf(items=frozenset("x")), "j/checklist.design")["gamma"] == 0.0
    assert values(WhatIf(dimensions=frozenset({"design"})), "j/checklist.design") == {}


def test_that_a_method_whose_verdicts_do_not_add_up_keeps_its_score_and_is_named(project):
    add_items(project, ("x", Dimension.DESIGN))
    add_verdicts(project, "j", "one", {system: {"x": "yes"} for system in SYSTEMS})
    add_scores(project, "j/checklist", "one", dict.fromkeys(SYSTEMS, 12.0))
    evidence = align.gather(project)
    material = droppable(project, evidence)
    assert "do not add up" in material.kept["j/checklist"]
    left = without(evidence, WhatIf(items=frozenset("x")), material)
    assert set(left.methods["j/checklist"]["i_one"].values()) == {12.0}


def test_that_items_are_dropped_from_the_human_side_too(project):
    for system, answers in zip(SYSTEMS, ("yy", "yn", "ny", "nn"), strict=True):
        for item, answer in zip("xy", answers, strict=True):
            add_check(project, "ada", "one", system, item, "yes" if answer == "y" else "no")
    evidence = align.gather(project, HumanSide(source=HumanSource.CHECKLIST))
    left = without(evidence, WhatIf(items=frozenset("y")), droppable(project, evidence))
    assert list(left.human.ranks["i_one"]["a_ada"].values()) == [-100.0, -100.0, 0.0, 0.0]


def test_that_nothing_dropped_is_the_same_evidence_and_everything_dropped_has_reasons(project):
    evidence = align.gather(project)
    material = droppable(project, evidence)
    assert without(evidence, WhatIf(), material) is evidence
    nobody = without(evidence, WhatIf(annotators=frozenset(evidence.annotators)), material)
    row = view_of(nobody, level="instance").rows[0]
    assert (row.mean_rho, row.n_total) == (None, 0)
    assert row.reason


# The tick patterns and mean correlations of PresentBench's ablation: which dimensions the score is made of.
TICKS = {
    "all five": "11111",
    "fundamentals and layout": "11000",
    "three content dimensions": "00111",
    "without fundamentals": "01111",
    "without layout": "10111",
    "without completeness": "11011",
    "without correctness": "11101",
    "without fidelity": "11110",
}


@pytest.mark.parametrize("ticks", TICKS.values(), ids=TICKS.keys())
def test_that_the_rows_of_presentbenchs_ablation_are_its_tick_patterns(project, ticks):
    """One item for each dimension and random verdicts: a row is the share of its ticked items, ranked by scipy."""
    from scipy.stats import spearmanr

    names = [dimension.value for dimension in DIMENSION_ORDER]
    add_items(project, *[(name, dimension) for name, dimension in zip(names, DIMENSION_ORDER, strict=True)])
    rng = np.random.default_rng(7)
    said = {instance: rng.integers(0, 2, (4, 5)) for instance in ("one", "two", "three")}
    for instance, met in said.items():
        answers = {
            system: {name: "yes" if met[row, place] else "no" for place, name in enumerate(names)}
            for row, system in enumerate(SYSTEMS)
        }
        add_verdicts(project, "j", instance, answers)
        add_scores(project, "j/checklist", instance, dict(zip(SYSTEMS, (20.0 * met.sum(axis=1)).tolist(), strict=True)))
    evidence = align.gather(project)
    dropped = frozenset(name for name, tick in zip(names, ticks, strict=True) if tick == "0")
    left = without(evidence, WhatIf(dimensions=dropped), droppable(project, evidence))
    kept = [place for place, tick in enumerate(ticks) if tick == "1"]
    expected = []
    for met in said.values():
        shares = met[:, kept].sum(axis=1)
        # Mean ranks 2, 7/3, 8/3, 3: the order of the systems.
        expected.append(spearmanr([-1, -2, -3, -4], shares).statistic if len(set(shares)) > 1 else np.nan)
    found = [item.rho for item in rhos(left, "j/checklist").instances]
    assert [np.nan if rho is None else rho for rho in found] == pytest.approx(expected, nan_ok=True)
