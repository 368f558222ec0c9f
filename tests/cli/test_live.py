"""What people see of a run: calm in a terminal, plain elsewhere, and never in the way of the run itself."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from cli.board import Board
from cli.drawing import board_rows
from cli.live import picture, watch
from cli.telling import line
from tests.cli.flights import CREATE, FLIGHTS, start, told, until
from tests.traces.samples import HOSTILE, result
from traces.events import Event

ROOT = Path(__file__).parents[2]


class Screen(io.StringIO):
    """A stream that says whether it is a terminal."""

    def __init__(self, terminal: bool = False) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def shown(
    events: Sequence[Event] = FLIGHTS,
    *,
    terminal: bool = False,
    quiet: bool = False,
    verbose: bool = False,
    reporter: Sequence[str] = (),
    **environ: str,
) -> str:
    screen = Screen(terminal)
    with watch(screen, {"TERM": "xterm", "COLUMNS": "80", **environ}, quiet, verbose, reporter) as tell:
        for event in events:
            tell(event)
    return screen.getvalue()


def rows(at: float, *, width: int = 80, height: int = 30) -> list[str]:
    board = Board()
    for event in until(at):
        board.hear(event)
    return [text.plain.rstrip() for text in board_rows(board, 1000.0 + at, width, height)]


# -- plain lines -----------------------------------------------------------------------------------


def test_without_a_terminal_every_scenario_is_a_line_and_what_did_not_pass_has_its_reason() -> None:
    assert shown().splitlines() == [
        "✓ Delete a run  3 outcomes proven by 3 checks  1.2s",
        "✗ failed  Create a run [Nightly, <b>50%</b>]  runs.md:5  1.2s",
        '  expected “The page shows "Run created"”, but the page shows “Could not save”',
    ]


def test_quiet_tells_only_what_did_not_pass() -> None:
    assert "Delete a run" not in shown(quiet=True)
    assert "Create a run" in shown(quiet=True, terminal=True)


def test_verbose_tells_every_event_worth_reading_and_whose_it_is() -> None:
    told = shown(verbose=True)
    for words in (
        "✓ open /runs  41ms  [Create a run]",
        "! no check was found for “It is there”",
        "before: The page shows “x”: does not hold yet (not seen)",
        "tester: Now I fill it. → form",
        "✓ fill Title = “Nightly”",
        "✓ check Staging  41ms",
        "✗ choose Plan = “Pro”: no option 'Pro'; options: Basic",
        "click Save: not tried",
        "✓ click Save (POST /api/runs → 500)",
        "attempt 1 of turn 2 ended: the model was silent for 30 s",
        "waits: provider back-off",
        "› The list is empty.  [Delete a run]",
        "asks for help (declined): a code was sent",
        "✗ look: ValueError: odd",
        "page was replaced",
        "not cleaned up: the run is still there",
        "screenshot: screenshots/t1.jpg",
        '✗ The page shows "Run created"  the page shows “Could not save”',
    ):
        assert words in told


@pytest.mark.parametrize("way", [{"CI": "true"}, {"TERM": "dumb"}, {"reporter": ("list",)}, {"quiet": True}])
def test_a_terminal_that_should_stay_still_gets_plain_lines(way: dict[str, object]) -> None:
    told = shown(terminal=True, NO_COLOR="1", **way)  # type: ignore[arg-type]
    assert "\x1b[?25" not in told
    assert "\x1b[2K" not in told
    assert "Create a run" in told


def test_the_line_reporter_writes_as_compilers_do() -> None:
    assert shown(reporter=("line",)).splitlines()[0] == "runs.md:30: passed: Delete a run"


def test_colours_are_forced_and_forbidden_by_the_environment() -> None:
    assert "\x1b[" in shown(FORCE_COLOR="1")
    assert "\x1b[3" not in shown(terminal=True, NO_COLOR="1")


def test_json_on_standard_output_moves_people_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(reporter=("json",)) == ""
    assert "Delete a run" in capsys.readouterr().err


# -- the live view ---------------------------------------------------------------------------------


def test_a_scenario_in_flight_shows_its_steps_as_they_come_and_the_running_tool_with_its_time() -> None:
    assert rows(1.7) == [
        "⠇ Create a run  scenarios/runs.md:5" + " " * 39 + "  1.6s",
        "  ✓ open /runs" + " " * 60 + "  41ms",
        "  ! no check was found for “It is there”",
        "  ✓ fill Title = “Nightly”" + " " * 48 + "  41ms",
        "  ✓ check Staging" + " " * 57 + "  41ms",
        "  ✗ choose Plan = “Pro”: no option 'Pro'; options: Basic" + " " * 18 + "  41ms",
        "  · click Save: not tried",
        "  › Tester, turn 2 · form" + " " * 48 + "  700ms",
        "⠇ Delete a run  scenarios/runs.md:5" + " " * 39 + "  1.5s",
        "  › starts" + " " * 64 + "  1.5s",
        "",
        "0 of 3 · 1.7s",
    ]


def test_silence_of_the_model_counts_down_and_a_running_tool_stops_the_countdown() -> None:
    board = Board()
    for event in until(3.0):
        board.hear(event)
    assert "Tester, turn 2 · thinks · idle in 28s" in board.flights[CREATE].status(1005.0).text
    assert "idle" not in "".join(rows(1.2))
    assert "waits: provider back-off" in "".join(rows(3.2))


@pytest.mark.parametrize("width", [80, 50, 20])
@pytest.mark.parametrize("height", [24, 8, 4])
def test_what_moves_fits_on_the_screen(width: int, height: int) -> None:
    board = Board()
    for event in until(3.0):
        board.hear(event)
    for number in range(6):
        board.hear(start(3, f"more-{number}", "One more scenario 日本語 with a title that is long"))
    drawn = board_rows(board, 1003.0, width, height)
    assert len(drawn) <= max(height, 5)
    assert all(text.cell_len <= width for text in drawn)


def test_a_place_that_does_not_fit_keeps_its_file_and_line() -> None:
    assert rows(0.1, width=38)[0] == "⠋ Create a run  …narios/runs.md:5  0ms"
    assert rows(0.1, width=24)[0] == "⠋ Create a run       0ms"


def test_what_moves_is_wiped_away_when_a_run_ends_early() -> None:
    told = shown(until(3.0), terminal=True)
    assert told.rpartition("0 of 3")[2].count("\x1b[2K") >= len(rows(3.0))
    assert told.rindex("\x1b[?25h") > told.rindex("\x1b[?25l")


def test_a_view_can_be_killed_without_hiding_the_cursor() -> None:
    screen = Screen(terminal=True)
    with watch(screen, {"TERM": "xterm"}, False, False, ()) as tell:
        tell(FLIGHTS[0])
    told = screen.getvalue()
    hidden = told.find("\x1b[?25l")
    assert hidden < 0 or told[hidden:].startswith("\x1b[?25l\x1b[?25h")


PROGRAM = """
import os, sys
from cli.live import watch
from tests.cli.flights import FLIGHTS
with watch(sys.stdout, os.environ, False, False, ()) as tell:
    for event in FLIGHTS: tell(event)
"""


def test_in_a_real_terminal_what_is_over_stays() -> None:
    outside, inside = pty.openpty()
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "50", "CI": ""}
    environ.pop("NO_COLOR", None)
    process = subprocess.Popen([sys.executable, "-c", PROGRAM], cwd=ROOT, env=environ, stdout=inside)
    os.close(inside)
    told = b""
    while True:
        try:
            part = os.read(outside, 65536)
        except OSError:  # the other side is closed
            break
        told += part
    os.close(outside)
    assert process.wait(timeout=10) == 0
    assert "✓" in told.decode()
    assert "failed" in told.decode()


# -- never in the way ------------------------------------------------------------------------------


class Blocked(Screen):
    """A terminal whose reader has stopped."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()

    def write(self, text: str) -> int:
        self.gate.wait()
        return len(text)


def test_a_terminal_that_blocks_delays_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.live._GRACE", 0.05)
    screen = Blocked()
    with watch(screen, {}, False, False, ()) as tell:
        for event in FLIGHTS * 20:
            tell(event)
    screen.gate.set()


class Gone(Screen):
    """A terminal that cannot be written to any more."""

    def __init__(self, error: OSError, terminal: bool) -> None:
        super().__init__(terminal)
        self.error = error

    def write(self, text: str) -> int:
        raise self.error


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize(("error", "said"), [(BrokenPipeError("gone"), False), (OSError("gone"), True)])
def test_a_terminal_that_is_gone_ends_the_view_and_not_the_run(
    error: OSError, said: bool, terminal: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with watch(Gone(error, terminal), {"TERM": "xterm"}, False, False, ()) as tell:
        for event in FLIGHTS:
            tell(event)
    assert ("the view of the run ended early" in capsys.readouterr().err) == said


def test_an_event_without_its_fields_ends_the_view_and_not_the_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown([told(0, "scenario.end", CREATE), told(1, "note")], verbose=True)
    assert "the view of the run ended early" in capsys.readouterr().err


def test_no_page_steers_the_terminal() -> None:
    bad = result("failed", slug=CREATE, title=HOSTILE, reason=HOSTILE)
    events = [
        start(0, CREATE, HOSTILE),
        *(
            Event(
                event.kind,
                {
                    name: HOSTILE if isinstance(value, str) and name != "scenario" else value
                    for name, value in event.data.items()
                },
                event.at,
            )
            for event in FLIGHTS
            if event.kind not in ("scenario.start", "scenario.end")
        ),
        told(5, "scenario.end", CREATE, result=bad.to_json()),
    ]
    told_plain = shown(events, verbose=True)
    assert not {"\x1b", "\x00", "\r", "\u202e"} & set(told_plain)
    assert "\x1b[2J" not in shown(events, verbose=True, terminal=True)


def test_a_stream_that_knows_few_characters_gets_what_it_can_show(tmp_path: Path) -> None:
    with (tmp_path / "log").open("w", encoding="ascii") as log:
        with watch(log, {}, False, False, ()) as tell:
            for event in FLIGHTS:
                tell(event)
    assert "Create a run" in (tmp_path / "log").read_text()


def test_events_that_say_nothing_have_no_line() -> None:
    assert line(told(0, "attempt.end", CREATE, settled=True)) is None
    assert line(told(0, "something new", CREATE)) is None


# -- pictures --------------------------------------------------------------------------------------


def test_a_picture_shows_a_moment_or_the_end_and_links_nowhere() -> None:
    moment, end = picture(FLIGHTS, until=1001.7), picture(FLIGHTS, title="walkaround demo")
    assert "Tester," in moment
    assert "exit" not in moment
    assert "something&#160;failed" in end
    assert "walkaround&#160;demo" in end or "walkaround demo" in end
    for svg in (moment, end):
        links = [part for part in svg.split('"') if part.startswith("http")]
        assert all(link.startswith("http://www.w3.org/") for link in links)
        assert "@font-face" not in svg
    assert picture(FLIGHTS) == picture(FLIGHTS)
