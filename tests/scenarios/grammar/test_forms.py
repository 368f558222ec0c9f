"""What the forms promise is kept: sentences made from the notation itself, with any text in their slots."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.checks import to_json
from scenarios.grammar.forms import Way
from scenarios.grammar.grammar import Grammar
from scenarios.grammar.outcomes import OUTCOMES
from scenarios.grammar.parts import Choice, Hole, Literal, Optional, Part, Sequence
from scenarios.grammar.steps import STEPS
from scenarios.grammar.verbs import Verb
from scenarios.grammar.words import vocabulary
from scenarios.sentences import NotUnderstood, read_outcome, read_step

QUOTES = ['"{}"', "“{}”", "«{}»", "`{}`", "**{}**"]
ANYTHING = st.text(st.characters(exclude_categories=["Cs"], exclude_characters='"“”«»`*'), min_size=1)
KEYWORDS = st.lists(st.sampled_from(["and", "then", ",", ".", "with", "in", "click", "is", "not", "the"]))
TEXT = st.one_of(ANYTHING, KEYWORDS.map(" ".join)).filter(str.strip)

SAID = {
    "NAMES": ["the {} button", "{} and {}", "{}, {} and {}"],
    "FIELD": ["the {} field", "the field {}"],
    "CONTROLS": ["the {} button", "the links {} and {}"],
    "PART": ["the page", "the list", "the section {}"],
    "PLACE": ["in {}", "within the {} section", "in the row with {}"],
    "TABLE": ["the table", "the list {}"],
    "LIST": ["the table", "the list {}", "{}"],
    "TEXTS": ["{}", "{} and {}"],
    "OTHERS": ["{}", "{} and {}"],
    "FILES": ["{}", "{}, {}"],
    "ADDRESS": ["/runs", "http://a.b/c?d=e,f"],
    "COUNT": ["once", "3 times", "exactly twice"],
    "AMOUNT": ["3", "exactly two"],
    "DURATION": ["30 seconds", "2m"],
    "MATCH": ["is", "contains", "starts with", "should match"],
    "STATES": ["enabled", "checked and enabled"],
    "FOCUS": ["focus"],
    "SWITCH": ["on", "off"],
    "NO": ["no"],
    "METHOD": ["GET", "post"],
    "STATUS": ["200", "2xx"],
    "KEYS": ["Enter", "Ctrl+A and Tab"],
    "TAB": ["the tab {}", "the {} tab", "the second tab"],
    "OUTCOMES": ["the URL contains {}", "{} is shown and {} is gone"],
}
"""What may be said in each slot; a text stands for `{}`, and in every slot that is not named here."""

ONCE = {
    "AMOUNT": "COUNT",
    "NO": "COUNT",
    "TABLE": "NAME",
    "NAMES": "NAME",
    "CONTROLS": "NAME",
    "PART": "PLACE",
}
"""Slots that say the same thing, or do not go together: a sentence has one of them."""

WAYS = [(grammar, way) for grammar in (STEPS, OUTCOMES) for way in grammar.ways if way.form.title]


class Speaker:
    """Says sentences that a form describes, and remembers the texts in them."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw = draw
        self.texts: list[str] = []
        self.slots: set[str] = set()

    def say(self, part: Part) -> str:
        match part:
            case Literal():
                return str(self.draw(st.sampled_from(part.words)))
            case Optional():
                return self.say(part.part) if self.new(part.part) and self.draw(st.booleans()) else ""
            case Choice():
                return self.say(self.draw(st.sampled_from(part.parts)))
            case Sequence():
                return " ".join(said for one in part.parts if (said := self.say(one)))
            case Verb():
                return {"be": "is", "have": "has"}.get(part.bases[0], f"should {part.bases[-1]}")
            case Hole():
                return self.fill(part.name)
        raise AssertionError(part)

    def new(self, part: Part) -> bool:
        """Whether nothing in a part was said before."""
        if isinstance(part, Hole):
            return ONCE.get(part.name, part.name) not in self.slots
        return all(map(self.new, getattr(part, "parts", ())))

    def fill(self, name: str) -> str:
        self.slots.add(ONCE.get(name, name))
        said = self.draw(st.sampled_from(SAID.get(name, ["{}"])))
        quoted = []
        for _ in range(said.count("{}")):
            self.texts.append(self.draw(TEXT))
            quoted.append(self.draw(st.sampled_from(QUOTES)).format(self.texts[-1]))
        return str(said.format(*quoted))


def leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for one in value.values() for leaf in leaves(one)]
    return [leaf for one in value for leaf in leaves(one)] if isinstance(value, list) else [value]


@pytest.mark.parametrize(("grammar", "way"), WAYS, ids=[way.notation for _, way in WAYS])
@settings(max_examples=15)
@given(data=st.data())
def test_every_sentence_that_a_form_describes_is_read_with_its_texts_unchanged(
    grammar: Grammar[Any], way: Way[Any], data: st.DataObject
) -> None:
    speaker = Speaker(data.draw)
    sentence = speaker.say(way.whole)
    if grammar is STEPS:
        meaning = [call.input for call in read_step(sentence)]
    else:
        meaning = [to_json(check) for check in read_outcome(sentence)]
    assert not set(speaker.texts) - set(leaves(meaning))


WORDS = [
    *"\"'“”`*,.:!{}",
    *vocabulary("and then not the click fill with x is a 1 in row at least file page shows"),
]


@given(st.lists(st.sampled_from([*WORDS, "{{X}}", "wait", "until", "check", "press", "to"])).map(" ".join))
def test_no_heap_of_words_raises_anything_else(sentence: str) -> None:
    read_or_refused(sentence)


@given(st.text())
def test_no_text_at_all_raises_anything_else(sentence: str) -> None:
    read_or_refused(sentence)


MUCH = [
    '"a" and ' * 59,
    "click x, " * 39,
    "the " * 118,
    "not " * 118,
    "should " * 118,
    "at least 2 " * 39,
    "'" * 9999,
]


@pytest.mark.parametrize("much", MUCH, ids=lambda much: much[:10])
def test_a_long_sentence_is_read_or_refused_at_once(much: str) -> None:
    for sentence in (much, f"Click {much}", f"The page shows {much}", f"Wait until {much}"):
        read_or_refused(sentence)


def read_or_refused(sentence: str) -> None:
    for read in (read_step, read_outcome):
        with suppress(NotUnderstood):
            assert read(sentence)
