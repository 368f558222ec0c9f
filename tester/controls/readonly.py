"""Fields that open something instead of taking text: a calendar, a list, or nothing at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tester.controls.dates import same_day
from tester.controls.dropdown import choose_in, same_choice
from tester.controls.family import Family, Taken
from tester.controls.popup import Popup
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from tester.find import Target
    from tester.recorder import StepRecord


def accept_any(target: Target, value: Any) -> str:
    """One value: what opens decides what it means."""
    if isinstance(value, bool | list):
        raise StepFailed(f"{target.wish.name!r} takes one value")
    return str(value)


async def pick(target: Target, value: str, step: StepRecord) -> Taken | None:
    """Opens what the field opens and picks the value there; a field that opens nothing is read-only."""
    step.do = "choose"
    if same_shown(value, target.value):
        step.notes.append("chosen already")
        return None
    popup = Popup(target)
    if not await popup.show():
        raise StepFailed(f"{target.wish.name!r} is read-only, and nothing opens when it is pressed")
    if not popup.state.get("calendar") and not popup.state.get("options"):
        raise StepFailed(f"{target.wish.name!r} is read-only; what it opens has no {value!r}"[:300])
    return await choose_in(popup, value, step)


def same_shown(asked: str, got: Any) -> bool:
    """Whether what is shown is the value, or the same date written in another way."""
    return got not in (None, "", []) and (same_choice(asked, got) or same_day(asked, got))


READONLY = Family("choose", accept_any, pick, same=same_shown)
