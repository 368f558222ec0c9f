"""Drawn selects, comboboxes and lists: whatever opens, filters, loads late or stays open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tester.controls.calendar import pick_day
from tester.controls.dates import read_moment, same_day
from tester.controls.family import Family, Taken
from tester.controls.popup import Popup
from tester.controls.press import press
from tester.controls.same import same
from tester.patience import Patience, answered
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from tester.find import Target
    from tester.recorder import StepRecord
    from tester.watch import Mark


def accept_labels(target: Target, value: Any) -> str | list[str]:
    """One label, or a list of labels: the whole wanted set."""
    if isinstance(value, bool):
        raise StepFailed(f"{target.wish.name!r} takes one of its options, not {str(value).lower()}")
    return [str(one) for one in value] if isinstance(value, list) else str(value)


def same_choice(asked: Any, got: Any) -> bool:
    """Whether what is shown is the choice: the whole of it, or one of its lines."""
    if isinstance(asked, str):
        lines = [got] if isinstance(got, str) else list(got or [])
        return len(lines) == 1 and _shows(asked, lines[0])
    shown = [got] if isinstance(got, str) else list(got or [])
    return len(shown) == len(asked) and all(any(_shows(one, other) for other in shown) for one in asked)


def _shows(asked: str, shown: str) -> bool:
    return same(asked, shown) or any(same(asked, line) for line in shown.split("\n"))


async def choose(target: Target, value: str | list[str], step: StepRecord) -> Taken | None:
    """Makes the choice and leaves the control."""
    if isinstance(value, list) or isinstance(target.value, list):
        return await _choose_set(target, value if isinstance(value, list) else [value])
    if not target.facts.get("typing") and target.value and same_choice(value, target.value):
        step.notes.append("chosen already")
        return None
    popup = Popup(target)
    if not await popup.show() and not target.facts.get("typing"):
        raise StepFailed(f"{target.wish.name!r} was pressed, and no list opened")
    return await choose_in(popup, value, step)


async def choose_in(popup: Popup, value: str, step: StepRecord) -> Taken:
    """Picks the value in what has opened, sees it close, and waits for what the choice has started."""
    day = read_moment(value).day if popup.state.get("calendar") else None
    mark = popup.target.turn.session.watch.mark()
    taken = Taken()
    if day is not None:
        await pick_day(popup.target, day)
    else:
        taken, mark = await _choose_one(popup, value, step)
    await popup.close()
    await answered(popup.target.turn, mark)
    return taken


async def _choose_one(popup: Popup, label: str, step: StepRecord) -> tuple[Taken, Mark]:
    """Presses the option, or leaves the text where a text will do; gives also the moment just before."""
    typing = bool(popup.target.facts.get("typing"))
    option = await popup.option(label, may_type=typing or bool(popup.state.get("search")))
    mark = popup.target.turn.session.watch.mark()
    if option is not None:
        await popup.press(option)
    elif typing and await _stays(popup, label):
        step.notes.append("entered as text: no option of that name was offered")
    else:
        failed = popup.missing(label)
        await popup.close()
        raise failed
    return Taken(option.label if option else None), mark


async def _stays(popup: Popup, text: str) -> bool:
    """Whether the control keeps a text that is none of its options once it is left."""
    if popup.typed != text:
        await popup.type(text)
    await popup.target.ask("blur")
    answer = await popup.target.ask("read")
    return bool(answer) and same(text, answer.get("value"))


async def _choose_set(target: Target, labels: list[str]) -> Taken | None:
    """Removes what is not wanted and adds what is missing."""
    await remove_chips(target, labels)
    popup = Popup(target)
    drawn = [chip["text"] for chip in await target.ask("chips") or []]
    left = [one for one in labels if not any(same(one, chip) for chip in drawn)]
    if not left and drawn:
        return None
    if not await popup.show() and not target.facts.get("typing"):
        raise StepFailed(f"{target.wish.name!r} was pressed, and no list opened")
    await _drop_others(popup, labels)
    meant = [await _add(popup, label) for label in left]
    seen = [one.label for one in popup.options if one.selected]
    await popup.close()
    kept = [one for one in labels if one not in left]
    return Taken(kept + meant, None if await target.ask("chips") else seen or None)


async def _add(popup: Popup, label: str) -> str:
    """Chooses one more; gives its own label."""
    typing = bool(popup.target.facts.get("typing"))
    if not popup.open:
        await popup.show()
    option = await popup.option(label, may_type=typing or bool(popup.state.get("search")))
    if option is None:
        failed = popup.missing(label)
        await popup.close()
        raise failed
    if not option.selected:
        await popup.press(option)
    await popup.look()
    return option.label


async def _drop_others(popup: Popup, labels: list[str]) -> None:
    """Presses what is on in the list and is not wanted."""
    for option in popup.options:
        if option.selected and not any(same(label, name) for label in labels for name in option.names):
            await popup.press(option)
            await popup.look()


async def remove_chips(target: Target, labels: list[str]) -> None:
    """Presses the cross of every chip that is not wanted, and sees it go."""
    while True:
        chips = await target.ask("chips") or []
        unwanted = [chip for chip in chips if not any(same(one, chip["text"]) for one in labels)]
        if not unwanted:
            return
        await press(target, key=unwanted[0]["remove"], name=f"remove {unwanted[0]['text']}")
        patience = Patience(target.turn)
        while len(await target.ask("chips") or []) >= len(chips):
            if not await patience.more():
                raise StepFailed(f"{unwanted[0]['text']!r} could not be removed from {target.wish.name!r}")


async def choose_in_list(target: Target, value: str | list[str], step: StepRecord) -> Taken:
    """Chooses in a list that is always open, each option pressed at most once."""
    labels = value if isinstance(value, list) else [value]
    popup = Popup(target)
    await popup.look()
    if target.facts.get("multiple"):
        await _drop_others(popup, labels)
    meant = [await _add(popup, label) for label in labels]
    return Taken(meant if isinstance(value, list) else meant[0])


def same_choice_or_day(asked: Any, got: Any) -> bool:
    """As `same_choice`; what was picked in a calendar is also the same when it is written in another way."""
    return same_choice(asked, got) or (isinstance(asked, str) and same_day(asked, got))


DROPDOWN = Family("choose", accept_labels, choose, same=same_choice_or_day)
LISTBOX = Family("choose", accept_labels, choose_in_list, same=same_choice)
