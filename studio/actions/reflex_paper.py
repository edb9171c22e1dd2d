"""The REFLEX paper's tables and figures as we read them, each a board, and its picture where it is a figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from studio.actions.leaderboard import Board, export_board
from studio.actions.reflex_boards import (
    EXPLANATIONS,
    SCORES,
    SEARCHED,
    SENSITIVITY,
    PaperSource,
    explanations_board,
    scores_board,
    searched_board,
    sensitivity_board,
    title_of_metric,
)
from studio.actions.reflex_people import (
    AGREEMENT,
    PEOPLE,
    USEFULNESS,
    agreement_board,
    people_board,
    rating_range,
    usefulness_board,
)
from studio.errors import BadInput, StudioError
from studio.exchange.ratings_svg import Rating, RatingRow, ratings_svg
from studio.exchange.sensitivity_svg import PAPER, Colours, Curve, Facet, sensitivity_svg
from studio.model.reflex import ContentMetric
from studio.store.project import Project
from studio.whole_files import write_whole

Draw = Callable[[Colours], str]


@dataclass(frozen=True, kw_only=True)
class PaperView:
    """One table or figure of the paper."""

    name: str
    """Of the view and of its files."""
    number: str
    """As the paper counts: ``Table 1``."""
    title: str
    build: Callable[[PaperSource], Board]

    @property
    def source(self) -> str:
        """Return where it is from."""
        return f"REFLEX, {self.number.casefold()}, as we read it"


@dataclass(frozen=True, kw_only=True)
class PaperPage:
    """One table or figure of a project, or why there is none."""

    view: PaperView
    board: Board | None
    reason: str = ""
    """What is missing, and what to do."""
    draw: Draw | None = None
    """Makes the picture of a figure, as SVG."""


PAPER_VIEWS: tuple[PaperView, ...] = (
    PaperView(name=SCORES, number="Table 1", title="Degrees", build=scores_board),
    PaperView(name=EXPLANATIONS, number="Table 2", title="Explanations", build=explanations_board),
    PaperView(name=PEOPLE, number="Table 3", title="People", build=people_board),
    PaperView(name=AGREEMENT, number="Table 4", title="Agreement", build=agreement_board),
    PaperView(name=SEARCHED, number="Table 5", title="Settings", build=searched_board),
    PaperView(name=SENSITIVITY, number="Figure 3", title="Sensitivity", build=sensitivity_board),
    PaperView(name=USEFULNESS, number="Figure 4", title="Usefulness", build=usefulness_board),
)  # fmt: skip
"""In the order in which they are shown."""


def paper_pages(project: Project) -> tuple[PaperPage, ...]:
    """Return every table and figure; one that the project has nothing for says what to do."""
    source = PaperSource(project)
    return tuple(_page(source, view) for view in PAPER_VIEWS)


def write_pages(pages: Sequence[PaperPage], folder: Path) -> list[Path]:
    """Write every table as CSV, Markdown and LaTeX and every figure as SVG, each whole, and return the files.

    Raises:
        BadInput: if the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder} cannot be made: {error}.", next_step="Choose another folder.") from error
    files = []
    for page in pages:
        if page.board is not None:
            files += [export_board(page.board, folder / f"{page.view.name}{ending}") for ending in
                      (".csv", ".md", ".tex")]  # fmt: skip
        if page.draw is not None:
            path = folder / f"{page.view.name}.svg"
            write_whole(path, page.draw(PAPER))
            files.append(path)
    return files


def _page(source: PaperSource, view: PaperView) -> PaperPage:
    try:
        board = view.build(source)
    except StudioError as error:
        return PaperPage(view=view, board=None, reason=str(error))
    draw = _DRAWN[view.name](source.project, board) if view.name in _DRAWN else None
    return PaperPage(view=view, board=board, draw=draw)


def _sensitivity(_project: Project, board: Board) -> Draw:
    facets = []
    for metric in ContentMetric:
        title = title_of_metric(metric)
        curves = tuple(
            Curve(
                title=row.title.removeprefix(f"{title} · "), is_baseline=False,
                points=tuple((int(column.key), cell.value) for column, cell in zip(board.columns, row.cells,
                                                                                  strict=True)),
            )
            for row in board.rows
            if row.title.startswith(f"{title} · ") and any(cell.value is not None for cell in row.cells)
        )  # fmt: skip
        if curves:
            facets.append(Facet(title=title, curves=curves))
    words = "Kendall's tau of the decks as they were and those of one degree"
    values = [cell.value for row in board.rows for cell in row.cells if cell.value is not None]
    low = -0.2 if min(values, default=0.0) >= -0.2 else -1.0
    return lambda colours: sensitivity_svg(facets, words=words, colours=colours, start=None, low=low)


def _usefulness(project: Project, board: Board) -> Draw:
    low, high = rating_range(project)
    rows = [
        RatingRow(
            title=row.title,
            ratings=tuple(
                Rating(mean=cell.value, low=cell.low, high=cell.high, n=cell.n, reason=cell.reason)
                for cell in row.cells
            ),
        )
        for row in board.rows
    ]  # fmt: skip
    return lambda colours: ratings_svg(
        [column.title for column in board.columns], rows, words="Mean rating of explanations, with 95 % intervals",
        low=low, high=high, colours=colours,
    )  # fmt: skip


_DRAWN: Mapping[str, Callable[[Project, Board], Draw]] = {SENSITIVITY: _sensitivity, USEFULNESS: _usefulness}
