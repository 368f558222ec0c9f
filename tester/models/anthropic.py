"""Claude, through the Anthropic SDK: one streamed call for each request; asking again is up to the turn."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, Any, cast

import anyio

from scenarios.errors import ModelError
from tester.history.thinking import THINKING
from tester.models import refusals
from tester.models.assembly import Assembly
from tester.models.declare import declare
from tester.models.marks import MARK, marked
from tester.models.protocol import Done, Message, ModelBroke, ModelEvent, Request

if TYPE_CHECKING:
    import anthropic
    from anthropic import AsyncAPIResponse

Json = dict[str, Any]

_REST_OF_BODY = 0.2
"""How long, in seconds, the end of a body may take to follow the last event."""


class Anthropic:
    """A `claude-*` model.

    Credentials, address and headers are the SDK's own: ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL and the rest.
    """

    sees = True

    def __init__(self, name: str) -> None:
        self.name = name
        self._client: anthropic.AsyncAnthropic | None = None
        # What not every model takes: given up for all requests to come once one was refused for it.
        self._forces_calls = True
        self._strict = True

    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[AsyncIterator[ModelEvent]]:
        """Opens a stream of events that ends with Done; leaving it early closes the connection.

        Raises:
            ModelError: no credentials, or the service refused the request or declined to answer.
            ModelBusy: it asks to come back later, or there is no connection.
            ModelBroke: it broke off or made no sense.
            ContextTooLong: the conversation does not fit into the model's window.
        """
        response = await self._answer(request)
        try:
            async with aclosing(self._events(response)) as events:
                yield events
        finally:
            with anyio.CancelScope(shield=True):
                await response.close()

    async def aclose(self) -> None:
        """Closes the connections that are kept for the next call."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _answer(self, request: Request) -> AsyncAPIResponse[Any]:
        """The head of an answer, asked for again without what a model does not take."""
        import anthropic

        messages: Sequence[Message] = request.messages
        while True:
            try:
                return await self._post(request, messages)
            except anthropic.BadRequestError as error:
                messages = self._give_in(error, messages)
            except anthropic.APIStatusError as error:
                raise refusals.of_status(self.name, error) from error
            except anthropic.APIConnectionError as error:
                raise refusals.of_connection(self.name, error) from error
            except anthropic.AnthropicError as error:
                raise ModelError(f"{self.name}: {error}") from error

    def _give_in(self, error: anthropic.BadRequestError, messages: Sequence[Message]) -> Sequence[Message]:
        """What to ask with instead; raises the refusal when there is nothing to give up."""
        said = error.message.lower()
        without = _without_thinking(messages)
        if self._forces_calls and "tool_choice" in said:
            self._forces_calls = False
        elif self._strict and any(word in said for word in ("strict", "grammar", "schema")):
            self._strict = False
        elif "thinking" in said and without != messages:
            return without
        else:
            raise refusals.of_status(self.name, error) from error
        return messages

    async def _post(self, request: Request, messages: Sequence[Message]) -> AsyncAPIResponse[Any]:
        manager = self._connected().messages.with_streaming_response.create(
            model=self.name, max_tokens=request.max_tokens, stream=True, **self._said(request, messages)
        )
        return await manager.__aenter__()

    def _connected(self) -> anthropic.AsyncAnthropic:
        if self._client is None:
            import anthropic

            client = anthropic.AsyncAnthropic(max_retries=0, timeout=None, open_telemetry=False)
            given = {name.lower() for name in client.default_headers} & {"authorization", "x-api-key"}
            if not (client.api_key or client.auth_token or client.credentials or given):
                raise ModelError(
                    f"no credentials for {self.name}: set ANTHROPIC_API_KEY, or use --model offline"
                )
            self._client = client
        return self._client

    def _said(self, request: Request, messages: Sequence[Message]) -> Json:
        said: Json = {"messages": marked(messages)}
        tools = declare(request.tools, strict=self._strict)
        if tools:
            forced = request.must_call and self._forces_calls
            said |= {"tools": tools, "tool_choice": {"type": "any" if forced else "auto"}}
        if request.system.strip():
            said["system"] = [{"type": "text", "text": request.system, **MARK}]
        elif tools:
            tools[-1] |= MARK
        return said

    async def _events(self, response: AsyncAPIResponse[Any]) -> AsyncGenerator[ModelEvent]:
        import anthropic
        import httpx2

        assembly = Assembly(self.name)
        # The SDK's own stream hides pings, and they have to be told apart from silence.
        raw = cast(AsyncGenerator[Any], anthropic.AsyncStream.raw_events(response.http_response))
        try:
            async with aclosing(raw) as events:
                async for event in events:
                    if event.event == "error":
                        raise refusals.of_event(self.name, event.data)
                    heard = assembly.take(event.event or "ping", event.data)
                    if not isinstance(heard, Done):
                        yield heard
                        continue
                    yield refusals.heard_out(self.name, heard, assembly)
                    with anyio.move_on_after(_REST_OF_BODY):
                        async for _ in events:
                            pass  # a body that was read to its end leaves a connection for the next call
                    return
        except (httpx2.HTTPError, httpx2.StreamError, UnicodeDecodeError) as error:
            raise ModelBroke(f"{self.name} broke off: {type(error).__name__}: {error}") from error
        raise ModelBroke(f"{self.name} broke off: the stream ended in the middle of a message")


def _without_thinking(messages: Sequence[Message]) -> list[Message]:
    return [
        message
        if isinstance(message["content"], str)
        else {**message, "content": [block for block in message["content"] if block["type"] not in THINKING]}
        for message in messages
    ]
