"""The notation in which forms of sentences are written, and how a form is matched with a sentence.

fill/type       one of these words, also with an s at its end
[in the end]    may be left out
(log in|enter)  one of these
~contain/show   a verb in any ordinary form: contains, should contain, does not contain
NAME            a slot: something that the sentence says; see slots
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from scenarios.grammar.words import ARTICLES, Word, read_words, vocabulary

Said = dict[str, Any]
"""What the slots of a form hold, by their names in lower case; `absent` tells that the verb was negated."""


class Line:
    """A sentence while it is read: its words, and the farthest place that any form came to."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = read_words(text)
        self.forget()

    def forget(self) -> None:
        """Forgets how far any form came."""
        self.farthest = -1
        self.wanted: dict[str, None] = {}

    def said(self, at: int) -> str:
        """The word at a place for comparing; nothing when it is quoted or behind the end."""
        return self.words[at].said if at < len(self.words) else ""

    def word(self, at: int) -> Word | None:
        """The word at a place."""
        return self.words[at] if at < len(self.words) else None

    def past_articles(self, at: int) -> int:
        """The first place from here on that holds no article."""
        while self.said(at) in ARTICLES:
            at += 1
        return at

    def miss(self, at: int, wanted: str) -> None:
        """Notes what a form would have wanted here; only what is farthest is kept."""
        if at > self.farthest:
            self.farthest, self.wanted = at, {}
        if at == self.farthest:
            self.wanted[wanted] = None


Read = Callable[[Line, int], Iterator[tuple[int, Any]]]
"""Reads something at a place of a line: every place where it may end, the likeliest first, with its value."""


@dataclass(frozen=True, slots=True)
class Slot:
    """What may stand for a word in capitals: how it is read, and what it is: "a kind of thing: examples"."""

    read: Read
    means: str
    key: str = ""
    """What a meaning calls it; the slot's own name in lower case unless told."""

    @property
    def called(self) -> str:
        """What it is, without the examples."""
        return self.means.partition(":")[0]


class Part(Protocol):
    """A part of a form. It gives every way in which it matches at a place, the likeliest first."""

    def match(self, line: Line, at: int) -> Iterator[tuple[int, Said]]:
        """The places where it may end, with what its slots hold."""
        ...


@dataclass(frozen=True, slots=True)
class Literal:
    """One of some words."""

    words: tuple[str, ...]

    def match(self, line: Line, at: int) -> Iterator[tuple[int, Said]]:
        for place in dict.fromkeys((at, line.past_articles(at))):
            said = line.said(place)
            if said and any(said in (word, word + "s", word + "es") for word in self.words):
                yield place + 1, {}
                return
        line.miss(line.past_articles(at), f"“{self.words[0]}”")


@dataclass(frozen=True, slots=True)
class Hole:
    """A slot in its place."""

    name: str
    slot: Slot

    def match(self, line: Line, at: int) -> Iterator[tuple[int, Said]]:
        found = False
        before = line.farthest, dict(line.wanted)
        for end, value in self.slot.read(line, at):
            found = True
            yield end, {self.slot.key or self.name.lower(): value}
        start = line.past_articles(at)
        if not found and line.farthest <= start:
            line.farthest, line.wanted = before  # the slot as a whole is wanted, not what it might begin with
            line.miss(start, self.slot.called)


@dataclass(frozen=True, slots=True)
class Optional:
    """A part that may be left out."""

    part: Part

    def match(self, line: Line, at: int) -> Iterator[tuple[int, Said]]:
        yield from self.part.match(line, at)
        yield at, {}


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some parts."""

    parts: tuple[Part, ...]

    def match(self, line: Line, at: int) -> Iterator[tuple[int, Said]]:
        for part in self.parts:
            yield from part.match(line, at)


@dataclass(frozen=True, slots=True)
class Sequence:
    """Some parts one after the other."""

    parts: tuple[Part, ...]

    def match(self, line: Line, at: int) -> Iterator[tuple[int, Said]]:
        return self._match(line, at, 0)

    def _match(self, line: Line, at: int, first: int) -> Iterator[tuple[int, Said]]:
        if first == len(self.parts):
            yield at, {}
            return
        for middle, said in self.parts[first].match(line, at):
            for end, more in self._match(line, middle, first + 1):
                both = said.keys() & more.keys()
                if both <= {"absent"}:  # nothing is said twice, except "not": one is enough
                    yield end, {**said, **more, **{key: said[key] or more[key] for key in both}}


AUXILIARIES = vocabulary("do does did should must will shall can could may has have had")
_IRREGULAR = {
    "be": {"is", "are", "was", "were", "am", "been"},
    "have": {"has", "had"},
    "hold": {"held"},
    "read": {"read"},
    "say": {"said"},
    "see": {"saw", "seen"},
    "show": {"showed", "shown"},
}


@dataclass(frozen=True, slots=True)
class Verb:
    """One of some verbs in any person and tense, with "should" and the like, negated or not."""

    bases: tuple[str, ...]

    def match(self, line: Line, at: int) -> Iterator[tuple[int, Said]]:
        accepted = frozenset().union(*map(_conjugated, self.bases))
        places = [(at, False)]
        while (step := _past_auxiliary(line, *places[-1])) is not None:
            places.append(step)
        for place, negated in reversed(places):
            if line.said(place) in accepted:
                yield from self._ends(line, place + 1, negated=negated)
                return
        line.miss(at, f"“{_third_person(self.bases[0])}”")

    def _ends(self, line: Line, end: int, *, negated: bool) -> Iterator[tuple[int, Said]]:
        behind = _past_negation(line, end)
        if behind > end:
            yield behind, {"absent": True}
        yield end, {"absent": negated}


@cache
def _conjugated(base: str) -> frozenset[str]:
    regular = {base + ("d" if base.endswith("e") else "ed")}
    return frozenset({base, _third_person(base)} | _IRREGULAR.get(base, regular))


def _third_person(base: str) -> str:
    ending = "es" if base.endswith(("s", "sh", "ch", "x")) else "s"
    return {"be": "is", "have": "has"}.get(base, base + ending)


def _past_auxiliary(line: Line, at: int, negated: bool) -> tuple[int, bool] | None:
    if line.said(at) in AUXILIARIES:
        return at + 1, negated
    after = _past_negation(line, at)
    return (after, True) if after > at else None


def _past_negation(line: Line, at: int) -> int:
    while line.said(at) in ("not", "never", "no"):
        at += 2 if (line.said(at), line.said(at + 1)) == ("no", "longer") else 1
    return at


_SIGN = re.compile(r"[\[\]()|]|[^\s\[\]()|]+")


def read_notation(notation: str, slots: Mapping[str, Slot]) -> Sequence:
    """The form that a line of notation stands for.

    Raises:
        KeyError: it names a slot that is not in `slots`.
    """
    signs = _SIGN.findall(notation)
    part, rest = _alternatives(signs, slots)
    assert not rest, notation
    return part if isinstance(part, Sequence) else Sequence((part,))


def _alternatives(signs: list[str], slots: Mapping[str, Slot]) -> tuple[Part, list[str]]:
    options: list[Part] = []
    while True:
        parts: list[Part] = []
        while signs and signs[0] not in ("|", ")", "]"):
            part, signs = _part(signs, slots)
            parts.append(part)
        options.append(parts[0] if len(parts) == 1 else Sequence(tuple(parts)))
        if not signs or signs[0] != "|":
            return (options[0] if len(options) == 1 else Choice(tuple(options))), signs
        signs = signs[1:]


def _part(signs: list[str], slots: Mapping[str, Slot]) -> tuple[Part, list[str]]:
    sign, rest = signs[0], signs[1:]
    if sign in ("(", "["):
        inner, rest = _alternatives(rest, slots)
        return (inner if sign == "(" else Optional(inner)), rest[1:]
    if sign.isupper():
        return Hole(sign, slots[sign]), rest
    if sign.startswith("~"):
        return Verb(tuple(sign[1:].split("/"))), rest
    return Literal(tuple(sign.split("/"))), rest
