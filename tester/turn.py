"""One attempt at one turn: its tool counter, idle timer, recorder, deadlines, fence and drain.

Nothing here is shared with another attempt; docs/turns.md tells the story.
"""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import anyio

from tester.deadlines import Deadlines
from tester.fence import fenced
from tester.lane import Lane
from tester.recorder import Recorder, StepRecord, TurnClosed
from traces.events import Event, Sink

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tester.session import Session

T = TypeVar("T")
_COUNTDOWN = 1.0
Role = Literal["pilot", "tester", "engine"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """Which attempt this is; turns and attempts count from 1."""

    scenario: str
    role: Role
    turn: int
    attempt: int = 1

    def __str__(self) -> str:
        return f"{self.role[0]}{self.turn}.{self.attempt}"

    def to_json(self) -> dict[str, Any]:
        """The fields that mark an event as this attempt's."""
        return {"scenario": self.scenario, "role": self.role, "turn": self.turn, "attempt": self.attempt}


class AttemptEnded(Exception):
    """The attempt ended before its work was done; another may follow from what is finished."""


class TurnIdle(AttemptEnded):
    """The model was silent for the whole idle deadline while nothing else was going on."""


class TurnCancelled(AttemptEnded):
    """Somebody ended this attempt, and this attempt alone."""


class ToolDeadline(Exception):
    """A tool ran past its deadline; `settled` tells whether the browser has finished what it had begun."""

    def __init__(self, tool: str, seconds: float, settled: bool) -> None:
        super().__init__(f"{tool} did not finish within {seconds:g} s")
        self.tool = tool
        self.settled = settled


class TurnContext:
    """What one attempt owns. Make one with `open_turn`."""

    def __init__(
        self, attempt: Attempt, lane: Lane, deadlines: Deadlines, tell: Sink, session: Session | None
    ) -> None:
        self.attempt = attempt
        self.deadlines = deadlines
        self.recorder = Recorder(str(attempt), self._step_done)
        self.tools = 0
        self.settled = True
        self._session = session
        self._lane = lane
        self._tell = tell
        self._scope = anyio.CancelScope()
        self._streams = 0
        self._waits = 0
        self._heard = -math.inf
        self._armed, self._armed_told = False, -math.inf
        self._open = True
        self._cancelled: str | None = None

    # -- what tools use ----------------------------------------------------------------------------

    @property
    def session(self) -> Session:
        """The browser session that this attempt flies in; raises TurnClosed after its end."""
        self.check_open()
        if self._session is None:
            raise LookupError("this attempt has no browser")
        return self._session

    @property
    def page(self) -> Page:
        """The current tab, fenced: usable while this attempt is open."""
        return fenced(self.session.page, self)

    def fence(self, target: T) -> T:
        """Any other Playwright object of the session, fenced in the same way."""
        self.check_open()
        return fenced(target, self)

    def check_open(self) -> None:
        """Raises TurnClosed once the attempt is over."""
        if not self._open:
            raise TurnClosed(f"attempt {self.attempt} is over; nothing was touched")

    async def carry(self, work: Awaitable[T]) -> T:
        """Carries one browser call on the lane; it outlives a cancelled caller until the drain."""
        return await self._lane.carry(self, work)

    def tell(self, kind: str, **data: Any) -> None:
        """Reports an event as this attempt's."""
        self._tell(Event(kind, {**self.attempt.to_json(), **data}))

    # -- the idle timer ----------------------------------------------------------------------------

    @property
    def idle_deadline(self) -> float:
        """When the idle timer would end the attempt, in anyio's clock; infinite while it does not run."""
        return self._scope.deadline

    @contextmanager
    def stream(self) -> Iterator[None]:
        """The model's stream is open: the idle timer runs."""
        self._streams += 1
        self.heard()
        try:
            yield
        finally:
            self._streams -= 1
            self._arm()

    def heard(self) -> None:
        """The model said something: the idle timer starts afresh."""
        self._heard = anyio.current_time()
        self._arm()

    def pinged(self) -> None:
        """The connection is alive but the model said nothing: counts only up to the ceiling for silence."""
        self._arm()

    @contextmanager
    def waiting(self, for_what: str) -> Iterator[None]:
        """A person is asked or a provider's back-off waited out: the idle timer stands still."""
        self._waits += 1
        self._arm()
        self.tell("wait.start", what=for_what)
        try:
            yield
        finally:
            self._waits -= 1
            self.heard()
            self.tell("wait.end", what=for_what)

    def _arm(self) -> None:
        now, deadline = anyio.current_time(), math.inf
        if self._streams and not self.tools and not self._waits:
            deadline = min(now + self.deadlines.idle, self._heard + self.deadlines.silence)
        self._scope.deadline = deadline
        self._tell_armed(deadline - now, now)

    def _tell_armed(self, seconds: float, now: float) -> None:
        """Lets a countdown follow: tells when the timer starts or stops, and once a second in between."""
        armed = math.isfinite(seconds)
        if armed == self._armed and (not armed or now - self._armed_told < _COUNTDOWN):
            return
        self._armed, self._armed_told = armed, now
        self.tell("idle.armed", seconds=round(seconds, 3) if armed else None)

    # -- tools -------------------------------------------------------------------------------------

    async def run_tool(self, name: str, call: str, work: Callable[[], Awaitable[T]]) -> T:
        """Runs one tool under the tool deadline, counted, its steps booked to `call`.

        Raises:
            ToolDeadline: it took too long; its browser calls have settled, or their page was closed.
            TurnClosed: the attempt is over.
        """
        self.check_open()
        self.tools += 1
        self._arm()
        self.tell("tool.start", tool=name, call=call)
        try:
            with self.recorder.during(call), anyio.move_on_after(self.deadlines.tool) as limit:
                return await work()
            if not limit.cancelled_caught:
                raise AssertionError("unreachable: the tool neither returned, raised nor ran out of time")
            with anyio.CancelScope(shield=True):
                settled = await self._drain()
            raise ToolDeadline(name, self.deadlines.tool, settled)
        finally:
            self.tools -= 1
            self.heard()
            if self._open:
                self.tell("tool.end", tool=name, call=call)

    def guard(self, step: StepRecord) -> None:
        """Lets a step that may commit pass; called inside the step, before it acts.

        Raises:
            StepFailed: the same step may have taken effect before, and nothing shows that it did not.
        """
        if self._session is not None:
            self._session.ledger.guard(step.do, step.field)

    def browser_is_gone(self) -> bool:
        """Whether no result can be had any more, whatever is tried."""
        browser = self._session.context.browser if self._session is not None else None
        return browser is not None and not browser.is_connected()

    def _step_done(self, step: StepRecord) -> None:
        if self._session is not None:
            self._session.book(step)
        self.tell("step", step=step.id, call=step.call, **step.facts())

    # -- the end -----------------------------------------------------------------------------------

    def cancel(self, why: str) -> None:
        """Ends the attempt from outside; it drains before `open_turn` raises TurnCancelled."""
        self._cancelled = why
        self._scope.cancel()

    async def _drain(self) -> bool:
        """Waits until the browser has finished what this attempt began; False when its page had to go."""
        if not self._lane.out(self):
            return True
        with anyio.move_on_after(self.deadlines.drain):
            await self._lane.settled(self)
            return True
        self.settled = False
        self.tell("drain.failed", calls=self._lane.out(self))
        for step in self.recorder.steps:
            if step.ok is False and "cancelled" in step.why:
                step.outcome = "unknown"
        with anyio.move_on_after(self.deadlines.drain):
            if self._session is not None:
                await self._session.replace_page()
            await self._lane.settled(self)
        await self._lane.abandon(self)
        return False


@asynccontextmanager
async def open_turn(
    attempt: Attempt, lane: Lane, deadlines: Deadlines, tell: Sink, session: Session | None = None
) -> AsyncIterator[TurnContext]:
    """Opens an attempt and ends it whole: fence up, browser calls drained, recorder closed, in this order.

    Raises:
        TurnIdle: the idle timer ended it (not when an outer scope did).
        TurnCancelled: `cancel` ended it.
    """
    turn = TurnContext(attempt, lane, deadlines, tell, session)
    turn.tell("attempt.start")
    try:
        with turn._scope:
            yield turn
    finally:
        turn._open = False
        turn.recorder.close()
        with anyio.CancelScope(shield=True):
            await turn._drain()
        if session is not None and turn.recorder.steps:
            session.book(turn.recorder.steps[-1])
        turn.tell("attempt.end", settled=turn.settled)
    if turn._scope.cancelled_caught and turn._cancelled is not None:
        raise TurnCancelled(turn._cancelled)
    if turn._scope.cancelled_caught:
        raise TurnIdle(f"the model was silent for {deadlines.idle:g} s")
