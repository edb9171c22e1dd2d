"""What a pack holds of the author's desk: sets of scales, reasons, and explanations without who wrote them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from studio.exchange.names import RowRefused
from studio.model.studies import REASONS_META, SCALE_SETS_META, Study, StudyId, explanations_meta
from studio.sessions.scales import READY_SETS, scale_set_from
from studio.store.project import Project

_MOST_REASONS = 8
_SHOWN = ("instance_id", "deck_id", "metric", "text")
"""What raters see of an explanation; the fields beside these stay with the author."""


def desk_of(project: Project, study: Study, mask: Callable[[str], str]) -> dict[str, Any]:
    """Return what a person needs of a study besides its rules, as JSON values.

    Args:
        project: the project.
        study: the study that the pack is made for.
        mask: takes the names of systems out of a text.
    """
    sets = [each for each in json.loads(project.meta(SCALE_SETS_META, "[]")) if each["name"] == study.scale_set]
    explained = json.loads(project.meta(explanations_meta(study.id), "{}"))
    return {
        "scale_sets": sets,
        "reasons": json.loads(project.meta(REASONS_META, "[]")),
        "explanations": {
            name: {field: mask(item[field]) if field == "text" else item[field] for field in _SHOWN}
            for name, item in sorted(explained.items())
        },
    }


def fill_desk(project: Project, raw: Any, study_id: StudyId | None) -> None:
    """Put into a project what `desk_of` gave; a pack of an earlier release has none.

    Raises:
        RowRefused: if it is of another form.
        BadInput: if a set of scales makes no sense.
    """
    if raw is None:
        return
    if not isinstance(raw, dict):
        raise RowRefused("what belongs to the study is of another form")
    sets, reasons, explained = raw.get("scale_sets", []), raw.get("reasons", []), raw.get("explanations", {})
    if not isinstance(sets, list) or not isinstance(reasons, list) or not isinstance(explained, dict):
        raise RowRefused("what belongs to the study is of another form")
    for each in sets:
        if not isinstance(each, Mapping) or scale_set_from(each).name in READY_SETS:
            raise RowRefused("a set of scales is of another form")
    if not all(isinstance(words, str) for words in reasons) or len(reasons) > _MOST_REASONS:
        raise RowRefused("the reasons are of another form")
    for item in explained.values():
        if not isinstance(item, Mapping) or not all(isinstance(item.get(field), str) for field in _SHOWN):
            raise RowRefused("an explanation is of another form")
    project.set_meta(SCALE_SETS_META, json.dumps(sets, ensure_ascii=False))
    project.set_meta(REASONS_META, json.dumps(reasons, ensure_ascii=False))
    if study_id is not None:
        kept = {
            str(name): {field: item[field] for field in _SHOWN} | {"written_by": "", "known_defect": ""}
            for name, item in explained.items()
        }
        project.set_meta(explanations_meta(study_id), json.dumps(kept, ensure_ascii=False))
