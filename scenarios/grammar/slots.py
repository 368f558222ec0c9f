"""What the slots of a form take in: names, texts, lists of them, places, counts, keys and the like."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from scenarios.grammar.notation import AUXILIARIES, Line, Read, Slot, read_notation
from scenarios.grammar.words import ARTICLES, OPENING, STOPS, Word, vocabulary
from scenarios.units import read_seconds


def _kinds(words: str) -> frozenset[str]:
    """Words and their plurals."""
    return frozenset(form for word in words.split() for form in (word, word + "s", word + "es"))


FIELDS = _kinds("field box input textbox textarea dropdown combobox select picker editor")
CONTROLS = FIELDS | _kinds(
    "button link tab checkbox radio option menu item icon switch toggle slider control image"
)
TABLES = _kinds("table list grid")
PARTS = TABLES | _kinds("section group dialog form row card panel menu area region sidebar header footer")
WHOLE = _kinds("page screen window site app application")
NOUNS = CONTROLS | PARTS | _kinds("text message heading alert toast notice label column file")
"""Kinds of things. They may stand before or behind a name and are left out of it."""

_KINDS_OF_TEXT = vocabulary("text message heading error warning value option item file files")
_LABELLED = vocabulary("named called labelled labeled titled with for of")
_PREPOSITIONS = vocabulary("in into on off with to from for of at as by until")
_RESERVED = (
    ARTICLES | AUXILIARIES | _PREPOSITIONS | vocabulary("and or then but is are was were be not no never , ;")
)
"""Words that are never a name or a text of their own unless they are quoted."""


def past_joiner(line: Line, at: int, *, clauses: bool = False) -> int | None:
    """The place behind commas and an "and"; between `clauses` also behind full stops, "then" and "but"."""
    start = at
    while line.said(at) in (",", ";") or (clauses and line.said(at) in STOPS):
        at += 1
    while line.said(at) == "and" or (clauses and line.said(at) in ("then", "but")):
        at += 1
    return at if at > start else None


def several(one: Read, rest: Read | None = None) -> Read:
    """A list of them, joined by commas or "and", the longest list first; `rest` reads all but the first."""

    def read(line: Line, at: int) -> Iterator[tuple[int, list[Any]]]:
        lists: list[tuple[int, list[Any]]] = []
        values: list[Any] = []
        after: int | None = at
        while after is not None and (found := list((rest if values and rest else one)(line, after))):
            lists += [(end, [*values, value]) for end, value in reversed(found)]
            end, value = found[0]
            values = [*values, value]
            after = past_joiner(line, end)
        yield from reversed(lists)

    return read


def single_or_list(read: Read) -> Read:
    def read_one_or_more(line: Line, at: int) -> Iterator[tuple[int, str | list[str]]]:
        for end, values in several(read)(line, at):
            yield end, values[0] if len(values) == 1 else values

    return read_one_or_more


def speaks(word: Word | None) -> bool:
    """Whether a word stands for itself: it is quoted, or it is bare and cannot be mistaken."""
    if word is None or word.quoted:
        return word is not None
    return word.said not in _RESERVED | STOPS and word.text[0] not in OPENING


def text(line: Line, at: int) -> Iterator[tuple[int, str]]:
    """A text in quotes, or one word without; what kind of text it is may stand before."""
    at = line.past_articles(at)
    while line.said(at) in _KINDS_OF_TEXT and speaks(line.word(at + 1)):
        at += 1
    if (word := line.word(at)) and speaks(word):
        yield at + 1, word.text


def _telling_text(line: Line, at: int) -> Iterator[tuple[int, str]]:
    """A text, but no plain word: "the page shows everything" expects nothing in particular."""
    for end, value in text(line, at):
        if line.words[end - 1].quoted or not (value.isalpha() and value.islower()):
            yield end, value


def named(kinds: frozenset[str] = frozenset()) -> Read:
    """A name, with its kind before or behind it or without; with `kinds`, one of these must be said."""

    def read(line: Line, at: int) -> Iterator[tuple[int, str]]:
        before: set[str] = set()
        while (said := line.said(at)) in NOUNS | ARTICLES or (before and said in _LABELLED):
            before.add(said)
            at += 1
        word = line.word(at)
        if word is None or not speaks(word) or not word.text.strip() or word.said in WHOLE:
            return
        behind = at + 1
        while line.said(behind) in NOUNS:
            behind += 1
        for end in range(behind, at, -1):
            said_kinds = before | {line.said(place) for place in range(at + 1, end)}
            if not kinds or kinds & said_kinds:
                yield end, word.text

    return read


def _unnamed(kinds: frozenset[str]) -> Read:
    """A thing by its kind alone: "the dialog"; nothing for the whole page."""

    def read(line: Line, at: int) -> Iterator[tuple[int, str | None]]:
        at = line.past_articles(at)
        if line.said(at) in kinds:
            yield at + 1, None if line.said(at) in WHOLE else line.said(at)

    return read


def first_of(*reads: Read) -> Read:
    def read(line: Line, at: int) -> Iterator[tuple[int, Any]]:
        for one in reads:
            yield from one(line, at)

    return read


def _place(line: Line, at: int) -> Iterator[tuple[int, str | None]]:
    if line.said(at) in ("in", "within", "inside", "under", "on", "of", "for", "at"):
        yield from first_of(named(), _unnamed(PARTS | WHOLE))(line, at + 1)


def _table(line: Line, at: int) -> Iterator[tuple[int, str | None]]:
    yield from named(TABLES)(line, at)
    yield from ((end, None) for end, _ in _unnamed(TABLES)(line, at))


def _matching(pattern: str, value: Callable[[str], Any] = str) -> Read:
    """One word, quoted or not, that fits a regular expression, as a value."""
    fits = re.compile(pattern, re.IGNORECASE)

    def read(line: Line, at: int) -> Iterator[tuple[int, Any]]:
        at = line.past_articles(at)
        word = line.word(at)
        if word is not None and fits.fullmatch(word.text):
            yield at + 1, value(word.text)

    return read


def _phrases(phrases: Mapping[str, Any]) -> Read:
    """One of some phrases in notation, as the value that stands for it."""
    forms = [(read_notation(notation, {}), value) for notation, value in phrases.items()]

    def read(line: Line, at: int) -> Iterator[tuple[int, Any]]:
        for form, value in forms:
            for end, said in form.match(line, at):
                yield end, {**value, **said} if isinstance(value, dict) else value

    return read


_NUMBERS = {
    word: number
    for number, word in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight"])
}
_BOUNDS = {
    "exactly/only/just": ("count", 0),
    "at least": ("at_least", 0),
    "at most": ("at_most", 0),
    "no more than": ("at_most", 0),
    "no fewer/less than": ("at_least", 0),
    "more than": ("at_least", 1),
    "fewer/less than": ("at_most", -1),
}
_read_bound = _phrases(_BOUNDS)


def _amount(line: Line, at: int) -> Iterator[tuple[int, dict[str, int]]]:
    at = line.past_articles(at)
    for start, (bound, more) in [*_read_bound(line, at), (at, ("count", 0))]:
        number = _number(line.said(start))
        if number is not None and number + more >= 0:
            yield start + 1, {bound: number + more}
    low, high = _number(line.said(at + 1)), _number(line.said(at + 3))
    if line.said(at) == "between" and line.said(at + 2) == "and" and low is not None and high is not None:
        yield at + 4, {"at_least": low, "at_most": high}


def _number(said: str) -> int | None:
    return int(said) if re.fullmatch(r"[0-9]{1,9}", said) else _NUMBERS.get(said)


def _count(line: Line, at: int) -> Iterator[tuple[int, dict[str, int]]]:
    for start, (bound, more) in [*_read_bound(line, at), (at, ("count", 0))]:
        times = {"once": 1, "twice": 2, "thrice": 3}.get(line.said(start))
        if times is not None and times + more >= 0:
            yield start + 1, {bound: times + more}
    for end, amount in _amount(line, at):
        if line.said(end) in ("time", "times"):
            yield end + 1, amount


def _duration(line: Line, at: int) -> Iterator[tuple[int, float]]:
    said, unit = line.said(at), line.said(at + 1)
    for end, text in (
        (at + 2, f"{_number(said)}{unit.removesuffix('econds').removesuffix('econd')}"),
        (at + 1, said),
    ):
        text = text.removesuffix("inutes").removesuffix("inute")
        try:
            yield end, read_seconds(text)
        except ValueError:
            continue


_MATCH = {
    "~be equal to": {"match": "is"},
    "~be [exactly]": {"match": "is"},
    "~equal": {"match": "is"},
    "~contain/include/have": {"match": "contains"},
    "~start/begin with": {"match": "starts"},
    "~end with": {"match": "ends"},
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


def _state(line: Line, at: int) -> Iterator[tuple[int, tuple[str, bool]]]:
    """A state, and whether "not" stands before it."""
    negated = line.said(at) == "not"
    for end, state in _phrases(_STATE)(line, at + negated):
        yield end, (state, negated)


def _status(code: str) -> int | str:
    return int(code) if code.isdigit() else code.lower()


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
        first_of(_unnamed(PARTS | WHOLE), named()),
        'a part of the page: `the page`, a part by its kind (`the list`) or by name (`the section "Runs"`)',
        "within",
    ),
    "PLACE": Slot(
        _place,
        'a place: `in "Billing"`, `within the "Billing" section`, `in the row "Nightly"`, `in the dialog`',
        "within",
    ),
    "TABLE": Slot(_table, 'a table or list with its kind: `the table`, `the list`, `the table "Runs"`'),
    "LIST": Slot(
        first_of(_table, named()), 'a table or list: `the table`, `the table "Runs"`, `"Runs"`', "table"
    ),
    "TEXT": Slot(_telling_text, 'a text: `"Nightly"`, or one word or number that is not plain lower-case'),
    "TEXTS": Slot(several(_telling_text), 'texts: `"a", "b" and "c"`, or one text'),
    "OTHERS": Slot(several(_telling_text), "texts"),
    "INSIDE": Slot(_telling_text, "a text"),
    "VALUES": Slot(
        single_or_list(_telling_text), "a value: a text, or several texts for a field that holds several"
    ),
    "USER": Slot(text, "a user's name"),
    "PASSWORD": Slot(text, "a password: best a declared secret, `{{ADMIN_PASSWORD}}`"),
    "FILE": Slot(_telling_text, "a file's name"),
    "FILES": Slot(several(text), "files: one or more of the scenario's folder"),
    "ADDRESS": Slot(_matching(_ADDRESS), "an address: `/runs`, `http://…`, in quotes or not"),
    "COUNT": Slot(
        _count,
        "how often: `once`, `3 times`, `exactly twice`, `at least once`, `more than once`",
    ),
    "AMOUNT": Slot(
        _amount, "how many: `3`, `three`, `at least 3`, `fewer than 3`, `between 3 and 5`", "count"
    ),
    "DURATION": Slot(_duration, "a duration: `30 seconds`, `30s`, `2 minutes`"),
    "MATCH": Slot(
        _phrases(_MATCH),
        "a comparison: `is`, `contains`, `starts with`, `ends with`, `matches` (a pattern), or not",
    ),
    "STATES": Slot(
        several(_state),
        f"a state: {', '.join(f'`{state}`' for state in dict.fromkeys(_STATE.values()))}, or several",
    ),
    "FOCUS": Slot(_phrases({"focus": [("focused", False)]}), "`focus`", "states"),
    "SWITCH": Slot(_phrases(_SWITCH), "`on` or `off`: not in quotes", "values"),
    "NO": Slot(_phrases({"no": True}), "`no`", "absent"),
    "METHOD": Slot(
        _matching(_METHOD, str.upper),
        "a method: `GET`, `POST`, `PUT`, `PATCH`, `DELETE`, `HEAD` or `OPTIONS`",
    ),
    "STATUS": Slot(_matching(_STATUS, _status), "a status: `201`, or a class of codes, `2xx`"),
}
