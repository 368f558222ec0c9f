"""The deterministic assertions that an outcome can become: their shape, their words, nothing that runs them.

The same shapes are the input of the tools `check` and `wait_for`, and stand in flight plans.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

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
    """A table row (or list item) that holds all of these texts; `table` names the table by caption or heading."""

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


Check = Annotated[
    Url | Title | Text | Value | State | Row | Request | Dialog | Download | Console,
    Field(discriminator="kind"),
]
CHECK: TypeAdapter[Url | Title | Text | Value | State | Row | Request | Dialog | Download | Console] = (
    TypeAdapter(Check)
)
"""Reads a check from JSON; raises pydantic's ValidationError when it has another shape."""
