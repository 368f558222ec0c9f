"""A history is shortened rarely, in big steps, and never so that a call loses its result."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tester.conversation import Conversation
from tester.history.trimming import NEWEST, shorten, tokens
from tester.view import fence_for_model
from tests.messages_api.binding import Binding
from tests.messages_api.histories import valid_history
from tests.messages_api.rules import check_messages

Json = dict[str, Any]


@settings(max_examples=500, deadline=None)
@given(st.randoms(use_true_random=True), st.integers(1, 3000))
def test_a_shortened_history_is_valid_and_needs_no_second_shortening(dice: Random, budget: int) -> None:
    history = valid_history(dice, exchanges=20)
    shorter = shorten(history, budget)
    check_messages(shorter)
    assert tokens(shorter) <= tokens(history) + 60, "but for the note"
    assert shorter[-2 * NEWEST :] == shorten(shorter, budget)[-2 * NEWEST :]


def test_a_history_within_its_budget_is_the_same_object() -> None:
    history = long_history(10)
    assert shorten(history, tokens(history)) is history


def test_the_scenario_and_the_newest_exchanges_stay() -> None:
    history = long_history(100)
    shorter = shorten(history, 2000)
    assert shorter[0]["content"][0] == {"type": "text", "text": "The scenario."}
    assert [said(message) for message in shorter[-2 * NEWEST :]] == [
        said(one) for one in history[-2 * NEWEST :]
    ]


def test_it_is_brought_to_half_its_budget_so_that_the_next_step_is_far() -> None:
    history = long_history(100)
    assert 2000 < tokens(shorten(history, 8000)) <= 4100


def test_what_was_given_up_is_told_and_added_up() -> None:
    history = long_history(40)
    once = shorten(history, 3000)
    again = shorten([*once, *long_history(40, first=40)[1:]], 3000)
    note = again[0]["content"][-1]["text"]
    given_up = 80 - (len(again) - 1) // 2
    failed = sum(1 for number in range(80) if number % 10 == 3) - sum(
        "is_error" in json.dumps(one) for one in again
    )
    assert note.startswith(f"[Given up to save room: {given_up} earlier exchanges, with ")
    assert f"form {given_up} times ({failed} failed)" in note
    assert len(again[0]["content"]) == 2, "one note, not one for each time"


def test_the_newest_view_stays_in_full_and_older_pages_become_stubs() -> None:
    history = [*long_history(6, view=True), *long_history(3, first=6)[1:]]
    shorter = shorten(history, tokens(history) - 1)
    views = [message for message in shorter if "<page" in json.dumps(message)]
    assert views == [history[12]], "the last of six views; three exchanges without one came after it"
    assert shorter[13:] == history[13:], "what happened to that page since then is needed too"
    assert "given up to save room" in said(shorter[2])
    assert json.loads(shorter[2]["content"][0]["content"])["ok"] is True


def test_the_newest_view_stays_however_long_ago_it_was() -> None:
    history = [*long_history(3, view=True), *long_history(60, first=3)[1:]]
    shorter = shorten(history, 3000)
    assert [message for message in shorter if "<page" in json.dumps(message)] == [history[6]]
    assert shorter[1:3] == history[5:7]


def test_a_view_among_the_words_of_a_person_becomes_a_stub_too() -> None:
    history = [{"role": "user", "content": f"The scenario.\n{view('x')}"}, *long_history(8, view=True)[1:]]
    shorter = shorten(history, tokens(history) - 1)
    assert shorter[0]["content"][0]["text"].startswith("The scenario.\n[given up")


def test_a_picture_in_an_old_result_is_given_up() -> None:
    picture = [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 9}}]
    history = long_history(8, view=True)
    history[2] = {"role": "user", "content": [{**history[2]["content"][0], "content": picture}]}
    assert tokens([history[2]]) > 1000
    shorter = shorten(history, tokens(history) - 1)
    assert shorter[2]["content"][0]["content"][0]["text"].startswith("[given up")
    assert len(shorter) == len(history)


@pytest.mark.parametrize("exchanges", [0, 1, NEWEST])
def test_a_short_history_cannot_be_shortened_however_long_it_is(exchanges: int) -> None:
    history = long_history(exchanges)
    assert shorten(history, 1) is history
    conversation = Conversation.from_json({"messages": history, "causes": {}})
    assert not conversation.shrink()


def test_a_conversation_shrinks_until_nothing_more_can_be_given_up() -> None:
    conversation = Conversation.from_json({"messages": long_history(60), "causes": {}})
    sizes = [tokens(conversation.request_messages())]
    while conversation.shrink():
        sizes.append(tokens(conversation.request_messages()))
    assert len(sizes) > 2
    assert sizes == sorted(sizes, reverse=True)


def test_thinking_behind_a_cut_goes_and_what_is_thought_from_then_on_stays() -> None:
    binding = Binding("", [])
    history = long_history(30, thinks=binding)
    check_messages(history, Binding("", []))
    shorter = shorten(history, 2000)
    assert "signature" not in json.dumps(shorter)
    check_messages(shorter, Binding("", []))


def test_three_hundred_turns_stay_within_the_window_and_change_it_a_few_times_only() -> None:
    changes: list[str] = []
    conversation = Conversation(
        "The scenario.", budget=20_000, on_repair=lambda mends: changes.append(mends[0].kind)
    )
    before: tuple[Json, ...] = ()
    rewritten = 0
    for number in range(300):
        messages = conversation.request_messages()
        assert tokens(messages) <= 20_000
        rewritten += messages[: len(before)] != before
        before = messages
        _, said, heard = long_history(1, first=number, view=number % 2 == 0)
        conversation.add_assistant(said["content"])
        conversation.add_result(f"toolu_{number}", heard["content"][0]["content"])
    assert set(changes) == {"shortened"}
    assert rewritten == len(changes) <= 12
    assert len(json.dumps(conversation.to_json())) < 100_000


def view(what: str) -> str:
    return fence_for_model(f"- row {what}\n" * 80, "thistle")


def long_history(
    exchanges: int, *, first: int = 0, view: bool = False, thinks: Binding | None = None
) -> list[Json]:
    history: list[Json] = [{"role": "user", "content": [{"type": "text", "text": "The scenario."}]}]
    if thinks is not None:
        thinks.speaks("user")
        thinks.add(history[0]["content"][0])
    for number in range(first, first + exchanges):
        page = {"view": _view(f"{number}")} if view else {"diff": f"+ row {number} " * 12}
        call = {"type": "tool_use", "id": f"toolu_{number}", "name": "form", "input": {"entries": []}}
        heard: Json = {
            "type": "tool_result",
            "tool_use_id": f"toolu_{number}",
            "content": json.dumps({"ok": True, **page}),
        }
        if number % 10 == 3:
            heard["is_error"] = True
        blocks: list[Json] = [call]
        if thinks is not None:
            thinks.speaks("assistant")
            blocks = [{"type": "thinking", "thinking": "Hm.", "signature": thinks.sign("Hm.")}, call]
            for block in blocks:
                thinks.add(block)
            thinks.speaks("user")
            thinks.add(heard)
        history += [{"role": "assistant", "content": blocks}, {"role": "user", "content": [heard]}]
    return history


_view = view


def said(message: Json) -> str:
    return json.dumps(message["content"])
