"""Where a request is marked for the prompt cache: at what will come again unchanged.

The past only grows, so what is kept up to a mark at its end is read by the next request, which has a mark at
the same place: one message of the model's and one of ours before its own end. The mark behind the scenario
outlives even a cut of the past.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tester.models.protocol import Message

MARK = {"cache_control": {"type": "ephemeral"}}


def marked(messages: Sequence[Message]) -> list[Message]:
    """The messages with three marks at most, whatever marks they had; one is left for the system prompt."""
    bare = [_bare(message) for message in messages]
    places = {(0, 0)} | {(where, -1) for where in (len(bare) - 3, len(bare) - 1) if where >= 0}
    for where, at in places:
        blocks = list(bare[where]["content"])
        blocks[at] = {**blocks[at], **MARK}
        bare[where] = {**bare[where], "content": blocks}
    return bare


def _bare(message: Message) -> Message:
    content = message["content"]
    blocks: list[dict[str, Any]] = (
        [{"type": "text", "text": content}] if isinstance(content, str) else content
    )
    plain = [{key: value for key, value in block.items() if key != "cache_control"} for block in blocks]
    return {"role": message["role"], "content": plain}
