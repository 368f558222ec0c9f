"""Drawn selects: opened by whatever opens them, in portals, virtual, late, filtered, several at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tester.deadlines import Deadlines
from tester.form import form

pytestmark = pytest.mark.anyio

SOON = Deadlines(blocked=0.6)
PAGES = Path(__file__).parents[2] / "pages"
STYLE = f"<style>{(PAGES / 'lists.css').read_text()}</style><script>value = null</script>"
LISTS = {path.stem.replace("-", " "): path.read_text() for path in sorted((PAGES / "lists").glob("*.html"))}
SETS = {path.stem.replace("-", " "): path.read_text() for path in sorted((PAGES / "sets").glob("*.html"))}


@pytest.mark.parametrize("html", LISTS.values(), ids=LISTS)
async def test_an_option_is_chosen_in(html: str, open_page: Any) -> None:
    turn = await open_page(STYLE + html)
    result = await form(turn, [{"field": "Fruit", "value": "Mango"}])
    assert result["ok"], result
    assert await turn.page.evaluate("value") == "Mango"


@pytest.mark.parametrize(
    "kind", ["a select drawn with roles", "a list without any role", "a list that is searched"]
)
async def test_an_option_that_is_not_there_is_told_with_those_that_are(kind: str, open_page: Any) -> None:
    turn = await open_page(STYLE + LISTS[kind], deadlines=SOON)
    result = await form(turn, [{"field": "Fruit", "value": "Mang"}])
    assert result["steps"][0]["why"].startswith("'Fruit': no option 'Mang'; options: ")
    assert "Mango" in result["steps"][0]["why"]
    assert await turn.page.evaluate("value") is None


@pytest.mark.parametrize("html", SETS.values(), ids=SETS)
async def test_a_list_is_the_whole_wanted_set_of(html: str, open_page: Any) -> None:
    turn = await open_page(STYLE + html)
    result = await form(turn, [{"field": "Tags", "value": ["Green", "Blue"]}])
    assert result["ok"], result
    assert sorted(await turn.page.evaluate("value")) == ["Blue", "Green"]


async def test_a_text_that_is_no_option_stays_where_any_text_will_do(open_page: Any) -> None:
    turn = await open_page(
        STYLE
        + """<label for=c>Search</label><input id=c role=combobox aria-controls=o><ul role=listbox id=o hidden>
        <li role=option>tide clock</ul><script>c.oninput = () => o.hidden = false; c.onblur = () => o.hidden = true
        </script>"""
    )
    result = await form(turn, [{"field": "Search", "value": "tide tables"}])
    assert result["ok"], result
    assert "entered as text: no option of that name was offered" in result["steps"][0]["notes"]
    assert await turn.page.locator("#c").input_value() == "tide tables"
    assert await turn.page.locator("#o").is_hidden()


async def test_an_option_that_is_off_is_told_and_nothing_is_chosen(open_page: Any) -> None:
    off = LISTS["a list without any role"].replace("<div>Mango", "<div class=is-disabled>Mango")
    turn = await open_page(STYLE + off, deadlines=SOON)
    result = await form(turn, [{"field": "Fruit", "value": "Mango"}])
    assert (
        "the option 'Mango' is disabled; options that can be chosen: Apple, Apple pie"
        in result["steps"][0]["why"]
    )
    assert await turn.page.evaluate("value") is None


async def test_what_is_chosen_already_is_left_alone(open_page: Any) -> None:
    turn = await open_page(STYLE + LISTS["a select drawn with roles"].replace("Choose", "Mango"))
    result = await form(turn, [{"field": "Fruit", "value": "Mango"}])
    assert result["steps"][0]["notes"] == ["chosen already"]
    assert await turn.page.evaluate("value") is None
