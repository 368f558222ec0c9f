"""Settings come from five places, in one order, and say where a wrong one stands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cli.settings import SETTINGS, Layers, read_layers
from scenarios.errors import UsageError


def layers(
    folder: Path, flags: dict[str, Any] | None = None, environment: dict[str, str] | None = None
) -> Layers:
    return read_layers(flags or {}, environment or {}, folder)


def test_the_strongest_place_wins(tmp_path: Path) -> None:
    (tmp_path / "walkaround.toml").write_text(
        'idle-timeout = "1s"\ntool-timeout = "1s"\naction-timeout = "1s"\n'
    )
    environment = {"WALKAROUND_IDLE_TIMEOUT": "3s", "WALKAROUND_TOOL_TIMEOUT": "3s"}
    front = {"idle-timeout": "2s", "tool-timeout": "2s", "action-timeout": "2s"}
    settings = layers(tmp_path, {"idle_timeout": "4s"}, environment).settings(front)
    assert (settings.idle_timeout, settings.tool_timeout, settings.action_timeout) == (4, 3, 2)
    assert layers(tmp_path).settings().action_timeout == 1
    assert settings.drain_timeout == 5
    assert settings.deadlines.idle == 4


def test_a_table_in_pyproject_is_found_from_a_folder_below(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.walkaround]\noutput = "out"\nheaded = true\nreporter = ["list"]\n'
    )
    (tmp_path / "a" / "b").mkdir(parents=True)
    settings = layers(tmp_path / "a" / "b").settings()
    assert settings.output == Path("out")
    assert settings.headed
    assert settings.reporter == ("list",)


def test_dotenv_never_overrides_the_environment(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("WALKAROUND_MODEL=from-file\nWALKAROUND_TIMEOUT=7m\n")
    settings = layers(tmp_path, environment={"WALKAROUND_MODEL": "from-environment"}).settings()
    assert settings.model == "from-environment"
    assert settings.timeout == 420


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        ({"idle_timeout": "30"}, "--idle-timeout: '30' is not a duration; write a number with its unit"),
        ({"workers": "0"}, "--workers: '0' is not a whole number above 0"),
        ({"tracing": "yes"}, "--tracing: 'yes' is not one of on, off, retain-on-failure"),
        ({"reporter": "list,xml"}, "--reporter: 'xml' is not one of"),
    ],
)
def test_a_value_that_cannot_be_read_says_where_it_was_set(
    tmp_path: Path, flags: dict[str, Any], says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        layers(tmp_path, flags).settings()


def test_an_unknown_key_in_a_file_is_an_error_that_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "walkaround.toml").write_text('idle-timout = "1s"\n')
    with pytest.raises(
        UsageError, match=r"walkaround.toml: 'idle-timout' is no setting; is it 'idle-timeout'"
    ):
        layers(tmp_path)


def test_a_broken_or_missing_file_is_an_error_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "walkaround.toml").write_text("= 1\n")
    with pytest.raises(UsageError, match=r"walkaround\.toml"):
        layers(tmp_path)
    with pytest.raises(UsageError, match="no such settings file"):
        layers(tmp_path, {"config": tmp_path / "other.toml"})


def test_the_reference_names_every_setting_with_its_default() -> None:
    page = (Path(__file__).parents[2] / "docs" / "settings.md").read_text()
    rows = dict(re.findall(r"(?m)^\| `([a-z-]+)` \|\s*(.*?)\s*\|", page))
    assert set(rows) == {name.replace("_", "-") for name in SETTINGS}
    for name, (_, default) in SETTINGS.items():
        if name != "pilot_model":
            assert rows[name.replace("_", "-")] == (f"`{default}`" if default else "")
