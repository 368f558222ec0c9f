"""Dates that are picked, typed in sections, or written as the field writes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tester.deadlines import Deadlines
from tester.form import form

pytestmark = pytest.mark.anyio

SOON = Deadlines(blocked=0.3)
FOLDER = Path(__file__).parents[2] / "pages" / "calendars"
PAGES = {path.stem.replace("-", " "): path.read_text("utf-8") for path in sorted(FOLDER.glob("*.html"))}


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
@pytest.mark.parametrize("day", ["2026-04-30", "2025-12-01"])
async def test_a_day_gets_into(html: str, day: str, open_page: Any) -> None:
    turn = await open_page(f"<script>value = null</script>{html}")
    result = await form(turn, [{"field": "Day", "value": day}])
    assert result["ok"], result
    assert await turn.page.evaluate("value") == day


async def test_a_day_that_is_off_is_told(open_page: Any) -> None:
    html = PAGES["a read only field with a calendar"].replace('class="day ', 'class="day disabled ')
    turn = await open_page(f"<script>value = null</script>{html}", deadlines=SOON)
    result = await form(turn, [{"field": "Day", "value": "2026-03-05"}])
    assert result["steps"][0]["why"] == "'Day': 2026-03-05 cannot be chosen, it is disabled"
    assert await turn.page.evaluate("value") is None


async def test_a_read_only_field_that_opens_nothing_is_told(open_page: Any) -> None:
    turn = await open_page("<label>Day <input readonly value=x></label>", deadlines=SOON)
    result = await form(turn, [{"field": "Day", "value": "2026-03-05"}])
    assert result["steps"][0]["why"] == "'Day' is read-only, and nothing opens when it is pressed"
