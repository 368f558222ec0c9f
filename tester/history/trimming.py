"""Shortens a history in rare big steps, and leaves it alone between them, so that the cache can follow.

Within its budget a history is left alone, whatever old pages it shows: what only grows is read from the cache
for next to nothing, and what changes is paid for again, with all that follows. Over the budget, it gives up
the pages before the newest view; if that does not bring it to half the budget, its oldest exchanges too. A
call and its result go together. The scenario, the newest view and the newest exchanges stay.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from tester.history.thinking import unbound
from tester.models.protocol import Message

Json = dict[str, Any]

BUDGET = 60_000
"""How many tokens (estimated) a history may have before it is shortened."""

NEWEST = 4
"""How many of the last exchanges are never given up."""

_PICTURE, _BYTES = 1_600, 3.2
"""Tokens of an image, and bytes of text in a token: both on the safe side."""

_LONG = 200
"""A text in an old result that is longer than this shows a page."""

_FENCED = re.compile(r"<page\b[^<>]*>.*?</page\b[^<>]*>", re.DOTALL)
"""Page text as `fence_for_model` marks it."""

_GONE = "[given up to save room: the page as it was then]"
_NOTE = re.compile(
    r"\[Given up to save room: (?P<exchanges>\d+) earlier exchanges, with (?P<calls>.*)\. They .*\]"
)
_CALLS = re.compile(r"(?P<tool>\S+) (?P<times>\d+) times(?: \((?P<failed>\d+) failed\))?")


def tokens(messages: Iterable[Message]) -> int:
    """How many tokens the messages have, estimated."""
    return sum(_tokens(message["content"]) for message in messages)


def shorten(messages: Sequence[Message], budget: int = BUDGET) -> Sequence[Message]:
    """A valid history, within its budget if that is possible; the same object if nothing was given up."""
    if tokens(messages) <= budget:
        return messages
    newest_view = max((where for where, message in enumerate(messages) if _shows_page(message)), default=None)
    kept = _without_old_pages(messages, newest_view)
    kept = _without_old_exchanges(kept, newest_view, budget // 2)
    same = len(kept) == len(messages) and all(one is other for one, other in zip(kept, messages, strict=True))
    return messages if same else unbound(kept, messages)


# -- pages -------------------------------------------------------------------------------------------------


def _without_old_pages(messages: Sequence[Message], newest_view: int | None) -> list[Message]:
    until = newest_view if newest_view is not None else len(messages) - 2 * NEWEST
    return [
        _without_pages(message) if message["role"] == "user" and where < until else message
        for where, message in enumerate(messages)
    ]


def _without_pages(message: Message) -> Message:
    before = _blocks(message)
    after = [_without_page(block) for block in before]
    return message if after == before else {"role": "user", "content": after}


def _without_page(block: Json) -> Json:
    match block:
        case {"type": "text", "text": text}:
            return {**block, "text": _FENCED.sub(_GONE, text)}
        case {"type": "tool_result", "content": str(text)}:
            return {**block, "content": _short(text)}
        case {"type": "tool_result", "content": list(parts)}:
            return {**block, "content": [_without_page(part) for part in parts]}
        case {"type": "image" | "document"}:
            return {"type": "text", "text": _GONE}
    return block


def _short(result: str) -> str:
    """A result's text without the pages in it: all long texts, if it is JSON."""
    try:
        return json.dumps(_shortened(json.loads(result)), ensure_ascii=False)
    except ValueError:
        return _FENCED.sub(_GONE, result)


def _shortened(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shortened(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_shortened(one) for one in value]
    return _GONE if isinstance(value, str) and len(value) > _LONG else value


def _shows_page(message: Message) -> bool:
    return message["role"] == "user" and any(map(_is_view, _texts(message["content"])))


def _is_view(text: str) -> bool:
    """Whether a text shows a whole page: between fences, or as what a tool has seen."""
    try:
        result = json.loads(text)
    except ValueError:
        return _FENCED.search(text) is not None
    return isinstance(result, dict) and result.get("view", _GONE) != _GONE


def _texts(content: Any) -> Iterable[str]:
    if isinstance(content, str):
        yield content
        return
    for block in content:
        yield from _texts(block.get("text") or block.get("content") or "")


# -- exchanges ---------------------------------------------------------------------------------------------


def _without_old_exchanges(messages: list[Message], newest_view: int | None, budget: int) -> list[Message]:
    """The first message, then the exchanges (the model's message, ours after it) that the budget allows."""
    exchanges = [messages[at : at + 2] for at in range(1, len(messages), 2)]
    keep_view = None if newest_view is None else (newest_view - 1) // 2
    too_many = tokens(messages) - budget
    given_up: list[Message] = []
    kept: list[Message] = []
    for number, exchange in enumerate(exchanges):
        if too_many > 0 and number < len(exchanges) - NEWEST and number != keep_view:
            too_many -= tokens(exchange)
            given_up += exchange
        else:
            kept += exchange
    return [_with_note(messages[0], given_up), *kept] if given_up else messages


def _with_note(first: Message, given_up: Sequence[Message]) -> Message:
    """The first message with a note of all that was ever given up after it."""
    blocks = _blocks(first)
    exchanges, calls, failed = len(given_up) // 2, Counter[str](), Counter[str]()
    if earlier := _NOTE.fullmatch(blocks[-1].get("text", "")):
        blocks.pop()
        exchanges += int(earlier["exchanges"])
        for call in _CALLS.finditer(earlier["calls"]):
            calls[call["tool"]] += int(call["times"])
            failed[call["tool"]] += int(call["failed"] or 0)
    tool_of = {one["id"]: one["name"] for one in _all(given_up, "tool_use")}
    calls.update(tool_of.values())
    failed.update(tool_of[one["tool_use_id"]] for one in _all(given_up, "tool_result") if one.get("is_error"))
    told = ", ".join(
        f"{tool} {times} times" + (f" ({failed[tool]} failed)" if failed[tool] else "")
        for tool, times in calls.items()
    )
    note = (
        f"[Given up to save room: {exchanges} earlier exchanges, with {told or 'no calls'}. They are over.]"
    )
    return {"role": "user", "content": [*blocks, {"type": "text", "text": note}]}


def _all(messages: Iterable[Message], kind: str) -> list[Json]:
    return [block for message in messages for block in _blocks(message) if block["type"] == kind]


def _blocks(message: Message) -> list[Json]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def _tokens(content: Any) -> int:
    if isinstance(content, list):
        return sum(_tokens(block) for block in content)
    if isinstance(content, dict):
        if content["type"] in ("image", "document"):
            return _PICTURE
        if isinstance(content.get("content"), list):
            return _tokens(content["content"])
    return int(len(json.dumps(content, ensure_ascii=False).encode()) / _BYTES) + 1
