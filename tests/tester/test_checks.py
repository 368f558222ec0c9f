from __future__ import annotations

from typing import Any

import pytest

from scenarios.checks import CHECK
from tester.checks import run_check

pytestmark = pytest.mark.anyio


async def ask(turn: Any, **check: Any) -> tuple[bool, str]:
    result = await run_check(turn, CHECK.validate_python(check))
    return result.holds, result.found


async def test_a_text_is_counted_once_for_each_element_that_shows_it(open_page: Any) -> None:
    turn = await open_page(
        """<ul><li>Nightly</li><li><b>Night</b>ly</li><li><a href=#>Nightly <i>x</i></a></li>
        <li style="display:none">Nightly</li></ul><input value="Nightly">"""
    )
    assert await ask(turn, kind="text", value="Nightly", count=3) == (True, "seen 3 times")
