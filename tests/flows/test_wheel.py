import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Return a wheel built from a copy of the checkout in which the demo has been built."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, copy / name)
    for name in ("studio", "resources", "projects"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "built"))
    built = copy / "projects/demo/built/project.db"
    built.parent.mkdir(parents=True)
    built.write_bytes(b"a user's data")
    out = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)],
        cwd=copy,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return next(out.glob("podium_studio-*.whl"))


def files_below(folder):
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not {"__pycache__", "built"} & set(path.parts)
    }


@pytest.mark.parametrize(("in_checkout", "in_wheel"), [("resources", "_resources"), ("projects/demo", "_demo")])
def test_that_a_wheel_carries_what_stands_beside_the_package(wheel, in_checkout, in_wheel):
    expected = files_below(ROOT / in_checkout)
    if not expected:
        pytest.skip(f"{in_checkout} is empty in this checkout")
    prefix = f"studio/{in_wheel}/"
    packed = {name.removeprefix(prefix) for name in zipfile.ZipFile(wheel).namelist() if name.startswith(prefix)}
    assert packed == expected


def test_that_a_wheel_carries_the_licence_and_no_built_demo(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert [name for name in names if "built" in name or name.startswith("tests")] == []


def test_that_an_installed_wheel_finds_its_resources(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    program = "from studio.paths import resource; print(resource('docs/glossary.md'))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path / "site",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()) == tmp_path / "site/studio/_resources/docs/glossary.md"
