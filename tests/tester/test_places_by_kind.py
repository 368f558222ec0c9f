"""A part of the page may be called by its kind alone, as the sentences do: the list, the table, the dialog."""

from __future__ import annotations

from typing import Any

import pytest

from scenarios.sentences import read_outcome, read_step
from tester.checks import run_checks
from tester.form import form

pytestmark = pytest.mark.anyio

PAGE = """<h1>Runs</h1><p role=status>Created Nightly</p>
<ul><li>Nightly</li><li>Weekly</li></ul>
<form><button type=button onclick="document.title='form'">OK</button></form>
<dialog open><p>Sure?</p><button onclick="document.title='dialog'">OK</button></dialog>"""


async def test_texts_are_looked_for_in_the_list_alone(open_page: Any) -> None:
    turn = await open_page(PAGE)
    checks = [
        *read_outcome('The list shows "Nightly" once'),
        *read_outcome('The dialog does not show "Nightly"'),
        *read_outcome('The page shows "Nightly" twice'),
        *read_outcome('The table shows "Nightly"'),
    ]
    assert [one.holds for one in await run_checks(turn, checks)] == [True, True, True, False]


async def test_a_click_in_the_dialog_is_made_there(open_page: Any) -> None:
    turn = await open_page(PAGE)
    (call,) = read_step('Click "OK" in the dialog')
    assert (await form(turn, call.input["entries"]))["ok"]
    assert await turn.page.title() == "dialog"


async def test_what_is_named_like_a_kind_comes_first(open_page: Any) -> None:
    turn = await open_page(PAGE + "<section aria-label=list>Hourly</section>")
    named, other = [
        (await run_checks(turn, read_outcome(f'The list shows "{text}"')))[0].holds
        for text in ("Hourly", "Weekly")
    ]
    assert named
    assert not other
