"""Sliders and spin buttons: native ones take their value, drawn ones the keys that they understand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tester.controls.family import Family
from tester.controls.same import number
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from tester.find import Target
    from tester.recorder import StepRecord

_MOST_KEYS = 2000


def accept_amount(target: Target, value: Any) -> str:
    """The number as the slider counts it, inside its limits and on one of its steps."""
    found = None if isinstance(value, bool | list) else number(str(value))
    if found is None:
        raise StepFailed(f"{target.wish.name!r} takes a number, not {value!r}"[:300])
    low, high = _fact(target, "min"), _fact(target, "max")
    if target.family == "range":
        low, high = low if low is not None else 0.0, high if high is not None else 100.0
    if (low is not None and found < low) or (high is not None and found > high):
        raise StepFailed(
            f"{target.wish.name!r} goes from {_tell(low)} to {_tell(high)}; {_tell(found)} is outside"
        )
    if target.family == "range" and target.facts.get("step") != "any":
        step = _fact(target, "step") or 1.0
        off = (found - (low or 0.0)) / step
        if abs(off - round(off)) > 1e-6:
            raise StepFailed(
                f"{target.wish.name!r} goes in steps of {_tell(step)}; {_tell(found)} is between two"
            )
    return _tell(found)


def _fact(target: Target, name: str) -> float | None:
    text = target.facts.get(name)
    return number(str(text)) if text is not None else None


def _tell(value: float | None) -> str:
    return "no limit" if value is None else f"{value:.12g}"


async def slide(target: Target, value: str, step: StepRecord) -> None:
    """Gives a native slider its value, with the events that a drag would cause."""
    await target.locator.fill(value, timeout=target.turn.deadlines.action * 1000)


async def slide_by_keys(target: Target, value: str, step: StepRecord) -> None:
    """Presses arrows until the slider says the value; the first press tells how far one goes."""
    goal, now = float(value), await _now(target)
    limit = target.turn.deadlines.action * 1000
    await target.locator.focus(timeout=limit)
    keys = 0
    while now != goal:
        await target.locator.press(_key(target, goal > now), timeout=limit)
        moved = await _now(target)
        stride = abs(moved - now)
        if stride == 0:
            raise StepFailed(f"{target.wish.name!r} does not move by its keys; it is at {_tell(now)}")
        if abs(goal - moved) < stride and moved != goal:
            between = (
                f"{_tell(now)} and {_tell(moved)}" if (goal - now) * (goal - moved) < 0 else _tell(moved)
            )
            raise StepFailed(
                f"{target.wish.name!r} goes in steps of {_tell(stride)}: "
                f"{value} cannot be reached ({between})"
            )
        many = min(int(abs(goal - moved) / stride + 1e-9), _MOST_KEYS - keys)
        for _ in range(many):
            await target.locator.press(_key(target, goal > moved), timeout=limit)
        keys += many + 1
        now = await _now(target)
        if keys >= _MOST_KEYS:
            raise StepFailed(f"{target.wish.name!r} is at {_tell(now)} after {keys} presses of an arrow key")


def _key(target: Target, up: bool) -> str:
    if target.family == "spinbutton":
        return "ArrowUp" if up else "ArrowDown"
    return "ArrowRight" if up else "ArrowLeft"


async def _now(target: Target) -> float:
    answer = await target.ask("read") or {}
    found = number(str(answer.get("value", "")))
    if found is None:
        raise StepFailed(f"{target.wish.name!r} does not say where it stands")
    return found


RANGE = Family("set", accept_amount, slide)
SLIDER = Family("set", accept_amount, slide_by_keys)
