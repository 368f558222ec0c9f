"""Dates and times as people write them, and as controls hold them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tester.controls.dates import for_control, in_pattern, read_moment
from tester.deadlines import Deadlines
from tester.form import form


@pytest.mark.parametrize(
    ("kind", "text", "held"),
    [
        ("date", "2026-03-14", "2026-03-14"),
        ("date", "14.03.2026", "2026-03-14"),
        ("date", "3/14/2026", "2026-03-14"),
        ("date", "14/3/2026", "2026-03-14"),
        ("date", "March 14, 2026", "2026-03-14"),
        ("date", "14 Mar 2026", "2026-03-14"),
        ("date", "14th of nothing", None),
        ("date", "2026-02-30", None),
        ("time", "08:05", "08:05"),
        ("time", "8:05 pm", "20:05"),
        ("time", "12:10 am", "00:10"),
        ("time", "8 pm", "20:00"),
        ("time", "08:05:09", "08:05:09"),
        ("datetime-local", "2026-03-14T06:30", "2026-03-14T06:30"),
        ("datetime-local", "14 March 2026, 6:30 pm", "2026-03-14T18:30"),
        ("datetime-local", "2026-03-14", None),
        ("month", "2026-11", "2026-11"),
        ("month", "11/2026", "2026-11"),
        ("month", "November 2026", "2026-11"),
        ("month", "2026-13", None),
        ("week", "2026-W10", "2026-W10"),
        ("week", "week 10, 2026", "2026-W10"),
        ("week", "2026-03-14", "2026-W11"),
        ("week", "2025-W53", None),
    ],
)
def test_a_control_gets_its_own_form(kind: str, text: str, held: str | None) -> None:
    assert for_control(kind, text) == held


@pytest.mark.parametrize(
    ("pattern", "written"),
    [
        ("dd.mm.yyyy", "04.03.2026"),
        ("MM/DD/YYYY", "03/04/2026"),
        ("d-m-yy", "4-3-26"),
        ("yyyy-mm-dd", "2026-03-04"),
        ("TT.MM.JJJJ", "04.03.2026"),
        ("jj/mm/aaaa", "04/03/2026"),
        ("Choose a date", None),
        ("", None),
    ],
)
def test_a_placeholder_tells_how_a_date_is_written(pattern: str, written: str | None) -> None:
    assert in_pattern(pattern, date(2026, 3, 4)) == written


@given(
    some.dates(min_value=date(1000, 1, 1)),
    some.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%B %d, %Y", "%d %b %Y"]),
)
def test_what_was_written_is_read_back(day: date, pattern: str) -> None:
    assert read_moment(day.strftime(pattern)).day == day


@settings(deadline=None)
@given(some.text())
def test_any_text_is_read_or_left(text: str) -> None:
    for kind in ("date", "time", "datetime-local", "month", "week"):
        for_control(kind, text)


NATIVE = [
    ("date", "14 March 2026", "2026-03-14"),
    ("time", "8:05 am", "08:05"),
    ("datetime-local", "2026-03-14 06:30", "2026-03-14T06:30"),
    ("month", "Nov 2026", "2026-11"),
    ("week", "2026-W10", "2026-W10"),
]


@pytest.mark.anyio
async def test_native_inputs_take_what_people_write(open_page: Any) -> None:
    turn = await open_page(
        "".join(f"<label>{kind} <input type={kind} id={kind}></label>" for kind, _, _ in NATIVE)
    )
    result = await form(turn, [{"field": kind, "value": value} for kind, value, _ in NATIVE])
    assert result["ok"], result
    assert [await turn.page.locator(f"#{kind}").input_value() for kind, _, _ in NATIVE] == [
        held for _, _, held in NATIVE
    ]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("soon", "takes a date (2026-03-14), not 'soon'"),
        ("2027-01-01", "takes 2026-01-01 to 2026-12-31; 2027-01-01 is outside"),
    ],
)
async def test_a_date_out_of_reach_is_said_beforehand(value: str, why: str, open_page: Any) -> None:
    turn = await open_page(
        "<label>From <input type=date min=2026-01-01 max=2026-12-31></label>",
        deadlines=Deadlines(blocked=0.2),
    )
    result = await form(turn, [{"field": "From", "value": value}])
    assert why in result["steps"][0]["why"]
