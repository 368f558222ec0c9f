"""What an action has to wait for: the requests that it started and what follows from them,
but no poll and no stream.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from tester.happened import RequestSeen, Shape

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


def awaited(log: Sequence[RequestSeen], start: int, at: float) -> list[RequestSeen]:
    """Those of the log that an action, begun at position `start` and time `at`, still has to wait for.

    Left out are sockets, event streams and images; the next rounds of what was out when the action began;
    and whatever is asked over and over.
    """
    rounds: dict[Shape, int] = {}
    polls = _by_shape(one for one in log[:start] if one.ended is None or one.ended >= at)
    out = []
    for one in log[start:]:
        rounds[one.shape] = rounds.get(one.shape, 0) + 1
        if one.resource != "document" and any(_follows(one, other) for other in polls.get(one.shape, ())):
            polls[one.shape].append(one)
        elif one.ended is None and one.resource in _WAITED_FOR and rounds[one.shape] <= _LOOP:
            out.append(one)
    return out


def _follows(one: RequestSeen, other: RequestSeen) -> bool:
    """Whether it is the next round of a poll of which the other was one."""
    return other.ended is not None and 0 <= one.started - other.ended < _NEXT_ROUND


def _by_shape(seen: Iterable[RequestSeen]) -> dict[Shape, list[RequestSeen]]:
    shapes: dict[Shape, list[RequestSeen]] = {}
    for one in seen:
        shapes.setdefault(one.shape, []).append(one)
    return shapes
