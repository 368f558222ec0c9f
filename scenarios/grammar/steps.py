"""The forms of step sentences: what can be asked for, and the tool calls that each becomes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

from scenarios.checks import Text, to_json
from scenarios.grammar.forms import Form, Unclear
from scenarios.grammar.grammar import Grammar
from scenarios.grammar.keys import read_key
from scenarios.grammar.outcomes import OUTCOMES, Checks, state_checks
from scenarios.grammar.parts import Line, Slot
from scenarios.grammar.readers import named, several, single_or_list
from scenarios.grammar.slots import SLOTS, WORD

MOST_TIMES = 20
"""One sentence repeats a click or a key at most so often."""


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call: the tool's name and its input."""

    tool: str
    input: dict[str, Any]


Calls = tuple[Call, ...]
Count = dict[str, int]


def _entry(**said: Any) -> Call:
    return Call("form", {"entries": [{key: value for key, value in said.items() if value is not None}]})


def _one(do: str, name: str, **more: Any) -> Calls:
    return (_entry(**{do: name}, **more),)


def _each(do: str, names: list[str], count: Count | None = None, **more: Any) -> Calls:
    return tuple(_entry(**{do: name}, **more) for name in names for _ in range(_times(count)))


def _times(count: Count | None) -> int:
    if count is None:
        return 1
    if not 0 < count.get("count", 0) <= MOST_TIMES:
        raise Unclear(f"a thing is done an exact number of times, from 1 to {MOST_TIMES}")
    return count["count"]


def _fill(name: str, values: str | list[str] | bool, within: str | None = None) -> Calls:
    return _one("field", name, value=values, within=within)


def _press(keys: list[str], name: str | None = None, count: Count | None = None) -> Calls:
    return _each("press", keys, count, field=name)


def _sign_in(user: str, password: str) -> Calls:
    return (_entry(sign_in={"user": user, "password": password}),)


def _answer(**answer: Any) -> Calls:
    return (_entry(dialog=[answer]),)


def _call(tool: str, **input: Any) -> Calls:
    return (Call(tool, input),)


def _wait_until(outcomes: list[Checks], duration: float | None = None) -> Calls:
    limit = {} if duration is None else {"seconds": duration}
    return tuple(
        Call("wait_for", {"check": to_json(check), **limit}) for checks in outcomes for check in checks
    )


def _wait_for(
    texts: list[str], within: str | None = None, duration: float | None = None, absent: bool = False
) -> Calls:
    checks = tuple(Text(value=text, within=within, absent=absent) for text in texts)
    return _wait_until([checks], duration)


def _wait_for_state(
    names: list[str],
    states: tuple[tuple[str, bool], ...] = (("visible", False),),
    within: str | None = None,
    duration: float | None = None,
) -> Calls:
    return _wait_until([state_checks(names, states, absent=False, within=within)], duration)


def _follow(name: str) -> NoReturn:
    raise Unclear("an address begins with “/” or “http://”; to follow a link, click it")


def _only_wait(duration: float) -> NoReturn:
    raise Unclear("a fixed time is always too long or too short; wait until something holds")


def _tab(line: Line, at: int) -> Iterator[tuple[int, str]]:
    """A tab of the browser by its title, by a part of its address, by its number, or as the last one."""
    at = line.past_articles(at)
    ordinal = _ORDINALS.get(line.said(at), line.said(at) if line.said(at).isdecimal() else None)
    if ordinal and line.said(at + 1) == "tab":
        yield at + 2, ordinal
    elif line.said(at) == "tab" and line.said(at + 1).isdecimal():
        yield at + 2, line.said(at + 1)
    else:
        yield from named(frozenset({"tab"}))(line, at)


_ORDINALS = {
    "first": "1",
    "second": "2",
    "third": "3",
    "fourth": "4",
    "new": "last",
    "newest": "last",
    "last": "last",
}
_DIALOG = "dialog/alert/prompt/confirmation/popup [dialog/box]"
_PATIENTLY = "[up to DURATION|at most DURATION]"

STEP_SLOTS = {
    **SLOTS,
    "KEYS": Slot(
        several(read_key), "keys: `Enter`, `Ctrl+A`, `the down arrow`, or several, one after the other"
    ),
    "TAB": Slot(_tab, 'a tab of the browser: `the tab "Help"`, `tab 2`, `the second tab`, `the new tab`'),
    "VALUES": Slot(
        single_or_list(WORD), "a value: a text or a word, or several for a field that holds several"
    ),
    "OUTCOMES": Slot(several(OUTCOMES.clause), 'outcomes: `the URL contains "/runs/"`, `"Saved" is shown`'),
}

STEPS: Grammar[Calls] = Grammar(
    STEP_SLOTS,
    Form(
        "Open an address",
        lambda address: _call("navigate", url=address),
        (
            "open/visit/load/start/begin [at/on/with/from] [page] ADDRESS [page]",
            "(go|navigate|browse) to [page] ADDRESS [page]",
        ),
        ("Open /runs", "Start at `/runs`", 'Go to "http://127.0.0.1:8600/"'),
    ),
    Form(
        "Go back, forward, reload", partial(_call, "navigate", go="back"), ("go/navigate back",), ("Go back",)
    ),
    Form(
        "Go back, forward, reload",
        partial(_call, "navigate", go="forward"),
        ("go/navigate forward",),
        ("Go forward",),
    ),
    Form(
        "Go back, forward, reload",
        partial(_call, "navigate", go="reload"),
        ("reload/refresh [page]",),
        ("Reload the page",),
    ),
    Form(
        "Tabs of the browser",
        lambda tab: _call("tabs", switch=tab),
        ("switch/change/go/return [back] to TAB",),
        ('Switch to the tab "Help"', "Switch to the second tab"),
    ),
    Form(
        "Tabs of the browser",
        lambda tab="": _call("tabs", close=tab),
        ("close [current] tab", "close TAB"),
        ("Close the tab", 'Close the "Help" tab'),
    ),
    Form(
        "Sign in",
        _sign_in,
        ("(sign/log in|login) [as/with/using] [user/username] USER with/using/and [password] PASSWORD",),
        ('Sign in as "admin" with {{ADMIN_PASSWORD}}',),
    ),
    Form(
        "Native dialogs",
        partial(_answer, accept=True),
        (f"accept/confirm {_DIALOG}",),
        ('Click "Delete" and accept the dialog', "Accept the dialog"),
    ),
    Form(
        "Native dialogs",
        partial(_answer, dismiss=True),
        (f"dismiss/cancel/reject {_DIALOG}",),
        ("Dismiss the dialog",),
    ),
    Form(
        "Native dialogs",
        lambda text: _answer(accept=text),
        (f"answer {_DIALOG} with TEXT",),
        ('Click "Rename" and answer the dialog with "Weekly"',),
    ),
    Form(
        "Wait",
        _wait_until,
        (
            f"wait {_PATIENTLY} until/till OUTCOMES",
            "wait until/till OUTCOMES for (up to|at most) DURATION",
        ),
        ('Wait until the URL contains "/runs/"', 'Wait up to 30 seconds until "Loading" is gone'),
    ),
    Form(
        "Wait",
        _wait_for,
        (
            f"wait {_PATIENTLY} for TEXTS [PLACE] [to (appear|be shown/visible)] [PLACE]",
            f"wait {_PATIENTLY} for PART to show/contain/display TEXTS",
        ),
        ('Wait for "Saved"',),
    ),
    Form(
        "Wait",
        partial(_wait_for, absent=True),
        (f"wait {_PATIENTLY} for TEXTS [PLACE] to (disappear/vanish|be gone/hidden)",),
        ('Wait for "Loading" to disappear',),
    ),
    Form(
        "Wait",
        _wait_for_state,
        (
            f"wait {_PATIENTLY} for CONTROLS [PLACE] [to appear]",
            f"wait {_PATIENTLY} for NAMES [PLACE] to be STATES",
        ),
        ('Wait for the "Save" button', 'Wait for "Save" to be enabled'),
    ),
    Form("", _only_wait, ("wait/pause/sleep [for] DURATION",), ('Wait until "Saved" is shown',)),
    Form(
        "Make sure of something",
        _wait_until,
        ("check/verify/expect/assert/ensure/confirm/see [that] OUTCOMES", "make sure [that] OUTCOMES"),
        ('Check that the page shows "Saved"', 'Make sure that "Save" is disabled'),
    ),
    Form("Make sure of something", _wait_for, ("see TEXTS [PLACE]",), ('Click "Save" and see "Saved"',)),
    Form(
        "Press keys",
        _press,
        ("press/hit KEYS [COUNT] [in NAME]",),
        ("Press Enter", 'Press Ctrl+A in "Title"', "Press the Tab key twice"),
    ),
    Form(
        "Click",
        partial(_each, "click", double=True),
        ("(double click|double-click|doubleclick) [on] NAMES [PLACE]",),
        ('Double-click "Nightly"',),
    ),
    Form(
        "Set a field",
        _fill,
        ("set/switch/turn NAME [PLACE] to SWITCH",),
        ('Set "News" to on',),
    ),
    Form(
        "Set a field",
        _fill,
        (
            "fill [in/out] NAME [PLACE] with/using VALUES [PLACE]",
            "type/enter/write/put/input VALUES [in/into/to/for/as] NAME [PLACE]",
            "set/change [value of] NAME [PLACE] to VALUES [PLACE]",
        ),
        (
            'Fill "Title" with "Nightly"',
            'Type "x" into "Name"',
            'Enter "x" as the title',
            'Set "Plan" to "Pro" in "Billing"',
        ),
    ),
    Form(
        "Set a field",
        partial(_each, "field", value=""),
        ("clear/empty NAMES [PLACE]", "leave NAMES [PLACE] empty/blank"),
        ('Clear "Title"',),
    ),
    Form(
        "Upload files",
        partial(_one, "upload"),
        (
            "upload/attach FILES to/into/in/as/for/on NAME [PLACE]",
            "choose/select/pick file FILES in/for NAME [PLACE]",
        ),
        ('Upload "avatar.png" to "Avatar"',),
    ),
    Form(
        "Choose",
        _fill,
        ("choose/select/pick VALUES in/from/for/as NAME [PLACE]",),
        ('Choose "Mixed" in "Kind"', 'Select "a", "b" and "c" in "Tags"'),
    ),
    Form(
        "Check and uncheck",
        partial(_each, "field", value=True),
        (
            "check/tick/enable NAMES [PLACE]",
            "switch/turn on NAMES [PLACE]",
            "set/switch/turn NAMES on [PLACE]",
        ),
        ('Check "Terms"', 'Switch on "News" and "Ads"'),
    ),
    Form(
        "Check and uncheck",
        partial(_each, "field", value=False),
        (
            "uncheck/untick/disable NAMES [PLACE]",
            "switch/turn off NAMES [PLACE]",
            "set/switch/turn NAMES off [PLACE]",
        ),
        ('Uncheck "Terms"', 'Turn off "News"'),
    ),
    Form("Move the mouse", partial(_one, "hover"), ("hover [over/on] NAME [PLACE]",), ('Hover over "Help"',)),
    Form(
        "Move the mouse",
        partial(_one, "drag"),
        ("drag [and drop] NAME [PLACE] to/onto/into/on TARGET",),
        ('Drag "Card A" to "Done"',),
    ),
    Form(
        "Click",
        partial(_each, "click"),
        (
            "click/press/tap/push/hit [on] NAMES [COUNT] [PLACE]",
            "choose/select/pick/open/follow NAMES [PLACE]",
        ),
        (
            'Click "Save"',
            'Press the "Edit" button in the row "Nightly"',
            'Open the "File" menu',
            'Click "More" twice',
        ),
    ),
    Form("", _follow, ("(go|navigate|browse) to NAME",), ('Click "Settings"',)),
)
