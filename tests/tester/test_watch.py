from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.anyio


async def test_a_click_that_starts_a_request_has_ended_when_its_answer_is_there(open_page: Any) -> None:
    turn = await open_page("<button onclick=\"fetch('/save', {method: 'POST'})\">Save</button>")
    watch = turn.session.watch
    mark = watch.mark()
    await turn.page.locator("button").click()
    await watch.settled(turn, mark)
    [sent] = watch.since(mark).requests
    assert (sent.method, sent.path, sent.status) == ("POST", "/save", 404)
