"""Runs checks against the page and against what happened; deterministic, quick, and changing nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio
from playwright.async_api import Error as PlaywrightError

from scenarios.checks import (
    AnyCheck,
    Console,
    Dialog,
    Download,
    Request,
    Row,
    State,
    Text,
    Title,
    Url,
    Value,
    sentence,
)
from tester.find import ask_frames
from tester.findings import controls, page, past
from tester.findings.words import Finding, Replies, no_pattern
from tester.probe import Question

if TYPE_CHECKING:
    from tester.turn import TurnContext

_PACE = 0.5
"""Seconds after which a page is looked at again although it gave no sign: what a
style or a script sets gives none.
"""

_WAKE: Question = {"op": "wake"}
UNREADABLE: Finding = (False, "the page cannot be read")


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check that was made: `found` is what was there instead (or how it holds),
    `sentence` the check in words.
    """

    check: AnyCheck
    holds: bool
    found: str
    sentence: str


async def run_check(turn: TurnContext, check: AnyCheck) -> CheckResult:
    """The result of one check."""
    return (await run_checks(turn, [check]))[0]


async def run_checks(turn: TurnContext, checks: Sequence[AnyCheck]) -> list[CheckResult]:
    """The results of all checks, in their order, with one question to each frame of the page."""
    return await _run(turn, checks)


async def wait_until(turn: TurnContext, check: AnyCheck, seconds: float) -> CheckResult:
    """The result of a check as soon as it holds, or as it was last; it looks again when something changes."""
    until = anyio.current_time() + seconds
    changed, result = turn.session.watch.changed, (await _run(turn, [check], _WAKE))[0]
    with anyio.CancelScope(deadline=until):
        while not result.holds:
            with anyio.move_on_after(_PACE):
                await changed.wait()
            changed = turn.session.watch.changed
            result = (await _run(turn, [check], _WAKE))[0]
    return result


async def _run(turn: TurnContext, checks: Sequence[AnyCheck], *before: Question) -> list[CheckResult]:
    secrets = turn.session.secrets
    revealed = [_revealed(check, secrets.reveal) for check in checks]
    answers = await _ask(turn, [*before, *filter(None, map(_question, revealed))])
    waiting = iter(answers[len(before) :] if answers is not None else ())
    results = []
    for check, meant in zip(checks, revealed, strict=True):
        replies = [] if answers is None or _question(meant) is None else next(waiting)
        wrong = no_pattern(meant)
        if wrong is not None:
            holds, found = False, wrong
        elif answers is None and _question(meant) is not None:
            holds, found = UNREADABLE
        else:
            holds, found = _judge(turn, meant, replies)
        results.append(CheckResult(check, holds, secrets.redact(found), sentence(check)))
    return results


async def _ask(turn: TurnContext, questions: list[Question]) -> list[Replies] | None:
    """For each question the answers of all frames, the main frame's first; None when no
    page is there to answer.
    """
    if not questions:
        return []
    try:
        answers = await ask_frames(turn, *questions)
    except (PlaywrightError, LookupError):
        return None
    return [[of_frame[at] for _, of_frame in answers] for at in range(len(questions))]


def _revealed(check: AnyCheck, reveal: Any) -> AnyCheck:
    fields = {name: getattr(check, name) for name in type(check).model_fields}
    texts = {name: reveal(text) for name, text in fields.items() if isinstance(text, str) and name != "kind"}
    lists = {
        name: [reveal(text) for text in texts] for name, texts in fields.items() if isinstance(texts, list)
    }
    return check.model_copy(update={**texts, **lists})


def _question(check: AnyCheck) -> Question | None:
    """What the page has to be asked; None for a check of something else."""
    match check:
        case Title():
            return {"op": "title"}
        case Text():
            return {"op": "text", "value": check.value, "within": check.within}
        case Row():
            return {"op": "rows", "holds": check.holds, "table": check.table}
        case Value():
            return {"op": "control", "name": check.field, "wanted": "field", "within": check.within}
        case State():
            return {"op": "control", "name": check.control, "wanted": "any", "within": check.within}
        case _:
            return None


def _judge(turn: TurnContext, check: AnyCheck, replies: Replies) -> Finding:
    happened = turn.session.watch.since(None)
    match check:
        case Url():
            return page.url(check, turn.page.url) if turn.session.context.pages else UNREADABLE
        case Title():
            return page.title(check, str(replies[0]))
        case Text():
            return page.text(check, replies)
        case Row():
            return page.row(check, replies)
        case Value():
            return controls.value(check, replies)
        case State():
            return controls.state(check, replies)
        case Request():
            return past.request(check, happened)
        case Dialog():
            return past.dialog(check, happened)
        case Download():
            return past.download(check, happened)
        case Console():
            return past.console(check, happened)
