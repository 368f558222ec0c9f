"""The fence around a page: what an attempt may touch, and only while it is open.

A fenced page looks like Playwright's own. Every call on it, or on anything reached through it, first asks the
attempt whether it is still open and then travels on its lane; no tool has another way to the browser.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar, cast

P = TypeVar("P")


class Gate(Protocol):
    """What a fence asks: whether the attempt is open, and to carry a call for it."""

    def check_open(self) -> None:
        """Raises TurnClosed once the attempt is closed."""

    async def carry(self, work: Awaitable[Any]) -> Any:
        """Carries one browser call on the attempt's lane."""


def fenced(target: P, gate: Gate) -> P:
    """The same object to type checkers and callers, reachable only through the gate."""
    return cast(P, _Fence(target, gate))


def unfenced(value: P) -> P:
    """The object behind a fence, or the value itself."""
    return cast(P, object.__getattribute__(value, "_target")) if isinstance(value, _Fence) else value


class _Fence:
    __slots__ = ("_gate", "_target")

    def __init__(self, target: object, gate: Gate) -> None:
        self._target = target
        self._gate = gate

    def __getattr__(self, name: str) -> Any:
        self._gate.check_open()
        value = getattr(self._target, name)
        return _through(value, self._gate) if callable(value) else _behind(value, self._gate)

    def __eq__(self, other: object) -> bool:
        return bool(self._target == unfenced(other))

    def __hash__(self) -> int:
        return hash(self._target)

    def __repr__(self) -> str:
        return repr(self._target)


def _through(method: Callable[..., Any], gate: Gate) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        gate.check_open()
        result = method(*map(_open, args), **{key: _open(value) for key, value in kwargs.items()})
        return _travel(result, gate) if inspect.isawaitable(result) else _behind(result, gate)

    return call


async def _travel(work: Awaitable[Any], gate: Gate) -> Any:
    return _behind(await gate.carry(work), gate)


def _behind(value: Any, gate: Gate) -> Any:
    if isinstance(value, list):
        return [_behind(item, gate) for item in value]
    return _Fence(value, gate) if type(value).__module__.startswith("playwright.") else value


def _open(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(map(unfenced, value))
    return unfenced(value)
