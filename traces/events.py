"""The events of a run: one flat JSON object each, in the order in which they happened."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

SCHEMA = 1
"""The version that the first line of every `events.jsonl` names."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: `kind`, the wall-clock time in seconds, and JSON-able fields.

    Fields that say whose it is, where they apply: `scenario` (slug), `role`, `turn` and `attempt` (from 1),
    `call` (a tool call's id), `step` (a step record's id).
    """

    kind: str
    data: Mapping[str, Any]
    at: float = field(default_factory=time.time)

    def to_json(self) -> dict[str, Any]:
        """The object that is written as one line."""
        return {"at": round(self.at, 4), "kind": self.kind, **self.data}


Sink = Callable[[Event], None]
"""Whatever wants to know: the store, the live view, a reporter. It must not block and must not raise."""
