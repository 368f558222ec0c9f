"""A sentence as words: what stands in quotes is one word and stays as it was written."""

# ruff: noqa: RUF001  (quotation marks of many languages are what it is about)

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_QUOTED = (
    r'"([^"]*)"',
    r"`([^`]*)`",
    r"“([^”]*)”",
    r"„([^“”]*)[“”]",
    r"«([^»]*)»",
    r"»([^«]*)«",
    r"‹([^›]*)›",
    r"\*\*(.+?)\*\*",
    r"'((?:[^']|'(?=\w))*)'(?!\w)",  # an apostrophe inside a word closes nothing: 'Don't panic'
    r"‘((?:[^’]|’(?=\w))*)’(?!\w)",
    r"‚((?:[^‘’]|[‘’](?=\w))*)[‘’](?!\w)",
)
OPENING = frozenset("\"'`“„«»‹‘‚")


def vocabulary(words: str) -> frozenset[str]:
    """A set of words, written as one text."""
    return frozenset(words.split())


ARTICLES = vocabulary("the a an my your its this that these those")
STOPS = frozenset(".!?")


@dataclass(frozen=True, slots=True)
class Word:
    """One word, quoted text or stop, and where it stands in the sentence; `said` is how it compares."""

    text: str
    start: int
    end: int
    quoted: bool = False

    @property
    def said(self) -> str:
        """The word for comparing with the words of a form; a quoted text is equal to none of them."""
        return "" if self.quoted else self.text.casefold().removesuffix("'s").removesuffix("’s")


_STOP = r"(?P<stop>[,;:.!?])(?=\s|$|[\"'`“„«»‹‘‚*])"
_BARE = r"(?P<bare>(?:(?:\{|\$)\{[^{}]*\}\}?|\S)+?)(?=[,;:.!?]*(?:\s|$))"
_WORD = re.compile("|".join([*_QUOTED, _STOP, _BARE]), re.DOTALL)
_NOT = re.compile(r"(?P<verb>\w+)n['’]t|(?P<can>can)not", re.IGNORECASE)
_SHORTENED = {"ca": "can", "wo": "will", "sha": "shall"}


def read_words(text: str) -> tuple[Word, ...]:
    """The words of a text in order; colons are left out, and "isn't" is two words."""
    return tuple(word for found in _WORD.finditer(text) for word in _word(found))


def _word(found: re.Match[str]) -> Iterator[Word]:
    text, (start, end) = found[0], found.span()
    if found["stop"]:
        if text != ":":
            yield Word(text, start, end)
    elif not found["bare"]:
        yield Word(found[found.lastindex or 0], start, end, quoted=True)
    elif short := _NOT.fullmatch(text):
        verb = short["verb"] or short["can"]
        yield Word(_SHORTENED.get(verb.casefold(), verb), start, end)
        yield Word("not", start, end)
    else:
        yield Word(text, start, end)


def split_sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a paragraph, each with its offset; a full stop inside quotes ends none."""
    start = 0
    for word in read_words(text):
        if word.text in STOPS and not word.quoted:
            yield from _stripped(start, text[start : word.end])
            start = word.end
    yield from _stripped(start, text[start:])


def _stripped(start: int, text: str) -> Iterator[tuple[int, str]]:
    if text.strip():
        yield start + len(text) - len(text.lstrip()), text.strip()


def is_one_text(written: str, text: str) -> bool:
    """Whether what is written is one quoted word that holds this text."""
    return [(word.text, word.quoted) for word in read_words(written)] == [(text, True)]


def in_quotes(text: str) -> str | None:
    """The text in the first kind of quotes that it does not break; None when it breaks them all."""
    pairs = (('"', '"'), ("“", "”"), ("«", "»"), ("`", "`"), ("‹", "›"), ("'", "'"))
    written = (f"{opening}{text}{closing}" for opening, closing in pairs)
    return next((one for one in written if is_one_text(one, text)), None)
