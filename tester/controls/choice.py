"""Native selects: one choice, or the whole wanted set of a multiple one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tester.controls.family import Family, Taken
from tester.controls.options import Option, missing, pick, pick_by_beginning, read_options
from tester.patience import Patience
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from tester.find import Target
    from tester.recorder import StepRecord


def accept_choice(target: Target, value: Any) -> str | list[str]:
    """The label (or labels) to choose."""
    if isinstance(value, bool):
        raise StepFailed(f"{target.wish.name!r} takes one of its options, not {str(value).lower()}")
    if not isinstance(value, list):
        return [str(value)] if target.facts.get("multiple") else str(value)
    if not target.facts.get("multiple"):
        if len(value) == 1:
            return str(value[0])
        raise StepFailed(f"{target.wish.name!r} takes one option, not {len(value)}")
    return [str(one) for one in value]


async def options_for(target: Target, asked: Sequence[str]) -> tuple[list[Option], list[Option]]:
    """The options meant and all options, once those meant have arrived.

    Raises:
        StepFailed: one is missing (with those that exist), disabled, or not the only one of its name.
    """
    patience = Patience(target.turn)
    known = target.facts.get("options")
    while True:
        options = read_options(known or await target.ask("options") or [])
        known = None
        meant = [pick(options, one) for one in asked]
        if None not in meant:
            return [one for one in meant if one is not None], options
        if not await patience.more():
            break
    meant = [pick(options, one) or pick_by_beginning(options, one) for one in asked]
    if None in meant:
        raise missing(options, asked[meant.index(None)])
    return [one for one in meant if one is not None], options


async def choose(target: Target, value: str | list[str], step: StepRecord) -> Taken:
    """Chooses what was asked for and drops the rest."""
    asked = value if isinstance(value, list) else [value]
    meant, options = await options_for(target, asked)
    own = [one.label for one in meant]
    taken = Taken(own if isinstance(value, list) else own[0])
    if {one.at for one in meant} == {one.at for one in options if one.selected}:
        step.notes.append("chosen already")
        return taken
    limit = target.turn.deadlines.action * 1000
    if not target.aimed:
        await target.locator.focus(timeout=limit)
    labels = [one.label for one in options]
    if all(labels.count(one.label) == 1 for one in meant):
        await target.locator.select_option(label=[one.label for one in meant], timeout=limit)
    else:
        await target.locator.select_option(index=[one.at for one in meant], timeout=limit)
    return taken


SELECT = Family("choose", accept_choice, choose)
