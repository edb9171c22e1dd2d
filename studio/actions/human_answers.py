"""People's answers of the chosen kind as one table for every statistic: the human side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from studio.actions.adjudication import decided_pairs, standing_reviews
from studio.actions.checklist_answers import HumanReplies, human_replies, read_replies
from studio.actions.checklist_cells import Asked, ChecklistCells, asked_items, cells_of
from studio.errors import BadInput
from studio.exchange.rankings import current_rankings
from studio.exchange.settled import settled_answers
from studio.model.answers import Annotator, AnswerEvent, AnswerKind, AnswerStatus, Preference, Ranking
from studio.model.decks import Deck, DeckStatus
from studio.model.human_side import HumanSide, HumanSource
from studio.model.ids import AnnotatorId, DeckId, InstanceId
from studio.stats.rankings import HumanRankings
from studio.store import answers as answer_store
from studio.store import decks as deck_store
from studio.store import people as people_store
from studio.store import quality as quality_store
from studio.store.project import Project

Ranks = dict[InstanceId, dict[AnnotatorId, dict[DeckId, float]]]
"""The lowest number is the best."""
Answered = tuple[InstanceId, AnnotatorId]

NO_TIME, TOO_FAST, TOO_SLOW = "no_time", "too_fast", "too_slow"
NO_VIEWS, SLIDES_UNSEEN, OTHER_GROUP = "no_views", "slides_unseen", "other_group"
NOT_SUBMITTED = "not_submitted"

FILTER_WORDS = {
    NO_TIME: "without a recorded time",
    TOO_FAST: "too fast",
    TOO_SLOW: "too slow",
    NO_VIEWS: "without a record of the slides seen",
    SLIDES_UNSEEN: "with too few slides seen",
    OTHER_GROUP: "of other groups",
    NOT_SUBMITTED: "not submitted",
}

POINTS = {Preference.A: 1.0, Preference.B: 0.0, Preference.TIE: 0.5, Preference.BOTH_BAD: 0.5}
"""What a comparison gives its first deck; the second gets the rest."""


@dataclass(frozen=True, kw_only=True)
class HumanAnswers:
    """The human side, read once."""

    side: HumanSide
    rankings: HumanRankings
    annotators: Mapping[AnnotatorId, str]
    """Everybody whose answers count, and their names."""
    groups: Mapping[AnnotatorId, str]
    has_sample_people: bool
    filtered: Mapping[str, int] = field(default_factory=dict)
    """Answers (of one annotator to one instance) that are left out, by reason: by filters, or as drafts.

    A checklist that is submitted for some decks of an instance and not for others counts among both.
    """
    seconds: Mapping[Answered, float | None] = field(default_factory=dict)
    """Active seconds of an annotator on an instance; None where nothing says them."""
    cells: Mapping[AnnotatorId, ChecklistCells] = field(default_factory=dict)
    """For checklist scores: the answers behind each annotator's, to leave items and dimensions out of."""

    @property
    def filtered_in_words(self) -> str:
        """Return such as "4 answers too fast, 1 answer of other groups"; empty if nothing is left out."""
        return ", ".join(
            f"{count:,} answer{'' if count == 1 else 's'} {FILTER_WORDS.get(reason, reason)}"
            for reason, count in self.filtered.items()
            if count
        )


def read_human_side(
    project: Project, side: HumanSide | None = None, *, with_times: bool = False,
    rankings: Sequence[Ranking] | None = None, decks: Mapping[DeckId, Deck] | None = None,
) -> HumanAnswers:  # fmt: skip
    """Return what people said, as the chosen side takes it.

    Args:
        project: an open project.
        side: the choice; all submitted rankings without one.
        with_times: whether `seconds` is wanted where no filter needs it; of rankings it is always there.
        rankings: the current ones, where the caller has them.
        decks: those of the project, where the caller has them.

    Raises:
        BadInput: for ratings without a dimension, or a dimension that nobody was asked.
    """
    side = side or HumanSide()
    if decks is None:
        decks = {deck.id: deck for deck in deck_store.list_decks(project)}
    people = {person.id: person for person in people_store.list_annotators(project)}
    cells: dict[AnnotatorId, ChecklistCells] = {}
    left_out: dict[str, int] = {}
    timed = with_times or side.min_seconds is not None or side.max_seconds is not None
    match side.source:
        case HumanSource.RANKINGS:
            ranks, seconds = _rankings(current_rankings(project) if rankings is None else rankings, side)
        case HumanSource.PAIRS:
            ranks, seconds = _pairs(project, side, timed)
        case HumanSource.RATINGS:
            ranks, seconds = _ratings(project, side, timed)
        case HumanSource.CHECKLIST:
            replies = read_replies(project)
            cells = cells_of_people(project, replies)
            left_out[NOT_SUBMITTED] = len({(instance, person) for instance, _, person in replies.not_submitted})
            ranks, seconds = ranks_of_cells(cells), _seconds_on(project, AnswerKind.CHECKLIST, side, timed)
    kept, filtered = _filtered(project, side, ranks, seconds, people, decks)
    counted = {person for by_person in kept.values() for person in by_person}
    return HumanAnswers(
        side=side,
        rankings=HumanRankings(
            ranks=kept,
            scenarios={item.id: item.scenario for item in deck_store.list_instances(project)},
            systems={deck.id: deck.system_id for deck in decks.values()},
            is_on_one_scale=side.is_on_one_scale,
            adjudicated=(
                decided_pairs(standing_reviews(project).values()) if side.source is HumanSource.RANKINGS else {}
            ),
        ),
        annotators={key: person.name for key, person in people.items() if key in counted},
        groups={key: person.group for key, person in people.items() if key in counted},
        has_sample_people=any(person.is_sample for key, person in people.items() if key in counted),
        filtered={reason: count for reason, count in (left_out | filtered).items() if count},
        seconds=seconds,
        cells={key: each for key, each in cells.items() if key in counted},
    )


def known_sides(project: Project, read: HumanAnswers | None = None) -> list[HumanSide]:
    """Return the sides that the project has answers for, rankings first; without filters.

    Args:
        project: an open project.
        read: a side that was read already, which need not be looked for again.
    """
    found = []
    is_known = read is not None and read.side.source is HumanSource.RANKINGS and bool(read.rankings.instance_ids)
    if is_known or any(ranking.status is AnswerStatus.SUBMITTED for ranking in current_rankings(project)):
        found.append(HumanSide())
    if settled_answers(project, AnswerKind.PAIR):
        found.append(HumanSide(source=HumanSource.PAIRS))
    found += [
        HumanSide(source=HumanSource.RATINGS, scale_set=scale_set, dimension=dimension)
        for scale_set, dimension in rated_dimensions(project)
    ]
    if human_replies(project):
        found.append(HumanSide(source=HumanSource.CHECKLIST))
    return found


def rated_dimensions(project: Project) -> list[tuple[str, str]]:
    """Return the set of scales and the dimension of everything that decks were rated on, in the order of first use."""
    return list(
        dict.fromkeys(
            (str(event.state.get("scale_set") or ""), str(dimension))
            for event in settled_answers(project, AnswerKind.RATING)
            for dimension in _values(event)
        )
    )


def known_groups(project: Project) -> list[str]:
    """Return the groups that annotators belong to, sorted."""
    return sorted({person.group for person in people_store.list_annotators(project) if person.group})


def person_cells(project: Project) -> dict[AnnotatorId, ChecklistCells]:
    """Return everybody's submitted answers to the checklists of the decks that are there."""
    return cells_of_people(project, read_replies(project))


def cells_of_people(project: Project, replies: HumanReplies) -> dict[AnnotatorId, ChecklistCells]:
    """Return everybody's answers to the checklists of the decks that are there; code items are not asked of people."""
    said: dict[AnnotatorId, dict[DeckId, dict[str, str]]] = {}
    for (deck_id, item), by_person in replies.said.items():
        for person, reply in by_person.items():
            if reply.answer is not None:
                said.setdefault(person, {}).setdefault(deck_id, {})[item] = reply.answer.value
    if not said:
        return {}
    decks, asked = asked_items(project)
    return {person: _of_person(decks, asked, answers) for person, answers in said.items()}


def ranks_of_cells(
    cells: Mapping[AnnotatorId, ChecklistCells],
    *,
    without_items: Iterable[str] = (),
    without_dimensions: Iterable[str] = (),
) -> Ranks:
    """Return everybody's checklist scores with their sign turned; decks without a score are left out."""
    items, dimensions = frozenset(without_items), frozenset(without_dimensions)
    found: Ranks = {}
    for person, each in cells.items():
        for instance_id, values in each.values(without_items=items, without_dimensions=dimensions).items():
            defined = {deck: -value for deck, value in values.items() if value is not None}
            if defined:
                found.setdefault(instance_id, {})[person] = defined
    return found


def order_of_pairs(points: Mapping[DeckId, list[float]]) -> dict[DeckId, float]:
    """Return minus the share of its comparisons that each deck won: the order of one annotator's pairs."""
    return {deck: -sum(won) / len(won) for deck, won in points.items()}


def _of_person(decks: Mapping[DeckId, Deck], asked: Asked, said: Mapping[DeckId, Mapping[str, str]]) -> ChecklistCells:
    return cells_of(decks, asked, said, with_code=False)


def _rankings(rankings: Sequence[Ranking], side: HumanSide) -> tuple[Ranks, dict[Answered, float | None]]:
    ranks: Ranks = {}
    seconds: dict[Answered, float | None] = {}
    for ranking in rankings:
        if ranking.status is not AnswerStatus.SUBMITTED or side.study not in (None, ranking.study_id):
            continue
        placed = {deck: float(rank) for deck, rank in ranking.ranks.items()}
        ranks.setdefault(ranking.instance_id, {})[ranking.annotator_id] = placed
        seconds[ranking.instance_id, ranking.annotator_id] = ranking.active_s
    return ranks, seconds


def _pairs(project: Project, side: HumanSide, timed: bool) -> tuple[Ranks, dict[Answered, float | None]]:
    points: dict[InstanceId, dict[AnnotatorId, dict[DeckId, list[float]]]] = {}
    for event in settled_answers(project, AnswerKind.PAIR, side.study):
        first, _, second = event.item_key.partition("|")
        said = event.state.get("preference")
        if "#" in event.item_key or said not in set(Preference):  # between single slides, or cannot judge
            continue
        won = POINTS[Preference(str(said))]
        of_person = points.setdefault(event.instance_id, {}).setdefault(event.annotator_id, {})
        of_person.setdefault(DeckId(first), []).append(won)
        of_person.setdefault(DeckId(second), []).append(1 - won)
    ranks = {
        instance_id: {person: order_of_pairs(decks) for person, decks in by_person.items()}
        for instance_id, by_person in points.items()
    }
    return ranks, _seconds_on(project, AnswerKind.PAIR, side, timed)


def _ratings(project: Project, side: HumanSide, timed: bool) -> tuple[Ranks, dict[Answered, float | None]]:
    known = rated_dimensions(project)
    fitting = [one for one in known if one[1] == side.dimension and side.scale_set in ("", one[0])]
    if len(fitting) != 1:
        names = ", ".join(f"{scale_set}/{dimension}" for scale_set, dimension in known) or "nobody has rated yet"
        what = f"There are no ratings of {side.dimension or 'a dimension without a name'}."
        if len(fitting) > 1:
            what = f"Several sets of scales have {side.dimension}."
        raise BadInput(what, next_step=f"Name the set and the dimension; there are: {names}.")
    whole: Ranks = {}
    slides: dict[InstanceId, dict[AnnotatorId, dict[DeckId, list[float]]]] = {}
    for event in settled_answers(project, AnswerKind.RATING, side.study):
        value = _values(event).get(side.dimension)
        if value is None or event.deck_id is None or str(event.state.get("scale_set") or "") != fitting[0][0]:
            continue
        if event.item_key.startswith("#"):
            of_person = slides.setdefault(event.instance_id, {}).setdefault(event.annotator_id, {})
            of_person.setdefault(event.deck_id, []).append(value)
        else:
            whole.setdefault(event.instance_id, {}).setdefault(event.annotator_id, {})[event.deck_id] = -value
    # A deck that was rated slide by slide only has the mean of its slides, as PPTEval has it.
    for instance_id, by_person in slides.items():
        for person, by_deck in by_person.items():
            mine = whole.setdefault(instance_id, {}).setdefault(person, {})
            for deck, values in by_deck.items():
                mine.setdefault(deck, -sum(values) / len(values))
    return whole, _seconds_on(project, AnswerKind.RATING, side, timed)


def _values(event: AnswerEvent) -> dict[str, float]:
    """Return what a deck or slide was rated; ratings of explanations are of no deck."""
    values = event.state.get("values")
    is_about_deck = str(event.state.get("target") or "deck") == "deck"
    if event.state.get("status") != AnswerStatus.SUBMITTED.value or not is_about_deck or not isinstance(values, dict):
        return {}
    return {str(name): float(value) for name, value in values.items() if isinstance(value, int | float)}


def _seconds_on(
    project: Project, kind: AnswerKind, side: HumanSide, timed: bool
) -> dict[Answered, float | None]:  # fmt: skip
    """Return the active seconds of each person on each instance; None where all that is known came by table."""
    if not timed:
        return {}
    found: dict[Answered, float | None] = {}
    for event in answer_store.events_of(project, kind, study_id=side.study):
        unit = (event.instance_id, event.annotator_id)
        if event.verb == "import":
            found.setdefault(unit, None)
        else:
            found[unit] = (found.get(unit) or 0.0) + event.active_s
    return found


def _filtered(
    project: Project, side: HumanSide, ranks: Ranks, seconds: Mapping[Answered, float | None],
    people: Mapping[AnnotatorId, Annotator], decks: Mapping[DeckId, Deck],
) -> tuple[Ranks, dict[str, int]]:  # fmt: skip
    """Return what the filters leave, and how many answers each of them takes out; the first that applies counts."""
    if side.study is not None and side.source is HumanSource.CHECKLIST:
        raise BadInput("Checklist answers of different studies are one sheet.", next_step="Leave the study out.")
    unknown = side.groups - {person.group for person in people.values()}
    if unknown:
        known = ", ".join(sorted({person.group for person in people.values() if person.group})) or "none"
        raise BadInput(f"No annotator is in the group {', '.join(sorted(unknown))}.", next_step=f"Groups: {known}.")
    why = _slides_check(project, side, decks)
    kept: Ranks = {}
    counts: dict[str, int] = {}
    for instance_id, by_person in ranks.items():
        kept[instance_id] = {}
        for person, placed in by_person.items():
            reason = (
                (OTHER_GROUP if side.groups and people[person].group not in side.groups else "")
                or _time_reason(side, seconds.get((instance_id, person)))
                or why((instance_id, person), list(placed))
            )
            if reason:
                counts[reason] = counts.get(reason, 0) + 1
            else:
                kept[instance_id][person] = placed
    return kept, counts


def _time_reason(side: HumanSide, seconds: float | None) -> str:
    if side.min_seconds is None and side.max_seconds is None:
        return ""
    if seconds is None:
        return NO_TIME
    if side.min_seconds is not None and seconds < side.min_seconds:
        return TOO_FAST
    return TOO_SLOW if side.max_seconds is not None and seconds > side.max_seconds else ""


def _slides_check(
    project: Project, side: HumanSide, decks: Mapping[DeckId, Deck]
) -> Callable[[Answered, list[DeckId]], str]:  # fmt: skip
    if side.min_slides_seen is None:
        return lambda _answered, _decks: ""
    least = side.min_slides_seen
    seen: dict[Answered, set[tuple[DeckId, int]]] = {}
    for view in quality_store.list_views(project, study=side.study):
        if view.deck_id is not None and view.slide is not None and view.seen_s > 0:
            seen.setdefault((view.instance_id, view.annotator_id), set()).add((view.deck_id, view.slide))

    def why(answered: Answered, judged: list[DeckId]) -> str:
        mine = seen.get(answered)
        if mine is None:
            return NO_VIEWS
        visible = {
            deck: decks[deck].slides - decks[deck].hidden_slides
            for deck in judged
            if deck in decks and decks[deck].status is DeckStatus.PRESENT
        }
        looked = sum(min(visible[deck], sum(of == deck for of, _ in mine)) for deck in visible)
        total = sum(visible.values())
        return "" if not total or looked >= least * total - 1e-9 else SLIDES_UNSEEN

    return why
