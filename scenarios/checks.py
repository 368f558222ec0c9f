"""The deterministic assertions that an outcome can become: their shape, their words, nothing that runs them.

The same shapes are the input of the tools `check` and `wait_for`, and stand in flight plans.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from scenarios.grammar.words import in_quotes

Match = Literal["is", "contains", "matches", "starts", "ends"]
"""How a text is compared: whole, part, regular expression, beginning or end."""


class _Check(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Counted(_Check):
    """A check that counts: exactly `count`, or at least `at_least` (1 unless told), at most `at_most`."""

    count: int | None = None
    at_least: int | None = None
    at_most: int | None = None

    def accepts(self, found: int) -> bool:
        """Whether this many are as many as was asked for."""
        if self.count is not None:
            return found == self.count
        low = self.at_least if self.at_least is not None else (0 if self.at_most is not None else 1)
        return low <= found and (self.at_most is None or found <= self.at_most)


class Url(_Check):
    """The address of the current page, as a whole or (for a path) from its path on."""

    kind: Literal["url"] = "url"
    match: Match = "contains"
    value: str
    absent: bool = False


class Title(_Check):
    """The title of the current page."""

    kind: Literal["title"] = "title"
    match: Match = "is"
    value: str
    absent: bool = False


class Text(Counted):
    """A text that a person can see on the page or inside `within`; `absent` asks for it not to be seen."""

    kind: Literal["text"] = "text"
    value: str
    within: str | None = None
    absent: bool = False


class Value(_Check):
    """What a field holds; a list for a field that holds several."""

    kind: Literal["value"] = "value"
    field: str
    within: str | None = None
    match: Match = "is"
    value: str | list[str]
    absent: bool = False


class State(_Check):
    """The state of one control."""

    kind: Literal["state"] = "state"
    control: str
    within: str | None = None
    state: Literal["enabled", "disabled", "checked", "unchecked", "visible", "hidden", "focused", "empty"]


class Row(Counted):
    """A table row (or list item) that holds all of these texts; `table` is a table's caption or heading."""

    kind: Literal["row"] = "row"
    holds: list[str]
    table: str | None = None
    absent: bool = False


class Request(Counted):
    """A request that the page made since the scenario began."""

    kind: Literal["request"] = "request"
    method: str | None = None
    path: str
    status: int | str | None = None
    """A code (201) or a class of codes ("2xx"); None accepts any answer, none at all included."""
    absent: bool = False


class Dialog(Counted):
    """A native dialog that said this."""

    kind: Literal["dialog"] = "dialog"
    says: str
    absent: bool = False


class Download(Counted):
    """A file that the page handed over; `contains` looks into it as text."""

    kind: Literal["download"] = "download"
    name: str
    match: Match = "is"
    contains: str | None = None
    absent: bool = False


class Console(_Check):
    """No error reached the console (script errors included) since the scenario began."""

    kind: Literal["console"] = "console"
    absent: Literal[True] = True


AnyCheck = Url | Title | Text | Value | State | Row | Request | Dialog | Download | Console
Check = Annotated[AnyCheck, Field(discriminator="kind")]
CHECK: TypeAdapter[AnyCheck] = TypeAdapter(Check)
"""Reads a check from JSON; raises pydantic's ValidationError when it has another shape."""


def to_json(check: AnyCheck) -> dict[str, Any]:
    """The shortest JSON object that `CHECK` reads back as the same check."""
    return {"kind": check.kind, **check.model_dump(mode="json", exclude_defaults=True)}


def sentence(check: AnyCheck) -> str:
    """The check as a person would write it, without a full stop; `read_outcome` reads it back."""
    match check:
        case Url():
            return f"The URL {_match(check)} {_quoted(check.value)}"
        case Title():
            return f"The title of the page {_match(check)} {_quoted(check.value)}"
        case Text():
            shown = f"{'is not' if check.absent else 'is'} shown"
            return f"The text {_quoted(check.value)} {shown}{_times(check)}{_within(check.within)}"
        case Value():
            values = [check.value] if isinstance(check.value, str) else check.value
            field = f"{_quoted(check.field)}{_within(check.within)}"
            return f"The value of {field} {_match(check)} {_listed(values)}"
        case State():
            return f"The control {_quoted(check.control)}{_within(check.within)} is {check.state}"
        case Row():
            return _row(check)
        case Request():
            was = "was not" if check.absent else "was"
            asked = f"{check.method or 'A request to'} {_quoted(check.path)} {was}"
            done = "sent" if check.status is None else f"answered with {check.status}"
            return f"{asked} {done}{_times(check)}"
        case Dialog():
            said = f"said {_quoted(check.says)}" if check.says else "appeared"
            return f"{'No' if check.absent else 'A'} dialog {said}{_times(check)}"
        case Download():
            named = f" whose name {_MATCHES[check.match][0]} {_quoted(check.name)}" if check.name else ""
            inside = "" if check.contains is None else f" and contains {_quoted(check.contains)}"
            return f"{'No' if check.absent else 'A'} file{named} was downloaded{_times(check)}{inside}"
        case Console():
            return "The console has no errors"


def _row(check: Row) -> str:
    table = "table" if check.table is None else f"table {_quoted(check.table)}"
    if check.holds:
        return (
            f"{'No' if check.absent else 'A'} row of the {table} holds {_listed(check.holds)}{_times(check)}"
        )
    amount = "no " if check.absent else f"{_amount(check)} " if _times(check) else ""
    return f"The {table} has {amount}rows"


_MATCHES: dict[Match, tuple[str, str]] = {
    "is": ("is", "is not"),
    "contains": ("contains", "does not contain"),
    "matches": ("matches", "does not match"),
    "starts": ("starts with", "does not start with"),
    "ends": ("ends with", "does not end with"),
}


def _match(check: Url | Title | Value) -> str:
    return _MATCHES[check.match][check.absent]


def _amount(check: Counted) -> str:
    if check.count is not None:
        return f"exactly {check.count}"
    if check.at_least is not None and check.at_most is not None:
        return f"between {check.at_least} and {check.at_most}"
    return f"at least {check.at_least}" if check.at_least is not None else f"at most {check.at_most}"


def _times(check: Counted) -> str:
    if check.count is check.at_least is check.at_most is None:
        return ""
    amount = _amount(check)
    return {"exactly 1": " exactly once", "exactly 2": " exactly twice"}.get(amount, f" {amount} times")


def _within(place: str | None) -> str:
    return "" if place is None else f" in {_quoted(place)}"


def _listed(texts: list[str]) -> str:
    *first, last = map(_quoted, texts or [""])
    return f"{', '.join(first)} and {last}" if first else last


def _quoted(text: str) -> str:
    return in_quotes(text) or f'"{text}"'
