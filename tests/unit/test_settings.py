from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from studio import settings as settings_module
from studio.errors import StudioError
from studio.settings import ALL, Role, ThemeChoice, load


def test_that_every_default_fits_its_own_setting():
    assert [setting.name for setting in ALL if not setting.accepts(setting.default)] == []
    assert all(setting.help and setting.words for setting in ALL)


def test_that_no_file_means_defaults_and_no_notice(tmp_path):
    settings = load(tmp_path / "settings.json")
    assert settings.theme is ThemeChoice.SYSTEM
    assert settings.role is Role.ENGINEER
    assert settings.notices == []
    assert not settings.path.exists()


def test_that_a_value_comes_back_after_a_restart(tmp_path):
    load(tmp_path / "s.json").update({"profile_name": "王小明", "cache_size_mb": 64})
    again = load(tmp_path / "s.json")
    assert again.text("profile_name") == "王小明"
    assert again.number("cache_size_mb") == 64


def test_that_unknown_keys_are_written_back(tmp_path):
    path = tmp_path / "s.json"
    path.write_text('{"from_the_future": [1, 2], "theme": "dark"}', encoding="utf-8")
    load(path).set("profile_group", "expert")
    raw = json.loads(path.read_text(encoding="utf-8"))
    assert raw == {"from_the_future": [1, 2], "theme": "dark", "profile_group": "expert"}


@pytest.mark.parametrize("text", ["{", "[1]", "\x00\x01", "{'theme': 1}"])
def test_that_a_damaged_file_is_moved_aside_with_a_notice(tmp_path, text):
    path = tmp_path / "s.json"
    path.write_text(text, encoding="utf-8")
    settings = load(path)
    assert "s.damaged.json" in settings.notices[0]
    assert (tmp_path / "s.damaged.json").read_text(encoding="utf-8") == text
    path.write_text("{", encoding="utf-8")
    assert "s.damaged-2.json" in load(path).notices[0]


def test_that_a_value_of_the_wrong_type_falls_back_and_is_named(tmp_path):
    path = tmp_path / "s.json"
    path.write_text('{"cache_size_mb": "lots", "theme": "dark"}', encoding="utf-8")
    settings = load(path)
    assert settings.number("cache_size_mb") == 256
    assert settings.theme is ThemeChoice.DARK
    assert "Picture cache" in settings.notices[0]


def test_that_a_wrong_value_is_refused_and_nothing_of_the_batch_is_taken(tmp_path):
    settings = load(tmp_path / "s.json")
    with pytest.raises(StudioError, match="Theme"):
        settings.update({"profile_name": "N", "theme": "pink"})
    assert settings.text("profile_name") == ""
    with pytest.raises(StudioError):
        settings.set("cache_size_mb", True)


def test_that_a_failed_save_keeps_the_old_file_and_the_old_value(tmp_path, monkeypatch):
    settings = load(tmp_path / "s.json")
    settings.set("profile_name", "before")

    def refuse(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("studio.whole_files.os.replace", refuse)
    with pytest.raises(StudioError, match="No space left"):
        settings.set("profile_name", "after")
    monkeypatch.undo()
    assert settings.text("profile_name") == "before"
    assert load(tmp_path / "s.json").text("profile_name") == "before"
    assert os.listdir(tmp_path) == ["s.json"]


def test_that_the_recent_list_is_short_without_doubles_and_latest_first(tmp_path):
    settings = load(tmp_path / "s.json")
    for number in range(20):
        settings.remember_project(tmp_path / str(number))
    settings.remember_project(tmp_path / "15")
    recent = settings.get("recent_projects")
    assert len(recent) == settings_module.RECENT_LIMIT
    assert recent[0].endswith("15")
    assert recent.count(str(tmp_path / "15")) == 1


def test_that_forgetting_a_project_also_clears_where_one_stopped(tmp_path):
    settings = load(tmp_path / "s.json")
    settings.remember_project(tmp_path)
    settings.remember_place(project=tmp_path, page="rank", instance="inst_1")
    settings.forget_project(tmp_path)
    assert settings.get("recent_projects") == []
    assert settings.text("last_page") == ""


def test_that_listeners_hear_only_what_changed(tmp_path):
    settings = load(tmp_path / "s.json")
    heard = []
    settings.listen(heard.append)
    settings.update({"theme": "dark", "profile_name": ""})
    settings.set("theme", "dark")
    assert heard == ["theme"]


def test_that_a_caller_cannot_change_a_list_behind_the_settings_back(tmp_path):
    settings = load(tmp_path / "s.json")
    settings.get("recent_projects").append("sneaky")
    assert settings.get("recent_projects") == []


def test_that_a_project_opened_by_a_relative_path_is_found_from_another_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings = load(tmp_path / "s.json")
    settings.remember_project(Path("study"))
    settings.remember_project(tmp_path / "study")
    settings.remember_place(project=Path("study"), page="rank", instance="")
    assert settings.get("recent_projects") == [str(tmp_path / "study")]
    assert settings.text("last_project") == str(tmp_path / "study")
