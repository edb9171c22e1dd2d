from __future__ import annotations

import pytest
from PIL import Image

from studio.decks.layouts import plan_import
from studio.errors import BadInput
from studio.model.decks import DeckFormat, SourceFormat
from tests.shared_files import shared
from tests.unit.decks.decks_made_here import pdf_bytes, write_deck


def _png(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (16, 9)).save(path)


def _pdf(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pdf_bytes([(720, 405, "a")]))


def _instance(folder):
    (folder / "sources").mkdir(parents=True)
    (folder / "sources" / "report.md").write_text("# Report")
    _pdf(folder / "sources" / "more" / "annex.pdf")
    (folder / "sources" / ".DS_Store").write_bytes(b"x")
    (folder / "instruction.md").write_text("# Sea ports of the north\n\nMake ten slides.")
    (folder / "decks").mkdir()
    write_deck(folder / "decks" / "Alpha.pptx", ["a"])
    _pdf(folder / "decks" / "Beta.pdf")
    (folder / "decks" / "~$Alpha.pptx").write_bytes(b"lock")
    (folder / "decks" / "Thumbs.db").write_bytes(b"x")
    _png(folder / "decks" / "Gamma" / "slide_0001.png")
    (folder / "decks" / "Delta").mkdir()
    (folder / "decks" / "Delta" / "index.html").write_text("<html></html>")
    _png(folder / "decks" / "Delta" / "img" / "a.png")


def _decks(instance):
    return {deck.system: deck.format for deck in instance.decks}


_EXPECTED = {
    "Alpha": DeckFormat.PPTX,
    "Beta": DeckFormat.PDF,
    "Gamma": DeckFormat.IMAGES,
    "Delta": DeckFormat.HTML,
}


@pytest.mark.parametrize("given", ["one", "parent"])
def test_that_an_instance_folder_and_its_parent_plan_alike(tmp_path, given):
    folder = tmp_path / "study" / "sea_ports"
    _instance(folder)
    plan = plan_import([folder if given == "one" else folder.parent])
    assert plan.failures == ()
    (instance,) = plan.instances
    assert (instance.name, instance.title) == ("sea_ports", "Sea ports of the north")
    assert instance.instruction == folder / "instruction.md"
    assert [(source.name, source.format) for source in instance.sources] == [
        ("more/annex.pdf", SourceFormat.PDF),
        ("report.md", SourceFormat.MARKDOWN),
    ]
    assert _decks(instance) == _EXPECTED


def test_that_two_decks_of_one_stem_are_both_kept(tmp_path):
    folder = tmp_path / "loose"
    folder.mkdir()
    write_deck(folder / "a.pptx", ["a"])
    _pdf(folder / "a.pdf")
    _pdf(folder / "a.pptx.pdf")
    (instance,) = plan_import([folder]).instances
    systems = [deck.system for deck in instance.decks]
    assert len(set(systems)) == 3
    assert {"a.pdf", "a.pptx"} <= set(systems) | {"a.pptx (2)"}
    assert {deck.path.name for deck in instance.decks} == {"a.pptx", "a.pdf", "a.pptx.pdf"}


def test_that_loose_files_are_one_instance_of_their_folder(tmp_path):
    write_deck(tmp_path / "x.pptx", ["a"])
    _pdf(tmp_path / "y.pdf")
    (instance,) = plan_import([tmp_path / "x.pptx", tmp_path / "y.pdf", tmp_path / "x.pptx"]).instances
    assert instance.name == tmp_path.name
    assert _decks(instance) == {"x": DeckFormat.PPTX, "y": DeckFormat.PDF}


def test_that_bad_files_become_failed_decks_or_failures_and_stop_nothing(tmp_path):
    write_deck(tmp_path / "good.pptx", ["a"])
    (tmp_path / "empty.pptx").write_bytes(b"")
    _png(tmp_path / "picture.png")
    (tmp_path / "picture.png").rename(tmp_path / "picture.pptx")
    (tmp_path / "program.bin").write_bytes(b"\x7fELF\x00\x01\x02\x03")
    plan = plan_import([tmp_path, tmp_path / "gone.pptx"])
    (instance,) = plan.instances
    failures = {deck.system: deck.failure.kind for deck in instance.decks if deck.failure is not None}
    assert failures == {"empty": "empty", "picture": "not_a_deck"}
    assert {(failure.path.name, failure.kind) for failure in plan.failures} == {
        ("gone.pptx", "not_found"),
        ("program.bin", "not_a_deck"),
    }


def test_that_loops_of_links_end(tmp_path):
    folder = tmp_path / "study" / "one"
    _instance(folder)
    (folder / "decks" / "loop").symlink_to(tmp_path / "study")
    (folder / "sources" / "loop").symlink_to(folder / "sources")
    (tmp_path / "study" / "loop").symlink_to(tmp_path / "study")
    (instance,) = plan_import([tmp_path / "study"]).instances
    assert _decks(instance) == _EXPECTED


def test_that_slides_align_gives_one_instance_per_topic_with_products_as_systems(tmp_path):
    for product in ("Gamma", "Quake"):
        _png(tmp_path / product / "topic_introduction" / "Tea" / "slide_images" / "slide_0001.png")
    write_deck(tmp_path / "Gamma" / "topic_introduction" / "Tea" / "tea.pptx", ["a"])
    _png(tmp_path / "Quake" / "work_report" / "Tea" / "slide_images" / "slide_0001.png")
    plan = plan_import([tmp_path])
    assert plan.failures == ()
    assert [(instance.name, instance.scenario, _decks(instance)) for instance in plan.instances] == [
        (
            "topic_introduction-Tea",
            "topic_introduction",
            {"Gamma": DeckFormat.PPTX, "Quake": DeckFormat.IMAGES},
        ),
        ("work_report-Tea", "work_report", {"Quake": DeckFormat.IMAGES}),
    ]


def _case(root):
    case = root / "academia" / "ICLR_2024" / "paper_1"
    (case / "generation_task").mkdir(parents=True)
    (case / "generation_task" / "instructions.md").write_text("Make slides.")
    (case / "generation_task" / "judge_prompt.json").write_text("{}")
    (case / "material.md").write_text("# M")
    _pdf(case / "material.pdf")
    _pdf(case / "material_1.pdf")
    _pdf(case / "material_3.pdf")


def test_that_presentbench_joins_cases_with_what_agents_made_of_them(tmp_path):
    _case(tmp_path / "data")
    results = tmp_path / "results"
    _pdf(results / "AgentA" / "academia" / "ICLR_2024" / "paper_1" / "generation_task" / "results" / "slides.pdf")
    failed = results / "AgentB" / "academia" / "ICLR_2024" / "paper_1" / "generation_task" / "results"
    failed.mkdir(parents=True)
    (failed / "slides_generation_failed.txt").write_text("")
    plan = plan_import([tmp_path / "data", results])
    (instance,) = plan.instances
    assert (instance.name, instance.domain, instance.scenario) == ("paper_1", "academia", "ICLR_2024")
    # material.md wins over material.pdf; material_3 stands after a gap.
    assert [source.name for source in instance.sources] == ["material.md", "material_1.pdf"]
    assert [(deck.system, deck.failure is not None) for deck in instance.decks] == [
        ("AgentA", False),
        ("AgentB", True),
    ]
    assert [failure.path.name for failure in plan.failures] == ["material_3.pdf"]
    assert plan_import([tmp_path]).instances == plan.instances


def test_that_an_unknown_layout_is_refused(tmp_path):
    with pytest.raises(BadInput, match="folders"):
        plan_import([tmp_path], "tree")


@pytest.mark.corpus
def test_that_the_shared_decks_plan_as_one_instance_of_43():
    plan = plan_import([shared("corpus/pptx")])
    assert plan.failures == ()
    (instance,) = plan.instances
    assert len(instance.decks) == len({deck.system for deck in instance.decks}) == 43


@pytest.mark.parametrize(("name", "format"), [("page.html", SourceFormat.HTML), ("photo.png", SourceFormat.IMAGE)])
def test_that_a_single_web_page_or_picture_is_still_a_source(tmp_path, name, format):
    instance = tmp_path / "product"
    _png(instance / "sources" / "photo.png")
    if name.endswith("html"):
        (instance / "sources" / "photo.png").unlink()
        (instance / "sources" / name).write_text("<!doctype html><title>A product</title><p>Ten hours of battery.</p>")
    _pdf(instance / "decks" / "Beta.pdf")
    plan = plan_import([instance], "folders")
    assert [(source.name, source.format) for source in plan.instances[0].sources] == [(name, format)]
    assert [deck.system for deck in plan.instances[0].decks] == ["Beta"]


def test_that_an_instance_whose_only_deck_is_a_web_page_has_that_deck(tmp_path):
    instance = tmp_path / "product"
    (instance / "sources").mkdir(parents=True)
    (instance / "sources" / "report.md").write_text("# Report")
    (instance / "decks").mkdir()
    (instance / "decks" / "Web.html").write_text("<!doctype html><section>One</section><section>Two</section>")
    plan = plan_import([instance], "folders")
    assert [(deck.system, deck.format) for deck in plan.instances[0].decks] == [("Web", DeckFormat.HTML)]
