"""Pairs of lists: what is wanted is moved into the second one, what is not is moved back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tester.controls.dropdown import same_choice
from tester.controls.family import Family, Taken
from tester.controls.options import Option, missing, pick, read_options
from tester.controls.press import press
from tester.patience import Patience
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from tester.find import Target
    from tester.recorder import StepRecord


def accept_set(target: Target, value: Any) -> list[str]:
    """The labels that the second list shall hold, and no others."""
    if isinstance(value, bool):
        raise StepFailed(f"{target.wish.name!r} takes a list of options")
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


async def move(target: Target, labels: list[str], step: StepRecord) -> Taken:
    """Moves what is missing over and what is too much back, option by option."""
    step.do = "choose"
    meant = []
    for label in labels:
        state = await target.ask("pair")
        there, here = (read_options(one["options"]) for one in state["lists"])
        option = pick(here, label)
        if option is None:
            option = pick(there, label)
            if option is None:
                raise missing([*here, *there], label)
            await _carry(target, state, 0, option)
        meant.append(option.label)
    while True:
        state = await target.ask("pair")
        extra = [one for one in read_options(state["lists"][1]["options"]) if one.label not in meant]
        if not extra:
            return Taken(meant)
        await _carry(target, state, 1, extra[0])


async def _carry(target: Target, state: dict[str, Any], origin: int, option: Option) -> None:
    """Selects one option where it is, presses the button towards the other list, and sees it arrive."""
    button = state["back" if origin else "forth"]
    if button is None:
        raise StepFailed(f"{target.wish.name!r}: no button moves {option.label!r} over")
    if state["native"]:
        limit = target.turn.deadlines.action * 1000
        await target.part(key=state["lists"][origin]["key"]).select_option(index=[option.at], timeout=limit)
    elif not option.selected:
        await press(target, key=option.key, name=option.label)
    await press(target, key=button, name="the button that moves it")
    patience = Patience(target.turn)
    while True:
        now = await target.ask("pair")
        if pick(read_options(now["lists"][1 - origin]["options"]), option.label) is not None:
            return
        if not await patience.more():
            raise StepFailed(f"{option.label!r} did not get into {target.wish.name!r}")


PAIR = Family("choose", accept_set, move, same=same_choice)
