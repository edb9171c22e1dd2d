"""The one rule for pages: are decks longer than their instance allows judged whole, or cut as the paper does."""

from __future__ import annotations

from enum import StrEnum

from studio.model.changes import Changes, Topic, changed
from studio.store import checklist_lists
from studio.store.project import Project


class PageRule(StrEnum):
    """What is judged of a deck that is longer than its instance allows."""

    CUT = "cut"
    """The pages up to the limit, as the paper does."""
    FULL = "full"


def page_rule(project: Project) -> PageRule:
    """Return the project's rule; judges, checklists and the pages that show decks for judging obey it."""
    return PageRule.CUT if checklist_lists.cuts(project) else PageRule.FULL


def set_page_rule(project: Project, rule: PageRule) -> Changes:
    """Set the project's rule. Verdicts say which one they were given under and stay."""
    checklist_lists.set_cuts(project, is_cut=rule is PageRule.CUT)
    return changed(Topic.CHECKLISTS, Topic.DECKS)
