"""The commands that run scenarios: what is collected, who watches, and how the process ends."""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio

from cli.crew import check_sentences
from cli.settings import Layers, Settings, read_layers
from scenarios.collect import collect
from scenarios.errors import Interrupted, NothingCollected, UsageError
from scenarios.scenario import Scenario
from traces.events import Event
from traces.result import exit_code

_PLACES = ("scenarios", ".")
"""Where scenarios are looked for when no path is given."""


def run_command(paths: Sequence[str], flags: Mapping[str, Any]) -> int:
    """Runs the scenarios that paths and flags mean; gives the exit code of design.md, section 8."""
    layers = read_layers(flags, os.environ, Path.cwd())
    settings = layers.settings()
    scenarios = _collect(paths, flags, settings, layers.environment)
    check_sentences(scenarios, layers)
    return _list(scenarios) if flags.get("dry_run") else _fly(scenarios, layers, settings)


def list_command(paths: Sequence[str], flags: Mapping[str, Any]) -> int:
    """Lists what `run` would run."""
    layers = read_layers(flags, os.environ, Path.cwd())
    return _list(_collect(paths, flags, layers.settings(), layers.environment))


def demo_command(flags: Mapping[str, Any], with_bug: bool) -> int:
    """Starts the demo application, runs its scenarios with the offline model, and stops it."""
    from cli.demo.app import DemoApp

    with DemoApp(with_bug=with_bug) as app:
        environment = {**os.environ, "DEMO_URL": app.url}
        shown = {"verbose": not flags.get("quiet")}
        asked = {"idle_timeout": "1500ms", "model": "offline", **shown, **flags}
        layers = read_layers(asked, environment, Path.cwd())
        sys.stdout.write(f"The demo application runs at {app.url}{' with a bug' if with_bug else ''}.\n\n")
        settings = layers.settings()
        folder = Path(__file__).with_name("demo") / "scenarios"
        scenarios = _collect([os.path.relpath(folder)], flags, settings, layers.environment)
        return _fly(scenarios, layers, settings)


def _collect(
    paths: Sequence[str], flags: Mapping[str, Any], settings: Settings, environment: Mapping[str, str]
) -> list[Scenario]:
    places = list(paths) or [next(place for place in _PLACES if Path(place).is_dir())]
    found = collect(
        places, environment=environment, variables=_defined(flags.get("define")), run_id=uuid.uuid4().hex[:8]
    )
    title, tags = str(flags.get("grep", "")).casefold(), _tags(flags.get("tags"))
    kept = [one for one in found if title in one.title.casefold() and tags <= set(one.tags)]
    if not kept:
        raise NothingCollected(f"none of the {len(found)} scenarios fits the selection")
    if settings.base_url is not None:
        from dataclasses import replace

        kept = [replace(one, base_url=settings.base_url) for one in kept]
    return kept


def _defined(pairs: Sequence[str] | None) -> dict[str, str]:
    values = {}
    for pair in pairs or ():
        name, sign, value = pair.partition("=")
        if not sign or not name:
            raise UsageError(f"-D {pair}: write it as key=value")
        values[name] = value
    return values


def _tags(text: str | None) -> set[str]:
    if text is None:
        return set()
    tags = {part.strip() for part in text.split(",") if part.strip()}
    if not tags:
        raise UsageError("--tags: name at least one tag")
    return tags


def _list(scenarios: Sequence[Scenario]) -> int:
    for one in scenarios:
        row = f" ({', '.join(f'{name}: {value}' for name, value in one.row.items())})" if one.row else ""
        sys.stdout.write(f"{one.source}  {one.title}{row}\n")
    return 0


def _fly(scenarios: Sequence[Scenario], layers: Layers, settings: Settings) -> int:
    from cli.fleet import Fleet
    from cli.live import watch
    from cli.report import report

    with watch(sys.stdout, layers.environment, settings.quiet, settings.verbose, settings.reporter) as tell:
        fleet = Fleet(scenarios, layers, settings, tell, _hard_stop)
        tell(Event("run.start", {"scenarios": len(scenarios), "workers": settings.workers}))
        try:
            anyio.run(fleet.fly)
        finally:
            code = exit_code(fleet.results, interrupted=fleet.interrupted, expected=len(scenarios))
            tell(Event("run.end", {"exit_code": code}))
    report(fleet.results, code, settings, layers.environment)
    return code


def _hard_stop() -> None:
    """Ends the process at once, and every browser with it."""
    from tester.browser import end_browsers

    end_browsers()
    os._exit(Interrupted.exit_code)
