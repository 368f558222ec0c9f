"""The events of a run of two scenarios side by side, as the crew tells them, for views to draw."""

from __future__ import annotations

from typing import Any

from tests.traces.samples import FAILED, result
from traces.events import Event

CREATE, DELETE = "create-a-run", "delete-a-run"


def told(at: float, kind: str, slug: str = "", **data: Any) -> Event:
    return Event(kind, {"scenario": slug, **data} if slug else data, at=1000.0 + at)


def start(at: float, slug: str, title: str) -> Event:
    facts = {"title": title, "source": "scenarios/runs.md:5", "steps": 3, "model": "offline"}
    return told(at, "scenario.start", slug, **facts, folder=f"test-results/{slug}")


def step(at: float, slug: str, do: str, field: str, **more: Any) -> Event:
    facts: dict[str, Any] = {"ok": True, "why": "", "ms": 41, "asked": None, "got": None, "requests": []}
    return told(at, "step", slug, do=do, field=field, **{**facts, **more})


TESTER = {"role": "tester", "turn": 2, "attempt": 1}
POSTED = {"method": "POST", "path": "/api/runs", "status": 500}
ENDED = result(slug=DELETE, title="Delete a run", reason="3 outcomes proven by 3 checks", source="runs.md:30")

FLIGHTS = [
    told(0, "run.start", scenarios=3, workers=2),
    start(0.1, CREATE, "Create a run"),
    start(0.2, DELETE, "Delete a run"),
    told(0.3, "attempt.start", CREATE, role="engine", turn=1, attempt=1),
    step(0.5, CREATE, "open", "/runs", role="engine"),
    told(0.6, "plan", CREATE, goals=[{"outcome": "It is there", "source": "runs.md:9", "checks": []}]),
    told(0.7, "check", CREATE, when="before", sentence="The page shows “x”", holds=False, found="not seen"),
    told(0.8, "attempt.start", CREATE, **TESTER),
    told(0.8, "idle.armed", CREATE, **TESTER, seconds=30),
    told(0.9, "model.message", CREATE, **TESTER, text="Now I fill it.", calls=[{"name": "form"}], usage={}),
    told(0.9, "idle.armed", CREATE, **TESTER, seconds=None),
    told(1.0, "tool.start", CREATE, **TESTER, tool="form", call="c1"),
    step(1.5, CREATE, "fill", "Title", **TESTER, asked="Nightly", got="Nightly"),
    step(1.6, CREATE, "check", "Staging", **TESTER, asked=True, got=True),
    step(
        1.7, CREATE, "choose", "Plan", **TESTER, ok=False, why="no option 'Pro'; options: Basic", asked="Pro"
    ),
    step(1.7, CREATE, "click", "Save", **TESTER, ok=False, why="not tried: an earlier entry failed"),
    told(1.8, "tool.start", DELETE, **TESTER, tool="look", call="c2"),
    step(1.9, CREATE, "click", "Save", **TESTER, requests=[{"method": "GET", "path": "/"}, POSTED]),
    told(3.0, "tool.end", CREATE, **TESTER, tool="form", call="c1"),
    told(3.0, "idle.armed", CREATE, **TESTER, seconds=30),
    told(3.1, "attempt.failed", CREATE, **TESTER, cause="TurnIdle", why="the model was silent for 30 s"),
    told(3.2, "wait.start", CREATE, **TESTER, what="provider back-off", seconds=2),
    told(3.3, "note", DELETE, **TESTER, text="The list is empty."),
    told(3.4, "help", DELETE, **TESTER, reason="a code was sent", outcome="declined"),
    told(3.5, "tool.error", DELETE, **TESTER, tool="look", call="c2", error="ValueError: odd"),
    told(3.6, "drain.failed", DELETE, **TESTER, calls=["fill"]),
    told(3.7, "cleanup.failed", DELETE, why="the run is still there"),
    told(3.8, "screenshot", DELETE, path="screenshots/t1.jpg"),
    told(4.0, "scenario.end", DELETE, title="Delete a run", verdict="passed", result=ENDED.to_json()),
    told(5.0, "scenario.end", CREATE, title="Create a run", verdict="failed", result=FAILED.to_json()),
    told(5.1, "run.end", exit_code=1),
]


def until(at: float) -> list[Event]:
    """What was told up to a moment."""
    return [event for event in FLIGHTS if event.at <= 1000.0 + at]
