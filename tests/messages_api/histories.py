"""Histories for property tests: valid ones, and what accidents leave of them.

They are drawn from a `Random`: hypothesis gives many quickly with `use_true_random=True`, or few that shrink.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from tests.messages_api.binding import Binding

Json = dict[str, Any]
History = list[Any]

_TEXTS = ["Go on.", "The list shows it.", " x ", "ä→\u2028", '{"ok": true}']
_TOOLS = ["form", "look", "check", "navigate"]
_INPUTS = [{}, {"entries": [{"click": "Save"}]}, {"query": "list", "cache_control": {"type": "odd"}}]
_RESULTS: list[Any] = [
    "",
    '{"ok": true}',
    [],
    [{"type": "text", "text": "page"}],
    [{"type": "image", "source": {"type": "url", "url": "https://example.test/x.png"}}],
]


def valid_history(dice: Random, exchanges: int = 5) -> History:
    """A history as the service would have taken part in it."""
    first = dice.choice(_TEXTS)
    history: History = [{"role": "user", "content": dice.choice([first, _texts(dice, 1)])}]
    binding = Binding("", [])
    _read(binding, history[0])
    for number in range(dice.randint(0, exchanges)):
        said = _said(dice, number, binding)
        answers = [_answer(dice, block) for block in said["content"] if block["type"] == "tool_use"]
        dice.shuffle(answers)
        history += [said, {"role": "user", "content": answers + _texts(dice, 0 if answers else 1)}]
        _read(binding, history[-1])
    return history


def broken_history(dice: Random) -> History:
    """A valid history after one to five accidents."""
    history = valid_history(dice)
    for _ in range(dice.randint(1, 5)):
        history = dice.choice(_ACCIDENTS)(dice, copy.deepcopy(history))
    return history


def _texts(dice: Random, least: int) -> list[Json]:
    return [{"type": "text", "text": dice.choice(_TEXTS)} for _ in range(dice.randint(least, 2))]


def _said(dice: Random, number: int, binding: Binding) -> Json:
    binding.speaks("assistant")
    blocks: list[Json] = []

    def say(block: Json) -> None:
        if block["type"] == "thinking":
            block["signature"] = binding.sign(block["thinking"])
        blocks.append(block)
        binding.add(block)

    thinks = dice.random() < 0.5
    if thinks:
        say({"type": "thinking", "thinking": dice.choice(["", "Hm."])})
    if dice.random() < 0.5:
        say({"type": "text", "text": dice.choice(_TEXTS)})
    for call in range(dice.randint(0 if blocks and blocks[-1]["type"] == "text" else 1, 3)):
        if thinks and dice.random() < 0.2:
            say({"type": "thinking", "thinking": "And then?"})
        name = f"toolu_{number}_{call}"
        say({"type": "tool_use", "id": name, "name": dice.choice(_TOOLS), "input": dice.choice(_INPUTS)})
    return {"role": "assistant", "content": blocks}


def _answer(dice: Random, call: Json) -> Json:
    answer = {"type": "tool_result", "tool_use_id": call["id"], "content": dice.choice(_RESULTS)}
    return {**answer, "is_error": dice.random() < 0.5} if dice.random() < 0.5 else answer


def _read(binding: Binding, message: Json) -> None:
    binding.speaks(message["role"])
    content = message["content"]
    for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
        binding.add(block)


# -- accidents to messages ----------------------------------------------------------------------------------

_ODD_MESSAGES: list[Any] = [
    None,
    "words",
    {},
    {"role": "system", "content": "x"},
    {"role": "user"},
    {"role": "user", "content": []},
    {"role": "user", "content": 7},
    {"role": "assistant", "content": ""},
    {"role": "assistant", "content": "words"},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_0_0", "name": "form", "input": {}}]},
    {"role": "user", "content": "words", "at": 12.5},
]


def _place(dice: Random, history: History) -> int:
    return dice.randint(0, max(0, len(history) - 1))


def _lose_message(dice: Random, history: History) -> History:
    at = _place(dice, history)
    return history[:at] + history[at + 1 :]


def _cut_beginning(dice: Random, history: History) -> History:
    return history[_place(dice, history) :]


def _cut_end(dice: Random, history: History) -> History:
    return history[: _place(dice, history) + 1]


def _double_message(dice: Random, history: History) -> History:
    at, to = _place(dice, history), _place(dice, history)
    return [*history[:to], *history[at : at + 1], *history[to:]]


def _move_message(dice: Random, history: History) -> History:
    at, to = _place(dice, history), _place(dice, history)
    rest = history[:at] + history[at + 1 :]
    return [*rest[:to], *history[at : at + 1], *rest[to:]]


def _add_odd_message(dice: Random, history: History) -> History:
    at = _place(dice, history)
    return [*history[:at], dice.choice(_ODD_MESSAGES), *history[at:]]


def _move_block_elsewhere(dice: Random, history: History) -> History:
    """A block goes to another message: results out of place, calls of a person, thoughts of somebody else."""
    lists = [message["content"] for message in history if _has_blocks(message)]
    if len(lists) > 1:
        source, target = dice.sample(lists, 2)
        target.insert(dice.randint(0, len(target)), source.pop(dice.randint(0, len(source) - 1)))
    return history


def _has_blocks(message: Any) -> bool:
    content = message.get("content") if isinstance(message, dict) else None
    return isinstance(content, list) and len(content) > 0


# -- accidents to blocks -----------------------------------------------------------------------------------

_ODD_VALUES: list[Any] = [
    *(None, "", "  ", 7, True, [], {}, ["x"], float("nan"), "\ud800", "a:b", "x" * 200),
    *('{"query": "half', '{"query": "whole"}', "toolu_0_0", "toolu_1_0"),
    *([{"type": "text", "text": " "}], {"deep": {"\udfff": float("inf")}}),
]
_ODD_BLOCKS: list[Any] = [
    None,
    "words",
    {},
    {"type": "weather"},
    {"type": "text", "text": ""},
    {"type": "text", "text": "extra", "parsed_output": None},
    {"type": "text", "text": "marked", "cache_control": {"type": "ephemeral"}},
    {"type": "redacted_thinking", "data": ""},
    {"type": "redacted_thinking", "data": "d"},
    {"type": "thinking", "thinking": "lost"},
    {"type": "tool_use", "input": '{"half": '},
    {"type": "tool_use", "id": "toolu_0_0", "name": "form", "input": {}},
    {"type": "tool_result", "tool_use_id": "toolu_0_0", "content": "second"},
    {"type": "tool_result", "tool_use_id": "nobody", "content": "x"},
]


def _to_blocks(change: Callable[[Random, list[Any], int], Any]) -> Callable[[Random, History], History]:
    def accident(dice: Random, history: History) -> History:
        messages = [message for message in history if _has_blocks(message)]
        if messages:
            blocks = dice.choice(messages)["content"]
            change(dice, blocks, dice.randint(0, len(blocks) - 1))
        return history

    return accident


def _spoil_field(dice: Random, blocks: list[Any], at: int) -> None:
    block = blocks[at]
    if not isinstance(block, dict) or not block:
        return
    key = dice.choice(sorted(block))
    if dice.random() < 0.4:
        del block[key]
    elif key in ("thinking", "signature"):
        block[key] = None  # lost, not forged: nobody but the service can tell a forged one
    else:
        block[key] = dice.choice(_ODD_VALUES)


def _lose_block(dice: Random, blocks: list[Any], at: int) -> None:
    del blocks[at]


def _double_block(dice: Random, blocks: list[Any], at: int) -> None:
    blocks.insert(dice.randint(0, len(blocks)), blocks[at])


def _move_block(dice: Random, blocks: list[Any], at: int) -> None:
    blocks.insert(dice.randint(0, len(blocks) - 1), blocks.pop(at))


def _add_odd_block(dice: Random, blocks: list[Any], at: int) -> None:
    blocks.insert(at, dice.choice(_ODD_BLOCKS))


_ACCIDENTS: list[Callable[[Random, History], History]] = [
    *(_lose_message, _cut_beginning, _cut_end, _double_message, _move_message, _add_odd_message),
    *map(_to_blocks, (_spoil_field, _spoil_field, _lose_block, _double_block, _move_block, _add_odd_block)),
    _move_block_elsewhere,
]
