"""Watches the whole browser context: requests, dialogs, passing messages, downloads, errors, new tabs."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import anyio
from playwright.async_api import Error as PlaywrightError

if TYPE_CHECKING:
    from playwright.async_api import (
        BrowserContext,
        ConsoleMessage,
        Dialog,
        Download,
        Page,
        Request,
        Response,
        WebError,
    )

    from tester.turn import TurnContext

COMMITS = frozenset({"POST", "PUT", "PATCH", "DELETE"})
"""Methods of requests that change something outside the page."""

_WAITED_FOR = frozenset({"document", "fetch", "xhr", "script", "stylesheet"})
_UNREAD = 0.4
"""Seconds after which an answer whose body nobody reads counts as the end of its request."""
_REPEATS = 2
"""Times that a page asks for the same thing, after which it is taken to do so by itself, over and over."""
_ASSETS = frozenset({"image", "stylesheet", "font", "media", "manifest", "texttrack", "script", "other"})


@dataclass(slots=True, eq=False)
class RequestSeen:
    """One request, filled in as it goes on; `status` is None while (or because) there is no answer.

    `url` and `path` (with its query) are redacted; `started` and `ended` are seconds of the wall clock;
    `navigation` tells whether it asked for the document of a whole tab.
    """

    method: str
    url: str
    path: str
    resource: str
    navigation: bool
    started: float
    status: int | None = None
    failure: str | None = None
    answered: float | None = None
    ended: float | None = None


@dataclass(slots=True)
class DialogSeen:
    """One native dialog: `type` is alert, confirm, prompt or beforeunload; `answer` is what was done."""

    type: str
    message: str
    answer: str


@dataclass(frozen=True, slots=True)
class DialogAnswer:
    """How one native dialog is to be answered; `text` is typed into a prompt."""

    accept: bool = True
    text: str | None = None


@dataclass(frozen=True, slots=True)
class DownloadSeen:
    """One file that the page handed over, saved at `path`."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment in the log of a watch."""

    requests: int = 0
    dialogs: int = 0
    alerts: int = 0
    downloads: int = 0
    errors: int = 0
    pages: int = 0


@dataclass(frozen=True, slots=True)
class Happened:
    """All that was seen from a moment on; `assets` are the requests for scripts, styles, images and fonts."""

    requests: list[RequestSeen] = field(default_factory=list)
    assets: list[RequestSeen] = field(default_factory=list)
    dialogs: list[DialogSeen] = field(default_factory=list)
    alerts: list[str] = field(default_factory=list)
    downloads: list[DownloadSeen] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)

    @property
    def commits(self) -> list[RequestSeen]:
        """The requests that change something outside the page."""
        return [request for request in self.requests if request.method in COMMITS]


class Watch:
    """Listens on a browser context from its first moment on; texts are redacted where they enter."""

    def __init__(
        self, context: BrowserContext, redact: Callable[[str], str], downloads: Path | None = None
    ) -> None:
        self._redact = redact
        self._folder = downloads
        self._requests: list[RequestSeen] = []
        self._dialogs: list[DialogSeen] = []
        self._alerts: list[str] = []
        self._downloads: list[DownloadSeen] = []
        self._errors: list[str] = []
        self._pages: list[Page] = []
        self._answers: list[DialogAnswer] = []
        self._known: dict[Request, RequestSeen] = {}
        self._saving = 0
        self._changed = anyio.Event()
        context.on("request", self._request)
        context.on("response", self._response)
        context.on("requestfinished", self._finished)
        context.on("requestfailed", self._failed)
        context.on("dialog", self._dialog)
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("page", self._page)

    # -- what others ask ------------------------------------------------------------

    def mark(self) -> Mark:
        """This moment."""
        return Mark(
            len(self._requests),
            len(self._dialogs),
            len(self._alerts),
            len(self._downloads),
            len(self._errors),
            len(self._pages),
        )

    def since(self, mark: Mark | None) -> Happened:
        """What was seen from the mark on; everything without one."""
        mark = mark or Mark()
        requests = self._requests[mark.requests :]
        return Happened(
            [request for request in requests if not _is_asset(request)],
            [request for request in requests if _is_asset(request)],
            self._dialogs[mark.dialogs :],
            self._alerts[mark.alerts :],
            self._downloads[mark.downloads :],
            self._errors[mark.errors :],
            [self._redact(page.url) for page in self._pages[mark.pages :]],
        )

    def answer(self, dialogs: Sequence[DialogAnswer]) -> None:
        """Says how the next native dialogs are answered, in order; what was said before is forgotten."""
        self._answers = list(dialogs)

    async def settled(self, turn: TurnContext, mark: Mark) -> None:
        """Returns once what began since the mark has ended and two frames were drawn, or at the deadline."""
        with anyio.move_on_after(turn.deadlines.action):
            while True:
                while self._out(mark) or self._saving:
                    with anyio.move_on_after(_UNREAD):
                        await self._changed.wait()
                if turn.session.page.is_closed():
                    return
                try:
                    await turn.page.wait_for_load_state(
                        "domcontentloaded", timeout=turn.deadlines.action * 1000
                    )
                    await turn.page.evaluate(_TWO_FRAMES)
                except PlaywrightError:
                    continue
                if not self._out(mark) and not self._saving:
                    return

    def _out(self, mark: Mark) -> list[RequestSeen]:
        began = [one for one in self._requests[mark.requests :] if one.ended is None and _is_awaited(one)]
        if not began:
            return []
        whole = Counter(f"{one.method} {one.path}" for one in self._requests)
        bare = Counter(_without_query(one) for one in self._requests[: mark.requests])
        return [
            one
            for one in began
            if one.navigation
            or one.method in COMMITS
            or (whole[f"{one.method} {one.path}"] <= _REPEATS and bare[_without_query(one)] <= 2 * _REPEATS)
        ]

    # -- what the browser tells ------------------------------------------------------------

    def _request(self, request: Request) -> None:
        if not request.url.startswith("http"):
            return
        url = self._redact(request.url)
        parts = urlsplit(url)
        path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        navigation = request.is_navigation_request() and _in_whole_tab(request)
        seen = RequestSeen(request.method, url, path, request.resource_type, navigation, time.time())
        self._known[request] = seen
        self._requests.append(seen)
        self._tell()

    def _response(self, response: Response) -> None:
        seen = self._known.get(response.request)
        if seen is not None:
            seen.status, seen.answered = response.status, time.time()

    def _finished(self, request: Request) -> None:
        self._end(request, None)

    def _failed(self, request: Request) -> None:
        self._end(request, request.failure)

    def _end(self, request: Request, failure: str | None) -> None:
        seen = self._known.pop(request, None)
        if seen is not None:
            seen.ended, seen.failure = time.time(), failure
            self._tell()

    async def _dialog(self, dialog: Dialog) -> None:
        usual = DialogAnswer(accept=dialog.type in ("alert", "beforeunload"))
        answer = self._answers.pop(0) if self._answers else usual
        said = "accepted" if answer.accept else "dismissed"
        self._dialogs.append(DialogSeen(dialog.type, self._redact(dialog.message), said))
        self._tell()
        with contextlib.suppress(PlaywrightError):  # it went away with its page
            await (dialog.accept(answer.text or "") if answer.accept else dialog.dismiss())

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._errors.append(self._redact(message.text))

    def _error(self, error: WebError) -> None:
        self._errors.append(self._redact(str(error.error)))

    def _page(self, page: Page) -> None:
        self._pages.append(page)
        page.on("download", self._download)
        page.on("crash", lambda _: self._errors.append("the page crashed"))
        page.on("close", lambda _: self._tell())
        self._tell()

    async def _download(self, download: Download) -> None:
        self._saving += 1
        name = Path(download.suggested_filename).name
        try:
            path = await download.path()
            if self._folder is not None:
                path = self._folder / str(len(self._downloads) + 1) / name
                await download.save_as(path)
            self._downloads.append(DownloadSeen(self._redact(name), Path(path)))
        except PlaywrightError as error:
            self._errors.append(self._redact(f"the download {name!r} failed: {error}"))
        finally:
            self._saving -= 1
            self._tell()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()


_TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))"


def _is_awaited(request: RequestSeen) -> bool:
    """Whether its end matters: a page that never reads an answer never lets it end."""
    unread = request.answered is not None and time.time() - request.answered > _UNREAD
    return request.resource in _WAITED_FOR and not unread


def _without_query(request: RequestSeen) -> str:
    return f"{request.method} {request.path.partition('?')[0]}"


def _is_asset(request: RequestSeen) -> bool:
    return request.resource in _ASSETS and request.method not in COMMITS


def _in_whole_tab(request: Request) -> bool:
    try:
        return request.frame.parent_frame is None
    except PlaywrightError:  # a navigation that has no frame yet
        return True
