"""The user's settings: each has a name, a type, a default and one line of help. No keys, no secrets."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, cast

from studio import paths
from studio.errors import StudioError
from studio.model.regions import RegionsMode
from studio.whole_files import PRIVATE, write_whole

FILE_NAME = "settings.json"
RECENT_LIMIT = 12


class ThemeChoice(StrEnum):
    """Which colours the window uses."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Role(StrEnum):
    """What the person at the window does; it decides which pages there are."""

    ANNOTATOR = "annotator"
    REVIEWER = "reviewer"
    AUTHOR = "author"
    ENGINEER = "engineer"


class Kind(StrEnum):
    """How a setting is edited."""

    TEXT = "text"
    FILE = "file"
    NUMBER = "number"
    SWITCH = "switch"
    CHOICE = "choice"
    LIST = "list"
    MAP = "map"


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One setting: what it is called, what it may hold and what it is for."""

    name: str
    kind: Kind
    default: Any
    words: str
    """What the form calls it."""
    help: str
    group: str = "General"
    choices: tuple[str, ...] = ()
    lowest: int = 0
    highest: int = 0
    unit: str = ""
    is_shown: bool = True
    """False for what the studio remembers by itself and no form shows."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value has this setting's type and lies in its range."""
        match self.kind:
            case Kind.TEXT | Kind.FILE:
                return isinstance(value, str)
            case Kind.NUMBER:
                is_whole = isinstance(value, int) and not isinstance(value, bool)
                return is_whole and self.lowest <= value <= self.highest
            case Kind.SWITCH:
                return isinstance(value, bool)
            case Kind.CHOICE:
                return value in self.choices
            case Kind.LIST:
                return isinstance(value, list) and all(isinstance(part, str) for part in value)
            case Kind.MAP:
                return isinstance(value, dict) and all(
                    isinstance(name, str) and isinstance(part, str) for name, part in value.items()
                )


ALL: tuple[Setting, ...] = (
    Setting(
        name="profile_name", kind=Kind.TEXT, default="", words="Name", group="Profile",
        help="Stored with the answers that you give.",
    ),
    Setting(
        name="profile_group", kind=Kind.TEXT, default="", words="Group", group="Profile",
        help="For example expert, design student or end user.",
    ),
    Setting(
        name="profile_role", kind=Kind.CHOICE, default=Role.ENGINEER.value, words="Role", group="Profile",
        choices=tuple(role.value for role in Role),
        help="An annotator's window shows no system names and no machine verdicts.",
    ),
    Setting(
        name="theme", kind=Kind.CHOICE, default=ThemeChoice.SYSTEM.value, words="Theme", group="Appearance",
        choices=tuple(choice.value for choice in ThemeChoice),
        help="System follows the desktop, also while the studio runs.",
    ),
    Setting(
        name="show_key_caps", kind=Kind.SWITCH, default=True, words="Show keys on controls",
        group="Appearance", help="Small key caps beside the words of a button.",
    ),
    Setting(
        name="reduced_motion", kind=Kind.SWITCH, default=False, words="Reduce motion", group="Appearance",
        help="Switches off fades.",
    ),
    Setting(
        name="libreoffice_path", kind=Kind.FILE, default="", words="LibreOffice", group="Programs",
        help="Draws PowerPoint decks. Empty: found on the search path.",
    ),
    Setting(
        name="chromium_path", kind=Kind.FILE, default="", words="Chromium", group="Programs",
        help="Draws HTML decks. Empty: found on the search path.",
    ),
    Setting(
        name="text_regions", kind=Kind.CHOICE, default=RegionsMode.DETECT.value, words="Text on pictures",
        group="Programs", choices=tuple(mode.value for mode in RegionsMode),
        help="Detect: metrics look for text on slides that are pictures. None: usability stays undefined there.",
    ),
    Setting(
        name="proxy", kind=Kind.TEXT, default="", words="Proxy", group="Programs",
        help="For model judges, such as http://proxy.example:3128. Empty: as the system says.",
    ),
    Setting(
        name="cache_size_mb", kind=Kind.NUMBER, default=256, words="Picture cache", group="Programs",
        lowest=32, highest=8192, unit="MB", help="Memory for slide pictures; more makes paging back faster.",
    ),
    Setting(
        name="page_cache_mb", kind=Kind.NUMBER, default=4096, words="Pages on disk", group="Programs",
        lowest=64, highest=1_000_000, unit="MB",
        help="Room for the slide pictures of one project; the longest unused go first and are made again when wanted.",
    ),
    Setting(
        name="recent_projects", kind=Kind.LIST, default=[], words="Recent projects", is_shown=False,
        help="Project folders, latest first.",
    ),
    Setting(
        name="last_project", kind=Kind.TEXT, default="", words="Last project", is_shown=False,
        help="Where \"Go on where I stopped\" goes.",
    ),
    Setting(
        name="last_page", kind=Kind.TEXT, default="", words="Last page", is_shown=False,
        help="The page that was open there.",
    ),
    Setting(
        name="last_instance", kind=Kind.TEXT, default="", words="Last instance", is_shown=False,
        help="The instance that was open there.",
    ),
    Setting(
        name="shortcuts", kind=Kind.MAP, default={}, words="Shortcuts", is_shown=False,
        help="Keys that differ from the defaults, by action.",
    ),
)  # fmt: skip

BY_NAME: dict[str, Setting] = {setting.name: setting for setting in ALL}


@dataclass(kw_only=True)
class Settings:
    """The present values. Reading never fails; `set` saves at once; `notices` says what was wrong at loading.

    What a newer studio wrote and this one does not know is kept and written back.
    """

    path: Path
    notices: list[str] = field(default_factory=list)
    _values: dict[str, Any] = field(default_factory=dict)
    _unknown: dict[str, Any] = field(default_factory=dict)
    _listeners: list[Callable[[str], None]] = field(default_factory=list)

    def get(self, name: str) -> Any:
        """Return the value of a setting, or its default.

        Raises:
            KeyError: if there is no such setting.
        """
        value = self._values.get(name, BY_NAME[name].default)
        return value.copy() if isinstance(value, list | dict) else value

    def text(self, name: str) -> str:
        """Return the value of a text, file or choice setting."""
        return cast("str", self.get(name))

    def is_on(self, name: str) -> bool:
        """Return the value of a switch."""
        return cast("bool", self.get(name))

    def number(self, name: str) -> int:
        """Return the value of a number setting, in the setting's unit."""
        return cast("int", self.get(name))

    @property
    def theme(self) -> ThemeChoice:
        """The chosen theme."""
        return ThemeChoice(self.text("theme"))

    @property
    def role(self) -> Role:
        """The role of the present profile."""
        return Role(self.text("profile_role"))

    def set(self, name: str, value: Any) -> None:
        """Set one value and save.

        Raises:
            StudioError: if the value does not fit, or the file cannot be written.
        """
        self.update({name: value})

    def update(self, values: dict[str, Any]) -> None:
        """Set several values and save once; either all are taken or none.

        Raises:
            StudioError: if a value does not fit, or the file cannot be written.
        """
        for name, value in values.items():
            if not BY_NAME[name].accepts(value):
                raise StudioError(
                    f"{BY_NAME[name].words} cannot be {value!r}.",
                    next_step="Choose another value in Settings.",
                )
        changed = [name for name, value in values.items() if self.get(name) != value]
        if not changed:
            return
        before = dict(self._values)
        self._values.update({name: values[name] for name in changed})
        try:
            self.save()
        except StudioError:
            self._values = before
            raise
        for name in changed:
            for listener in list(self._listeners):
                listener(name)

    def listen(self, listener: Callable[[str], None]) -> None:
        """Call the listener with the name of every setting that changes from now on."""
        self._listeners.append(listener)

    def unlisten(self, listener: Callable[[str], None]) -> None:
        """Stop calling a listener; one that is not there is no mistake."""
        if listener in self._listeners:
            self._listeners.remove(listener)

    def remember_project(self, folder: Path) -> None:
        """Put a project folder first in the recent list, once, and keep the list short.

        Paths are kept absolute: the next start may be in another working folder.
        """
        name = str(folder.absolute())
        others = [other for other in self.get("recent_projects") if other != name]
        self.set("recent_projects", [name, *others][:RECENT_LIMIT])

    def forget_project(self, folder: Path) -> None:
        """Take a project folder off the recent list and out of "Go on where I stopped"."""
        name = str(folder)
        values: dict[str, Any] = {"recent_projects": [other for other in self.get("recent_projects") if other != name]}
        if self.text("last_project") == name:
            values |= {"last_project": "", "last_page": "", "last_instance": ""}
        self.update(values)

    def remember_place(self, *, project: Path, page: str, instance: str) -> None:
        """Note where the user is, for "Go on where I stopped"."""
        self.update({"last_project": str(project.absolute()), "last_page": page, "last_instance": instance})

    def save(self) -> None:
        """Write the file whole or not at all.

        Raises:
            StudioError: if the folder or the disk refuses.
        """
        text = json.dumps(self._unknown | self._values, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
        try:
            write_whole(self.path, text, mode=PRIVATE)
        except OSError as error:
            raise StudioError(
                f"The settings could not be saved to {self.path}: {error.strerror or error}.",
                next_step="Check the free space and the permissions of this folder.",
            ) from error


def load(path: Path | None = None) -> Settings:
    """Return the settings of this user, or the defaults where there are none yet.

    A damaged file is moved aside and named in `notices`; a value that does not fit is left at its default
    and named there too.

    Args:
        path: another settings file than the user's own (tests, portable use).
    """
    settings = Settings(path=path or paths.config_dir() / FILE_NAME)
    try:
        raw = json.loads(settings.path.read_text(encoding="utf-8"))
        if not isinstance(raw, dict):
            raise ValueError("not a table of settings")
    except FileNotFoundError:
        return settings
    except OSError as error:
        settings.notices.append(f"The settings could not be read ({error.strerror}); the defaults are used.")
        return settings
    except ValueError:
        settings.notices.append(_moved_aside(settings.path))
        return settings
    for name, value in raw.items():
        known = BY_NAME.get(name)
        if known is None:
            settings._unknown[name] = value
        elif known.accepts(value):
            settings._values[name] = value
        else:
            settings.notices.append(f"{known.words} cannot be {value!r}; {known.default!r} is used.")
    return settings


def _moved_aside(path: Path) -> str:
    aside, number = path.with_name(f"{path.stem}.damaged{path.suffix}"), 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")
    try:
        path.rename(aside)
    except OSError:
        return f"The settings in {path} are damaged; the defaults are used."
    return f"The settings were damaged and are kept as {aside.name}; the defaults are used."
