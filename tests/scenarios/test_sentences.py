"""Sentences as people write them, and what they become."""

from __future__ import annotations

from typing import Any

import pytest

from scenarios.checks import to_json
from scenarios.sentences import Call, NotUnderstood, read_outcome, read_step


def form(*entries: dict[str, Any]) -> Call:
    return Call("form", {"entries": list(entries)})


def click(*names: str, **more: Any) -> Call:
    return form(*({"click": name, **more} for name in names))


def fill(field: str, value: Any, **more: Any) -> Call:
    return form({"field": field, "value": value, **more})


def wait(kind: str, seconds: float | None = None, **check: Any) -> Call:
    return Call("wait_for", {"check": {"kind": kind, **check}} | ({"seconds": seconds} if seconds else {}))


STEPS = {
    "Open /runs": Call("navigate", {"url": "/runs"}),
    "Go to “http://127.0.0.1:8600/a?b=c,d”.": Call("navigate", {"url": "http://127.0.0.1:8600/a?b=c,d"}),
    "Please navigate to the page `/runs`": Call("navigate", {"url": "/runs"}),
    "start at the '/runs' page": Call("navigate", {"url": "/runs"}),
    "Go back": Call("navigate", {"go": "back"}),
    "Refresh the page": Call("navigate", {"go": "reload"}),
    'Click "Save"': click("Save"),
    "Then I click on the Save button!": click("Save"),
    "Press **Save changes** in the dialog": click("Save changes", within="dialog"),
    'Tap the link "A", "B" and "C" within the "Help" section': click("A", "B", "C", within="Help"),
    'Click the "Edit" button in the row with "Nightly"': click("Edit", within="Nightly"),
    'Double-click "Nightly"': click("Nightly", double=True),
    'Click "More" 3 times': click("More", "More", "More"),
    'Select the "Details" tab': click("Details"),
    'Open "Settings"': click("Settings"),
    'Press "Delete"': click("Delete"),
    'Press the "Delete" key': form({"press": "Delete"}),
    'Press "Enter"': form({"press": "Enter"}),
    "Press Page Down, the up arrow and Ctrl+Shift+k": form(
        {"press": "PageDown"}, {"press": "ArrowUp"}, {"press": "Control+Shift+k"}
    ),
    'Press cmd+A in the field "Title"': form({"press": "Meta+A", "field": "Title"}),
    "Hit the Tab key twice": form({"press": "Tab"}, {"press": "Tab"}),
    'Fill "Title" with "Nightly"': fill("Title", "Nightly"),
    'Fill in the Title field in "Billing" with {{title}}': fill("Title", "{{title}}", within="Billing"),
    "Type 42 into the box 'Age'": fill("Age", "42"),
    'Enter "x" as the title': fill("title", "x"),
    'Fill "Tags" with "a", "b" and "c"': fill("Tags", ["a", "b", "c"]),
    'Fill "Title" with ""': fill("Title", ""),
    'Set "Plan" to "on"': fill("Plan", "on"),
    'Set "News" to on': fill("News", True),
    'Set the value of "Plan" to "Pro"': fill("Plan", "Pro"),
    'Clear "Title"': fill("Title", ""),
    'Choose "Mixed" in "Kind"': fill("Kind", "Mixed"),
    'Select "a" and "b" from the list "Tags" in "Billing"': fill("Tags", ["a", "b"], within="Billing"),
    'Tick "Terms" and "News"': form({"field": "Terms", "value": True}, {"field": "News", "value": True}),
    'Turn the switch "News" off': fill("News", False),
    'Untick "News" in "Mail"': fill("News", False, within="Mail"),
    'Attach "a.png" and b.png to "Avatar"': form({"upload": "Avatar", "files": ["a.png", "b.png"]}),
    'Choose the file "a.png" for "Avatar"': form({"upload": "Avatar", "files": ["a.png"]}),
    'Hover over the "Help" icon': form({"hover": "Help"}),
    'Drag "Card A" onto "Done"': form({"drag": "Card A", "to": "Done"}),
    'Click "Delete" and accept the dialog': click("Delete", dialog=[{"accept": True}]),
    'Click "Rename", answer the prompt with "x" and cancel the alert': click(
        "Rename", dialog=[{"accept": "x"}, {"dismiss": True}]
    ),
    "Dismiss the dialog": form({"dialog": [{"dismiss": True}]}),
    'Sign in as "admin" with {{PW}}': form({"sign_in": {"user": "admin", "password": "{{PW}}"}}),
    "Log in with user admin and password 'a b'": form({"sign_in": {"user": "admin", "password": "a b"}}),
    'Switch to the "Help" tab': Call("tabs", {"switch": "Help"}),
    "Switch to the second tab": Call("tabs", {"switch": "2"}),
    "Switch back to tab 1": Call("tabs", {"switch": "1"}),
    "Switch to the new tab": Call("tabs", {"switch": "last"}),
    "Close the tab": Call("tabs", {"close": ""}),
    'Close tab "Help"': Call("tabs", {"close": "Help"}),
    'Wait for "Saved" to appear in the dialog': wait("text", value="Saved", within="dialog"),
    'Wait until "Loading" is gone': wait("text", value="Loading", absent=True),
    'Wait up to 2 minutes until the URL contains "/runs/"': wait("url", 120.0, value="/runs/"),
    'Wait at most 500ms for the "Save" button': wait("state", 0.5, control="Save", state="visible"),
    'Wait for "Save" to be enabled': wait("state", control="Save", state="enabled"),
    'Check that the page shows "Saved"': wait("text", value="Saved"),
}  # fmt: skip


@pytest.mark.parametrize(("sentence", "call"), STEPS.items())
def test_a_step_becomes_a_call(sentence: str, call: Call) -> None:
    assert read_step(sentence) == (call,)


def test_what_one_sentence_does_to_a_form_is_one_call() -> None:
    assert read_step(
        'Fill "Title" with "a, and b", choose "c" in "Kind", tick "Terms" and click "Save".'
    ) == (
        form(
            {"field": "Title", "value": "a, and b"},
            {"field": "Kind", "value": "c"},
            {"field": "Terms", "value": True},
            {"click": "Save"},
        ),
    )


def test_what_repeats_may_be_left_out() -> None:
    both = form({"field": "Title", "value": "a"}, {"field": "Kind", "value": "b"})
    assert read_step('Fill "Title" with "a" and "Kind" with "b"') == (both,)
    assert read_outcome('The URL contains "a" and ends with "b"') == (
        *read_outcome('The URL contains "a"'),
        *read_outcome('The URL ends with "b"'),
    )


def test_calls_of_other_tools_part_the_form_calls() -> None:
    calls = read_step('Click "A", then wait for "B" and "C", and click "D". Press Enter')
    assert calls == (
        click("A"),
        wait("text", value="B"),
        wait("text", value="C"),
        form({"click": "D"}, {"press": "Enter"}),
    )


def test_an_answer_belongs_to_what_was_done_just_before_it() -> None:
    assert read_step('Click "A", dismiss the dialog, click "B" and accept the dialog') == (
        form({"click": "A", "dialog": [{"dismiss": True}]}, {"click": "B", "dialog": [{"accept": True}]}),
    )


OUTCOMES: dict[str, list[dict[str, Any]]] = {
    'The URL contains "/runs/"': [{"kind": "url", "value": "/runs/"}],
    "URL should be /runs": [{"kind": "url", "match": "is", "value": "/runs"}],
    "The page's address doesn't match `^/x$`": [
        {"kind": "url", "match": "matches", "value": "^/x$", "absent": True}
    ],
    "I am on /runs": [{"kind": "url", "match": "is", "value": "/runs"}],
    'The title is not "Runs"': [{"kind": "title", "value": "Runs", "absent": True}],
    'The list shows "x" exactly once': [{"kind": "text", "count": 1, "value": "x", "within": "list"}],
    'The page shows "a", "b" but not "c"': [
        {"kind": "text", "value": "a"},
        {"kind": "text", "value": "b"},
        {"kind": "text", "value": "c", "absent": True},
    ],
    'I should no longer see "x" in "R"': [{"kind": "text", "value": "x", "within": "R", "absent": True}],
    '"x" appears at least twice': [{"kind": "text", "at_least": 2, "value": "x"}],
    "No 'Error' is shown": [{"kind": "text", "value": "Error", "absent": True}],
    'There is no "Error"': [{"kind": "text", "value": "Error", "absent": True}],
    'The error message "x" is visible': [{"kind": "text", "value": "x"}],
    '"Nightly" is in the list': [{"kind": "text", "value": "Nightly", "within": "list"}],
    '"x" is on the page': [{"kind": "text", "value": "x"}],
    'The page shows "a" and "b" is gone': [
        {"kind": "text", "value": "a"},
        {"kind": "text", "value": "b", "absent": True},
    ],
    'The field "Title" has the value "x"': [{"kind": "value", "field": "Title", "value": "x"}],
    'The "Title" field contains "x"': [
        {"kind": "value", "field": "Title", "match": "contains", "value": "x"}
    ],
    '"Tags" in "Form" holds "a" and "b"': [
        {"kind": "value", "field": "Tags", "within": "Form", "value": ["a", "b"]}
    ],
    '"Plan" is not "Pro"': [{"kind": "value", "field": "Plan", "value": "Pro", "absent": True}],
    '"Title" is empty': [{"kind": "state", "control": "Title", "state": "empty"}],
    '"Title" is not empty': [{"kind": "value", "field": "Title", "value": "", "absent": True}],
    'The "Save" button isn\'t enabled': [{"kind": "state", "control": "Save", "state": "disabled"}],
    'The buttons "A" and "B" are hidden': [
        {"kind": "state", "control": "A", "state": "hidden"},
        {"kind": "state", "control": "B", "state": "hidden"},
    ],
    '"Terms" is on and "News" is unticked': [
        {"kind": "state", "control": "Terms", "state": "checked"},
        {"kind": "state", "control": "News", "state": "unchecked"},
    ],
    'The "Title" field has the focus': [{"kind": "state", "control": "Title", "state": "focused"}],
    'The table "Runs" has a row with "a", "b" and "c"': [
        {"kind": "row", "holds": ["a", "b", "c"], "table": "Runs"}
    ],
    'No row of the table holds "a"': [{"kind": "row", "holds": ["a"], "absent": True}],
    'The table does not have a row with "a"': [{"kind": "row", "holds": ["a"], "absent": True}],
    "There are between 2 and 4 rows in the table": [
        {"kind": "row", "at_least": 2, "at_most": 4, "holds": []}
    ],
    "The list has three items": [{"kind": "row", "count": 3, "holds": []}],
    "The table is empty": [{"kind": "row", "holds": [], "absent": True}],
    'POST "/api/runs" was answered with 200 exactly once': [
        {"kind": "request", "count": 1, "method": "POST", "path": "/api/runs", "status": 200}
    ],
    "No DELETE request to /api/runs was sent": [
        {"kind": "request", "method": "DELETE", "path": "/api/runs", "absent": True}
    ],
    'POST "/api" was never sent': [{"kind": "request", "method": "POST", "path": "/api", "absent": True}],
    'The put request to "/x" should have been answered with 2XX at most 3 times': [
        {"kind": "request", "at_most": 3, "method": "PUT", "path": "/x", "status": "2xx"}
    ],
    "Exactly two GET requests to /x were made": [
        {"kind": "request", "count": 2, "method": "GET", "path": "/x"}
    ],
    'The dialog said "Sure?" once': [{"kind": "dialog", "count": 1, "says": "Sure?"}],
    "No dialog appeared": [{"kind": "dialog", "says": "", "absent": True}],
    'The file "a.csv" was downloaded and contains "x"': [
        {"kind": "download", "name": "a.csv", "contains": "x"}
    ],
    'A file whose name starts with "a" has been downloaded twice': [
        {"kind": "download", "count": 2, "name": "a", "match": "starts"}
    ],
    "No file was downloaded": [{"kind": "download", "name": "", "match": "contains", "absent": True}],
    "The console has no errors": [{"kind": "console"}],
    "There are no JavaScript errors.": [{"kind": "console"}],
}  # fmt: skip


@pytest.mark.parametrize(("sentence", "checks"), OUTCOMES.items())
def test_an_outcome_becomes_checks(sentence: str, checks: list[dict[str, Any]]) -> None:
    assert [to_json(check) for check in read_outcome(sentence)] == checks


@pytest.mark.parametrize(
    ("sentence", "part", "nearest"),
    [
        ('Clik "Save"', "no sentence begins like this", 'Click "Save"'),
        ('Fill "Title" by "x"', 'comes a place or “with”, not “by "x"”', 'Fill "Title" with "Nightly"'),
        ('Fill "Title"', 'after “Fill "Title"” a place or “with” is missing', 'Fill "Title" with "Nightly"'),
        ("Click New run", "names and texts of more than one word stand in quotes", 'Click "Save"'),
        ('Click "Save', "the quote that opens at “\"Save” is not closed", 'Click "Save"'),
        ('Open /a, then frob "b"', 'not “frob "b"”', 'Click "Save"'),
        ("Wait for 3 seconds", "a fixed time is always too long or too short", 'Wait until "Saved" is shown'),
        ("Go to Settings", "to follow a link, click it", 'Click "Settings"'),
        ('Click "More" at least twice', "an exact number of times", 'Click "Save"'),
        ('Click "More" 21 times', "an exact number of times", 'Click "Save"'),
        ("Click Save " * 61, "it has over 120 words", "Open /runs"),
        ("", "no sentence begins like this", ""),
    ],
)  # fmt: skip
def test_a_step_that_is_not_understood_says_where_and_shows_the_nearest(
    sentence: str, part: str, nearest: str
) -> None:
    with pytest.raises(NotUnderstood) as caught:
        read_step(sentence)
    assert part in str(caught.value)
    assert caught.value.nearest == nearest or not nearest


@pytest.mark.parametrize(
    ("sentence", "part"),
    [
        ("The page is nice", "not “is nice”"),
        ("The page shows nothing unusual", "texts"),
        ("The price should be correct", "not “correct”"),
        ('"x" is not shown twice', "“not” beside a number"),
        ('The "Save" button is not visible and enabled', "“not” before several states"),
        ("The title field is not focused", "cannot be checked"),
        ('No row does not hold "x"', "not"),
        ('No "Error" is not shown', "not"),
        ("The console is not clean", "cannot be expected"),
        ('A file whose name is not "x" was downloaded', "which file"),
        ('The value of "Tags" contains "a" and "b"', "compared as a whole"),
        ('The URL contains "a" or "b"', "not “or"),
    ],
)
def test_an_outcome_that_cannot_be_checked_is_not_understood(sentence: str, part: str) -> None:
    with pytest.raises(NotUnderstood, match=part):
        read_outcome(sentence)


@pytest.mark.parametrize("sentence", ['Do not click "Save"', "Never press Enter", 'Don\'t check "Terms"'])
def test_what_should_not_be_done_is_never_done(sentence: str) -> None:
    with pytest.raises(NotUnderstood):
        read_step(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Uncheck all checkboxes",
        'Click "Delete", then confirm',
        'Click "Delete" and confirm',
        "Open /help in a new tab",
        "Open a new tab",
        'Click the first "Edit" button',
        'Click "Save" if it is enabled',
    ],
)
def test_a_step_is_refused_rather_than_misread(sentence: str) -> None:
    with pytest.raises(NotUnderstood):
        read_step(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        'The first row shows "Nightly"',
        'First row shows "Nightly"',
        '"Nightly" is listed first',
        'The list does not contain "a" or "b"',
        "The page shows nothing",
        'The section shows "x"',
        'The "Save" button is not visible anymore',
        'The file "a.csv" does not contain "x"',
        '"x" is shown in "A" in "B"',
    ],
)
def test_an_outcome_is_refused_rather_than_misread(sentence: str) -> None:
    with pytest.raises(NotUnderstood):
        read_outcome(sentence)
