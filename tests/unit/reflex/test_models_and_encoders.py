"""A model and the encoder that it was trained with belong together."""

from __future__ import annotations

import json
import multiprocessing
import zipfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from studio.actions.reflex import load_scorer, train
from studio.actions.reflex_grid import best_settings, read_grid, search_grid
from studio.errors import BadInput
from studio.jobs.reflex_job import ReflexTask, score_task
from studio.model.reflex import ContentMetric, DeckObject, SlideObject
from studio.reflex import redundancy
from studio.reflex.embedded import embedded
from studio.reflex.encoder import StaticEncoder, static_encoder
from studio.reflex.encoders import ENCODERS, encoder_named
from studio.reflex.grid import digest, row_json
from studio.reflex.language import LANGUAGE_IN_VECTORS, UNTRAINED_LANGUAGE
from studio.reflex.model_file import load, save
from studio.reflex.scorer import Scorer
from studio.reflex.shipped import model_digest, model_file, scorer_of, shipped_model
from studio.reflex.training import Settings
from tests.unit.reflex.made_decks import made_deck

SETTINGS = Settings(rounds=1, trees=10, mixed=False)
FLOW = ContentMetric.FLOW
NETWORKS = ["minilm", "multilingual"]


def short_deck(number: int) -> DeckObject:
    """Return an invented deck of eight slides without images and source, so that a network has little to read."""
    deck = made_deck(number, slides=8)
    return replace(deck, document=None, slides=tuple(replace(slide, images=()) for slide in deck.slides))


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("PODIUM_HOME", str(tmp_path / "home"))


@pytest.fixture(scope="module", params=list(ENCODERS))
def trained(request, tmp_path_factory):
    """A model of every metric for each encoder: its name and its file."""
    reason = ENCODERS[request.param].why_missing()
    if reason:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp(request.param)
    with pytest.MonkeyPatch.context() as patch:
        # The worker processes look there too.
        patch.setenv("PODIUM_HOME", str(folder / "home"))
        card = train([short_deck(number) for number in range(10)], folder / "made.npz", data="invented decks",
                     metrics=[FLOW], settings=SETTINGS, encoder=request.param, workers=1)  # fmt: skip
    assert card["encoder"] == ENCODERS[request.param].id
    return request.param, folder


def test_that_a_model_opens_with_the_encoder_that_it_was_trained_with(trained):
    name, folder = trained
    scorer, card = load_scorer(folder / "made.npz")
    assert scorer.encoder.id == card["encoder"] == ENCODERS[name].id
    (score,) = scorer.score_all(short_deck(0))
    assert 0 <= score.value <= 1
    again = Scorer(scorer.models, encoder_named(name), scorer.languages, reads_others=scorer.reads_others)
    assert again.score(short_deck(0), FLOW) == score


def test_that_a_model_refuses_every_other_encoder_in_one_line(trained):
    name, folder = trained
    for other in set(ENCODERS) - {name}:
        with pytest.raises(BadInput) as caught:
            load_scorer(folder / "made.npz", other)
        assert f"made.npz was trained with the encoder {name}, not {other}." in str(caught.value)
        assert "\n" not in str(caught.value)
    models, _ = load(folder / "made.npz")

    class Stranger(StaticEncoder):
        id = "stranger-1"

    with pytest.raises(BadInput, match=r"not stranger-1\."):
        Scorer(models, Stranger())


def test_that_a_worker_of_a_run_opens_the_encoder_of_the_model_it_is_handed(trained):
    name, folder = trained
    if name != "multilingual":
        pytest.skip("one encoder stands for all: a worker takes some seconds")
    task = ReflexTask(deck_id="d", path=folder, rendered=short_deck(0).slides, sources=(), metrics=(FLOW,),
                      model=folder / "made.npz")  # fmt: skip
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        (score,) = pool.submit(score_task, task).result()
    expected = scorer_of(folder / "made.npz").score(replace(short_deck(0), id="d"), FLOW)
    assert score.value == pytest.approx(expected.value, abs=1e-6)


def test_that_only_networks_keep_vectors_of_what_they_learned_from(trained):
    name, folder = trained
    kept = folder / "home" / "data" / "vectors" / f"{ENCODERS[name].id}.vectors"
    assert kept.is_file() == (name in NETWORKS)


def test_that_repeats_are_the_same_words_with_every_encoder(trained):
    name, _ = trained
    deck = short_deck(0)
    twice = replace(deck, slides=(*deck.slides, replace(deck.slides[4], number=9)))
    found = redundancy.repeats(embedded(twice, encoder_named(name)))
    assert [(later, earlier) for later, earlier, _ in found] == [(8, 4)]


def test_that_a_search_with_another_encoder_is_another_search(trained, tmp_path):
    name, _ = trained
    decks = [short_deck(number) for number in range(13)]
    table = tmp_path / "grid.jsonl"
    rows = search_grid(decks[:10], decks[10:], table, metrics=[FLOW],
                       grid={"depth": (2,)}, base=SETTINGS, encoder=name)  # fmt: skip
    assert [row.encoder for row in rows] == [ENCODERS[name].id]
    assert read_grid(table) == rows
    assert best_settings(rows, name) == {FLOW: replace(SETTINGS, depth=2)}
    other = next(each for each in ENCODERS if each != name)
    with pytest.raises(BadInput, match=f"searched with the encoder {name}, not {other}"):
        best_settings(rows, other)
    ids = {digest(decks, decks[:1], 1, kind.id) for kind in ENCODERS.values()}
    assert len(ids) == len(ENCODERS)


def test_that_a_row_from_before_there_were_encoders_is_of_the_static_one(tmp_path):
    table = tmp_path / "grid.jsonl"
    decks = [short_deck(number) for number in range(13)]
    (row,) = search_grid(decks[:10], decks[10:], table, metrics=[FLOW],
                         grid={"depth": (2,)}, base=SETTINGS)  # fmt: skip
    old = row_json(row)
    del old["encoder"]
    table.write_text(json.dumps(old) + "\n", "utf-8")
    assert read_grid(table) == [row]


def test_that_a_model_of_an_encoder_that_is_not_known_is_refused(tmp_path):
    models, card = load(shipped_model())
    save(tmp_path / "new.npz", models, card | {"encoder": "bert-9"})
    with pytest.raises(BadInput, match=r"new\.npz was trained with the encoder 'bert-9'"):
        scorer_of(tmp_path / "new.npz")


def test_that_a_model_without_encoders_beside_its_scorers_takes_the_cards(tmp_path):
    # As files of the first format are.
    models, card = load(shipped_model())
    save(tmp_path / "new.npz", models, card)
    with np.load(tmp_path / "new.npz", allow_pickle=False) as stored:
        arrays = dict(stored)
    head = json.loads(arrays["head"].tobytes())
    head["format"] = 1
    for about in head["models"].values():
        del about["encoder"]
    arrays["head"] = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    np.savez(tmp_path / "old.npz", **arrays)
    assert zipfile.is_zipfile(tmp_path / "old.npz")
    again, _ = load(tmp_path / "old.npz")
    assert {model.encoder for model in again.values()} == {StaticEncoder.id}
    assert scorer_of(tmp_path / "old.npz").encoder is static_encoder()


def test_that_names_stand_for_shipped_models_unless_a_file_has_the_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert model_file() == model_file(None, "static") == shipped_model()
    path = type(tmp_path)("static")
    assert model_file(path) == shipped_model()
    path.write_bytes(b"a file")
    assert model_file(path) == path
    with pytest.raises(BadInput, match=r"studio reflex train DATA --encoder minilm"):
        model_file(None, "minilm")
    with pytest.raises(BadInput, match=r"gone\.npz cannot be read"):
        model_digest(tmp_path / "gone.npz")


def chinese_talk() -> DeckObject:
    body = "蜜蜂在春天为果园授粉，蜂巢在冬天储存蜂蜜，养蜂人每周检查一次。"
    return DeckObject(id="zh", slides=tuple(
        SlideObject(number=n, title=f"蜜蜂与果园 {n}", body=body, source="pptx") for n in range(1, 7)
    ))  # fmt: skip


def test_that_a_language_no_deck_taught_is_flagged_with_every_encoder(trained):
    name, folder = trained
    # Whatever the invented words count as, the model was not taught Chinese.
    scorer = scorer_of(folder / "made.npz")
    flags = scorer.score(chinese_talk(), FLOW).flags
    expected = (UNTRAINED_LANGUAGE, LANGUAGE_IN_VECTORS) if name == "multilingual" else (UNTRAINED_LANGUAGE,)
    assert flags == expected
