from __future__ import annotations

from studio.decks.slide_pages import slide_pages

_TEXTS = ["harvest in the valley", "storage of the apples", "prices on the market", "outlook for next year"]


def test_that_a_hidden_slide_shifts_no_page():
    found = slide_pages([False, True, False, False], _TEXTS, [_TEXTS[0], _TEXTS[2], _TEXTS[3]])
    assert found.pages == (1, None, 2, 3)
    assert found.warnings == ()


def test_that_swapped_pages_are_doubted_by_their_text():
    found = slide_pages([False] * 4, _TEXTS, [_TEXTS[0], _TEXTS[2], _TEXTS[1], _TEXTS[3]])
    assert [warning.slide for warning in found.warnings] == [2, 3]


def test_that_text_decides_where_a_page_is_missing():
    found = slide_pages([False] * 4, _TEXTS, [_TEXTS[0], _TEXTS[2], _TEXTS[3]])
    assert found.pages == (1, None, 2, 3)
    assert any(warning.slide == 2 for warning in found.warnings)


def test_that_an_extra_page_is_left_out():
    found = slide_pages([False] * 2, _TEXTS[:2], [_TEXTS[0], "an invented page", _TEXTS[1]])
    assert found.pages == (1, 3)


def test_that_pictures_without_text_follow_the_order():
    found = slide_pages([False, False, True], ["", "", ""], ["", ""])
    assert found.pages == (1, 2, None)
    assert found.warnings == ()


def test_that_text_of_chinese_slides_is_compared_without_spaces():
    texts = ["二零二五年度财务报告总结与展望", "主要产品市场份额分析与竞争对手比较"]
    found = slide_pages([False, False], texts, [texts[1], texts[0]])
    assert [warning.slide for warning in found.warnings] == [1, 2]
