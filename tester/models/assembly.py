"""Puts a message together from the events of a stream; what is out of turn or garbled breaks it."""

from __future__ import annotations

import json
from typing import Any, Literal

from tester.models.prices import priced
from tester.models.protocol import Delta, Done, ModelBroke, ModelEvent, Ping, Started, Usage

Json = dict[str, Any]
What = Literal["text", "thinking", "call"]

_WHAT: dict[str, What] = {"text": "text", "tool_use": "call"}
_GROWS = {
    ("text", "text_delta"): "text",
    ("thinking", "thinking_delta"): "thinking",
    ("thinking", "signature_delta"): "signature",
    ("tool_use", "input_json_delta"): "partial_json",
}


class Assembly:
    """One message on its way. Feed it the events in order; the last one gives Done."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._blocks: list[Json] = []
        self._block: Json | None = None
        self._arguments = ""
        self._unread: list[str] = []
        self._counts: dict[str, int] | None = None
        self.stop: Json = {}
        """Why the message ended: `stop_reason`, and `stop_details` where the model declined."""

    def take(self, name: str, data: str) -> ModelEvent:
        """What an event means to a turn; one of a kind that is not known counts as a ping.

        Raises:
            ModelBroke: it does not follow from what came before, or is not what it should be.
        """
        try:
            return self._take(name, json.loads(data) if name != "ping" else {})
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelBroke(f"the stream made no sense at {name}: {error}") from error

    def _take(self, name: str, event: Json) -> ModelEvent:
        match name:
            case "message_start":
                return self._message_start(event["message"])
            case "content_block_start":
                return self._block_start(event["index"], dict(event["content_block"]))
            case "content_block_delta":
                return self._block_delta(event["index"], event["delta"])
            case "content_block_stop":
                return self._block_stop(event["index"])
            case "message_delta":
                return self._message_delta(event)
            case "message_stop":
                return self._message_stop()
            case _:
                return Ping()

    def _message_start(self, message: Json) -> ModelEvent:
        _expect(self._counts is None, "a second message began")
        self._counts = {}
        self._count(message["usage"])
        return Started(self._usage())

    def _block_start(self, index: int, block: Json) -> ModelEvent:
        fits = (
            self._counts is not None and self._block is None and not self.stop and index == len(self._blocks)
        )
        _expect(fits, "a block began out of turn")
        if block["type"] == "tool_use":
            named = all(isinstance(block[key], str) and block[key] for key in ("id", "name"))
            _expect(named, "a call has no name")
            block = {
                "type": "tool_use",
                "id": block["id"],
                "name": block["name"],
                "input": block.get("input") or {},
            }
        self._block, self._arguments = block, ""
        self._blocks.append(block)
        return Delta(self._what())

    def _block_delta(self, index: int, delta: Json) -> ModelEvent:
        block = self._at(index)
        grows = _GROWS.get((block["type"], delta["type"]))
        _expect(grows is not None or delta["type"] == "citations_delta", "a piece does not fit its block")
        if grows == "partial_json":
            self._arguments += delta[grows]
        elif grows is not None:
            block[grows] = block.get(grows, "") + delta[grows]
        return Delta(self._what(), delta[grows] if grows is not None and grows != "signature" else "")

    def _block_stop(self, index: int) -> ModelEvent:
        block = self._at(index)
        if self._arguments:
            try:
                block["input"] = json.loads(self._arguments)
            except ValueError:
                block["input"] = self._arguments  # it stays what it is: text, which no tool takes
                self._unread.append(block["name"])
        what, self._block = self._what(), None
        return Delta(what)

    def _message_delta(self, event: Json) -> ModelEvent:
        _expect(self._counts is not None and self._block is None, "the message ended before its block")
        self.stop = dict(event["delta"])
        self._count(event.get("usage") or {})
        return Delta("text")

    def _message_stop(self) -> ModelEvent:
        reason = self.stop.get("stop_reason")
        _expect(isinstance(reason, str), "the message ended without a reason")
        cut = reason in ("max_tokens", "model_context_window_exceeded", "refusal")
        _expect(cut or not self._unread, f"the arguments of {', '.join(self._unread)} do not parse")
        content = [block for block in self._blocks if block["type"] != "text" or block["text"].strip()]
        return Done(content, str(reason), self._usage())

    def _at(self, index: int) -> Json:
        if self._block is None or index != len(self._blocks) - 1:
            raise ValueError("a piece came for a block that is not open")
        return self._block

    def _what(self) -> What:
        return _WHAT.get(self._blocks[-1]["type"], "thinking")

    def _count(self, counts: Json) -> None:
        """Takes over what is counted; later counts are totals, and leave alone what they do not name."""
        assert self._counts is not None
        self._counts.update({key: value for key, value in counts.items() if isinstance(value, int)})

    def _usage(self) -> Usage:
        counts = self._counts or {}
        usage = Usage(
            input=counts.get("input_tokens", 0),
            output=counts.get("output_tokens", 0),
            cache_read=counts.get("cache_read_input_tokens", 0),
            cache_write=counts.get("cache_creation_input_tokens", 0),
        )
        return priced(self._model, usage)


def _expect(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(what)
