"""What all findings share: comparing texts, counting, and the words for numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from scenarios.checks import AnyCheck, Dialog, Download, Match, Request, Row, Text, Title, Url, Value

Finding = tuple[bool, str]
"""Whether a check holds, and what was found, in a person's words."""
Replies = Sequence[dict[str, Any]]
"""The answers of all frames to one question."""


def compare(how: Match, wanted: str, actual: str) -> bool:
    """Whether a text is, contains, matches, starts or ends with another."""
    match how:
        case "is":
            return actual == wanted
        case "contains":
            return wanted in actual
        case "starts":
            return actual.startswith(wanted)
        case "ends":
            return actual.endswith(wanted)
        case "matches":
            return re.search(wanted, actual) is not None


def no_pattern(check: AnyCheck) -> str | None:
    """What is wrong with the pattern of a check; None when it has none or one that can be read."""
    if not isinstance(check, Url | Title | Value | Download) or check.match != "matches":
        return None
    wanted = check.name if isinstance(check, Download) else check.value
    for pattern in [wanted] if isinstance(wanted, str) else wanted:
        try:
            re.compile(pattern)
        except re.error as error:
            return f"{pattern!r} is no regular expression: {error}"
    return None


def counted(check: Text | Row | Request | Dialog | Download, count: int) -> bool:
    """Whether so many are as many as was asked for; none, for what should be absent."""
    return count == 0 if check.absent else check.accepts(count)


def times(count: int) -> str:
    """How often, in a word where there is one."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
