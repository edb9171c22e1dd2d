"""The content of a deck, opened from Compare by keyboard: one slide moved, one duplicated, one image swapped and one
section removed, all found and told."""

from __future__ import annotations

import io

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pptx import Presentation
from pptx.util import Inches

from studio.decks.sniff import sniff
from studio.model.decks import DeckStatus
from studio.model.reflex import ContentMetric
from tests.gui.pictures import keep
from tests.gui.projects import add_source, make_project
from tests.gui.studies import open_on, press, shown_window

K = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
