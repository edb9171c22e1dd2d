import ast
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[3]
OWN = {"studio", "tests", "podium_demo"}


def declared(*groups: str) -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    texts = [*project["dependencies"], *(text for group in groups for text in project["optional-dependencies"][group])]
    return {canonicalize_name(Requirement(text).name) for text in texts}


def imported_below(folder: Path) -> set[str]:
    names = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module)
    own = OWN | {path.stem for path in folder.rglob("*.py")}
    return {name.partition(".")[0] for name in names} - own - sys.stdlib_module_names


@pytest.mark.parametrize(
    ("folder", "groups"),
    [("studio", ("dask",)), ("projects/demo", ()), ("tests", ("dev",)), ("packaging", ("dev", "package"))],
)
def test_that_every_import_comes_from_a_declared_dependency(folder, groups):
    distributions = metadata.packages_distributions()
    undeclared = {
        name
        for name in imported_below(ROOT / folder)
        # shiboken6 is the half of PySide6 that its distribution cannot do without; packaging comes with pytest.
        if not {canonicalize_name(found) for found in distributions.get(name, [name])} & declared(*groups)
        and name not in {"shiboken6", "packaging"}
    }
    assert undeclared == set()
