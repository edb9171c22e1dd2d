"""Words typed into a list's settings that cannot be stored as they are, kept until somebody mends them."""

from __future__ import annotations

import json
from collections.abc import Mapping

from studio.model.authoring import Scope
from studio.store.project import Project

UNSAVED_META = "checklist_unsaved_words"


def unsaved_words(project: Project, scope: Scope) -> dict[str, str]:
    """Return the words that wait for one list, by the name of their field."""
    return _all(project).get(scope.key, {})


def keep_unsaved_words(project: Project, scope: Scope, words: Mapping[str, str]) -> None:
    """Keep words of one list in the place of those before; none lets go of them."""
    known = _all(project)
    kept = {key: value for key, value in known.items() if key != scope.key}
    if words:
        kept[scope.key] = dict(words)
    if kept != known:
        project.set_meta(UNSAVED_META, json.dumps(kept, ensure_ascii=False))


def _all(project: Project) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(project.meta(UNSAVED_META, "{}"))
    return found
