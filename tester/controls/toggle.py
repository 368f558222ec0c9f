"""Things that are on or off, alone or in a set: checkboxes, switches, radios, drawn or native."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tester.controls.choice import options_for
from tester.controls.dropdown import same_choice
from tester.controls.family import Family, Taken
from tester.controls.options import read_options
from tester.controls.press import press
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from tester.find import Target
    from tester.recorder import StepRecord

_ON = frozenset({"true", "on", "yes", "checked", "1"})
_OFF = frozenset({"false", "off", "no", "unchecked", "0"})


def accept_state(target: Target, value: Any) -> bool:
    """On or off, also in words."""
    word = str(value).casefold()
    if word in _ON:
        return True
    if word in _OFF:
        return False
    raise StepFailed(f"{target.wish.name!r} is on or off: it takes true or false, not {value!r}"[:300])


async def switch(target: Target, on: bool, step: StepRecord) -> None:
    """Presses it once if it is not as wanted."""
    step.do = "check" if on else "uncheck"
    if target.value is on:
        step.notes.append("on already" if on else "off already")
        return
    if target.family == "radio" and not on:
        raise StepFailed(f"{target.wish.name!r} is a radio button: choose another one of its group instead")
    await press(target)


def accept_one(target: Target, value: Any) -> str:
    """The label of one option."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, list | bool):
        raise StepFailed(f"{target.wish.name!r} takes the name of one option")
    return str(value)


async def choose_radio(target: Target, label: str, step: StepRecord) -> Taken:
    """Presses the option unless it is on."""
    [meant], _ = await options_for(target, [label])
    if not meant.selected:
        await press(target, key=meant.key, member=meant.label, name=meant.label)
    return Taken(meant.label)


def accept_several(target: Target, value: Any) -> list[str]:
    """The labels of all options that shall be on."""
    if isinstance(value, bool):
        raise StepFailed(f"{target.wish.name!r} is a group of checkboxes: it takes a list of their names")
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


async def choose_checks(target: Target, labels: list[str], step: StepRecord) -> Taken:
    """Presses every option whose state is not as wanted; those that shall be on first,
    since they may switch others off.
    """
    meant, _ = await options_for(target, labels)
    own = [one.label for one in meant]
    for on in (True, False):
        for one in read_options(await target.ask("options") or []):
            if (one.label in own) is on and one.selected is not on:
                await press(target, key=one.key, member=one.label, name=one.label)
    return Taken(own)


CHECK = Family("check", accept_state, switch)
RADIOS = Family("choose", accept_one, choose_radio, same=same_choice)
CHECKS = Family("choose", accept_several, choose_checks, same=same_choice)
