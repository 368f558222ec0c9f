"""A message is put together from events in their order, and from nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tester.models.assembly import Assembly
from tester.models.protocol import Done, ModelBroke, ModelEvent, Ping, Usage

START = ("message_start", {"message": {"usage": {"input_tokens": 7, "output_tokens": 1}}})
TEXT = ("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}})
PIECE = ("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": "So."}})
STOP = ("content_block_stop", {"index": 0})
REASON = ("message_delta", {"delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 5}})
END: tuple[str, dict[str, Any]] = ("message_stop", {})


def put_together(*events: tuple[str, Any]) -> list[ModelEvent]:
    assembly = Assembly("claude")
    return [assembly.take(name, json.dumps(data)) for name, data in events]


def test_a_whole_message_is_done() -> None:
    done = put_together(START, TEXT, PIECE, STOP, REASON, END)[-1]
    assert isinstance(done, Done)
    assert (done.content, done.stop_reason) == ([{"type": "text", "text": "So."}], "end_turn")
    assert done.usage == Usage(input=7, output=5, cost=None)


def test_totals_that_a_later_count_does_not_name_stay() -> None:
    counts = {"input_tokens": 7, "cache_read_input_tokens": 9, "output_tokens": 1}
    later = (
        "message_delta",
        {"delta": {"stop_reason": "end_turn"}, "usage": {"input_tokens": 8, "output_tokens": 5}},
    )
    done = put_together(("message_start", {"message": {"usage": counts}}), later, END)[-1]
    assert isinstance(done, Done)
    assert done.usage == Usage(input=8, output=5, cache_read=9, cost=None)


@pytest.mark.parametrize("name", ["ping", "message_weather"])
def test_what_says_nothing_is_a_ping(name: str) -> None:
    assert put_together(START, (name, {}))[-1] == Ping()


@pytest.mark.parametrize(
    "delta",
    [
        {"type": "input_json_delta", "partial_json": "{}"},
        {"type": "thinking_delta", "thinking": "Hm."},
        {"type": "signature_delta", "signature": "s"},
        {"type": "weather_delta"},
        {"type": "text_delta", "text": 7},
        {"type": "text_delta"},
        {},
    ],
)
def test_a_piece_that_does_not_fit_its_block_breaks_the_message(delta: dict[str, Any]) -> None:
    with pytest.raises(ModelBroke):
        put_together(START, TEXT, ("content_block_delta", {"index": 0, "delta": delta}))


def test_a_citation_is_heard_and_left_out() -> None:
    cited = ("content_block_delta", {"index": 0, "delta": {"type": "citations_delta", "citation": {}}})
    done = put_together(START, TEXT, cited, PIECE, STOP, REASON, END)[-1]
    assert isinstance(done, Done)
    assert done.content == [{"type": "text", "text": "So."}]


@pytest.mark.parametrize(
    "call", [{"id": "a"}, {"name": "look"}, {"id": "", "name": "look"}, {"id": 7, "name": "look"}]
)
def test_a_call_without_an_id_or_a_name_breaks_the_message(call: dict[str, Any]) -> None:
    with pytest.raises(ModelBroke):
        put_together(
            START, ("content_block_start", {"index": 0, "content_block": {"type": "tool_use", **call}})
        )


def test_a_call_without_arguments_has_none() -> None:
    call = {"type": "tool_use", "id": "a", "name": "look", "input": {}}
    begun = ("content_block_start", {"index": 0, "content_block": {**call, "caller": {"type": "direct"}}})
    done = put_together(START, begun, STOP, REASON, END)[-1]
    assert isinstance(done, Done)
    assert done.content == [call]


@pytest.mark.parametrize(
    "events",
    [
        [TEXT],
        [REASON],
        [END],
        [START, START],
        [START, PIECE],
        [START, STOP],
        [START, TEXT, TEXT],
        [START, TEXT, REASON],
        [START, TEXT, STOP, PIECE],
        [START, TEXT, STOP, STOP],
        [START, TEXT, STOP, TEXT],
        [START, TEXT, STOP, END],
        [START, REASON, TEXT],
    ],
)
def test_events_out_of_turn_break_the_message(events: list[tuple[str, Any]]) -> None:
    with pytest.raises(ModelBroke, match="made no sense"):
        put_together(*events)
