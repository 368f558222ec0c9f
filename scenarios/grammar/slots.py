"""The slots of the forms: what may stand for each word in capitals, and how the reference explains it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scenarios.grammar.parts import Line, Slot
from scenarios.grammar.readers import (
    ALONE,
    CONTROLS,
    FIELDS,
    KINDS_OF_TEXT,
    KINDS_OF_VALUE,
    WHOLE,
    amount,
    count,
    duration,
    first_of,
    matching,
    named,
    phrases,
    place,
    several,
    single_or_list,
    table,
    texts_of,
    unnamed,
)

_MATCH = {
    "~be equal to": {"match": "is"},
    "~be [exactly]": {"match": "is"},
    "~equal": {"match": "is"},
    "~contain/include/have": {"match": "contains"},
    "~start/begin with": {"match": "starts"},
    "~end with/in": {"match": "ends"},
    "~match": {"match": "matches"},
}
_STATE = {
    "enabled": "enabled",
    "disabled": "disabled",
    "checked/ticked/selected": "checked",
    "[switched/turned] on": "checked",
    "unchecked/unticked/unselected": "unchecked",
    "[switched/turned] off": "unchecked",
    "focused|in focus": "focused",
    "visible/shown/displayed": "visible",
    "hidden/invisible/gone": "hidden",
    "empty/blank": "empty",
}
_SWITCH = {"on/yes/true/checked/ticked": True, "off/no/false/unchecked/unticked": False}

_METHOD = r"GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS"
_ADDRESS = r"(?:[a-z][a-z0-9+.-]*:|/|\./|\.\./|\?|#|\{\{).*"
_STATUS = r"[1-5](?:\d\d|xx)"


_read_state = phrases(_STATE)


def _state(line: Line, at: int) -> Iterator[tuple[int, tuple[str, bool]]]:
    """A state, and whether "not" stands before it."""
    negated = line.said(at) == "not"
    for end, state in _read_state(line, at + negated):
        yield end, (state, negated)


def _status(code: str) -> int | str:
    return int(code) if code.isdigit() else code.lower()


_text = texts_of(KINDS_OF_TEXT, telling=True)
_value = texts_of(KINDS_OF_VALUE, telling=True)
WORD = texts_of(KINDS_OF_VALUE, telling=False)

SLOTS: Mapping[str, Slot] = {
    "NAME": Slot(named(), 'a name: `"Save"`, `the "Save" button`, `the title field`'),
    "NAMES": Slot(several(named()), 'names: `"Terms", "News" and "Ads"`, or one name'),
    "TARGET": Slot(named(), "a name", "to"),
    "FIELD": Slot(
        named(FIELDS), 'a field: a name with its kind, `the "Title" field`, `the box "Title"`', "name"
    ),
    "CONTROLS": Slot(
        several(named(CONTROLS), named()),
        'controls: names with their kind, `the "Save" button`, `the links "A" and "B"`',
        "names",
    ),
    "PART": Slot(
        first_of(unnamed(ALONE | WHOLE), named()),
        'a part of the page: `the page`, a part by its kind (`the list`) or by name (`the section "Runs"`)',
        "within",
    ),
    "PLACE": Slot(
        place,
        'a place: `in "Billing"`, `within the "Billing" section`, `in the row "Nightly"`, `in the dialog`',
        "within",
    ),
    "TABLE": Slot(table, 'a table or list with its kind: `the table`, `the list`, `the table "Runs"`'),
    "LIST": Slot(
        first_of(table, named()), 'a table or list: `the table`, `the table "Runs"`, `"Runs"`', "table"
    ),
    "TEXT": Slot(_text, 'a text: `"Nightly"`, or one word or number that is not plain lower-case'),
    "TEXTS": Slot(several(_text), 'texts: `"a", "b" and "c"`, or one text'),
    "OTHERS": Slot(several(_text), "texts"),
    "INSIDE": Slot(_text, "a text"),
    "VALUES": Slot(
        single_or_list(_value), "a value: a text, or several texts for a field that holds several"
    ),
    "USER": Slot(WORD, "a user's name"),
    "PASSWORD": Slot(WORD, "a password: best a declared secret, `{{ADMIN_PASSWORD}}`"),
    "FILE": Slot(_value, "a file's name"),
    "FILES": Slot(several(WORD), "files: one or more of the scenario's folder"),
    "ADDRESS": Slot(matching(_ADDRESS), "an address: `/runs`, `http://…`, in quotes or not"),
    "COUNT": Slot(
        count,
        "how often: `once`, `3 times`, `exactly twice`, `at least once`, `more than once`",
    ),
    "AMOUNT": Slot(
        amount, "how many: `3`, `three`, `at least 3`, `fewer than 3`, `between 3 and 5`", "count"
    ),
    "DURATION": Slot(duration, "a duration: `30 seconds`, `30s`, `2 minutes`"),
    "MATCH": Slot(
        phrases(_MATCH),
        "a comparison: `is`, `contains`, `starts with`, `ends with`, `matches` (a pattern), or not",
    ),
    "STATES": Slot(
        several(_state),
        f"a state: {', '.join(f'`{state}`' for state in dict.fromkeys(_STATE.values()))}, or several",
    ),
    "FOCUS": Slot(phrases({"focus": [("focused", False)]}), "`focus`", "states"),
    "SWITCH": Slot(phrases(_SWITCH), "`on` or `off`: not in quotes", "values"),
    "NO": Slot(phrases({"no": True}), "`no`", "absent"),
    "METHOD": Slot(
        matching(_METHOD, str.upper),
        "a method: `GET`, `POST`, `PUT`, `PATCH`, `DELETE`, `HEAD` or `OPTIONS`",
    ),
    "STATUS": Slot(matching(_STATUS, _status), "a status: `201`, or a class of codes, `2xx`"),
}
