"""What is known at this moment of every scenario of a run, from its events."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from cli.telling import Line, line
from traces.events import Event
from traces.reporters.words import counts, duration, one_line
from traces.result import Result

_KEPT = 12
"""Lines that are kept of a scenario in flight; more fit on no screen."""


@dataclass(slots=True)
class InFlight:
    """A scenario in flight: what it does since when, and its latest lines."""

    title: str
    source: str
    started: float
    lines: deque[Line] = field(default_factory=lambda: deque(maxlen=_KEPT))
    role: str = ""
    turn: int = 0
    attempt: int = 0
    doing: str = "starts"
    since: float = 0.0
    idle: float | None = None
    """When the idle timer would end the attempt, on the wall clock."""

    def hear(self, event: Event) -> None:
        """Takes in an event of this scenario."""
        told = line(event)
        if told is not None and not told.detail:
            self.lines.append(told)
        data = event.data
        match event.kind:
            case "attempt.start":
                self.role, self.turn, self.attempt = data["role"], data["turn"], data["attempt"]
                self._does("looks at the page" if self.role == "engine" else "thinks", event.at)
            case "tool.start":
                self._does(str(data["tool"]), event.at)
            case "tool.end" | "wait.end":
                self._does("thinks" if self.role != "engine" else "looks at the page", event.at)
            case "wait.start":
                self._does(f"waits: {data['what']}", event.at)
            case "idle.armed":
                self.idle = None if data["seconds"] is None else event.at + data["seconds"]

    def _does(self, what: str, since: float) -> None:
        self.doing, self.since = one_line(what), since

    def status(self, now: float) -> Line:
        """What it does now, and for how long already."""
        words = [self.doing]
        if self.role in ("pilot", "tester"):
            retry = f", attempt {self.attempt}" if self.attempt > 1 else ""
            words = [f"{self.role.capitalize()}, turn {self.turn}{retry}", self.doing]
        if self.idle is not None:
            words.append(f"idle in {max(0, round(self.idle - now))}s")
        return Line("plain", " · ".join(words), duration(max(0.0, now - self.since)))


@dataclass(slots=True)
class Board:
    """The whole run: how many there are, which are in flight, and the results so far."""

    expected: int = 0
    started: float = 0.0
    flights: dict[str, InFlight] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)

    def hear(self, event: Event) -> None:
        """Takes in any event."""
        data, slug = event.data, str(event.data.get("scenario", ""))
        match event.kind:
            case "run.start":
                self.expected, self.started = data["scenarios"], event.at
            case "scenario.start":
                self.flights[slug] = InFlight(data["title"], data["source"], event.at, since=event.at)
            case "scenario.end":
                self.flights.pop(slug, None)
                self.results.append(Result(**data["result"]))
            case _ if slug in self.flights:
                self.flights[slug].hear(event)

    def summary(self, now: float) -> list[tuple[str, str]]:
        """The state of the run in parts, each with its style: `4 passed`, `1 failed`, `5 of 6`, `12.0s`."""
        found = counts(result.verdict for result in self.results)
        parts = [(f"{number} {name}", name) for name, number in found.items()]
        done = f"{len(self.results)} of {self.expected}"
        return [*parts, (done, "dim"), (duration(max(0.0, now - self.started)), "dim")]
