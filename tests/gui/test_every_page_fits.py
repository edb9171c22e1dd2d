"""Every page at the sizes that windows have: its name is whole, no control is cut, none lies on another."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QComboBox, QPushButton, QWidget

from studio.gui.background import Background
from studio.gui.main_window import MainWindow
from studio.gui.page_list import RAIL, page_classes
from studio.gui.projects import studio_services
from studio.gui.widgets.keycap import CAP_GAP, KeyCapButton, cap_size, key_caps_are_shown
from studio.gui.widgets.page_head import PageHead
from studio.gui.widgets.states import LoadingState
from tests.gui.evidence import add_ranking, add_run, add_scores
from tests.gui.projects import add_deck, add_instance, add_source, make_project

SIZES = ((1024, 700), (1280, 800), (1440, 900))
TITLES = {
    "storage": "Computer storage, chapter 1: how long a request waits for its disk",
    "ports": "港口的一天（科普）",
}
SYSTEMS = ("A system with a very long name (invented)", "短名", "beta")
SIDES_PX = 6
"""Between a button's border and its words at the least."""


@pytest.fixture
def study(tmp_path):
    """Long and Chinese names, rankings, scores and runs: every page has something to show."""
    folder = tmp_path / "study"
    project = make_project(folder, instances=0)
    for name, title in TITLES.items():
        instance = add_instance(project, name, title=title, scenario="lecture for a general audience")
        add_source(
            project, instance.id, f"{name}, the whole report as it was handed in.md", "# One\n\nThe wait fell.\n"
        )
        for system in SYSTEMS:
            add_deck(project, instance.id, system, slides=3)
        for person in ("ada", "bo"):
            add_ranking(project, person, name, SYSTEMS, is_sample=True)
        add_scores(project, "aesthetics.total", name, dict(zip(SYSTEMS, (9.0, 8.0, 7.0), strict=True)))
        add_scores(project, "aesthetics.harmony", name, dict(zip(SYSTEMS, (7.0, 8.0, 9.0), strict=True)))
    add_run(project, "r1", title="Aesthetics with everything switched on · benchmark")
    project.close()
    return folder


@pytest.fixture
def window(qtbot, app_theme, settings, study):
    settings.update({"profile_name": "Rae", "profile_role": "engineer"})
    made = MainWindow(
        settings=settings, theme=app_theme, background=Background(), services=studio_services(),
        page_classes=page_classes(),
    )  # fmt: skip
    qtbot.addWidget(made)
    made.show()
    with qtbot.waitSignal(made.project_opened):
        made.open_folder(study)
    yield made
    made.close()


def loads(page: QWidget) -> bool:
    return any(each.isVisible() for each in page.findChildren(LoadingState))


def scrolls(widget: QWidget, page: QWidget) -> bool:
    """Return whether a widget stands in something that scrolls, where being cut is no loss."""
    parent = widget.parentWidget()
    while parent is not None and parent is not page:
        if isinstance(parent, QAbstractScrollArea):
            return True
        parent = parent.parentWidget()
    return False


def needed_px(button: QPushButton) -> int:
    """Return the width that a button's words, icon and key cap take."""
    width = button.fontMetrics().horizontalAdvance(button.text().replace("&&", "&"))
    if not button.icon().isNull():
        width += button.iconSize().width() + (6 if button.text() else 0)
    if isinstance(button, KeyCapButton) and button.key() and key_caps_are_shown():
        width += CAP_GAP + cap_size(button.key()).width()
    return width


def faults(page: QWidget) -> list[str]:
    found = []
    for head in page.findChildren(PageHead):
        label = head.title_label
        if label.isVisible() and label.shown_text() != label.full_text():
            found.append(f"the title is cut: {label.shown_text()}")
    controls = [each for each in page.findChildren(QWidget) if isinstance(each, QPushButton | QComboBox)]
    shown = [each for each in controls if each.isVisible() and not scrolls(each, page)]
    for each in shown:
        words = each.text() if isinstance(each, QPushButton) else each.currentText()
        if isinstance(each, QPushButton) and each.width() < needed_px(each) + SIDES_PX:
            found.append(f"cut: {words or each.accessibleName()}, {each.width()} of {needed_px(each) + SIDES_PX} px")
        if each.visibleRegion().boundingRect().size() != each.size():
            found.append(f"not wholly in sight: {words or each.accessibleName()}")
        for other in shown:
            is_pair = other.parentWidget() is each.parentWidget() and controls.index(other) > controls.index(each)
            if is_pair and other.geometry().intersects(each.geometry()):
                found.append(f"one on the other: {words}, {other.accessibleName()}")
    return found


@pytest.mark.parametrize("page_id", RAIL)
def test_that_nothing_is_cut_or_covered_at_the_sizes_that_windows_have(qtbot, window, page_id):
    window.navigate(page_id)
    page = window.page(page_id)
    for size in SIZES:
        window.resize(*size)
        qtbot.waitUntil(lambda: not loads(page))
        QApplication.processEvents()
        assert (window.width(), window.height()) == size
        assert (size, faults(page)) == (size, [])
