"""What every test may use: one event loop, one browser for each worker, a site on loopback, an open turn on a page."""

from __future__ import annotations

import shutil
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.async_api import Browser, async_playwright

from scenarios.variables import Secrets
from tester import probe
from tester.deadlines import Deadlines
from tester.session import Bounds, open_session
from tester.turn import Attempt, TurnContext, open_turn
from traces.events import Event

PAGES = Path(__file__).parent / "pages"


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Playwright speaks asyncio alone."""
    return "asyncio"


@pytest.fixture(scope="session")
async def browser(anyio_backend: str) -> AsyncIterator[Browser]:
    """A headless Chromium, shared by the tests of one worker; each test opens a context of its own."""
    async with async_playwright() as playwright:
        await probe.install(playwright)
        browser = await playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-background-networking"]
        )
        yield browser
        await browser.close()


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
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                asked = Asked(self.command, self.path, self.rfile.read(length).decode(errors="replace"))
                site.asked.append(asked)
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

    def close(self) -> None:
        """Opens all gates and stops the server."""
        for gate in self.gates:
            gate.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


@pytest.fixture
def site() -> Iterator[Site]:
    """A site of the test's own."""
    site = Site()
    yield site
    site.close()


OpenPage = Callable[..., Awaitable[TurnContext]]


@pytest.fixture
async def open_page(
    browser: Browser, site: Site, events: list[Event], tmp_path: Path
) -> AsyncIterator[OpenPage]:
    """Opens a page of the site in a session of its own and gives an open turn on it: `await open_page(html)`."""
    async with AsyncExitStack() as stack:

        async def open_(
            html: str | None = None,
            *,
            path: str = "/page",
            deadlines: Deadlines | None = None,
            secrets: dict[str, str] | None = None,
        ) -> TurnContext:
            if html is not None:
                site.page(path, html)
            limits = deadlines or Deadlines()
            bounds = Bounds(site.url, frozenset({site.url}), tmp_path)
            session = await stack.enter_async_context(
                open_session(browser, deadlines=limits, bounds=bounds, secrets=Secrets(secrets or {}))
            )
            await session.page.goto(site.url + path)
            attempt = Attempt("test", "tester", 1)
            return await stack.enter_async_context(
                open_turn(attempt, session.lane, limits, events.append, session)
            )

        yield open_


@pytest.fixture
def events() -> list[Event]:
    """Everything that was told, in order."""
    return []
