"""The forms of outcome sentences: what can be expected, and the checks that each becomes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scenarios.checks import (
    AnyCheck,
    Console,
    Dialog,
    Download,
    Request,
    Row,
    State,
    Text,
    Title,
    Url,
    Value,
)
from scenarios.grammar.forms import Form, Unclear
from scenarios.grammar.grammar import Grammar
from scenarios.grammar.slots import SLOTS

Checks = tuple[AnyCheck, ...]
Said = dict[str, Any]
"""What a slot gives for some keys of a check: how to compare, or how often."""

_OPPOSITES = {"enabled": "disabled", "checked": "unchecked", "visible": "hidden"}
_OPPOSITES |= {right: left for left, right in _OPPOSITES.items()}


def _counted(absent: bool, count: Said | None) -> Said:
    if absent and count is not None:
        raise Unclear("“not” beside a number has two meanings; say “at most”, “exactly” or “never”")
    return {"absent": absent, **(count or {})}


def _url(text: str, match: Said) -> Checks:
    return (Url(value=text, **match),)


def _at(address: str, absent: bool) -> Checks:
    return (Url(match="is", value=address, absent=absent),)


def _title(text: str, match: Said) -> Checks:
    return (Title(value=text, **match),)


def _shows(
    texts: list[str],
    absent: bool,
    within: str | None = None,
    count: Said | None = None,
    others: list[str] | None = None,
) -> Checks:
    how = _counted(absent, count)
    shown = [Text(value=text, within=within, **how) for text in texts]
    hidden = [Text(value=text, within=within, absent=not absent) for text in others or ()]
    return (*shown, *hidden)


def _hides(texts: list[str], absent: bool, within: str | None = None) -> Checks:
    return _shows(texts, not absent, within)


def _holds(name: str, values: str | list[str], absent: bool, within: str | None = None) -> Checks:
    return (Value(field=name, within=within, value=values, absent=absent),)


def _value(name: str, values: str | list[str], match: Said, within: str | None = None) -> Checks:
    if isinstance(values, list) and match["match"] != "is":
        raise Unclear("several values are compared as a whole: say “is” or “holds”")
    return (Value(field=name, within=within, value=values, **match),)


def state_checks(
    names: list[str], states: Sequence[tuple[str, bool]], absent: bool, within: str | None = None
) -> Checks:
    """That each control is in each state; a state comes with whether "not" stood before it."""
    if absent and len(states) > 1:
        raise Unclear("“not” before several states has two meanings; say it of each")
    return tuple(
        _one_state(name, state, absent or negated, within) for name in names for state, negated in states
    )


def _one_state(name: str, state: str, absent: bool, within: str | None) -> AnyCheck:
    if absent and state == "empty":
        return Value(field=name, within=within, value="", absent=True)
    if absent and state not in _OPPOSITES:
        raise Unclear(f"that something is not {state} cannot be checked")
    return State.model_validate(
        {"control": name, "within": within, "state": _OPPOSITES[state] if absent else state}
    )


def _rows(
    absent: bool, texts: list[str] | None = None, table: str | None = None, count: Said | None = None
) -> Checks:
    return (Row(holds=texts or [], table=table, **_counted(absent, count)),)


def _no_rows(table: str | None, absent: bool) -> Checks:
    return _rows(not absent, table=table)


def _request(
    text: str,
    absent: bool,
    method: str | None = None,
    status: int | str | None = None,
    count: Said | None = None,
) -> Checks:
    return (Request(method=method, path=text, status=status, **_counted(absent, count)),)


def _succeeded(**said: Any) -> Checks:
    return _request(status="2xx", **said)


def _dialog(absent: bool, text: str = "", count: Said | None = None) -> Checks:
    return (Dialog(says=text, **_counted(absent, count)),)


def _download(
    absent: bool,
    file: str | None = None,
    match: Said | None = None,
    inside: str | None = None,
    count: Said | None = None,
) -> Checks:
    how: Said = {"match": "is"} if match is None else match
    if how.get("absent"):
        raise Unclear("say which file was not downloaded, not which name it did not have")
    if file is None:
        return (Download(name="", match="contains", contains=inside, **_counted(absent, count)),)
    return (Download(name=file, contains=inside, **{**how, **_counted(absent, count)}),)


def _inside(file: str, inside: str, absent: bool) -> Checks:
    if absent:
        raise Unclear("what a file does not contain cannot be checked")
    return (Download(name=file, contains=inside),)


def _console(absent: bool = False) -> Checks:
    if absent:
        raise Unclear("that the console has errors cannot be expected")
    return (Console(),)


_HOLDING = "(with/holding/containing/showing/for|that hold/contain/show/has)"
_OF = "in/of/on LIST"
_REQUEST = "[NO] [AMOUNT] ([request] METHOD [request/call] [to/on/for]|request to) TEXT"
_SEEN = "shown/visible/displayed/present/there/listed/seen"
_BUT = "[but not OTHERS]"
_DIALOG = "dialog/alert/prompt/confirmation/popup [dialog/box]"
_INSIDE = "[and contain/containing/with INSIDE]"
_ERROR = "[console/script/javascript] error [message]"

OUTCOMES: Grammar[Checks] = Grammar(
    SLOTS,
    Form(
        "The address of the page",
        _url,
        ("[current/page] url/address/location [of page] MATCH TEXT",),
        ('The URL contains "/runs/"', 'The address of the page does not end with "/new"'),
    ),
    Form(
        "The address of the page",
        _at,
        ("~be (at/on|redirected/taken to) [page] ADDRESS",),
        ("I am on /runs",),
    ),
    Form(
        "The title of the page",
        _title,
        ("[page/window/tab/document] title [of page/window/tab/document] MATCH TEXT",),
        ('The title is "Runs"', 'The page title starts with "Run"'),
    ),
    Form(
        "The console",
        _console,
        (
            "console ~have/show/contain no errors",
            "console ~be clean/empty",
            "there ~be no (console/script/javascript error|error in/on console)",
            "no (console/script/javascript error|error in/on console) [~appear|~be logged]",
            "no error ~be logged to console",
        ),
        ("The console has no errors", "There are no script errors"),
    ),
    Form(
        "Requests",
        _request,
        (
            f"{_REQUEST} ~be answered [with] [status] STATUS [COUNT]",
            f"{_REQUEST} ~return/answer/give/respond [with] [status] STATUS [COUNT]",
            "[NO] [AMOUNT] METHOD [request/call] ~be sent/made to TEXT [COUNT]",
            f"{_REQUEST} ~be sent/made/called/requested/received [COUNT]",
        ),
        (
            'POST "/api/runs" was answered with 200 exactly once',
            'No DELETE request to "/api/runs" was sent',
            "GET /api/runs returned 2xx at least twice",
        ),
    ),
    Form("Requests", _succeeded, (f"{_REQUEST} ~succeed [COUNT]",), ("POST /api/runs succeeded once",)),
    Form(
        "Native dialogs",
        _dialog,
        (
            f"[NO] {_DIALOG} ~say/ask/read TEXT [COUNT]",
            f"[NO] {_DIALOG} ~appear/open [COUNT]",
            f"[NO] {_DIALOG} ~be shown/opened/open [COUNT]",
            f"there ~be [NO] {_DIALOG}",
        ),
        ('The dialog said "Delete this run?"', "No dialog appeared"),
    ),
    Form(
        "Downloads",
        _download,
        (
            f"[NO] file [named/called] [FILE] ~be downloaded [COUNT] {_INSIDE}",
            f"[NO] file whose name MATCH FILE ~be downloaded [COUNT] {_INSIDE}",
            f"FILE ~be downloaded [COUNT] {_INSIDE}",
        ),
        (
            'The file "runs.csv" was downloaded and contains "Nightly"',
            'A file whose name ends with ".csv" was downloaded',
        ),
    ),
    Form(
        "Downloads",
        _inside,
        ("download/file FILE ~contain INSIDE",),
        ('The file "runs.csv" contains "Nightly"',),
    ),
    Form(
        "Rows of a table, items of a list",
        _rows,
        (
            f"LIST ~have/contain/show [AMOUNT] row/item/entry/entries [{_HOLDING} TEXTS] [COUNT]",
            f"there ~be [AMOUNT] row/item/entry/entries [{_HOLDING} TEXTS] [COUNT] [{_OF}]",
            f"[NO] row/item/entry [{_OF}] ~hold/contain/show/have TEXTS [COUNT] [{_OF}]",
        ),
        (
            'The table "Runs" has a row with "Nightly" and "Mixed"',
            'No row holds "Weekly"',
            "The list has at least 3 items",
        ),
    ),
    Form(
        "Rows of a table, items of a list",
        _no_rows,
        ("TABLE ~be empty",),
        ("The table is empty",),
    ),
    Form(
        "What a field holds",
        _holds,
        ("VALUES ~be selected/chosen in/for NAME",),
        ('"Mixed" is selected in "Kind"',),
    ),
    Form(
        "The state of a control",
        state_checks,
        ("CONTROLS [PLACE] ~be STATES [PLACE]", "NAMES [PLACE] ~have FOCUS"),
        (
            'The "Save" button is disabled',
            'The checkbox "Terms" is visible and not checked',
            '"Title" has the focus',
        ),
    ),
    Form(
        "What a field holds",
        _holds,
        (
            "FIELD [PLACE] ~hold/have/show/read [value] VALUES [selected] [PLACE]",
            "NAME [PLACE] ~hold [value] VALUES [PLACE]",
            "NAME [PLACE] ~have value VALUES [PLACE]",
            "NAME [PLACE] ~be set to VALUES [PLACE]",
        ),
        (
            'The "Title" field holds "Nightly"',
            '"Tags" holds "a" and "b"',
            '"Plan" in "Billing" is set to "Pro"',
        ),
    ),
    Form(
        "What a field holds",
        _value,
        ("value of NAME [PLACE] MATCH VALUES", "FIELD [PLACE] MATCH VALUES [PLACE]"),
        ('The value of "Title" is not "Weekly"', 'The field "Title" starts with "Night"'),
    ),
    Form(
        "Texts that can be seen",
        _shows,
        (
            f"PART ~show/contain/display/list/include/have TEXTS [COUNT] [PLACE] {_BUT}",
            f"~see TEXTS [COUNT] [PLACE] {_BUT}",
            f"toast/notice/banner/message ~say/show/read TEXTS [COUNT] {_BUT}",
            f"[NO] TEXTS [PLACE] ~be {_SEEN} [COUNT] [PLACE]",
            "[NO] TEXTS [PLACE] ~appear [COUNT] [PLACE]",
            "TEXTS ~be [COUNT] PLACE",
            "there ~be TEXTS [COUNT] [PLACE]",
        ),
        (
            'The list shows "Nightly" once',
            'I see "Saved" and "Run 7"',
            '"Error" is not shown',
            '"Nightly" appears at most twice in "Runs"',
            'The page shows "Open" but not "Closed"',
        ),
    ),
    Form(
        "Texts that can be seen",
        _hides,
        (
            "TEXTS [PLACE] ~be gone/absent/hidden/missing/invisible [PLACE]",
            "TEXTS [PLACE] ~disappear/vanish [PLACE]",
        ),
        ('"Loading" is gone',),
    ),
    Form(
        "The state of a control",
        state_checks,
        ("NAMES [PLACE] ~be STATES [PLACE]",),
        ('"Save" and "Delete" are enabled', '"Title" is empty'),
    ),
    Form("What a field holds", _holds, ("NAME [PLACE] ~be [exactly] VALUES",), ('"Plan" is "Pro"',)),
)
