"""The ledger of commits: what changed something outside the page, and what may have done so already."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol

from tester.recorder import StepFailed, StepRecord

Effect = Literal["happened", "refused", "unknown"]


class Sent(Protocol):
    """A request that left the page, as the watch saw it."""

    @property
    def method(self) -> str:
        """GET, POST, …."""

    @property
    def path(self) -> str:
        """Path and query."""

    @property
    def status(self) -> int | None:
        """The answer's code; None while there is no answer."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One non-idempotent request and the step that caused it."""

    step: str
    do: str
    field: str
    method: str
    path: str
    status: int | None
    effect: Effect

    def to_json(self) -> dict[str, Any]:
        """The commit as it stands in the trace."""
        return asdict(self)


@dataclass(slots=True)
class _Doubt:
    """A step whose end nobody saw."""

    step: str
    do: str
    field: str
    sent: list[Sent]
    evidence: bool = False


def effect(status: int | None) -> Effect:
    """What an answer says about the effect; no answer leaves it unknown."""
    if status is None:
        return "unknown"
    return "happened" if status < 400 else "refused"


class Ledger:
    """Keeps the commits of one scenario, through all its turns, attempts and retries."""

    def __init__(self) -> None:
        self._booked: list[tuple[StepRecord, Sent]] = []
        self._doubts: list[_Doubt] = []

    @property
    def commits(self) -> list[Commit]:
        """All commits so far, each with what its answer says by now."""
        return [
            Commit(step.id, step.do, step.field, sent.method, sent.path, sent.status, effect(sent.status))
            for step, sent in self._booked
        ]

    def book(self, step: StepRecord, sent: Iterable[Sent]) -> None:
        """Books the non-idempotent requests that a step caused; a step of unknown outcome stays in doubt.

        May be called again for a step whose browser call went on after it was cancelled.
        """
        sent = list(sent)
        self._booked.extend((step, request) for request in sent)
        step.commit = step.commit or bool(sent)
        known = next((doubt for doubt in self._doubts if doubt.step == step.id), None)
        if known is not None:
            known.sent.extend(sent)
        elif step.outcome == "unknown":
            self._doubts.append(_Doubt(step.id, step.do, step.field, sent))

    def looked(self) -> None:
        """Evidence was taken: the page or its requests were looked at after what was in doubt."""
        for doubt in self._doubts:
            doubt.evidence = True

    def guard(self, do: str, field: str) -> None:
        """Lets a step pass unless it would repeat one in doubt.

        Raises:
            StepFailed: the same step may have taken effect before, and nothing shows that it did not.
        """
        for doubt in [doubt for doubt in self._doubts if (doubt.do, doubt.field) == (do, field)]:
            open_ = [sent for sent in doubt.sent if effect(sent.status) != "refused"]
            if open_ and not doubt.evidence:
                one = open_[0]
                said = f"was answered with {one.status}" if one.status else "has no answer"
                raise StepFailed(
                    f"not repeated: {do} {field!r} may have taken effect already "
                    f"({one.method} {one.path} {said}); look at the page or its requests first"
                )
            self._doubts.remove(doubt)
