"""The model that needs no key and no network: it reads plain sentences and calls the same tools as any other.

What it does next follows from the conversation alone: the brief says the steps, the ids of its own earlier
calls say how far it has come, and the last result says whether to go on.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from scenarios.scenario import Step
from scenarios.sentences import Call, read_step
from tester.brief import read_brief
from tester.models.protocol import Done, Message, ModelEvent, Request


class Offline:
    """Reads the steps of a brief as a Tester, and leaves the verdict to the engine as a Pilot."""

    name = "offline"
    sees = False

    async def aclose(self) -> None:
        """Nothing to let go of."""

    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[AsyncIterator[ModelEvent]]:
        """One message at once: the next call of the brief, `finish` at its end, or the Pilot's word."""
        yield _once(_answer(request))


async def _once(done: Done) -> AsyncIterator[ModelEvent]:
    yield done


def _answer(request: Request) -> Done:
    if request.role == "pilot":
        return _says(0, Call("verdict", {"explanation": "The checks speak for themselves."}))
    steps = read_brief(_texts(request.messages[0])[0])
    number = _calls_so_far(request.messages)
    failed = _failure(request.messages[-1]) if number else None
    plan = list(_plan(steps))
    if failed is not None:
        step = plan[number - 1][0]
        reason = f"“{step.text}” ({step.source}) could not be done: {failed}"
        return _says(number, Call("finish", {"done": False, "reason": reason}))
    if number >= len(plan):
        return _says(number, Call("finish", {"done": True, "reason": "every step was carried out"}))
    return _says(number, plan[number][1])


def _plan(steps: Iterable[Step]) -> list[tuple[Step, Call]]:
    """The calls of all steps in order; a dialog's answer joins the press before it, which opens it."""
    plan: list[tuple[Step, Call]] = []
    for step in steps:
        for call in read_step(step.text):
            if plan and _answers_dialog(call):
                step_before, before = plan[-1]
                plan[-1] = (step_before, _with_answer(before, call))
            else:
                plan.append((step, call))
    return plan


def _answers_dialog(call: Call) -> bool:
    entries = call.input.get("entries", ())
    return call.tool == "form" and len(entries) == 1 and set(entries[0]) == {"dialog"}


def _with_answer(press: Call, answer: Call) -> Call:
    *entries, last = press.input.get("entries", [{}])
    said = [*last.get("dialog", ()), *answer.input["entries"][0]["dialog"]]
    return Call(press.tool, {**press.input, "entries": [*entries, {**last, "dialog": said}]})


def _calls_so_far(messages: Iterable[Message]) -> int:
    """The number that the last call carries in its id: it outlives the trimming of a long conversation."""
    numbers = [
        int(block["id"].rpartition("_")[2])
        for message in messages
        if message["role"] == "assistant"
        for block in message["content"]
        if block["type"] == "tool_use"
    ]
    return max(numbers, default=0)


def _failure(message: Message) -> str | None:
    """Why the last call failed, if it did."""
    for block in message["content"]:
        if block["type"] == "tool_result":
            return _why(block["content"]) if block.get("is_error") else None
    return None


def _why(content: Any) -> str:
    text = content if isinstance(content, str) else "".join(block.get("text", "") for block in content)
    try:
        result = json.loads(text)
    except ValueError:
        return str(text)
    steps = result.get("steps", ()) if isinstance(result, dict) else ()
    failed = next((step for step in steps if not step["ok"]), None)
    if failed is None:
        return str(result.get("why", text)) if isinstance(result, dict) else str(text)
    return f"{failed['do']} {failed.get('field', '')}: {failed.get('why', '')}".replace(" :", ":")


def _texts(message: Message) -> list[str]:
    content = message["content"]
    return [content] if isinstance(content, str) else [block["text"] for block in content if "text" in block]


def _says(number: int, call: Call) -> Done:
    block = {"type": "tool_use", "id": f"offline_{number + 1}", "name": call.tool, "input": dict(call.input)}
    return Done([block], "tool_use")
