"""The whole run as one JSON object, for other programs."""

from __future__ import annotations

import json
from collections.abc import Sequence

from traces.events import SCHEMA
from traces.reporters.words import counts, meaning
from traces.result import Result


def json_report(results: Sequence[Result], code: int) -> str:
    """`{"schema", "exit_code", "meaning", "counts", "started", "seconds", "results"}`; times in seconds.

    `seconds` is from the start of the first scenario to the end of the last one.
    """
    started = min((result.started for result in results), default=0.0)
    whole = {
        "schema": SCHEMA,
        "exit_code": code,
        "meaning": meaning(code),
        "counts": counts(result.verdict for result in results),
        "started": started,
        "seconds": max((result.ended for result in results), default=0.0) - started,
        "results": [result.to_json() for result in results],
    }
    return json.dumps(whole, ensure_ascii=True, indent=2, default=str) + "\n"
