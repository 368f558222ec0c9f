"""Native selects: by label, value or beginning; single and multiple; options that come late, or are off."""

from __future__ import annotations

from typing import Any

import pytest

from tester.deadlines import Deadlines
from tester.form import form

pytestmark = pytest.mark.anyio

SOON = Deadlines(blocked=0.2)
SIZES = (
    "<label>Size <select id=f><option value=''>Choose<option value=s>Small<option value=m>Medium (2 kg)"
    "<option value=l disabled>Large</select></label>"
)
TOPS = (
    "<label>Tops <select id=f multiple><optgroup label=Green><option selected>Basil<option>Rocket</optgroup>"
    "<optgroup label=Meat><option>Ham</optgroup></select></label>"
)


@pytest.mark.parametrize(
    ("asked", "chosen"), [("Small", "s"), ("small", "s"), ("s", "s"), ("Medium (2 kg)", "m"), ("Medium", "m")]
)
async def test_an_option_is_chosen_by_label_value_or_beginning(
    asked: str, chosen: str, open_page: Any
) -> None:
    turn = await open_page(SIZES, deadlines=SOON)
    result = await form(turn, [{"field": "Size", "value": asked}])
    assert result["ok"], result
    assert await turn.page.locator("#f").input_value() == chosen


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("Huge", "no option 'Huge'; options: Choose, Small, Medium (2 kg)"),
        ("Large", "the option 'Large' is disabled; options that can be chosen: Choose, Small, Medium (2 kg)"),
        (True, "takes one of its options, not true"),
        (["Small", "Medium"], "takes one option, not 2"),
    ],
)
async def test_what_cannot_be_chosen_is_told_with_what_can(asked: Any, why: str, open_page: Any) -> None:
    turn = await open_page(SIZES, deadlines=SOON)
    result = await form(turn, [{"field": "Size", "value": asked}])
    assert why in result["steps"][0]["why"]
    assert await turn.page.locator("#f").input_value() == ""


@pytest.mark.parametrize("asked", [["Rocket", "Ham"], ["Ham"], [], "Ham"])
async def test_a_list_is_the_whole_wanted_set(asked: Any, open_page: Any) -> None:
    turn = await open_page(TOPS)
    result = await form(turn, [{"field": "Tops", "value": asked}])
    assert result["ok"], result
    chosen = await turn.page.evaluate("[...f.selectedOptions].map(one => one.text)")
    assert chosen == (asked if isinstance(asked, list) else [asked])


async def test_an_option_that_arrives_late_is_waited_for(open_page: Any) -> None:
    turn = await open_page(
        "<label>Size <select id=f><option>Loading…</select></label><script>setTimeout(() => f.innerHTML "
        "= '<option>One<option>Two', 300)</script>"
    )
    result = await form(turn, [{"field": "Size", "value": "Two"}])
    assert result["ok"], result


async def test_the_page_hears_of_the_choice_and_that_the_field_was_left(open_page: Any) -> None:
    turn = await open_page(
        SIZES + "<script>seen = []; for (const type of ['focus', 'input', 'change', 'blur']) "
        "f.addEventListener(type, () => seen.push(type))</script>"
    )
    await form(turn, [{"field": "Size", "value": "Small"}])
    assert await turn.page.evaluate("seen") == ["focus", "input", "change", "blur"]


async def test_a_long_list_of_options_is_cut_short_in_the_reason(open_page: Any) -> None:
    options = "".join(f"<option>Option number {n}" for n in range(5000))
    turn = await open_page(f"<label>Size <select>{options}</select></label>", deadlines=SOON)
    result = await form(turn, [{"field": "Size", "value": "None such"}])
    assert len(result["steps"][0]["why"]) <= 300
    assert "5000" in result["steps"][0]["why"]
