"""Results as runs leave them, one of each verdict."""

from __future__ import annotations

from typing import Any

from traces.result import Result, Verdict


def proof(outcome: str, found: str, **more: Any) -> dict[str, Any]:
    facts = {"outcome": outcome, "source": "runs.md:12", "still": False, "sentence": outcome}
    return {**facts, "before": False, "holds": True, "found": found, **more}


def result(verdict: Verdict = "passed", **more: Any) -> Result:
    facts: dict[str, Any] = {"title": "Create a run", "source": "runs.md:5", "slug": "create-a-run"}
    facts |= {"reason": "1 outcome proven by 1 check", "seconds": 1.25, "started": 1000.0, "ended": 1001.25}
    return Result(**{**facts, "verdict": verdict, **more})


SHOWS = proof('The page shows "Run created"', "the page shows “Could not save”", holds=False)

FAILED = result(
    "failed",
    reason='expected “The page shows "Run created"”, but the page shows “Could not save”',
    title="Create a run [Nightly, <b>50%</b>]",
    row={"title": "Nightly"},
    proofs=[proof('The URL contains "/runs/"', "the URL is /runs/7"), SHOWS],
    commits=[
        {
            "step": "t3.1.1",
            "do": "click",
            "field": "Save",
            "method": "POST",
            "path": "/api/runs",
            "status": 500,
            "effect": "refused",
        }
    ],
    models={"pilot": "offline", "tester": "offline"},
    counts={"tester": {"turns": 3, "tokens": 0, "cost": None}},
    trace="test-results/create-a-run",
)
STALE = proof('The page shows "Save"', "it is there", before=True)
UNPROVEN = result(
    "unproven", slug="stale", reason="it was true before the first step already", proofs=[STALE]
)
ERROR = result("error", slug="error", reason="http://127.0.0.1:9/ does not answer; is it running?")
BUDGET = result("budget", slug="budget", source="other.md:3", reason="it was not through within 3 s")
SKIPPED = result("skipped", slug="skipped", reason="not for this browser")
ALL = [result(), FAILED, UNPROVEN, ERROR, BUDGET, SKIPPED]
HOSTILE = "\x1b[2J\r\n::stop-commands::x\x00\ud800\ufffe ]]>&<script>|`\u202e"
"""What a page might try to put into a report."""
