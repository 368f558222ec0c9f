"""Prompt caching as the service does it: prefixes that end at a mark are kept, and read when they recur."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

LOOKBACK = 20
"""How many blocks before a mark are searched for a prefix that was kept before."""


class PromptCache:
    """Says for each request how many of its tokens (estimated) were read, written, or neither."""

    def __init__(self) -> None:
        self._kept: set[str] = set()

    def account(self, body: Mapping[str, Any]) -> dict[str, int]:
        """The input side of `usage` for a request, which is then kept as its marks say."""
        digests, lengths, marks = _read(body)
        read = 0
        for mark in marks:
            for place in range(mark, max(-1, mark - LOOKBACK), -1):
                if digests[place] in self._kept:
                    read = max(read, lengths[place])
                    break
        upto = lengths[marks[-1]] if marks else 0
        self._kept.update(digests[mark] for mark in marks)
        written, total = max(0, upto - read), lengths[-1]
        return {
            "input_tokens": total - read - written,
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": written,
        }


def _read(body: Mapping[str, Any]) -> tuple[list[str], list[int], list[int]]:
    """For each block its prefix's digest and length in tokens, and the places of the marks."""
    seen, length = hashlib.sha256(), 0
    digests: list[str] = []
    lengths: list[int] = []
    marks: list[int] = []
    for place, block in enumerate(_blocks(body)):
        bare = json.dumps({key: value for key, value in block.items() if key != "cache_control"})
        seen.update(bare.encode())
        length += len(bare) // 4 + 1
        digests.append(seen.copy().hexdigest())
        lengths.append(length)
        if block.get("cache_control") is not None:
            marks.append(place)
    return digests, lengths, marks


def _blocks(body: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    yield from body.get("tools", [])
    for content in (body.get("system", []), *(message["content"] for message in body["messages"])):
        yield from [{"type": "text", "text": content}] if isinstance(content, str) else content
