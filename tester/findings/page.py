"""Findings on the page as a whole, its texts and its rows."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from scenarios.checks import Row, Text, Title, Url
from tester.findings.words import Finding, Replies, compare, counted, times


def url(check: Url, actual: str) -> Finding:
    """An address; a value that starts with a slash is compared from the path on, with the query."""
    shown = _path(actual) if check.value.startswith("/") else actual
    forms = {shown, unquote(shown), *([_path(actual)] if check.match == "matches" else [])}
    if check.match in ("is", "ends") and "#" not in check.value:
        forms |= {form.partition("#")[0] for form in forms}
    holds = any(compare(check.match, check.value, form) for form in forms)
    return holds is not check.absent, f"the address is {shown!r}"


def _path(address: str) -> str:
    parts = urlsplit(address)
    return parts._replace(scheme="", netloc="", path=parts.path or "/").geturl()


def title(check: Title, actual: str) -> Finding:
    """A title, white space folded."""
    actual = " ".join(actual.split())
    return compare(check.match, check.value, actual) is not check.absent, f"the title is {actual!r}"


def text(check: Text, replies: Replies) -> Finding:
    """A text that can be seen, as words of its own and in the case that was written."""
    if check.within is not None and not any(reply["known"] for reply in replies):
        return check.absent, f"nothing on the page is called {check.within!r}"
    count = sum(reply["count"] for reply in replies)
    found = f"seen {times(count)}" if count else "; ".join(["not seen", *_instead(check.value, replies)])
    return counted(check, count), found


def _instead(value: str, replies: Replies) -> list[str]:
    """What explains that a text is not seen: at most one thing, the most telling."""
    for name, words in (
        ("otherCase", "only in another case: {!r}"),
        ("word", "only as a part of {!r}"),
        ("field", "only the field {!r} holds it"),
        ("hidden", "it is on the page but hidden"),
        ("elsewhere", "it is seen elsewhere on the page"),
        ("near", "the nearest text is {!r}"),
    ):
        known = next((reply[name] for reply in replies if reply.get(name)), None)
        if known:
            return [words.format(known)]
    return []


def row(check: Row, replies: Replies) -> Finding:
    """Rows that hold all of the texts, each in one of their cells."""
    if check.table is not None and not any(reply["known"] for reply in replies):
        return check.absent, f"no table or list is called {check.table!r}"
    count, total = sum(reply["count"] for reply in replies), sum(reply["total"] for reply in replies)
    holds = counted(check, count)
    if not check.holds:
        return holds, f"there {_amount(total, 'row')}"
    if count:
        return holds, "one row holds it" if count == 1 else f"{count} rows hold it"
    near = [one for reply in replies for one in reply["near"]]
    if near:
        return holds, f"no row holds all of it; the nearest is “{near[0]}”"
    return holds, f"no row holds it; there {_amount(total, 'row')}"


def _amount(count: int, noun: str) -> str:
    return {0: f"are no {noun}s", 1: f"is one {noun}"}.get(count, f"are {count} {noun}s")
