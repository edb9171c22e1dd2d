"""What keys do on a stage of decks, the same on every page that has one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from studio.gui.shortcuts import Action
from studio.gui.widgets.deck_stage import FOCUS_KEYS, DeckStage
from studio.gui.widgets.slide_view import ZOOM_STEP

Run = Callable[[], None]


def stage_actions(page: str, stage: DeckStage) -> list[Action]:
    """Return what can be done with a stage, as actions of the page it is on."""

    def act(
        name: str, words: str, run: object, *keys: str, repeats: bool = False, is_in_palette: bool = True
    ) -> Action:
        return Action(
            id=f"{page}.{name}", words=words, run=run, keys=keys, page=page, group="View", repeats=repeats,
            is_in_palette=is_in_palette,
        )  # fmt: skip

    focus = [
        act(f"focus_{place}", f"Focus deck {place}", partial(stage.focus_place, place - 1), f"Ctrl+{place}",
            is_in_palette=False)
        for place in range(1, FOCUS_KEYS + 1)
    ]  # fmt: skip
    return [
        act("next_slide", "Next slide", partial(stage.step, 1), "PgDown", repeats=True),
        act("previous_slide", "Previous slide", partial(stage.step, -1), "PgUp", repeats=True),
        act("first_slide", "First slide", stage.first, "Home"),
        act("last_slide", "Last slide", stage.last, "End"),
        *focus,
        act("next_deck", "Focus the next deck", partial(stage.focus_step, 1), "Down"),
        act("previous_deck", "Focus the previous deck", partial(stage.focus_step, -1), "Up"),
        act("zoom_in", "Zoom in", partial(stage.zoom_by, ZOOM_STEP), "Ctrl++", "Ctrl+=", repeats=True),
        act("zoom_out", "Zoom out", partial(stage.zoom_by, 1 / ZOOM_STEP), "Ctrl+-", repeats=True),
        act("zoom_actual", "Zoom to 100 %", stage.zoom_actual, "Ctrl+0"),
        act("zoom_fit", "Fit slides", stage.zoom_fit, "Ctrl+9"),
        act("sync", "Change sync", stage.next_sync, "L"),
        act("align", "Align slides here", stage.align, "Shift+L"),
        act("sheet", "Contact sheet", stage.toggle_sheet, "G"),
        act("wall", "All decks at once", stage.toggle_wall, "W"),
        act("solo", "Only this deck", stage.toggle_solo, "O"),
        act("text", "Slide text", stage.toggle_text, "X"),
        act("notes", "Speaker notes", stage.toggle_notes, "N"),
    ]
