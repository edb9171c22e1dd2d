"""Fine-tuned content scorers: two LoRA adapters on one language model for each metric (REFLEX, section 4).

One adapter writes the explanation; the other reads deck and explanation, and a head of one neuron gives the score. The
ladders, the targets, the wording of explanations and the evaluation are those of the tree scorers. The libraries come
with the optional extra ``lora``; nothing is downloaded: the base model is a folder on this machine.
"""

from __future__ import annotations

import importlib
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from studio.errors import BadInput, Cancelled, ToolMissing
from studio.model.protocols import CancelToken
from studio.model.reflex import ContentMetric, DeckObject
from studio.perturb.summaries import whole_summary
from studio.reflex.embedded import Embedded
from studio.reflex.encoder import static_encoder
from studio.reflex.explanations import item_names, template
from studio.reflex.ladder import Sample, ladder
from studio.reflex.scorer import why_undefined

EXPLAIN, SCORE = "explain", "score"
_HEAD, _ABOUT = "head.safetensors", "reflex.json"
_ATTENTION = ("q_proj", "k_proj", "v_proj", "o_proj", "qkv_proj", "out_proj", "c_attn", "query_key_value")
"""Names of attention projections in common models; those that a base model has are adapted."""


@dataclass(frozen=True, kw_only=True)
class LoraSettings:
    """Of one fine-tuning; rank, alpha and what is adapted are our choice, the paper gives none."""

    rank: int = 16
    alpha: int = 32
    dropout: float = 0.1
    epochs: int = 5
    batch: int = 16
    learning_rate: float = 5e-4
    weight_decay: float = 0.01
    most_tokens: int = 4096
    """Of deck and document; what is longer is cut at the end, before the explanation."""
    new_tokens: int = 256
    """Of an explanation."""
    seed: int = 42


def libraries() -> tuple[Any, Any, Any]:
    """Return torch, transformers and peft.

    Raises:
        ToolMissing: if the extra is not installed.
    """
    try:
        found = tuple(importlib.import_module(name) for name in ("torch", "transformers", "peft"))
    except ImportError as error:
        raise ToolMissing(
            f"Fine-tuning needs the optional extra lora: {error}.", next_step="pip install 'podium-studio[lora]'"
        ) from error
    return found[0], found[1], found[2]


def serialised(deck: DeckObject, metric: ContentMetric) -> str:
    """Return what the model reads of a deck: its slides in order as JSON, for coverage the document before them."""
    slides = [
        {
            "slide": slide.number, "title": slide.title, "text": slide.body,
            "image_caption": " ".join(image.caption for image in slide.images).strip(),
            "image_description": " ".join(image.description for image in slide.images).strip(),
        }
        for slide in deck.slides
    ]  # fmt: skip
    parts = [f"Metric: {metric.value}"]
    if metric is ContentMetric.COVERAGE and deck.document is not None:
        parts.append("Document: " + whole_summary(deck.document))
    parts.append("Deck: " + json.dumps(slides, ensure_ascii=False))
    return "\n".join([*parts, "Explanation:"])


class LoraScorer:
    """A base model with the two adapters of one metric."""

    def __init__(self, base: Path, metric: ContentMetric, settings: LoraSettings | None = None) -> None:
        """Load a base model with fresh adapters.

        Args:
            base: folder of a causal language model and its tokenizer.
            metric: what it will score.
            settings: of adapters and training.

        Raises:
            ToolMissing: if the extra is not installed.
            BadInput: if the folder holds no such model.
        """
        torch, transformers, peft = libraries()
        self.metric, self.settings, self.base = metric, settings or LoraSettings(), base
        self.metrics = (metric,)
        self.encoder = static_encoder()
        """Of the baselines beside it; the language model reads the words themselves."""
        torch.manual_seed(self.settings.seed)
        try:
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(base, local_files_only=True)
            model = transformers.AutoModelForCausalLM.from_pretrained(base, local_files_only=True)
        except (OSError, ValueError) as error:
            raise BadInput(
                f"{base} holds no language model: {error}.", next_step="Name a folder with config, weights, tokenizer."
            ) from error
        if self._tokenizer.pad_token_id is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token
        names = {name.rpartition(".")[2] for name, _ in model.named_modules()}
        config = peft.LoraConfig(
            r=self.settings.rank, lora_alpha=self.settings.alpha, lora_dropout=self.settings.dropout,
            target_modules=[name for name in _ATTENTION if name in names] or "all-linear", task_type="CAUSAL_LM",
        )  # fmt: skip
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._model = peft.get_peft_model(model, config, adapter_name=EXPLAIN)
        self._model.add_adapter(SCORE, config)
        self._model.to(self._device)
        self._head = torch.nn.Linear(model.config.hidden_size, 1).to(self._device)
        self._said: dict[DeckObject, str] = {}

    def threshold(self, _metric: ContentMetric) -> float:
        """Return above which chance a thing is named: an explanation names it or not."""
        return 0.5

    def explain(self, deck: DeckObject) -> str:
        """Return the explanation that the model writes, by greedy decoding."""
        known = self._said.get(deck)
        if known is None:
            torch, _, _ = libraries()
            self._use(EXPLAIN, is_training=False)
            ids = torch.tensor([self._prompt(deck)], device=self._device)
            with torch.no_grad():
                made = self._model.generate(
                    input_ids=ids, attention_mask=torch.ones_like(ids), max_new_tokens=self.settings.new_tokens,
                    do_sample=False, pad_token_id=self._tokenizer.pad_token_id,
                )  # fmt: skip
            known = self._tokenizer.decode(made[0, ids.shape[1] :], skip_special_tokens=True).strip()
            self._said[deck] = known
        return known

    def chances(self, it: Embedded, metric: ContentMetric) -> np.ndarray:
        """Return 1 for each thing that the explanation names, otherwise 0."""
        said = self.explain(it.deck)
        return np.array([float(bool(name.strip()) and name in said) for name in item_names(it.deck, metric)])

    def value(self, it: Embedded, metric: ContentMetric) -> float | None:
        """Return the score, 0 to 1, or None where the metric is not defined."""
        if why_undefined(it, metric):
            return None
        torch, _, _ = libraries()
        self._use(SCORE, is_training=False)
        with torch.no_grad():
            return float(self._scores([it.deck])[0])

    def fit(
        self,
        decks: Sequence[DeckObject],
        *,
        rungs: Sequence[Sample] | None = None,
        cancel: CancelToken | None = None,
        tell: Callable[[str], None] = lambda _: None,
    ) -> LoraScorer:
        """Train both adapters on the plain ladders of these decks, the explanations first, and return this scorer.

        Args:
            decks: to make worse.
            rungs: use these instead.
            cancel: looked at between batches.
            tell: told the mean loss of each epoch.

        Raises:
            BadInput: if no deck can be made worse this way.
            Cancelled: if it was stopped.
        """
        found = list(rungs) if rungs is not None else [
            rung for deck in decks for rung in ladder(deck, self.metric, seed=self.settings.seed)
        ]  # fmt: skip
        if not found:
            raise BadInput(f"No deck can be made worse for {self.metric.value}.", next_step="Give other decks.")
        torch, _, _ = libraries()
        self._epochs(EXPLAIN, found, self._explanation_loss, cancel, tell)
        self._said.clear()

        def score_loss(batch: Sequence[Sample]) -> Any:
            wanted = torch.tensor([rung.target for rung in batch], device=self._device)
            return torch.nn.functional.mse_loss(self._scores([rung.deck for rung in batch]), wanted)

        for rung in found:
            # The score reads what the first adapter writes, not the gold: so it will be for decks to come.
            self.explain(rung.deck)
        self._epochs(SCORE, found, score_loss, cancel, tell)
        return self

    def save(self, folder: Path) -> None:
        """Write adapters, head and settings; the base model is named, not copied."""
        from safetensors.torch import save_file

        self._model.save_pretrained(str(folder), selected_adapters=[EXPLAIN, SCORE])
        save_file({name: value.contiguous() for name, value in self._head.state_dict().items()}, folder / _HEAD)
        about = {"metric": self.metric.value, "base": str(self.base), "settings": asdict(self.settings)}
        (folder / _ABOUT).write_text(json.dumps(about, indent=2) + "\n", "utf-8")

    @classmethod
    def load(cls, folder: Path, base: Path | None = None) -> LoraScorer:
        """Return a scorer that `save` wrote; weights are read as plain arrays.

        Args:
            folder: what was saved.
            base: where the base model lies now, if not where it was.

        Raises:
            BadInput: if the folder holds no such scorer.
        """
        libraries()
        from safetensors.torch import load_file

        try:
            about = json.loads((folder / _ABOUT).read_text("utf-8"))
            made = cls(base or Path(about["base"]), ContentMetric(about["metric"]), LoraSettings(**about["settings"]))
            for name in (EXPLAIN, SCORE):
                made._model.load_adapter(str(folder / name), adapter_name=f"{name}-stored")
                made._copy(f"{name}-stored", name)
            made._head.load_state_dict(load_file(folder / _HEAD))
        except (OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise BadInput(f"{folder.name} holds no fine-tuned scorer: {error}.", next_step="Train one.") from error
        return made

    def _copy(self, source: str, target: str) -> None:
        torch, _, peft = libraries()
        with torch.no_grad():
            state = peft.get_peft_model_state_dict(self._model, adapter_name=source)
            peft.set_peft_model_state_dict(self._model, state, adapter_name=target)
        self._model.delete_adapter(source)

    def _use(self, adapter: str, *, is_training: bool) -> None:
        self._model.set_adapter(adapter)
        self._model.train(is_training)

    def _prompt(self, deck: DeckObject) -> list[int]:
        ids = self._tokenizer(serialised(deck, self.metric)).input_ids
        return list(ids[: self.settings.most_tokens])

    def _explanation_loss(self, batch: Sequence[Sample]) -> Any:
        """Return the mean cross-entropy of the tokens of the gold explanations."""
        torch, _, _ = libraries()
        rows = []
        for rung in batch:
            gold = self._tokenizer(" " + gold_explanation(rung, self.metric), add_special_tokens=False).input_ids
            end = [self._tokenizer.eos_token_id] if self._tokenizer.eos_token_id is not None else []
            rows.append((self._prompt(rung.deck), [*gold[: self.settings.new_tokens], *end]))
        ids, mask, labels = self._padded(rows)
        return self._model(input_ids=ids, attention_mask=mask, labels=torch.where(labels, ids, -100)).loss

    def _scores(self, decks: Sequence[DeckObject]) -> Any:
        """Return scores of 0 to 1 from the last hidden state behind deck and explanation."""
        torch, _, _ = libraries()
        rows = []
        for deck in decks:
            said = self._tokenizer(f" {self.explain(deck)} Score:", add_special_tokens=False).input_ids
            rows.append((self._prompt(deck), list(said)))
        is_training = self._model.training
        self._use(SCORE, is_training=is_training)
        ids, mask, _ = self._padded(rows)
        hidden = self._model(input_ids=ids, attention_mask=mask, output_hidden_states=True).hidden_states[-1]
        last = mask.sum(dim=1) - 1
        return torch.sigmoid(self._head(hidden[torch.arange(len(rows)), last]).squeeze(-1))

    def _padded(self, rows: Sequence[tuple[list[int], list[int]]]) -> tuple[Any, Any, Any]:
        """Return token ids, which of them count, and which belong to the second part, padded at the right."""
        torch, _, _ = libraries()
        width = max(len(one) + len(two) for one, two in rows)
        ids = torch.full((len(rows), width), self._tokenizer.pad_token_id, dtype=torch.long)
        mask, second = torch.zeros_like(ids), torch.zeros_like(ids, dtype=torch.bool)
        for at, (one, two) in enumerate(rows):
            n = len(one) + len(two)
            ids[at, :n] = torch.tensor([*one, *two])
            mask[at, :n] = 1
            second[at, len(one) : n] = True
        return ids.to(self._device), mask.to(self._device), second.to(self._device)

    def _epochs(
        self, adapter: str, rungs: Sequence[Sample], loss_of: Callable[[Sequence[Sample]], Any],
        cancel: CancelToken | None, tell: Callable[[str], None],
    ) -> None:  # fmt: skip
        torch, _, _ = libraries()
        self._use(adapter, is_training=True)
        weights = [each for each in self._model.parameters() if each.requires_grad]
        weights += list(self._head.parameters()) if adapter == SCORE else []
        optimiser = torch.optim.AdamW(
            weights, lr=self.settings.learning_rate, weight_decay=self.settings.weight_decay
        )  # fmt: skip
        rng = random.Random(f"{adapter}/{self.settings.seed}")
        for epoch in range(1, self.settings.epochs + 1):
            order = list(rungs)
            rng.shuffle(order)
            losses = []
            for at in range(0, len(order), self.settings.batch):
                if cancel is not None and cancel.is_set():
                    raise Cancelled("The fine-tuning was stopped.")
                self._use(adapter, is_training=True)
                loss = loss_of(order[at : at + self.settings.batch])
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
                losses.append(float(loss.detach()))
            tell(f"{self.metric.value}, {adapter}, epoch {epoch}: mean loss {np.mean(losses):.4f}")


def gold_explanation(rung: Sample, metric: ContentMetric) -> str:
    """Return the explanation that a rung asks for, in the wording of the comparison by ROUGE."""
    names = item_names(rung.deck, metric)
    return template(metric, [name for name, mark in zip(names, rung.marks, strict=True) if mark])
