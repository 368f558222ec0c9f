"""The parts that a form is made of, and how each is matched with the words of a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from scenarios.grammar.words import ARTICLES, Word, read_words

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
                if _go_together(said, more):
                    yield end, {**said, **more, **_negation(said, more)}


def _go_together(said: Said, more: Said) -> bool:
    """Nothing is said twice, and a negation does not negate another."""
    return said.keys() & more.keys() <= {"absent"} and not (said.get("absent") and more.get("absent"))


def _negation(said: Said, more: Said) -> Said:
    negations = [part["absent"] for part in (said, more) if "absent" in part]
    return {"absent": any(negations)} if negations else {}
