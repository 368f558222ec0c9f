"""The types of a scenario as it stands in a file, every line of it with its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Source:
    """Where something was written: a path as the person gave it, and a line that counts from 1."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Step:
    """One plain sentence that asks for something to be done; variables are filled in, secrets are not."""

    text: str
    source: Source


@dataclass(frozen=True, slots=True)
class Outcome:
    """One expected outcome; `still` allows it to hold before the first step already."""

    text: str
    source: Source
    still: bool = False


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits for one scenario; None is no limit, 0 is none at all. Cost in USD, time in seconds."""

    cost: float | None = None
    tokens: int | None = None
    calls: int | None = None
    turns: int | None = None
    time: float | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """One test: what a person wrote, for one row of its data.

    `before` opens with the sentences of the introduction ("Start at …"): they are preconditions, done before
    the checks are run for the first time.
    Texts still hold `{{NAME}}` where NAME is a declared secret: only the tools put the value in.
    """

    title: str
    source: Source
    slug: str
    steps: tuple[Step, ...]
    outcomes: tuple[Outcome, ...]
    before: tuple[Step, ...] = ()
    after: tuple[Step, ...] = ()
    row: Mapping[str, str] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    base_url: str | None = None
    allow_origins: tuple[str, ...] = ()
    budget: Budget = Budget()
    idempotent: bool = False
    settings: Mapping[str, str] = field(default_factory=dict)
