"""What the Messages API accepts, by its public documentation; stricter where that is lenient (roles in turn).

A request that breaks a rule is `Invalid`, with a message in the manner of the service.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from tests.messages_api.binding import Binding
from tests.messages_api.schemas import check_tools

Json = dict[str, Any]

_REQUEST = frozenset(
    {"model", "max_tokens", "messages", "system", "tools", "tool_choice", "stream", "thinking", "metadata"}
    | {"stop_sequences", "output_config", "service_tier", "cache_control", "inference_geo", "speed"}
)
_BLOCK_FIELDS = {
    "text": {"text", "cache_control", "citations"},
    "image": {"source", "cache_control"},
    "document": {"source", "cache_control", "citations", "context", "title"},
    "tool_use": {"id", "name", "input", "cache_control", "caller"},
    "tool_result": {"tool_use_id", "content", "is_error", "cache_control"},
    "thinking": {"thinking", "signature"},
    "redacted_thinking": {"data"},
}
_ALLOWED = {
    "user": {"text", "image", "document", "tool_result"},
    "assistant": {"text", "tool_use", "thinking", "redacted_thinking"},
}
_THINKING = {"thinking", "redacted_thinking"}
_ID = re.compile(r"[a-zA-Z0-9_-]+")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_MARKS = 4


class Invalid(Exception):
    """The request breaks a rule of the API."""


def check_request(body: Any, *, bound: bool = True, forced_calls: bool = True) -> None:
    """Raises Invalid for the first rule that a request body breaks.

    `bound`: thinking is refused when what stood before it has changed; `forced_calls`: `tool_choice` may
    demand a call. Models differ in both.
    """
    _object(body, "request", _REQUEST, required={"model", "max_tokens", "messages"})
    _expect(isinstance(body["model"], str) and body["model"], "model: Input should be a non-empty string")
    tokens = body["max_tokens"]
    _expect(type(tokens) is int and tokens > 0, "max_tokens: Input should be an integer greater than 0")
    _expect(isinstance(body.get("stream", False), bool), "stream: Input should be a valid boolean")
    _check_system(body.get("system", ""))
    try:
        check_tools(body.get("tools", []))
    except ValueError as error:
        raise Invalid(str(error)) from error
    _check_choice(body, forced_calls)
    check_messages(
        body["messages"], Binding(body.get("system", ""), body.get("tools", [])) if bound else None
    )
    found = sum(1 for _ in _marks(body))
    _expect(
        found <= _MARKS, f"A maximum of {_MARKS} blocks with cache_control may be provided. Found {found}."
    )


def check_messages(messages: Any, binding: Binding | None = None) -> None:
    """Raises Invalid for the first rule that a history breaks; `binding` also ties thinking to its place."""
    _expect(
        isinstance(messages, list | tuple) and len(messages) > 0, "messages: at least one message is required"
    )
    ids: set[str] = set()
    calls: list[str] = []
    for where, message in enumerate(messages):
        at = f"messages.{where}"
        _object(message, at, {"role", "content"}, required={"role", "content"})
        role = ("user", "assistant")[where % 2]
        if where == 0:
            _expect(message["role"] == "user", "messages: first message must use the `user` role")
        _expect(message["role"] == role, f"{at}: roles must alternate between `user` and `assistant`")
        blocks = _blocks(message["content"], at)
        _check_blocks(blocks, role, at)
        _check_answers(blocks, calls, where)
        calls = _new_calls(blocks, ids, at)
        if role == "assistant":
            _check_thinking_places(blocks, at)
        _check_signatures(blocks, at, role, binding)
    _expect(
        len(messages) % 2 == 1,
        "This model does not support prefill: the conversation must end with a user message",
    )
    found = sum(1 for message in messages for _ in _marks(message["content"]))
    _expect(
        found <= _MARKS, f"A maximum of {_MARKS} blocks with cache_control may be provided. Found {found}."
    )
    _check_encoding(messages)


def _check_blocks(blocks: Sequence[Json], role: str, at: str) -> None:
    for number, block in enumerate(blocks):
        place = f"{at}.content.{number}"
        _expect(isinstance(block, dict) and "type" in block, f"{place}: Input should be a block with a type")
        kind = block["type"]
        _expect(kind in _ALLOWED[role], f"{place}: `{kind}` blocks cannot stand in `{role}` messages")
        _check_block(block, place)


def _check_block(block: Json, place: str) -> None:
    kind = block["type"]
    _object(block, place, _BLOCK_FIELDS[kind] | {"type"}, required=set())
    if block.get("cache_control") is not None:
        mark = block["cache_control"]
        _object(mark, f"{place}.cache_control", {"type", "ttl"}, required={"type"})
        _expect(mark["type"] == "ephemeral", f"{place}.cache_control.type: Input should be 'ephemeral'")
        _expect(
            mark.get("ttl", "5m") in ("5m", "1h"), f"{place}.cache_control.ttl: Input should be '5m' or '1h'"
        )
    if kind == "text":
        text = block.get("text")
        _expect(isinstance(text, str), f"{place}.text: Input should be a valid string")
        _expect(str(text).strip(), f"{place}: text content blocks must contain non-whitespace text")
    elif kind in ("image", "document"):
        _expect(isinstance(block.get("source"), dict), f"{place}.source: Field required")
    elif kind == "tool_use":
        _check_call(block, place)
    elif kind == "tool_result":
        _check_result(block, place)


def _check_call(block: Json, place: str) -> None:
    for key, pattern in (("id", _ID), ("name", _NAME)):
        value = block.get(key)
        _expect(isinstance(value, str), f"{place}.tool_use.{key}: Field required")
        _expect(
            pattern.fullmatch(str(value)),
            f"{place}.tool_use.{key}: String should match pattern '{pattern.pattern}'",
        )
    _expect(isinstance(block.get("input"), dict), f"{place}.tool_use.input: Input should be an object")


def _check_result(block: Json, place: str) -> None:
    _expect(isinstance(block.get("tool_use_id"), str), f"{place}.tool_result.tool_use_id: Field required")
    _expect(
        isinstance(block.get("is_error", False), bool), f"{place}.is_error: Input should be a valid boolean"
    )
    content = block.get("content", "")
    if isinstance(content, str):
        return
    _expect(
        isinstance(content, list),
        f"{place}.tool_result.content: Input should be a string or a list of blocks",
    )
    for number, part in enumerate(content):
        inner = f"{place}.tool_result.content.{number}"
        fits = isinstance(part, dict) and part.get("type") in ("text", "image", "document")
        _expect(fits, f"{inner}: a result holds text, images and documents")
        _check_block(part, inner)


def _check_answers(blocks: Sequence[Json], calls: Sequence[str], where: int) -> None:
    """Every call of the message before is answered here, once, before anything else."""
    answers = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    for answer in answers:
        _expect(
            answer in calls,
            f"messages.{where}: unexpected `tool_use_id` found in `tool_result` blocks: {answer}. Each one "
            "must have a corresponding `tool_use` block in the previous message",
        )
    _expect(
        len(set(answers)) == len(answers),
        f"messages.{where}: each `tool_use` must have a single result; found more than one for an id",
    )
    missing = [call for call in calls if call not in answers]
    opening = [block["type"] for block in blocks[: len(answers)]]
    _expect(
        not missing and opening == ["tool_result"] * len(answers),
        f"messages.{where - 1}: `tool_use` ids were found without `tool_result` blocks immediately after: "
        f"{', '.join(missing) or 'results must come first'}",
    )


def _new_calls(blocks: Sequence[Json], ids: set[str], at: str) -> list[str]:
    calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
    for call in calls:
        _expect(call not in ids, f"{at}: `tool_use` ids must be unique: {call}")
        ids.add(call)
    return calls


def _check_thinking_places(blocks: Sequence[Json], at: str) -> None:
    kinds = [block["type"] for block in blocks]
    if _THINKING & set(kinds):
        _expect(
            kinds[0] in _THINKING,
            f"{at}.content.0: an assistant message with thinking must start with it. Found `{kinds[0]}`",
        )
        _expect(
            kinds[-1] not in _THINKING, f"{at}: the final block in an assistant message cannot be `thinking`"
        )


def _check_signatures(blocks: Sequence[Json], at: str, role: str, binding: Binding | None) -> None:
    if binding is not None:
        binding.speaks(role)
    for number, block in enumerate(blocks):
        place = f"{at}.content.{number}"
        if block["type"] == "thinking":
            _expect(isinstance(block.get("thinking"), str), f"{place}.thinking.thinking: Field required")
            signed = isinstance(block.get("signature"), str) and bool(block["signature"])
            _expect(signed, f"{place}.thinking.signature: Field required")
            whole, here = Binding.genuine(block), binding is None or binding.holds(block)
            _expect(whole, f"{place}: Invalid `signature` in `thinking` block")
            _expect(
                here,
                f"{place}: Invalid `signature` in `thinking` block. It belongs to a different conversation",
            )
        if block["type"] == "redacted_thinking":
            _expect(isinstance(block.get("data"), str) and block["data"], f"{place}.data: Field required")
        if binding is not None:
            binding.add(block)


def _check_system(system: Any) -> None:
    if isinstance(system, str):
        return
    _expect(isinstance(system, list), "system: Input should be a string or a list of text blocks")
    for number, block in enumerate(system):
        _expect(
            isinstance(block, dict) and block.get("type") == "text", f"system.{number}: Input should be text"
        )
        _check_block(block, f"system.{number}")


def _check_choice(body: Json, forced_calls: bool) -> None:
    choice = body.get("tool_choice")
    if choice is None:
        return
    _object(choice, "tool_choice", {"type", "name", "disable_parallel_tool_use"}, required={"type"})
    _expect(
        choice["type"] in ("auto", "any", "tool", "none"), "tool_choice.type: Input should be a known choice"
    )
    _expect(body.get("tools"), "tool_choice: may only be specified while providing tools")
    forced = choice["type"] in ("any", "tool")
    _expect(
        forced_calls or not forced, f"tool_choice.type: `{choice['type']}` is not supported for this model"
    )


def _check_encoding(messages: Any) -> None:
    try:
        json.dumps(messages, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise Invalid(f"The request body is not valid JSON: {error}") from error


def _blocks(content: Any, at: str) -> list[Json]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    _expect(isinstance(content, list), f"{at}.content: Input should be a string or a list of blocks")
    _expect(content, f"{at}: all messages must have non-empty content")
    return list(content)


def _marks(value: Any) -> Iterator[Any]:
    """The cache marks of blocks, tools and system texts, not what a tool's input happens to hold."""
    if isinstance(value, list | tuple):
        for one in value:
            yield from _marks(one)
    elif isinstance(value, dict):
        if value.get("cache_control") is not None:
            yield value["cache_control"]
        for key in ("system", "tools", "messages", "content"):
            yield from _marks(value.get(key))


def _object(value: Any, at: str, allowed: frozenset[str] | set[str], *, required: set[str]) -> None:
    _expect(isinstance(value, dict), f"{at}: Input should be an object")
    for key in value:
        _expect(key in allowed, f"{at}.{key}: Extra inputs are not permitted")
    for key in required:
        _expect(key in value, f"{at}.{key}: Field required")


def _expect(holds: Any, message: str) -> None:
    if not holds:
        raise Invalid(message)
