"""Text of every kind: what goes in as it is, what the page writes in another way, what is refused beforehand."""

from __future__ import annotations

from typing import Any

import pytest

from tester.deadlines import Deadlines
from tester.form import form

pytestmark = pytest.mark.anyio

SOON = Deadlines(blocked=0.2)
FIELDS = {
    "text": ("<label>F <input id=f></label>", "Ada Byron", "Ada Byron"),
    "old content goes": ("<label>F <input id=f value=old></label>", "new", "new"),
    "emptied": ("<label>F <input id=f value=old></label>", "", ""),
    "email": ("<label>F <input id=f type=email></label>", "a@b.test", "a@b.test"),
    "text area": ("<label>F <textarea id=f>old</textarea></label>", "a\nb\n", "a\nb\n"),
    "letters of all kinds": ("<label>F <input id=f></label>", "Żółć 猫 🐈", "Żółć 猫 🐈"),
    "number": ("<label>F <input id=f type=number step=any></label>", 12.5, "12.5"),
    "number as people write it": ("<label>F <input id=f type=number></label>", "1,234", "1234"),
    "whole float": ("<label>F <input id=f></label>", 3.0, "3"),
    "floating label over it": (
        "<div style='position:relative'><input id=f><label for=f "
        "style='position:absolute;inset:0'>F</label></div>",
        "x",
        "x",
    ),
    "upper case on input": (
        "<label>F <input id=f oninput='value = value.toUpperCase()'></label>",
        "ab",
        "AB",
    ),
    "grouped while typing": (
        "<label>F <input id=f oninput=\"value = value.replace(/ /g, '').replace(/(.{4})(?=.)/g, '$1 ')\">"
        "</label>",
        "424242424242",
        "4242 4242 4242",
    ),
    "formatted when left": (
        "<label>F <input id=f onchange=\"value = '$' + Number(value).toFixed(2)\"></label>",
        "1234.5",
        "$1234.50",
    ),
    "keys alone are heard": (
        "<label>F <input id=f onbeforeinput='event.preventDefault()' onkeydown=\"if (event.key.length == "
        "1 && "
        '!event.ctrlKey) value += event.key"></label>',
        "abc",
        "abc",
    ),
    "refills when emptied": (
        "<label>F <input id=f value=0.00 oninput=\"if (!value) value = '0.00'\"></label>",
        "12.50",
        "12.50",
    ),
}


@pytest.mark.parametrize(("html", "value", "holds"), FIELDS.values(), ids=FIELDS)
async def test_text_goes_in_and_reads_back(html: str, value: Any, holds: str, open_page: Any) -> None:
    turn = await open_page(html, deadlines=SOON)
    result = await form(turn, [{"field": "F", "value": value}])
    assert result["ok"], result
    assert await turn.page.locator("#f").input_value() == holds


async def test_lines_go_into_an_editable_region_as_the_page_sees_them(open_page: Any) -> None:
    turn = await open_page(
        "<p>F</p><div id=f contenteditable style='border:1px solid'>old<div>text</div></div>"
    )
    result = await form(turn, [{"field": "F", "value": "a\nb"}])
    assert result["ok"], result
    assert await turn.page.locator("#f").inner_text() == "a\nb"


async def test_a_field_hears_input_change_and_blur(open_page: Any) -> None:
    turn = await open_page(
        "<label>F <input id=f></label><script>seen = []; for (const type of "
        "['focus', 'input', 'keyup', 'change', 'blur']) f.addEventListener(type, () "
        "=> seen.push(type))</script>"
    )
    await form(turn, [{"field": "F", "value": "x"}])
    assert await turn.page.evaluate("seen") == ["focus", "input", "keyup", "change", "blur"]


REFUSED = [
    (
        "<label>F <input id=f maxlength=3></label>",
        "abcd",
        "takes at most 3 characters (maxlength); these are 4",
    ),
    ("<label>F <input id=f></label>", "a\nb", "takes one line, not several"),
    ("<label>F <input id=f></label>", True, "takes text, not true"),
    ("<label>F <input id=f type=number></label>", "many", "takes a number, not 'many'"),
    ("<label>F <input id=f type=color></label>", "reddish", "takes a colour such as #1e90ff"),
]


@pytest.mark.parametrize(("html", "value", "why"), REFUSED, ids=[why for _, _, why in REFUSED])
async def test_what_a_field_cannot_take_is_said_before_anything_is_typed(
    html: str, value: Any, why: str, open_page: Any
) -> None:
    turn = await open_page(html + "<script>f.oninput = () => f.dataset.touched = 1</script>", deadlines=SOON)
    result = await form(turn, [{"field": "F", "value": value}])
    assert why in result["steps"][0]["why"]
    assert await turn.page.locator("#f").get_attribute("data-touched") is None


async def test_a_field_that_is_off_is_told_with_the_reason(open_page: Any) -> None:
    turn = await open_page("<label>F <input readonly value=x title='Ask the office'></label>", deadlines=SOON)
    result = await form(turn, [{"field": "F", "value": "y"}])
    assert "'F' is read-only" in result["steps"][0]["why"]


async def test_text_survives_a_form_that_is_drawn_anew_all_the_time(open_page: Any) -> None:
    turn = await open_page(
        "<div id=p></div><script>value = ''; draw = () => { p.innerHTML = '<label>F <input></label>'; "
        "const f = p.querySelector('input'); f.value = value; f.oninput = () => value = f.value }; "
        "draw(); setInterval(draw, 120)</script>"
    )
    result = await form(turn, [{"field": "F", "value": "a longer text"}])
    assert result["ok"], result
    assert await turn.page.evaluate("value") == "a longer text"
