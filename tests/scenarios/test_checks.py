"""A check in words is read back as the same check, and its JSON too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.checks import (
    CHECK,
    AnyCheck,
    Console,
    Counted,
    Dialog,
    Download,
    Request,
    Row,
    State,
    Text,
    Title,
    Url,
    Value,
    sentence,
    to_json,
)
from scenarios.sentences import read_outcome

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="”"), min_size=1).filter(str.strip)
PLACE = st.none() | TEXT
MATCH = st.sampled_from(["is", "contains", "matches", "starts", "ends"])
NUMBER = st.integers(0, 99)
COUNTS = st.one_of(
    st.fixed_dictionaries({}, optional={"absent": st.booleans()}),
    st.fixed_dictionaries({"count": NUMBER}),
    st.fixed_dictionaries({"at_least": NUMBER}, optional={"at_most": NUMBER}),
    st.fixed_dictionaries({"at_most": NUMBER}),
)
METHOD = st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])
STATES = ["enabled", "disabled", "checked", "unchecked", "visible", "hidden", "focused", "empty"]
CHECKS = st.one_of(
    st.builds(Url, match=MATCH, value=TEXT, absent=st.booleans()),
    st.builds(Title, match=MATCH, value=TEXT, absent=st.booleans()),
    st.builds(lambda counts, **more: Text(**more, **counts), COUNTS, value=TEXT, within=PLACE),
    st.builds(Value, field=TEXT, within=PLACE, match=MATCH, value=TEXT, absent=st.booleans()),
    st.builds(Value, field=TEXT, value=st.lists(TEXT, min_size=2), absent=st.booleans()),
    st.builds(State, control=TEXT, within=PLACE, state=st.sampled_from(STATES)),
    st.builds(lambda counts, **more: Row(**more, **counts), COUNTS, holds=st.lists(TEXT), table=PLACE),
    st.builds(
        lambda counts, **more: Request(**more, **counts),
        COUNTS,
        method=st.none() | METHOD,
        path=TEXT,
        status=st.none() | st.integers(100, 599) | st.sampled_from(["2xx", "5xx"]),
    ),
    st.builds(lambda counts, **more: Dialog(**more, **counts), COUNTS, says=st.just("") | TEXT),
    st.builds(
        lambda counts, **more: Download(**more, **counts), COUNTS, name=TEXT, match=MATCH, contains=PLACE
    ),
    st.builds(lambda counts: Download(name="", match="contains", **counts), COUNTS),
    st.just(Console()),
)


@given(CHECKS)
def test_a_check_in_words_is_read_back_as_the_same_check(check: AnyCheck) -> None:
    assert read_outcome(sentence(check)) == (check,)


@given(CHECKS)
def test_the_shortest_json_is_read_back_as_the_same_check(check: AnyCheck) -> None:
    assert CHECK.validate_python(to_json(check)) == check


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (Url(value="/runs/"), 'The URL contains "/runs/"'),
        (Text(value='say "x"', within="R", count=1), 'The text “say "x"” is shown exactly once in "R"'),
        (Value(field="Tags", value=["a", "b", "c"]), 'The value of "Tags" is "a", "b" and "c"'),
        (Row(holds=["a", "b"], table="Runs", absent=True), 'No row of the table "Runs" holds "a" and "b"'),
        (Row(holds=[], at_least=2, at_most=4), "The table has between 2 and 4 rows"),
        (Request(method="POST", path="/a", status=200), 'POST "/a" was answered with 200'),
        (Dialog(says="", absent=True), "No dialog appeared"),
        (Download(name="a", match="ends"), 'A file whose name ends with "a" was downloaded'),
    ],
)  # fmt: skip
def test_the_words_are_those_of_a_person(check: AnyCheck, words: str) -> None:
    assert sentence(check) == words


@pytest.mark.parametrize(
    ("asked", "found", "enough"),
    [({}, 1, True), ({}, 0, False), ({"count": 0}, 0, True), ({"count": 2}, 3, False),
     ({"at_most": 2}, 0, True), ({"at_most": 2}, 3, False), ({"at_least": 2}, 1, False)],
)  # fmt: skip
def test_counting(asked: dict[str, int], found: int, enough: bool) -> None:
    assert Counted(**asked).accepts(found) == enough
