"""One turn: attempts at a model call, one after the other, and the tools that came out of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

import anyio

from scenarios.errors import ModelError
from tester.conversation import Conversation
from tester.deadlines import Deadlines
from tester.lane import Lane
from tester.models.protocol import (
    ContextTooLong,
    Done,
    Model,
    ModelBroke,
    ModelBusy,
    Ping,
    Request,
    SpeakingRole,
    Started,
    Usage,
)
from tester.toolbox import Called, Toolbox
from tester.turn import Attempt, AttemptEnded, TurnContext, open_turn
from traces.events import Event, Sink

if TYPE_CHECKING:
    from tester.session import Session


@dataclass(frozen=True, slots=True)
class Cabin:
    """What all attempts of one scenario share without being able to disturb each other through it."""

    scenario: str
    lane: Lane
    deadlines: Deadlines
    tell: Sink
    session: Session | None = None


@dataclass(slots=True)
class Speaker:
    """A model in a role: its system prompt, its conversation, its turns and what it used so far."""

    role: SpeakingRole
    model: Model
    system: str
    conversation: Conversation
    turns: int = 0
    used: list[Usage] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Exchanged:
    """What came of a turn: the words, the calls with their results in order, why the model stopped."""

    text: str
    called: tuple[Called, ...]
    stop_reason: str

    def call(self, tool: str) -> Called | None:
        """The last call of a tool that did its work, if there was one."""
        return next((call for call in reversed(self.called) if call.tool == tool and call.ok), None)


async def take_turn(cabin: Cabin, speaker: Speaker, toolbox: Toolbox, *, attempts: int = 3) -> Exchanged:
    """Takes one turn: attempts until a model call and its tools are through.

    A retry resumes: what earlier attempts finished stands in the conversation, and only the model is asked
    again. The next attempt begins after the last one has drained and the provider's back-off has passed.

    Raises:
        ModelError: the model could not be heard in `attempts` attempts, or asking again cannot help.
    """
    speaker.turns += 1
    attempt = Attempt(cabin.scenario, speaker.role, speaker.turns)
    while True:
        try:
            async with open_turn(attempt, cabin.lane, cabin.deadlines, cabin.tell, cabin.session) as turn:
                return await _exchange(turn, speaker, toolbox)
        except ContextTooLong as failed:
            if not speaker.conversation.shrink():
                raise
            cabin.tell(_failed(attempt, failed))
            attempt = replace(attempt, attempt=attempt.attempt + 1)
        except (AttemptEnded, ModelBroke, ModelBusy) as failed:
            speaker.conversation.cut("cancelled")
            cabin.tell(_failed(attempt, failed))
            if attempt.attempt >= attempts:
                raise ModelError(f"{speaker.model.name}: {failed} (tried {attempts} times)") from failed
            if isinstance(failed, ModelBusy):
                await _wait_out(cabin, attempt, failed.retry_after)
            attempt = replace(attempt, attempt=attempt.attempt + 1)


def _failed(attempt: Attempt, error: Exception) -> Event:
    return Event("attempt.failed", {**attempt.to_json(), "cause": type(error).__name__, "why": str(error)})


async def _wait_out(cabin: Cabin, attempt: Attempt, seconds: float) -> None:
    facts = {**attempt.to_json(), "what": "provider back-off"}
    cabin.tell(Event("wait.start", {**facts, "seconds": seconds}))
    await anyio.sleep(seconds)
    cabin.tell(Event("wait.end", facts))


async def _exchange(turn: TurnContext, speaker: Speaker, toolbox: Toolbox) -> Exchanged:
    done = await _ask(turn, speaker, toolbox)
    speaker.conversation.add_assistant(done.content)
    calls = [block for block in done.content if block.get("type") == "tool_use"]
    text = "".join(block.get("text", "") for block in done.content if block.get("type") == "text")
    turn.tell(
        "model.message",
        model=speaker.model.name,
        text=text,
        calls=[{"id": call["id"], "name": call["name"], "input": call["input"]} for call in calls],
        stop_reason=done.stop_reason,
        usage=asdict(done.usage),
    )
    called: list[Called] = []
    for call in calls:
        result = await toolbox.call(turn, call)
        speaker.conversation.add_result(result.id, result.content, is_error=not result.ok)
        called.append(result)
    return Exchanged(text, tuple(called), done.stop_reason)


async def _ask(turn: TurnContext, speaker: Speaker, toolbox: Toolbox) -> Done:
    messages = speaker.conversation.request_messages()
    request = Request(speaker.role, speaker.system, messages, toolbox.specs)
    done: Done | None = None
    used = Usage()
    try:
        with turn.stream():
            async with speaker.model.stream(request) as events:
                async for event in events:
                    if isinstance(event, Ping):
                        turn.pinged()
                        continue
                    turn.heard()
                    if isinstance(event, Started | Done):
                        used = event.usage
                    if isinstance(event, Done):
                        done = event
    finally:
        speaker.used.append(used)  # an attempt that failed was paid for too
    if done is None:
        raise ModelBroke("the stream ended without a message")
    return done
