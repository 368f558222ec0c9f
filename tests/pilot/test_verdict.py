"""Verdicts follow from checks, by rule."""

from __future__ import annotations

import pytest

from pilot.plan import Goal
from pilot.verdict import Proof, Verdict, Word, judge, lowered
from scenarios.checks import Text
from scenarios.scenario import Outcome, Source
from tester.checks import CheckResult


def goal(text: str = "The page shows it", *, still: bool = False, checks: int = 1) -> Goal:
    return Goal(Outcome(text, Source("a.md", 9), still), (Text(value="it"),) * checks)


def proof(goal: Goal, before: bool, after: bool) -> Proof:
    def result(holds: bool) -> CheckResult:
        return CheckResult(
            goal.checks[0], holds, "seen" if holds else "it was not seen", "the page shows “it”"
        )

    return Proof(goal, result(before), result(after))


@pytest.mark.parametrize(
    ("before", "after", "still", "name"),
    [
        (False, True, False, "passed"),
        (True, True, False, "unproven"),
        (True, True, True, "passed"),
        (False, False, False, "failed"),
        (True, False, False, "failed"),
        (True, False, True, "failed"),
    ],
)
def test_an_outcome_must_come_true_during_the_flight(
    before: bool, after: bool, still: bool, name: str
) -> None:
    wanted = goal(still=still)
    assert judge([wanted], [proof(wanted, before, after)]).name == name


def test_no_check_is_never_a_pass() -> None:
    assert judge([], []).name == "unproven"
    assert judge([goal(checks=0)], []).name == "unproven"


def test_one_outcome_without_a_check_keeps_the_others_from_passing() -> None:
    proven, bare = goal(), goal("All is well", checks=0)
    verdict = judge([proven, bare], [proof(proven, False, True)])
    assert verdict.name == "unproven"
    assert "All is well" in verdict.reason


def test_a_step_that_could_not_be_done_fails_the_scenario_in_its_own_words() -> None:
    wanted = goal()
    verdict = judge(
        [wanted], [proof(wanted, False, False)], "“Click Save” (a.md:4) could not be done: disabled"
    )
    assert verdict == Verdict("failed", "“Click Save” (a.md:4) could not be done: disabled", verdict.proofs)


def test_giving_up_never_passes_even_when_the_outcomes_hold() -> None:
    wanted = goal()
    assert judge([wanted], [proof(wanted, False, True)], "it gave up").name == "unproven"


def test_the_reason_says_what_was_expected_and_what_was_found_instead() -> None:
    wanted = goal()
    assert (
        judge([wanted], [proof(wanted, False, False)]).reason
        == "expected “The page shows it”: it was not seen"
    )


@pytest.mark.parametrize("name", ["passed", "unproven", "failed", "error", "budget"])
@pytest.mark.parametrize("to", ["failed", "unproven", None])
def test_the_pilot_can_lower_a_verdict_and_never_raise_it(name: str, to: str | None) -> None:
    rank = {"passed": 0, "unproven": 1, "failed": 2}
    said = lowered(Verdict(name, "computed"), Word(explanation="because", lower_to=to))  # type: ignore[arg-type]
    assert rank.get(said.name, 9) >= rank.get(name, 9)
    if name in rank and to is not None and rank[to] > rank[name]:
        assert said.name == to
    assert said.explanation == "because"
