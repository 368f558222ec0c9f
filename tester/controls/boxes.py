"""One-time codes and the like: one box for each character, together one field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tester.controls.family import Family
from tester.controls.press import press
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from tester.find import Target
    from tester.recorder import StepRecord


def accept_code(target: Target, value: Any) -> str:
    """The characters, one for each box."""
    text = "".join(str(value).split())
    boxes = target.facts.get("boxes", 0)
    if isinstance(value, bool | list) or len(text) > boxes:
        raise StepFailed(
            f"{target.wish.name!r} has {boxes} boxes of one character each; these are {len(text)}"
        )
    return text


async def spread(target: Target, code: str, step: StepRecord) -> None:
    """Types the code from the first box on, as the page moves the focus along."""
    await press(target)
    for letter in code:
        await target.turn.page.keyboard.press(letter)


async def one_by_one(target: Target, code: str, step: StepRecord) -> None:
    """Fills each box by itself, where the focus does not move along."""
    for at, letter in enumerate(code):
        await target.part(key=target.facts["keys"][at]).fill(
            letter, timeout=target.turn.deadlines.action * 1000
        )


BOXES = Family("fill", accept_code, spread, one_by_one)
