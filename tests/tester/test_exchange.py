"""Turns with a scripted model: retries resume, every call gets its result, nobody's tool runs twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import anyio
import pytest
from pydantic import BaseModel

from scenarios.errors import ModelError
from tester.conversation import Conversation
from tester.deadlines import Deadlines
from tester.exchange import Cabin, Speaker, take_turn
from tester.lane import Lane
from tester.models.protocol import Delta, ModelBroke, ModelBusy
from tester.models.scripted import Scripted, says
from tester.toolbox import Tool, Toolbox
from tester.turn import TurnContext
from traces.events import Event

pytestmark = pytest.mark.anyio


class Press(BaseModel):
    button: str


class Counter:
    """Tools that count how often they did something."""

    def __init__(self) -> None:
        self.pressed: list[str] = []
        self.box = Toolbox(
            Tool("press", "Presses a button.", Press, self._press), Tool("fail", "Fails.", Press, self._fail)
        )

    async def _press(self, turn: TurnContext, wanted: Press) -> dict[str, Any]:
        with turn.recorder.step("click", wanted.button):
            await turn.carry(self._slowly(wanted.button))
        return {"ok": True, "pressed": wanted.button}

    async def _slowly(self, button: str) -> None:
        await anyio.sleep(0.02)
        self.pressed.append(button)

    async def _fail(self, turn: TurnContext, wanted: Press) -> dict[str, Any]:
        raise ValueError(f"{wanted.button} is broken")


@pytest.fixture
async def cabin(anyio_backend: str, events: list[Event]) -> AsyncIterator[Cabin]:
    async with anyio.create_task_group() as tasks:
        yield Cabin("test", Lane(tasks), Deadlines(idle=0.1, tool=0.2, drain=0.5), events.append)


def speaker(*lines: Any) -> Speaker:
    return Speaker("tester", Scripted(lines), "You test.", Conversation("# A scenario"))


def results(conversation: Conversation) -> dict[str, tuple[bool, str]]:
    """Every result in the history by its call: whether it is an error, and its text."""
    return {
        block["tool_use_id"]: (block.get("is_error", False), str(block["content"]))
        for message in conversation.request_messages()
        if not isinstance(message["content"], str)
        for block in message["content"]
        if block["type"] == "tool_result"
    }


async def test_a_turn_carries_out_its_calls_in_order_and_keeps_their_results(cabin: Cabin) -> None:
    tools, tester = Counter(), speaker(says(("press", {"button": "A"}), ("press", {"button": "B"})))
    turn = await take_turn(cabin, tester, tools.box)
    assert [call.ok for call in turn.called] == [True, True]
    assert tools.pressed == ["A", "B"]
    assert list(results(tester.conversation)) == ["call_1", "call_2"]


@pytest.mark.parametrize("cause", [ModelBroke("reset"), ModelBusy("overloaded", 0.01), anyio.sleep_forever])
async def test_a_failed_model_call_is_made_again_and_nothing_else(
    cabin: Cabin, cause: Any, events: list[Event]
) -> None:
    tools = Counter()
    tester = speaker(
        says(("press", {"button": "Save"})),
        [Delta("text", "I"), cause],
        says(("press", {"button": "Next"}), prefix="b"),
    )
    await take_turn(cabin, tester, tools.box)
    await take_turn(cabin, tester, tools.box)
    assert tools.pressed == ["Save", "Next"]
    assert [event.data["attempt"] for event in events if event.kind == "attempt.start"] == [1, 1, 2]
    assert results(tester.conversation)["call_1"] == (False, '{"ok": true, "pressed": "Save"}')


async def test_attempts_of_a_turn_never_overlap(cabin: Cabin, events: list[Event]) -> None:
    tester = speaker(ModelBroke("one"), ModelBroke("two"), says(("press", {"button": "A"})))
    await take_turn(cabin, tester, Counter().box)
    marks = [event.kind for event in events if event.kind in ("attempt.start", "attempt.end")]
    assert marks == ["attempt.start", "attempt.end"] * 3


async def test_a_model_that_is_never_heard_ends_the_run_with_an_error_that_says_so(cabin: Cabin) -> None:
    with pytest.raises(ModelError, match=r"silent for 0\.1 s .tried 3 times"):
        await take_turn(cabin, speaker(*[anyio.sleep_forever] * 3), Counter().box)


async def test_a_refused_request_is_not_tried_again(cabin: Cabin) -> None:
    tester = speaker(ModelError("the key is not accepted"))
    with pytest.raises(ModelError, match="key"):
        await take_turn(cabin, tester, Counter().box)
    assert tester.turns == 1


async def test_an_unknown_tool_a_wrong_input_and_a_broken_tool_are_three_different_results(
    cabin: Cabin,
) -> None:
    calls = says(("jump", {}), ("press", {"knob": 1}), ("fail", {"button": "A"}), ("press", {"button": "B"}))
    turn = await take_turn(cabin, speaker(calls), Counter().box)
    assert [call.result.get("error") for call in turn.called] == [
        "no such tool",
        "unreadable call",
        "tool error",
        None,
    ]
    assert "press" in turn.called[0].result["why"]
    assert "button" in turn.called[1].result["why"]
    assert "A is broken" in turn.called[2].result["why"]


async def test_a_tool_past_its_deadline_gets_a_truthful_result_and_the_turn_goes_on(
    cabin: Cabin, events: list[Event]
) -> None:
    async def hang(turn: TurnContext, wanted: Press) -> dict[str, Any]:
        with turn.recorder.step("click", wanted.button):
            await anyio.sleep_forever()
        return {}

    box = Toolbox(Tool("hang", "Hangs.", Press, hang), *Counter().box.tools)
    turn = await take_turn(cabin, speaker(says(("hang", {"button": "A"}), ("press", {"button": "B"}))), box)
    assert [call.ok for call in turn.called] == [False, True]
    assert "may have taken effect" in turn.called[0].result["why"]
    assert [event.data["attempt"] for event in events if event.kind == "attempt.start"] == [1]


async def test_a_call_that_was_cut_off_gets_a_result_that_does_not_claim_success(cabin: Cabin) -> None:
    tools, tester = Counter(), speaker(says(("press", {"button": "A"}), ("press", {"button": "B"})))
    with anyio.move_on_after(0.01):
        await take_turn(cabin, tester, tools.box)
    tester.conversation.cut("cancelled")
    for error, text in results(tester.conversation).values():
        assert error
        assert "may have" in text
    assert tools.pressed == ["A"]  # what had begun was waited for; what had not begun was not


async def test_two_scenarios_in_one_process_keep_their_steps_apart(cabin: Cabin, events: list[Event]) -> None:
    async def one(name: str) -> None:
        own = Cabin(name, cabin.lane, cabin.deadlines, cabin.tell)
        await take_turn(own, speaker(says(("press", {"button": name}))), Counter().box)

    async with anyio.create_task_group() as both:
        both.start_soon(one, "first")
        both.start_soon(one, "second")
    steps = [(event.data["scenario"], event.data["field"]) for event in events if event.kind == "step"]
    assert sorted(steps) == [("first", "first"), ("second", "second")]
