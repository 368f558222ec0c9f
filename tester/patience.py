"""How long a step waits for a page that is not ready yet: briefly when it stands still,
longer while it is at work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from tester.turn import TurnContext

LOOK_AGAIN = 0.05
"""Pause between two looks at a page, in seconds; the look decides, the pause only keeps it from spinning."""

_ENDLESS = frozenset({"eventsource", "websocket", "media", "ping"})


async def answered(turn: TurnContext, mark: Mark) -> None:
    """Waits for the requests that have begun since the mark by now, then for what the
    page does with the answers.
    """
    watch = turn.session.watch
    mine = [one for one in watch.since(mark).requests if one.resource not in _ENDLESS and one.ended is None]
    if not mine and not watch.since(mark).requests:
        return
    with anyio.move_on_after(turn.deadlines.action):
        while any(one.ended is None for one in mine):
            with anyio.move_on_after(LOOK_AGAIN):
                await watch.changed.wait()
    await watch.settled(turn, mark)


class Patience:
    """Counts down one wait.

    It lasts `deadlines.blocked`, and starts afresh while requests that were out when it began are still
    out, or while the page says that it is busy; `deadlines.action` ends it in any case.
    """

    def __init__(self, turn: TurnContext) -> None:
        self._turn = turn
        self._begun = anyio.current_time()
        self._still_since = self._begun
        self._mark = turn.session.watch.mark()
        self._awaited = self._out(None)

    @property
    def awaiting(self) -> bool:
        """Whether something that was out when the wait began is still out."""
        self._awaited = [request for request in self._awaited if request.ended is None]
        return bool(self._awaited)

    async def more(self, *, busy: bool = False) -> bool:
        """Pauses and gives True while there is reason to look again."""
        now = anyio.current_time()
        if busy or self.awaiting:
            self._still_since = now
        if (
            now - self._begun >= self._turn.deadlines.action
            or now - self._still_since >= self._turn.deadlines.blocked
        ):
            return False
        await anyio.sleep(LOOK_AGAIN)
        return True

    def _out(self, mark: Mark | None) -> list[RequestSeen]:
        seen = self._turn.session.watch.since(mark).requests
        return [one for one in seen if one.ended is None and one.resource not in _ENDLESS]


if TYPE_CHECKING:
    from tester.watch import Mark, RequestSeen
