"""Summaries: sentences of the section itself, in its order, and no section left out."""

from __future__ import annotations

from studio.model.reflex import DocumentObject, Section
from studio.perturb.summaries import summary_of, whole_summary, with_summaries

TEXT = (
    "Bees make honey in the hive. The queen lays eggs in the hive. Someone once saw a cloud. "
    "Honey of bees keeps the hive alive. Bees of the hive dance."
)


def test_that_a_summary_holds_sentences_of_the_text_in_its_order():
    found = summary_of(TEXT)
    places = [TEXT.index(each.strip().rstrip(".")) for each in found.split(". ")]
    assert places == sorted(places)
    assert len(places) == 3
    # It shares no word with the others.
    assert "cloud" not in found


def test_that_a_short_text_is_its_own_summary():
    assert summary_of("One. Two.") == "One. Two."
    assert summary_of("") == ""


def test_that_chinese_sentences_are_told_apart():
    assert len(summary_of("蜜蜂采蜜。蜂王产卵。花开了。冬天来了。").split("。")) == 4


def test_that_no_section_is_left_out_and_the_order_is_that_of_the_headings():
    document = DocumentObject(
        title="Bees",
        sections=(
            Section(title="Hive", text=TEXT, level=1), Section(title="Queen", text="She lays eggs.", level=2),
            Section(title="Honey", text="Sweet.", level=1, summary="Given by a model."),
        ),
    )  # fmt: skip
    told = whole_summary(document)
    assert [line for line in told.splitlines() if line.startswith("#")] == ["# Hive", "## Queen", "# Honey"]
    assert "Given by a model." in told
    assert all(section.summary for section in with_summaries(document).sections)
