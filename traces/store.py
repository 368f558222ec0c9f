"""The trace of one scenario on disk: a line for every event, written when it happens, readable ever after."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from scenarios.errors import UsageError
from traces.events import SCHEMA, Event

FILE = "events.jsonl"

_UNWRITABLE = (OSError, ValueError, TypeError, RecursionError)
"""A full disk, a closed file, a key that is no text, a value that holds itself."""


class Store:
    """A sink that appends every event to `events.jsonl` in a folder of its own.

    Each line is handed to the operating system at once: a process that is killed loses nothing. What cannot
    be written is counted in `lost`, with the reason in `why`; a sink does not raise.

    Raises:
        UsageError: the folder holds something else than a trace, or cannot be made.
    """

    def __init__(self, folder: Path, redact: Callable[[Any], Any] = lambda value: value) -> None:
        self.folder = folder
        self.lost = 0
        self.why = ""
        self._redact = redact
        self._torn = False
        try:
            clear(folder)
            folder.mkdir(parents=True, exist_ok=True)
            self._file = open(folder / FILE, "ab", buffering=0)  # noqa: SIM115 — closed by close()
        except OSError as error:
            raise UsageError(f"{folder}: no trace can be written here: {error.strerror or error}") from error
        self._write({"at": round(time.time(), 4), "kind": "trace", "schema": SCHEMA, "folder": folder.name})

    def __call__(self, event: Event) -> None:
        """Appends one event, redacted."""
        self._write(event.to_json())

    def close(self) -> None:
        """Ends the trace; later events are counted as lost."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, line: dict[str, Any]) -> None:
        try:
            left = memoryview((b"\n" if self._torn else b"") + self._bytes(line) + b"\n")
            self._torn = True
            while left:
                left = left[self._file.write(left) or 0 :]
            self._torn = False
        except _UNWRITABLE as error:
            self.lost += 1
            self.why = str(error)

    def _bytes(self, line: dict[str, Any]) -> bytes:
        line = {**self._redact(line), "at": line["at"], "kind": line["kind"]}
        try:
            return self._dumps(line, ensure_ascii=False).encode()
        except UnicodeEncodeError:  # half a surrogate pair, as pages may send
            return self._dumps(line, ensure_ascii=True).encode()

    def _dumps(self, line: dict[str, Any], *, ensure_ascii: bool) -> str:
        return json.dumps(line, ensure_ascii=ensure_ascii, default=lambda value: self._redact(str(value)))


def clear(folder: Path) -> None:
    """Removes an earlier trace from its folder; the events go last, so that it stays known as a trace.

    Raises:
        UsageError: the folder holds something, and no trace.
    """
    if not folder.is_symlink() and not folder.exists():
        return
    if folder.is_symlink() or not folder.is_dir():
        raise UsageError(f"{folder} is no folder of a trace; move it away, or choose another --output")
    inside = sorted(folder.iterdir(), key=lambda path: path.name == FILE)
    if inside and not is_trace(folder):
        raise UsageError(
            f"{folder} holds files that are no trace; move them away, or choose another --output"
        )
    for path in inside:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def is_trace(folder: Path) -> bool:
    """Whether the folder holds a trace of ours, of whatever version."""
    try:
        with open(folder / FILE, "rb") as file:
            first = file.readline()
    except OSError:
        return False
    head = _object(first) or {}
    return not first or head.get("kind") == "trace"  # empty: killed before its first word


@dataclass(frozen=True, slots=True)
class Trace:
    """What a trace tells: its events in order, and the numbers of the lines that could not be read.

    `finished` tells whether the scenario came to its end; a trace that was broken off has no last word.
    """

    folder: Path
    schema: int
    events: tuple[Event, ...]
    torn: tuple[int, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether the last word of the scenario is in it."""
        return any(event.kind == "scenario.end" for event in self.events)


def read(folder: Path) -> Trace:
    """Reads a trace, whole or broken off; a line that was torn is skipped and told.

    Raises:
        UsageError: there is no trace in the folder, or a newer Walkaround wrote it.
    """
    path = folder / FILE
    try:
        first, *lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
    head = _object(first)
    if head is None or head.get("kind") != "trace" or not isinstance(head.get("schema"), int):
        raise UsageError(f"{path}: this is no trace of Walkaround")
    if head["schema"] > SCHEMA:
        raise UsageError(f"{path}: written by a newer Walkaround (schema {head['schema']}, known: {SCHEMA})")
    found = [(number, _event(line)) for number, line in enumerate(lines, 2) if line]
    events = tuple(event for _, event in found if event is not None)
    return Trace(folder, head["schema"], events, tuple(number for number, event in found if event is None))


def _event(line: bytes) -> Event | None:
    value = _object(line) or {}
    kind, at = value.pop("kind", None), value.pop("at", None)
    return Event(kind, value, at) if isinstance(kind, str) and isinstance(at, int | float) else None


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
