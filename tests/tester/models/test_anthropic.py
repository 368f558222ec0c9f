"""The Anthropic model against a strict and unreliable service, through the real SDK over real HTTP."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from email.utils import formatdate
from pathlib import Path
from time import time
from typing import Any

import anyio
import pytest

from scenarios.errors import ModelError
from tester.conversation import Conversation
from tester.models.anthropic import Anthropic
from tester.models.protocol import (
    ContextTooLong,
    Delta,
    Done,
    ModelBroke,
    ModelBusy,
    ModelEvent,
    Ping,
    Request,
    Started,
    ToolSpec,
)
from tests.messages_api.binding import Binding
from tests.messages_api.faults import (
    Delay,
    Double,
    ErrorEvent,
    Fault,
    Garble,
    HangUp,
    Lose,
    Pings,
    Reset,
    Stall,
    Stranger,
    Swap,
    Trickle,
    Truncate,
)
from tests.messages_api.plugin import StartService
from tests.messages_api.replies import Reply, read_script, refuses, says
from tests.messages_api.server import KEY, MessagesServer

pytestmark = pytest.mark.anyio

QUERY = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
LOOK = ToolSpec("look", "Looks at the page.", QUERY)
QUESTION = Request("tester", "You test.", ({"role": "user", "content": "Go on."},), (LOOK,))
ANSWER = says("I look.", ("look", {"query": "list"}), ("look", {"query": "toast"}), thinks="Where is it?")


@pytest.fixture
async def claude() -> AsyncIterator[Anthropic]:
    model = Anthropic("claude-opus-5-5")
    yield model
    await model.aclose()


async def ask(model: Anthropic, request: Request = QUESTION) -> list[ModelEvent]:
    async with model.stream(request) as events:
        return [event async for event in events]


async def happens(event: threading.Event) -> None:
    assert await anyio.to_thread.run_sync(event.wait, 30)


async def answer(model: Anthropic, request: Request = QUESTION) -> Done:
    done = (await ask(model, request))[-1]
    assert isinstance(done, Done)
    return done


# -- what is heard -----------------------------------------------------------------------------------------


async def test_a_message_arrives_whole_with_its_thoughts_and_calls(
    service: MessagesServer, claude: Anthropic
) -> None:
    service.will(ANSWER)
    done = await answer(claude)
    assert [block["type"] for block in done.content] == ["thinking", "text", "tool_use", "tool_use"]
    assert done.content[0]["thinking"] == "Where is it?"
    assert Binding.genuine(done.content[0])
    assert done.content[2] == {
        "type": "tool_use",
        "id": "toolu_0001",
        "name": "look",
        "input": {"query": "list"},
    }
    assert done.stop_reason == "tool_use"
    assert service.invalid == []


async def test_every_piece_of_content_is_heard_as_it_comes(
    service: MessagesServer, claude: Anthropic
) -> None:
    service.will(ANSWER)
    events = await ask(claude)
    assert isinstance(events[0], Started)
    heard = [event for event in events if isinstance(event, Delta)]
    assert "".join(event.text for event in heard if event.what == "thinking") == "Where is it?"
    assert "".join(event.text for event in heard if event.what == "text") == "I look."
    assert (
        "".join(event.text for event in heard if event.what == "call")
        == '{"query": "list"}{"query": "toast"}'
    )


async def test_pings_and_strangers_are_no_content(service: MessagesServer, claude: Anthropic) -> None:
    service.will(ANSWER.but(Pings(3, at=1), Pings(2, at=8), Stranger(at=4)))
    events = await ask(claude)
    assert sum(isinstance(event, Ping) for event in events) == 6
    assert isinstance(events[-1], Done)


async def test_a_trickle_of_single_bytes_is_the_same_message(
    service: MessagesServer, claude: Anthropic
) -> None:
    service.will(ANSWER, ANSWER.but(Trickle(1)))
    whole, trickled = await answer(claude), await answer(claude)
    assert [block["type"] for block in trickled.content] == [block["type"] for block in whole.content]
    assert trickled.content[1] == whole.content[1]


async def test_a_hundred_calls_in_one_message_all_arrive(service: MessagesServer, claude: Anthropic) -> None:
    service.will(says("", *[("look", {"query": str(number)}) for number in range(100)]))
    done = await answer(claude)
    assert [block["input"]["query"] for block in done.content] == [str(number) for number in range(100)]


async def test_a_message_without_a_call_where_one_was_needed_is_a_message(
    service: MessagesServer, claude: Anthropic
) -> None:
    service.will(says("What should I do?"))
    done = await answer(claude)
    assert (done.stop_reason, [block["type"] for block in done.content]) == ("end_turn", ["text"])


async def test_an_empty_text_is_not_part_of_a_message(service: MessagesServer, claude: Anthropic) -> None:
    service.will(
        Reply(({"type": "text", "text": ""}, {"type": "tool_use", "name": "look", "input": {"query": "a"}}))
    )
    assert [block["type"] for block in (await answer(claude)).content] == ["tool_use"]


async def test_what_a_small_file_says_is_said(service: MessagesServer, claude: Anthropic) -> None:
    service.will(*read_script(Path(__file__).parents[2] / "messages_api" / "scripts" / "three_answers.yaml"))
    with pytest.raises(ModelBusy) as busy:
        await ask(claude)
    assert busy.value.retry_after == 2
    assert [block["type"] for block in (await answer(claude)).content] == ["thinking", "text", "tool_use"]
    with pytest.raises(ModelBroke):
        await ask(claude)
    assert service.faults == {"refused 529": 1, "reset": 1}


# -- what is asked -----------------------------------------------------------------------------------------


async def test_tools_are_strict_and_one_of_them_is_asked_for(
    service: MessagesServer, claude: Anthropic
) -> None:
    service.will(ANSWER)
    await ask(claude)
    body = service.asked[0].body
    assert [tool["strict"] for tool in body["tools"]] == [True]
    assert body["tool_choice"] == {"type": "any"}
    assert (body["model"], body["max_tokens"], body["stream"]) == ("claude-opus-5-5", 8192, True)


async def test_nothing_about_tools_is_said_where_there_are_none(
    service: MessagesServer, claude: Anthropic
) -> None:
    service.will(says("Hello."))
    await ask(claude, replace(QUESTION, tools=(), system=""))
    assert not {"tools", "tool_choice", "system"} & set(service.asked[0].body)


async def test_a_growing_conversation_is_read_from_the_cache(
    service: MessagesServer, claude: Anthropic
) -> None:
    conversation = Conversation("Create a run. " * 50)
    read = written = fresh = 0
    for number in range(12):
        service.will(says("", ("look", {"query": f"{number}"}), thinks="Hm."))
        done = await answer(claude, replace(QUESTION, messages=conversation.request_messages()))
        read, written = read + done.usage.cache_read, written + done.usage.cache_write
        fresh += done.usage.input
        conversation.add_assistant(done.content)
        conversation.add_result(done.content[-1]["id"], "Nothing new. " * 30)
    assert service.invalid == []
    assert fresh == 0, "everything stands before a mark"
    assert read / (read + written) > 0.75


async def test_what_was_said_before_a_hundred_calls_is_read_from_the_cache_after_them(
    service: MessagesServer, claude: Anthropic
) -> None:
    conversation = Conversation("Create a run. " * 500)
    for _ in range(2):
        service.will(says("", *[("look", {"query": str(number)}) for number in range(100)]), says("Done."))
        done = await answer(claude, replace(QUESTION, messages=conversation.request_messages()))
        conversation.add_assistant(done.content)
        for block in done.content:
            conversation.add_result(block["id"], "seen")
        before = done.usage.cache_read + done.usage.cache_write
        done = await answer(claude, replace(QUESTION, messages=conversation.request_messages()))
        conversation.add_assistant(done.content)
        conversation.say("And on.")
        assert done.usage.cache_read == before


async def test_tools_and_system_prompt_are_read_from_the_cache_by_another_conversation(
    service: MessagesServer, claude: Anthropic
) -> None:
    for text in ("Create a run.", "Delete a run."):
        service.will(ANSWER)
        question = replace(QUESTION, system="You test. " * 200, messages=({"role": "user", "content": text},))
        usage = (await answer(claude, question)).usage
    assert usage.cache_read > 500


async def test_the_scenario_is_read_from_the_cache_even_after_a_cut(
    service: MessagesServer, claude: Anthropic
) -> None:
    conversation = Conversation("Create a run. " * 400)
    for number in range(12):
        service.will(says("", *[("look", {"query": "list"})] * 8))
        if number == 11:
            assert conversation.shrink()
        done = await answer(claude, replace(QUESTION, messages=conversation.request_messages()))
        conversation.add_assistant(done.content)
        for block in done.content:
            conversation.add_result(block["id"], "Nothing new. " * 30)
    assert 1400 < done.usage.cache_read < 1600
    assert service.invalid == []


async def test_marks_that_a_history_brings_along_are_not_sent(
    service: MessagesServer, claude: Anthropic
) -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    texts = [{"type": "text", "text": f"{number}", **mark} for number in range(4)]
    service.will(ANSWER)
    await ask(claude, replace(QUESTION, messages=({"role": "user", "content": texts},)))
    assert service.invalid == []


async def test_one_connection_serves_one_call_after_another(
    service: MessagesServer, claude: Anthropic
) -> None:
    service.will(ANSWER, ANSWER, ANSWER)
    for _ in range(3):
        await ask(claude)
    assert service.connections == 1


async def test_a_call_costs_what_its_tokens_cost(service: MessagesServer, claude: Anthropic) -> None:
    counted = {
        "input_tokens": 1000,
        "cache_creation_input_tokens": 2000,
        "cache_read_input_tokens": 100_000,
        "output_tokens": 500,
    }
    service.will(replace(ANSWER, usage=counted))
    usage = (await answer(claude)).usage
    assert (usage.input, usage.output, usage.cache_write, usage.cache_read) == (1000, 500, 2000, 100_000)
    assert usage.cost == pytest.approx((1000 * 4 + 500 * 20 + 2000 * 5 + 100_000 * 0.2) / 1e6)


async def test_a_model_without_a_known_price_has_no_cost(service: MessagesServer) -> None:
    service.will(ANSWER)
    model = Anthropic("claude-unheard-of")
    assert (await answer(model)).usage.cost is None
    await model.aclose()


# -- what models differ in ---------------------------------------------------------------------------------


async def test_a_model_that_cannot_be_made_to_call_is_asked_politely_from_then_on(
    start_service: StartService, claude: Anthropic
) -> None:
    service = start_service(forced_calls=False)
    service.will(ANSWER, ANSWER)
    await ask(claude)
    await ask(claude)
    assert [asked.body["tool_choice"]["type"] for asked in service.asked] == ["any", "auto", "auto"]


async def test_schemas_that_are_too_much_for_the_service_are_declared_without_strictness(
    service: MessagesServer, claude: Anthropic
) -> None:
    service.will(refuses(400, "The compiled grammar is too large. Simplify your tools."), ANSWER, ANSWER)
    await ask(claude)
    await ask(claude)
    assert ["strict" in asked.body["tools"][0] for asked in service.asked] == [True, False, False]


async def test_thoughts_that_are_refused_are_left_out(service: MessagesServer, claude: Anthropic) -> None:
    service.will(ANSWER, says("Then not."))
    thought = (await answer(claude)).content[:2]
    elsewhere: tuple[dict[str, Any], ...] = (
        {"role": "user", "content": "Something else."},
        {"role": "assistant", "content": thought},
        {"role": "user", "content": "Go on."},
    )
    done = await answer(claude, replace(QUESTION, messages=elsewhere))
    assert done.content == [{"type": "text", "text": "Then not."}]
    assert "different conversation" in service.invalid[0]


# -- refusals ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "refused the request"),
        (401, "check ANTHROPIC_API_KEY"),
        (402, "asks for payment"),
        (403, "does not let these credentials"),
        (404, "check --model"),
        (422, "refused the request"),
    ],
)
async def test_what_will_not_get_better_ends_the_run_with_a_plain_sentence(
    service: MessagesServer, claude: Anthropic, status: int, words: str
) -> None:
    service.will(refuses(status, "because of this"))
    with pytest.raises(ModelError, match=words) as error:
        await ask(claude)
    assert "because of this" in str(error.value)
    assert error.value.exit_code == 3
    assert len(service.asked) == 1


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
async def test_what_may_get_better_says_when_and_is_not_asked_again_by_the_sdk(
    service: MessagesServer, claude: Anthropic, status: int
) -> None:
    service.will(refuses(status, "busy", retry_after="7"))
    with pytest.raises(ModelBusy, match="busy") as error:
        await ask(claude)
    assert error.value.retry_after == 7
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after_ms": "1500"}, 1.5),
        ({"retry_after": "0.25"}, 0.25),
        ({"retry_after": formatdate(time() + 3600, usegmt=True)}, 3600),
        ({"retry_after": formatdate(time() - 60, usegmt=True)}, 0),
        ({"retry_after": "soon"}, 5),
        ({}, 5),
    ],
)
async def test_the_wait_is_what_the_headers_say(
    service: MessagesServer, claude: Anthropic, headers: dict[str, str], seconds: float
) -> None:
    service.will(refuses(529, **headers))
    with pytest.raises(ModelBusy) as error:
        await ask(claude)
    assert error.value.retry_after == pytest.approx(seconds, rel=0.3)  # dates were told at collection


async def test_a_limit_that_waiting_does_not_lift_ends_the_run(
    service: MessagesServer, claude: Anthropic
) -> None:
    service.will(refuses(429, "the spend limit is reached", x_should_retry="false"))
    with pytest.raises(ModelError, match="spend limit"):
        await ask(claude)


@pytest.mark.parametrize(
    "reply",
    [
        refuses(413, "request exceeds the maximum size"),
        refuses(400, "prompt is too long: 213462 tokens > 200000 maximum"),
        says("And then", stop_reason="model_context_window_exceeded"),
    ],
)
async def test_a_conversation_that_is_too_long_is_told_apart(
    service: MessagesServer, claude: Anthropic, reply: Reply
) -> None:
    service.will(reply)
    with pytest.raises(ContextTooLong):
        await ask(claude)


async def test_a_model_that_declines_ends_the_run_with_its_reason(
    service: MessagesServer, claude: Anthropic
) -> None:
    details = {"type": "refusal", "category": "cyber", "explanation": "This may do harm."}
    service.will(says("I", stop_reason="refusal", stop_details=details))
    with pytest.raises(ModelError, match=r"declined to answer: This may do harm\."):
        await ask(claude)


async def test_no_connection_may_get_better(
    service: MessagesServer, claude: Anthropic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    with pytest.raises(ModelBusy, match="no connection"):
        await ask(claude)


async def test_without_credentials_the_error_says_what_to_set(
    service: MessagesServer, claude: Anthropic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with pytest.raises(ModelError, match="set ANTHROPIC_API_KEY"):
        await ask(claude)
    assert service.asked == []


@pytest.mark.parametrize(
    ("name", "value"), [("ANTHROPIC_AUTH_TOKEN", KEY), ("ANTHROPIC_CUSTOM_HEADERS", f"x-api-key: {KEY}")]
)
async def test_the_sdks_other_credentials_work(
    service: MessagesServer,
    claude: Anthropic,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    value: str,
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv(name, value)
    service.will(ANSWER)
    assert (await answer(claude)).stop_reason == "tool_use"


# -- streams that break ------------------------------------------------------------------------------------


async def outcome(model: Anthropic) -> Done | ModelBroke:
    try:
        return await answer(model)
    except ModelBroke as broke:
        return broke


@pytest.mark.parametrize("kind", ["reset", "truncate", "truncate quietly"])
async def test_a_stream_that_ends_at_any_byte_before_its_end_is_broken(
    service: MessagesServer, claude: Anthropic, kind: str
) -> None:
    for share in [number / 50 for number in range(49)]:
        fault = Reset(share) if kind == "reset" else Truncate(share, quietly=kind.endswith("quietly"))
        service.will(ANSWER.but(fault))
        assert isinstance(await outcome(claude), ModelBroke), share
    service.will(ANSWER)
    assert isinstance(await outcome(claude), Done), "the next call has a connection of its own"


async def test_a_stream_that_ends_within_its_last_bytes_is_broken_or_whole(
    service: MessagesServer, claude: Anthropic
) -> None:
    for at in range(-60, 0):
        service.will(ANSWER.but(Truncate(at, quietly=at % 2 == 0)))
        got = await outcome(claude)
        assert isinstance(got, ModelBroke) or len(got.content) == 4


async def test_a_connection_that_was_hung_up_on_costs_at_most_one_attempt(
    service: MessagesServer, claude: Anthropic
) -> None:
    service.will(ANSWER.but(HangUp()), ANSWER, ANSWER)
    assert isinstance(await outcome(claude), Done)
    assert any([isinstance(await outcome(claude), Done) for _ in range(2)])


STRUCTURE = [0, 1, 5, 6, 9, 10, 13, 14, 17, 18, 19]
"""The places of the events of ANSWER that begin or end something."""


async def test_an_event_that_begins_or_ends_something_cannot_be_lost(
    service: MessagesServer, claude: Anthropic
) -> None:
    for at in STRUCTURE:
        service.will(ANSWER.but(Lose(at)))
        assert isinstance(await outcome(claude), ModelBroke), at


@pytest.mark.parametrize("kind", [Swap, Double])
async def test_events_out_of_turn_break_the_message(
    service: MessagesServer, claude: Anthropic, kind: type[Swap] | type[Double]
) -> None:
    for at in [place for place in STRUCTURE if place < 18]:
        service.will(ANSWER.but(kind(at)))
        assert isinstance(await outcome(claude), ModelBroke), at


@pytest.mark.parametrize("data", ["<html>", "{", "[]", "null", '{"type": "x"}', '{"index": 7}'])
async def test_an_event_that_carries_no_sense_breaks_the_message(
    service: MessagesServer, claude: Anthropic, data: str
) -> None:
    for at in range(19):  # the last event says nothing but that it is the last
        service.will(ANSWER.but(Garble(at, data)))
        assert isinstance(await outcome(claude), ModelBroke), at


@pytest.mark.parametrize(
    ("kind", "meaning"),
    [
        ("overloaded_error", ModelBusy),
        ("rate_limit_error", ModelBusy),
        ("api_error", ModelBroke),
        ("timeout_error", ModelBroke),
        ("error_of_the_future", ModelBroke),
        ("authentication_error", ModelError),
        ("invalid_request_error", ModelError),
    ],
)
async def test_an_error_in_mid_stream_keeps_its_meaning(
    service: MessagesServer, claude: Anthropic, kind: str, meaning: type[Exception]
) -> None:
    service.will(ANSWER.but(ErrorEvent(at=5, kind=kind, message="it is like this")))
    with pytest.raises(meaning, match="it is like this"):
        await ask(claude)


async def test_arguments_that_do_not_parse_break_the_message(
    service: MessagesServer, claude: Anthropic
) -> None:
    service.will(says("", ("look", '{"query": "li')))
    with pytest.raises(ModelBroke, match="do not parse"):
        await ask(claude)


async def test_arguments_cut_by_the_token_limit_stay_text_that_no_tool_takes(
    service: MessagesServer, claude: Anthropic
) -> None:
    service.will(says("", ("look", {"query": "a"}), ("look", '{"query": "li'), stop_reason="max_tokens"))
    done = await answer(claude)
    assert [block["input"] for block in done.content] == [{"query": "a"}, '{"query": "li']
    conversation = Conversation("Go on.")
    conversation.add_assistant(done.content)
    conversation.add_result(done.content[0]["id"], "seen")
    service.will(says("Shorter, then."))
    await answer(claude, replace(QUESTION, messages=conversation.request_messages()))
    assert service.invalid == []


async def test_a_turn_that_was_paused_goes_on_with_the_next_request(
    service: MessagesServer, claude: Anthropic
) -> None:
    service.will(says("I am not done yet.", stop_reason="pause_turn"), ANSWER)
    conversation = Conversation("Go on.")
    for _ in range(2):
        done = await answer(claude, replace(QUESTION, messages=conversation.request_messages()))
        conversation.add_assistant(done.content)
    assert done.stop_reason == "tool_use"
    assert service.invalid == []


# -- leaving -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [Stall(0.5), Delay()])
async def test_a_cancelled_call_closes_its_connection(
    service: MessagesServer, claude: Anthropic, fault: Fault
) -> None:
    service.will(ANSWER.but(fault))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask, claude)
        await happens(service.reached)
        tasks.cancel_scope.cancel()
    await happens(service.left)


async def test_a_stream_that_is_left_early_closes_its_connection(
    service: MessagesServer, claude: Anthropic
) -> None:
    service.will(ANSWER.but(Stall(0.5)))
    async with claude.stream(QUESTION) as events:
        async for event in events:
            if isinstance(event, Delta):
                break
    await happens(service.left)


async def test_a_stream_that_nobody_listened_to_closes_its_connection(
    service: MessagesServer, claude: Anthropic
) -> None:
    service.will(ANSWER.but(Stall(0.5)))
    async with claude.stream(QUESTION):
        pass
    await happens(service.left)


async def test_a_stream_that_stalled_goes_on(service: MessagesServer, claude: Anthropic) -> None:
    gate = service.gate()
    service.will(ANSWER.but(Stall(0.5, gate)))
    async with anyio.create_task_group() as tasks:

        async def open_gate() -> None:
            await happens(service.reached)
            gate.open()

        tasks.start_soon(open_gate)
        assert (await answer(claude)).stop_reason == "tool_use"


def test_the_sdk_is_not_imported_before_it_is_needed() -> None:
    code = (
        "import sys, tester.models.anthropic; sys.exit('anthropic' in sys.modules or 'httpx2' in sys.modules)"
    )
    root = Path(__file__).parents[3]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
