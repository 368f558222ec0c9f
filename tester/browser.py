"""Finds a browser, starts it, and sees to it that none outlives the command, however the command ends.

Playwright runs a driver as our child, and the driver runs the browser. A signal to our whole process group (a
terminal's Ctrl-C, `timeout` in CI) must not take the browser away from our tidy end, so the driver gets a
session of its own. A pipe leads to it: when this process is gone, for any reason, the pipe is closed, and the
driver closes its browser, removes the profile and ends.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio

from scenarios.errors import BrowserError, UsageError
from tester import probe

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserType, Playwright

CHROMIUM = "WALKAROUND_CHROMIUM"
"""The environment variable that names the executable of a Chromium."""

KINDS = ("chromium", "firefox", "webkit")

_NAMES = (
    "chromium",
    "google-chrome",
    "google-chrome-stable",
    "chromium-browser",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
)
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
_START_SECONDS = 60.0
_CLOSE_SECONDS = 5.0
_LEAVE_SECONDS = 3.0
_HELP = (
    "Run `playwright install chromium` (as root: `playwright install --with-deps chromium`), install the "
    f"system's package (Debian, Ubuntu: `apt-get install chromium`), or set {CHROMIUM} to an executable."
)


_SAID = re.compile(r"\[pid=\d+\](?:\[err\] | <process did )(\S.*?)>?$", re.MULTILINE)
"""What the browser wrote and how it ended, in the driver's log."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The browser that a run asks for; `slowmo` is in milliseconds."""

    browser: str = "chromium"
    channel: str | None = None
    headed: bool = False
    slowmo: float = 0


@asynccontextmanager
async def launch(wanted: Wanted) -> AsyncIterator[Browser]:
    """Gives a running browser, and closes it with its driver and its profile at the end.

    Raises:
        BrowserError: none could be found or started; says what to install.
        UsageError: `wanted.browser` is none of `KINDS`.
    """
    if wanted.browser not in KINDS:
        raise UsageError(f"browser {wanted.browser!r} is not known; say one of {', '.join(KINDS)}")
    async with _driver() as playwright:
        await probe.install(playwright)
        browser = await _start(playwright, wanted)
        try:
            yield browser
        finally:
            await _close(browser)


def find_chromium(own: str | None = None) -> str | None:
    """Gives the path of a Chromium: the one the environment names, `own` (Playwright's), or one on the PATH.

    Raises:
        BrowserError: the environment names something that cannot be run.
    """
    named = os.environ.get(CHROMIUM)
    if named:
        found = shutil.which(named)
        if found is None:
            raise BrowserError(f"{CHROMIUM} says {named}, which is not an executable file.")
        return found
    return next(_candidates(own), None)


def _candidates(own: str | None) -> Iterator[str]:
    for name in (own, *_NAMES, *_PLACES):
        found = shutil.which(name) if name else None
        if found is not None:
            yield found


def end_browsers() -> None:
    """Ends every browser of this process at once, for a process that leaves with `os._exit` right after.

    It closes all files of the process but the standard ones, because a driver ends its browser, profile
    folder and all, when its pipe closes. What has not ended after some seconds is killed.
    """
    import psutil

    children = psutil.Process().children()
    os.closerange(3, 4096)
    _, stuck = psutil.wait_procs(children, timeout=_LEAVE_SECONDS)
    for one in stuck:
        with suppress(psutil.Error):
            for browser in one.children(recursive=True):
                with suppress(psutil.Error):
                    browser.kill()
    _, stuck = psutil.wait_procs(stuck, timeout=_LEAVE_SECONDS)
    for one in stuck:
        with suppress(psutil.Error):
            one.kill()


@asynccontextmanager
async def _driver() -> AsyncIterator[Playwright]:
    from playwright.async_api import async_playwright

    _keep_drivers_apart(asyncio.get_running_loop())
    # Shielded: a driver whose start was cancelled half-way would have nobody to end it.
    with anyio.CancelScope(shield=True), anyio.move_on_after(_START_SECONDS) as patience:
        try:
            playwright = await async_playwright().start()
        except Exception as error:  # the driver died or could not be run: playwright raises bare Exceptions
            raise BrowserError(f"Playwright's driver did not start: {error}") from error
    if patience.cancelled_caught:
        raise BrowserError(f"Playwright's driver did not start within {_START_SECONDS:.0f} s.")
    try:
        yield playwright
    finally:
        with anyio.move_on_after(_CLOSE_SECONDS, shield=True):
            await playwright.stop()


def _keep_drivers_apart(loop: asyncio.AbstractEventLoop) -> None:
    """Lets the loop start drivers in sessions of their own; Playwright has no word for that."""
    spawn = loop.subprocess_exec
    if getattr(spawn, "keeps_drivers_apart", False):
        return

    def apart(protocol: Any, *command: Any, **options: Any) -> Any:
        if "run-driver" in command:
            options["start_new_session"] = True
        return spawn(protocol, *command, **options)

    apart.keeps_drivers_apart = True  # type: ignore[attr-defined]
    loop.subprocess_exec = apart  # type: ignore[method-assign, assignment]


async def _start(playwright: Playwright, wanted: Wanted) -> Browser:
    kind: BrowserType = getattr(playwright, wanted.browser)
    path: str | None = None
    if wanted.browser == "chromium" and wanted.channel is None:
        path = find_chromium(kind.executable_path)
        if path is None:
            raise BrowserError(f"No Chromium was found. {_HELP}")
    return await _launch(kind, wanted, path, sandbox=wanted.browser == "chromium" and _may_sandbox())


async def _launch(kind: BrowserType, wanted: Wanted, path: str | None, *, sandbox: bool) -> Browser:
    from playwright.async_api import Error

    try:
        return await kind.launch(
            channel=wanted.channel,
            executable_path=path,
            headless=not wanted.headed,
            slow_mo=wanted.slowmo or None,
            chromium_sandbox=sandbox,
            handle_sigint=False,
            timeout=_START_SECONDS * 1000,
        )
    except Error as error:
        if sandbox and "sandbox" in error.message.casefold():  # some systems forbid user namespaces
            return await _launch(kind, wanted, path, sandbox=False)
        raise BrowserError(_why_not(error.message, wanted, path)) from error


def _why_not(message: str, wanted: Wanted, path: str | None) -> str:
    """What a person can do about a browser that did not start."""
    what = path or " ".join(word for word in (wanted.browser, wanted.channel) if word)
    if "XServer" in message or "DISPLAY" in message:
        return f"{what} needs a display to be seen; leave --headed out, or start with `xvfb-run`."
    if "Executable doesn't exist" in message or "is not found at" in message:
        return f"{what} is not installed: run `playwright install {wanted.channel or wanted.browser}`."
    if "missing dependencies" in message or "error while loading shared libraries" in message:
        return f"{what} lacks libraries: as root, run `playwright install-deps {wanted.browser}`."
    said = dict.fromkeys(_SAID.findall(message))  # once each: the call log repeats them
    own = [line for line in said if "FATAL" in line] or list(said) or message.splitlines()[:1]
    return f"{what} did not start: {' '.join(own[-3:])}"


async def _close(browser: Browser) -> None:
    """Closes tidily; a browser that hangs or is gone is left to its driver, which kills it."""
    from playwright.async_api import Error

    with anyio.move_on_after(_CLOSE_SECONDS, shield=True), suppress(Error):
        await browser.close()


def _may_sandbox() -> bool:
    """A root user or a container cannot have Chromium's sandbox."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return not (root or "KUBERNETES_SERVICE_HOST" in os.environ or any(map(os.path.exists, _CONTAINER)))


_CONTAINER = ("/.dockerenv", "/run/.containerenv")


async def _own_chromium() -> str:
    async with _driver() as playwright:
        return playwright.chromium.executable_path


def main() -> int:
    """Prints the path of a Chromium that a run can use; gives 3 when there is none."""
    try:
        # The driver takes half a second: asked only when it can change the answer.
        path = find_chromium() or find_chromium(anyio.run(_own_chromium))
    except BrowserError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    if path is None:
        sys.stderr.write(f"No Chromium was found. {_HELP}\n")
        return BrowserError.exit_code
    sys.stdout.write(f"{path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
