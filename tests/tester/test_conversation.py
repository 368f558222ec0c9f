"""A conversation keeps its messages in order whatever comes in, and the service accepts what leaves it."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from tester.conversation import Conversation
from tester.history.causes import Cause, no_result
from tester.history.mends import Mend
from tester.models.anthropic import Anthropic
from tester.models.protocol import Done, Request, ToolSpec
from tests.messages_api.histories import broken_history
from tests.messages_api.plugin import StartService
from tests.messages_api.replies import Reply, says
from tests.messages_api.server import MessagesServer

Json = dict[str, Any]
LOOK = ToolSpec("look", "Looks at the page.", {"type": "object", "properties": {"query": {"type": "string"}}})


def call(id: str) -> Json:
    return {"type": "tool_use", "id": id, "name": "look", "input": {}}


def results(conversation: Conversation) -> list[tuple[str, str]]:
    blocks = [block for message in conversation.request_messages() for block in message["content"]]
    found = [block for block in blocks if isinstance(block, dict) and block["type"] == "tool_result"]
    return [(block["tool_use_id"], block["content"]) for block in found]


def test_results_stand_in_the_order_of_the_calls_in_whatever_order_they_come() -> None:
    conversation = Conversation("Go.")
    conversation.add_assistant([call("a"), call("b"), call("c")])
    for id in ("c", "a", "b"):
        conversation.add_result(id, f"result of {id}")
    assert results(conversation) == [(id, f"result of {id}") for id in ("a", "b", "c")]
    assert len(conversation.request_messages()) == 3


def test_what_is_said_between_two_results_comes_after_both() -> None:
    conversation = Conversation("Go.")
    conversation.add_assistant([call("a"), call("b")])
    conversation.add_result("b", "second")
    conversation.say("Somebody touched the page.")
    conversation.add_result("a", "first", is_error=True)
    assert conversation.request_messages()[2]["content"] == [
        {"type": "tool_result", "tool_use_id": "a", "content": "first", "is_error": True},
        {"type": "tool_result", "tool_use_id": "b", "content": "second"},
        {"type": "text", "text": "Somebody touched the page."},
    ]


def test_what_has_left_is_not_changed_by_what_is_said_later() -> None:
    conversation = Conversation("Go.")
    left = conversation.request_messages()
    before = json.dumps(left)
    conversation.say("And on.")
    assert json.dumps(left) == before
    assert len(conversation.request_messages()) == 1


@pytest.mark.parametrize("cause", ["run_ended", "cancelled", "process_died", "history_cut"])
def test_calls_that_were_open_at_a_cut_are_answered_with_its_cause(cause: Cause) -> None:
    conversation = Conversation("Go.")
    conversation.add_assistant([call("a"), call("b")])
    conversation.add_result("a", "seen")
    conversation.cut(cause)
    conversation.cut("run_ended")
    assert results(conversation) == [("a", "seen"), ("b", no_result(cause))]


def test_a_cut_says_nothing_about_calls_to_come() -> None:
    conversation = Conversation("Go.")
    conversation.cut("cancelled")
    conversation.add_assistant([call("a")])
    assert results(conversation) == [("a", no_result("unanswered"))]


def test_a_result_that_comes_after_the_call_was_answered_for_it_changes_nothing_that_was_sent() -> None:
    mends: list[Mend] = []
    conversation = Conversation("Go.", on_repair=mends.extend)
    conversation.add_assistant([call("a")])
    before = conversation.request_messages()
    conversation.add_result("a", "late")
    assert conversation.request_messages() == before
    assert [mend.kind for mend in mends] == ["no result", "second result"]


def test_a_result_of_a_call_that_nobody_made_is_dropped_and_told() -> None:
    mends: list[Mend] = []
    conversation = Conversation("Go.", on_repair=mends.extend)
    conversation.add_result("ghost", "boo")
    assert conversation.request_messages() == (
        {"role": "user", "content": [{"type": "text", "text": "Go."}]},
    )
    assert [mend.to_json() for mend in mends] == [
        {"kind": "orphan", "where": 0, "what": "dropped a result (orphan)", "call": "ghost"}
    ]


def test_an_answer_of_nothing_adds_nothing() -> None:
    mends: list[Mend] = []
    conversation = Conversation("Go.", on_repair=mends.extend)
    conversation.add_assistant([])
    assert conversation.request_messages() == ({"role": "user", "content": "Go."},)
    assert mends == []


def test_it_comes_back_from_a_file_as_it_was_with_the_causes_of_what_is_missing() -> None:
    conversation = Conversation([{"type": "text", "text": "Go."}])
    conversation.add_assistant([call("a"), call("b")])
    conversation.add_result("b", "seen")
    conversation.cut("cancelled")
    written = json.dumps(conversation.to_json())
    again = Conversation.from_json(json.loads(written))
    again.cut("process_died")
    assert results(again) == [("a", no_result("cancelled")), ("b", "seen")]
    assert again.request_messages() == conversation.request_messages()


def test_a_mended_conversation_is_mended_once() -> None:
    mends: list[Mend] = []
    conversation = Conversation("Go.", on_repair=mends.extend)
    conversation.add_assistant([call("a")])
    conversation.cut("cancelled")
    first = conversation.request_messages()
    assert conversation.request_messages() == first
    assert len(mends) == 1
    assert conversation.to_json()["causes"] == {}


# -- before the service --------------------------------------------------------------------------------------


async def ask(model: Anthropic, conversation: Conversation) -> Done:
    request = Request("tester", "You test.", conversation.request_messages(), (LOOK,))
    async with model.stream(request) as events:
        done = [event async for event in events][-1]
    assert isinstance(done, Done)
    return done


@pytest.mark.anyio
async def test_whatever_broke_a_history_the_service_accepts_it_again(start_service: StartService) -> None:
    service = start_service(
        bound=False
    )  # nobody can see that a lost message changed what a thought was bound to
    model = Anthropic("claude-opus-5-5")
    for seed in range(250):
        service.will(says("Go on."))
        await ask(model, Conversation.from_json({"messages": broken_history(Random(seed)), "causes": {}}))
    await model.aclose()
    assert len(service.asked) == 250
    assert service.invalid == []


@pytest.mark.anyio
@pytest.mark.parametrize("seed", range(4))
async def test_whatever_happens_to_a_conversation_its_thoughts_stay_where_they_belong(
    service: MessagesServer, seed: int
) -> None:
    dice = Random(seed)
    model = Anthropic("claude-opus-5-5")
    for _ in range(10):
        conversation = Conversation("The scenario. " * 9, budget=dice.choice([900, 1800, 60_000]))
        for _ in range(dice.randint(1, 16)):
            service.will(_anything(dice))
            done = await ask(model, conversation)
            conversation = _live_on(dice, conversation, done)
    await model.aclose()
    assert service.invalid == []


def _anything(dice: Random) -> Reply:
    calls: list[tuple[str, Any]] = [
        ("look", {"query": f"{dice.random()}"}) for _ in range(dice.randint(0, 3))
    ]
    if dice.random() < 0.1:
        return says("Hm.", *calls, ("look", '{"query": "cu'), stop_reason="max_tokens")
    thinks = dice.choice([None, "", "Where is it?"])
    return says(dice.choice(["", "I look."]) if calls else "What now?", *calls, thinks=thinks)


def _live_on(dice: Random, conversation: Conversation, done: Done) -> Conversation:
    """What a run may do between two requests."""
    if dice.random() < 0.1:
        return conversation  # the answer got lost
    conversation.add_assistant(done.content)
    calls = [block["id"] for block in done.content if block["type"] == "tool_use"]
    dice.shuffle(calls)
    for id in calls:
        if dice.random() < 0.8:
            view = f"<page>{'row ' * dice.randint(1, 300)}</page>"
            conversation.add_result(id, json.dumps({"view": view}), is_error=dice.random() < 0.2)
        elif dice.random() < 0.5:
            conversation.cut("cancelled")
    if dice.random() < 0.3:
        conversation.say("Somebody touched the page.")
    if dice.random() < 0.1:
        conversation.shrink()
    if dice.random() < 0.1:
        conversation = Conversation.from_json(json.loads(json.dumps(conversation.to_json())), budget=900)
    return conversation
