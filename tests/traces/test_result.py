"""A result goes to disk and back, and a run's exit code never hides what did not pass."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.errors import UsageError
from traces.result import FILE, Result, Verdict, exit_code, read_result, write_result


def result(verdict: Verdict = "passed", **more: object) -> Result:
    facts = {"title": "Create a run", "source": "runs.md:5", "slug": "create-a-run", "reason": "so it is"}
    return Result(**{**facts, "verdict": verdict, **more})  # type: ignore[arg-type]


def test_a_result_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    one = result(
        row={"title": "Nächtlich"},
        tags=["smoke"],
        proofs=[{"outcome": "a", "holds": True}],
        counts={"tester": {"turns": 2, "cost": None}},
        seconds=1.5,
    )
    write_result(tmp_path, one)
    assert read_result(tmp_path) == one
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_a_result_knows_its_file_and_line() -> None:
    assert (result(source="a:b/runs.md:12").path, result(source="a:b/runs.md:12").line) == ("a:b/runs.md", 12)


@pytest.mark.parametrize("text", [None, "", "{}", '{"title": 1}'])
def test_a_result_that_cannot_be_read_is_said_with_its_place(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / FILE).write_text(text)
    with pytest.raises(UsageError, match=FILE):
        read_result(tmp_path)


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        (["passed"], 0),
        (["passed", "skipped"], 0),
        (["passed", "failed"], 1),
        (["unproven"], 1),
        (["failed", "budget"], 10),
        (["failed", "budget", "error"], 3),
        ([], 5),
    ],
)
def test_the_worst_verdict_gives_the_exit_code(verdicts: list[Verdict], code: int) -> None:
    found = [result(verdict) for verdict in verdicts]
    assert exit_code(found, interrupted=False, expected=len(found)) == code
    assert exit_code(found, interrupted=True, expected=len(found)) == 2


VERDICTS = st.sampled_from(["passed", "failed", "unproven", "error", "budget", "skipped"])


@given(st.lists(VERDICTS, max_size=6), st.integers(0, 3), st.booleans())
def test_0_means_that_everything_that_should_have_run_did_and_passed(
    verdicts: list[Verdict], missing: int, interrupted: bool
) -> None:
    found = [result(verdict) for verdict in verdicts]
    code = exit_code(found, interrupted=interrupted, expected=len(found) + missing)
    good = bool(found) and all(one.good for one in found) and not missing and not interrupted
    assert (code == 0) == good


def test_what_stays_away_without_a_reason_is_an_error_and_after_a_failure_is_not() -> None:
    assert exit_code([result()], interrupted=False, expected=2) == 3
    assert exit_code([result("failed")], interrupted=False, expected=2) == 1
