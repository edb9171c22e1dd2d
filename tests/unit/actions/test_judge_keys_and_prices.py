"""Keys of judges, and the prices that the user can change."""

from __future__ import annotations

from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError

from studio.actions import judge_keys, judge_price, price_table, run_costs
from studio.errors import BadInput, StudioError
from studio.judges.connect import read_setup
from studio.judges.keys import KeySource
from studio.judges.pricing import Price
from tests.projects import make_project
from tests.unit.judges.talks import Talk

SECRET = "sk-never-to-be-seen"


class Memory(KeyringBackend):
    """A keyring that forgets everything with the test."""

    priority = 1  # type: ignore[assignment]  # the library makes it a property of the class

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError("none")


class PlaintextKeyring(Memory):
    """Named like the one that writes keys into a readable file."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PODIUM_HOME", str(tmp_path / "home"))
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "home"


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> Memory:
    made = Memory()
    monkeypatch.setattr(keyring, "get_keyring", lambda: made)
    for name in ("get_password", "set_password", "delete_password"):
        monkeypatch.setattr(keyring, name, getattr(made, name))
    return made


def state(provider: str) -> judge_keys.KeyState:
    return next(each for each in judge_keys.key_states() if each.provider == provider)


def test_that_a_key_is_kept_found_and_forgotten(ring: Memory) -> None:
    assert not state("openai").is_present
    kept = judge_keys.keep_key("openai", f" {SECRET}\n")
    assert (kept.source, state("openai").source) == (KeySource.KEYRING, KeySource.KEYRING)
    assert list(ring.kept.values()) == [SECRET]
    found = judge_keys.key_for(read_setup("openai:m"))
    assert found.key.reveal() == SECRET
    assert SECRET not in f"{found} {found!r} {kept} {judge_keys.key_states()}"
    assert judge_keys.forget_key("openai") is True
    assert judge_keys.forget_key("openai") is False
    assert not state("openai").is_present


def test_that_the_environment_counts_before_the_keyring(ring: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    judge_keys.keep_key("gemini", "from-the-ring")
    monkeypatch.setenv("GEMINI_API_KEY", SECRET)
    assert state("gemini").source is KeySource.ENVIRONMENT
    assert judge_keys.key_for(read_setup("gemini:g")).key.reveal() == SECRET


def test_that_a_keyring_that_writes_keys_down_is_refused_and_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = PlaintextKeyring()
    monkeypatch.setattr(keyring, "get_keyring", lambda: plain)
    monkeypatch.setattr(keyring, "get_password", lambda service, name: SECRET)
    with pytest.raises(StudioError, match="writes keys into a file"):
        judge_keys.keep_key("openai", SECRET)
    assert plain.kept == {}
    assert "writes keys into a file" in state("openai").warning


@pytest.mark.parametrize(("provider", "value"), [("code", "x"), ("openai", "  ")])
def test_that_there_must_be_a_provider_with_keys_and_a_key(ring: Memory, provider: str, value: str) -> None:
    with pytest.raises(BadInput, match="no key to keep"):
        judge_keys.keep_key(provider, value)


def price(name: str) -> Price | None:
    return judge_price.price_of(read_setup(f"openai:{name}"))


def test_that_a_price_of_the_users_own_counts_and_leaves_the_rest_of_the_file(home: Path) -> None:
    own = home / "config" / "prices.toml"
    own.parent.mkdir(parents=True)
    own.write_text('# mine, do not lose\n[models."other"]\ninput = 1.0\noutput = 2.0  # checked\n', encoding="utf-8")
    assert price("my-model") is None
    price_table.set_price("my-model", Price(input=0.5, output=2.0, cached_input=0.1, as_of="2026-11-01"))
    found = price("my-model")
    assert found is not None
    assert (found.input, found.output, found.cached_input, found.as_of) == (0.5, 2.0, 0.1, "2026-11-01")
    text = own.read_text(encoding="utf-8")
    assert "# mine, do not lose" in text
    assert "# checked" in text
    assert price("other") is not None


def test_that_removing_the_users_price_brings_the_shipped_one_back() -> None:
    shipped = price("gpt-4o")
    assert shipped is not None
    price_table.set_price("gpt-4o", Price(input=99.0, output=99.0, cached_input=99.0, as_of=""))
    row = next(each for each in price_table.price_rows() if each.model == "gpt-4o")
    assert (row.price.input, row.is_own, row.is_shipped) == (99.0, True, True)
    assert price_table.remove_price("gpt-4o") is True
    assert price("gpt-4o") == shipped
    assert price_table.remove_price("gpt-4o") is False


@pytest.mark.parametrize("wrong", [-1.0, float("inf"), float("nan")])
def test_that_a_price_is_a_number_from_0(wrong: float) -> None:
    with pytest.raises(BadInput, match="Input cannot cost"):
        price_table.set_price("m", Price(input=wrong, output=1.0, cached_input=1.0, as_of=""))
    with pytest.raises(BadInput, match="name of a model"):
        price_table.set_price("  ", Price(input=1.0, output=1.0, cached_input=1.0, as_of=""))


def test_that_a_file_that_cannot_be_read_is_not_written_over(home: Path) -> None:
    own = home / "config" / "prices.toml"
    own.parent.mkdir(parents=True)
    own.write_text("[models", encoding="utf-8")
    with pytest.raises(BadInput, match="cannot be read"):
        price_table.set_price("m", Price(input=1.0, output=1.0, cached_input=1.0, as_of=""))
    assert own.read_text(encoding="utf-8") == "[models"


def test_that_an_estimate_counts_words_and_the_likely_reply(tmp_path: Path) -> None:
    price_table.set_price("m", Price(input=1000.0, output=2000.0, cached_input=0.0, as_of=""))
    project = make_project(tmp_path / "study", instances=1, systems=("Aster",))
    from studio.store import decks as deck_store

    (deck,) = deck_store.list_decks(project)
    # 40 letters are 10 tokens, four Chinese signs are 4; a reply is taken to be 700 tokens.
    talks = [Talk(deck_id=deck.id, instance_id=deck.instance_id, words="x" * 40 + "四个汉字")]
    found = judge_price.estimate(project, read_setup("openai:m"), talks)
    assert (found.calls, found.input_tokens, found.output_tokens) == (1, 14, 700)
    assert found.cost == pytest.approx(14 * 0.001 + 700 * 0.002)
    second = judge_price.estimate(project, read_setup("openai:m"), talks, stages=2)
    # The second stage sends the reply before and about 300 tokens of instructions.
    assert (second.calls, second.input_tokens, second.output_tokens) == (2, 14 + 700 + 300, 1400)
    project.close()


@pytest.mark.parametrize(
    ("usd", "tokens", "said"), [(0.0, None, "above 0"), (None, -5, "above 0"), (1.0, None, "price of m is not known")]
)
def test_that_a_budget_that_cannot_be_kept_is_refused(usd: float | None, tokens: int | None, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        judge_price.checked_budget(read_setup("openai:m"), usd=usd, tokens=tokens)


def test_that_costs_are_written_for_people() -> None:
    paid = Price(input=1.0, output=1.0, cached_input=1.0, as_of="")
    free = Price(input=0.0, output=0.0, cached_input=0.0, as_of="")
    words = [run_costs.in_dollars(usd, paid) for usd in (0.0, 0.0042, 0.05, 1234.5)]
    assert words == ["$0.00", "$0.0042", "$0.05", "$1,234.50"]
    assert (run_costs.in_dollars(0.0, free), run_costs.in_dollars(0.0, None)) == ("free", "?")


def test_that_no_shipped_price_claims_to_be_checked() -> None:
    shipped = [row for row in price_table.price_rows() if row.is_shipped and not row.is_own]
    assert shipped
    for row in shipped:
        assert (row.price.as_of, row.price.entered) == ("", "2026-11-30")
        assert "entered by hand on 2026-11-30: check it with your provider" in row.price.origin


def test_that_a_price_of_the_users_own_says_when_it_was_seen_and_entered() -> None:
    price_table.set_price("m", Price(input=1.0, output=1.0, cached_input=1.0, as_of="2026-11-01", entered="2026-12-02"))
    found = price("m")
    assert found is not None
    assert found.origin == "price entered by hand on 2026-12-02, seen so on 2026-11-01: check it with your provider"
