"""What was found where a check was made: whether it holds, and what was there
instead, in a person's words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from scenarios.checks import (
    Console,
    Counted,
    Dialog,
    Download,
    Match,
    Request,
    Row,
    State,
    Text,
    Title,
    Url,
    Value,
)
from tester import reasons
from tester.controls.same import same
from tester.happened import Happened, RequestSeen

Finding = tuple[bool, str]
Replies = Sequence[dict[str, Any]]
"""The answers of all frames to one question."""

_YES = frozenset({"true", "yes", "on", "checked", "selected"})
_NO = frozenset({"false", "no", "off", "unchecked", "not selected", ""})
_CHOSEN = frozenset({"radios", "checks", "listbox"})
"""Families whose value is an option, which may go by several names."""
_LARGEST = 5_000_000


def compare(match: Match, wanted: str, actual: str) -> bool:
    """Whether a text is, contains, matches, starts or ends with another; an unreadable
    pattern matches nothing.
    """
    match match:
        case "is":
            return actual == wanted
        case "contains":
            return wanted in actual
        case "starts":
            return actual.startswith(wanted)
        case "ends":
            return actual.endswith(wanted)
        case "matches":
            try:
                return re.search(wanted, actual) is not None
            except re.error:
                return False


# -- the page as a whole -------------------------------------------------------------------------------------


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


# -- texts and rows ------------------------------------------------------------------------------------------


def text(check: Text, replies: Replies) -> Finding:
    """A text that can be seen, as words of its own and in the case that was written."""
    if check.within is not None and not any(reply["known"] for reply in replies):
        return check.absent, f"nothing on the page is called {check.within!r}"
    count = sum(reply["count"] for reply in replies)
    found = f"seen {_times(count)}" if count else "; ".join(["not seen", *_instead(check.value, replies)])
    return _counted(check, count, check.absent), found


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
    holds = _counted(check, count, check.absent)
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


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _counted(check: Counted, count: int, absent: bool) -> bool:
    return count == 0 if absent else check.accepts(count)


# -- controls ------------------------------------------------------------------------------------------------


def value(check: Value, replies: Replies) -> Finding:
    """What a field holds, read as a person reads it."""
    found = _meant(replies)
    if len(found) != 1:
        return False, _not_one(check.field, "field", check.within, replies, found)
    got = _labels(found[0])
    holds = _holds(check.match, check.value, got) is not check.absent
    if found[0]["facts"].get("secret"):
        return holds, f"{check.field!r} is a password field{'' if got else ' and empty'}"
    return holds, f"{check.field!r} {_shown(got)}"


def _holds(match: Match, wanted: str | list[str], got: Any) -> bool:
    if isinstance(wanted, list) or isinstance(got, list):
        return _holds_all(match, [wanted] if isinstance(wanted, str) else wanted, got)
    if isinstance(got, bool):
        return wanted.casefold() in (_YES if got else _NO)
    names = got if isinstance(got, tuple) else ("" if got is None else str(got),)
    return any(_fits(match, wanted, name) for name in names)


def _holds_all(match: Match, wanted: list[str], got: Any) -> bool:
    left = list(got) if isinstance(got, list) else [got] if got else []
    wanted = [one for one in wanted if one]
    for one in wanted:
        fit = next((other for other in left if _holds(match, one, other)), None)
        if fit is None:
            return False
        left.remove(fit)
    return match != "is" or not left


def _fits(match: Match, wanted: str, got: str) -> bool:
    if match != "is" or wanted.casefold() == got.casefold():
        return compare(match, wanted, got)
    return same(wanted, got)


def _labels(one: dict[str, Any]) -> Any:
    """What a control holds; of a chosen option all its names, the one that a person reads first."""
    got = one["value"]
    if one["family"] not in _CHOSEN or not got:
        return got
    return [tuple(label.split("\n")) for label in got] if isinstance(got, list) else tuple(got.split("\n"))


def _shown(got: Any) -> str:
    if isinstance(got, bool):
        return "is checked" if got else "is not checked"
    values = got if isinstance(got, list) else [got]
    texts = [str(one[0] if isinstance(one, tuple) else one) for one in values if one]
    return f"holds {', '.join(repr(reasons.clip(text, 160)) for text in texts)}" if texts else "is empty"


def state(check: State, replies: Replies) -> Finding:
    """The state of a control; of several that share the name, the one that they share."""
    found = _meant(replies)
    seen = [one for one in found if one["visible"]]
    if check.state in ("visible", "hidden"):
        where = "is visible" if seen else "is on the page but hidden" if found else "is not on the page"
        return bool(seen) is (check.state == "visible"), f"{check.control!r} {where}"
    if not seen:
        return False, _not_one(check.control, "any", check.within, replies, found)
    states = {_is(check.state, one) for one in seen}
    if len(states) > 1:
        return False, _not_one(check.control, "any", check.within, replies, seen)
    return states == {True}, f"{check.control!r} {_stands(check.state, seen[0])}"


def _is(state: str, one: dict[str, Any]) -> bool:
    match state:
        case "enabled" | "disabled":
            return one["disabled"] is (state == "disabled")
        case "checked" | "unchecked":
            return bool(one["toggles"]) and one["checked"] is (state == "checked")
        case "focused":
            return bool(one["focused"])
        case _:
            return one["value"] in ("", None, [])


def _stands(state: str, one: dict[str, Any]) -> str:
    match state:
        case "enabled" | "disabled":
            return "is disabled" if one["disabled"] else "is enabled"
        case "checked" | "unchecked" if not one["toggles"]:
            return f"is a {one['family']} and cannot be checked"
        case "checked" | "unchecked":
            return "is checked" if one["checked"] else "is not checked"
        case "focused":
            return "has the focus" if one["focused"] else "does not have the focus"
        case _ if one["facts"].get("secret") and one["value"]:
            return "is not empty"
        case _:
            return _shown(_labels(one))


def _meant(replies: Replies) -> list[dict[str, Any]]:
    """The best of what all frames found."""
    found = [one for reply in replies for one in reply["found"]]
    best = min((tuple(one["score"]) for one in found), default=None)
    return [one for one in found if tuple(one["score"]) == best]


def _not_one(
    name: str, wanted: str, within: str | None, replies: Replies, found: list[dict[str, Any]]
) -> str:
    if len(found) > 1:
        return reasons.ambiguous(name, found, len(found))
    if found:
        return f"{name!r} is on the page but hidden"
    return reasons.nothing(name, wanted, within, replies)


# -- what happened -------------------------------------------------------------------------------------------


def request(check: Request, happened: Happened) -> Finding:
    """Requests with this method, path and answer."""
    sent = [*happened.requests, *happened.assets]
    asked = [one for one in sent if check.method in (None, one.method) and _goes_to(check.path, one)]
    fits = [one for one in asked if _answered(check.status, one.status)]
    holds = _counted(check, len(fits), check.absent)
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
    lines = [line if count == 1 else f"{line} {_times(count)}" for line, count in counts.items()]
    return [*lines[:3], *([f"and {len(lines) - 3} more"] if len(lines) > 3 else [])]


def dialog(check: Dialog, happened: Happened) -> Finding:
    """Native dialogs whose message has this in it."""
    wanted = " ".join(check.says.split())
    fits = [one for one in happened.dialogs if wanted in " ".join(one.message.split())]
    said = ", ".join(dict.fromkeys(f"{one.type} {one.message!r}" for one in happened.dialogs[-3:]))
    return _counted(check, len(fits), check.absent), reasons.clip(
        f"the dialogs were: {said}" if said else "no dialog appeared"
    )


def download(check: Download, happened: Happened) -> Finding:
    """Files by their name, and by what they contain."""
    named = [one for one in happened.downloads if compare(check.match, check.name, one.name)]
    inside = check.contains
    fits = [one for one in named if inside is None or inside in _content(one.path)]
    holds = _counted(check, len(fits), check.absent)
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
