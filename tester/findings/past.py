"""Findings in what happened since the scenario began: requests, dialogs, downloads, errors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from scenarios.checks import Console, Dialog, Download, Request
from tester import reasons
from tester.findings.words import Finding, compare, counted, times
from tester.happened import Happened, RequestSeen

_LARGEST = 5_000_000
"""Bytes of a download that are looked into."""


def request(check: Request, happened: Happened) -> Finding:
    """Requests with this method, path and answer."""
    sent = [*happened.requests, *happened.assets]
    asked = [one for one in sent if check.method in (None, one.method) and _goes_to(check.path, one)]
    fits = [one for one in asked if _answered(check.status, one.status)]
    holds = counted(check, len(fits))
    if asked:
        return holds, reasons.clip("; ".join(_grouped(asked)))
    others = [one for one in sent if _goes_to(check.path, one)] or [
        one for one in happened.requests if one.method == check.method
    ]
    if others:
        return holds, reasons.clip(f"no such request was sent, but {'; '.join(_grouped(others))}")
    return holds, "no such request was sent"


def _goes_to(path: str, sent: RequestSeen) -> bool:
    """An asterisk stands for any part of one segment; without a query in what is
    asked for, any query will do.
    """
    actual = sent.url if "://" in path else sent.path
    if "?" not in path:
        actual = actual.partition("?")[0]
    pattern = re.escape(path).replace(r"\*", "[^/?]*")
    return (
        re.fullmatch(pattern if path.startswith("/") or "://" in path else rf"/(?:.*/)?{pattern}", actual)
        is not None
    )


def _answered(wanted: int | str | None, status: int | None) -> bool:
    if wanted is None:
        return True
    if isinstance(wanted, int) or wanted.isdecimal():
        return status == int(wanted)
    return status is not None and str(status)[0] == wanted[0]


def _grouped(sent: Sequence[RequestSeen]) -> list[str]:
    counts: dict[str, int] = {}
    for one in sent:
        path = one.path if len(one.path) <= 80 else one.path[:79] + "…"
        answer = (
            f"was answered with {one.status}" if one.status else one.failure and f"failed ({one.failure})"
        )
        line = f"{one.method} {path} {answer or 'has no answer yet'}"
        counts[line] = counts.get(line, 0) + 1
    lines = [line if count == 1 else f"{line} {times(count)}" for line, count in counts.items()]
    return [*lines[:3], *([f"and {len(lines) - 3} more"] if len(lines) > 3 else [])]


def dialog(check: Dialog, happened: Happened) -> Finding:
    """Native dialogs whose message has this in it."""
    wanted = " ".join(check.says.split())
    fits = [one for one in happened.dialogs if wanted in " ".join(one.message.split())]
    said = ", ".join(dict.fromkeys(f"{one.type} {one.message!r}" for one in happened.dialogs[-3:]))
    return counted(check, len(fits)), reasons.clip(
        f"the dialogs were: {said}" if said else "no dialog appeared"
    )


def download(check: Download, happened: Happened) -> Finding:
    """Files by their name, and by what they contain."""
    named = [one for one in happened.downloads if compare(check.match, check.name, one.name)]
    inside = check.contains
    fits = [one for one in named if inside is None or inside in _content(one.path)]
    holds = counted(check, len(fits))
    if named and not fits:
        return holds, f"{named[0].name!r} was downloaded and does not contain {inside!r}"
    names = ", ".join(repr(one.name) for one in happened.downloads[-3:])
    return holds, f"downloaded: {names}" if names else "nothing was downloaded"


def _content(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_LARGEST).decode(errors="replace")


def console(check: Console, happened: Happened) -> Finding:
    """No error since the scenario began."""
    errors = happened.errors
    if not errors:
        return True, "no errors"
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return False, reasons.clip(f"{errors[0]}{more}")
