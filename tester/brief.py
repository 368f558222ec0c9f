"""The first message to a Tester: the scenario as it is to be flown, for people and parsers to read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from scenarios.scenario import Outcome, Scenario, Source, Step

_LINE = re.compile(r"^\d+\. (?P<text>.*) \((?P<path>[^()]*):(?P<line>\d+)\)$")


@dataclass(frozen=True, slots=True)
class Brief:
    """What a Tester is asked for: a heading, the steps in order, and what should come of them."""

    title: str
    steps: tuple[Step, ...]
    outcomes: tuple[Outcome, ...] = ()

    def __str__(self) -> str:
        lines = [f"# {self.title}", "", "## Steps", *_numbered(self.steps)]
        if self.outcomes:
            lines += ["", "## Expected", *_numbered(self.outcomes)]
        return "\n".join(lines)


def preparation(scenario: Scenario) -> Brief:
    """The brief for what has to be done before the first step."""
    return Brief(f"Before: {scenario.title}", scenario.before)


def flight(scenario: Scenario) -> Brief:
    """The brief for the scenario itself."""
    return Brief(scenario.title, scenario.steps, scenario.outcomes)


def clean_up(scenario: Scenario) -> Brief:
    """The brief for what always has to be done at the end."""
    return Brief(f"After: {scenario.title}", scenario.after)


def read_brief(text: str) -> tuple[Step, ...]:
    """The steps of a brief, each with its place in the scenario file."""
    body = text.partition("## Steps")[2].partition("\n## ")[0]
    found = (_LINE.match(line) for line in body.splitlines())
    return tuple(Step(at["text"], Source(at["path"], int(at["line"]))) for at in found if at)


def _numbered(items: Sequence[Step | Outcome]) -> list[str]:
    return [f"{number}. {item.text} ({item.source})" for number, item in enumerate(items, 1)]
