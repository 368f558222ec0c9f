"""What can go wrong between a model and us, each as a value that a reply can carry.

A place in the stream is a byte (int; from the end if negative) or a share of all bytes (float), a place among
the events an index; what waits, waits for a gate and never for the clock.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from dataclasses import dataclass

Event = tuple[str, str]
"""A server-sent event: its name and its data."""


class Gate:
    """Holds an answer back until it is opened."""

    def __init__(self) -> None:
        self.inside, self._outside = socket.socketpair()

    def open(self) -> None:
        """Lets it pass."""
        self._outside.sendall(b".")

    def close(self) -> None:
        """Frees the sockets."""
        self.inside.close()
        self._outside.close()


@dataclass(frozen=True)
class Wait:
    """A part of an answer that is not bytes: wait for the gate; with no gate, until the client has left."""

    gate: Gate | None = None


@dataclass(frozen=True)
class Close:
    """The last part of an answer: `reset`, `cut` in mid-body, `quiet` as if whole, or `hung up` after all."""

    how: str


Part = bytes | Wait | Close


class Fault:
    """Changes events, or the bytes that they became, or both."""

    def on_events(self, events: list[Event]) -> list[Event]:
        """The events with the fault in them."""
        return events

    def on_parts(self, parts: list[Part]) -> list[Part]:
        """The parts with the fault in them."""
        return parts


@dataclass(frozen=True)
class Delay(Fault):
    """Nothing comes before the gate is open, not even a status."""

    gate: Gate | None = None


@dataclass(frozen=True)
class Stall(Fault):
    """The stream stops here until the gate is open."""

    at: int | float
    gate: Gate | None = None

    def on_parts(self, parts: list[Part]) -> list[Part]:
        before, after = _split(parts, self.at)
        return [*before, Wait(self.gate), *after]


@dataclass(frozen=True)
class Reset(Fault):
    """The connection is reset here."""

    at: int | float

    def on_parts(self, parts: list[Part]) -> list[Part]:
        return [*_split(parts, self.at)[0], Close("reset")]


@dataclass(frozen=True)
class Truncate(Fault):
    """The body ends here: in the middle of a chunk, or `quietly`, as if this had been all."""

    at: int | float
    quietly: bool = False

    def on_parts(self, parts: list[Part]) -> list[Part]:
        return [*_split(parts, self.at)[0], Close("quiet" if self.quietly else "cut")]


@dataclass(frozen=True)
class HangUp(Fault):
    """The answer is whole, but its connection is no good for another."""

    def on_parts(self, parts: list[Part]) -> list[Part]:
        return [*parts, Close("hung up")]


@dataclass(frozen=True)
class Trickle(Fault):
    """A few bytes at a time."""

    size: int = 1

    def on_parts(self, parts: list[Part]) -> list[Part]:
        trickled: list[Part] = []
        for part in parts:
            if isinstance(part, bytes):
                trickled += [part[at : at + self.size] for at in range(0, len(part), self.size)]
            else:
                trickled.append(part)
        return trickled


@dataclass(frozen=True)
class Pings(Fault):
    """Pings between the events, from this event on."""

    count: int = 1
    at: int = 1

    def on_events(self, events: list[Event]) -> list[Event]:
        return [*events[: self.at], *[("ping", '{"type": "ping"}')] * self.count, *events[self.at :]]


@dataclass(frozen=True)
class ErrorEvent(Fault):
    """The service gives up in the middle of the stream and says so."""

    at: int = 2
    kind: str = "overloaded_error"
    message: str = "Overloaded"

    def on_events(self, events: list[Event]) -> list[Event]:
        data = f'{{"type": "error", "error": {{"type": "{self.kind}", "message": "{self.message}"}}}}'
        return [*events[: self.at], ("error", data)]


@dataclass(frozen=True)
class Swap(Fault):
    """An event comes before the one that it should follow."""

    at: int

    def on_events(self, events: list[Event]) -> list[Event]:
        before, after = events[: self.at], events[self.at :]
        return [*before, *after[1:2], *after[:1], *after[2:]]


@dataclass(frozen=True)
class Lose(Fault):
    """An event never comes."""

    at: int

    def on_events(self, events: list[Event]) -> list[Event]:
        return [*events[: self.at], *events[self.at + 1 :]]


@dataclass(frozen=True)
class Double(Fault):
    """An event comes twice."""

    at: int

    def on_events(self, events: list[Event]) -> list[Event]:
        return [*events[: self.at], *events[self.at : self.at + 1], *events[self.at :]]


@dataclass(frozen=True)
class Garble(Fault):
    """What an event carries is no JSON."""

    at: int
    data: str = "<html>502 Bad Gateway</html>"

    def on_events(self, events: list[Event]) -> list[Event]:
        return [
            (name, self.data if number == self.at else data) for number, (name, data) in enumerate(events)
        ]


@dataclass(frozen=True)
class Stranger(Fault):
    """An event of a kind that nobody knows yet."""

    at: int = 1

    def on_events(self, events: list[Event]) -> list[Event]:
        return [*events[: self.at], ("message_weather", '{"type": "message_weather"}'), *events[self.at :]]


def parts_of(events: Sequence[Event], faults: Sequence[Fault]) -> list[Part]:
    """What goes over the wire for these events, with these faults."""
    said = list(events)
    for fault in faults:
        said = fault.on_events(said)
    parts: list[Part] = [b"".join(f"event: {name}\ndata: {data}\n\n".encode() for name, data in said)]
    for fault in faults:
        parts = fault.on_parts(parts)
    return parts


def _split(parts: Sequence[Part], at: int | float) -> tuple[list[Part], list[Part]]:
    size = sum(len(part) for part in parts if isinstance(part, bytes))
    left = int(at * size) if isinstance(at, float) else min(at, size) if at >= 0 else max(0, size + at)
    for number, part in enumerate(parts):
        if isinstance(part, bytes):
            if left <= len(part):
                return [*parts[:number], part[:left]], [part[left:], *parts[number + 1 :]]
            left -= len(part)
    return list(parts), []
