import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[3]
PIN = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)==(?P<version>[0-9][A-Za-z0-9.!+]*)")


def pin_lines() -> list[str]:
    return (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()


def pins() -> dict[str, str]:
    matches = [PIN.fullmatch(line) for line in pin_lines()]
    return {canonicalize_name(match["name"]): match["version"] for match in matches if match}


def requirements() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [text for group in project["optional-dependencies"].values() for text in group]
    return [Requirement(text) for text in project["dependencies"] + extras]


def test_that_constraints_hold_names_and_versions_only():
    # So no host, no path, no comment, no option can stand there.
    assert [line for line in pin_lines() if not PIN.fullmatch(line)] == []
    assert len(pins()) == len(pin_lines()) > 0, "a package is pinned twice"


@pytest.mark.parametrize("requirement", requirements(), ids=lambda requirement: requirement.name)
def test_that_every_dependency_is_pinned_to_a_version_it_allows(requirement):
    version = pins().get(canonicalize_name(requirement.name))
    assert version is not None, f"{requirement.name} is not in constraints.txt"
    assert requirement.specifier.contains(version), f"{version} is outside {requirement}"


@pytest.mark.parametrize("requirement", requirements(), ids=lambda requirement: requirement.name)
def test_that_what_a_dependency_needs_is_pinned_too(requirement):
    try:
        needs = metadata.requires(requirement.name) or []
    except metadata.PackageNotFoundError:
        pytest.skip(f"{requirement.name} is not installed here (only `make package` needs it)")
    wanted = [Requirement(text) for text in needs]
    here = {canonicalize_name(need.name) for need in wanted if not need.marker or need.marker.evaluate({"extra": ""})}
    # pip and setuptools come with Python.
    assert here - pins().keys() - {"pip", "setuptools"} == set()


def test_that_opencv_comes_without_a_qt_of_its_own():
    assert "opencv-python" not in pins()
    assert "opencv-python-headless" in pins()
