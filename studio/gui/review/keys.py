"""What a reviewer can do on the Review page, and the keys for it, in each mode of the page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from studio.gui.review.words import BUTTONS, CONFIDENCE_WORDS
from studio.gui.shortcuts import Action
from studio.model.reviews import Decision

ITEM, PAIR, QUIZ, BOX = "item", "pair", "quiz", "box"
CASES = f"{ITEM}|{PAIR}|{QUIZ}"
KEYS = {
    (ITEM, Decision.YES): "Y", (ITEM, Decision.NO): "N", (ITEM, Decision.CANNOT_TELL): "U",
    (ITEM, Decision.NOT_APPLICABLE): "A", (PAIR, Decision.A): "A", (PAIR, Decision.B): "B",
    (PAIR, Decision.TIE): "E", (QUIZ, Decision.CORRECT): "Y", (QUIZ, Decision.WRONG): "N",
}  # fmt: skip
"""The key of each decision in the mode of its cases."""


def review_actions(page: Any) -> list[Action]:
    """Return the actions of a `ReviewPage`."""

    def act(name: str, words: str, run: Callable[[], Any], *keys: str, mode: str = CASES, **more: Any) -> Action:
        return Action(id=f"review.{name}", words=words, run=run, keys=keys, page="review", mode=mode, **more)

    said: dict[Decision, tuple[list[str], list[str]]] = {}
    for (mode, decision), key in KEYS.items():
        modes, keys = said.setdefault(decision, ([], []))
        modes.append(mode)
        keys.append(key)
    decisions = [
        act(BUTTONS[decision][1], f"Decide: {BUTTONS[decision][0]}", partial(page.say, decision), keys[0],
            mode=CASES if decision is Decision.CANNOT_TELL else "|".join(modes))
        for decision, (modes, keys) in said.items()
    ]  # fmt: skip
    sure = [
        act(f"confidence_{level.value}", f"Confidence: {words}", partial(page.set_confidence, level), str(number))
        for number, (level, words) in enumerate(CONFIDENCE_WORDS.items(), start=1)
    ]
    arrows = (("left", "Left", -1, 0), ("right", "Right", 1, 0), ("up", "Up", 0, -1), ("down", "Down", 0, 1))
    box = [
        act(f"box_{kind}_{name}", words.format(name), partial(run, x, y), keys + key, mode=BOX, repeats=True,
            is_in_palette=False)
        for name, key, x, y in arrows
        for kind, words, run, keys in (
            ("move", "Move the box {}", page.marking.move_box, ""),
            ("size", "Stretch the box {}", page.marking.size_box, "Shift+"),
        )
    ]  # fmt: skip
    return [
        *decisions, *sure, *box,
        act("clear", "Take the decision away", partial(page.say, None), "Delete"),
        act("error", "Choose the kind of error", page.choose_error, "T"),
        act("comment", "Write a comment", page.write_comment, "C"),
        act("return", "Return to those who answered", page.return_case, "R"),
        act("next", "Next open disagreement", partial(page.step, 1, is_open=True), "Return", "Enter", "]"),
        act("previous", "Previous open disagreement", partial(page.step, -1, is_open=True), "["),
        act("down", "Next case of the list", partial(page.step, 1), "Down", repeats=True),
        act("up", "Previous case of the list", partial(page.step, -1), "Up", repeats=True),
        act("next_place", "Next piece of evidence", partial(page.step_evidence, 1), "Right"),
        act("previous_place", "Previous piece of evidence", partial(page.step_evidence, -1), "Left"),
        act("names", "Show who said what, or hide it", page.toggle_names, "H"),
        act("slide", "This slide is the evidence", page.marking.add_slide, "E", mode=f"{ITEM}|{QUIZ}"),
        act("slide_of_pair", "This slide is the evidence", page.marking.add_slide, "Shift+E", mode=PAIR,
            is_in_palette=False),
        act("box", "Mark a box as evidence", page.marking.begin_box, "Shift+E", mode=f"{ITEM}|{QUIZ}"),
        act("keep_box", "Keep the box", page.marking.keep_box, "Return", "Enter", mode=BOX, is_in_palette=False),
        act("quote", "This source page is the evidence", page.marking.add_quote, "Q"),
        act("drop_evidence", "Take the last place away", page.marking.drop_last, "Backspace"),
        act("undo", "Undo", page.undo, "Ctrl+Z"),
        act("redo", "Redo", page.redo, "Ctrl+Shift+Z", "Ctrl+Y"),
        act("accept", "Accept agreement…", page.ask_accept),
        act("items", "Report on items…", page.open_items, "I"),
        act("compare", "Open in Compare", page.open_compare, "O"),
        act("filter", "Filter disagreements", page.cases.begin, "F", "/"),
        act("find", "Search decks and sources", page.evidence.find, "Ctrl+F"),
        act("back", "Back", page.back, "Escape", mode="", is_in_palette=False),
        act("next_slide", "Next slide", partial(page.evidence.step, 1), "PgDown", repeats=True, mode=""),
        act("previous_slide", "Previous slide", partial(page.evidence.step, -1), "PgUp", repeats=True, mode=""),
        act("first_slide", "First slide", partial(page.evidence.to_end, -1), "Home"),
        act("last_slide", "Last slide", partial(page.evidence.to_end, 1), "End"),
        act("focus_1", "Focus the left pane", partial(page.evidence.focus, 0), "Ctrl+1", is_in_palette=False),
        act("focus_2", "Focus the right pane", partial(page.evidence.focus, 1), "Ctrl+2", is_in_palette=False),
        act("zoom_in", "Zoom in", page.evidence.zoom_in, "Ctrl++", "Ctrl+=", repeats=True),
        act("zoom_out", "Zoom out", page.evidence.zoom_out, "Ctrl+-", repeats=True),
        act("zoom_fit", "Fit slides", page.evidence.zoom_fit, "Ctrl+9", "Ctrl+0"),
    ]  # fmt: skip
