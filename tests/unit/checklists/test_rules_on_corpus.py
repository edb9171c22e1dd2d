import json

import pytest

from studio.checklists.rules import RULES, judge_by_code
from studio.decks.evidence import read_evidence
from studio.decks.sniff import sniff
from studio.errors import DeckUnreadable
from studio.model.checklists import ItemAnswer, RuleCall
from tests.shared_files import shared

SAMPLE = (
    "pptx/docling__powerpoint_malformed_pictures.pptx", "pptx/openxmlsdk__linkedpicture.pptx",
    "pptx/openxmlsdk__Table_Large.pptx", "pptx/pptagent__build_effective_agents.pptx",
    "pptx/pptx-automizer__ChartWaterfall.pptx", "pptx/pptx-automizer__ChartWithExternalData.pptx",
    "pptx/pptx-automizer__SVGImages.pptx", "pptx/pptx-glimpse__real-financial-report.pptx",
    "pptx/python-pptx__no-slides.pptx", "pptx/python-pptx__shp-groupshape.pptx", "pptx/tika__testPPT_various2.pptx",
    "bad/derived__missing_slide_part.pptx", "bad/derived__null_rel.pptx", "bad/derived__pdf_huge_page.pdf",
    "pdf/docling__right_to_left_01.pdf", "pdf/markitdown__MEDRPT-2024-PAT-3847_medical_report_scan.pdf",
    "pdf/pdfjs__rotation.pdf", "pdf/pdfjs__xref_command_missing.pdf", "pdf/unstructured__rotated-page-90.pdf",
    "html/derived__impress_classic_static.html", "html/derived__reveal_demo_static.html",
)  # fmt: skip


@pytest.mark.parametrize("name", SAMPLE)
def test_that_no_rule_fails_on_a_deck_and_each_says_the_same_twice(name):
    path = shared(f"corpus/{name}")
    found = sniff(path).deck_format
    assert found is not None
    try:
        evidence, again = (read_evidence(path, format=found) for _ in range(2))
    except DeckUnreadable:
        pytest.skip("this file cannot be read, which its own tests look at")
    assert evidence == again
    for rule in RULES:
        first, second = (judge_by_code(each, RuleCall(rule=rule)) for each in (evidence, again))
        assert first == second
        assert first.answer in {*ItemAnswer, None}
        assert first.reason.endswith(".")
        assert "\n" not in first.reason
        numbers = {slide.number for slide in evidence.visible}
        for box in first.boxes:
            assert box.slide in numbers
            assert 0 <= box.x0 < box.x1 <= 1
            assert 0 <= box.y0 < box.y1 <= 1


def test_that_the_slide_count_is_that_of_the_manifest():
    manifest = json.loads(shared("corpus/manifest.json").read_text("utf-8"))
    entries = {entry["file"]: entry["facts"] for entry in manifest["files"]}
    looked_at = 0
    for name in SAMPLE:
        facts = entries.get(name, {})
        if "slides_declared" not in facts or not name.startswith("pptx/"):
            continue
        path = shared(f"corpus/{name}")
        evidence = read_evidence(path, format=sniff(path).deck_format)
        visible = facts["slides_declared"] - facts.get("n_slides_hidden", 0)
        call = RuleCall(rule="slide_count", parameters={"min_count": visible, "max_count": visible})
        assert judge_by_code(evidence, call).answer is ItemAnswer.YES
        looked_at += 1
    assert looked_at >= 8
