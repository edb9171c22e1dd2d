"""All subcommands by name: each one's module is imported when it is called, not before."""

from __future__ import annotations

import importlib
from typing import NamedTuple

import click


class Subcommand(NamedTuple):
    """Where a subcommand lives and what the list of commands says of it."""

    module: str
    attribute: str
    short_help: str


SUBCOMMANDS = {
    "demo": Subcommand("demo", "demo", "Build the demo project if needed and open the window on it."),
    "gui": Subcommand("projects", "gui", "Open the window, on a project if one is named."),
    "doctor": Subcommand("doctor", "doctor", "Say what is installed, and what is missing."),
    "new": Subcommand("projects", "new", "Make a new project folder."),
    "import": Subcommand("importing", "import_", "Bring instances, sources and decks into a project."),
    "status": Subcommand("projects", "status", "Print counts, missing files and open runs of a project."),
    "decks": Subcommand("decks", "decks", "List the decks of a project with their state and facts."),
    "replace": Subcommand("care", "replace", "Give a deck another file; earlier answers stay, marked stale."),
    "rename": Subcommand("care", "rename", "Give a system, an instance or a deck's file another name."),
    "remove": Subcommand("care", "remove", "Hide a deck, a system or an instance; nothing is deleted."),
    "find-files": Subcommand("care", "find_files", "Bring missing originals back from a folder, by their content."),
    "undo": Subcommand("care", "undo", "Take back the last replacing, renaming or removing."),
    "inspect": Subcommand("files", "inspect", "Print the facts of one file as JSON, without rendering it."),
    "render": Subcommand("files", "render", "Write one PNG for each slide: slide_0001.png and so on."),
    "metrics": Subcommand("metrics", "metrics", "Run the metrics over a project or a folder of slide pictures."),
    "regions": Subcommand("regions", "regions", "Find text on slides that are pictures; regions out and in."),
    "find": Subcommand("finding", "find", "Find a phrase or a number of a slide in the sources."),
    "pei": Subcommand("editability", "pei", "Say how far a deck, or every deck of a project, can be edited."),
    "rules": Subcommand("rules", "rules", "List the rules of the code judge, or try them on a deck."),
    "checklist": Subcommand("checklists", "checklist", "Write, check, bring in and take out checklists."),
    "score": Subcommand("scoring", "score", "Print the PresentBench score of a result file."),
    "judge": Subcommand("judging", "judge", "Let a model judge decks, or say first what that would cost."),
    "quiz": Subcommand("quiz", "quiz", "Ask decks what their sources say: banks and readers."),
    "judges": Subcommand("judges", "judges", "List a project's named judges, keep one, or forget one."),
    "runs": Subcommand("runs", "runs", "List runs, resume one, or try again what failed in it."),
    "presets": Subcommand("presets", "presets", "List, show, import and export parameters under a name."),
    "reference": Subcommand("reference", "reference", "Make a yardstick of a corpus, and see decks' percentiles."),
    "perturb": Subcommand("perturb", "perturb", "Make a deck worse on purpose, and keep the recipe."),
    "reflex": Subcommand("reflex", "reflex", "Score what slides say, with what to change; or train."),
    "agree": Subcommand("agree", "agree", "Print how far people agree with each other."),
    "align": Subcommand("align", "align", "Print how well each method agrees with the people."),
    "review": Subcommand("review", "review", "Go through disagreements, and decide or return them."),
    "leaderboard": Subcommand("leaderboard", "leaderboard", "Print how systems stand, by view and by group."),
    "snapshot": Subcommand("leaderboard", "snapshot", "Freeze the state of a benchmark, and compare two."),
    "ablate": Subcommand("tuning", "ablate", "Print how well each subset of components agrees."),
    "tune": Subcommand("tuning", "tune", "Search for aesthetics parameters that agree best with people."),
    "ve-matrix": Subcommand("tuning", "ve", "Print how good decks look against how far they can be edited."),
    "export": Subcommand("tables", "export", "Write a table as CSV, JSONL, Markdown, LaTeX or Parquet."),
    "import-table": Subcommand("tables", "import_table", "Read a table back in."),
    "plots": Subcommand("publishing", "plots", "Write the plots of the alignment as SVG, PDF or PNG."),
    "cases": Subcommand("publishing", "cases", "Write case cards where people and a judge differ."),
    "release": Subcommand("publishing", "release", "Write an alignment set for others as one folder."),
    "report": Subcommand("demo", "report", "Write a self-contained HTML report with plots."),
    "study": Subcommand("studies", "study", "List, make, plan and close studies; samples, known answers."),
    "people": Subcommand("people", "people", "List annotators, and change their profiles."),
    "pack": Subcommand("packs", "pack", "Send work out to one annotator, and take the answers back."),
    "privacy": Subcommand("privacy", "privacy", "List what in the decks names the system that made them."),
    "cache": Subcommand("page_cache", "cache", "Show or remove the rendered pages of a project."),
}
"""In the order in which a study needs them."""


class Subcommands(click.Group):
    """A group that knows its commands' names without importing them.

    The libraries behind all of them take a second to import; `studio --help` and `studio status` do without.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of `SUBCOMMANDS`."""
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command, imported now, or None if there is no such one."""
        entry = SUBCOMMANDS.get(cmd_name)
        if entry is None:
            return None
        command: click.Command = getattr(importlib.import_module(f"studio.cli.{entry.module}"), entry.attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from `SUBCOMMANDS`, importing none."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.short_help) for name, entry in SUBCOMMANDS.items()])
