"""Tags: a text field that turns what is typed into chips, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tester.controls.dropdown import remove_chips, same_choice
from tester.controls.family import Family, Taken
from tester.controls.same import same
from tester.patience import Patience
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from tester.find import Target
    from tester.recorder import StepRecord

_CLOSERS = ("Enter", ",", "Tab")
"""What closes a tag, the usual one first."""


def accept_tags(target: Target, value: Any) -> list[str]:
    """The tags that shall be there, and no others."""
    return [str(one) for one in value]


async def set_tags(target: Target, tags: list[str], step: StepRecord) -> Taken:
    """Removes the tags that are not wanted and adds those that are missing, each closed on its own."""
    await remove_chips(target, tags)
    closer = _CLOSERS[0]
    for tag in tags:
        if not any(same(tag, chip) for chip in await drawn(target)):
            closer = await _add(target, tag, closer)
    return Taken(shown=await drawn(target))


async def _add(target: Target, tag: str, closer: str) -> str:
    for key in (closer, *(one for one in _CLOSERS if one != closer)):
        await target.locator.fill(tag, timeout=target.turn.deadlines.action * 1000)
        await target.locator.press(key, timeout=target.turn.deadlines.action * 1000)
        if await _turns_up(target, tag):
            return key
    raise StepFailed(f"{target.wish.name!r} did not take {tag!r} as a tag"[:300])


async def _turns_up(target: Target, tag: str) -> bool:
    patience = Patience(target.turn)
    for _ in range(6):
        if any(same(tag, chip) for chip in await drawn(target)):
            return True
        if not await patience.more():
            break
    return False


async def drawn(target: Target) -> list[str]:
    """The tags that are there."""
    return [chip["text"] for chip in await target.ask("chips") or []]


TAGS = Family("fill", accept_tags, set_tags, same=same_choice)
