from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from studio.paths import demo_recipe_dir


@pytest.fixture(scope="session")
def recipe() -> ModuleType:
    """The recipe, loaded by its path as the studio loads it."""
    spec = importlib.util.spec_from_file_location("podium_demo_recipe", demo_recipe_dir() / "recipe.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def built(recipe: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's material, built once for all tests."""
    folder: Path = recipe.build(tmp_path_factory.mktemp("demo") / "out")
    return folder
