"""The entries of a form call: their shape, what each one does, and plain words for
one that cannot be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pydantic
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    model_validator,
)

Scalar = StrictBool | StrictInt | StrictFloat | StrictStr
Value = Scalar | list[Scalar]

_VERBS = ("field", "click", "upload", "press", "hover", "drag", "back", "sign_in", "dialog")
_BESIDE = {
    "field": {"value", "files", "within", "dialog"},
    "click": {"double", "within", "dialog"},
    "upload": {"files", "within", "dialog"},
    "press": {"field", "within", "dialog"},
    "hover": {"within", "dialog"},
    "drag": {"to", "within", "dialog"},
    "back": {"dialog"},
    "sign_in": {"dialog"},
    "dialog": set[str](),
}
"""What may stand beside each verb; nothing else has a meaning there."""


class EntriesUnreadable(ValueError):
    """Entries of a shape that is not known; the message names the entry (counting
    from 1) and says what is wrong.
    """


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Answer(_Shape):
    """What is said to one native dialog; a text is typed into a prompt."""

    accept: StrictStr | Literal[True] | None = None
    dismiss: Literal[True] | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Answer:
        if (self.accept is None) == (self.dismiss is None):
            raise ValueError('give either "accept" or "dismiss"')
        return self


class Credentials(_Shape):
    """Who signs in, and with what; a secret stands there as its placeholder."""

    user: StrictStr = Field(min_length=1)
    password: StrictStr


class Entry(_Shape):
    """One thing to do: set a field, click, upload, press a key, hover, drag, go back, or answer dialogs.

    Exactly one of field, click, upload, press, hover, drag, back, sign_in and dialog says what (press may
    name the field that gets the key, and every one but dialog may say how dialogs are answered).
    """

    field: StrictStr | None = Field(
        None, min_length=1, description="label of the field, or its ref; with value or files"
    )
    value: Value | None = Field(None, description="text, number, true/false, or a list for several choices")
    files: list[StrictStr] | None = Field(None, description="paths of files to upload")
    click: StrictStr | None = Field(None, min_length=1, description="name or ref of what to click")
    double: Literal[True] | None = Field(None, description="click twice in quick succession")
    sign_in: Credentials | None = Field(
        None, description="fill and submit the sign-in form, whatever its fields are called"
    )
    upload: StrictStr | None = Field(None, min_length=1, description="name of the upload control; with files")
    press: StrictStr | None = Field(
        None, min_length=1, description="key to press, such as Enter or Control+A"
    )
    hover: StrictStr | None = Field(None, min_length=1, description="name or ref of what to hover over")
    drag: StrictStr | None = Field(None, min_length=1, description="name or ref of what to drag; with to")
    to: StrictStr | None = Field(None, min_length=1, description="where to drop it")
    back: Literal[True] | None = Field(None, description="go back in the browser's history")
    dialog: Literal["accept", "dismiss"] | list[Answer] | None = Field(
        None, description="how native dialogs are answered, one after the other"
    )
    within: StrictStr | None = Field(
        None, min_length=1, description="group, row, section or dialog that it is in"
    )

    @model_validator(mode="after")
    def _one_verb(self) -> Entry:
        given = self.model_fields_set
        verb = self.verb
        strange = given - _BESIDE[verb] - {verb}
        if strange:
            raise ValueError(f'"{verb}" does not go with {_quoted(strange)}')
        if verb == "field" and ("value" in given) == ("files" in given):
            raise ValueError('"field" needs either "value" or "files"')
        if verb == "field" and "value" in given and self.value is None:
            raise ValueError('"value" must be a text, a number, true, false or a list; "" empties a field')
        if (verb == "upload" or "files" in given) and not self.files:
            raise ValueError('"files" must name at least one file')
        if verb == "drag" and self.to is None:
            raise ValueError('"drag" needs "to"')
        return self

    @property
    def verb(self) -> str:
        """Which of the verbs this entry has."""
        given = [name for name in _VERBS if getattr(self, name) is not None]
        if "press" in given and "field" in given:
            given.remove("field")
        if len(given) > 1 and "dialog" in given:
            given.remove("dialog")
        if len(given) != 1:
            raise ValueError(
                f"give exactly one of {_quoted(_VERBS)}, not {_quoted(given) if given else 'none'}"
            )
        return given[0]

    @property
    def name(self) -> str:
        """What the entry is about, as it was said."""
        verb = self.verb
        if self.sign_in is not None:
            return self.sign_in.user
        said = self.field if verb == "press" else getattr(self, verb)
        return said if isinstance(said, str) else ""


class Entries(BaseModel):
    """Fills a form and presses what is named, entry by entry, in order."""

    model_config = ConfigDict(extra="forbid")

    entries: list[Entry] = Field(min_length=1)


def read_entries(given: Sequence[Any]) -> tuple[Entry, ...]:
    """The entries of a call.

    Raises:
        EntriesUnreadable: the first one that has no known shape, by its number.
    """
    entries = []
    for number, one in enumerate(given, 1):
        try:
            entries.append(one if isinstance(one, Entry) else Entry.model_validate(one))
        except pydantic.ValidationError as error:
            raise EntriesUnreadable(f"entry {number}: {_first(error)}") from error
    return tuple(entries)


def _first(error: pydantic.ValidationError) -> str:
    one = max(
        error.errors(), key=lambda each: len(each["loc"])
    )  # of a union's branches the one that came furthest
    where = ".".join(str(part) for part in one["loc"] if isinstance(part, str) and part in Entry.model_fields)
    if one["type"] == "extra_forbidden":
        return f'"{one["loc"][-1]}" is not known here'
    message = one["msg"].removeprefix("Value error, ")
    return f'"{where}": {message}' if where else message


def _quoted(names: Any) -> str:
    return ", ".join(f'"{name}"' for name in sorted(names))
