"""Fine-tuning on a randomly initialised tiny model on the CPU: the whole path, with nothing downloaded."""

from __future__ import annotations

import importlib.util
from dataclasses import replace

import pytest

from studio.errors import BadInput, ToolMissing
from studio.model.reflex import ContentMetric
from studio.reflex import evaluation, lora
from studio.reflex.embedded import embedded
from studio.reflex.encoder import static_encoder
from studio.reflex.ladder import ladder
from studio.reflex.lora import LoraScorer, LoraSettings, gold_explanation, libraries, serialised
from tests.unit.reflex.made_decks import THEMES, made_deck

HAS_EXTRA = all(importlib.util.find_spec(name) for name in ("torch", "transformers", "peft"))
needs_extra = pytest.mark.skipif(not HAS_EXTRA, reason="needs the optional extra lora: torch, transformers and peft")
SETTINGS = LoraSettings(rank=2, alpha=4, dropout=0.0, epochs=1, batch=4, most_tokens=160, new_tokens=12)


def short(number):
    deck = made_deck(number, slides=6)
    return replace(deck, slides=tuple(replace(slide, body=slide.body[:40]) for slide in deck.slides))


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """A language model of two small layers with random weights, and a tokenizer that knows the invented words."""
    torch, transformers, _ = libraries()
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    texts = [*THEMES, *THEMES.values(), serialised(short(1), ContentMetric.FLOW), "Score:"]
    tokenizer.train_from_iterator(texts, trainers.WordLevelTrainer(special_tokens=["[UNK]", "[END]"]))
    folder = tmp_path_factory.mktemp("tiny")
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="[UNK]", eos_token="[END]", pad_token="[END]"
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=tokenizer.get_vocab_size(), hidden_size=16, intermediate_size=32, num_hidden_layers=2,
        num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=512,
        eos_token_id=tokenizer.token_to_id("[END]"), bos_token_id=None,
    )  # fmt: skip
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def test_that_without_the_extra_it_says_what_to_install(monkeypatch):
    def missing(name):
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr(lora.importlib, "import_module", missing)
    with pytest.raises(ToolMissing, match="optional extra lora"):
        libraries()


def test_that_the_document_is_read_for_coverage_only():
    assert "Document:" in serialised(short(1), ContentMetric.COVERAGE)
    assert "Document:" not in serialised(short(1), ContentMetric.FLOW)


def test_that_the_gold_names_what_was_moved_and_nothing_for_the_deck_as_it_was():
    rungs = ladder(short(1), ContentMetric.FLOW, seed=1)
    assert gold_explanation(rungs[0], ContentMetric.FLOW) == "The slides follow one another naturally."
    named = gold_explanation(rungs[4], ContentMetric.FLOW).split("; ")
    assert len(named) == sum(rungs[4].marks) > 0


@needs_extra
def test_that_both_adapters_and_the_head_learn_and_the_base_stays_as_it_was(base):
    torch, _, _ = libraries()
    scorer = LoraScorer(base, ContentMetric.FLOW, SETTINGS)
    before = {name: value.clone() for name, value in scorer._model.named_parameters()}
    head = scorer._head.weight.clone()
    told = []
    scorer.fit([short(number) for number in range(2)], tell=told.append)
    changed = {name for name, value in scorer._model.named_parameters() if not torch.equal(value, before[name])}
    assert {"explain", "score"} == {name.rpartition(".weight")[0].rpartition(".")[2] for name in changed}
    assert all("lora_" in name for name in changed)
    assert not torch.equal(head, scorer._head.weight)
    assert [words.split(":")[0] for words in told] == ["flow, explain, epoch 1", "flow, score, epoch 1"]


@needs_extra
def test_that_what_is_saved_scores_the_same_when_it_is_loaded(base, tmp_path):
    scorer = LoraScorer(base, ContentMetric.FLOW, SETTINGS).fit([short(1)])
    scorer.save(tmp_path / "tuned")
    again = LoraScorer.load(tmp_path / "tuned")
    it = embedded(short(3), static_encoder())
    assert again.explain(it.deck) == scorer.explain(it.deck)
    assert again.value(it, ContentMetric.FLOW) == pytest.approx(scorer.value(it, ContentMetric.FLOW), abs=1e-6)
    assert 0.0 <= again.value(it, ContentMetric.FLOW) <= 1.0


@needs_extra
def test_that_the_same_evaluation_measures_it(base):
    scorer = LoraScorer(base, ContentMetric.FLOW, SETTINGS)
    decks = [short(number) for number in range(3)]
    tables = evaluation.evaluate(decks, scorer, static_encoder(), seed=1)
    assert [(table.metric, table.n_decks, table.n_samples) for table in tables] == [(ContentMetric.FLOW, 3, 15)]
    assert set(tables[0].items) == {"precision", "recall", "f1", "f1_all"}


@needs_extra
def test_that_a_folder_without_a_model_is_named(tmp_path):
    with pytest.raises(BadInput, match="holds no language model"):
        LoraScorer(tmp_path, ContentMetric.FLOW, SETTINGS)
    with pytest.raises(BadInput, match="holds no fine-tuned scorer"):
        LoraScorer.load(tmp_path)
