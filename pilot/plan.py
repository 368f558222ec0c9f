"""The plan: every expected outcome becomes one or more checks, read by the grammar or else by the Pilot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from scenarios.checks import Check, sentence
from scenarios.scenario import Outcome, Scenario
from scenarios.sentences import NotUnderstood, read_outcome
from tester.toolbox import Tool
from tester.turn import TurnContext


@dataclass(frozen=True, slots=True)
class Goal:
    """An expected outcome and the checks that would prove it; no check means that nothing can."""

    outcome: Outcome
    checks: tuple[Any, ...]

    def to_json(self) -> dict[str, Any]:
        """The goal as events and results have it."""
        return {
            "outcome": self.outcome.text,
            "source": str(self.outcome.source),
            "still": self.outcome.still,
            "checks": [sentence(check) for check in self.checks],
        }


def read_goals(scenario: Scenario) -> tuple[Goal, ...]:
    """A goal for each outcome, with checks where the grammar understands the sentence."""
    return tuple(Goal(outcome, _read(outcome.text)) for outcome in scenario.outcomes)


def _read(text: str) -> tuple[Any, ...]:
    try:
        return tuple(read_outcome(text))
    except NotUnderstood:
        return ()


class Proposal(BaseModel):
    """The checks for one outcome, by its number in the brief."""

    model_config = ConfigDict(extra="forbid")
    outcome: int = Field(ge=1)
    checks: list[Check] = Field(min_length=1)


class Plan(BaseModel):
    """Checks for the outcomes that were asked about."""

    model_config = ConfigDict(extra="forbid")
    outcomes: list[Proposal]


async def _plan(turn: TurnContext, plan: Plan) -> dict[str, Any]:
    return {"ok": True}


PLAN = Tool("plan", "Says by which checks each outcome will be proven.", Plan, _plan)


def merge(goals: Sequence[Goal], plan: Plan) -> tuple[Goal, ...]:
    """The goals with the Pilot's checks where the grammar had none; what the grammar read stands."""
    proposed = {one.outcome: tuple(one.checks) for one in plan.outcomes}
    return tuple(
        goal if goal.checks else Goal(goal.outcome, proposed.get(number, ()))
        for number, goal in enumerate(goals, 1)
    )
