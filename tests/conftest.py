"""What every test may use: an event loop, a browser for each worker, a site, an open turn on a page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from playwright.async_api import Browser

from scenarios.variables import Secrets
from tester.browser import Wanted, launch
from tester.deadlines import Deadlines
from tester.session import Bounds, open_session
from tester.turn import Attempt, TurnContext, open_turn
from tests.site import Site
from traces.events import Event

PAGES = Path(__file__).parent / "pages"

pytest_plugins = ["tests.messages_api.plugin"]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Playwright speaks asyncio alone."""
    return "asyncio"


@pytest.fixture(scope="session")
async def browser(anyio_backend: str) -> AsyncIterator[Browser]:
    """A headless Chromium, shared by the tests of one worker; each test opens a context of its own."""
    async with launch(Wanted()) as browser:
        yield browser


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
    """Opens a page of the site in a session of its own, with an open turn on it: `await open_page(html)`."""
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
