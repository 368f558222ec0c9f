"""Browsers are found, start with words when they do not, and never outlive the process that started them."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from scenarios.errors import BrowserError, UsageError
from tester import browser as module
from tester.browser import CHROMIUM, Wanted, find_chromium, launch

ROOT = Path(__file__).parents[2]

COMMAND = """
import os, signal, sys
import anyio
from tester.browser import Wanted, end_browsers, launch

async def heed(work):
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        count = 0
        async for _ in signals:
            count += 1
            if count == 2:
                end_browsers()
                os._exit(2)
            work.cancel()

async def main():
    async with anyio.create_task_group() as group:
        with anyio.CancelScope() as work:
            group.start_soon(heed, work)
            async with launch(Wanted()) as browser:
                try:
                    page = await browser.new_page()
                    await page.goto("data:text/html,<title>here</title>")
                    print("ready", flush=True)
                    await anyio.sleep_forever()
                finally:
                    with anyio.CancelScope(shield=True):
                        # The driver and the page must still be there for the tidy end.
                        print("title", await page.title() if "tidy" in sys.argv else "", flush=True)
                        if "wedged" in sys.argv:
                            await anyio.sleep_forever()
        group.cancel_scope.cancel()
    sys.exit(2)

anyio.run(main)
"""


class Command:
    """A command with a browser, in a process group of its own as a terminal would start it."""

    def __init__(self, temp: Path, *words: str) -> None:
        self.temp = temp
        environment = {**os.environ, "TMPDIR": str(self.temp), "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *words],
            env=environment,
            stdout=subprocess.PIPE,
            start_new_session=True,
            text=True,
        )
        assert self.said() == "ready"
        assert any("--type=renderer" in one for one in self.left()), "a browser runs now"

    def said(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def signal_group(self, number: int) -> None:
        os.killpg(self.process.pid, number)

    def left(self) -> list[str]:
        """The command lines of all processes that this command started, wherever they hang by now."""
        return [" ".join(line) for line in map(self._line, psutil.process_iter()) if line]

    def _line(self, process: psutil.Process) -> list[str]:
        try:
            line = process.cmdline()
            mine = str(self.temp) in " ".join(line) or process.environ().get("TMPDIR") == str(self.temp)
        except psutil.Error:
            return []
        return line if mine and process.pid != self.process.pid else []

    def nothing_is_left(self) -> None:
        eventually(lambda: not self.left(), lambda: f"still running: {self.left()}")
        eventually(lambda: not any(self.temp.iterdir()), lambda: f"left: {list(self.temp.iterdir())}")


def eventually(holds: Callable[[], bool], otherwise: Callable[[], str], seconds: float = 8) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, otherwise()
        time.sleep(0.02)


@pytest.fixture
def start() -> Iterator[Callable[..., Command]]:
    temp = Path(tempfile.mkdtemp(prefix="walk"))  # short: Chromium's socket in it must fit 108 bytes
    started: list[Command] = []

    def start_(*words: str) -> Command:
        started.append(Command(temp, *words))
        return started[-1]

    yield start_
    for command in started:
        command.process.kill()
        command.process.communicate()
    shutil.rmtree(temp, ignore_errors=True)


def test_one_ctrl_c_to_the_whole_group_leaves_a_browser_for_the_tidy_end_and_none_after_it(
    start: Callable[..., Command],
) -> None:
    command = start("tidy")
    command.signal_group(signal.SIGINT)
    assert command.said() == "title here"
    assert command.process.wait(10) == 2
    assert command.left() == []
    command.nothing_is_left()


def test_a_second_ctrl_c_ends_everything_before_the_command_has_ended(start: Callable[..., Command]) -> None:
    command = start("wedged")
    command.signal_group(signal.SIGINT)
    assert command.said() == "title"
    command.signal_group(signal.SIGINT)
    assert command.process.wait(10) == 2
    assert command.left() == []
    assert list(command.temp.iterdir()) == []


def test_a_browser_that_hangs_is_killed_by_the_second_ctrl_c(start: Callable[..., Command]) -> None:
    command = start("wedged")
    (main,) = [
        one
        for one in psutil.Process(command.process.pid).children(recursive=True)
        if "--remote-debugging-pipe" in one.cmdline() and not any("--type=" in word for word in one.cmdline())
    ]
    main.suspend()
    command.signal_group(signal.SIGINT)
    assert command.said() == "title"
    command.signal_group(signal.SIGINT)
    assert command.process.wait(10) == 2
    eventually(lambda: not command.left(), lambda: f"still running: {command.left()}")
    assert [one.name for one in command.temp.iterdir() if "playwright" in one.name] == []


@pytest.mark.parametrize("whole_group", [False, True], ids=["the command", "the whole group"])
def test_sigterm_ends_tidily_and_leaves_nothing(start: Callable[..., Command], whole_group: bool) -> None:
    command = start("tidy")
    (command.signal_group if whole_group else command.process.send_signal)(signal.SIGTERM)
    assert command.said() == "title here"
    assert command.process.wait(10) == 2
    command.nothing_is_left()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP], ids=["kill -9", "the terminal is closed"])
def test_a_command_that_is_killed_leaves_nothing(start: Callable[..., Command], number: int) -> None:
    command = start()
    if number == signal.SIGHUP:
        command.signal_group(number)
    else:
        command.process.send_signal(number)
    assert command.process.wait(10) == -number
    command.nothing_is_left()


@pytest.fixture
def only_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole PATH."""
    monkeypatch.delenv(CHROMIUM, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(module, "_PLACES", ())
    return tmp_path


def executable(path: Path, text: str = "#!/bin/sh\n") -> str:
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_playwrights_own_chromium_is_taken_before_one_on_the_path(only_here: Path) -> None:
    on_path, own = executable(only_here / "chromium"), executable(only_here / "own")
    assert find_chromium(own) == own
    assert find_chromium(str(only_here / "not-installed")) == on_path


def test_any_browser_of_the_family_on_the_path_will_do(only_here: Path) -> None:
    assert find_chromium() is None
    chrome = executable(only_here / "google-chrome-stable")
    assert find_chromium() == chrome


def test_the_environment_decides_and_says_so_when_it_is_wrong(
    only_here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    executable(only_here / "chromium")
    monkeypatch.setenv(CHROMIUM, executable(only_here / "mine"))
    assert find_chromium() == str(only_here / "mine")
    monkeypatch.setenv(CHROMIUM, "/nowhere/chromium")
    with pytest.raises(BrowserError, match=f"{CHROMIUM} says /nowhere/chromium, which is not an executable"):
        find_chromium()


@pytest.mark.anyio
async def test_a_browser_that_does_not_start_is_told_with_its_own_words(
    only_here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHROMIUM, executable(only_here / "broken", "#!/bin/sh\necho no luck >&2\nexit 7\n"))
    with pytest.raises(BrowserError, match=r"broken did not start: no luck.* exitCode=7"):
        async with launch(Wanted()):
            pass


@pytest.mark.anyio
async def test_a_machine_without_a_chromium_is_told_what_to_install(
    only_here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(only_here))
    with pytest.raises(BrowserError, match=r"playwright install chromium.*apt-get install chromium"):
        async with launch(Wanted()):
            pass


@pytest.mark.anyio
@pytest.mark.parametrize("wanted", [Wanted(browser="firefox"), Wanted(channel="chrome-canary")])
async def test_a_browser_that_is_not_installed_is_told_with_the_command_that_installs_it(
    only_here: Path, monkeypatch: pytest.MonkeyPatch, wanted: Wanted
) -> None:
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(only_here))
    with pytest.raises(BrowserError, match=f"playwright install {wanted.channel or wanted.browser}"):
        async with launch(wanted):
            pass


@pytest.mark.anyio
async def test_an_unknown_browser_is_an_error_of_the_person() -> None:
    with pytest.raises(UsageError, match="'netscape' is not known; say one of chromium, firefox, webkit"):
        async with launch(Wanted(browser="netscape")):
            pass


def test_the_module_says_where_a_chromium_is_without_starting_it(tmp_path: Path) -> None:
    path = executable(tmp_path / "mine", "#!/bin/sh\necho started >&2\n")
    asked = ask({CHROMIUM: path})
    assert (asked.returncode, asked.stdout, asked.stderr) == (0, f"{path}\n", "")


def test_the_module_gives_three_and_says_what_to_install_when_there_is_none(tmp_path: Path) -> None:
    asked = ask({"PATH": str(tmp_path), CHROMIUM: "", "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path)})
    assert (asked.returncode, asked.stdout) == (3, "")
    assert "playwright install chromium" in asked.stderr


def ask(environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "tester.browser"],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
