"""Signatures of thinking blocks: each names the thought and everything that stood before it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any


class Binding:
    """Reads a conversation from its beginning, and knows how a thought at each place has to be signed."""

    def __init__(self, system: Any, tools: Any) -> None:
        self._read = hashlib.sha256()
        blocks = [{"type": "text", "text": system}] if isinstance(system, str) else system
        self._take([_bare(block) for block in blocks], [_bare(tool) for tool in tools])

    def speaks(self, role: str) -> None:
        """A message of this role begins."""
        self._take(role)

    def add(self, block: Mapping[str, Any]) -> None:
        """A block of it."""
        self._take(_bare(block))

    def sign(self, thought: str) -> str:
        """The signature of a thought that comes now."""
        return f"{_digest(thought)}.{self._read.copy().hexdigest()[:16]}"

    def holds(self, block: Mapping[str, Any]) -> bool:
        """Whether a thinking block was signed for this place."""
        return bool(block["signature"] == self.sign(block["thinking"]))

    @staticmethod
    def genuine(block: Mapping[str, Any]) -> bool:
        """Whether a thinking block says what it said when it was signed."""
        return bool(block["signature"].partition(".")[0] == _digest(block["thinking"]))

    def _take(self, *values: Any) -> None:
        self._read.update(json.dumps(values, sort_keys=True).encode())


def _digest(thought: str) -> str:
    return hashlib.sha256(thought.encode()).hexdigest()[:16]


def _bare(block: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in block.items() if key != "cache_control"}
