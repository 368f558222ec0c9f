"""Each reporter tells what did not pass, where, and what was found instead; pages cannot write into it."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.traces.samples import ALL, FAILED, HOSTILE, SHOWS, UNPROVEN, proof, result
from traces.reporters.github import annotate, summary
from traces.reporters.json import json_report
from traces.reporters.junit import junit
from traces.reporters.lines import line_line, list_line
from traces.reporters.words import Finding, counts, duration, findings, meaning, one_line, tally


def test_a_finding_says_what_was_expected_where_it_stands_and_what_was_found() -> None:
    assert findings(FAILED) == [
        Finding("expected", 'The page shows "Run created"', "runs.md:12"),
        Finding("found", "the page shows “Could not save”"),
    ]


def test_an_outcome_that_was_true_before_is_told_as_such() -> None:
    assert findings(UNPROVEN)[-1].text.startswith("it was true before the first step")
    assert findings(result("passed", proofs=[proof("x", "y", before=True, still=True)]))[0].label == "reason"


def test_a_reason_that_no_check_tells_comes_first_and_the_pilots_word_last() -> None:
    gave_up = result("failed", reason="“Click Save” could not be done", proofs=[SHOWS], explanation="Look.")
    assert [finding.label for finding in findings(gave_up)] == ["reason", "expected", "found", "pilot"]


def test_a_check_in_other_words_than_the_outcome_is_told() -> None:
    one = proof("The run is there", "it is not", sentence='the page shows "Nightly"', holds=False)
    assert [finding.label for finding in findings(result("failed", proofs=[one]))][1:3] == [
        "expected",
        "checked",
    ]


def test_list_and_line_are_one_line_for_each_scenario() -> None:
    assert list_line(result()) == "✓ passed    Create a run  runs.md:5  1.2s"
    assert line_line(result()) == "runs.md:5: passed: Create a run"
    assert line_line(FAILED).startswith("runs.md:5: failed: Create a run [Nightly, <b>50%</b>]: expected")


def test_json_is_the_whole_run() -> None:
    told = json.loads(json_report(ALL, 3))
    assert (told["exit_code"], told["counts"]["failed"], told["seconds"]) == (3, 1, 1.25)
    assert [one["verdict"] for one in told["results"]] == [one.verdict for one in ALL]
    assert told["meaning"].startswith("exit 3: ")


def test_junit_keeps_failures_apart_from_errors_and_names_file_and_line() -> None:
    root = ET.fromstring(junit(ALL, {"create-a-run": ["test-results/create-a-run/screenshots/t3.jpg"]}))
    totals = {name: root.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert totals == {"tests": "6", "failures": "2", "errors": "2", "skipped": "1"}
    assert [suite.get("name") for suite in root] == ["runs.md", "other.md"]
    case = root.findall("testsuite/testcase")[1]
    assert (case.get("file"), case.get("line"), case.get("time")) == ("runs.md", "5", "1.250")
    assert case.get("name") == "Create a run [Nightly, <b>50%</b>]"
    failure = case.find("failure")
    assert failure is not None
    assert "found: the page shows “Could not save”" in (failure.text or "")
    assert "POST /api/runs → 500 (click Save)" in (failure.text or "")
    properties = {one.get("name"): one.get("value") for one in case.findall("properties/property")}
    assert properties["attachment"] == "test-results/create-a-run/screenshots/t3.jpg"
    assert (properties["tester.turns"], properties["model.tester"], properties["row.title"]) == (
        "3",
        "offline",
        "Nightly",
    )
    assert case.findtext("system-out") == "[[ATTACHMENT|test-results/create-a-run/screenshots/t3.jpg]]"
    assert root.find("testsuite/testcase/failure/..") is case


def test_an_empty_run_is_a_report_too() -> None:
    assert ET.fromstring(junit([])).get("tests") == "0"
    assert json.loads(json_report([], 5))["results"] == []


def test_github_annotates_the_line_of_what_did_not_come_true() -> None:
    first, *others = annotate(ALL)
    title = "title=failed%3A Create a run [Nightly%2C <b>50%25</b>]"
    assert first.startswith(f"::error file=runs.md,line=12,{title}::")
    assert first.endswith('expected: The page shows "Run created"%0Afound: the page shows “Could not save”')
    assert len(others) == 3
    assert others[-1].startswith("::error file=other.md,line=3,")


def test_github_gets_a_summary() -> None:
    told = summary(ALL, 3)
    assert told.startswith("### Walkaround: 1 passed, 1 failed, 1 unproven, 1 error, 1 budget, 1 skipped\n")
    assert "| ✗ failed | Create a run" in told
    assert "<b>" not in told
    assert "exit 3: " in told


def test_no_page_can_write_into_a_report() -> None:
    bad = result(
        "failed",
        title=HOSTILE,
        reason=HOSTILE,
        explanation=HOSTILE,
        row={"a": HOSTILE},
        proofs=[proof(HOSTILE, HOSTILE, holds=False)],
        commits=[{"method": "POST", "path": HOSTILE, "status": None}],
    )
    (annotation,) = annotate([bad])
    for line in (list_line(bad), line_line(bad), annotation):
        assert len(line.splitlines()) == 1
        assert line.isprintable()
    assert "stop-commands" in ET.fromstring(junit([bad])).findall("testsuite/testcase")[0].get("name", "")
    rows = [line for line in summary([bad], 1).splitlines() if line.startswith("| ✗")]
    assert len(rows) == 1
    assert "<script" not in rows[0]
    junit([bad]).encode()
    json_report([bad], 1).encode()


@given(st.text())
def test_one_line_is_one_line_whatever_the_text(text: str) -> None:
    line = one_line(text, 40)
    assert len(line) <= 40
    assert line.isprintable() or not line.isascii()
    assert len(line.splitlines()) <= 1
    assert one_line(line) == line
    line.encode()


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0ms"), (0.041, "41ms"), (0.9999, "1.0s"), (1.44, "1.4s"), (59.97, "1m 00s"), (125, "2m 05s")],
)
def test_times_are_for_people(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_counts_have_an_order_and_every_exit_code_a_meaning() -> None:
    assert tally(counts(["failed", "passed", "passed"])) == "2 passed, 1 failed"
    assert tally({}) == "nothing ran"
    for code in (0, 1, 2, 3, 4, 5, 10):
        assert "unknown" not in meaning(code)
