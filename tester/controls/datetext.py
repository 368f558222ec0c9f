"""Text fields that mean a date: written as the field writes it, and seen to stay when the field is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tester.controls.dates import in_pattern, read_moment, same_day
from tester.controls.family import Family
from tester.controls.same import same
from tester.controls.text import accept_text
from tester.patience import Patience

if TYPE_CHECKING:
    from tester.find import Target
    from tester.recorder import StepRecord

_LOOKS = 6
"""Looks at a field that was left before its text counts as accepted."""


def accept_day(target: Target, value: Any) -> str:
    """The date as the placeholder writes it; the text as given where there is no pattern, or
    where it has one already.
    """
    text = accept_text(target, value)
    pattern, day = target.facts["datelike"], read_moment(text).day
    iso = text.strip()[:4].isdecimal() and len(text.strip()) == 10
    written = in_pattern(pattern, day) if iso and day is not None and isinstance(pattern, str) else None
    return written or text


async def write(target: Target, text: str, step: StepRecord) -> None:
    """Fills it in and leaves it; a field that goes back to its old date wants Enter."""
    limit = target.turn.deadlines.action * 1000
    await target.locator.fill(text, timeout=limit)
    await target.ask("blur")
    if await _stays(target, text):
        return
    await target.locator.fill(text, timeout=limit)
    await target.locator.press("Tab" if target.facts.get("submits") else "Enter", timeout=limit)
    await target.ask("blur")
    await _stays(target, text)


async def _stays(target: Target, text: str) -> bool:
    patience = Patience(target.turn)
    for _ in range(_LOOKS):
        answer = await target.ask("read") or {}
        if not answer.get("absent") and not same_date(text, answer.get("value")):
            return False
        if not await patience.more():
            break
    return True


def same_date(asked: str, got: Any) -> bool:
    """Whether the field holds the date, in whatever notation."""
    return same(asked, got) or same_day(asked, got)


DATETEXT = Family("fill", accept_day, write, same=same_date, typed=True)
