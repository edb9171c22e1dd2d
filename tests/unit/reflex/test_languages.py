"""Languages: told from the words, kept in the card of what was learned, and flagged where they were not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from studio.actions.reflex import languages_of
from studio.model.reflex import ContentMetric, DeckObject, SlideObject
from studio.reflex.embedded import embedded
from studio.reflex.encoders import ENCODERS
from studio.reflex.ladder import ladder
from studio.reflex.language import LANGUAGE_IN_VECTORS, UNTRAINED_LANGUAGE, language_flags, language_of
from studio.reflex.shipped import scorer_of, shipped_model
from tests.unit.reflex.made_decks import made_deck
from tests.unit.reflex.parallel_talk import LANGUAGES, parallel_talk

TALKS = {
    "zh": ("蜜蜂与果园", "蜜蜂在春天为果园授粉，蜂巢在冬天储存蜂蜜，养蜂人每周检查一次。"),
    "ja": ("みつばちと果樹園", "みつばちは春に果樹園で花粉を運び、冬のあいだ巣箱にはちみつを蓄えます。"),
    "ko": ("꿀벌과 과수원", "꿀벌은 봄에 과수원에서 꽃가루를 나르고 겨울 동안 벌집에 꿀을 저장합니다."),
    "de": ("Bienen im Obstgarten", "Die Bienen bestäuben im Frühjahr die Obstbäume und lagern im Winter Honig ein."),
}


def talk(language: str, name: str = "talk") -> DeckObject:
    title, body = TALKS[language]
    slides = tuple(SlideObject(number=n, title=f"{title} {n}", body=body, source="pptx") for n in range(1, 7))
    return DeckObject(id=name, slides=slides)


@pytest.mark.parametrize("language", TALKS)
def test_that_a_deck_in_another_language_is_scored_and_flagged_by_the_shipped_model(language):
    deck = talk(language)
    assert language_of(deck) == language
    scores = {score.metric.value: score for score in scorer_of().score_all(deck)}
    assert 0 <= scores["redundancy"].value <= 1
    assert all(UNTRAINED_LANGUAGE in score.flags for score in scores.values() if score.value is not None)


def test_that_a_mixed_deck_counts_as_chinese_where_a_third_of_its_letters_is():
    deck = talk("zh")
    mixed = replace(deck, slides=(*deck.slides[:3], replace(deck.slides[3], body="Results of the BERT model")))
    assert language_flags(mixed, ("en",)) == (UNTRAINED_LANGUAGE,)
    assert language_flags(mixed, ("en", "zh")) == ()


def test_that_a_model_knows_the_languages_of_its_decks_and_not_those_of_a_few():
    english = [made_deck(number) for number in range(10)]
    chinese = [talk("zh", f"zh{number}") for number in range(10)]
    assert languages_of(english) == ("en",)
    assert languages_of(chinese) == ("zh",)
    assert languages_of([*english, *chinese]) == ("en", "zh")
    assert languages_of([*english, *chinese[:1]]) == ("en",)
    assert languages_of([]) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_the_multilingual_model_sees_defects_where_no_deck_taught_it(language):
    reason = ENCODERS["multilingual"].why_missing()
    if reason:
        pytest.skip(reason)
    scorer = scorer_of(shipped_model("multilingual"))
    talk_ = parallel_talk(language)
    assert set(scorer.flags(talk_)) == (set() if language == "en" else {UNTRAINED_LANGUAGE, LANGUAGE_IN_VECTORS})
    for metric in (ContentMetric.COVERAGE, ContentMetric.REDUNDANCY, ContentMetric.FLOW):
        ladders = [ladder(talk_, metric, seed=seed) for seed in range(1, 6)]
        value = {
            degree: np.mean([scorer.value(embedded(rungs[degree].deck, scorer.encoder), metric) for rungs in ladders])
            for degree in (0, 2, 4)
        }
        assert value[4] < value[2] < value[0], metric


def test_that_a_repeated_chinese_slide_is_named_by_the_multilingual_model():
    reason = ENCODERS["multilingual"].why_missing()
    if reason:
        pytest.skip(reason)
    deck = parallel_talk("zh")
    twice = replace(deck, slides=(*deck.slides, replace(deck.slides[8], number=16)))
    score = scorer_of(shipped_model("multilingual")).score(twice, ContentMetric.REDUNDANCY)
    assert [(each.slide, each.other) for each in score.suggestions] == [(16, 9)]
