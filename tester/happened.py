"""What was seen in the browser: the shapes of requests, dialogs, messages, downloads, errors and new tabs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

COMMITS = frozenset({"POST", "PUT", "PATCH", "DELETE"})
"""Methods of requests that change something outside the page."""

Shape = tuple[str, str, str]
_ASSETS = frozenset({"image", "stylesheet", "font", "media", "manifest", "texttrack", "script", "other"})
_ALERTS, _LONG = 8, 200


@dataclass(slots=True, eq=False)
class RequestSeen:
    """One request, filled in as it goes on; `status` is None while (or because) there is no answer.

    `url` and `path` (with its query) are redacted; `started`, `answered` and `finished` are seconds of the
    wall clock; `navigation` tells whether it asked for the document of a whole tab.
    """

    method: str
    url: str
    path: str
    resource: str
    navigation: bool
    started: float
    shape: Shape = field(default=("", "", ""), repr=False)
    """What it shares with its repetitions."""
    status: int | None = None
    failure: str | None = None
    answered: float | None = None
    finished: float | None = None
    grace: float | None = None
    """Seconds after the answer within which a page that wants its body has read it; None:
    for as long as it takes.
    """

    @property
    def ended(self) -> float | None:
        """When it was over: finished, or answered with a body that the page leaves unread."""
        if self.finished is not None or self.answered is None or self.grace is None:
            return self.finished
        over = self.answered + self.grace
        return over if over <= time.time() else None

    @property
    def commits(self) -> bool:
        """Whether it changes something outside the page."""
        return self.method in COMMITS

    @property
    def asset(self) -> bool:
        """Whether it only fetched a script, style, image or font."""
        return self.resource in _ASSETS and not self.commits


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
class AlertSeen:
    """One message: of a live region, or one that came and went; `at` is when it appeared."""

    text: str
    at: float
    region: str | None = None
    """The part of a live region that said it, None for a message that stood anywhere else."""


@dataclass(frozen=True, slots=True)
class DownloadSeen:
    """One file that the page handed over, saved at `path`."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment in the log of a watch: how far each list had come, and the time."""

    requests: int = 0
    dialogs: int = 0
    downloads: int = 0
    errors: int = 0
    pages: int = 0
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Happened:
    """All that was seen from a moment on; `assets` are the requests for scripts, styles, images and fonts."""

    requests: list[RequestSeen]
    assets: list[RequestSeen]
    dialogs: list[DialogSeen]
    alerts: list[str]
    downloads: list[DownloadSeen]
    errors: list[str]
    pages: list[str]

    @property
    def commits(self) -> list[RequestSeen]:
        """The requests that change something outside the page."""
        return [request for request in self.requests if request.commits]


def told(alerts: Sequence[AlertSeen]) -> list[str]:
    """The messages as they are reported: at most 8 different ones of 200 characters,
    live regions before others.
    """
    ranked = sorted(alerts, key=lambda one: one.region is None)
    texts = list(dict.fromkeys(clipped(one.text) for one in ranked))
    return texts[:_ALERTS]


def clipped(text: str, most: int = _LONG) -> str:
    """The text, cut with an ellipsis where it is too long."""
    return text if len(text) <= most else text[: most - 1] + "…"
