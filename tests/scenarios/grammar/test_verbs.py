"""A verb in a form stands for every ordinary form of it, negated or not."""

from __future__ import annotations

import pytest

from scenarios.grammar.parts import Line
from scenarios.grammar.verbs import Verb


def negated(base: str, said: str) -> bool | None:
    """Whether the verb is negated; None where it is not recognised as a whole."""
    line = Line(said)
    ends = dict(Verb((base,)).match(line, 0))
    return ends[len(line.words)]["absent"] if len(line.words) in ends else None


SHOWING = [
    "show",
    "shows",
    "showed",
    "should show",
    "must show",
    "does show",
    "has shown",
    "should have shown",
]
NOT_SHOWING = [
    "does not show",
    "doesn't show",
    "should not show",
    "never shows",
    "no longer shows",
    "shows no",
]
NOT_SHOWING += ["can\u2019t show", "should no longer show", "hasn't shown", "should never have shown"]


@pytest.mark.parametrize("said", SHOWING)
def test_ordinary_forms(said: str) -> None:
    assert negated("show", said) is False


@pytest.mark.parametrize("said", NOT_SHOWING)
def test_negations(said: str) -> None:
    assert negated("show", said) is True


@pytest.mark.parametrize(
    ("said", "is_negated"),
    [
        ("is", False),
        ("were", False),
        ("should be", False),
        ("has been", False),
        ("is not", True),
        ("isn't", True),
        ("should not be", True),
        ("is no longer", True),
        ("has never been", True),
        ("would be", None),
        ("not", None),
    ],
)
def test_being(said: str, is_negated: bool | None) -> None:
    assert negated("be", said) is is_negated


def test_other_verbs_are_other_verbs() -> None:
    assert negated("hold", "shows") is None
    assert negated("match", "matches") is False
