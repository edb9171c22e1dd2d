"""The one style sheet of the window, written from the colour tokens."""

from __future__ import annotations

from string import Template

_SHEET = Template("""
* { outline: 0; }
QToolTip {
    background: $surface_raised; color: $text; border: 1px solid $hairline_strong;
    padding: 4px 8px; font-size: 12px;
}
QLabel { background: transparent; }
QAbstractScrollArea { background: $surface; border: 0; }
QLabel[tone="muted"] { color: $text_muted; }
QLabel[tone="caption"] { color: $text_muted; font-size: 11px; }
QLabel[tone="title"] { font-size: 18px; font-weight: 600; }
QLabel[tone="heading"] { font-weight: 600; }
QLabel[tone="question"] { font-size: 15px; font-weight: 600; }
QLabel[tone="ok"] { color: $ok; }
QLabel[tone="bad"] { color: $bad; }
QLabel[tone="warn"] { color: $warn; }

Panel { background: $surface; border: 1px solid $hairline; border-radius: 6px; }
Panel[focused="true"] { border-color: $accent; }
PanelHead { background: transparent; border: 0; }
PanelHead[lined="true"] { border-bottom: 1px solid $hairline; }
Hairline { background: $hairline; border: 0; }
PanelFoot { background: transparent; border: 0; border-top: 1px solid $hairline; }
TopBar { background: $surface; border: 0; border-bottom: 1px solid $hairline; }
NavigationRail { background: $surface; border: 0; border-right: 1px solid $hairline; }
StatusLine { background: $surface; border: 0; border-top: 1px solid $hairline; }
StatusLine QLabel { color: $text_muted; font-size: 11px; }
NoticeLine { border: 0; border-bottom: 1px solid $hairline; }
NoticeLine[tone="warn"] { background: $warn_surface; }
NoticeLine[tone="bad"] { background: $bad_surface; }
#palette { background: $surface_raised; border: 1px solid $hairline_strong; }
Toast { background: $text; border-radius: 6px; }
Toast QLabel { color: $surface; }
Card { background: $surface; border: 1px solid $hairline; border-radius: 6px; }
Card:hover { border-color: $hairline_strong; background: $surface_hover; }
Card:focus { border-color: $accent; }

QPushButton, QToolButton {
    background: $surface; color: $text; border: 1px solid $hairline; border-radius: 4px;
    padding: 0 10px; min-height: 26px;
}
QToolButton { padding: 0 6px; }
QPushButton:hover, QToolButton:hover { background: $surface_hover; border-color: $hairline_strong; }
QPushButton:pressed, QToolButton:pressed { background: $surface_pressed; }
QPushButton:checked, QToolButton:checked {
    background: $surface_selected; color: $accent; border-color: $accent;
}
QPushButton:focus, QToolButton:focus { border-color: $accent; }
QPushButton:disabled, QToolButton:disabled {
    color: $text_disabled; background: $surface; border-color: $hairline;
}
QPushButton[primary="true"] { background: $accent; color: $on_accent; border-color: $accent; }
QPushButton[primary="true"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[primary="true"]:pressed { background: $accent_pressed; border-color: $accent_pressed; }
QPushButton[primary="true"]:focus { border-color: $text; }
QPushButton[primary="true"]:disabled { background: $surface; color: $text_disabled; border-color: $hairline; }
QPushButton[tone="ok"] { color: $ok; border-color: $ok; }
QPushButton[tone="bad"] { color: $bad; border-color: $bad; }
QPushButton[tone="warn"] { color: $warn; border-color: $warn; }
QPushButton[tone="ok"]:checked { background: $ok; color: $on_status; }
QPushButton[tone="bad"]:checked { background: $bad; color: $on_status; }
QPushButton[tone="warn"]:checked { background: $warn; color: $on_status; }
QPushButton[compact="true"], QToolButton[compact="true"] {
    min-height: 20px; padding: 0 7px; color: $text_muted;
}
QPushButton[flat="true"], QToolButton[flat="true"] {
    background: transparent; border-color: transparent; color: $text_muted;
}
QPushButton[flat="true"]:hover, QToolButton[flat="true"]:hover { background: $surface_hover; color: $text; }
QPushButton[flat="true"]:focus, QToolButton[flat="true"]:focus { border-color: $accent; }
QPushButton::menu-indicator { width: 0; }
StatusLine QPushButton { font-size: 11px; min-height: 18px; padding: 0 6px; }

QLineEdit, QPlainTextEdit, QTextEdit, QSpinBox, QDoubleSpinBox, QComboBox {
    background: $surface; color: $text; border: 1px solid $hairline_strong; border-radius: 4px;
    selection-background-color: $accent; selection-color: $on_accent;
}
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox { min-height: 26px; padding: 0 8px; }
QPlainTextEdit, QTextEdit { padding: 4px; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QSpinBox:focus,
QDoubleSpinBox:focus, QComboBox:focus {
    border-color: $accent;
}
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled {
    color: $text_disabled; border-color: $hairline;
}
QTextBrowser, QPlainTextEdit[readOnly="true"] { background: $surface; border: 1px solid $hairline; }
QComboBox::drop-down { border: 0; width: 24px; }
QComboBox::down-arrow { image: url("$arrow"); width: 12px; height: 12px; }
QComboBox QAbstractItemView {
    background: $surface_raised; border: 1px solid $hairline_strong; padding: 4px;
    selection-background-color: $surface_selected; selection-color: $text;
}
QSpinBox, QDoubleSpinBox { max-height: 26px; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {
    width: 0; border: 0;
}

QCheckBox, QRadioButton { spacing: 8px; background: transparent; }
QCheckBox::indicator, QRadioButton::indicator, QListView::indicator, QTreeView::indicator {
    width: 14px; height: 14px; border: 1px solid $hairline_strong; background: $surface;
}
QCheckBox::indicator, QListView::indicator, QTreeView::indicator { border-radius: 3px; }
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked, QListView::indicator:checked, QTreeView::indicator:checked {
    background: $accent; border-color: $accent; image: url("$check_mark");
}
QRadioButton::indicator:checked { background: $surface; border: 5px solid $accent; width: 6px; height: 6px; }
QCheckBox:focus, QRadioButton:focus { color: $accent; }

QProgressBar { background: $track; border: 0; border-radius: 3px; min-height: 6px; max-height: 6px; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }

QMenuBar {
    background: $surface; color: $text; border: 0; border-bottom: 1px solid $hairline; padding: 0 8px;
}
QMenuBar::item { padding: 4px 8px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: $surface_hover; }
QMenu { background: $surface_raised; border: 1px solid $hairline_strong; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 12px; border-radius: 4px; color: $text; }
QMenu::item:selected { background: $surface_selected; color: $text; }
QMenu::item:disabled { color: $text_disabled; background: transparent; }
QMenu::separator { height: 1px; background: $hairline; margin: 4px 8px; }
QMenu::icon { padding-left: 8px; }

QScrollArea { background: transparent; border: 0; }
QScrollArea > QWidget > QWidget { background: transparent; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 2px; }
QScrollBar::handle { background: $scroll; border-radius: 3px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: $scroll_hover; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QTableView, QTreeView, QListView {
    background: $surface; color: $text; border: 0; alternate-background-color: $surface;
    selection-background-color: $surface_selected; selection-color: $text;
}
QTreeView::item, QListView::item { padding: 4px 8px; }
QTreeView::item:hover, QListView::item:hover { background: $surface_hover; }
QTreeView::item:selected, QListView::item:selected { background: $surface_selected; color: $text; }
QHeaderView { background: $surface; border: 0; }
QHeaderView::section {
    background: $surface; color: $text_muted; border: 0; border-bottom: 1px solid $hairline;
    padding: 0 10px; font-weight: 400;
}
QTableCornerButton::section { background: $surface; border: 0; }

QSplitter::handle { background: transparent; }
StepRow[current="true"] { background: $surface_selected; }
QSplitter::handle:horizontal { width: 12px; }
QSplitter::handle:vertical { height: 12px; }
QTabWidget::pane { border: 0; border-top: 1px solid $hairline; }
QTabBar { background: transparent; }
QTabBar::tab {
    background: transparent; color: $text_muted; padding: 8px 12px; border: 0;
    border-bottom: 2px solid transparent;
}
QTabBar::tab:selected { color: $accent; border-bottom-color: $accent; }
QTabBar::tab:hover { color: $text; }
QGroupBox { border: 0; margin-top: 24px; font-weight: 600; }
QGroupBox::title { subcontrol-origin: margin; left: 0; }
QSlider::groove:horizontal { height: 4px; background: $track; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal {
    width: 14px; height: 14px; margin: -6px 0; border-radius: 7px;
    background: $surface; border: 2px solid $accent;
}
""")


def style_sheet(colors: dict[str, str], *, check_mark: str, arrow: str) -> str:
    """Return the Qt style sheet for one theme.

    Args:
        colors: token name → `#rrggbb`, all the names of `themes/tokens.json`.
        check_mark: path of the picture in a ticked box, with forward slashes.
        arrow: path of the picture of a box that opens.
    """
    return _SHEET.substitute(colors, check_mark=check_mark, arrow=arrow)
