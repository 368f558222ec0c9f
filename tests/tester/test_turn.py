"""The rules of a turn (design.md, section 3), on a clock that jumps: no test here waits in real time."""

from __future__ import annotations

import asyncio
import functools
import inspect
import math
import selectors
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import anyio
import pytest
from anyio.abc import TaskGroup

from tester.deadlines import Deadlines
from tester.lane import Lane
from tester.recorder import TurnClosed
from tester.turn import Attempt, ToolDeadline, TurnCancelled, TurnContext, TurnIdle, open_turn
from traces.events import Event

LIMITS = Deadlines(idle=30, tool=60, drain=5)


class _Jump(selectors.DefaultSelector):
    """Instead of waiting for a timer, moves the clock to it."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        self.now += timeout or 0.0
        return super().select(0)


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose time is what its timers say."""

    def __init__(self) -> None:
        self._jump = _Jump()
        super().__init__(self._jump)

    def time(self) -> float:
        return self._jump.now


def in_jumping_time(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Runs a test on a loop of its own, with `tasks` beside it.

    The anyio plugin would keep to the loop that a browser of the same worker lives on, and to its clock.
    """
    wanted = inspect.signature(test).parameters

    async def run(given: dict[str, Any]) -> Exception | None:
        async with anyio.create_task_group() as tasks:
            beside = {"tasks": tasks} if "tasks" in wanted else {}
            try:
                await test(**given, **beside)
            except Exception as error:  # given back, so that no group wraps it
                tasks.cancel_scope.cancel()
                return error
        return None

    @functools.wraps(test)
    def run_(**given: Any) -> None:
        clock = {"loop_factory": JumpingLoop}
        with ThreadPoolExecutor(1) as aside:  # where no loop of the plugin is
            error = aside.submit(lambda: anyio.run(run, given, backend_options=clock)).result()
        if error is not None:
            raise error

    rest = [parameter for name, parameter in wanted.items() if name != "tasks"]
    run_.__signature__ = inspect.Signature(rest)  # type: ignore[attr-defined]
    return run_


@pytest.fixture
def told() -> list[Event]:
    return []


def turn_of(name: str, tasks: TaskGroup, told: list[Event], number: int = 1, attempt: int = 1) -> Any:
    return open_turn(Attempt(name, "tester", number, attempt), Lane(tasks), LIMITS, told.append)


@in_jumping_time
async def test_a_silent_model_ends_the_attempt_after_the_idle_deadline(
    tasks: TaskGroup, told: list[Event]
) -> None:
    began = anyio.current_time()
    with pytest.raises(TurnIdle, match="30 s"):
        async with turn_of("a", tasks, told) as turn:
            with turn.stream():
                await anyio.sleep_forever()
    assert anyio.current_time() - began == pytest.approx(30)


@in_jumping_time
async def test_every_event_of_the_stream_starts_the_idle_timer_afresh(
    tasks: TaskGroup, told: list[Event]
) -> None:
    async with turn_of("a", tasks, told) as turn:
        with turn.stream():
            for _ in range(10):
                await anyio.sleep(29)
                turn.heard()


@in_jumping_time
async def test_pings_alone_keep_a_stream_alive_only_up_to_the_ceiling(
    tasks: TaskGroup, told: list[Event]
) -> None:
    began = anyio.current_time()
    with pytest.raises(TurnIdle):
        async with turn_of("a", tasks, told) as turn:
            with turn.stream():
                while True:
                    await anyio.sleep(10)
                    turn.pinged()
    assert anyio.current_time() - began == pytest.approx(LIMITS.silence)


@in_jumping_time
async def test_a_slow_tool_does_not_count_as_model_silence(tasks: TaskGroup, told: list[Event]) -> None:
    async with turn_of("a", tasks, told) as turn:
        with turn.stream():
            assert await turn.run_tool("form", "1", lambda: _after(59, "done")) == "done"


@in_jumping_time
async def test_a_tool_that_ends_leaves_the_model_its_full_idle_time(
    tasks: TaskGroup, told: list[Event]
) -> None:
    async with turn_of("a", tasks, told) as turn:
        with turn.stream():
            await anyio.sleep(29)
            await turn.run_tool("form", "1", lambda: _after(1, None))
            assert turn.idle_deadline == pytest.approx(anyio.current_time() + 30)
            await anyio.sleep(29)


@pytest.mark.parametrize("end", ["returns", "raises", "is cancelled", "runs out of time"])
@in_jumping_time
async def test_the_timer_runs_again_however_the_last_tool_ends(
    tasks: TaskGroup, told: list[Event], end: str
) -> None:
    async def tool() -> None:
        if end == "raises":
            raise ValueError("broken")
        await anyio.sleep(1 if end == "returns" else math.inf)

    async with turn_of("a", tasks, told) as turn:
        with turn.stream():
            with anyio.move_on_after(5 if end == "is cancelled" else None):
                with suppress(ValueError, ToolDeadline):
                    await turn.run_tool("form", "1", tool)
            assert turn.tools == 0
            assert turn.idle_deadline == pytest.approx(anyio.current_time() + 30)


@in_jumping_time
async def test_of_several_tools_the_last_one_to_end_starts_the_timer(
    tasks: TaskGroup, told: list[Event]
) -> None:
    async with turn_of("a", tasks, told) as turn:
        with turn.stream():
            async with anyio.create_task_group() as both:
                both.start_soon(turn.run_tool, "form", "1", lambda: _after(10, None))
                both.start_soon(turn.run_tool, "form", "2", lambda: _after(50, None))
                await anyio.sleep(45)
                assert turn.tools == 1
                assert turn.idle_deadline == math.inf


@in_jumping_time
async def test_one_turns_tool_does_not_hold_off_another_turns_timer(
    tasks: TaskGroup, told: list[Event]
) -> None:
    """The first fix of the original failure counted tools for the whole process; this is what was wrong with it."""
    ended: dict[str, float] = {}

    async def slow_tool() -> None:
        async with turn_of("slow", tasks, told) as turn:
            with turn.stream():
                await turn.run_tool("form", "1", lambda: _after(55, None))
        ended["slow"] = anyio.current_time()

    async def stalled_model() -> None:
        with pytest.raises(TurnIdle):
            async with turn_of("stalled", tasks, told) as turn:
                with turn.stream():
                    await anyio.sleep_forever()
        ended["stalled"] = anyio.current_time()

    began = anyio.current_time()
    async with anyio.create_task_group() as both:
        both.start_soon(slow_tool)
        both.start_soon(stalled_model)
    assert ended["stalled"] - began == pytest.approx(30)
    assert ended["slow"] - began == pytest.approx(55)


@in_jumping_time
async def test_a_person_who_takes_ten_minutes_is_no_idle_model(tasks: TaskGroup, told: list[Event]) -> None:
    async with turn_of("a", tasks, told) as turn:
        with turn.stream():
            with turn.waiting("a person"):
                await anyio.sleep(600)
            await anyio.sleep(29)
    assert [event.data["what"] for event in told if event.kind.startswith("wait.")] == ["a person"] * 2


@in_jumping_time
async def test_waiting_for_a_person_in_one_turn_exempts_only_that_turn(
    tasks: TaskGroup, told: list[Event]
) -> None:
    async with turn_of("asks", tasks, told) as asking:
        with asking.stream(), asking.waiting("a person"), pytest.raises(TurnIdle):
            async with turn_of("idle", tasks, told) as idle:
                with idle.stream():
                    await anyio.sleep(600)


@in_jumping_time
async def test_a_hung_tool_is_ended_by_its_own_deadline_and_is_no_idle_model(
    tasks: TaskGroup, told: list[Event]
) -> None:
    async with turn_of("a", tasks, told) as turn:
        with turn.stream(), pytest.raises(ToolDeadline) as late:
            await turn.run_tool("form", "1", anyio.sleep_forever)
    assert late.value.settled


@in_jumping_time
async def test_an_outer_cancellation_is_not_mistaken_for_idleness(
    tasks: TaskGroup, told: list[Event]
) -> None:
    with anyio.move_on_after(10) as outer:
        async with turn_of("a", tasks, told) as turn:
            with turn.stream():
                await anyio.sleep_forever()
    assert outer.cancelled_caught


@in_jumping_time
async def test_a_closed_attempt_touches_nothing(tasks: TaskGroup, told: list[Event]) -> None:
    kept: list[TurnContext] = []
    async with turn_of("a", tasks, told) as turn:
        kept.append(turn)
        fenced = turn.fence(Page())
        assert await fenced.act() == "acted"
    late = kept[0]
    with pytest.raises(TurnClosed):
        fenced.act()
    with pytest.raises(TurnClosed), late.recorder.step("fill", "Title"):
        pass
    with pytest.raises(TurnClosed):
        await late.run_tool("form", "1", lambda: _after(0, None))
    with pytest.raises(TurnClosed):
        _ = late.page


@in_jumping_time
async def test_the_next_attempt_starts_only_after_the_browser_call_of_the_last_has_settled(
    tasks: TaskGroup, told: list[Event]
) -> None:
    lane, log = Lane(tasks), []

    async def browser_call() -> None:
        await anyio.sleep(3)
        log.append(("landed", anyio.current_time()))

    began = anyio.current_time()
    with pytest.raises(TurnCancelled):
        async with open_turn(Attempt("a", "tester", 1, 1), lane, LIMITS, told.append) as turn:
            tasks.start_soon(_later, 1, lambda: turn.cancel("tried out"))
            await turn.carry(browser_call())
    async with open_turn(Attempt("a", "tester", 1, 2), lane, LIMITS, told.append):
        log.append(("second attempt", anyio.current_time()))
    assert log == [("landed", began + 3), ("second attempt", began + 3)]
    assert not _overlaps(told)


@in_jumping_time
async def test_a_browser_call_is_waited_for_even_when_the_whole_scenario_is_cancelled(
    told: list[Event],
) -> None:
    landed: list[float] = []

    async def browser_call() -> None:
        await anyio.sleep(3)
        landed.append(anyio.current_time())

    async def flight(lane: Lane) -> None:
        async with open_turn(Attempt("a", "tester", 1), lane, LIMITS, told.append) as turn:
            await turn.carry(browser_call())

    began = anyio.current_time()
    async with anyio.create_task_group() as scenario:
        scenario.start_soon(flight, Lane(scenario))
        await anyio.sleep(1)
        scenario.cancel_scope.cancel()
    assert landed == [began + 3]


@in_jumping_time
async def test_what_never_settles_is_let_go_after_the_drain_and_said(
    tasks: TaskGroup, told: list[Event]
) -> None:
    with pytest.raises(TurnCancelled):
        async with turn_of("a", tasks, told) as turn:
            tasks.start_soon(_later, 1, lambda: turn.cancel("tried out"))
            with turn.recorder.step("fill", "Title"):
                await turn.carry(anyio.sleep_forever())
    assert not turn.settled
    assert turn.recorder.steps[0].outcome == "unknown"
    assert [event.kind for event in told][-2:] == ["drain.failed", "attempt.end"]


@in_jumping_time
async def test_each_attempt_records_its_own_steps_and_no_others(tasks: TaskGroup, told: list[Event]) -> None:
    async with turn_of("a", tasks, told) as one, turn_of("b", tasks, told) as other:
        with one.recorder.step("fill", "Title"):
            with pytest.raises(ValueError, match="elsewhere"), other.recorder.step("click", "Save"):
                raise ValueError("elsewhere")
    assert [(step.do, step.ok) for step in one.recorder.steps] == [("fill", True)]
    assert [(step.do, step.ok) for step in other.recorder.steps] == [("click", False)]


class Page:
    """Something of the browser's."""

    async def act(self) -> str:
        return "acted"


async def _after(seconds: float, result: Any) -> Any:
    await anyio.sleep(seconds)
    return result


async def _later(seconds: float, act: Any) -> None:
    await anyio.sleep(seconds)
    act()


def _overlaps(told: list[Event]) -> bool:
    """Whether an attempt began before the one before it had ended."""
    marks = [event.kind for event in told if event.kind in ("attempt.start", "attempt.end")]
    return marks != ["attempt.start", "attempt.end"] * (len(marks) // 2)
