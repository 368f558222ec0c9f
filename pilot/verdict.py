"""From check results to a verdict, by rule and not by opinion; a Pilot may lower it and never raise it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pilot.plan import Goal
from tester.checks import CheckResult
from tester.toolbox import Tool
from tester.turn import TurnContext

Name = Literal["passed", "failed", "unproven", "error", "budget", "skipped"]


@dataclass(frozen=True, slots=True)
class Proof:
    """One check of one outcome: whether it held before the first step, and at the end."""

    goal: Goal
    before: CheckResult
    after: CheckResult

    @property
    def proves(self) -> bool:
        """It holds now, and did not before unless the outcome is one that should still hold."""
        return self.after.holds and (self.goal.outcome.still or not self.before.holds)

    def to_json(self) -> dict[str, Any]:
        """The proof as events and results have it."""
        return {
            "outcome": self.goal.outcome.text,
            "source": str(self.goal.outcome.source),
            "still": self.goal.outcome.still,
            "sentence": self.after.sentence,
            "before": self.before.holds,
            "holds": self.after.holds,
            "found": self.after.found,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a scenario, in one word and one sentence, with the proofs behind it."""

    name: Name
    reason: str
    proofs: tuple[Proof, ...] = ()
    explanation: str = ""


def judge(goals: Sequence[Goal], proofs: Sequence[Proof], gave_up: str | None = None) -> Verdict:
    """The verdict of a flight that came to its end; `gave_up` is the Tester's reason when it did not finish.

    design.md, section 2: what does not hold is `failed`; no check, or one that held before, is `unproven`.
    """
    proofs = tuple(proofs)
    broken = [proof for proof in proofs if not proof.after.holds]
    if gave_up is not None and (broken or not proofs):
        return Verdict("failed", gave_up, proofs)
    if gave_up is not None:
        return Verdict("unproven", f"the outcomes hold, but {gave_up}", proofs)
    if broken:
        return Verdict("failed", _not_so(broken), proofs)
    if not proofs:
        return Verdict("unproven", "no expected outcome has a check, so nothing was proven", proofs)
    bare = [goal for goal in goals if not goal.checks]
    if bare:
        return Verdict("unproven", f"no check was found for “{bare[0].outcome.text}”", proofs)
    stale = [proof for proof in proofs if not proof.proves]
    if stale:
        reason = (
            f"“{stale[0].goal.outcome.text}” was true before the first step already, so it proves nothing"
        )
        return Verdict("unproven", reason, proofs)
    return Verdict(
        "passed", f"{_count(len(goals), 'outcome')} proven by {_count(len(proofs), 'check')}", proofs
    )


def _not_so(broken: Sequence[Proof]) -> str:
    first = broken[0]
    more = f" (and {len(broken) - 1} more)" if len(broken) > 1 else ""
    several = len(first.goal.checks) > 1
    wanted = first.after.sentence if several else first.goal.outcome.text
    return f"expected “{wanted}”: {first.after.found}{more}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


class Word(BaseModel):
    """The Pilot's word on a verdict that the engine has computed."""

    model_config = ConfigDict(extra="forbid")
    explanation: str = Field(min_length=1)
    lower_to: Literal["failed", "unproven"] | None = None


async def _verdict(turn: TurnContext, word: Word) -> dict[str, Any]:
    return {"ok": True}


VERDICT = Tool("verdict", "Explains the computed verdict, and may lower it.", Word, _verdict)

_RANK = {"passed": 0, "unproven": 1, "failed": 2}


def lowered(verdict: Verdict, word: Word) -> Verdict:
    """The verdict with the Pilot's explanation, and lower if it said so; never higher."""
    to = word.lower_to
    if to is None or verdict.name not in _RANK or _RANK[to] <= _RANK[verdict.name]:
        return replace(verdict, explanation=word.explanation)
    return replace(
        verdict, name=to, reason=f"the Pilot lowered it: {word.explanation}", explanation=word.explanation
    )
