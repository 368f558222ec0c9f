"""Events in words: for each event worth reading one line, as a live view, a log or a picture shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from traces.events import Event
from traces.reporters.words import duration, one_line

Tone = Literal["good", "bad", "warn", "dim", "plain"]

MARKS: Mapping[Tone, str] = {"good": "✓", "bad": "✗", "warn": "!", "dim": "·", "plain": "›"}

_VALUE = 60
"""Characters of a value that are shown."""

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its tone, its words, what stands beside it (a time), and whether only `-v` shows it."""

    tone: Tone
    text: str
    aside: str = ""
    detail: bool = False

    @property
    def mark(self) -> str:
        """The sign in front of it."""
        return MARKS[self.tone]


def line(event: Event) -> Line | None:
    """The line for an event; None for one that says nothing by itself."""
    telling = _TELLINGS.get(event.kind)
    told = telling(event.data) if telling is not None else None
    return None if told is None else replace(told, text=one_line(told.text))


def _step(data: Data) -> Line:
    if data.get("ok"):
        return Line("good", _done(data) + _sent(data), duration(data.get("ms", 0) / 1000))
    why = str(data.get("why", ""))
    if why.startswith("not tried"):
        return Line("dim", f"{_done(data)}: not tried")
    return Line("bad", f"{_done(data)}: {why}", duration(data.get("ms", 0) / 1000))


def _done(data: Data) -> str:
    """What was done, for example `fill Title = “Nightly”`."""
    words, value = (
        one_line(f"{data.get('do', '')} {data.get('field', '')}"),
        data.get("got", data.get("asked")),
    )
    value = data.get("asked") if value is None else value
    if value is None or isinstance(value, bool):
        return words
    shown = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return f"{words} = “{one_line(shown.partition(chr(10))[0], _VALUE)}”"


def _sent(data: Data) -> str:
    """The requests of a commit; reading is not worth a word."""
    sent = [one for one in data.get("requests", ()) if one.get("method") not in ("GET", "HEAD", "OPTIONS")]
    told = ", ".join(f"{one['method']} {one['path']} → {one['status'] or 'no answer'}" for one in sent)
    return f" ({told})" if told else ""


def _plan(data: Data) -> Line:
    goals = data.get("goals", ())
    bare = [goal["outcome"] for goal in goals if not goal["checks"]]
    if bare:
        return Line("warn", f"no check was found for “{bare[0]}”")
    checks = sum(len(goal["checks"]) for goal in goals)
    return Line("dim", f"plan: {_many(len(goals), 'outcome')}, {_many(checks, 'check')}", detail=True)


def _check(data: Data) -> Line:
    words, found = data.get("sentence") or data.get("outcome", ""), data.get("found", "")
    if data.get("when") == "before":
        held = "holds already" if data.get("holds") else "does not hold yet"
        return Line("dim", f"before: {words}: {held} ({found})", detail=True)
    return Line("good" if data.get("holds") else "bad", f"{words}: {found}")


def _message(data: Data) -> Line | None:
    said = one_line(data.get("text", ""), 200)
    tools = ", ".join(call.get("name", "") for call in data.get("calls", ()))
    words = " → ".join(part for part in (said, tools) if part)
    return Line("dim", f"{data.get('role', 'model')}: {words}", detail=True) if words else None


def _tool(data: Data) -> Line | None:
    return (
        None if data.get("tool") in ("form", "finish") else Line("dim", f"tool: {data['tool']}", detail=True)
    )


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _words(tone: Tone, words: str, *, detail: bool = False) -> Callable[[Data], Line]:
    """A telling that fills an event's fields into words."""
    return lambda data: Line(tone, words.format_map(data), detail=detail)


_TELLINGS: Mapping[str, Callable[[Data], Line | None]] = {
    "step": _step,
    "step.changed": _words("bad", "a step was undone afterwards: {why}"),
    "plan": _plan,
    "check": _check,
    "model.message": _message,
    "tool.start": _tool,
    "tool.error": _words("bad", "{tool}: {error}"),
    "attempt.failed": _words("warn", "attempt {attempt} of turn {turn} ended: {why}"),
    "drain.failed": _words("warn", "the browser did not finish in time, so its page was replaced"),
    "wait.start": _words("dim", "waits: {what}", detail=True),
    "note": _words("plain", "{text}"),
    "help": _words("warn", "asks for help ({outcome}): {reason}"),
    "cleanup.failed": _words("warn", "not cleaned up: {why}"),
    "screenshot": _words("dim", "screenshot: {path}", detail=True),
}
