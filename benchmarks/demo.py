"""The demo's main scenario beside the same steps in hand-written Playwright: `python -m benchmarks.demo`.

Same browser, same application, the two in turn; the page's own slow handler is turned down, since it would
hide the difference. Prints the median of each and the ratio of the medians.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import anyio
from playwright.async_api import Browser, expect

from cli.demo.app import DemoApp
from pilot.flight import Crew, Keep, Landing, fly
from scenarios.collect import collect
from scenarios.scenario import Scenario
from tester.browser import Wanted, launch
from tester.deadlines import Deadlines
from tester.models.offline import Offline

SCENARIO = str(Path(__file__).parents[1] / "cli" / "demo" / "scenarios" / "create-a-run.md")


async def by_hand(browser: Browser, url: str) -> None:
    """What a careful person writes: role and label locators, and an assertion for each outcome."""
    context = await browser.new_context(base_url=url)
    page = await context.new_page()
    answers: list[int] = []
    page.on(
        "response", lambda answer: answers.append(answer.status) if answer.request.method == "POST" else None
    )
    await page.goto("/runs")
    await page.get_by_role("link", name="New run").click()
    await page.get_by_label("Title").fill("Nightly")
    await page.get_by_label("Kind").select_option("Mixed")
    await page.get_by_label("Number of cases").fill("24")
    await page.get_by_label("Staging").check()
    await page.get_by_label("Production").check()
    await page.get_by_label("High").check()
    await page.get_by_label("Description").fill("Everything that broke once")
    await page.get_by_label("Notify me when it is done").check()
    await page.get_by_role("button", name="Save").click()
    await expect(page).to_have_url(re.compile(r"/runs/\d+"))
    await expect(page.get_by_text("Run created")).to_be_visible()
    await expect(page.get_by_role("heading", name="Nightly")).to_have_count(1)
    await expect(page.get_by_text("Mixed", exact=True)).to_have_count(1)
    assert answers == [201]
    await context.close()


async def by_walkaround(browser: Browser, scenario: Scenario, folder: Path) -> None:
    """The same through Pilot, Tester, turns, form tools, checks and pictures."""
    landing = Landing()
    crew = Crew(Offline(), Offline())
    await fly(scenario, browser, crew, Deadlines(), lambda event: None, landing, Keep(folder))
    assert landing.verdict.name == "passed", landing.verdict


async def measure(runs: int) -> None:
    """Times both, in turn, and prints what it found."""
    hand: list[float] = []
    ours: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        async with launch(Wanted()) as browser:
            for number in range(runs + 1):
                with DemoApp(title_check_ms=0) as app:
                    began = time.perf_counter()
                    await by_hand(browser, app.url)
                    hand.append(time.perf_counter() - began)
                with DemoApp(title_check_ms=0) as app:
                    scenario = collect([SCENARIO], environment={"DEMO_URL": app.url})[0]
                    began = time.perf_counter()
                    await by_walkaround(browser, scenario, Path(folder))
                    ours.append(time.perf_counter() - began)
                if number == 0:  # the first of each warms up
                    hand.clear()
                    ours.clear()
    sys.stdout.write(
        f"by hand {median(hand) * 1000:.0f} ms, walkaround {median(ours) * 1000:.0f} ms, "
        f"ratio {median(ours) / median(hand):.2f} (medians of {runs})\n"
    )


if __name__ == "__main__":
    anyio.run(measure, int(sys.argv[1]) if len(sys.argv) > 1 else 5)
