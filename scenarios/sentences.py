"""Plain sentences read without a model: steps become tool calls, outcomes become checks.

What it understands is written down in docs/sentences.md, which `python -m scenarios.sentences` prints.
"""

from __future__ import annotations

import sys

from scenarios.checks import to_json
from scenarios.grammar.grammar import NotUnderstood as NotUnderstood
from scenarios.grammar.outcomes import OUTCOMES, Checks
from scenarios.grammar.reference import reference
from scenarios.grammar.steps import STEP_SLOTS, STEPS
from scenarios.grammar.steps import Call as Call


def read_step(text: str) -> tuple[Call, ...]:
    """The tool calls that a step sentence asks for; what it does to one form comes in one call.

    Raises:
        NotUnderstood: no form fits the sentence.
    """
    calls: list[Call] = []
    for call in (call for clause in STEPS.read(text) for call in clause):
        if calls and call.tool == calls[-1].tool == "form":
            calls[-1] = _merged(calls[-1], call)
        else:
            calls.append(call)
    return tuple(calls)


def read_outcome(text: str) -> Checks:
    """The checks that together prove an outcome sentence.

    Raises:
        NotUnderstood: no form fits the sentence.
    """
    return tuple(check for clause in OUTCOMES.read(text) for check in clause)


def _merged(call: Call, after: Call) -> Call:
    """Both as one call; the answer to a dialog joins what was done before, which opens it."""
    *entries, last = call.input["entries"]
    first, *more = after.input["entries"]
    if set(first) == {"dialog"}:
        joined = [{**last, "dialog": [*last.get("dialog", ()), *first["dialog"]]}]
    else:
        joined = [last, first]
    return Call("form", {"entries": [*entries, *joined, *more]})


def main() -> None:
    """Prints the reference of everything that is understood."""
    sys.stdout.write(
        reference(
            [
                ("Steps", STEPS, lambda text: [{call.tool: call.input} for call in read_step(text)]),
                (
                    "Expected outcomes",
                    OUTCOMES,
                    lambda text: [to_json(check) for check in read_outcome(text)],
                ),
            ],
            STEP_SLOTS,
        )
    )


if __name__ == "__main__":
    main()
