"""Colours: a native colour input takes six hexadecimal digits, and people write others as well."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tester.controls.family import Family
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from tester.find import Target
    from tester.recorder import StepRecord

_RGB = re.compile(r"rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)")


def accept_colour(target: Target, value: Any) -> str:
    """The colour as #rrggbb."""
    text = str(value).strip().lower()
    if re.fullmatch(r"#?[0-9a-f]{6}", text):
        return "#" + text.removeprefix("#")
    if re.fullmatch(r"#?[0-9a-f]{3}", text):
        return "#" + "".join(digit * 2 for digit in text.removeprefix("#"))
    if (found := _RGB.fullmatch(text)) and all(int(part) < 256 for part in found.groups()):
        return "#" + "".join(f"{int(part):02x}" for part in found.groups())
    raise StepFailed(f"{target.wish.name!r} takes a colour such as #1e90ff, not {value!r}"[:300])


async def set_colour(target: Target, value: str, step: StepRecord) -> None:
    """Gives the input its value, with the events that a person's choice would cause."""
    await target.locator.fill(value, timeout=target.turn.deadlines.action * 1000)


COLOUR = Family("set", accept_colour, set_colour)
