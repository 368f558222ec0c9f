"""Presses: a click that is made once, on what is meant, and never repeated when it may have worked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout

from tester import reasons
from tester.patience import Patience
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from tester.find import Target


_TRIES = 3
"""Times that a press is begun anew when the page has seen nothing of it."""
_LOOKS = 4
"""Looks at the page before a press that ran out of time counts as one that it has not seen."""


async def press(
    target: Target, *, key: str = "", member: str = "", name: str = "", double: bool = False
) -> None:
    """Presses the target, or the part of it that has this key (and is called `name`), where it can be
    reached.

    Raises:
        StepFailed: it cannot be pressed; or nobody can tell whether it was (the outcome is `unknown` then).
    """
    name = name or target.wish.name
    part: dict[str, Any] = {"key": key, "member": member}
    ready = target.ready if target.ready.get("press") and not key else await _ready(target, name, part)
    for _ in range(_TRIES):
        if await _click(target, name, part, ready, 2 if double else 1):
            return
        ready = await _ready(target, name, part)
    raise StepFailed(f"{name!r} kept moving or was covered whenever it was to be pressed")


async def _click(target: Target, name: str, part: dict[str, Any], ready: dict[str, Any], clicks: int) -> bool:
    """One click (or a double one); False when it ran out of time before the page saw anything of it."""
    face = target.part("face", press=ready.get("press", ""), **part)
    limit = target.turn.deadlines.action * 1000
    try:
        await face.click(
            position=ready.get("position"), timeout=limit, no_wait_after=True, click_count=clicks
        )
    except PlaywrightTimeout:
        return await _was_seen(target, name, part)
    except PlaywrightError as error:
        if not target.turn.session.page.is_closed() and "closed" not in str(error):
            raise
    return True


async def _ready(target: Target, name: str, part: dict[str, Any]) -> dict[str, Any]:
    patience = Patience(target.turn)
    while True:
        ready: dict[str, Any] = await target.ask("ready", act="press", **part) or {"blocked": "absent"}
        if ready.get("ok"):
            return ready
        if not await patience.more(busy=bool(ready.get("busy"))):
            raise StepFailed(reasons.blocked(name, ready))


async def _was_seen(target: Target, name: str, part: dict[str, Any]) -> bool:
    """The click ran out of time: what the page saw of it decides, never the clock."""
    patience = Patience(target.turn)
    types: list[str] = []
    for _ in range(_LOOKS):
        reached = await target.ask("reached", **part)
        types = reached["types"] if reached else ["click"]
        if "click" in types or not await patience.more():
            break
    if "mousedown" in types and "click" not in types:
        raise StepFailed(f"{name!r} was pressed but the page has not answered", outcome="unknown")
    return "click" in types
