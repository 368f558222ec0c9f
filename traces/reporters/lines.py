"""One line for each scenario as it ends: `list` for people, `line` for people with an editor and for grep."""

from __future__ import annotations

from traces.reporters.words import duration, one_line
from traces.result import Result

MARKS = {"passed": "✓", "failed": "✗", "unproven": "?", "error": "!", "budget": "$", "skipped": "-"}


def list_line(result: Result) -> str:
    """For example `✓ passed    Create a run  runs.md:5  1.4s`."""
    flaky = " (flaky)" if result.flaky else ""
    head = f"{MARKS[result.verdict]} {result.verdict:<8}  {one_line(result.title)}{flaky}"
    return f"{head}  {one_line(result.source)}  {duration(result.seconds)}"


def line_line(result: Result) -> str:
    """For example `runs.md:5: failed: Create a run: expected …`, as compilers write."""
    reason = "" if result.verdict == "passed" else f": {one_line(result.reason)}"
    return f"{one_line(result.source)}: {result.verdict}: {one_line(result.title)}{reason}"
