"""What the model says in a test: blocks that become a stream of events, or a refusal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from tests.messages_api import faults as kinds
from tests.messages_api.binding import Binding
from tests.messages_api.faults import Event, Fault

Json = dict[str, Any]

_REFUSALS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}


@dataclass(frozen=True)
class Reply:
    """One answer of the service. A call's input may be text, to be sent as it is, whole JSON or not."""

    content: tuple[Json, ...] = ()
    stop_reason: str | None = None
    status: int = 200
    message: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    stop_details: Json | None = None
    usage: Json = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()

    def but(self, *faults: Fault) -> Reply:
        """The same answer, with faults."""
        return replace(self, faults=(*self.faults, *faults))

    @property
    def error(self) -> Json:
        """The body of a refusal."""
        kind = _REFUSALS.get(self.status, "api_error")
        return {
            "type": "error",
            "error": {"type": kind, "message": self.message or kind},
            "request_id": "req_test",
        }

    def events(self, binding: Binding, usage: Mapping[str, int], ids: Iterator[str]) -> list[Event]:
        """The stream of events, its thoughts signed and its calls numbered."""
        binding.speaks("assistant")
        counted = {**usage, "output_tokens": 1, **self.usage}
        message = {"id": "msg_test", "type": "message", "role": "assistant", "model": "test", "content": []}
        said: list[tuple[str, Json]] = [
            ("message_start", {"message": {**message, "stop_reason": None, "usage": counted}})
        ]
        for index, block in enumerate(self.content):
            said += [(name, {"index": index, **data}) for name, data in _block_events(block, binding, ids)]
        called = any(block["type"] == "tool_use" for block in self.content)
        stop: Json = {
            "stop_reason": self.stop_reason or ("tool_use" if called else "end_turn"),
            "stop_sequence": None,
        }
        if self.stop_details is not None:
            stop["stop_details"] = self.stop_details
        output = self.usage.get("output_tokens", len(json.dumps(self.content)) // 4)
        said += [("message_delta", {"delta": stop, "usage": {"output_tokens": output}}), ("message_stop", {})]
        return [(name, json.dumps({"type": name, **data})) for name, data in said]


def says(text: str = "", *calls: tuple[str, Any], thinks: str | None = None, **more: Any) -> Reply:
    """A message: a thought, then text, then calls of tools with their inputs."""
    blocks: list[Json] = [] if thinks is None else [{"type": "thinking", "thinking": thinks}]
    blocks += [{"type": "text", "text": text}] if text else []
    blocks += [{"type": "tool_use", "name": name, "input": given} for name, given in calls]
    return Reply(tuple(blocks), **more)


def refuses(status: int, message: str = "", **headers: str) -> Reply:
    """A refusal; headers are given with underscores for hyphens."""
    return Reply(
        status=status,
        message=message,
        headers={key.replace("_", "-"): value for key, value in headers.items()},
    )


def read_script(path: Path) -> list[Reply]:
    """The replies that a YAML file lists; see tests/messages_api/scripts for what it may say."""
    return [_read(entry) for entry in yaml.safe_load(path.read_text())]


def _read(entry: Json) -> Reply:
    headers = {key: str(value) for key, value in entry.get("headers", {}).items()}
    if "refuses" in entry:
        return Reply(status=entry["refuses"], message=entry.get("message", ""), headers=headers)
    calls = [(name, given) for call in entry.get("calls", []) for name, given in call.items()]
    reply = says(entry.get("says", ""), *calls, thinks=entry.get("thinks"), stop_reason=entry.get("stop"))
    wrong = [(name, given) for fault in entry.get("but", []) for name, given in fault.items()]
    return reply.but(*(getattr(kinds, name)(**given) for name, given in wrong))


def _block_events(block: Json, binding: Binding, ids: Iterator[str]) -> Iterable[tuple[str, Json]]:
    opened, deltas, whole = _shapes(block, binding, ids)
    yield "content_block_start", {"content_block": opened}
    for delta in deltas:
        yield "content_block_delta", {"delta": delta}
    yield "content_block_stop", {}
    binding.add(whole)


def _shapes(block: Json, binding: Binding, ids: Iterator[str]) -> tuple[Json, list[Json], Json]:
    """A block as it begins, what is then added to it, and what it is in the end."""
    kind = block["type"]
    if kind == "text":
        return (
            {**block, "text": ""},
            [{"type": "text_delta", "text": half} for half in _halves(block["text"])],
            block,
        )
    if kind == "thinking":
        whole = {**block, "signature": binding.sign(block["thinking"])}
        thought = [{"type": "thinking_delta", "thinking": half} for half in _halves(block["thinking"])]
        signed = [{"type": "signature_delta", "signature": whole["signature"]}]
        return {**block, "thinking": "", "signature": ""}, [*thought, *signed], whole
    if kind == "tool_use":
        given = block["input"]
        text = given if isinstance(given, str) else json.dumps(given)
        call = {"type": "tool_use", "id": block.get("id") or next(ids), "name": block["name"]}
        pieces = [{"type": "input_json_delta", "partial_json": half} for half in _halves(text)]
        return {**call, "input": {}}, pieces, {**call, "input": given}
    return block, [], block


def _halves(text: str) -> list[str]:
    middle = len(text) // 2
    return [half for half in (text[:middle], text[middle:]) if half]
