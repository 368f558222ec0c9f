"""The Messages API on a free loopback port: real HTTP and SSE, strict as the service, as unreliable as told.

server.will(says("Let me look.", ("look", {})), refuses(529, retry_after="2"), says("…").but(Reset(at=0.5)))
"""

from __future__ import annotations

import json
import select
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

from tests.messages_api.binding import Binding
from tests.messages_api.caching import PromptCache
from tests.messages_api.faults import Close, Delay, Gate, Part, parts_of
from tests.messages_api.replies import Reply, refuses
from tests.messages_api.rules import Invalid, check_request

Line = Reply | Callable[[dict[str, Any]], Reply]
KEY = "test-key"


@dataclass
class Asked:
    """One request that came in: its body and headers, and why it was refused, if by the rules."""

    body: dict[str, Any]
    headers: dict[str, str]
    invalid: str | None = None


class _ClientLeft(Exception):
    """The client closed the connection while it was being answered."""


class MessagesServer:
    """One service. `bound` and `forced_calls` are what models differ in; see rules.py."""

    def __init__(self, *, bound: bool = True, forced_calls: bool = True) -> None:
        self.bound = bound
        self.forced_calls = forced_calls
        self.asked: list[Asked] = []
        self.connections = 0
        self.faults: Counter[str] = Counter()
        self.cache = PromptCache()
        self.left = threading.Event()
        """Set once a client has left in the middle of an answer."""
        self.reached = threading.Event()
        """Set once an answer waits at a stall or a delay."""
        self._lines: list[Line] = []
        self._ids = (f"toolu_{number:04}" for number in count(1))
        self._gates: list[Gate] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def will(self, *lines: Line) -> None:
        """Adds to what it will answer, in this order; a callable makes its answer from the request."""
        self._lines.extend(lines)

    def gate(self) -> Gate:
        """A gate for delays and stalls, opened when the server closes at the latest."""
        self._gates.append(Gate())
        return self._gates[-1]

    @property
    def invalid(self) -> list[str]:
        """Why requests were refused by the rules."""
        return [asked.invalid for asked in self.asked if asked.invalid is not None]

    def close(self) -> None:
        """Opens all gates and stops."""
        for gate in self._gates:
            gate.open()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)
        for gate in self._gates:
            gate.close()

    def answer(self, body: Any, headers: dict[str, str]) -> Reply:
        """What it says to a request: what the rules say, else the next line."""
        if headers.get("authorization") != f"Bearer {KEY}" and headers.get("x-api-key") != KEY:
            return refuses(401, "invalid credentials")
        asked = Asked(body, headers)
        self.asked.append(asked)
        try:
            check_request(body, bound=self.bound, forced_calls=self.forced_calls)
        except Invalid as error:
            asked.invalid = str(error)
            return refuses(400, str(error))
        if not self._lines:
            return refuses(500, "the script has no more lines", x_should_retry="false")
        line = self._lines.pop(0)
        return line(body) if callable(line) else line

    def parts(self, reply: Reply, body: dict[str, Any]) -> list[Part]:
        """What goes over the wire for a reply to a request."""
        binding = Binding(body.get("system", ""), body.get("tools", []))
        for message in body["messages"]:
            binding.speaks(message["role"])
            content = message["content"]
            for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
                binding.add(block)
        events = reply.events(binding, self.cache.account(body), self._ids)
        return parts_of(events, reply.faults)


def _handler_of(service: MessagesServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def handle(self) -> None:
            service.connections += 1
            with suppress(ConnectionError):  # a client may leave between two requests
                super().handle()

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            body = json.loads(raw)
            reply = (
                service.answer(body, headers) if self.path == "/v1/messages" else refuses(404, "no such path")
            )
            service.faults.update(type(fault).__name__.lower() for fault in reply.faults)
            if reply.status != 200:
                service.faults[f"refused {reply.status}"] += 1
            try:
                self._answer(reply, body)
            except (_ClientLeft, BrokenPipeError, ConnectionResetError):
                service.left.set()
                self.close_connection = True

        def _answer(self, reply: Reply, body: dict[str, Any]) -> None:
            for fault in reply.faults:
                if isinstance(fault, Delay):
                    self._wait(fault.gate)
            self.send_response(reply.status)
            for name, value in {"request-id": "req_test", **reply.headers}.items():
                self.send_header(name, value)
            if reply.status == 200:
                self._stream(service.parts(reply, body))
            else:
                said = json.dumps(reply.error).encode()
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(said)))
                self.end_headers()
                self.wfile.write(said)

        def _stream(self, parts: list[Part]) -> None:
            self.send_header("content-type", "text/event-stream; charset=utf-8")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for part in parts:
                if isinstance(part, Close):
                    self._close(part.how)
                    return
                if isinstance(part, bytes):
                    if part:
                        self.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
                else:
                    self._wait(part.gate)
            self.wfile.write(b"0\r\n\r\n")

        def _close(self, how: str) -> None:
            self.close_connection = how != "quiet"
            if how in ("quiet", "hung up"):
                self.wfile.write(b"0\r\n\r\n")
            elif how == "cut":
                self.wfile.write(b"ffff\r\n")  # a chunk that never comes
            else:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()

        def _wait(self, gate: Gate | None) -> None:
            service.reached.set()
            watched = [self.connection] if gate is None else [self.connection, gate.inside]
            ready, _, _ = select.select(watched, [], [])
            if gate is None or gate.inside not in ready:
                raise _ClientLeft

        def log_message(self, *args: object) -> None:
            pass

    return Handler
