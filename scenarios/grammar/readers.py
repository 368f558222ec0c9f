"""Readers of what a sentence says: names, texts, lists of them, places, numbers and set phrases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from scenarios.grammar.notation import read_notation
from scenarios.grammar.parts import Line, Read
from scenarios.grammar.verbs import AUXILIARIES
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
ALONE = vocabulary("list table grid dialog form menu sidebar header footer")
"""Parts of a page that may be called by their kind alone."""
WHOLE = _kinds("page screen window site app application")
KINDS_OF_TEXT = _kinds("text message heading error warning success info confirmation notice toast alert")
KINDS_OF_VALUE = _kinds("value option item text file")
NOUNS = CONTROLS | PARTS | KINDS_OF_TEXT | _kinds("label column file")
"""Kinds of things. They may stand before or behind a name and are left out of it."""

_LABELLED = vocabulary("named called labelled labeled titled with for of")
_PREPOSITIONS = vocabulary("in into on off with to from for of at as by until")
_NEVER_ALONE = vocabulary("all every each any some other another same first second third last next new")
_RESERVED = (
    ARTICLES
    | AUXILIARIES
    | _PREPOSITIONS
    | vocabulary("and or then but is are was were be not no never & , ;")
)
"""Words that are never a name or a text of their own unless they are quoted."""


def past_joiner(line: Line, at: int, *, clauses: bool = False) -> int | None:
    """The place behind commas and an "and"; between `clauses` also behind full stops, "then" and "but"."""
    start = at
    while line.said(at) in (",", ";") or (clauses and line.said(at) in STOPS):
        at += 1
    while line.said(at) in ("and", "&") or (clauses and line.said(at) in ("then", "but")):
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


def single_or_list(one: Read) -> Read:
    """One of them as it is, several as a list."""
    read_list = several(one)

    def read(line: Line, at: int) -> Iterator[tuple[int, str | list[str]]]:
        for end, values in read_list(line, at):
            yield end, values[0] if len(values) == 1 else values

    return read


def speaks(word: Word | None) -> bool:
    """Whether a word stands for itself: it is quoted, or it is bare and cannot be mistaken."""
    if word is None or word.quoted:
        return word is not None
    return word.said not in _RESERVED | STOPS and word.text[0] not in OPENING


def texts_of(kinds: frozenset[str], *, telling: bool) -> Read:
    """A text in quotes, or one word without; one of some kinds of text may be said with it.

    Where it must be `telling`, a plain word needs quotes: "the page shows everything" expects nothing.
    """

    def read(line: Line, at: int) -> Iterator[tuple[int, str]]:
        at = line.past_articles(at)
        while line.said(at) in kinds and speaks(line.word(at + 1)):
            at = line.past_articles(at + 1)
        word = line.word(at)
        if word is None or not speaks(word) or (telling and is_plain(word)):
            return
        if word.quoted and line.said(at + 1) in kinds:
            yield at + 2, word.text
        yield at + 1, word.text

    return read


def is_plain(word: Word) -> bool:
    """Whether it is a word of the language without anything that marks it as a name or a text."""
    return not word.quoted and word.text.isalpha() and word.text.islower()


def named(kinds: frozenset[str] = frozenset()) -> Read:
    """A name, with its kind before or behind it or without; with `kinds`, one of these must be said.

    A plain word is a name only where an article or a kind says so: "the title", but not "and confirm".
    """

    def read(line: Line, at: int) -> Iterator[tuple[int, str]]:
        before: set[str] = set()
        while (said := line.said(at)) in NOUNS | ARTICLES or (before and said in _LABELLED):
            before.add(said)
            at += 1
        word = line.word(at)
        if word is None or not _names(word):
            return
        behind = at + 1
        while line.said(behind) in NOUNS:
            behind += 1
        for end in range(behind, at, -1):
            with_it = before | {line.said(place) for place in range(at + 1, end)}
            if (kinds & with_it or not kinds) and (with_it or not is_plain(word)):
                yield end, word.text

    return read


def _names(word: Word) -> bool:
    """Whether a word can be a name: "New" can, but neither "new" nor a "First" that opens the sentence."""
    if word.quoted:
        return bool(word.text.strip())
    written = word.text if word.start else word.said
    return speaks(word) and word.text[0] != "/" and word.said not in WHOLE and written not in _NEVER_ALONE


def unnamed(kinds: frozenset[str]) -> Read:
    """A thing by its kind alone: "the dialog", "the error message"; nothing for the whole page."""

    def read(line: Line, at: int) -> Iterator[tuple[int, str | None]]:
        at = line.past_articles(at)
        while line.said(at) in NOUNS and line.said(at + 1) in kinds:
            at += 1
        if line.said(at) in kinds:
            yield at + 1, None if line.said(at) in WHOLE else line.said(at)

    return read


def first_of(*reads: Read) -> Read:
    def read(line: Line, at: int) -> Iterator[tuple[int, Any]]:
        for one in reads:
            yield from one(line, at)

    return read


def place(line: Line, at: int) -> Iterator[tuple[int, str | None]]:
    if line.said(at) in ("in", "within", "inside", "under", "on", "of", "for", "at"):
        yield from first_of(named(), unnamed(ALONE | WHOLE))(line, at + 1)


def table(line: Line, at: int) -> Iterator[tuple[int, str | None]]:
    yield from named(TABLES)(line, at)
    yield from ((end, None) for end, _ in unnamed(TABLES)(line, at))


def matching(pattern: str, value: Callable[[str], Any] = str) -> Read:
    """One word, quoted or not, that fits a regular expression, as a value."""
    fits = re.compile(pattern, re.IGNORECASE)

    def read(line: Line, at: int) -> Iterator[tuple[int, Any]]:
        at = line.past_articles(at)
        word = line.word(at)
        if word is not None and fits.fullmatch(word.text):
            yield at + 1, value(word.text)

    return read


def phrases(meanings: Mapping[str, Any]) -> Read:
    """One of some phrases in notation, as the value that stands for it."""
    forms = [(read_notation(notation, {}), value) for notation, value in meanings.items()]

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
_read_bound = phrases(_BOUNDS)


def amount(line: Line, at: int) -> Iterator[tuple[int, dict[str, int]]]:
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


def count(line: Line, at: int) -> Iterator[tuple[int, dict[str, int]]]:
    for start, (bound, more) in [*_read_bound(line, at), (at, ("count", 0))]:
        times = {"once": 1, "twice": 2, "thrice": 3}.get(line.said(start))
        if times is not None and times + more >= 0:
            yield start + 1, {bound: times + more}
    for end, times_over in amount(line, at):
        if line.said(end) in ("time", "times"):
            yield end + 1, times_over


def duration(line: Line, at: int) -> Iterator[tuple[int, float]]:
    """Seconds: `30 seconds`, `2m`."""
    for end, written in ((at + 2, f"{line.said(at)} {line.said(at + 1)}"), (at + 1, line.said(at))):
        with suppress(ValueError):
            yield end, read_seconds(written)
