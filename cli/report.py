"""The report at the end of a run: what was expected, what was found instead, and where the evidence is."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from traces.result import Result


def report(results: Sequence[Result], code: int) -> None:
    """Prints it."""
    for one in results:
        sys.stdout.write(f"{one.verdict} {one.title}: {one.reason}\n")
    sys.stdout.write(f"exit {code}\n")
