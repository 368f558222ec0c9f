"""Watches the whole browser context: requests, dialogs, passing messages, downloads, errors, new tabs."""

from __future__ import annotations

import contextlib
import json
import math
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio
from playwright.async_api import Error as PlaywrightError

from tester import probe
from tester.drawing import Drawings
from tester.happened import (
    COMMITS,
    AlertSeen,
    DialogAnswer,
    DialogSeen,
    DownloadSeen,
    Happened,
    Mark,
    RequestSeen,
    clipped,
    told,
)
from tester.settle import awaited, grace, shape

if TYPE_CHECKING:
    from playwright.async_api import (
        BrowserContext,
        ConsoleMessage,
        Dialog,
        Download,
        Frame,
        Page,
        Request,
        Response,
        WebError,
    )

    from tester.turn import TurnContext

__all__ = ["DialogAnswer", "DialogSeen", "DownloadSeen", "Happened", "Mark", "RequestSeen", "Watch"]

_FIRST_TAB = 1
_LONGEST = 1000
"""Characters that are kept of what a dialog says."""


class Watch:
    """Listens on a browser context from its first moment on; texts are redacted where they enter.

    Downloads are kept in `downloads`; without it, in a folder of the browser's that goes with the context.
    """

    def __init__(
        self, context: BrowserContext, redact: Callable[[str], str], downloads: Path | None = None
    ) -> None:
        self._redact = redact
        self._folder = downloads
        self._requests: list[RequestSeen] = []
        self._dialogs: list[DialogSeen] = []
        self._alerts: list[AlertSeen] = []
        self._downloads: list[DownloadSeen] = []
        self._errors: list[str] = []
        self._pages: list[Page] = []
        self._answers: list[DialogAnswer] = []
        self._on_the_way: dict[Request, RequestSeen] = {}
        self._drawings = Drawings()
        self._saving = 0
        self._changed = anyio.Event()
        self._listen(context)

    def _listen(self, context: BrowserContext) -> None:
        context.on("request", self._request)
        context.on("response", self._response)
        context.on("requestfinished", lambda request: self._ended(request, None))
        context.on("requestfailed", lambda request: self._ended(request, request.failure))
        context.on("framenavigated", self._navigated)
        context.on("framedetached", self._navigated)
        context.on("dialog", self._dialog)
        context.on("console", self._console)
        context.on("weberror", self._script_error)
        context.on("download", self._download)
        context.on("page", self._page)

    # -- what others ask -------------------------------------------------------------------------------------

    def mark(self) -> Mark:
        """This moment."""
        return Mark(
            len(self._requests),
            len(self._dialogs),
            len(self._downloads),
            len(self._errors),
            len(self._pages),
            time.time(),
        )

    def since(self, mark: Mark | None) -> Happened:
        """What was seen from the mark on; everything without one."""
        mark = mark or Mark(pages=_FIRST_TAB)
        requests = self._requests[mark.requests :]
        return Happened(
            [request for request in requests if not request.asset],
            [request for request in requests if request.asset],
            self._dialogs[mark.dialogs :],
            told([alert for alert in self._alerts if alert.at >= mark.at]),
            self._downloads[mark.downloads :],
            self._errors[mark.errors :],
            [self._redact(page.url) for page in self._pages[mark.pages :]],
        )

    def answer(self, dialogs: Sequence[DialogAnswer]) -> None:
        """Says how the next native dialogs are answered, in order; what was said before is forgotten.

        Without an answer laid ready, alerts and beforeunload are accepted, confirm and prompt dismissed.
        """
        self._answers = list(dialogs)

    @property
    def changed(self) -> anyio.Event:
        """Is set when anything that is watched changes; take it before looking, so that nothing is missed."""
        return self._changed

    async def settled(self, turn: TurnContext, mark: Mark) -> None:
        """Returns once all that began since the mark has ended and two frames were drawn, or at the deadline.

        What follows is waited for as well: redirects, new documents up to DOMContentLoaded, chained requests,
        downloads until they are saved. Streams, sockets, images and polls are not.
        """
        with anyio.move_on_after(turn.deadlines.action):
            while True:
                while self._busy(mark):
                    with anyio.move_on_after(self._unread(mark)):
                        await self.changed.wait()
                asked = len(self._dialogs)
                await self._draw(turn, mark)
                if not self._busy(mark) and asked == len(self._dialogs):
                    return

    def _busy(self, mark: Mark) -> bool:
        return bool(awaited(self._requests, mark.requests, mark.at) or self._saving)

    def _unread(self, mark: Mark) -> float:
        """Seconds until the next answer counts as one that nobody reads."""
        seen = awaited(self._requests, mark.requests, mark.at)
        ends = [one.answered + one.grace for one in seen if one.answered and one.grace is not None]
        return max(0.0, min(ends) - time.time()) if ends else math.inf

    async def _draw(self, turn: TurnContext, mark: Mark) -> None:
        """Waits until two frames are drawn in the current tab and in what was opened since the mark."""
        pages = [page for page in turn.session.context.pages if page in self._pages[mark.pages :]]
        with contextlib.suppress(LookupError):  # the last tab was closed
            pages.append(turn.session.page)
        if len(set(pages)) == 1:
            await self._drawings.drawn(turn, pages[0].main_frame)
            return
        async with anyio.create_task_group() as tasks:
            for page in set(pages):
                tasks.start_soon(self._drawings.drawn, turn, page.main_frame)

    # -- what the browser tells ------------------------------------------------------------------------------

    def _request(self, request: Request) -> None:
        if not request.url.startswith("http"):
            return
        url = self._redact(request.url)
        parts = urlsplit(url)
        path = parts._replace(scheme="", netloc="", fragment="", path=parts.path or "/").geturl()
        body = request.post_data if request.method in COMMITS else None
        seen = RequestSeen(
            request.method,
            url,
            path,
            request.resource_type,
            _of_a_tab(request),
            time.time(),
            shape(request.method, path, body),
        )
        self._requests.append(seen)
        self._on_the_way[request] = seen
        self._tell()

    def _response(self, response: Response) -> None:
        seen = self._on_the_way.get(response.request)
        if seen is not None:
            seen.status, seen.answered = response.status, time.time()
            seen.grace = grace(seen.resource, response.headers)
            self._tell()

    def _ended(self, request: Request, failure: str | None) -> None:
        seen = self._on_the_way.pop(request, None)
        if seen is not None:
            seen.finished, seen.failure = time.time(), failure
            self._tell()

    def _navigated(self, frame: Frame) -> None:
        self._drawings.navigated(frame)
        self._tell()

    async def _dialog(self, dialog: Dialog) -> None:
        usual = DialogAnswer(accept=dialog.type in ("alert", "beforeunload"))
        answer = self._answers.pop(0) if self._answers else usual
        said = "accepted" if answer.accept else "dismissed"
        self._dialogs.append(DialogSeen(dialog.type, clipped(self._redact(dialog.message), _LONGEST), said))
        self._tell()
        with contextlib.suppress(PlaywrightError):  # it went away with its page
            await (dialog.accept(answer.text or "") if answer.accept else dialog.dismiss())

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "debug" and message.text.startswith(probe.CHANNEL):
            self._news(json.loads(message.text.removeprefix(probe.CHANNEL)))
        elif message.type == "error" and not message.location["url"].endswith("/favicon.ico"):
            self._errors.append(clipped(self._redact(message.text)))
            self._tell()

    def _news(self, news: dict[str, Any]) -> None:
        if "drawn" in news:
            self._drawings.over(news["drawn"])
        elif "alert" in news:
            self._alert(news["alert"], news["age"], news["part"])
        self._tell()

    def _alert(self, text: str, age: float, part: str | None) -> None:
        alert = AlertSeen(self._redact(text), time.time() - age / 1000, part)
        if self._alerts and _counts_on(self._alerts[-1], alert):
            self._alerts.pop()
        self._alerts.append(alert)

    def _script_error(self, error: WebError) -> None:
        self._errors.append(clipped(self._redact(error.error.message.partition("\n")[0])))
        self._tell()

    def _page(self, page: Page) -> None:
        self._pages.append(page)
        page.on("crash", self._crashed)
        page.on("close", lambda page: self._navigated(page.main_frame))
        self._tell()

    def _crashed(self, page: Page) -> None:
        self._errors.append("the page crashed")
        self._navigated(page.main_frame)

    async def _download(self, download: Download) -> None:
        self._saving += 1
        name = Path(download.suggested_filename).name
        try:
            path = Path(await download.path())
            if self._folder is not None:
                path = self._folder / str(len(self._downloads) + 1) / name
                await download.save_as(path)
            self._downloads.append(DownloadSeen(self._redact(name), path))
        except PlaywrightError as error:
            self._errors.append(clipped(self._redact(f"the download {name!r} failed: {error}")))
        finally:
            self._saving -= 1
            self._tell()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()


def _of_a_tab(request: Request) -> bool:
    """Whether it asks for the document of a whole tab."""
    try:
        return request.is_navigation_request() and request.frame.parent_frame is None
    except PlaywrightError:  # the first document of a tab that has no frame yet
        return True


def _counts_on(before: AlertSeen, after: AlertSeen) -> bool:
    """Whether a message only replaces the last one of its region with other numbers, as progress does."""
    if after.region is None or after.region != before.region:
        return False
    return re.sub(r"\d+", "#", before.text) == re.sub(r"\d+", "#", after.text)
