"""Code editors: the keys go to whatever they hide; what counts is the text that they draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tester.controls.family import Family
from tester.controls.press import press
from tester.controls.text import accept_text

if TYPE_CHECKING:
    from tester.find import Target
    from tester.recorder import StepRecord


async def write(target: Target, text: str, step: StepRecord) -> None:
    """Selects all and inserts the text in one go, as a paste would."""
    keyboard = target.turn.page.keyboard
    await press(target)
    await keyboard.press("ControlOrMeta+a")
    await keyboard.press("Delete")
    if text:
        await keyboard.insert_text(text)


async def type_keys(target: Target, text: str, step: StepRecord) -> None:
    """Selects all and types key by key."""
    keyboard = target.turn.page.keyboard
    await press(target)
    await keyboard.press("ControlOrMeta+a")
    await keyboard.press("Delete")
    await keyboard.type(text)


EDITOR = Family("fill", accept_text, write, type_keys, typed=True)
