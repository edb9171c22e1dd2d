"""What is known to be right: orders, best and worst of four, and points, of decks or of single slides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from studio.actions.answer_desk import scale_set_named
from studio.actions.study_queue import unit_shapes
from studio.errors import BadInput
from studio.model.changes import Changes, Topic, changed
from studio.model.decks import Deck, Instance
from studio.model.ids import DeckId
from studio.model.quality import Probe
from studio.model.studies import AnswerUnit, AssignmentPurpose, Study, StudyKind
from studio.sessions.pairing import GROUP, item_key, slide_unit
from studio.store import decks as deck_store
from studio.store import quality as quality_store
from studio.store import studies as study_store
from studio.store.answer_counts import drawn_decks
from studio.store.project import Project

_ORDERS = frozenset({StudyKind.RANK, StudyKind.PAIRWISE, StudyKind.BEST_WORST})


def set_known_order(
    project: Project, study: Study, instance: str, order: Sequence[str], *, is_attention: bool = False
) -> tuple[Probe, Changes]:
    """Store which order of an instance's decks is known to be right, best first; other decks do not matter.

    In a study of pairs every pair of these decks gets its known answer, in one of best and worst every question whose
    four are all named; the first of them is returned. A study of single slides names them as in ``Good system#3``, all
    with the same number, since only equally numbered slides are asked together.

    Raises:
        BadInput: if there is no such instance, deck or slide, too few are named, nothing is asked about them, or the
            study asks for no order.
    """
    if study.kind not in _ORDERS:
        raise BadInput(f"{study.name} asks for no order.", next_step="Known points are for ratings.")
    found, decks = _instance_with_decks(project, instance)
    named = [_unit_named(project, study, decks, name, instance) for name in order]
    units = [unit for unit, _ in named]
    if len(set(units)) < 2 or len(set(units)) != len(units):
        raise BadInput("A known order needs two or more different decks.")
    if len({slide for _, slide in named}) > 1:
        raise BadInput(
            "Slides with different numbers are not asked together.", next_step="Name the same number of each deck."
        )
    purpose = AssignmentPurpose.ATTENTION if is_attention else AssignmentPurpose.GOLD
    answers: list[tuple[str, dict[str, object]]]
    if study.kind is StudyKind.RANK:
        answers = [("", {"ranks": {unit: rank for rank, unit in enumerate(units, start=1)}})]
    elif study.kind is StudyKind.PAIRWISE:
        answers = [
            (item_key((better, worse)), {"preference": "a" if better < worse else "b"})
            for better, worse in combinations(units, 2)
        ]
    else:
        answers = _best_and_worst(project, study, found, units)
    probes = [
        Probe(study_id=study.id, instance_id=found.id, purpose=purpose, item_key=key, expected=expected)
        for key, expected in answers
    ]
    _save_probes(project, probes)
    return probes[0], changed(Topic.PEOPLE)


def set_known_points(
    project: Project,
    study: Study,
    instance: str,
    deck: str,
    points: Mapping[str, tuple[int, int]],
    *,
    is_attention: bool = False,
) -> tuple[Probe, Changes]:
    """Store which points of a deck are known to be right: for each dimension the lowest and the highest.

    In a study of single slides the slide is named as in ``Good system#3``.

    Raises:
        BadInput: if there is no such instance, deck or slide, nothing is known, the study asks for no ratings, or its
            scales have no such dimension or points.
    """
    if study.kind is not StudyKind.RATE:
        raise BadInput(f"{study.name} asks for no ratings.", next_step="A known order is for rankings and pairs.")
    found, decks = _instance_with_decks(project, instance)
    if not points or any(low > high for low, high in points.values()):
        raise BadInput("Known points go from a lowest to a highest.", next_step="Such as flow=1-2")
    scales = scale_set_named(project, study.scale_set)
    for name, (low, high) in points.items():
        scale = scales.scale(name)
        if low < scale.low or high > scale.high:
            raise BadInput(f"Points for {name} go from {scale.low} to {scale.high}.")
    unit, slide = _unit_named(project, study, decks, deck, instance)
    probe = Probe(
        study_id=study.id, instance_id=found.id, deck_id=DeckId(unit.partition("#")[0]),
        item_key="" if slide is None else f"#{slide}",
        purpose=AssignmentPurpose.ATTENTION if is_attention else AssignmentPurpose.GOLD,
        expected={"values": {name: [low, high] for name, (low, high) in points.items()}},
    )  # fmt: skip
    _save_probes(project, [probe])
    return probe, changed(Topic.PEOPLE)


def points_from(text: str) -> dict[str, tuple[int, int]]:
    """Return known points out of a text such as ``flow=1-2,coverage=4``: dimension → lowest and highest.

    Raises:
        BadInput: if it is not of this form.
    """
    found = {}
    for part in (part.strip() for part in text.split(",")):
        name, _, given = part.partition("=")
        low, _, high = given.partition("-")
        if not name.strip() or not low.strip().isdecimal() or not (high.strip() or low.strip()).isdecimal():
            raise BadInput(f"{part or 'Nothing'} is no known point.", next_step="Write it as: flow=1-2")
        found[name.strip()] = (int(low), int(high.strip() or low))
    return found


def _best_and_worst(
    project: Project, study: Study, instance: Instance, units: Sequence[str]
) -> list[tuple[str, dict[str, object]]]:  # fmt: skip
    drawn = drawn_decks(project, study.systems).get(instance.id, ())
    asked = {key for _, key in unit_shapes(project, study, instance.id, drawn)}
    asked |= {key[2] for key in study_store.planned_counts(project, study.id) if key[0] == instance.id}
    answers: list[tuple[str, dict[str, object]]] = []
    for key in sorted(asked):
        group = [unit for unit in units if unit in key.split("|")]
        if len(group) == GROUP:
            answers.append((key, {"best": group[0], "worst": group[-1]}))
    if not answers:
        raise BadInput(
            f"{study.name} has no question whose four are all in this order.",
            next_step="Name all decks of the instance, best first.",
        )
    return answers


def _instance_with_decks(project: Project, instance: str) -> tuple[Instance, list[Deck]]:
    found = next((item for item in deck_store.list_instances(project) if instance in (item.id, item.name)), None)
    if found is None:
        raise BadInput(f"There is no instance {instance}.", next_step="Name it by its folder's name or its id.")
    return found, deck_store.list_decks(project, found.id)


def _unit_named(
    project: Project, study: Study, decks: Sequence[Deck], name: str, instance: str
) -> tuple[str, int | None]:  # fmt: skip
    """Return what events call a deck, or one of its slides, and the slide's number in a study of single slides."""
    if study.unit is AnswerUnit.DECK or study.kind is StudyKind.RANK:
        return _deck_named(decks, name, instance).id, None
    system, _, given = name.rpartition("#")
    if not system or not given.strip().isdecimal():
        raise BadInput(f"{name} is no slide.", next_step=f"{study.name} asks about slides: write it as system#3.")
    deck, slide = _deck_named(decks, system.strip(), instance), int(given)
    if slide not in {one.number for one in deck_store.list_slides(project, deck.id) if one.page is not None}:
        raise BadInput(f"{system.strip()} has no slide {slide} with a picture.")
    return slide_unit(deck.id, slide), slide


def _deck_named(decks: Sequence[Deck], name: str, instance: str) -> Deck:
    deck = next((deck for deck in decks if name in (deck.id, deck.system)), None)
    if deck is None:
        raise BadInput(f"{instance} has no deck of {name}.")
    return deck


def _save_probes(project: Project, probes: Sequence[Probe]) -> None:
    with project.writing(is_durable=True):
        for probe in probes:
            quality_store.save_probe(project, probe)
