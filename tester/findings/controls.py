"""Findings on one control: what it holds and how it is."""

from __future__ import annotations

from typing import Any

from scenarios.checks import Match, State, Value
from tester import reasons
from tester.controls.same import same
from tester.findings.words import Finding, Replies, compare

_YES = frozenset({"true", "yes", "on", "checked", "selected"})
_NO = frozenset({"false", "no", "off", "unchecked", "not selected", ""})
_CHOSEN = frozenset({"radios", "checks", "listbox"})
"""Families whose value is an option, which may go by several names."""


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
