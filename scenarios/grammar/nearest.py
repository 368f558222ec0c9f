"""What to say about a sentence that no form fits: how far it was understood, and which form comes nearest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any, TypeVar

from scenarios.grammar.forms import Way
from scenarios.grammar.parts import Line
from scenarios.grammar.readers import speaks
from scenarios.grammar.words import OPENING, Word

T = TypeVar("T")


def nearest(text: str, ways: Iterable[Way[T]], starts: Iterable[int]) -> tuple[Way[T], str]:
    """The way of saying that comes farthest in the sentence (or is most like it), and why it does not fit.

    `starts` are the places where a clause began.
    """
    line = Line(text)
    tries = [(_reach(line, way, start), way) for start in starts for way in ways if way.form.title]
    farthest = max(reached for (reached, _), _ in tries)
    ties = {way: wanted for (reached, wanted), way in tries if reached == farthest}
    likest = max(ties, key=lambda way: _likeness(text, way.form.examples))
    return likest, _why(line, farthest, ties[likest])


def _reach(line: Line, way: Way[Any], start: int) -> tuple[int, list[str]]:
    """How far a way of saying comes, and what it wants there."""
    line.forget()
    for end, _ in way.whole.match(line, start):
        line.miss(end, "the end of the sentence")
    return line.farthest, list(line.wanted)


def _likeness(text: str, examples: Sequence[str]) -> float:
    """How alike two sentences are by their words, and again by the first of them."""
    return max(
        SequenceMatcher(None, _bones(text), _bones(example)).ratio()
        + SequenceMatcher(None, _opening(text), _opening(example)).ratio()
        for example in examples
    )


def _opening(text: str) -> str:
    return text.casefold().partition(" ")[0]


def _bones(text: str) -> str:
    """The sentence without what stands in quotes: two are alike by their words, not by their texts."""
    return re.sub(r"[\"“`].*?[\"”`]", "“”", text.casefold())


def _why(line: Line, at: int, wants: Sequence[str]) -> str:
    if unclosed := [word.text for word in line.words if not word.quoted and word.text[0] in OPENING]:
        return f"the quote that opens at “{unclosed[0]}” is not closed"
    if at <= 0:
        return "no sentence begins like this"
    wanted = " or ".join(wants[:3])
    understood = line.text[: line.words[at - 1].end]
    if at == len(line.words):
        return f"after “{understood}” {wanted} is missing"
    rest = line.text[line.words[at].start :]
    return f"after “{understood}” comes {wanted}, not “{rest}”{_advice(line.words[at - 1], line.words[at])}"


def _advice(before: Word, word: Word) -> str:
    bare = all(speaks(one) and not one.quoted for one in (before, word))
    return " (names and texts of more than one word stand in quotes)" if bare else ""
