"""Single messages and blocks: what the Messages API takes, and the nearest such thing to what it does not."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tester.history.mends import Mends
from tester.history.thinking import THINKING

Block = dict[str, Any]
MARKS = 4
"""How many cache marks one request may carry."""

UNNAMED = "unnamed_tool"
"""Stands in for the name of a call that has none."""

_FIELDS: dict[str, frozenset[str]] = {
    "text": frozenset({"type", "text", "cache_control", "citations"}),
    "image": frozenset({"type", "source", "cache_control"}),
    "document": frozenset({"type", "source", "cache_control", "citations", "context", "title"}),
    "tool_use": frozenset({"type", "id", "name", "input", "cache_control", "caller"}),
    "tool_result": frozenset({"type", "tool_use_id", "content", "is_error", "cache_control"}),
    "thinking": frozenset({"type", "thinking", "signature"}),
    "redacted_thinking": frozenset({"type", "data"}),
}
_IN_RESULT = frozenset({"text", "image", "document"})
# A result in an assistant message may be the only proof of what was done: kept, and put in its place later.
_FROM = {"user": _IN_RESULT | {"tool_result"}, "assistant": THINKING | {"text", "tool_use", "tool_result"}}
_NO_WORD = re.compile(r"[^a-zA-Z0-9_-]")
_LONGEST_NAME = 128
_WHOLE_MARKS = [{"type": "ephemeral"}, *({"type": "ephemeral", "ttl": ttl} for ttl in ("5m", "1h"))]


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """A message taken apart; `intact` when nothing in it had to be mended."""

    role: Literal["user", "assistant"]
    blocks: list[Block]
    where: int
    intact: bool


def take_apart(messages: Sequence[Any], mends: Mends) -> list[Said]:
    """The messages with nothing left in them that would be refused by itself; what is empty then is gone."""
    marks = _Marks(messages)
    taken = (_take_apart(message, where, marks, mends) for where, message in enumerate(messages))
    return [said for said in taken if said is not None]


def _take_apart(message: Any, where: int, marks: _Marks, mends: Mends) -> Said | None:
    before = len(mends)
    if not isinstance(message, dict):
        mends.note("message", where, "dropped something that is not a message")
        return None
    if not set(message) <= {"role", "content"}:
        mends.note("field", where, "dropped fields that no message has")
    role: Literal["user", "assistant"] = "assistant" if message.get("role") == "assistant" else "user"
    if role != message.get("role"):
        mends.note("role", where, f"read the unknown role {message.get('role')!r} as user")
    bench = _Bench(where, marks, mends)
    blocks = list(bench.blocks(message.get("content"), _FROM[role]))
    if role == "assistant":
        results = [block for block in blocks if block["type"] == "tool_result"]
        said = [block for block in blocks if block["type"] != "tool_result"]
        blocks = bench.thinking_in_place(said) + results
    if not blocks:
        mends.note("empty message", where, "dropped a message without content")
        return None
    return Said(role, blocks, where, intact=len(mends) == before)


class _Marks:
    """Which cache marks are too many: the earliest ones."""

    def __init__(self, messages: Sequence[Any]) -> None:
        contents = (message.get("content") for message in messages if isinstance(message, dict))
        blocks = [block for content in contents if isinstance(content, list) for block in content]
        marked = (block for block in blocks if isinstance(block, dict))
        self._excess = sum(block.get("cache_control") is not None for block in marked) - MARKS

    def keeps(self, mark: Any) -> bool:
        """Whether the next mark in the history may stay."""
        self._excess -= 1
        return self._excess < 0 and mark in _WHOLE_MARKS


class _Bench:
    """Where one message lies while it is mended."""

    def __init__(self, where: int, marks: _Marks, mends: Mends) -> None:
        self._where = where
        self._marks = marks
        self._mends = mends

    def blocks(self, content: Any, allowed: frozenset[str]) -> Iterator[Block]:
        """The blocks of a content, each in a shape that can be sent."""
        given = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if not isinstance(given, list | tuple):
            self._note("content", "dropped content that is neither text nor blocks")
            return
        for block in given:
            kind = block.get("type") if isinstance(block, dict) else None
            if not isinstance(kind, str) or kind not in allowed:
                self._note("block", f"dropped a block of type {kind!r}, which cannot stand there")
            elif (mended := self._mended(kind, block)) is not None:
                yield mended.copy()  # one object may stand at two places of a broken history

    def thinking_in_place(self, blocks: list[Block]) -> list[Block]:
        """Thinking opens a message and never ends it; what stands elsewhere has lost its place."""
        kept = blocks[:]
        if kept and kept[0]["type"] not in THINKING:
            kept = [block for block in kept if block["type"] not in THINKING]
        while kept and kept[-1]["type"] in THINKING:
            kept.pop()
        if len(kept) < len(blocks):
            self._note("thinking", "dropped thinking that had lost its place")
        return kept

    def _mended(self, kind: str, block: Block) -> Block | None:
        mended = self._mend[kind](self, self._known(block))
        return None if mended is None else self._sendable(mended)

    def _note(self, kind: str, what: str, call: Any = None) -> None:
        self._mends.note(kind, self._where, what, call if isinstance(call, str) else None)

    def _known(self, block: Block) -> Block:
        drop = set(block) - _FIELDS[block["type"]]
        if block.get("cache_control") is not None and not self._marks.keeps(block["cache_control"]):
            drop.add("cache_control")
        if not drop:
            return block
        self._note("field", f"dropped {', '.join(sorted(map(str, drop)))} from a {block['type']} block")
        return {key: value for key, value in block.items() if key not in drop}

    def _text(self, block: Block) -> Block | None:
        text = block.get("text")
        if isinstance(text, str) and text.strip():
            return block
        self._note("empty text", "dropped a text without a word in it")
        return None

    def _media(self, block: Block) -> Block | None:
        if isinstance(block.get("source"), dict):
            return block
        self._note("block", f"dropped a block of type {block['type']!r} without a source")
        return None

    def _thinking(self, block: Block) -> Block | None:
        if isinstance(block.get("thinking"), str) and _text_in(block, "signature"):
            return block
        self._note("thinking", "dropped thinking that had lost its signature")
        return None

    def _redacted(self, block: Block) -> Block | None:
        if _text_in(block, "data"):
            return block
        self._note("thinking", "dropped redacted thinking that had lost its data")
        return None

    def _call(self, block: Block) -> Block:
        call, name = block, block.get("name")
        if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME or _NO_WORD.search(name):
            call = {**call, "name": _name(name)}
            self._note("name", f"named a call {call['name']}, which came as {name!r}", call.get("id"))
        if not isinstance(call.get("input"), dict):
            self._note("arguments", "kept a call without its arguments, which do not parse", call.get("id"))
            call = {**call, "input": _parsed(call.get("input"))}
        return call

    def _result(self, block: Block) -> Block:
        result = block
        content = result.get("content", "")
        if not isinstance(content, str):
            mended = self._result_content(content)
            result = result if mended is content else {**result, "content": mended}
        if not isinstance(result.get("is_error", False), bool):
            self._note("field", "read is_error as a truth value", result.get("tool_use_id"))
            result = {**result, "is_error": bool(result["is_error"])}
        return result

    def _result_content(self, content: Any) -> Any:
        if not isinstance(content, list):
            self._note("content", "wrote the content of a result as text")
            return "" if content is None else json.dumps(_plain(content), ensure_ascii=False)
        before = len(self._mends)
        mended = list(self.blocks(content, _IN_RESULT))
        return content if len(self._mends) == before else mended

    def _sendable(self, block: Block) -> Block:
        try:
            json.dumps(block, ensure_ascii=False, allow_nan=False).encode()
        except (TypeError, ValueError):
            self._note("encoding", f"replaced what JSON cannot carry in a {block['type']} block")
            plain: Block = _plain(block)
            return plain
        return block

    _mend: dict[str, Callable[[_Bench, Block], Block | None]] = {  # noqa: RUF012 - a table, not state
        "text": _text,
        "image": _media,
        "document": _media,
        "tool_use": _call,
        "tool_result": _result,
        "thinking": _thinking,
        "redacted_thinking": _redacted,
    }


def _text_in(block: Block, key: str) -> bool:
    return isinstance(block.get(key), str) and bool(block[key])


def _name(given: Any) -> str:
    return _NO_WORD.sub("_", given)[:_LONGEST_NAME] if isinstance(given, str) and given else UNNAMED


def _parsed(arguments: Any) -> dict[str, Any]:
    """Arguments that came as text may be whole after all; what is not an object is none."""
    try:
        parsed = json.loads(arguments) if isinstance(arguments, str) else None
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _plain(value: Any) -> Any:
    """The nearest value that JSON can carry."""
    if isinstance(value, dict):
        return {_plain(key) if isinstance(key, str) else str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(one) for one in value]
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, bool | int) else str(value)
