"""The step recorder of one attempt: what was done to the page, by this attempt and nobody else."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from dataclasses import field as made
from typing import Any, Literal

import anyio

Outcome = Literal["known", "unknown"]


class TurnClosed(Exception):
    """The attempt is over: its page, recorder and tools can no longer be used, and nothing was touched."""


class StepFailed(Exception):
    """A step could not be done; the message says why in the words of a tester (at most 300 characters)."""

    def __init__(self, why: str, *, outcome: Outcome = "known") -> None:
        super().__init__(why)
        self.why = why
        self.outcome = outcome


@dataclass(slots=True)
class StepRecord:
    """One thing done to the page inside a tool call.

    `asked` and `got` are the value wanted and the value read back (redacted); `requests` are those that
    began during the step; `commit` tells whether it changed something outside the page.
    """

    id: str
    do: str
    field: str
    call: str = ""
    ok: bool | None = None
    why: str = ""
    ms: int = 0
    at: float = 0.0
    asked: Any = None
    got: Any = None
    commit: bool = False
    outcome: Outcome = "known"
    requests: list[dict[str, Any]] = made(default_factory=list)
    notes: list[str] = made(default_factory=list)

    def facts(self) -> dict[str, Any]:
        """All that a trace keeps of it."""
        facts = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in facts.items() if name not in ("id", "call", "at")}

    def to_json(self) -> dict[str, Any]:
        """The step as it stands in a tool result: what a model and a person read."""
        line: dict[str, Any] = {"do": self.do}
        if self.field:
            line["field"] = self.field
        line["ok"] = bool(self.ok)
        if self.why:
            line["why"] = self.why
        if self.notes:
            line["notes"] = list(self.notes)
        return {**line, "ms": self.ms} if self.ms else line


class Recorder:
    """Keeps the steps of one attempt in order; closed with it, after which every use raises TurnClosed."""

    def __init__(self, prefix: str, told: Callable[[StepRecord], None] = lambda step: None) -> None:
        self.steps: list[StepRecord] = []
        self._prefix = prefix
        self._told = told
        self._open = True
        self._call = ""

    def close(self) -> None:
        """Ends recording; what is recorded stays readable."""
        self._open = False

    @contextmanager
    def during(self, call: str) -> Iterator[list[StepRecord]]:
        """Books the steps made inside to one tool call and yields them, as they come."""
        start, outer, self._call = len(self.steps), self._call, call
        mine: list[StepRecord] = []
        try:
            yield mine
        finally:
            self._call = outer
            mine.extend(self.steps[start:])

    @contextmanager
    def step(self, do: str, field: str = "") -> Iterator[StepRecord]:
        """Records one step around the code that does it.

        Leaving normally is `ok` unless the code set `ok` itself; StepFailed is written down and swallowed;
        cancellation leaves an `unknown` step behind; any other error is written down and passed on.

        Raises:
            TurnClosed: the attempt is over.
        """
        step = self._add(do, field)
        began = time.perf_counter()
        try:
            yield step
            step.ok = True if step.ok is None else step.ok
        except StepFailed as failed:
            step.ok, step.why, step.outcome = False, failed.why, failed.outcome
        except anyio.get_cancelled_exc_class():
            step.ok, step.outcome = False, "unknown"
            step.why = step.why or "cancelled while it ran; it may have taken effect"
            raise
        except Exception as error:
            step.ok, step.why = (
                False,
                str(error).splitlines()[0][:300] if str(error) else type(error).__name__,
            )
            raise
        finally:
            step.ms = max(1, round((time.perf_counter() - began) * 1000))
            self._told(step)

    def skipped(self, do: str, field: str, why: str) -> StepRecord:
        """Records a step that was not tried."""
        step = self._add(do, field)
        step.ok, step.why = False, why
        self._told(step)
        return step

    def _add(self, do: str, field: str) -> StepRecord:
        if not self._open:
            raise TurnClosed(f"the attempt is over; {do} {field!r} was not done")
        step = StepRecord(f"{self._prefix}.{len(self.steps) + 1}", do, field, self._call, at=time.time())
        self.steps.append(step)
        return step
