"""The set-up script on machines made of stand-ins: what is on the path is what the machine has."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PLAIN_TOOLS = "cat chmod cut dirname env flock grep ls mkdir paste rm sed sh sha256sum tail tr uname"
LIBRARIES = (
    "libEGL.so.1 libGL.so.1 libX11-xcb.so.1 libdbus-1.so.3 libfontconfig.so.1 libglib-2.0.so.0 "
    "libxkbcommon.so.0 libxkbcommon-x11.so.0 libxcb-cursor.so.0 libxcb-icccm.so.4 libxcb-image.so.0 "
    "libxcb-keysyms.so.1 libxcb-randr.so.0 libxcb-render-util.so.0 libxcb-shape.so.0 libxcb-sync.so.1 "
    "libxcb-xfixes.so.0 libxcb-xinerama.so.0 libxcb-xkb.so.1"
)
# As much of apt-get as matters here: installing LibreOffice puts `soffice` on the path; there is no Chromium.
APT = """
echo "apt-get $*" >>"$CALLS"
case "$*" in
    *chromium*) echo 'E: Unable to locate package chromium' >&2; exit 100 ;;
    *libreoffice-impress*) cat "$0" >"$BIN/soffice"; chmod +x "$BIN/soffice" ;;
esac
"""

PYTHON = """#!/bin/sh
echo "$0 $*" >>"$CALLS"
case "$*" in
    *'-m venv --clear '*) mkdir -p "$4/bin"; cat "$0" >"$4/bin/python"; chmod +x "$4/bin/python" ;;
    '--version') echo Python 3.99.0 ;;
esac
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the stand-ins are those of a Linux machine")


class Machine:
    """A checkout and the programs that can be found from it."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "checkout"
        self.bin = folder / "bin"
        self.calls_file = folder / "calls"
        (self.checkout / "packaging").mkdir(parents=True)
        self.bin.mkdir()
        shutil.copy(ROOT / "packaging/setup.sh", self.checkout / "packaging")
        for name in ("pyproject.toml", "constraints.txt"):
            shutil.copy(ROOT / name, self.checkout)
        for tool in PLAIN_TOOLS.split():
            (self.bin / tool).symlink_to(shutil.which(tool))
        self.has("id", "echo 0")
        self.has("python3", PYTHON)
        self.has("ldconfig", f"echo {LIBRARIES}")
        self.has("fc-list", "echo DejaVu Sans, Liberation Sans, Carlito, Caladea, Noto Sans CJK")
        self.has("soffice")
        self.has("chromium")

    def has(self, name: str, script: str = "") -> None:
        program = self.bin / name
        program.write_text(script if script.startswith("#!") else f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)

    def lacks(self, *names: str) -> None:
        for name in names:
            (self.bin / name).unlink()

    def set_up(self, *options: str, python: str = "") -> tuple[int, str]:
        """Return the script's exit code and what it said."""
        environment = {"PATH": str(self.bin), "CALLS": str(self.calls_file), "BIN": str(self.bin)}
        done = subprocess.run(
            [str(self.bin / "sh"), "packaging/setup.sh", *options],
            cwd=self.checkout,
            env=environment | ({"PYTHON": python} if python else {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.stdout == ""
        return done.returncode, done.stderr

    def calls(self, word: str) -> list[str]:
        lines = self.calls_file.read_text().splitlines() if self.calls_file.exists() else []
        return [line for line in lines if word in line]


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_that_a_complete_machine_gets_packages_by_the_pins_and_nothing_from_apt(machine):
    machine.has("apt-get", APT)
    code, said = machine.set_up()
    assert (code, said.splitlines()[-1]) == (0, "setup: ready.")
    assert machine.calls("apt-get") == []
    installs = machine.calls("pip")
    assert [call.partition(" install ")[2] for call in installs if " install " in call] == [
        "-q -c constraints.txt hatchling setuptools wheel",
        "-q -c constraints.txt --no-build-isolation -e .[dev]",
    ]


def test_that_a_second_set_up_does_nothing_and_says_nothing(machine):
    machine.set_up()
    before = machine.calls("pip")
    assert machine.set_up() == (0, "")
    assert machine.calls("pip") == before


def test_that_changed_pins_are_installed_into_the_same_environment(machine):
    machine.set_up()
    with (machine.checkout / "constraints.txt").open("a") as pins:
        pins.write("one-more==1.0\n")
    assert machine.set_up()[0] == 0
    assert len(machine.calls("-e .[dev]")) == 2
    assert len(machine.calls("venv --clear")) == 1


def test_that_a_moved_checkout_gets_a_new_environment(machine):
    machine.set_up()
    machine.checkout = machine.checkout.rename(machine.checkout.with_name("elsewhere"))
    assert machine.set_up()[0] == 0
    assert len(machine.calls("venv --clear")) == 2


def test_that_packaging_installs_its_extra_once(machine):
    machine.set_up()
    machine.set_up("--package")
    assert machine.set_up("--package") == (0, "")
    assert len(machine.calls("-e .[dev,package]")) == 1


def test_that_apt_is_asked_only_for_what_is_missing(machine):
    machine.lacks("soffice")
    machine.has("apt-get", APT)
    code, said = machine.set_up()
    assert (code, "still missing" in said) == (0, False)
    update, install = machine.calls("apt-get")
    assert update.endswith(" update")
    assert install.endswith(" install -y --no-install-recommends libreoffice-impress")


def test_that_one_name_apt_does_not_know_keeps_no_other_away(machine):
    machine.lacks("soffice", "chromium")
    machine.has("apt-get", APT)
    code, said = machine.set_up()
    assert code == 0
    assert "E: Unable to locate package chromium" in said
    missing = said.partition("still missing:")[2]
    assert "Chromium (HTML decks)" in missing
    assert "LibreOffice" not in missing


def test_that_a_machine_without_apt_gets_a_list_by_purpose_and_set_up_goes_on(machine):
    machine.lacks("soffice", "chromium", "fc-list")
    code, said = machine.set_up()
    assert code == 0
    for purpose in ("LibreOffice Impress", "Chromium", "fonts, Chinese, Japanese and Korean"):
        assert purpose in said
    assert len(machine.calls("-e .[dev]")) == 1
    # The next command says it in one line and does not try again; `make setup` does.
    code, said = machine.set_up()
    assert (code, len(said.splitlines())) == (0, 1)
    assert "fonts office browser" in said
    assert "no apt-get here" in machine.set_up("--again")[1]


def test_that_a_user_without_sudo_learns_what_root_would_type(machine):
    machine.lacks("chromium")
    machine.has("id", "echo 1000")
    machine.has("apt-get", APT)
    code, said = machine.set_up()
    assert (code, machine.calls("apt-get")) == (0, [])
    assert "apt-get install --no-install-recommends chromium" in said


@pytest.mark.parametrize("library", ["libEGL.so.1", "libxcb-cursor.so.0"])
def test_that_a_missing_qt_library_is_noticed(machine, library):
    machine.has("ldconfig", f"echo {LIBRARIES.replace(library, '')}")
    assert "Qt's system libraries" in machine.set_up()[1]


def test_that_an_old_python_is_refused_before_anything_is_installed(machine):
    machine.has("old-python", "exit 1")
    code, said = machine.set_up(python="old-python")
    assert code == 1
    assert "no Python from 3.11 on" in said
    assert "Next step:" in said
    assert not (machine.checkout / ".venv").exists()


def test_that_a_failed_pip_stops_with_its_error(machine):
    machine.has("python3", PYTHON + "case \"$*\" in *' install '*) echo 'ERROR: no route' >&2; exit 1 ;; esac\n")
    code, said = machine.set_up()
    assert code == 1
    assert "ERROR: no route" in said
    assert "Next step:" in said
    # What failed is not taken for done.
    assert machine.set_up()[0] == 1


def test_that_an_unknown_option_is_bad_usage(machine):
    code, said = machine.set_up("--quick")
    assert (code, "unknown option --quick" in said) == (2, True)
