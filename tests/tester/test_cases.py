"""Every page of tests/cases through the form tool alone: each shows what went wrong in a published report."""

from __future__ import annotations

import json
import re
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from playwright.async_api import Browser
from playwright.async_api import Error as PlaywrightError

from scenarios.variables import Secrets
from tester.deadlines import Deadlines
from tester.form import form
from tester.session import Bounds, open_session
from tester.turn import Attempt, TurnContext, open_turn
from traces.events import Event

CASES = Path(__file__).parents[1] / "cases"
SPECS = [json.loads(path.read_text("utf-8")) for path in sorted(CASES.glob("*/case.json"))]

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def cases_url() -> Iterator[str]:
    sys.path.insert(0, str(CASES))
    try:
        import serve
    finally:
        sys.path.remove(str(CASES))
    port, _ = serve.start(0)
    yield f"http://127.0.0.1:{port}"
    serve.STOP.set()


@pytest.mark.parametrize("spec", SPECS, ids=[spec["slug"] for spec in SPECS])
async def test_the_form_tool_does_what_the_case_asks_for(spec: Any, browser: Browser, cases_url: str) -> None:
    events: list[Event] = []
    limits, bounds = Deadlines(), Bounds(cases_url, frozenset(), CASES / spec["slug"])
    get(f"{cases_url}/_reset?slug={spec['slug']}")
    async with open_session(browser, deadlines=limits, bounds=bounds, secrets=Secrets({})) as session:
        began = anyio.current_time()
        await session.page.goto(f"{cases_url}/{spec['slug']}/")
        async with open_turn(
            Attempt("case", "tester", 1), session.lane, limits, events.append, session
        ) as turn:
            results = await drive(turn, [entry_of(one) for one in spec["entries"]])
            took = anyio.current_time() - began
            problems = [problem async for problem in problems_of(turn, spec, results, cases_url)]
    report = json.dumps([*results, *(event.to_json() for event in events)], default=str, ensure_ascii=False)
    problems += [
        f"the report holds {secret!r}"
        for secret in spec["expect"].get("report_excludes", [])
        if secret in report
    ]
    if took > spec["expect"].get("max_seconds", 15):
        problems.append(f"took {took:.1f} s")
    assert not problems, "\n".join([*problems, json.dumps(results, indent=1, ensure_ascii=False)])


def entry_of(one: dict[str, Any]) -> dict[str, Any]:
    return {"within" if key == "group" else key: value for key, value in one.items()}


async def drive(turn: TurnContext, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One call; a second one for what the first did not try."""
    results = [await form(turn, entries)]
    untried = [step for step in results[0]["steps"] if step.get("why", "").startswith("not tried")]
    if untried:
        results.append(await form(turn, entries[-len(untried) :]))
    return results


async def problems_of(turn: TurnContext, spec: Any, results: list[dict[str, Any]], url: str) -> Any:
    expect = spec["expect"]
    for expression, wanted in expect.get("values", {}).items():
        if not await comes_true(lambda: holds_value(turn, expression, wanted)):  # noqa: B023
            yield f"{expression} is {await value_of(turn, expression)!r}, not {wanted!r}"
    for text in expect.get("visible_text", []):
        if not await comes_true(lambda: shows(turn, text)):  # noqa: B023
            yield f"text {text!r} is not on the page"
    if expect.get("url", "") not in turn.page.url:
        yield f"url is {turn.page.url}"
    if "posts" in expect and (count := get(f"{url}/_log?slug={spec['slug']}")["count"]) != expect["posts"]:
        yield f"{count} submissions, not {expect['posts']}"
    said = squash(json.dumps([result["page"] for result in results], ensure_ascii=False))
    for text in expect.get("transient_text", []):
        if squash(text) not in said:
            yield f"{text!r} was not reported"
    for problem in download_problems(expect, results):
        yield problem
    for problem in error_problems(spec, results):
        yield problem


def download_problems(expect: Any, results: list[dict[str, Any]]) -> Iterator[str]:
    if wanted := expect.get("download"):
        found = [
            one for result in results for one in result["page"]["downloads"] if one["name"] == wanted["name"]
        ]
        if not found:
            yield f"no download {wanted['name']!r}"
        elif wanted.get("contains", "") not in Path(found[0]["path"]).read_text():
            yield f"the download does not hold {wanted['contains']!r}"


def error_problems(spec: Any, results: list[dict[str, Any]]) -> Iterator[str]:
    steps = [
        step
        for result in results
        for step in result["steps"]
        if not step.get("why", "").startswith("not tried")
    ]
    expected = {error["entry"]: error for error in spec["expect"].get("errors", [])}
    for at, step in enumerate(steps):
        assert len(step.get("why", "")) <= 300
        if not step["ok"] and at not in expected and at not in spec["expect"].get("may_fail", []):
            yield f"entry {at} failed: {step['why']}"
    for at, error in expected.items():
        why = squash(steps[at].get("why", ""))
        if steps[at]["ok"]:
            yield f"entry {at} did not fail"
        elif not all(squash(text) in why for text in error.get("must_mention", [])):
            yield f"the reason does not mention {error['must_mention']}: {why}"
        elif not any(squash(text) in why for text in error.get("any_of", [""])):
            yield f"the reason mentions none of {error['any_of']}: {why}"


async def comes_true(holds: Any) -> bool:
    for _ in range(100):
        if await holds():
            return True
        await anyio.sleep(0.03)
    return False


async def value_of(turn: TurnContext, expression: str) -> Any:
    try:
        return await turn.page.evaluate(expression)
    except PlaywrightError as error:
        return str(error).splitlines()[0]


async def holds_value(turn: TurnContext, expression: str, wanted: Any) -> bool:
    return bool(await value_of(turn, expression) == wanted)


async def shows(turn: TurnContext, text: str) -> bool:
    shown = [await frame.evaluate("document.body?.innerText ?? ''") for frame in turn.page.frames]
    return squash(text) in squash(" ".join(shown))


def squash(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().lower()


def get(url: str) -> Any:
    with urllib.request.urlopen(url) as answer:
        return json.load(answer)
