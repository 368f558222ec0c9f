"""What a family of controls is to the form tool: which values it takes, how they go in, when they are in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tester.controls.same import same

if TYPE_CHECKING:
    from tester.find import Target
    from tester.recorder import StepRecord


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of setting a control, where the value alone would not tell.

    `meant` is the value in the control's own words, when another name or a beginning was asked for. `shown`
    is what was seen of it where reading the control afterwards would not show it.
    """

    meant: Any = None
    shown: Any = None


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of control.

    `accept` gives the value as the control will hold it and raises StepFailed for one that it cannot take,
    before anything is touched. `put` does it once, the way that usually works; `again` does it in the way
    that works when the first did not hold. `same` tells whether a value read back is the one asked for.
    """

    do: str
    accept: Callable[[Target, Any], Any]
    put: Callable[[Target, Any, StepRecord], Awaitable[Taken | None]]
    again: Callable[[Target, Any, StepRecord], Awaitable[Taken | None]] | None = None
    same: Callable[[Any, Any], bool] = same
    typed: bool = False
    """A text is typed into it: pages may act when it is left, or at every key."""
