"""The offline model says what comes next from the conversation alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scenarios.scenario import Source, Step
from tester.brief import Brief, read_brief
from tester.conversation import Conversation
from tester.models.offline import Offline
from tester.models.protocol import Done, Request

pytestmark = pytest.mark.anyio


def brief(*texts: str) -> Brief:
    return Brief("A title", tuple(Step(text, Source("a.md", line)) for line, text in enumerate(texts, 7)))


async def ask(conversation: Conversation, role: Any = "tester") -> dict[str, Any]:
    request = Request(role, "", conversation.request_messages(), ())
    async with Offline().stream(request) as events:
        done = [event async for event in events][-1]
    assert isinstance(done, Done)
    conversation.add_assistant(done.content)
    block: dict[str, Any] = done.content[0]
    return block


def answer(conversation: Conversation, call: dict[str, Any], **result: Any) -> None:
    conversation.add_result(call["id"], json.dumps(result), is_error=not result.get("ok", True))


def test_a_brief_reads_back_as_the_steps_that_it_was_made_from() -> None:
    steps = brief('Click "Save (all)" (twice)', "Reload").steps
    assert read_brief(str(Brief("x", steps))) == steps


async def test_the_steps_come_one_after_the_other_and_then_the_end() -> None:
    conversation = Conversation(str(brief('Click "New"', 'Fill "Title" with "x" and click "Save"')))
    first = await ask(conversation)
    answer(conversation, first, ok=True)
    second = await ask(conversation)
    answer(conversation, second, ok=True)
    last = await ask(conversation)
    assert first["input"]["entries"] == [{"click": "New"}]
    assert second["input"]["entries"] == [{"field": "Title", "value": "x"}, {"click": "Save"}]
    assert (last["name"], last["input"]["done"]) == ("finish", True)


async def test_a_failed_step_ends_the_work_with_its_line_and_its_reason() -> None:
    conversation = Conversation(str(brief('Click "New"', 'Click "Save"')))
    call = await ask(conversation)
    answer(
        conversation, call, ok=False, steps=[{"do": "click", "field": "New", "ok": False, "why": "disabled"}]
    )
    end = await ask(conversation)
    assert end["name"] == "finish"
    assert end["input"] == {
        "done": False,
        "reason": '“Click "New"” (a.md:7) could not be done: click New: disabled',
    }


async def test_a_dialog_is_answered_by_the_step_that_opens_it() -> None:
    steps = ('Click "Delete"', "Accept the dialog", 'Answer the dialog with "yes"', 'Click "Next"')
    conversation = Conversation(str(brief(*steps)))
    first = await ask(conversation)
    answer(conversation, first, ok=True)
    assert first["input"]["entries"] == [{"click": "Delete", "dialog": [{"accept": True}, {"accept": "yes"}]}]
    assert (await ask(conversation))["input"]["entries"] == [{"click": "Next"}]


async def test_a_pilot_leaves_the_verdict_to_the_checks() -> None:
    call = await ask(Conversation("Computed verdict: passed"), "pilot")
    assert call["name"] == "verdict"
    assert "lower_to" not in call["input"]
