"""The form tool used once, from the terminal: how others measure it, and how a person tries it out."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio

from scenarios.errors import HarnessError, UsageError
from scenarios.variables import Secrets
from tester.browser import Wanted, launch
from tester.deadlines import Deadlines
from tester.form import form
from tester.session import Bounds, open_session
from tester.tools import NAVIGATE, Navigate
from tester.turn import Attempt, ToolDeadline, TurnContext, open_turn


def form_command(url: str, entries: str, then: str | None, *, headed: bool) -> int:
    """Prints `{"result", "then", "text"}` of design.md, section 8; 0 when every step was ok, else 1."""
    wanted, folder = _read(entries)
    said = anyio.run(_once, url, wanted, folder, then, headed)
    json.dump(said, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")
    return 0 if said["result"]["ok"] else 1


def _read(entries: str) -> tuple[list[Any], Path]:
    """The entries, and the folder that their files are relative to."""
    path = Path(entries)
    try:
        text = sys.stdin.read() if entries == "-" else path.read_text(encoding="utf-8")
        found = json.loads(text)
    except OSError as error:
        raise UsageError(f"{entries}: {error.strerror or error}") from error
    except ValueError as error:
        raise UsageError(f"{entries}: not JSON: {error}") from error
    wanted = found.get("entries") if isinstance(found, dict) else found
    if not isinstance(wanted, list):
        raise UsageError(f'{entries}: give a list of entries, or an object with "entries"')
    return wanted, Path.cwd() if entries == "-" else path.resolve().parent


async def _once(
    url: str, entries: Sequence[Any], folder: Path, then: str | None, headed: bool
) -> dict[str, Any]:
    deadlines, bounds = Deadlines(), Bounds(url, files=folder)
    async with (
        launch(Wanted(headed=headed)) as browser,
        open_session(browser, deadlines=deadlines, bounds=bounds, secrets=Secrets({})) as session,
        open_turn(Attempt("form", "tester", 1), session.lane, deadlines, lambda event: None, session) as turn,
    ):
        opened = await NAVIGATE.work(turn, Navigate(url=url))
        if not opened["ok"]:
            raise HarnessError(opened["steps"][0]["why"])
        result = await _fill(turn, entries)
        page = turn.page
        return {
            "result": result,
            "then": await page.evaluate(then) if then is not None else None,
            "text": await _text(turn),
        }


async def _fill(turn: TurnContext, entries: Sequence[Any]) -> dict[str, Any]:
    try:
        return await turn.run_tool("form", "1", lambda: form(turn, entries))
    except ToolDeadline as late:
        steps = [step.to_json() for step in turn.recorder.steps]
        return {
            "ok": False,
            "steps": steps,
            "why": str(late),
            "outcome": "known" if late.settled else "unknown",
        }


async def _text(turn: TurnContext) -> str:
    """What can be read on the page and in its frames."""
    texts = [await frame.evaluate("document.body?.innerText ?? ''") for frame in turn.page.frames]
    return "\n".join(text for text in texts if text)
