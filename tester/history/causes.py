"""Why a call has no result, and the one wording in which a model is told so."""

from __future__ import annotations

from typing import Literal

Cause = Literal["unanswered", "run_ended", "cancelled", "process_died", "history_cut"]
"""What came between a call and its result; `cancelled` may have taken effect before it was."""

_WHY: dict[Cause, str] = {
    "unanswered": "nobody answered this call",
    "run_ended": "the run ended before this call was answered",
    "cancelled": "this call was cancelled, and may have taken effect before that",
    "process_died": "the process died while this call was open",
    "history_cut": "the part of the history that held it was cut away",
}

BEGINNING_LOST = "[The beginning of this conversation is missing. Carry on from what is here.]"
BETWEEN_LOST = "[What was said at this place is missing. Carry on from what is here.]"
CARRY_ON = "[Nothing was answered to this. Carry on.]"


def no_result(cause: Cause) -> str:
    """The text of a result that stands in for one that never came: why, what is unknown, what to do now."""
    return (
        f"No result: {_WHY[cause]}. Whether it had any effect is not known: look before you rely on it or "
        "repeat it. Carry on with what is left, and say plainly what could not be done."
    )
