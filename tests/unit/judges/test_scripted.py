"""Which file a scripted judge is read from."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio import paths
from studio.judges.scripted import script_path


@pytest.mark.parametrize("is_folder", [True, False])
def test_the_demos_judge_is_the_shipped_one_whatever_lies_in_the_current_folder(
    is_folder: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if is_folder:
        Path("demo").mkdir()
    else:
        Path("demo").write_text("{}", encoding="utf-8")
    assert script_path("demo") == paths.demo_recipe_dir() / "scripted_judge.json"
    assert script_path("./demo") == Path("demo")
