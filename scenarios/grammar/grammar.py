"""A grammar: a table of forms, and the reader that finds them clause by clause in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from scenarios.grammar.forms import Form, Unclear, Way, read_way
from scenarios.grammar.nearest import nearest
from scenarios.grammar.parts import Line, Said, Slot
from scenarios.grammar.readers import NOUNS, past_joiner
from scenarios.grammar.words import STOPS, vocabulary

T = TypeVar("T")

LONGEST = 120
"""No sentence that a person means has more words."""

_OPENERS = vocabulary("then please now first next finally afterwards also ,")
_PERSONS = vocabulary("i we you user tester")


class NotUnderstood(ValueError):
    """A sentence that no form fits; `nearest` is an example of the form that comes nearest."""

    def __init__(self, text: str, nearest: str, why: str = "no sentence is like it") -> None:
        super().__init__(f"cannot read “{text}”: {why}. Write it like this: {nearest}")
        self.text = text
        self.nearest = nearest
        self.why = why


class Grammar(Generic[T]):
    """The forms of one kind of sentence; the first that fits is what a sentence means."""

    def __init__(self, slots: Mapping[str, Slot], *forms: Form[T]) -> None:
        self.forms = forms
        self.ways = tuple(read_way(form, notation, slots) for form in forms for notation in form.ways)

    def clause(self, line: Line, at: int) -> Iterator[tuple[int, T]]:
        """The readings of one clause, with their ends, so that it can be a slot of another grammar."""
        for way in self.ways:
            for end, said in way.whole.match(line, at):
                yield end, way.form.meaning(said)

    def read(self, text: str) -> list[T]:
        """What each clause of a sentence means, in order.

        Raises:
            NotUnderstood: no form fits, or nothing could be made of the one that does.
        """
        line = Line(text)
        if len(line.words) > LONGEST:
            raise NotUnderstood(text[:60] + "…", self.forms[0].examples[0], f"it has over {LONGEST} words")
        reading = _Reading(self.ways, line)
        try:
            clauses = reading.clauses(0, None)
            if clauses is not None:
                return [way.form.meaning(said) for way, said in clauses]
            way, why = nearest(text, self.ways, reading.starts)
        except Unclear as unclear:
            raise NotUnderstood(text, unclear.example, str(unclear)) from None
        raise NotUnderstood(text, way.form.examples[0], why)


class _Reading(Generic[T]):
    """One sentence being read; places from which nothing fits are remembered, so that none is tried twice."""

    def __init__(self, ways: tuple[Way[T], ...], line: Line) -> None:
        self._ways = ways
        self._line = line
        self._dead: set[tuple[int, int]] = set()
        self.starts: set[int] = set()

    def clauses(self, at: int, before: Way[T] | None) -> list[tuple[Way[T], Said]] | None:
        """The clauses from a place to the end of the sentence; `before` is the one that went before."""
        at = _past_openers(self._line, at)
        if (at, id(before)) in self._dead:
            return None
        self.starts.add(at)
        for way, end, said in self._matches(at, before):
            after = _past_stops(self._line, end)
            if after == len(self._line.words):
                return [(way, said)]
            joined = past_joiner(self._line, end, clauses=True)
            rest = self.clauses(joined, way) if joined is not None else None
            if rest is not None:
                return [(way, said), *rest]
        self._dead.add((at, id(before)))
        return None

    def _matches(self, at: int, before: Way[T] | None) -> Iterator[tuple[Way[T], int, Said]]:
        for way in self._ways:
            for end, said in way.whole.match(self._line, at):
                yield way, end, said
        if before is not None:
            for end, said in before.rest.match(self._line, at):
                if end > at:
                    yield before, end, said


def _past_openers(line: Line, at: int) -> int:
    while line.said(at) in _OPENERS and line.said(at + 1) not in NOUNS:
        at += 1
    person = line.past_articles(at)
    return person + 1 if line.said(person) in _PERSONS else at


def _past_stops(line: Line, at: int) -> int:
    while line.said(at) in STOPS:
        at += 1
    return at
