"""The lane on which browser calls travel: it outlives whoever waits for them.

Cancelling an await on Playwright leaves the driver at work: a cancelled `fill` was measured to land three
seconds later. Each call therefore runs in a task of the lane, shielded, and the lane knows whose are out.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, TypeVar

import anyio
from anyio.abc import TaskGroup

T = TypeVar("T")


class CallAbandoned(Exception):
    """The browser never answered this call, not even after its page was closed."""


class _Call:
    __slots__ = ("done", "error", "scope", "value")

    def __init__(self) -> None:
        self.done = anyio.Event()
        self.scope = anyio.CancelScope(shield=True)
        self.value: Any = None
        self.error: Exception | None = None


class Lane:
    """Carries browser calls for owners (turn contexts); `tasks` is the scenario's task group."""

    def __init__(self, tasks: TaskGroup) -> None:
        self._tasks = tasks
        self._out: dict[int, set[_Call]] = {}

    async def carry(self, owner: object, work: Awaitable[T]) -> T:
        """The call's own result or error; when the caller is cancelled the call travels on."""
        call = _Call()
        self._out.setdefault(id(owner), set()).add(call)
        self._tasks.start_soon(self._travel, id(owner), call, work)
        await call.done.wait()
        if call.error is not None:
            raise call.error
        return call.value  # type: ignore[no-any-return]

    async def _travel(self, owner: int, call: _Call, work: Awaitable[Any]) -> None:
        call.error = CallAbandoned("the browser did not answer")
        try:
            with call.scope:
                call.value = await work
                call.error = None
        except Exception as error:  # carried to the caller, whatever it is
            call.error = error
        finally:
            out = self._out[owner]
            out.discard(call)
            if not out:
                del self._out[owner]
            call.done.set()

    def out(self, owner: object) -> int:
        """How many of the owner's calls have not settled."""
        return len(self._out.get(id(owner), ()))

    async def settled(self, owner: object) -> None:
        """Returns once every call of the owner has settled."""
        while calls := self._out.get(id(owner)):
            await next(iter(calls)).done.wait()

    async def abandon(self, owner: object) -> None:
        """Lets go of what even a closed page did not settle."""
        for call in tuple(self._out.get(id(owner), ())):
            call.scope.cancel()
        await self.settled(owner)
