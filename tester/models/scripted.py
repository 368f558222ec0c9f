"""A model that says what it was told to say: for tests, and for trying a conversation out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any

from tester.models.protocol import Delta, Done, ModelEvent, Ping, Request

Line = Done | Exception | Callable[[], Awaitable[Any]] | list[Any]
"""What it does when asked: say a message, raise, await something, or several of these in order."""


class Scripted:
    """Plays its lines in order, one for each time it is asked, and keeps what it was asked."""

    def __init__(self, lines: Iterable[Line], *, name: str = "scripted", sees: bool = False) -> None:
        self.name = name
        self.sees = sees
        self.asked: list[Request] = []
        self._lines = iter(lines)

    async def aclose(self) -> None:
        """Nothing to let go of."""

    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[AsyncIterator[ModelEvent]]:
        """The next line as a stream of events."""
        self.asked.append(request)
        yield _play(next(self._lines))


async def _play(line: Line) -> AsyncIterator[ModelEvent]:
    for part in line if isinstance(line, list) else [line]:
        if isinstance(part, Exception):
            raise part
        if isinstance(part, Delta | Ping | Done):
            yield part
        else:
            await part()


def says(*calls: tuple[str, dict[str, Any]], text: str = "", prefix: str = "call") -> Done:
    """A message with these tool calls, in order; their ids are `prefix`_1, `prefix`_2, …."""
    blocks: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    blocks += [
        {"type": "tool_use", "id": f"{prefix}_{number}", "name": name, "input": given}
        for number, (name, given) in enumerate(calls, 1)
    ]
    return Done(blocks, "tool_use" if calls else "end_turn")
