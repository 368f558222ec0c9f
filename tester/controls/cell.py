"""Table cells that turn into an input when they are pressed, once or twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tester.controls.family import Family
from tester.controls.press import press
from tester.controls.text import accept_text
from tester.patience import Patience
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from tester.find import Target
    from tester.recorder import StepRecord

_LOOKS = 6


async def edit(target: Target, text: str, step: StepRecord) -> None:
    """Opens the cell, writes or chooses in what opens, and closes it with Enter."""
    editor = await _open(target)
    limit = target.turn.deadlines.action * 1000
    inner = target.part(key=editor["key"])
    if editor["family"] == "select":
        await inner.select_option(label=text, timeout=limit)
    else:
        await inner.fill(text, timeout=limit)
    await target.turn.page.keyboard.press("Enter")
    await target.ask("blur")


async def _open(target: Target) -> dict[str, Any]:
    await press(target)
    if editor := await _opened(target):
        return editor
    await target.face.dblclick(timeout=target.turn.deadlines.action * 1000)
    if editor := await _opened(target):
        return editor
    raise StepFailed(f"{target.wish.name!r} is a cell of text, and nothing opens when it is pressed")


async def _opened(target: Target) -> dict[str, Any] | None:
    patience = Patience(target.turn)
    for _ in range(_LOOKS):
        editor: dict[str, Any] | None = await target.ask("editor")
        if editor is not None or not await patience.more():
            return editor
    return None


CELL = Family("fill", accept_text, edit)
