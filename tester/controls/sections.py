"""Dates and times in sections: month, day and year each typed where it stands, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tester.controls.dates import Moment, read_moment
from tester.controls.family import Family
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from tester.find import Target
    from tester.recorder import StepRecord


def accept_moment(target: Target, value: Any) -> str:
    """A date or time that says enough for every section; in the words that `read` gives back."""
    text = "" if isinstance(value, bool | list) else str(value)
    moment = read_moment(text, day_first=bool(target.facts.get("dayFirst")))
    parts = [_part(moment, kind) for kind in target.facts["sections"]]
    if None in parts:
        missing = target.facts["sections"][parts.index(None)]
        raise StepFailed(f"{target.wish.name!r} wants a {missing}, which {text!r} does not say"[:300])
    return " ".join(str(part) for part in parts)


def _part(moment: Moment, kind: str) -> str | None:
    day, clock = moment.day, moment.clock
    match kind:
        case "year" | "month" | "day":
            return f"{getattr(day, kind):02}" if day else None
        case "hour" | "minute" | "second":
            return f"{getattr(clock, kind):02}" if clock else None
        case "hour12":
            return f"{(clock.hour + 11) % 12 + 1:02}" if clock else None
        case "half":
            return ("AM" if clock.hour < 12 else "PM") if clock else None
        case _:
            return None


async def type_sections(target: Target, value: str, step: StepRecord) -> None:
    """Puts the focus on each section and types its part."""
    limit = target.turn.deadlines.action * 1000
    for key, part in zip(target.facts["keys"], value.split(" "), strict=True):
        await target.part(key=key).focus(timeout=limit)
        await target.turn.page.keyboard.type(part if part.isdecimal() else part[0])


def same_parts(asked: str, got: Any) -> bool:
    """Whether every section shows its part, zeros in front aside."""
    one, other = asked.split(" "), str(got).split(" ")
    return len(one) == len(other) and all(
        a.lstrip("0").casefold() == b.lstrip("0").casefold() for a, b in zip(one, other, strict=True)
    )


SECTIONS = Family("set", accept_moment, type_sections, same=same_parts)
