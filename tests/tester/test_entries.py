"""Entries of a form call: what they mean, and what is said of those that mean nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tester.entries import Entries, EntriesUnreadable, Entry, read_entries

JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(max_size=5),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=5), inner, max_size=3),
)
KEYS = some.sampled_from([*Entry.model_fields, "group", "selector"])


@pytest.mark.parametrize(
    ("entry", "verb", "name"),
    [
        ({"field": "Title", "value": "x"}, "field", "Title"),
        ({"field": "Title", "value": ""}, "field", "Title"),
        ({"field": "Terms", "value": False}, "field", "Terms"),
        ({"field": "Avatar", "files": ["a.png"]}, "field", "Avatar"),
        ({"upload": "Avatar", "files": ["a.png"]}, "upload", "Avatar"),
        ({"click": "Save", "within": "Billing", "dialog": "accept"}, "click", "Save"),
        ({"press": "Enter"}, "press", ""),
        ({"press": "Enter", "field": "Search"}, "press", "Search"),
        ({"drag": "Card A", "to": "Done"}, "drag", "Card A"),
        ({"hover": "Menu"}, "hover", "Menu"),
        ({"back": True}, "back", ""),
        ({"dialog": [{"accept": "text"}, {"dismiss": True}]}, "dialog", ""),
    ],
)
def test_an_entry_has_one_verb_and_a_name(entry: Any, verb: str, name: str) -> None:
    (read,) = read_entries([entry])
    assert (read.verb, read.name) == (verb, name)


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({}, "give exactly one of"),
        ({"clik": "Save"}, '"clik" is not known here'),
        ({"click": "Save", "hover": "Menu"}, 'not "click", "hover"'),
        ({"click": "Save", "value": 1}, '"click" does not go with "value"'),
        ({"field": "Title"}, 'needs either "value" or "files"'),
        ({"field": "Title", "value": "x", "files": ["a"]}, 'needs either "value" or "files"'),
        ({"field": "Title", "value": None}, '"" empties a field'),
        ({"field": "Title", "value": {"a": 1}}, '"value"'),
        ({"field": "", "value": "x"}, '"field"'),
        ({"upload": "Photo"}, '"files" must name at least one file'),
        ({"upload": "Photo", "files": []}, '"files" must name at least one file'),
        ({"drag": "Card A"}, '"drag" needs "to"'),
        ({"back": False}, '"back"'),
        ({"click": "Save", "dialog": "maybe"}, '"dialog"'),
        ({"click": "Save", "dialog": [{}]}, 'either "accept" or "dismiss"'),
        ("click Save", "entry 2: Input should be a valid dictionary"),
    ],
)
def test_an_entry_without_a_meaning_is_named_by_its_number_and_mistake(entry: Any, says: str) -> None:
    with pytest.raises(EntriesUnreadable, match="entry 2: ") as caught:
        read_entries([{"click": "Save"}, entry])
    assert says in str(caught.value)


def test_values_keep_their_kind() -> None:
    values = [True, 1, 1.5, "1", ["a", "b"]]
    read = read_entries([{"field": "x", "value": value} for value in values])
    assert [(type(entry.value), entry.value) for entry in read] == [(type(value), value) for value in values]


def test_the_schema_that_models_see_describes_every_key() -> None:
    properties = Entries.model_json_schema()["$defs"]["Entry"]["properties"]
    undescribed = {name for name, one in properties.items() if not one.get("description")}
    assert not undescribed


@settings(deadline=None)
@given(some.dictionaries(KEYS, JSON, max_size=4))
def test_any_json_is_read_or_refused_with_a_sentence(entry: Any) -> None:
    said = ""
    read: Sequence[Any] = ()
    try:
        read = read_entries([entry])
    except EntriesUnreadable as error:
        said = str(error)
    assert read or said.startswith("entry 1: ")
    assert read_entries([one.model_dump(exclude_unset=True) for one in read]) == read
