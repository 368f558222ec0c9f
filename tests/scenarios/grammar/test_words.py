"""A sentence as words: quotes of every kind, contractions, and where a sentence ends."""

# ruff: noqa: RUF001  (quotation marks of many languages are what it is about)

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scenarios.grammar.words import read_words, split_sentences

QUOTED = ['"{}"', "'{}'", "`{}`", "“{}”", "„{}“", "„{}”", "‘{}’", "‚{}‘", "«{}»", "»{}«", "‹{}›", "**{}**"]


def texts(text: str) -> list[tuple[str, bool]]:
    return [(word.text, word.quoted) for word in read_words(text)]


@pytest.mark.parametrize("quotes", QUOTED)
def test_quoted_text_is_one_word_that_keeps_what_it_holds(quotes: str) -> None:
    inside = "a, b and. Click (the) {{x}}"
    assert texts(f"say {quotes.format(inside)}, then") == [
        ("say", False),
        (inside, True),
        (",", False),
        ("then", False),
    ]


def test_an_apostrophe_inside_a_word_neither_opens_nor_closes() -> None:
    assert texts("the user's 'Don't panic' isn't") == [
        ("the", False),
        ("user's", False),
        ("Don't panic", True),
        ("is", False),
        ("not", False),
    ]


def test_quotes_of_one_kind_may_stand_in_quotes_of_another() -> None:
    assert texts("""'say "x"' "it's" “a "b" c”""") == [('say "x"', True), ("it's", True), ('a "b" c', True)]


def test_stops_are_words_of_their_own_and_addresses_stay_whole() -> None:
    said = [word for word, _ in texts("Open http://x.y/a,b?c=1.5, wait; {{ a b }}: done!")]
    assert said == ["Open", "http://x.y/a,b?c=1.5", ",", "wait", ";", "{{ a b }}", "done", "!"]


@pytest.mark.parametrize(
    ("short", "long"),
    [("isn't", "is not"), ("can’t", "can not"), ("cannot", "can not"), ("Won't", "will not")],
)
def test_contractions_are_two_words(short: str, long: str) -> None:
    assert [word.said for word in read_words(short)] == long.split()


def test_a_full_stop_inside_quotes_ends_no_sentence() -> None:
    text = 'Start at `/a`. Click "Go. Now!"\nThen press Enter! '
    assert list(split_sentences(text)) == [(0, "Start at `/a`."), (15, 'Click "Go. Now!"\nThen press Enter!')]


@given(st.text())
@example("'\"“**„")
def test_every_word_stands_where_it_says(text: str) -> None:
    end = 0
    for word in read_words(text):
        assert word.start >= end or word.said == "not"
        assert word.quoted or word.said == "not" or text[word.start : word.end].startswith(word.text[:1])
        end = word.end


@given(st.text())
def test_sentences_leave_out_nothing_but_space(text: str) -> None:
    sentences = list(split_sentences(text))
    assert "".join("".join(sentence.split()) for _, sentence in sentences) == "".join(text.split())
    assert all(text[start:].startswith(sentence) for start, sentence in sentences)


@given(st.text(), st.sampled_from(QUOTED))
def test_any_text_survives_in_quotes_that_it_does_not_hold(text: str, quotes: str) -> None:
    marks = set(quotes.replace("{}", "")) | set("“”‘’")
    if text and not marks & set(text):
        assert texts(f"fill {quotes.format(text)} .")[1] == (text, True)
