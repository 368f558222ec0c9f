"""What people watch: a calm live view where a terminal is there, plain lines where none is.

Events are queued and drawn by a thread of its own: a slow terminal delays no run, a broken one fails none.
"""

from __future__ import annotations

import io
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Protocol, TextIO

from cli.board import Board
from cli.screen import console, for_people
from cli.telling import line
from traces.events import Event, Sink
from traces.reporters.lines import line_line
from traces.reporters.words import one_line
from traces.result import Result

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

_PERIOD = 0.125
"""Seconds between two drawings of what moves."""
_GRACE = 2.0
"""Seconds that a terminal may take for what is left to draw when the run is over."""
_WIDTH, _HEIGHT = 88, 40
"""The size of a picture, in characters."""


class View(Protocol):
    """Something that draws a run; used by one thread alone."""

    def hear(self, event: Event) -> None:
        """Takes in an event."""

    def tick(self) -> None:
        """Draws what moves."""

    def close(self) -> None:
        """Draws nothing more."""


@contextmanager
def watch(
    stream: TextIO, environ: Mapping[str, str], quiet: bool, verbose: bool, reporter: Sequence[str]
) -> Iterator[Sink]:
    """A sink that shows a run as it happens, until the block ends; it neither blocks nor raises."""
    people = for_people(stream, reporter)
    with _drawn_aside(lambda: _view(people, environ, quiet, verbose, reporter)) as tell:
        yield tell


def _view(
    stream: TextIO, environ: Mapping[str, str], quiet: bool, verbose: bool, reporter: Sequence[str]
) -> View:
    screen = console(stream, environ)
    plain = quiet or {"list", "line"} & set(reporter) or environ.get("CI") or environ.get("TERM") == "dumb"
    if plain or not stream.isatty():
        return Plain(screen, quiet, verbose, terse="line" in reporter)
    return Live(screen, verbose)


@contextmanager
def _drawn_aside(view: Callable[[], View]) -> Iterator[Sink]:
    queue: SimpleQueue[Event | None] = SimpleQueue()
    thread = threading.Thread(target=_draw, args=(view, queue), name="view", daemon=True)
    thread.start()
    try:
        yield queue.put
    finally:
        queue.put(None)
        thread.join(_GRACE)


def _draw(make: Callable[[], View], queue: SimpleQueue[Event | None]) -> None:
    """Hears events until None comes; a view that fails is left alone, since the run goes on without it."""
    try:
        view = make()
        while _hear_some(view, queue):
            view.tick()
        view.close()
    except Exception as error:  # whatever it is: people lose the view and not the run
        sys.stderr.write(f"walkaround: the view of the run ended early: {type(error).__name__}: {error}\n")
        while queue.get() is not None:
            pass


def _hear_some(view: View, queue: SimpleQueue[Event | None]) -> bool:
    """Hears what has come within one period; False at the end."""
    until = time.monotonic() + _PERIOD
    while (left := until - time.monotonic()) > 0:
        try:
            event = queue.get(timeout=left)
        except Empty:
            return True
        if event is None:
            return False
        view.hear(event)
    return True


class Plain:
    """Plain lines: one for each scenario at its end, every event worth reading with `verbose`."""

    def __init__(self, screen: Console, quiet: bool, verbose: bool, *, terse: bool = False) -> None:
        self._screen = screen
        self._quiet, self._verbose, self._terse = quiet, verbose, terse
        self._titles: dict[str, str] = {}

    def hear(self, event: Event) -> None:
        """Prints what the event says."""
        from cli.drawing import line_row

        slug = str(event.data.get("scenario", ""))
        if event.kind == "scenario.start":
            self._titles[slug] = one_line(event.data["title"])
        elif event.kind == "scenario.end":
            self._end(Result(**event.data["result"]))
        elif self._verbose and (told := line(event)) is not None:
            self._print(line_row(told, 0).append(f"  [{self._titles.get(slug, one_line(slug))}]", "dim"))

    def tick(self) -> None:
        """Nothing moves here."""

    def close(self) -> None:
        """Nothing is left to draw."""

    def _end(self, result: Result) -> None:
        if self._quiet and result.good:
            return
        if self._terse:
            self._print(line_line(result))
            return
        for words in ended(result, 0, verbose=self._verbose):
            self._print(words)

    def _print(self, words: Text | str) -> None:
        self._screen.print(words, soft_wrap=True)
        self._screen.file.flush()


class Live:
    """The live view: what is over scrolls by, what is in flight moves below it."""

    def __init__(self, screen: Console, verbose: bool) -> None:
        from rich.live import Live as Region

        self.board = Board(started=time.time())
        self._screen, self._verbose = screen, verbose
        self._region = Region(console=screen, auto_refresh=False, transient=True, get_renderable=self._moving)
        self._region.start()
        screen.show_cursor(True)  # a process that is killed cannot bring a hidden one back

    def hear(self, event: Event) -> None:
        """Takes the event in, and prints what stays."""
        self.board.hear(event)
        for words in lasting(event, self.board, self._screen.width, verbose=self._verbose):
            self._screen.print(words)

    def tick(self) -> None:
        """Draws what is in flight."""
        self._region.refresh()

    def close(self) -> None:
        """Takes away what moves."""
        self._region.stop()

    def _moving(self) -> RenderableType:
        return moving(self.board, time.time(), self._screen.width, self._screen.height)


def lasting(event: Event, board: Board, width: int, *, verbose: bool) -> Iterator[Text]:
    """What stays on the screen of an event that the board has heard."""
    from cli.drawing import line_row

    if event.kind == "scenario.end":
        yield from ended(board.results[-1], width, verbose=verbose)
    elif verbose and (told := line(event)) is not None:
        yield line_row(told, width)


def ended(result: Result, width: int, *, verbose: bool) -> Iterator[Text]:
    """A scenario that is over: its verdict, why it did not pass, and with `verbose` every proof."""
    from cli.drawing import proof_rows, reason_row, verdict_row

    yield verdict_row(result, width)
    if not result.good:
        yield reason_row(result, width)
    if verbose:
        yield from proof_rows(result, width)


def moving(board: Board, now: float, width: int, height: int) -> RenderableType:
    """What is in flight, as one thing to print."""
    from rich.console import Group

    from cli.drawing import board_rows

    return Group(*board_rows(board, now, width, height)) if board.flights else ""


def picture(
    events: Iterable[Event], *, until: float | None = None, width: int = _WIDTH, title: str = ""
) -> str:
    """The live view of a run as SVG, at a moment (wall clock) or at its end, without a link to anywhere."""
    from rich.console import Console

    from cli.report import report_rows

    screen = Console(
        record=True, file=io.StringIO(), width=width, height=_HEIGHT, force_terminal=True, _environ={}
    )
    board, now = Board(), 0.0
    for event in events:
        if until is not None and event.at > until:
            break
        board.hear(event)
        now = event.at
        for words in lasting(event, board, width, verbose=False):
            screen.print(words)
        if event.kind == "run.end":
            for words in report_rows(board.results, event.data["exit_code"], width):
                screen.print(words, soft_wrap=True)
    if board.flights:
        screen.print(moving(board, until or now, width, _HEIGHT))
    svg = screen.export_svg(title=title, unique_id="walkaround")
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
