"""GitHub's annotations at the lines of the scenario files, and the summary of a job."""

from __future__ import annotations

from collections.abc import Sequence

from traces.reporters.lines import MARKS
from traces.reporters.words import counts, duration, findings, meaning, one_line, tally
from traces.result import Result


def annotate(results: Sequence[Result]) -> list[str]:
    """A workflow command for each scenario that did not pass, at the line of what did not come true."""
    return [_annotation(result) for result in results if not result.good]


def _annotation(result: Result) -> str:
    said = findings(result)
    place = next((finding.place for finding in said if finding.place), "") or result.source
    path, _, line = place.rpartition(":")
    text = "\n".join(f"{finding.label}: {finding.text}" for finding in said)
    fields = {"file": path, "line": line, "title": f"{result.verdict}: {one_line(result.title)}"}
    told = ",".join(f"{name}={_escape_field(value)}" for name, value in fields.items())
    return f"::error {told}::{_escape(text)}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_field(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")


def summary(results: Sequence[Result], code: int) -> str:
    """The run as Markdown, for `$GITHUB_STEP_SUMMARY`."""
    rows = [
        f"| {MARKS[one.verdict]} {one.verdict} | {_cell(one.title)} | `{_cell(one.source)}` | "
        f"{duration(one.seconds)} | {'' if one.good else _cell(one.reason)} |"
        for one in results
    ]
    head = ["| verdict | scenario | where | time | reason |", "| --- | --- | --- | --- | --- |"]
    title_line = f"### Walkaround: {tally(counts(one.verdict for one in results))}"
    return "\n".join([title_line, "", *head, *rows, "", meaning(code)]) + "\n"


def _cell(text: str) -> str:
    """Text that stays text inside a table of Markdown."""
    plain = one_line(text, 300).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{sign}" if sign in "\\`*_[]|@#" else sign for sign in plain)
