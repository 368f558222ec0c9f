"""The error tree: one branch for each exit code, so the command line can answer without guessing.

    WalkaroundError
    ├── UsageError              4   the person can mend it: a flag, a setting, a file
    │   └── ScenarioError       4   …a scenario file, with its line
    ├── NothingCollected        5
    ├── Interrupted             2
    ├── BudgetSpent            10
    └── HarnessError            3   model, browser, network or our own machinery
        ├── BrowserError
        └── ModelError

Errors that end an attempt or go back to a model live beside their cause and never reach the command line.
"""

from __future__ import annotations

from typing import ClassVar


class WalkaroundError(Exception):
    """Anything that ends a command with a sentence for a person instead of a traceback."""

    exit_code: ClassVar[int] = 3


class UsageError(WalkaroundError):
    """The command, a setting or a file is wrong in a way that the person can mend."""

    exit_code = 4


class ScenarioError(UsageError):
    """A scenario file is wrong at one line; the message opens with `path:line: `."""

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path = path
        self.line = line
        self.message = message


class NothingCollected(WalkaroundError):
    """No scenario matched, so nothing ran."""

    exit_code = 5


class Interrupted(WalkaroundError):
    """A person or a signal ended the run."""

    exit_code = 2


class BudgetSpent(WalkaroundError):
    """A limit on cost, tokens, calls, turns or time was reached."""

    exit_code = 10


class HarnessError(WalkaroundError):
    """The model, the browser, the network or the harness failed; the application was not judged."""

    exit_code = 3


class BrowserError(HarnessError):
    """No browser could be found, started or kept alive."""


class ModelError(HarnessError):
    """A model could not be reached, refused the request, or answered nonsense."""
