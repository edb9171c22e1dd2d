"""The pages of the window in the order of the rail, and who may see which."""

from __future__ import annotations

from studio.gui.page import Page
from studio.settings import Role

RAIL = (
    "library",
    "compare",
    "rank",
    "checklist",
    "rate",
    "author",
    "runs",
    "review",
    "alignment",
    "agreement",
    "leaderboard",
    "quiz",
)
"""Every page id in the order of the rail. A page that has no class yet is not shown.

New pages come last: Alt and a digit lead to a page by its place.
"""

BLIND_PAGES = frozenset({"rank", "checklist", "rate", "compare"})


def visible_pages(role: Role) -> frozenset[str]:
    """Return the pages that a role may open.

    An annotator's window has no page from which system names, verdicts or other people's answers could be
    read; Compare is there without names.
    """
    return BLIND_PAGES if role is Role.ANNOTATOR else frozenset(RAIL)


def page_classes() -> list[type[Page]]:
    """Return the page classes there are, in the order of the rail."""
    from studio.gui.pages.agreement import AgreementPage
    from studio.gui.pages.alignment import AlignmentPage
    from studio.gui.pages.author import AuthorPage
    from studio.gui.pages.checklist import ChecklistPage
    from studio.gui.pages.compare import ComparePage
    from studio.gui.pages.leaderboard import LeaderboardPage
    from studio.gui.pages.library import LibraryPage
    from studio.gui.pages.quiz import QuizPage
    from studio.gui.pages.rank import RankPage
    from studio.gui.pages.rate import RatePage
    from studio.gui.pages.review import ReviewPage
    from studio.gui.pages.runs import RunsPage

    classes: list[type[Page]] = [
        LibraryPage, ComparePage, RankPage, ChecklistPage, RatePage, AuthorPage, QuizPage, RunsPage, ReviewPage,
        AgreementPage, AlignmentPage, LeaderboardPage,
    ]  # fmt: skip
    return sorted(classes, key=lambda page: RAIL.index(page.page_id))
