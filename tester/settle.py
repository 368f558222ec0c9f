"""What an action has to wait for: the requests that it started and what follows from them,
but no poll and no stream.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tester.happened import RequestSeen

if TYPE_CHECKING:
    from playwright.async_api import Frame

_WAITED_FOR = frozenset({"document", "fetch", "xhr", "script", "stylesheet"})
_LOOP = 5
"""What was asked this often in a row is a loop that nobody waits for."""
_NEXT_ROUND = 0.25
"""A poll asks again at most this long after its last answer, in seconds."""

_UNREAD, _UNREAD_LARGE, _LARGE = 0.25, 1.0, 1 << 16
"""A body that the page reads is through after this many seconds; more for one that is
large or of unknown size.

The browser never calls a `fetch` finished whose body nobody reads.
"""

Shape = tuple[str, str, str]


@dataclass(slots=True, eq=False)
class Sent:
    """A request as the waiting sees it: what is known of it, where it was sent from,
    what its repetitions share.
    """

    seen: RequestSeen
    frame: Frame | None
    shape: Shape
    streams: bool = False
    """The answer is a stream of events, which has no end."""

    @property
    def counts(self) -> bool:
        """Whether an action can be over only after it, going by its kind."""
        return self.seen.resource in _WAITED_FOR and not self.streams

    def follows(self, other: Sent) -> bool:
        """Whether it is the next round of a poll of which the other was one."""
        ended = other.seen.ended
        return ended is not None and 0 <= self.seen.started - ended < _NEXT_ROUND


def grace(resource: str, headers: Mapping[str, str]) -> float | None:
    """How long after its answer a request may still be reading; None for as long as it takes."""
    if resource != "fetch":
        return None
    size = headers.get("content-length", "")
    return _UNREAD if size.isdecimal() and int(size) < _LARGE else _UNREAD_LARGE


def shape(method: str, path: str, body: str | None) -> Shape:
    """What stays the same from one round of a poll to the next: numbers and
    tokens in query and body do not.
    """
    address, _, query = path.partition("?")
    return method, address, re.sub(r"[\w-]*\d[\w-]*", "#", f"{query}\n{(body or '')[:500]}")


def awaited(log: Sequence[Sent], start: int, at: float) -> list[Sent]:
    """Those of the log that an action, begun at position `start` and time `at`, still has to wait for.

    Left out are streams, sockets and images; the next rounds of what was out when the action began; and
    whatever is asked over and over.
    """
    rounds: dict[Shape, list[Sent]] = {}
    polls = _by_shape(one for one in log[:start] if one.seen.ended is None or one.seen.ended >= at)
    out = []
    for one in log[start:]:
        before = rounds.setdefault(one.shape, [])
        before.append(one)
        if one.seen.resource != "document" and any(map(one.follows, polls.get(one.shape, ()))):
            polls[one.shape].append(one)
        elif one.seen.ended is None and one.counts and len(before) <= _LOOP:
            out.append(one)
    return out


def _by_shape(sent: Iterable[Sent]) -> dict[Shape, list[Sent]]:
    shapes: dict[Shape, list[Sent]] = {}
    for one in sent:
        shapes.setdefault(one.shape, []).append(one)
    return shapes
