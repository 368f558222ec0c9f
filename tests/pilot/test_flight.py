"""Whole flights in a real browser: the offline pair, and the live one through the SDK against a strict service."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser

from pilot.flight import Crew, Keep, Landing, fly
from scenarios.collect import collect
from scenarios.scenario import Scenario
from tester.deadlines import Deadlines
from tester.models.anthropic import Anthropic
from tester.models.offline import Offline
from tester.models.protocol import Model
from tests.messages_api.faults import Reset
from tests.messages_api.plugin import StartService
from tests.messages_api.replies import refuses, says
from tests.site import Answer, Site
from traces.events import Event

pytestmark = pytest.mark.anyio

PAGE = """<!doctype html><html lang=en><title>New run</title><h1>New run</h1>
<form onsubmit="event.preventDefault(); fetch('/api/runs', {method: 'POST', body: title.value})
                .then(() => document.querySelector('h1').textContent = 'Created ' + title.value)">
  <label>Title <input name=title></label><label>Key <input name=key></label><button>Save</button>
</form>"""

SCENARIO = """---
base_url: {url}
secrets: [API_KEY]
---

# Create a run

Start at `/new`.

## Steps
1. Fill "Title" with "Nightly" and "Key" with {{{{API_KEY}}}}
2. Click "Save"

## Expected
- The page shows "Created Nightly"
- POST "/api/runs" was answered with 201 exactly once

## After
1. Open /clean-up
"""

ENTRIES = {
    "entries": [
        {"field": "Title", "value": "Nightly"},
        {"field": "Key", "value": "{{API_KEY}}"},
        {"click": "Save"},
    ]
}
DONE = {"done": True, "reason": "all steps were carried out"}
LIMITS = Deadlines()
SECRET = "sesame-opens-77"


@pytest.fixture
def scenario(site: Site, tmp_path: Path) -> Scenario:
    site.page("/new", PAGE)
    site.page("/clean-up", "<h1>Clean</h1>")
    site.on("POST", "/api/runs", Answer("{}", 201))
    path = tmp_path / "create.md"
    path.write_text(SCENARIO.format(url=site.url))
    return collect([str(path)], environment={"API_KEY": SECRET})[0]


async def flown(
    scenario: Scenario,
    browser: Browser,
    model: Model,
    events: list[Event],
    folder: Path,
    limits: Deadlines = LIMITS,
) -> Landing:
    landing = Landing()
    crew = Crew(model, model)
    try:
        await fly(scenario, browser, crew, limits, events.append, landing, Keep(folder))
    finally:
        await crew.aclose()
    return landing


def attempts(events: list[Event], role: str) -> list[tuple[int, int]]:
    found = [event.data for event in events if event.kind == "attempt.start" and event.data["role"] == role]
    return [(data["turn"], data["attempt"]) for data in found]


async def test_the_offline_pair_proves_its_outcomes_and_cleans_up(
    scenario: Scenario, browser: Browser, site: Site, events: list[Event], tmp_path: Path
) -> None:
    landing = await flown(scenario, browser, Offline(), events, tmp_path)
    assert landing.verdict.name == "passed", landing.verdict
    assert [proof.before.holds for proof in landing.verdict.proofs] == [False, False]
    assert [asked.path for asked in site.asked][-1] == "/clean-up"
    assert [commit["effect"] for commit in landing.commits] == ["happened"]


async def test_what_is_shown_but_was_not_saved_fails(
    scenario: Scenario, browser: Browser, site: Site, events: list[Event], tmp_path: Path
) -> None:
    site.on("POST", "/api/runs", Answer("{}", 500))
    landing = await flown(scenario, browser, Offline(), events, tmp_path)
    assert landing.verdict.name == "failed"
    assert "500" in landing.verdict.reason


async def test_a_scenario_out_of_time_is_over_budget_and_still_cleans_up(
    scenario: Scenario, browser: Browser, site: Site, events: list[Event], tmp_path: Path
) -> None:
    site.on("POST", "/api/runs", Answer("{}", 201, gate=site.gate()))
    landing = await flown(scenario, browser, Offline(), events, tmp_path, Deadlines(scenario=2, drain=1))
    assert landing.verdict.name == "budget"
    assert "2 s" in landing.verdict.reason
    assert [asked.path for asked in site.asked][-1] == "/clean-up"


async def test_a_live_pair_flies_with_four_calls_and_never_sees_a_secret(
    scenario: Scenario,
    browser: Browser,
    site: Site,
    events: list[Event],
    tmp_path: Path,
    start_service: StartService,
) -> None:
    service = start_service()
    service.will(
        says("I fill the form.", ("form", ENTRIES)),
        says("", ("finish", DONE)),
        says("", ("verdict", {"explanation": "The run was created and saved."})),
        says("", ("navigate", {"url": "/clean-up"})),
        says("", ("finish", DONE)),
    )
    landing = await flown(scenario, browser, Anthropic("claude-haiku-4-5"), events, tmp_path)
    assert landing.verdict.name == "passed", (landing.verdict, service.invalid)
    assert landing.verdict.explanation == "The run was created and saved."
    assert [asked.body for asked in site.commits()] == ["Nightly"]
    assert service.invalid == []
    assert SECRET not in str([one.body for one in service.asked])


async def test_a_live_pair_goes_on_where_the_service_broke_off(
    scenario: Scenario,
    browser: Browser,
    site: Site,
    events: list[Event],
    tmp_path: Path,
    start_service: StartService,
) -> None:
    service = start_service()
    service.will(
        says("I fill the form.", ("form", ENTRIES)),
        says("That is all.", ("finish", DONE)).but(Reset(1)),
        refuses(529, "overloaded", **{"retry-after": "0"}),
        says("", ("finish", DONE)),
        says("", ("verdict", {"explanation": "It was created."})),
        says("", ("finish", DONE)),
    )
    landing = await flown(scenario, browser, Anthropic("claude-haiku-4-5"), events, tmp_path)
    assert landing.verdict.name == "passed", (landing.verdict, service.invalid)
    assert attempts(events, "tester")[:4] == [(1, 1), (2, 1), (2, 2), (2, 3)]
    assert len(site.commits()) == 1


async def test_a_service_that_refuses_the_key_is_an_error_and_no_verdict_on_the_application(
    scenario: Scenario,
    browser: Browser,
    events: list[Event],
    tmp_path: Path,
    start_service: StartService,
) -> None:
    service = start_service()
    service.will(refuses(401, "invalid x-api-key"), refuses(401, "invalid x-api-key"))
    landing = await flown(scenario, browser, Anthropic("claude-haiku-4-5"), events, tmp_path)
    assert landing.verdict.name == "error"
