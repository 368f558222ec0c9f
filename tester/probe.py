"""Asks the script that stands beside each page, in a world of its own that the page
can neither see nor touch.

It is a Playwright selector engine: a selector that is a JSON list of questions gives an element that
carries the answers, and one that is a JSON object gives the element that the object means, found again
whenever the page was drawn anew.
"""

from __future__ import annotations

import functools
import json
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error as PlaywrightError

if TYPE_CHECKING:
    from playwright.async_api import Frame, Locator, Playwright

    from tester.turn import TurnContext

ENGINE = "walkaround"
CHANNEL = f"walkaround {secrets.token_hex(8)} "
"""What opens each console message by which the script tells news unasked; no page can know it."""
_PARTS = (
    "dom",
    "names",
    "controls",
    "groups",
    "popups",
    "calendar",
    "roundabout",
    "values",
    "state",
    "search",
    "news",
    "sight",
    "facts",
    "engine",
)

Question = dict[str, Any]


async def install(playwright: Playwright) -> None:
    """Registers the engine; to be called once, before the first context is opened."""
    await playwright.selectors.register(ENGINE, script=script(), content_script=True)


@functools.cache
def script() -> str:
    """The script, put together from the files in `inpage`."""
    folder = Path(__file__).parent / "inpage"
    opening = f"(() => {{\nconst CHANNEL = {CHANNEL.strip()!r};\n"
    return opening + "\n".join((folder / f"{part}.js").read_text("utf-8") for part in _PARTS) + "\n})()"


def selector(question: Question | list[Question]) -> str:
    """The selector that asks the question(s)."""
    return f"{ENGINE}={json.dumps(question, ensure_ascii=False)}"


async def ask(turn: TurnContext, frame: Frame | Locator, *questions: Question) -> list[Any]:
    """The answers of one (fenced) frame or element, in one round trip; it waits while the
    page's own work blocks it.

    Raises:
        PlaywrightError: the frame went away, or its document changed under the question.
    """
    limit = turn.deadlines.tool * 1000
    answers = await frame.locator(selector(list(questions))).text_content(timeout=limit)
    return json.loads(answers or "[]")  # type: ignore[no-any-return]


async def ask_or_none(turn: TurnContext, frame: Frame | Locator, *questions: Question) -> list[Any] | None:
    """As `ask`; None when the frame has gone or is just changing its document."""
    try:
        return await ask(turn, frame, *questions)
    except PlaywrightError as error:
        if gone(error):
            return None
        raise


def gone(error: PlaywrightError) -> bool:
    """Whether an error only says that a frame or its document is no longer there."""
    text = str(error)
    return any(part in text for part in ("detached", "destroyed", "closed", "crashed", "navigat", "Timeout"))
