"""One scenario's time in the browser: its context, its tabs, what is watched, and what it may touch."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import anyio

from scenarios.variables import Secrets
from tester.deadlines import Deadlines
from tester.lane import Lane
from tester.ledger import Ledger
from tester.recorder import StepRecord
from tester.watch import Watch

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page


class OutOfBounds(Exception):
    """An address that this scenario may not open; the message says which are allowed."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where a scenario may go: `base_url` for relative addresses, and the allowed origins."""

    base_url: str | None = None
    origins: frozenset[str] = frozenset()
    files: Path = field(default_factory=Path)
    """The folder that uploads may come from."""

    def resolve(self, address: str) -> str:
        """The absolute address.

        Raises:
            OutOfBounds: another scheme than http(s), a foreign origin, or a relative address without a base.
        """
        url = urljoin(self.base_url or "", address)
        scheme = urlsplit(url).scheme
        if not scheme:
            raise OutOfBounds(f"{address!r} is relative and the scenario has no base_url")
        if scheme not in ("http", "https"):
            raise OutOfBounds(f"{scheme}: addresses are never opened")
        if self.origins and origin(url) not in self.origins:
            allowed = ", ".join(sorted(self.origins))
            raise OutOfBounds(f"{origin(url)} is not an allowed origin ({allowed})")
        return url


def origin(url: str) -> str:
    """Scheme, host and port of an address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


class Session:
    """The browser side of one scenario. `page` is the current tab; tools reach it through their fence."""

    def __init__(
        self,
        context: BrowserContext,
        lane: Lane,
        watch: Watch,
        deadlines: Deadlines,
        bounds: Bounds,
        secrets: Secrets,
    ) -> None:
        self.context = context
        self.lane = lane
        self.watch = watch
        self.deadlines = deadlines
        self.bounds = bounds
        self.secrets = secrets
        self.ledger = Ledger()
        self.nonce = token_hex(8)
        """The word that fences page text for a model; no page can know it."""
        self._booked = watch.mark()
        self._page: Page | None = None

    @property
    def page(self) -> Page:
        """The current tab: the one switched to, else the newest that is still open."""
        if self._page is None or self._page.is_closed():
            self._page = next((page for page in reversed(self.context.pages) if not page.is_closed()), None)
        if self._page is None:
            raise LookupError("no tab is open")
        return self._page

    def switch(self, page: Page) -> None:
        """Makes another tab the current one."""
        self._page = page

    def book(self, step: StepRecord) -> None:
        """Books what the page sent since the last booking as this step's doing."""
        happened = self.watch.since(self._booked)
        self._booked = self.watch.mark()
        step.requests.extend(
            {"method": sent.method, "path": sent.path, "status": sent.status} for sent in happened.requests
        )
        self.ledger.book(step, happened.commits)

    async def replace_page(self) -> None:
        """Closes a tab that does not answer and opens a fresh one at the same address."""
        hung = self.page
        address = hung.url
        self._page = await self.context.new_page()
        await hung.close()
        if address.startswith("http"):
            await self._page.goto(address, wait_until="commit", timeout=self.deadlines.action * 1000)


@asynccontextmanager
async def open_session(
    browser: Browser,
    *,
    deadlines: Deadlines,
    bounds: Bounds,
    secrets: Secrets,
    storage_state: Path | None = None,
) -> AsyncIterator[Session]:
    """Opens a browser context of its own with one tab, and closes it whatever happened."""
    context = await browser.new_context(
        base_url=bounds.base_url, storage_state=storage_state, accept_downloads=True
    )
    try:
        async with anyio.create_task_group() as tasks:
            session = Session(
                context, Lane(tasks), Watch(context, secrets.redact), deadlines, bounds, secrets
            )
            session.switch(await context.new_page())
            yield session
    except BaseExceptionGroup as group:
        if (
            len(group.exceptions) == 1
        ):  # a task group wraps what its body raised; callers want the thing itself
            raise group.exceptions[0] from group.exceptions[0].__cause__
        raise
    finally:
        with anyio.CancelScope(shield=True), anyio.move_on_after(deadlines.drain):
            await context.close()
