"""A pack in the window is an annotator's, whatever the settings say."""

import json

from studio.actions import checklists, packs
from studio.gui.background import Background
from studio.gui.main_window import MainWindow
from studio.gui.page_list import BLIND_PAGES
from studio.gui.pages.checklist import ChecklistPage
from studio.gui.pages.compare import ComparePage
from studio.gui.pages.rank import RankPage
from studio.gui.projects import studio_services
from studio.model.authoring import EVERYWHERE
from studio.model.checklists import Dimension, ItemAnswer
from tests.gui.fake_project import fake_pages
from tests.pack_stories import draw_pages
from tests.projects import make_project


def test_that_a_pack_opens_blind_and_its_answers_can_be_written(qtbot, app_theme, settings, tmp_path):
    origin = make_project(tmp_path / "origin", instances=1)
    draw_pages(origin)
    packs.create_pack(origin, tmp_path / "ann.pack", annotator="Ann")
    origin.close()
    settings.set("profile_role", "author")
    window = MainWindow(
        settings=settings, theme=app_theme, background=Background(), services=studio_services(),
        page_classes=fake_pages(),
    )  # fmt: skip
    qtbot.addWidget(window)
    window.show()
    with qtbot.waitSignal(window.project_opened):
        window.files.open_pack(tmp_path / "ann.pack")
    assert window.context.is_blind
    assert set(window.rail.page_ids()) == BLIND_PAGES
    assert window.shortcuts.is_available("file.send_answers")
    for action in ("file.merge_answers", "file.export", "file.save_copy", "help.log"):
        assert not window.shortcuts.is_available(action)
    out = tmp_path / "ann.answers.jsonl"
    window.files.send_answers(out)
    qtbot.waitUntil(lambda: out.is_file() and not window.background.busy)
    assert out.read_text(encoding="utf-8").startswith('{"annotator":')
    window.close()


def test_that_a_pack_of_checklists_opens_where_they_are_answered(qtbot, app_theme, settings, tmp_path):
    origin = make_project(tmp_path / "origin", instances=1)
    draw_pages(origin)
    checklists.add_item(origin, EVERYWHERE, Dimension.DESIGN, "文字清楚吗?", author="author")
    packs.create_pack(origin, tmp_path / "ann.pack", annotator="Ann", study="All checklists")
    origin.close()
    window = MainWindow(
        settings=settings, theme=app_theme, background=Background(), services=studio_services(),
        page_classes=[ComparePage, RankPage, ChecklistPage],
    )  # fmt: skip
    qtbot.addWidget(window)
    window.show()
    with qtbot.waitSignal(window.project_opened):
        window.files.open_pack(tmp_path / "ann.pack")
    page = window.page("checklist")
    qtbot.waitUntil(lambda: bool(page.place()))
    assert page.isVisible()
    page.say(ItemAnswer.YES)
    page.submit()
    out = tmp_path / "ann.answers.jsonl"
    window.files.send_answers(out)
    qtbot.waitUntil(lambda: out.is_file() and not window.background.busy)
    # The header, the answer, the deck's decision.
    kinds = [json.loads(line).get("kind") for line in out.read_text(encoding="utf-8").splitlines()]
    assert kinds[:3] == [None, "checklist", "checklist"]
    window.close()
