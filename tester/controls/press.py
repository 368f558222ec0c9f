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


async def press(target: Target, *, key: str | None = None) -> None:
    """Presses the target (or the part of it that has this key) where it can be reached.

    Raises:
        StepFailed: it cannot be pressed; or nobody can tell whether it was (the outcome is `unknown` then).
    """
    position = target.position if key is None else await _ready(target, key)
    limit = target.turn.deadlines.action * 1000
    try:
        await target.part("face", key).click(position=_at(position), timeout=limit, no_wait_after=True)
    except PlaywrightTimeout:
        await _after_timeout(target, key)
    except PlaywrightError as error:
        if not target.turn.session.page.is_closed() and "closed" not in str(error):
            raise


async def _ready(target: Target, key: str) -> dict[str, float] | None:
    patience = Patience(target.turn)
    while True:
        ready = await target.ask("ready", key=key, act="press") or {"blocked": "absent"}
        if ready.get("ok"):
            return ready.get("position")
        if not await patience.more(busy=bool(ready.get("busy"))):
            raise StepFailed(reasons.blocked(target.wish.name, ready))


async def _after_timeout(target: Target, key: str | None) -> None:
    """The click ran out of time: what the page saw of it decides, never the clock."""
    reached = await target.ask("reached", **({"key": key} if key else {}))
    types = reached["types"] if reached else []
    if "click" in types or reached is None:
        return
    if "mousedown" in types:
        raise StepFailed(f"{target.wish.name!r} was pressed but the page has not answered", outcome="unknown")
    ready = await target.ask("ready", act="press", **({"key": key} if key else {})) or {"blocked": "absent"}
    why = "kept moving or was covered whenever it was pressed"
    raise StepFailed(
        f"{target.wish.name!r} {why}" if ready.get("ok") else reasons.blocked(target.wish.name, ready)
    )


def _at(position: dict[str, float] | None) -> Any:
    return position
