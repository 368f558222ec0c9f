"""The original failure, in a real browser: a field whose handler outlasts the idle deadline, and a retry.

The page has its own clock: each of its seconds is one synchronous request that the site answers after 40 ms.
A handler of 22 page seconds keeps the page busy for about a second; the idle deadline is a fraction of that.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from playwright.async_api import Browser

from scenarios.variables import Secrets
from tester.conversation import Conversation
from tester.deadlines import Deadlines
from tester.exchange import Cabin, Speaker, take_turn
from tester.models.protocol import Delta
from tester.models.scripted import Line, Scripted, says
from tester.session import Bounds, open_session
from tester.toolbox import Tool, Toolbox
from tester.tools import FORM
from tester.turn import Attempt, TurnContext, TurnIdle, open_turn
from tests.site import Answer, Asked, Site
from traces.events import Event

pytestmark = pytest.mark.anyio
TICK = 0.04

SLOW_FORM = """
<h1>New run</h1>
<form onsubmit="event.preventDefault(); fetch('/api/runs', {method: 'POST', body: title.value})
                .then(() => document.querySelector('h1').textContent = 'Created ' + title.value)">
  <label>Title <input name=title oninput="pass(%d)"></label>
  <button>Save</button>
</form>
<script>
  function pass(seconds) {
    for (let second = 0; second < seconds; second++) {
      const clock = new XMLHttpRequest(); clock.open('GET', '/clock', false); clock.send();
    }
  }
</script>"""

ENTRIES = {"entries": [{"field": "Title", "value": "Nightly"}, {"click": "Save"}]}
"""What the Tester asks for."""


@pytest.fixture
def slow_site(site: Site) -> Site:
    def tick(asked: Asked) -> Answer:
        time.sleep(TICK)
        return Answer("tick")

    site.page("/runs/new", SLOW_FORM % 22)
    site.on("GET", "/clock", tick)
    site.on("POST", "/api/runs", Answer("{}", 201))
    return site


@pytest.fixture
async def cabin(
    browser: Browser, slow_site: Site, events: list[Event], tmp_path: Path
) -> AsyncIterator[Cabin]:
    limits = Deadlines(idle=8 * TICK, drain=5)
    bounds = Bounds(slow_site.url, frozenset({slow_site.url}), tmp_path)
    async with open_session(browser, deadlines=limits, bounds=bounds, secrets=Secrets({})) as session:
        await session.page.goto(slow_site.url + "/runs/new")
        yield Cabin("slow", session.lane, limits, events.append, session)


def spans(events: list[Event], scenario: str) -> list[str]:
    return [
        f"{event.kind.removeprefix('attempt.')} {event.data['turn']}.{event.data['attempt']}"
        for event in events
        if event.kind in ("attempt.start", "attempt.end") and event.data["scenario"] == scenario
    ]


def steps(events: list[Event], scenario: str) -> list[tuple[str, str, bool]]:
    return [
        (event.data["do"], event.data["field"], event.data["ok"])
        for event in events
        if event.kind == "step" and event.data["scenario"] == scenario
    ]


async def stall(cabin: Cabin, events: list[Event]) -> None:
    attempt = Attempt("stalled", "tester", 1)
    async with open_turn(attempt, cabin.lane, cabin.deadlines, events.append) as turn:
        with turn.stream():
            await anyio.sleep_forever()


def speaker_of(*lines: Any) -> Speaker:
    return Speaker("tester", Scripted(lines), "You test.", Conversation("# Create a run"))


async def test_a_slow_field_is_no_idle_model_and_the_form_is_submitted_once(
    cabin: Cabin, slow_site: Site, events: list[Event]
) -> None:
    stalled_after: list[float] = []

    async def another_scenario_whose_model_stalls() -> None:
        began = anyio.current_time()
        with pytest.raises(TurnIdle):
            await stall(cabin, events)
        stalled_after.append(anyio.current_time() - began)

    tester = Speaker(
        "tester", Scripted([says(("form", ENTRIES))]), "You test.", Conversation("# Create a run")
    )
    async with anyio.create_task_group() as both:
        both.start_soon(another_scenario_whose_model_stalls)
        turn = await take_turn(cabin, tester, Toolbox(FORM))

    assert turn.called[0].ok, turn.called[0].result
    assert [asked.body for asked in slow_site.commits()] == ["Nightly"]
    assert len([asked for asked in slow_site.asked if asked.path == "/clock"]) == 22
    assert spans(events, "slow") == ["start 1.1", "end 1.1"]
    assert steps(events, "slow") == [("fill", "Title", True), ("click", "Save", True)]
    assert stalled_after[0] < 22 * TICK  # it went idle on its own clock, while the other one's tool ran
    assert [commit.effect for commit in cabin.session.ledger.commits] == ["happened"]  # type: ignore[union-attr]


async def test_the_idle_timer_stands_still_while_the_tool_runs_inside_an_open_stream(cabin: Cabin) -> None:
    async with open_turn(
        Attempt("slow", "tester", 1), cabin.lane, cabin.deadlines, cabin.tell, cabin.session
    ) as turn:
        with turn.stream():
            call = {"id": "1", "name": "form", "input": ENTRIES}
            assert (await Toolbox(FORM).call(turn, call)).ok


async def test_the_next_attempt_starts_only_after_the_page_has_settled(
    cabin: Cabin, slow_site: Site, events: list[Event]
) -> None:
    """An attempt is ended in the middle of a fill; that does not stop the page, so the retry waits for it."""
    asked_again: list[int] = []
    middle = anyio.Event()

    def clock() -> int:
        return len([asked for asked in slow_site.asked if asked.path == "/clock"])

    assert cabin.session is not None
    cabin.session.context.on("request", lambda _: middle.set() if clock() >= 3 else None)

    async def form_and_cancel(turn: TurnContext, entries: Any) -> dict[str, Any]:
        async def cancel_in_the_middle() -> None:
            await middle.wait()
            turn.cancel("tried out")

        async with anyio.create_task_group() as watching:
            watching.start_soon(cancel_in_the_middle)
            result = await FORM.work(turn, entries)
        return result

    async def note_the_clock() -> None:
        asked_again.append(clock())

    lines: list[Line] = [
        says(("form", ENTRIES)),
        [note_the_clock, Delta("text", "I look"), says(("form", {"entries": []}))],
    ]
    model = Scripted(lines)
    tester = Speaker("tester", model, "You test.", Conversation("# Create a run"))
    box = Toolbox(Tool("form", FORM.about, FORM.input, form_and_cancel))
    await take_turn(cabin, tester, box)

    assert asked_again == [22]
    assert spans(events, "slow") == ["start 1.1", "end 1.1", "start 1.2", "end 1.2"]
    assert slow_site.commits() == []  # the press of Save had not begun, so it was not made
    result = tester.conversation.request_messages()[2]["content"][0]
    assert result["is_error"]
    assert "may have" in json.dumps(result)


async def test_a_step_whose_outcome_nobody_saw_is_not_repeated_before_someone_looked(
    browser: Browser, site: Site, events: list[Event], tmp_path: Path
) -> None:
    """The POST has left, the press ends by the tool deadline: a second press would be a second record."""
    gate = site.gate()
    site.page("/new", "<button onclick=\"fetch('/api/runs', {method: 'POST'})\">Save</button>")
    site.on("POST", "/api/runs", Answer("{}", 201, gate=gate))
    limits = Deadlines(tool=3, action=10)
    bounds = Bounds(site.url, frozenset({site.url}), tmp_path)
    async with open_session(browser, deadlines=limits, bounds=bounds, secrets=Secrets({})) as session:
        await session.page.goto(site.url + "/new")
        press = {"entries": [{"click": "Save"}]}
        async with open_turn(Attempt("a", "tester", 1), session.lane, limits, events.append, session) as turn:
            calls = [{"id": str(number), "name": "form", "input": press} for number in (1, 2, 3)]
            first = await Toolbox(FORM).call(turn, calls[0])
            second = await Toolbox(FORM).call(turn, calls[1])
            assert first.result["error"] == "tool deadline"
            assert "not repeated" in second.result["steps"][0]["why"]
            assert len(site.commits()) == 1
            session.ledger.looked()
            gate.set()
            third = await Toolbox(FORM).call(turn, calls[2])
    assert third.ok, third.result
    assert len(site.commits()) == 2
