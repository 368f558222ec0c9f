"""Fields that open something instead of taking text: a calendar, a list, or nothing at all."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from tester.controls.dates import read_moment
from tester.controls.dropdown import choose_one, same_choice
from tester.controls.family import Family, Taken
from tester.controls.popup import Popup
from tester.controls.press import press
from tester.patience import Patience
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from tester.find import Target
    from tester.recorder import StepRecord

_MOST_MONTHS = 240


def accept_any(target: Target, value: Any) -> str:
    """One value: what opens decides what it means."""
    if isinstance(value, bool | list):
        raise StepFailed(f"{target.wish.name!r} takes one value")
    return str(value)


async def pick_in_popup(target: Target, value: str, step: StepRecord) -> Taken | None:
    """Opens what the field opens and picks the value there; a field that opens nothing is read-only."""
    step.do = "choose"
    if same_value(value, target.value):
        step.notes.append("chosen already")
        return None
    popup = Popup(target)
    if not await popup.show():
        raise StepFailed(f"{target.wish.name!r} is read-only, and nothing opens when it is pressed")
    day, taken = read_moment(value).day, None
    if popup.state.get("calendar") and day is not None:
        await pick_day(target, day)
    elif popup.state.get("options"):
        taken, _ = await choose_one(popup, value, step)
    else:
        raise StepFailed(f"{target.wish.name!r} is read-only; what it opens has no {value!r}"[:300])
    await popup.close()
    return taken


async def pick_day(target: Target, day: date) -> None:
    """Turns the pages of an open calendar to the month and presses the day, not its
    twin of a neighbouring month.

    Raises:
        StepFailed: the day cannot be chosen, or the calendar does not get to its month.
    """
    for _ in range(_MOST_MONTHS):
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
    shown = (sheet["year"] or day.year, sheet["month"] or 0)
    key = sheet["forth"] if shown < (day.year, day.month) else sheet["back"]
    if not sheet["month"] or not key or shown == (day.year, day.month):
        raise StepFailed(f"{target.wish.name!r}: the calendar does not get to {day.isoformat()}")
    await press(target, key=key, name="the next month" if key == sheet["forth"] else "the month before")
    patience = Patience(target.turn)
    while True:
        now = await target.ask("calendar")
        if now and (now["year"], now["month"]) != (sheet["year"], sheet["month"]):
            return
        if not await patience.more():
            raise StepFailed(f"{target.wish.name!r}: the calendar stays at {sheet['month']}/{sheet['year']}")


def same_value(asked: str, got: Any) -> bool:
    """Whether what is shown is the value, or the same date written in another way."""
    if got in (None, "", []):
        return False
    shown = str(got[0] if isinstance(got, list) else got)
    day, seen = read_moment(asked).day, read_moment(shown).day
    if day is not None and seen is not None:
        return day == seen or day == read_moment(shown, day_first=True).day
    return same_choice(asked, shown)


READONLY = Family("choose", accept_any, pick_in_popup, same=same_value)
