"""Calendars that are open: turned to the month, and the day pressed in it."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from tester.controls.press import press
from tester.patience import Patience
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from tester.find import Target

_MOST_PAGES = 240
"""Pages of a calendar that are turned at most: twenty years."""


async def pick_day(target: Target, day: date) -> None:
    """Turns the pages of an open calendar to the month and presses the day, not its
    twin of a neighbouring month.

    Raises:
        StepFailed: the day cannot be chosen, or the calendar does not get to its month.
    """
    for _ in range(_MOST_PAGES):
        sheet = await target.ask("calendar")
        if not sheet:
            raise StepFailed(f"{target.wish.name!r}: no calendar is open")
        cell = _cell(sheet, day)
        if cell is not None:
            if cell["disabled"]:
                raise StepFailed(f"{target.wish.name!r}: {day.isoformat()} cannot be chosen, it is disabled")
            await press(target, key=cell["key"], name=day.isoformat())
            return
        await _turn(target, sheet, day)
    raise StepFailed(f"{target.wish.name!r}: the calendar does not get to {day:%B %Y}")


def _cell(sheet: dict[str, Any], day: date) -> dict[str, Any] | None:
    cells: list[dict[str, Any]] = sheet["days"]
    dated = [cell for cell in cells if cell["date"] == day.isoformat()]
    if dated:
        return next((cell for cell in dated if not cell["outside"]), dated[0])
    if (sheet["year"], sheet["month"]) != (day.year, day.month):
        return None
    return next((cell for cell in cells if cell["day"] == day.day and not cell["outside"]), None)


async def _turn(target: Target, sheet: dict[str, Any], day: date) -> None:
    """One page towards the month, and seen to have turned."""
    if not await _choose_page(target, sheet, day):
        await _press_on(target, sheet, day)
    patience = Patience(target.turn)
    while True:
        now = await target.ask("calendar")
        if now and (now["year"], now["month"]) != (sheet["year"], sheet["month"]):
            return
        if not await patience.more():
            raise StepFailed(f"{target.wish.name!r}: the calendar stays at {sheet['month']}/{sheet['year']}")


async def _choose_page(target: Target, sheet: dict[str, Any], day: date) -> bool:
    """Chooses year or month from a list in the header, where there is one and it is not right already."""
    for kind, wanted, shown in (("years", day.year, sheet["year"]), ("months", day.month, sheet["month"])):
        select = next((one for one in sheet["selects"] if one[kind] and wanted in one[kind]), None)
        if select is not None and wanted != shown:
            limit = target.turn.deadlines.action * 1000
            await target.part(key=select["key"]).select_option(
                index=select[kind].index(wanted), timeout=limit
            )
            return True
    return False


async def _press_on(target: Target, sheet: dict[str, Any], day: date) -> None:
    shown = (sheet["year"] or day.year, sheet["month"] or 0)
    key = sheet["forth"] if shown < (day.year, day.month) else sheet["back"]
    if not sheet["month"] or not key or shown == (day.year, day.month):
        raise StepFailed(f"{target.wish.name!r}: the calendar does not get to {day.isoformat()}")
    await press(target, key=key, name="the next month" if key == sheet["forth"] else "the month before")
