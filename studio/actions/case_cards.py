"""Case cards: slide, item, what people and a judge say, and where each sees it (after PresentBench, appendix A.4)."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from studio.actions.checklist_answers import Case, human_replies
from studio.actions.checklist_comparison import ComparedCase, answer_view
from studio.actions.checklist_stats import ANSWERED
from studio.actions.figures import counted
from studio.decks.vector_files import png_thumbnail
from studio.errors import BadInput
from studio.exchange.case_cards_html import Card, Side, cards_html
from studio.exchange.files import write_whole
from studio.model.checklists import EvidenceBox, SourceQuote
from studio.model.decks import slide_file_name
from studio.model.ids import AnnotatorId, DeckId
from studio.sessions.checklist import ItemReply
from studio.store import decks as deck_store
from studio.store import judging as judging_store
from studio.store import people as people_store
from studio.store.judging import StoredVerdict
from studio.store.project import Project, utc_now

WIDTH_PX = 720
MOST = 200
"""Cards in one file at most: each holds a picture."""

_WORDS = {
    "yes": "yes", "no": "no", "cannot_tell": "cannot tell", "not_applicable": "not applicable", "split": "split",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class CardFile:
    """What was written."""

    path: Path
    cards: int
    cases: int
    """Cases that would make a card; more than `cards` where the file was limited."""


def write_case_cards(
    project: Project, out: Path, *, judge_ids: Sequence[str] = (), only_disputed: bool = True, most: int = MOST
) -> CardFile:
    """Write one HTML file without outside references that holds a card for each case, and return what it holds.

    Args:
        project: an open project.
        out: the file.
        judge_ids: whose verdicts stand beside people's; empty for all judges.
        only_disputed: leave out cases where the judge says what most people say.
        most: cards at most.

    Raises:
        BadInput: for a judge that said nothing, if there is no case, or if the file cannot be written.
    """
    view = answer_view(project)
    unknown = [judge for judge in judge_ids if judge not in view.judges]
    if unknown:
        known = ", ".join(view.judges) or "none yet"
        raise BadInput(f"{unknown[0]} has no verdicts here.", next_step=f"Judges with verdicts: {known}.")
    chosen = tuple(judge_ids) or view.judges
    wanted = [
        (case, judge)
        for case in view.cases
        for judge in chosen
        if judge in case.machine and (_is_disputed(case, judge) or not only_disputed)
    ]
    if not wanted:
        what = "There is no case in which people and a judge differ" if only_disputed else "No case has both"
        raise BadInput(f"{what}.", next_step="Answer checklists and run a judge on the same items first.")
    replies = human_replies(project)
    verdicts = {
        (each.record.deck_id, each.record.item_id, each.judge_id): each
        for each in judging_store.verdicts_with_evidence(project)
    }
    cards = [_card(project, case, judge, replies, verdicts) for case, judge in wanted[:most]]
    remark = "" if len(wanted) <= most else f"The first {counted(most, 'card')} of {len(wanted):,}."
    has_sample = any(person.is_sample for person in people_store.list_annotators(project))
    made = f"{utc_now()[:16].replace('T', ' ')} UTC"
    write_whole(out, cards_html(project.title, cards, made=made, remark=remark, is_sample=has_sample))
    return CardFile(path=out, cards=len(cards), cases=len(wanted))


def _is_disputed(case: ComparedCase, judge: str) -> bool:
    return case.people in ANSWERED and case.machine[judge] in ANSWERED and case.people != case.machine[judge]


def _card(
    project: Project, case: ComparedCase, judge: str, replies: Mapping[Case, Mapping[AnnotatorId, ItemReply]],
    verdicts: Mapping[tuple[DeckId, str, str], StoredVerdict],
) -> Card:  # fmt: skip
    said = replies[case.deck_id, case.item_id]
    verdict = verdicts.get((case.deck_id, case.item_id, judge))
    people = Side(
        who="1 person" if case.n_people == 1 else f"{case.n_people:,} people",
        verdict=_WORDS.get(case.people, case.people),
        words=tuple(reply.comment for reply in said.values() if reply.comment),
        boxes=tuple(box for reply in said.values() for box in reply.boxes),
        quotes=tuple(_quoted(quote) for reply in said.values() for quote in reply.quotes),
    )
    machine = Side(
        who=judge, verdict=_WORDS.get(case.machine[judge], case.machine[judge]),
        words=(verdict.record.reason,) if verdict is not None and verdict.record.reason else (),
        boxes=verdict.record.boxes if verdict is not None else (),
        quotes=tuple(_quoted(quote) for quote in verdict.record.quotes) if verdict is not None else (),
    )  # fmt: skip
    slide = _shown_slide(people.boxes, machine.boxes, case.slide)
    return Card(
        item=case.text, instance=case.instance, system=case.system, people=people, machine=machine, slide=slide,
        picture=_picture(project, case.deck_id, slide),
    )  # fmt: skip


def _shown_slide(people: Sequence[EvidenceBox], machine: Sequence[EvidenceBox], marked: int | None) -> int | None:
    """Return the slide that both sides mark, else the people's first, else the machine's first."""
    theirs, its = [box.slide for box in people], [box.slide for box in machine]
    both = [slide for slide in theirs if slide in its]
    found = both or theirs or ([marked] if marked else []) or its
    return found[0] if found else None


def _picture(project: Project, deck_id: DeckId, slide: int | None) -> str:
    folder = deck_store.page_folder(project, deck_id)
    if slide is None or folder is None or not (folder / slide_file_name(slide)).is_file():
        return ""
    data = base64.b64encode(png_thumbnail(folder / slide_file_name(slide), width_px=WIDTH_PX)).decode("ascii")
    return f"data:image/jpeg;base64,{data}"


def _quoted(quote: SourceQuote) -> str:
    return f"{quote.source}{f', page {quote.page}' if quote.page else ''}: {quote.quote}"
