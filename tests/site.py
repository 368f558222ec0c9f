"""A small web site on loopback that a test can read at a glance: pages, answers, gates and a log."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Asked:
    """One request that the site received."""

    method: str
    path: str
    body: str = ""


@dataclass
class Answer:
    """What the site says to it; `gate` holds the answer back until it is set."""

    body: str | bytes = ""
    status: int = 200
    type: str = "text/html; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)
    gate: threading.Event | None = None


class Site:
    """A small web site on a free loopback port: pages by path, answers by method and path, and a log."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.answers: dict[tuple[str, str], Answer | Callable[[Asked], Answer]] = {}
        self.gates: list[threading.Event] = []
        self._heard = threading.Condition()
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                asked = Asked(self.command, self.path, self.rfile.read(length).decode(errors="replace"))
                with site._heard:
                    site.asked.append(asked)
                    site._heard.notify_all()
                found = site.answers.get((self.command, self.path.partition("?")[0]), Answer("not here", 404))
                reply = found(asked) if callable(found) else found
                if reply.gate is not None:
                    reply.gate.wait(30)
                body = reply.body.encode() if isinstance(reply.body, str) else reply.body
                try:
                    self.send_response(reply.status)
                    self.send_header("content-type", reply.type)
                    self.send_header("content-length", str(len(body)))
                    for name, value in reply.headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(body)
                except (BrokenPipeError, ConnectionResetError):
                    pass  # the browser went away

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def page(self, path: str, html: str) -> str:
        """Puts a page (body or whole document) at a path and gives its address."""
        whole = html if "<html" in html else f"<!doctype html><meta charset=utf-8><title>Page</title>{html}"
        self.answers["GET", path] = Answer(whole)
        return self.url + path

    def on(self, method: str, path: str, answer: Answer | Callable[[Asked], Answer]) -> None:
        """Answers a method and path in this way from now on."""
        self.answers[method, path] = answer

    def gate(self) -> threading.Event:
        """A gate for answers; opened at the end of the test if not before."""
        gate = threading.Event()
        self.gates.append(gate)
        return gate

    def commits(self) -> list[Asked]:
        """The requests that change something."""
        return [asked for asked in self.asked if asked.method not in ("GET", "HEAD", "OPTIONS")]

    def wait_for_commit(self, seconds: float = 30) -> bool:
        """Returns once a request that changes something has come in; False when none came in time."""
        with self._heard:
            return self._heard.wait_for(lambda: bool(self.commits()), seconds)

    def close(self) -> None:
        """Opens all gates and stops the server."""
        for gate in self.gates:
            gate.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)
