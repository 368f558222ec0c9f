"""Settings: flag, environment, scenario front matter, file, default, in this order; each read by name.

`walkaround.toml`, or `[tool.walkaround]` in `pyproject.toml`, is looked for in this folder and those above.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from scenarios.errors import UsageError
from scenarios.units import read_seconds
from tester.deadlines import Deadlines

PREFIX = "WALKAROUND_"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set for a run, read and checked; times in seconds."""

    base_url: str | None
    browser: str
    browser_channel: str | None
    headed: bool
    slowmo: float
    tracing: str
    screenshot: str
    output: Path
    junit_xml: Path | None
    reporter: tuple[str, ...]
    workers: int
    max_failures: int | None
    model: str
    pilot_model: str | None
    storage_state: Path | None
    timeout: float
    idle_timeout: float
    tool_timeout: float
    action_timeout: float
    drain_timeout: float
    help_timeout: float
    quiet: bool
    verbose: bool

    @property
    def deadlines(self) -> Deadlines:
        """The deadlines by their names inside."""
        return Deadlines(
            idle=self.idle_timeout,
            tool=self.tool_timeout,
            action=self.action_timeout,
            drain=self.drain_timeout,
            help=self.help_timeout,
            scenario=self.timeout,
        )


def _one_of(*names: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in names:
            raise ValueError(f"{text!r} is not one of {', '.join(names)}")
        return text

    return read


def _some_of(*names: str) -> Callable[[str], tuple[str, ...]]:
    def read(text: str) -> tuple[str, ...]:
        return tuple(_one_of(*names)(part.strip()) for part in text.split(",") if part.strip())

    return read


def _flag(text: str) -> bool:
    return _one_of("true", "false", "1", "0")(text.lower()) in ("true", "1")


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise ValueError(f"{text!r} is not a whole number above 0")
    return int(text)


def _workers(text: str) -> int:
    import os

    return max(1, (os.cpu_count() or 2) // 2) if text == "auto" else _positive(text)


def _milliseconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return read_seconds(text) * 1000


SETTINGS: dict[str, tuple[Callable[[str], Any], str | None]] = {
    "base_url": (str, None),
    "browser": (_one_of("chromium", "firefox", "webkit"), "chromium"),
    "browser_channel": (str, None),
    "headed": (_flag, "false"),
    "slowmo": (_milliseconds, "0"),
    "tracing": (_one_of("on", "off", "retain-on-failure"), "off"),
    "screenshot": (_one_of("on", "off", "only-on-failure"), "on"),
    "output": (Path, "test-results"),
    "junit_xml": (Path, None),
    "reporter": (_some_of("list", "line", "json", "junit", "github"), ""),
    "workers": (_workers, "1"),
    "max_failures": (_positive, None),
    "model": (str, "offline"),
    "pilot_model": (str, None),
    "storage_state": (Path, None),
    "timeout": (read_seconds, "10m"),
    "idle_timeout": (read_seconds, "30s"),
    "tool_timeout": (read_seconds, "60s"),
    "action_timeout": (read_seconds, "10s"),
    "drain_timeout": (read_seconds, "5s"),
    "help_timeout": (read_seconds, "10m"),
    "quiet": (_flag, "false"),
    "verbose": (_flag, "false"),
}
"""How each setting is read, and its default; docs/settings.md is their reference."""
assert set(SETTINGS) == {field.name for field in fields(Settings)}


@dataclass(frozen=True, slots=True)
class Layers:
    """Where values come from, the strongest first: flags, the environment, (a scenario), a file."""

    flags: Mapping[str, Any]
    environment: Mapping[str, str]
    file: Mapping[str, Any]
    file_path: Path | None = None

    def settings(self, scenario: Mapping[str, str] | None = None) -> Settings:
        """The settings that hold for a scenario with this front matter, or for the run without one.

        Raises:
            UsageError: a value cannot be read; the message says where it was set.
        """
        return Settings(**{name: self._value(name, scenario or {}) for name in SETTINGS})

    def _value(self, name: str, scenario: Mapping[str, str]) -> Any:
        dashed, variable = name.replace("_", "-"), PREFIX + name.upper()
        for where, layer, key in (
            (f"--{dashed}", self.flags, name),
            (variable, self.environment, variable),
            (f"front matter: {dashed}", scenario, dashed),
            (f"front matter: {name}", scenario, name),
            (f"{self.file_path}: {dashed}", self.file, dashed),
            (f"{self.file_path}: {name}", self.file, name),
        ):
            if key in layer and layer[key] not in (None, ""):
                return _read(name, layer[key], where)
        default = SETTINGS[name][1]
        return None if default is None else SETTINGS[name][0](default)


def _read(name: str, value: Any, where: str) -> Any:
    text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    try:
        return SETTINGS[name][0](text.lower() if isinstance(value, bool) else text)
    except ValueError as error:
        raise UsageError(f"{where}: {error}") from error


def read_layers(flags: Mapping[str, Any], environment: Mapping[str, str], folder: Path) -> Layers:
    """The layers of a command: its flags, the environment (over `.env`), and the settings file.

    Raises:
        UsageError: the settings file cannot be read, or sets something that is not known.
    """
    path, values = _file(flags.get("config"), folder)
    for key in values:
        if key.replace("-", "_") not in SETTINGS:
            near = get_close_matches(key, [name.replace("_", "-") for name in SETTINGS], 1)
            raise UsageError(f"{path}: {key!r} is no setting" + (f"; is it {near[0]!r}?" if near else ""))
    return Layers(flags, {**_dotenv(folder), **environment}, values, path)


def _dotenv(folder: Path) -> dict[str, str]:
    path = folder / ".env"
    if not path.is_file():
        return {}
    from dotenv import dotenv_values

    return {name: value for name, value in dotenv_values(path).items() if value is not None}


def _file(given: Path | None, folder: Path) -> tuple[Path | None, dict[str, Any]]:
    if given is not None and not given.is_file():
        raise UsageError(f"{given}: there is no such settings file")
    for path in [given] if given is not None else _candidates(folder):
        if not path.is_file():
            continue
        values = _table(path)
        if values is not None:
            return path, values
    return None, {}


def _candidates(folder: Path) -> list[Path]:
    folder = folder.resolve()
    return [up / name for up in (folder, *folder.parents) for name in ("walkaround.toml", "pyproject.toml")]


def _table(path: Path) -> dict[str, Any] | None:
    """The settings in a file; None when a pyproject.toml has none."""
    try:
        whole = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: {error}") from error
    if path.name != "pyproject.toml":
        return whole
    table = whole.get("tool", {}).get("walkaround")
    return table if isinstance(table, dict) else None
