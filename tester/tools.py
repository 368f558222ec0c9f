"""The tools of a Tester, beside the form tool: their inputs, and what they do."""

from __future__ import annotations

from typing import Any, Literal

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Response
from pydantic import BaseModel, ConfigDict, Field, model_validator

from scenarios.checks import Check
from tester.checks import run_checks, wait_until
from tester.entries import Entries
from tester.form import form, page_after
from tester.recorder import StepFailed
from tester.session import OutOfBounds
from tester.toolbox import Tool
from tester.turn import TurnContext
from tester.view import fence_for_model, search, view


class _Input(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Navigate(_Input):
    """Opens an address, or goes back, forward or reloads."""

    url: str | None = Field(None, description="an address; relative ones start at the scenario's base URL")
    go: Literal["back", "forward", "reload"] | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Navigate:
        if (self.url is None) == (self.go is None):
            raise ValueError("give either url or go")
        return self


class Look(_Input):
    """The whole page, or what a query finds on it."""

    query: str | None = Field(None, description="words to search for on the page; short answer")


class Checks(_Input):
    """One or more assertions."""

    checks: list[Check] = Field(min_length=1)


class WaitFor(_Input):
    """An assertion that should come to hold."""

    check: Check
    seconds: float | None = Field(None, gt=0, description="at most; the action deadline unless told")


class Tabs(_Input):
    """Lists the tabs, switches to one or closes one."""

    switch: str | None = Field(None, description="title, part of the address, number from 1, or last")
    close: str | None = Field(None, description="as for switch; the current tab when empty")


class Note(_Input):
    """Something worth keeping in the trace."""

    text: str


class Finish(_Input):
    """The end of the work: done, or given up, and why."""

    done: bool
    reason: str = Field(min_length=1)


class RequestHelp(_Input):
    """What a person should do."""

    reason: str


async def _form(turn: TurnContext, wanted: Entries) -> dict[str, Any]:
    return await form(turn, [entry.model_dump(exclude_unset=True) for entry in wanted.entries])


async def _navigate(turn: TurnContext, wanted: Navigate) -> dict[str, Any]:
    mark = turn.session.watch.mark()
    with turn.recorder.step("open" if wanted.url else str(wanted.go), wanted.url or "") as step:
        turn.guard(step)
        try:
            answer = await _go(turn, wanted)
        except OutOfBounds as error:
            raise StepFailed(str(error)) from error
        except PlaywrightError as error:
            raise StepFailed(_unreachable(wanted.url or str(wanted.go), str(error))) from error
        await turn.session.watch.settled(turn, mark)
        if answer is not None and answer.status >= 400:
            step.notes.append(f"answered with {answer.status}")
        await _stay_inside(turn)
    return {"ok": bool(step.ok), "steps": [step.to_json()], "page": await page_after(turn, mark)}


async def _go(turn: TurnContext, wanted: Navigate) -> Response | None:
    page, limit = turn.page, turn.deadlines.action * 1000
    if wanted.url is not None:
        address = turn.session.bounds.resolve(turn.session.secrets.reveal(wanted.url))
        return await page.goto(address, wait_until="domcontentloaded", timeout=limit)
    go = {"reload": page.reload, "back": page.go_back, "forward": page.go_forward}[str(wanted.go)]
    return await go(wait_until="domcontentloaded", timeout=limit)


async def _stay_inside(turn: TurnContext) -> None:
    """A redirect may have left the allowed origins: then the page is taken back before it is read."""
    try:
        turn.session.bounds.resolve(turn.page.url)
    except OutOfBounds as error:
        await turn.page.go_back(wait_until="commit", timeout=turn.deadlines.action * 1000)
        raise StepFailed(f"the address led out of bounds: {error}") from error


def _unreachable(address: str, error: str) -> str:
    if "ERR_CONNECTION_REFUSED" in error:
        return f"nothing answers at {address}: is the application running?"
    if "Timeout" in error:
        return f"{address} did not answer in time"
    return f"{address} could not be opened: {error.splitlines()[0]}"


async def _look(turn: TurnContext, wanted: Look) -> dict[str, Any]:
    turn.session.ledger.looked()
    nonce = turn.session.nonce
    if wanted.query is not None:
        return {"found": fence_for_model(await search(turn, wanted.query), nonce)}
    seen = await view(turn)
    return {"url": seen.url, "title": seen.title, "view": fence_for_model(seen.text, nonce)}


async def _check(turn: TurnContext, wanted: Checks) -> dict[str, Any]:
    turn.session.ledger.looked()
    results = await run_checks(turn, wanted.checks)
    lines = [{"check": one.sentence, "holds": one.holds, "found": one.found} for one in results]
    return {"ok": True, "holds": all(one.holds for one in results), "checks": lines}


async def _wait_for(turn: TurnContext, wanted: WaitFor) -> dict[str, Any]:
    mark = turn.session.watch.mark()
    with turn.recorder.step("wait for", "") as step:
        result = await wait_until(turn, wanted.check, wanted.seconds or turn.deadlines.action)
        step.field = result.sentence
        if not result.holds:
            raise StepFailed(f"waited in vain for: {result.sentence}; {result.found}"[:300])
    return {"ok": bool(step.ok), "steps": [step.to_json()], "page": await page_after(turn, mark)}


async def _tabs(turn: TurnContext, wanted: Tabs) -> dict[str, Any]:
    session = turn.session
    name = wanted.switch if wanted.switch is not None else wanted.close
    if name is not None:
        do = "switch to tab" if wanted.switch is not None else "close tab"
        with turn.recorder.step(do, name) as step:
            number = await _tab(turn, name)
            if wanted.close is not None:
                await turn.fence(session.context.pages[number]).close()
            else:
                session.switch(session.context.pages[number])
                await turn.page.bring_to_front()
        if not step.ok:
            return {"ok": False, "steps": [step.to_json()]}
    pages = [turn.fence(page) for page in session.context.pages]
    lines = [
        {"title": await page.title(), "url": page.url, "current": page == session.page} for page in pages
    ]
    return {"ok": True, "tabs": lines}


async def _tab(turn: TurnContext, name: str) -> int:
    """The position of the tab that a name means.

    Raises:
        StepFailed: none or several tabs fit.
    """
    pages = [turn.fence(page) for page in turn.session.context.pages]
    titles = [await page.title() for page in pages]
    if name == "":
        return pages.index(turn.page)
    if name == "last":
        return len(pages) - 1
    if name.isdecimal() and 0 < int(name) <= len(pages):
        return int(name) - 1
    exact = [at for at, title in enumerate(titles) if title.casefold() == name.casefold()]
    part = [
        at for at, page in enumerate(pages) if name.casefold() in titles[at].casefold() or name in page.url
    ]
    fits = exact or part
    if len(fits) == 1:
        return fits[0]
    listed = ", ".join(f"{at}. “{title}”" for at, title in enumerate(titles, 1))
    raise StepFailed(f"{'several tabs' if fits else 'no tab'} fit {name!r}; open: {listed}"[:300])


async def _note(turn: TurnContext, wanted: Note) -> dict[str, Any]:
    turn.tell("note", text=wanted.text)
    return {"ok": True}


async def _finish(turn: TurnContext, wanted: Finish) -> dict[str, Any]:
    return {"ok": True}


async def _request_help(turn: TurnContext, wanted: RequestHelp) -> dict[str, Any]:
    turn.tell("help", reason=wanted.reason, outcome="declined")
    return {
        "ok": False,
        "outcome": "declined",
        "why": "nobody can be asked in this run; go on without, and say plainly what could not be done",
    }


FORM = Tool(
    "form",
    "Fills a form and presses what is named, entry by entry, and reads each value back.",
    Entries,
    _form,
)
LOOK = Tool("look", "Shows the page as text with refs, or what a query finds on it.", Look, _look)
CHECK = Tool(
    "check", "Tells whether assertions about the page, requests, dialogs or downloads hold.", Checks, _check
)
WAIT_FOR = Tool("wait_for", "Waits until an assertion holds.", WaitFor, _wait_for)
NAVIGATE = Tool("navigate", "Opens an address, or goes back, forward or reloads.", Navigate, _navigate)
TABS = Tool("tabs", "Lists the open tabs; switches to one or closes one.", Tabs, _tabs)
NOTE = Tool("note", "Keeps a remark in the trace.", Note, _note)
FINISH = Tool("finish", "Ends the work: done, or given up with the reason.", Finish, _finish)
REQUEST_HELP = Tool("request_help", "Asks a person to do what you cannot.", RequestHelp, _request_help)

TESTER = (FORM, LOOK, CHECK, WAIT_FOR, NAVIGATE, TABS, REQUEST_HELP, NOTE, FINISH)
"""What a Tester is offered."""
