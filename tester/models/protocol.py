"""What every model speaks: a request in, a stream of events out, in the shapes of the Messages API."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from scenarios.errors import ModelError

SpeakingRole = Literal["pilot", "tester"]

Message = dict[str, Any]
"""`{"role": "user" | "assistant", "content": [block, …]}`, blocks as the Messages API has them."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as it is offered to a model; `schema` is a JSON Schema object."""

    name: str
    description: str
    schema: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model; `must_call` asks for at least one tool call."""

    role: SpeakingRole
    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    max_tokens: int = 8192
    must_call: bool = True


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call, and its price in USD where known."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    cost: float | None = 0.0


@dataclass(frozen=True, slots=True)
class Started:
    """The model has read the question; `usage` is what the call has cost by then, if it never ends well."""

    usage: Usage


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of content arrived: text, thinking or the arguments of a call."""

    what: Literal["text", "thinking", "call"]
    text: str = ""


@dataclass(frozen=True, slots=True)
class Ping:
    """The connection is alive; the model said nothing."""


@dataclass(frozen=True, slots=True)
class Done:
    """The whole message: its content blocks, why it stopped, and what it used. Always the last event."""

    content: list[dict[str, Any]]
    stop_reason: str
    usage: Usage = field(default_factory=Usage)


ModelEvent = Started | Delta | Ping | Done


class Model(Protocol):
    """Anything that can take a role."""

    @property
    def name(self) -> str:
        """What reports call it."""

    @property
    def sees(self) -> bool:
        """Whether it reads page views; none are made for a model that does not."""

    async def aclose(self) -> None:
        """Lets go of its connections."""

    def stream(self, request: Request) -> AbstractAsyncContextManager[AsyncIterator[ModelEvent]]:
        """Opens a stream of events that ends with Done.

        Raises:
            ModelError: it cannot answer and asking again would not help.
            ModelBusy: it may answer later.
            ModelBroke: it began to answer, and asking again may help.
            ContextTooLong: it would answer a shorter conversation.
        """


class ModelBusy(Exception):
    """The provider asks to come back later (429, 529, 5xx, no connection); `retry_after` is in seconds."""

    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ModelBroke(Exception):
    """The stream broke off or made no sense; nothing of the message was used, and asking again may help."""


class ContextTooLong(ModelError):
    """The conversation is longer than the model's window: it has to be cut before asking again can help."""
