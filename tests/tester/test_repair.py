"""Whatever happened to a history, what leaves it is valid and true; the judge is the test server's rules."""

from __future__ import annotations

import copy
import json
import re
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tester.history.causes import Cause, no_result
from tester.history.mends import Mend
from tester.history.repair import repair
from tests.messages_api.binding import Binding
from tests.messages_api.histories import broken_history, valid_history
from tests.messages_api.rules import Invalid, check_messages

Json = dict[str, Any]
many = given(st.randoms(use_true_random=True))
few_that_shrink = given(st.randoms(use_true_random=False))


@settings(max_examples=2000, deadline=None)
@many
def test_a_mended_history_is_always_accepted_and_needs_no_second_mending(dice: Random) -> None:
    history = broken_history(dice)
    mended, mends = repair(history)
    check_messages(mended)
    assert bool(mends) == (mended is not history)
    again, more = repair(mended)
    assert again is mended
    assert more == []


@settings(max_examples=200, deadline=None)
@few_that_shrink
def test_a_mended_history_is_always_accepted_and_the_smallest_one_that_is_not_would_be_shown(
    dice: Random,
) -> None:
    check_messages(repair(broken_history(dice))[0])


@settings(max_examples=1500, deadline=None)
@many
def test_a_valid_history_comes_back_as_the_same_object_to_the_last_byte(dice: Random) -> None:
    history = valid_history(dice)
    check_messages(history, Binding("", []))
    before = json.dumps(history)
    mended, mends = repair(history)
    assert mended is history
    assert mends == []
    assert json.dumps(mended) == before


@settings(max_examples=500, deadline=None)
@many
def test_what_is_mended_is_left_alone_itself(dice: Random) -> None:
    history = broken_history(dice)
    before = repr(history)
    repair(history)
    assert repr(history) == before


@settings(max_examples=1000, deadline=None)
@many
def test_no_result_is_made_up_that_speaks_of_success(dice: Random) -> None:
    history = broken_history(dice)
    results = _found(repair(history)[0], "tool_result")
    made_up = [block for block in results if str(block.get("content")).startswith("No result: ")]
    assert len(results) - len(made_up) <= len(_found(history, "tool_result"))
    assert all(block["is_error"] is True for block in made_up)
    assert {block["content"] for block in made_up} <= {no_result(cause) for cause in get_args(Cause)}


@settings(max_examples=1000, deadline=None)
@many
def test_thinking_survives_only_behind_a_beginning_that_did_not_change(dice: Random) -> None:
    history = broken_history(dice)
    mended, _ = repair(history)
    for where, message in enumerate(mended):
        if _found([message], "thinking"):
            assert list(mended[:where]) == history[:where]


@pytest.mark.parametrize("cause", get_args(Cause))
def test_the_word_for_a_missing_result_is_true_and_says_what_to_do(cause: Cause) -> None:
    text = no_result(cause)
    assert text.startswith("No result: ")
    assert "not known" in text
    assert "Carry on" in text
    assert "say plainly what could not be done" in text
    assert not re.search(r"success|succeed|complet|finish|worked|\bok\b|\bwas done\b|\bis done\b", text, re.I)
    assert len({no_result(other) for other in get_args(Cause)}) == len(get_args(Cause))


def test_an_unanswered_call_is_answered_directly_behind_its_message() -> None:  # H1, H2
    mended, mends = repair([person("Go."), calls("a"), person("What now?")], {"a": "cancelled"})
    assert mended[2]["content"][0] == error("a", "cancelled")
    assert mended[2]["content"][1] == {"type": "text", "text": "What now?"}
    assert [(mend.kind, mend.where, mend.call) for mend in mends] == [("no result", 1, "a")]


def test_a_call_at_the_very_end_is_answered_too() -> None:  # H1
    mended, _ = repair([person("Go."), calls("a")])
    assert mended[2]["content"] == [error("a", "unanswered")]


def test_each_missing_result_of_a_batch_gets_its_own_beside_the_real_ones() -> None:  # H4, H5
    history = [person("Go."), calls("a", "b", "c"), {"role": "user", "content": [result("b", "real")]}]
    mended, _ = repair(history, {"a": "cancelled", "c": "process_died"})
    assert mended[2]["content"] == [error("a", "cancelled"), result("b", "real"), error("c", "process_died")]


@pytest.mark.parametrize("content", ["", [], '{"ok": false}'])
def test_an_empty_result_is_an_answer(content: Any) -> None:  # H4
    history = [person("Go."), calls("a"), {"role": "user", "content": [result("a", content)]}]
    assert repair(history)[0] is history


def test_results_in_another_order_than_the_calls_are_left_alone() -> None:
    history = [person("Go."), calls("a", "b"), {"role": "user", "content": [result("b"), result("a")]}]
    assert repair(history)[0] is history


def test_a_message_that_is_right_is_left_alone_beside_one_that_is_not() -> None:
    swapped = {"role": "user", "content": [result("b"), result("a")]}
    history = [person("Go."), calls("a", "b"), swapped, calls("c")]
    assert list(repair(history)[0][:4]) == history
    assert repair(history)[0][2] is swapped


def test_a_result_before_its_call_is_put_behind_it() -> None:  # H6
    history = [person("Go."), {"role": "user", "content": [result("a", "early")]}, calls("a"), person("On.")]
    mended, mends = repair(history)
    assert mended[2]["content"] == [result("a", "early"), {"type": "text", "text": "On."}]
    assert "moved" in kinds(mends)


def test_a_result_that_came_two_messages_late_is_brought_back() -> None:  # H2, H6
    history = [
        person("Go."),
        calls("a"),
        person("Well?"),
        {"role": "assistant", "content": "Wait."},
        {"role": "user", "content": [result("a", "late")]},
    ]
    mended, _ = repair(history)
    assert mended[2]["content"] == [result("a", "late"), {"type": "text", "text": "Well?"}]
    assert len(mended) == 5, "a person has the last word"


def test_results_come_before_what_a_person_says_in_the_same_message() -> None:
    text = {"type": "text", "text": "See above."}
    mended, _ = repair([person("Go."), calls("a"), {"role": "user", "content": [text, result("a")]}])
    assert mended[2]["content"] == [result("a"), text]


def test_a_result_without_a_call_is_dropped() -> None:  # H7
    history = [
        person("Go."),
        {"role": "assistant", "content": "Hm."},
        {"role": "user", "content": [result("x")]},
    ]
    mended, mends = repair(history)
    assert _found(mended, "tool_result") == []
    assert "orphan" in kinds(mends)


def test_of_two_results_for_one_call_the_first_stands() -> None:  # H9
    history = [person("Go."), calls("a"), {"role": "user", "content": [result("a", "1"), result("a", "2")]}]
    mended, mends = repair(history)
    assert mended[2]["content"] == [result("a", "1")]
    assert kinds(mends) == ["second result"]


def test_a_call_recorded_twice_in_one_message_is_one_call() -> None:  # H9
    history = [person("Go."), calls("a", "a"), {"role": "user", "content": [result("a", "1")]}]
    mended, _ = repair(history)
    assert [block["id"] for block in _found(mended, "tool_use")] == ["a"]
    assert _found(mended, "tool_result") == [result("a", "1")]


def test_an_id_used_again_later_becomes_another_id_with_its_own_result() -> None:  # H9
    history = [person("Go."), calls("a"), answered("a", "1"), calls("a"), answered("a", "2")]
    mended, _ = repair(history)
    assert [block["id"] for block in _found(mended, "tool_use")] == ["a", "call_1"]
    assert [block["content"] for block in _found(mended, "tool_result")] == ["1", "2"]


def test_of_two_calls_with_one_id_only_the_one_before_the_result_has_it() -> None:
    history = [person("Go."), calls("a"), person("On."), calls("a"), answered("a", "2")]
    contents = [block["content"] for block in _found(repair(history)[0], "tool_result")]
    assert contents == [no_result("unanswered"), "2"]


def test_a_nameless_call_gets_a_name() -> None:  # H7
    history = [person("Go."), {"role": "assistant", "content": [call("a") | {"name": ""}]}, answered("a")]
    mended, mends = repair(history)
    assert mended[1]["content"][0]["name"] == "unnamed_tool"
    assert kinds(mends) == ["name"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [('{"half": ', {}), ("[1]", {}), (None, {}), (7, {}), ('{"whole": 1}', {"whole": 1})],
)
def test_a_call_is_kept_without_arguments_that_do_not_parse(given: Any, kept: Json) -> None:  # H8
    history = [person("Go."), {"role": "assistant", "content": [call("a") | {"input": given}]}, answered("a")]
    mended, _ = repair(history)
    assert mended[1]["content"] == [call("a") | {"input": kept}]
    assert mended[2] is history[2]


def test_a_half_streamed_call_without_id_and_name_is_kept_and_answered() -> None:  # H8
    mended, _ = repair(
        [person("Go."), {"role": "assistant", "content": [{"type": "tool_use", "input": '{"'}]}]
    )
    assert mended[1]["content"] == [{"type": "tool_use", "id": "call_1", "name": "unnamed_tool", "input": {}}]
    assert mended[2]["content"] == [error("call_1", "unanswered")]


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_a_text_without_a_word_in_it_is_dropped_and_its_message_with_it(text: str) -> None:
    history = [person("Go."), {"role": "assistant", "content": text}, person(text), person("On.")]
    mended, _ = repair(history)
    assert [message["role"] for message in mended] == ["user"]
    assert [block["text"] for block in _found(mended, "text")] == ["Go.", "On."]


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "So."}],
        [{"type": "thinking", "thinking": "Hm.", "signature": ""}, {"type": "text", "text": "So."}],
        [{"type": "text", "text": "So."}, {"type": "thinking", "thinking": "Hm.", "signature": "s"}],
        [{"type": "text", "text": "So."}, {"type": "redacted_thinking", "data": "d"}],
        [{"type": "redacted_thinking"}, {"type": "text", "text": "So."}],
    ],
)
def test_thinking_that_lost_its_signature_or_its_place_is_dropped(content: list[Json]) -> None:
    mended, mends = repair([person("Go."), {"role": "assistant", "content": content}, person("On.")])
    assert mended[1]["content"] == [{"type": "text", "text": "So."}]
    assert kinds(mends) == ["thinking"]


def test_a_thought_that_json_cannot_carry_is_dropped_and_not_touched() -> None:
    thought = {"type": "thinking", "thinking": "Hm\ud800", "signature": "s"}
    said = {"role": "assistant", "content": [thought, {"type": "text", "text": "So."}]}
    assert repair([person("Go."), said, person("On.")])[0][1]["content"] == [{"type": "text", "text": "So."}]


def test_thoughts_of_an_answer_that_was_only_thinking_are_dropped() -> None:
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
    mended, _ = repair([person("Go."), {"role": "assistant", "content": [thought]}, person("On.")])
    assert [message["role"] for message in mended] == ["user"]


def test_thoughts_before_and_after_a_change_are_told_apart() -> None:
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
    history = [
        person("Go."),
        {"role": "assistant", "content": [thought, call("a")]},
        {"role": "user", "content": []},
        {"role": "assistant", "content": [thought, call("b")]},
        answered("b"),
    ]
    mended, _ = repair(history)
    assert mended[1] is history[1], "nothing before it has changed"
    assert mended[3]["content"] == [call("b")], (
        "it was thought after something else than what stands there now"
    )


def test_a_message_that_is_mended_behind_its_thoughts_keeps_them() -> None:
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
    half = call("a") | {"input": '{"half": '}
    mended, _ = repair([person("Go."), {"role": "assistant", "content": [thought, half, thought, call("b")]}])
    assert mended[1]["content"] == [thought, call("a"), call("b")], (
        "the second thought followed what was mended"
    )


def test_thoughts_that_now_stand_behind_something_else_go() -> None:
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
    mended, _ = repair([person("Go."), person(""), {"role": "assistant", "content": [thought, call("a")]}])
    assert mended[1]["content"] == [call("a")]


def test_speakers_take_turns_and_a_person_opens_and_closes() -> None:
    said = {"role": "assistant", "content": "So."}
    mended, _ = repair([said, said, person("Well?"), person("Well?"), said])
    assert [message["role"] for message in mended] == ["user", "assistant"] * 3 + ["user"]
    check_messages(mended)


def test_what_json_cannot_carry_is_replaced() -> None:
    bad = {"query": "\ud800", "n": float("nan")}
    history = [
        person("Go.\udfff"),
        {"role": "assistant", "content": [call("a") | {"input": bad}]},
        answered("a"),
    ]
    mended, _ = repair(history)
    assert mended[0]["content"] == [{"type": "text", "text": "Go.?"}]
    assert mended[1]["content"][0]["input"] == {"query": "?", "n": None}


def test_marks_beyond_the_four_that_a_request_may_carry_are_dropped_from_the_front() -> None:
    marked = [
        {"type": "text", "text": f"{number}", "cache_control": {"type": "ephemeral"}} for number in range(6)
    ]
    mended, _ = repair([{"role": "user", "content": copy.deepcopy(marked)}])
    assert ["cache_control" in block for block in mended[0]["content"]] == [
        False,
        False,
        True,
        True,
        True,
        True,
    ]


def test_nothing_at_all_still_becomes_something_that_can_be_sent() -> None:
    check_messages(repair([])[0])


@pytest.mark.parametrize(
    "history",
    [
        [],
        [{"role": "assistant", "content": "So."}],
        [{"role": "user", "content": "Go."}, {"role": "user", "content": "On."}],
        [{"role": "user", "content": " "}],
        [{"role": "user", "content": "Go."}, {"role": "assistant", "content": "So."}],
    ],
)
def test_the_judge_refuses_what_the_service_refuses(history: list[Json]) -> None:
    with pytest.raises(Invalid):
        check_messages(history)


# -- what histories are made of ------------------------------------------------------------------------------


def person(text: str) -> Json:
    return {"role": "user", "content": text}


def call(id: str) -> Json:
    return {"type": "tool_use", "id": id, "name": "form", "input": {}}


def calls(*ids: str) -> Json:
    return {"role": "assistant", "content": [call(id) for id in ids]}


def result(id: str, content: Any = "{}") -> Json:
    return {"type": "tool_result", "tool_use_id": id, "content": content}


def answered(id: str, content: Any = "{}") -> Json:
    return {"role": "user", "content": [result(id, content)]}


def error(id: str, cause: Cause) -> Json:
    return {**result(id, no_result(cause)), "is_error": True}


def kinds(mends: list[Mend]) -> list[str]:
    return [mend.kind for mend in mends]


def _found(history: Any, kind: str) -> list[Json]:
    contents = [message.get("content") for message in history if isinstance(message, dict)]
    blocks = [block for content in contents if isinstance(content, list) for block in content]
    return [block for block in blocks if isinstance(block, dict) and block.get("type") == kind]
