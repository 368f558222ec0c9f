"""The judge is as strict as the service: each rule, broken alone, is noticed."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.messages_api.binding import Binding
from tests.messages_api.rules import Invalid, check_request

Json = dict[str, Any]


def request() -> Json:
    """A request that breaks no rule."""
    tools = [{"name": "look", "input_schema": {"type": "object", "properties": {}}}]
    binding = Binding("You test.", tools)
    binding.speaks("user")
    binding.add({"type": "text", "text": "Go."})
    binding.speaks("assistant")
    thought = {"type": "thinking", "thinking": "Hm.", "signature": binding.sign("Hm.")}
    calls: list[Json] = [{"type": "tool_use", "id": id, "name": "look", "input": {}} for id in "ab"]
    results = [{"type": "tool_result", "tool_use_id": id, "content": "seen"} for id in "ab"]
    return {
        "model": "claude",
        "max_tokens": 100,
        "system": "You test.",
        "tools": tools,
        "tool_choice": {"type": "any"},
        "messages": [
            {"role": "user", "content": "Go."},
            {"role": "assistant", "content": [thought, *calls]},
            {"role": "user", "content": [*results, {"type": "text", "text": "On."}]},
        ],
    }


def said(body: Json) -> list[Json]:
    blocks: list[Json] = body["messages"][1]["content"]
    return blocks


def heard(body: Json) -> list[Json]:
    blocks: list[Json] = body["messages"][2]["content"]
    return blocks


MARK = {"cache_control": {"type": "ephemeral"}}
BROKEN: list[tuple[str, Callable[[Json], Any]]] = [
    ("Field required", lambda body: body.pop("max_tokens")),
    ("greater than 0", lambda body: body.update(max_tokens=0)),
    ("Extra inputs", lambda body: body.update(temperatur=1)),
    ("at least one message", lambda body: body.update(messages=[])),
    ("must alternate", lambda body: body["messages"].insert(1, {"role": "user", "content": "Go."})),
    ("first message", lambda body: body["messages"].pop(0)),
    (
        "must end with a user message",
        lambda body: body["messages"].append({"role": "assistant", "content": "So"}),
    ),
    ("Extra inputs", lambda body: body["messages"][0].update(at=1)),
    ("non-empty content", lambda body: body["messages"][0].update(content=[])),
    ("non-whitespace", lambda body: body["messages"][0].update(content=" \n")),
    ("non-whitespace", lambda body: heard(body)[2].update(text="")),
    ("Extra inputs", lambda body: heard(body)[2].update(parsed=None)),
    ("cannot stand", lambda body: heard(body).append(said(body)[1])),
    ("cannot stand", lambda body: said(body).append(heard(body)[0])),
    ("without `tool_result`", lambda body: heard(body).pop(1)),
    ("results must come first", lambda body: heard(body).insert(0, heard(body).pop(2))),
    ("unexpected `tool_use_id`", lambda body: heard(body)[0].update(tool_use_id="c")),
    ("a single result", lambda body: heard(body).insert(2, heard(body)[0])),
    ("ids must be unique", lambda body: said(body)[2].update(id="a") or heard(body).pop(1)),
    (
        "match pattern",
        lambda body: said(body)[2].update(id="b:1") or heard(body)[1].update(tool_use_id="b:1"),
    ),
    ("match pattern", lambda body: said(body)[1].update(name="")),
    ("Input should be an object", lambda body: said(body)[1].update(input='{"half')),
    ("valid boolean", lambda body: heard(body)[0].update(is_error="yes")),
    ("non-whitespace", lambda body: heard(body)[0].update(content=[{"type": "text", "text": ""}])),
    ("must start with it", lambda body: said(body).append(said(body).pop(0))),
    ("final block", lambda body: said(body).append(said(body)[0])),
    ("signature: Field required", lambda body: said(body)[0].pop("signature")),
    ("Invalid `signature`", lambda body: said(body)[0].update(thinking="Hm?")),
    ("different conversation", lambda body: body["messages"][0].update(content="Go!")),
    ("different conversation", lambda body: body.update(system="You try.")),
    ("different conversation", lambda body: body["tools"][0].update(description="Looks.")),
    ("pattern|name", lambda body: body["tools"][0].update(name="look at")),
    ("must be unique", lambda body: body["tools"].append(body["tools"][0])),
    ("Field required", lambda body: body["tools"][0].pop("input_schema")),
    ("while providing tools", lambda body: body.update(tools=[])),
    ("known choice", lambda body: body["tool_choice"].update(type="must")),
    ("not valid JSON", lambda body: heard(body)[0].update(content="\ud800")),
    ("not valid JSON", lambda body: said(body)[1]["input"].update(n=float("nan"))),
    ("Found 5", lambda body: heard(body).extend({"type": "text", "text": "x", **MARK} for _ in range(5))),
    ("'ephemeral'", lambda body: heard(body)[2].update(cache_control={"type": "for ever"})),
]


def test_a_request_that_breaks_no_rule_is_accepted() -> None:
    check_request(request())


@pytest.mark.parametrize(("words", "spoil"), BROKEN)
def test_a_broken_rule_is_noticed(words: str, spoil: Callable[[Json], Any]) -> None:
    body = copy.deepcopy(request())
    spoil(body)
    with pytest.raises(Invalid, match=words):
        check_request(body)


def test_marks_do_not_count_as_a_change_of_what_stands_before_a_thought() -> None:
    body = request()
    body["system"] = [{"type": "text", "text": "You test.", **MARK}]
    body["messages"][0]["content"] = [{"type": "text", "text": "Go.", **MARK}]
    check_request(body)


def test_what_a_tool_is_given_may_look_like_a_mark() -> None:
    body = request()
    said(body)[1]["input"] = {"content": [{"cache_control": 1}] * 9}
    check_request(body)


def test_models_differ_in_what_they_take() -> None:
    with pytest.raises(Invalid, match="not supported for this model"):
        check_request(request(), forced_calls=False)
    body = request()
    body["messages"][0]["content"] = "Go!"
    check_request(body, bound=False)
