"""When two values are the same to a person, and when something was lost."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tester.controls.same import number, same


@pytest.mark.parametrize(
    ("asked", "got"),
    [
        ("4242424242424242", "4242 4242 4242 4242"),
        ("1234.5", "$1,234.50"),
        ("1234.5", "1.234,50 €"),
        ("  Apollo  ", "Apollo"),
        ("sw1a 1aa", "SW1A 1AA"),
        ("5551234567", "(555) 123-4567"),
        ("a\r\nb", "a\nb"),
        ("7", "7.00"),
        ("Caf\u00e9", "Cafe\u0301"),
        (["b", "a"], ["a", "b"]),
        (True, True),
        ("", None),
    ],
)
def test_a_value_written_in_another_way_is_the_same(asked: Any, got: Any) -> None:
    assert same(asked, got)


@pytest.mark.parametrize(
    ("asked", "got"),
    [
        ("4242424242424242", "4242 4242 4242 424"),
        ("abc", "ab"),
        ("hello!", "hello"),
        ("a b", "ab"),
        ("1.5", "15"),
        ("12.50", "0.0012.50"),
        ("a\nb", "a b"),
        (["a"], ["a", "b"]),
        (["a", "b"], ["a"]),
        (True, False),
        (True, "true"),
        ("x", None),
        ("x", ""),
    ],
)
def test_a_value_that_lost_or_gained_something_is_another(asked: Any, got: Any) -> None:
    assert not same(asked, got)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234", 1234),
        ("1.234,5", 1234.5),
        ("1 234", 1234),
        ("1'234.5", 1234.5),
        ("0,5", 0.5),
        ("-3", -3),
        ("€ 5", 5),
        ("1,5", 1.5),
        ("1,234,567", 1234567),
    ],
)
def test_numbers_are_read_in_every_common_notation(text: str, value: float) -> None:
    assert number(text) == value


@settings(deadline=None)
@given(some.text())
def test_every_text_is_the_same_as_itself(text: str) -> None:
    assert same(text, text)


@settings(deadline=None)
@given(some.text())
def test_no_text_makes_the_reading_of_numbers_fail(text: str) -> None:
    assert number(text) is None or isinstance(number(text), float)
