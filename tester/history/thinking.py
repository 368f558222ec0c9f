"""Thinking blocks are bound to what stood before them: one that follows a change is refused, so it has to go.

A change leaves alone what was thought before it and what is thought from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from tester.models.protocol import Message

THINKING = frozenset({"thinking", "redacted_thinking"})


def unbound(messages: Sequence[Message], before: Sequence[Message]) -> list[Message]:
    """The messages without the thinking behind the first place at which they are not what they were."""
    kept = list(messages)
    changed = _first_change(messages, before)
    for where in range(changed, len(kept)):
        content = kept[where]["content"]
        if kept[where]["role"] != "assistant" or isinstance(content, str):
            continue
        opening = _opening(content) if where == changed and _opens_alike(kept[where], before, where) else []
        rest = content[len(opening) :]
        if any(block["type"] in THINKING for block in rest):
            said = [block for block in rest if block["type"] not in THINKING]
            kept[where] = {"role": "assistant", "content": [*opening, *said]}
    return kept


def _first_change(messages: Sequence[Message], before: Sequence[Message]) -> int:
    pairs = enumerate(zip(messages, before, strict=False))
    return next((where for where, (one, other) in pairs if one is not other), min(len(messages), len(before)))


def _opening(content: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return list(takewhile(lambda block: block["type"] in THINKING, content))


def _opens_alike(message: Message, before: Sequence[Message], where: int) -> bool:
    """Whether a changed message still opens with the same thoughts, with the same things said before them."""
    was: Any = before[where] if where < len(before) else None
    content = was.get("content") if isinstance(was, dict) and was.get("role") == "assistant" else None
    opening = _opening(message["content"])
    return isinstance(content, list) and content[: len(opening)] == opening
