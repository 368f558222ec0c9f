"""Text goes in: inputs of every textual kind, numbers, text areas and editable regions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tester.controls.family import Family
from tester.controls.same import number
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from tester.find import Target
    from tester.recorder import StepRecord


def accept_text(target: Target, value: Any) -> str:
    """The value as text; numbers without a needless ".0"."""
    if isinstance(value, bool):
        raise StepFailed(f"{target.wish.name!r} takes text, not {str(value).lower()}")
    if isinstance(value, list):
        raise StepFailed(f"{target.wish.name!r} takes one text, not a list")
    text = f"{value:.15g}" if isinstance(value, float) else str(value)
    most = target.facts.get("maxLength")
    if most and len(text) > most:
        raise StepFailed(
            f"{target.wish.name!r} takes at most {most} characters (maxlength); these are {len(text)}"
        )
    if "\n" in text and target.family == "text" and not target.facts.get("multiline"):
        raise StepFailed(f"{target.wish.name!r} takes one line, not several")
    return text


def accept_number(target: Target, value: Any) -> str:
    """The value as a number input holds it: digits with a point."""
    text = accept_text(target, value).strip()
    if not text:
        return text
    found = number(text)
    if found is None:
        raise StepFailed(f"{target.wish.name!r} takes a number, not {text!r}")
    try:
        float(text)
    except ValueError:
        return f"{found:.15g}"
    return text


async def insert(target: Target, text: str, step: StepRecord) -> None:
    """Replaces the content in one edit, and presses a key that writes nothing: pages that listen to keys look
    up then.
    """
    if not target.aimed and not await target.ask("aim"):
        await target.locator.fill(text, timeout=target.turn.deadlines.action * 1000)
        return
    keyboard = target.turn.page.keyboard
    if text:
        await keyboard.insert_text(text)
    await keyboard.press("Shift" if text else "Delete")


async def type_keys(target: Target, text: str, step: StepRecord) -> None:
    """Selects what is there and types key by key, as a person does."""
    limit = target.turn.deadlines.tool * 1000
    await target.locator.focus(timeout=target.turn.deadlines.action * 1000)
    await target.locator.press("ControlOrMeta+a", timeout=limit)
    if not text:
        await target.locator.press("Delete", timeout=limit)
    await target.locator.press_sequentially(text, timeout=limit)


TEXT = Family("fill", accept_text, insert, type_keys, typed=True)
NUMBER = Family("fill", accept_number, insert, type_keys, typed=True)
EDITABLE = Family("fill", accept_text, insert, type_keys, typed=True)
