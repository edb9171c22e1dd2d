"""Fitted on invented decks: what holds for every model, whatever it was trained on."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesRegressor, GradientBoostingRegressor, RandomForestClassifier

from studio.errors import BadInput
from studio.model.reflex import ContentMetric, DeckObject
from studio.reflex.encoder import static_encoder
from studio.reflex.forest import Forest, forest_of
from studio.reflex.ladder import ladder
from studio.reflex.language import UNTRAINED_LANGUAGE, language_of
from studio.reflex.model_file import load, save
from studio.reflex.scorer import Scorer
from studio.reflex.training import Settings, fit
from tests.unit.reflex.made_decks import made_deck

SETTINGS = Settings(rounds=1, trees=25)


@pytest.fixture(scope="module")
def models():
    decks = [made_deck(number) for number in range(12)]
    return {metric: fit(decks, metric, static_encoder(), SETTINGS) for metric in ContentMetric}


@pytest.fixture(scope="module")
def scorer(models):
    return Scorer(models, static_encoder())


@pytest.mark.parametrize(
    "estimator",
    [
        GradientBoostingRegressor(n_estimators=20, subsample=0.7, random_state=0),
        ExtraTreesRegressor(n_estimators=20, min_samples_leaf=3, random_state=0),
        RandomForestClassifier(n_estimators=20, min_samples_leaf=3, random_state=0),
    ],
)
def test_that_a_forest_predicts_what_scikit_learn_predicts_also_after_a_round_trip(estimator, tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 7)).astype(np.float32)
    y = x[:, 0] + np.sin(3 * x[:, 1])
    if isinstance(estimator, RandomForestClassifier):
        estimator.fit(x, (y > 0).astype(int))
        wanted = estimator.predict_proba(x)[:, 1]
    else:
        estimator.fit(x, y)
        wanted = estimator.predict(x)
    forest = forest_of(estimator)
    np.testing.assert_allclose(forest.predict(x), wanted, atol=1e-6)
    path = tmp_path / "forest.npz"
    np.savez(path, **forest.arrays("it"))
    with np.load(path, allow_pickle=False) as stored:
        again = Forest.from_arrays("it", stored)
    np.testing.assert_allclose(again.predict(x), wanted, atol=1e-6)


def test_that_trees_that_lead_in_a_circle_are_refused():
    forest = forest_of(ExtraTreesRegressor(n_estimators=2, random_state=0).fit([[0.0], [1.0], [2.0]], [0, 1, 2]))
    arrays = forest.arrays("it")
    arrays["it.left"] = np.where(arrays["it.left"] >= 0, 0, -1).astype(np.int32)
    with pytest.raises(ValueError, match="hang together"):
        Forest.from_arrays("it", arrays)


def test_that_a_saved_scorer_gives_the_same_scores(models, scorer, tmp_path):
    save(tmp_path / "model.npz", models, {"data": "invented decks"})
    again, card = load(tmp_path / "model.npz")
    assert card == {"data": "invented decks"}
    deck = made_deck(50)
    assert Scorer(again, static_encoder()).score_all(deck) == scorer.score_all(deck)


def test_that_files_that_are_no_models_are_refused_in_one_line(models, tmp_path):
    class Harmful:
        def __reduce__(self):
            return (pytest.fail, ("a stranger's code ran",))

    good = tmp_path / "good.npz"
    save(good, models, {})
    whole = good.read_bytes()
    for name, data in {
        "cut.npz": whole[: len(whole) // 2],
        "pickled.npz": pickle.dumps(Harmful()),
        "empty.npz": b"",
        "text.npz": b"not a model",
    }.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(BadInput, match="is no REFLEX model") as caught:
            load(path)
        assert "\n" not in str(caught.value)
    harmful = np.empty(1, dtype=object)
    harmful[0] = Harmful()
    np.savez(tmp_path / "object.npz", head=harmful)
    with pytest.raises(BadInput):
        load(tmp_path / "object.npz")
    with pytest.raises(BadInput, match="There is no model"):
        load(tmp_path / "nowhere.npz")


def test_that_explanations_name_only_slides_and_topics_that_exist(scorer):
    n_named = 0
    for number in range(60, 64):
        for metric in ContentMetric:
            for rung in ladder(made_deck(number), metric, seed=number):
                numbers = {slide.number for slide in rung.deck.slides}
                titles = {slide.title for slide in rung.deck.slides}
                sections = {section.title for section in rung.deck.document.sections}
                for score in scorer.score_all(rung.deck):
                    assert (score.value is None) == bool(score.undefined_reason)
                    assert score.value is None or 0 <= score.value <= 1
                    for found in score.suggestions:
                        n_named += 1
                        if score.metric is ContentMetric.COVERAGE:
                            assert found.slide is None
                            assert found.topic in sections
                        else:
                            assert found.slide in numbers
                            assert found.topic in titles
                        assert found.other is None or found.other in numbers | {0}
                        assert 0 <= found.chance <= 1
    assert n_named > 20


@pytest.mark.parametrize("metric", list(ContentMetric))
def test_that_worse_decks_get_lower_means(scorer, metric):
    values: dict[int, list[float]] = {degree: [] for degree in range(5)}
    for number in range(70, 90):
        for rung in ladder(made_deck(number), metric, seed=number):
            value = scorer.score(rung.deck, metric).value
            if value is not None:
                values[rung.degree].append(value)
    means = [float(np.mean(values[degree])) for degree in range(5)]
    assert all(len(each) >= 10 for each in values.values())
    assert means == sorted(means, reverse=True)
    assert means[0] - means[4] > 0.2


def test_that_scores_do_not_depend_on_what_was_scored_before(scorer):
    deck = made_deck(91)
    once = scorer.score_all(deck)
    scorer.score_all(made_deck(92))
    assert scorer.score_all(deck) == once


def test_that_what_is_not_defined_has_a_reason(scorer):
    bare = replace(made_deck(93), document=None)
    bare = replace(bare, slides=tuple(replace(slide, images=()) for slide in bare.slides))
    found = {score.metric: score for score in scorer.score_all(bare)}
    assert found[ContentMetric.COVERAGE].value is None
    assert "no source" in found[ContentMetric.COVERAGE].undefined_reason
    assert found[ContentMetric.ALIGNMENT].value is None
    assert "image" in found[ContentMetric.ALIGNMENT].undefined_reason
    assert found[ContentMetric.FLOW].value is not None
    empty = DeckObject(id="empty", slides=())
    assert all(score.value is None and score.undefined_reason for score in scorer.score_all(empty))


def test_that_a_language_that_was_not_trained_on_is_flagged(scorer):
    german = "Die Bienen sammeln im Frühling den Nektar und der Imker erntet danach den Honig aus den Waben"
    chinese = "蜜蜂在春天采集花蜜养蜂人随后从蜂巢中收获蜂蜜并且妥善保存"
    for words, language in ((german, "de"), (chinese, "zh")):
        deck = made_deck(94)
        deck = replace(deck, slides=tuple(replace(slide, title=words[:12], body=words) for slide in deck.slides))
        assert language_of(deck) == language
        assert all(score.flags == (UNTRAINED_LANGUAGE,) for score in scorer.score_all(deck))
    english = "The bees collect nectar in the spring and the keeper of the bees takes the honey from the combs"
    deck = made_deck(95)
    deck = replace(deck, slides=tuple(replace(slide, title="The bees", body=english) for slide in deck.slides))
    assert all(score.flags == () for score in scorer.score_all(deck))


def test_that_too_few_decks_teach_nothing():
    with pytest.raises(BadInput, match="ten are needed"):
        fit([made_deck(1)], ContentMetric.FLOW, static_encoder(), SETTINGS)
