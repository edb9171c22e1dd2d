from __future__ import annotations

import pytest

from studio.gui.widgets.plot import PNG_WIDTH_PX, Plot
from studio.settings import ThemeChoice


@pytest.fixture
def plot(qtbot, app_theme):
    made = Plot(x_label="mean human rank (1 is best)", y_label="score")
    qtbot.addWidget(made)
    made.resize(400, 300)
    made.plotItem.plot([1, 2, 3], [0.9, 0.5, 0.1])
    made.show()
    return made


def test_that_a_plot_takes_the_colours_of_the_theme(plot, app_theme):
    app_theme.choose(ThemeChoice.DARK)
    assert plot.backgroundBrush().color().name() == app_theme.css("surface")
    assert plot.plotItem.getAxis("left").textPen().color().name() == app_theme.css("text_muted")


def test_that_the_numbers_behind_a_plot_come_out_with_gaps_for_undefined_ones(plot):
    plot.set_table(["deck", "ρ"], [["A, B", 0.5], ["模型", None]])
    assert plot.csv() == 'deck,ρ\r\n"A, B",0.5\r\n模型,\r\n'


def test_that_a_plot_comes_out_as_png_and_svg(plot, tmp_path):
    assert plot.image().width() == PNG_WIDTH_PX
    plot.save_svg(tmp_path / "p.svg")
    text = (tmp_path / "p.svg").read_text(encoding="utf-8")
    assert "<svg" in text
    assert "mean human rank" in text
