"""Which scenarios a command means: files, folders, and single lines of files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from scenarios.errors import NothingCollected, ScenarioError, UsageError
from scenarios.markdown import Placed, read_scenarios
from scenarios.scenario import Scenario
from scenarios.slugs import slug, unique
from scenarios.variables import Variables

_STEPS = re.compile(r"^ {0,3}##[ \t]+steps\b", re.IGNORECASE | re.MULTILINE)
_ELSEWHERE = frozenset({"node_modules", "test-results", "__pycache__"})
"""Folders that hold no scenarios of the person's own; nor do those with a leading dot."""


def collect(
    paths: Sequence[str],
    *,
    environment: Mapping[str, str],
    variables: Mapping[str, str] | None = None,
    run_id: str = "",
) -> tuple[Scenario, ...]:
    """The scenarios that paths mean, in their order, each once.

    A path is a file, `FILE:LINE` for the scenario (or the one row of its data) on that line, or a folder, of
    which every `.md` file with a section "Steps" is read. `variables` are those of `-D`; `{{run.id}}` is
    `run_id`.

    Raises:
        UsageError: a path does not exist or is no scenario file.
        ScenarioError: a file cannot be read as one.
        NothingCollected: no scenario is left.
    """
    given = Variables({"run.id": run_id, **(variables or {})}, environment)
    files: dict[str, tuple[Placed, ...]] = {}
    found: dict[tuple[str, str], Scenario] = {}
    for path, line in (one for asked in paths for one in _files(asked)):
        if path not in files:
            files[path] = read_scenarios(_read(path), path, given)
        for placed in _on_line(files[path], line):
            found[path, placed.scenario.slug] = placed.scenario
    if not found:
        raise NothingCollected(f"no scenario in {', '.join(paths) or 'nothing at all'}")
    return _told_apart(list(found.values()))


def _files(path: str) -> Iterator[tuple[str, int | None]]:
    """The files that a path means, each with the line that is meant."""
    bare, colon, line = path.rpartition(":")
    if colon and line.isdecimal() and not Path(path).exists():
        yield _file(bare), int(line)
    elif Path(path).is_dir():
        yield from ((str(file), None) for file in _inside(Path(path)))
    else:
        yield _file(path), None


def _file(path: str) -> str:
    if not Path(path).is_file():
        raise UsageError(f"{path} does not exist" if not Path(path).exists() else f"{path} is not a file")
    if path.endswith(".feature"):
        raise UsageError(f"{path}: Gherkin files are not read yet; write the scenario in Markdown")
    if not path.endswith(".md"):
        raise UsageError(f"{path} is no scenario file; these end with .md")
    return path


def _inside(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if path.name not in _ELSEWHERE and not path.name.startswith("."):
                yield from _inside(path)
        elif path.suffix == ".md" and _STEPS.search(path.read_text("utf-8", errors="replace")):
            yield path


def _read(path: str) -> str:
    """The text of a file with its lines ended in one way."""
    written = Path(path).read_bytes()
    try:
        return written.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = written.count(b"\n", 0, error.start) + 1
        raise ScenarioError(path, line, "this is not UTF-8; save the file in that encoding") from None


def _on_line(file: tuple[Placed, ...], line: int | None) -> list[Placed]:
    """The scenarios of a file that span a line; a line of data means its own row alone."""
    rows = [one for one in file if line is not None and one.row == line]
    return rows or [one for one in file if line is None or one.first <= line <= one.last]


def _told_apart(scenarios: list[Scenario]) -> tuple[Scenario, ...]:
    """The scenarios, those of one slug in several folders with these in front of it."""
    times = Counter(one.slug for one in scenarios)
    slugs = [
        one.slug if times[one.slug] == 1 else slug(*Path(one.source.path).parent.parts, one.slug)
        for one in scenarios
    ]
    return tuple(replace(one, slug=name) for one, name in zip(scenarios, unique(slugs), strict=True))
