"""Secrets are put in at the last moment and found again in every form in which a page may hand them back."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.variables import Secrets

SECRETS = Secrets({"PASSWORD": 'p/ä "1" & 2', "PIN": "123", "SHORT": "hunter2", "LONG": "hunter2-and-more"})


def test_a_value_is_put_in_where_its_name_stands_and_nowhere_else() -> None:
    assert (
        SECRETS.reveal("type {{SHORT}} or {{ PIN }}, not {{other}}") == "type hunter2 or 123, not {{other}}"
    )


def test_a_revealed_value_that_looks_like_a_name_is_not_revealed_again() -> None:
    assert Secrets({"A": "{{B}}", "B": "deep"}).reveal("{{A}}") == "{{B}}"


def test_the_longest_value_is_found_first() -> None:
    assert SECRETS.redact("x hunter2-and-more hunter2 y") == "x {{LONG}} {{SHORT}} y"


@pytest.mark.parametrize(
    "travels_as",
    [
        str,
        lambda value: json.dumps(value)[1:-1],
        lambda value: json.dumps(value, ensure_ascii=False)[1:-1],
        quote,
        quote_plus,
        lambda value: quote(value, safe=""),
        lambda value: quote(value, safe="").replace("%C3%A4", "%c3%a4"),
    ],
)
def test_a_value_is_found_in_every_form(travels_as: Callable[[str], str]) -> None:
    assert SECRETS.redact("<" + travels_as('p/ä "1" & 2') + ">") == "<{{PASSWORD}}>"


def test_short_values_are_left_because_they_would_hide_half_of_every_page() -> None:
    assert SECRETS.redact("room 123") == "room 123"


def test_redacting_reaches_into_lists_objects_keys_and_numbers() -> None:
    secrets = Secrets({"PIN": "4711", "WORD": "hunter2"})
    seen = {"hunter2": [4711, 47110, True, None, {"a": "is hunter2"}]}
    assert secrets.redact_json(seen) == {"{{WORD}}": ["{{PIN}}", 47110, True, None, {"a": "is {{WORD}}"}]}


def test_without_secrets_nothing_changes() -> None:
    assert Secrets({}).redact("{{A}} b") == "{{A}} b"


def test_the_values_are_not_in_the_representation() -> None:
    assert repr(SECRETS) == "Secrets(PASSWORD, PIN, SHORT, LONG)"
    assert SECRETS.names == ("PASSWORD", "PIN", "SHORT", "LONG")


@given(st.text(min_size=4), st.text(), st.text())
def test_no_value_survives_redaction(value: str, before: str, after: str) -> None:
    assert value not in Secrets({"N": value}).redact(before + value + after).replace("{{N}}", "")


@given(st.text(st.characters(exclude_characters="{}"), min_size=4), st.text())
def test_redacting_twice_is_redacting_once(value: str, around: str) -> None:
    secrets = Secrets({"NAME": value, "AME}": "four"})
    once = secrets.redact(around + value + around)
    assert secrets.redact(once) == once
