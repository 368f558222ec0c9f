"""What came of one scenario, as `result.json` keeps it, and the exit code of a run of many."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from scenarios.errors import (
    BudgetSpent,
    HarnessError,
    Interrupted,
    NothingCollected,
    UsageError,
)

Verdict = Literal["passed", "failed", "unproven", "error", "budget", "skipped"]

FILE = "result.json"
NOT_PASSED = 1
"""The exit code of a run in which something failed or was not proven."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one scenario. Times in seconds (`started` and `ended` on the wall clock), cost in USD.

    `source` is `path:line`; `proofs` and `commits` are as Pilot and ledger write them; `counts` tells turns,
    attempts, model calls, steps, tokens and cost; `trace` is the folder, relative to the output folder.
    """

    title: str
    source: str
    slug: str
    verdict: Verdict
    reason: str
    row: dict[str, str] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)
    explanation: str = ""
    proofs: list[dict[str, Any]] = field(default_factory=list)
    commits: list[dict[str, Any]] = field(default_factory=list)
    models: dict[str, str] = field(default_factory=dict)
    counts: dict[str, Any] = field(default_factory=dict)
    started: float = 0.0
    ended: float = 0.0
    seconds: float = 0.0
    retries: int = 0
    flaky: bool = False
    trace: str = ""
    error: str = ""

    @property
    def good(self) -> bool:
        """Whether nobody has to look at it."""
        return self.verdict in ("passed", "skipped")

    @property
    def path(self) -> str:
        """The scenario file."""
        return self.source.rpartition(":")[0] or self.source

    @property
    def line(self) -> int:
        """The scenario's first line in its file."""
        line = self.source.rpartition(":")[2]
        return int(line) if line.isdecimal() else 1

    def to_json(self) -> dict[str, Any]:
        """The object that is written."""
        return asdict(self)


def write_result(folder: Path, result: Result) -> None:
    """Writes `result.json` whole or not at all."""
    draft = folder / f".{FILE}.{os.getpid()}"
    text = json.dumps(result.to_json(), ensure_ascii=False, indent=2, default=str)
    draft.write_text(text + "\n", encoding="utf-8", errors="backslashreplace")
    draft.replace(folder / FILE)


def read_result(folder: Path) -> Result:
    """The result in a trace's folder.

    Raises:
        UsageError: there is none, or it cannot be read.
    """
    from pydantic import TypeAdapter, ValidationError

    path = folder / FILE
    try:
        return TypeAdapter(Result).validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(f"{path}: {where + ': ' if where else ''}{first['msg']}") from error


def exit_code(results: Sequence[Result], *, interrupted: bool, expected: int) -> int:
    """The exit code of a run that should have ended with `expected` results (design.md, section 8).

    0 needs a result for everything that should have run; what stays away without any reason in the other
    results is the harness's fault.
    """
    if interrupted:
        return Interrupted.exit_code
    verdicts = {result.verdict for result in results}
    if "error" in verdicts:
        return HarnessError.exit_code
    if "budget" in verdicts:
        return BudgetSpent.exit_code
    if not verdicts <= {"passed", "skipped"}:
        return NOT_PASSED
    if len(results) < expected:
        return HarnessError.exit_code
    return 0 if results else NothingCollected.exit_code
