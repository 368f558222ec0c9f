"""How a run is drawn in a terminal: rows with a mark on the left and a time on the right, in calm colours."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from rich.console import Console
from rich.text import Text

from cli.board import Board, InFlight
from cli.telling import Line
from traces.reporters.lines import MARKS
from traces.reporters.words import Finding, duration, findings, one_line
from traces.result import Result

STYLES: Mapping[str, str] = {
    "good": "green",
    "bad": "red",
    "warn": "yellow",
    "dim": "dim",
    "plain": "cyan",
    "passed": "green",
    "failed": "bold red",
    "unproven": "bold yellow",
    "error": "bold magenta",
    "budget": "bold magenta",
    "skipped": "dim",
}

_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_INDENT = 2
"""Columns before the label of a finding."""
_SHORTEST = 12
"""Columns under which a cut place tells nothing."""
_STEPS = 6
"""Lines of a scenario in flight that are shown at most."""


class Screen(Console):
    """A console whose reader may go away: what is left to say goes nowhere, and the run goes on."""

    def on_broken_pipe(self) -> None:
        """Falls silent, where rich would end the process with a code of its own."""
        self.quiet = True
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.file.fileno())
            os.close(nowhere)


def row(left: Text, right: str, width: int, place: str = "") -> Text:
    """One row: the left side cut to what the right side leaves of the width; width 0 cuts nothing.

    A place behind the left side is cut at its front, so that file and line stay.
    """
    room = width - len(right) - 2 if right else width
    if width and place:
        place = _tail(place, room - left.cell_len - 2)
    left.append(f"  {place}" if place else "", "dim")
    if width:
        left.truncate(max(1, room), overflow="ellipsis", pad=bool(right))
    return left.append(f"  {right}", "dim") if right else left


def _tail(place: str, room: int) -> str:
    """The end of a place, or nothing where not even a file's name would fit."""
    if len(place) <= room:
        return place
    return f"…{place[1 - room :]}" if room >= _SHORTEST else ""


def line_row(line: Line, width: int, indent: int = 2) -> Text:
    """A telling as a row; the words are dim where they are not worth more."""
    text = Text(" " * indent)
    text.append(f"{line.mark} ", STYLES[line.tone])
    return row(text.append(line.text, "dim" if line.tone == "dim" else ""), line.aside, width)


def verdict_row(result: Result, width: int) -> Text:
    """The verdict of a scenario as a row: with its proof when it passed, with its place when it did not."""
    text = Text().append(f"{MARKS[result.verdict]} ", STYLES[result.verdict])
    if result.verdict != "passed":
        text.append(f"{result.verdict}  ", STYLES[result.verdict])
    text.append(one_line(result.title), "bold")
    text.append("  flaky" if result.flaky else "", "yellow")
    if result.verdict != "passed":
        return row(text, duration(result.seconds), width, one_line(result.source))
    return row(text.append(f"  {one_line(result.reason)}", "dim"), duration(result.seconds), width)


def reason_row(result: Result, width: int) -> Text:
    """Why it did not pass, in one row; the report at the end says more."""
    return row(Text("  ").append(one_line(result.reason)), "", width)


def proof_rows(result: Result, width: int) -> Iterator[Text]:
    """Each proof with what was found."""
    for proof in result.proofs:
        proves = proof.get("holds") and (proof.get("still") or not proof.get("before"))
        words = one_line(proof.get("sentence") or proof.get("outcome", ""))
        found = one_line(proof.get("found", ""))
        if proof.get("holds") and not proves:
            found = "true before the first step already"
        text = Text("  ").append("✓ " if proves else "✗ ", STYLES["good" if proves else "bad"])
        text.append(words, "" if not proves else "dim").append(f"  {found}", "dim" if proves else "")
        yield row(text, "", width)


def finding_rows(result: Result, width: int) -> Iterator[Text]:
    """What a tester would say, with the labels in a column of their own."""
    for finding in findings(result):
        yield from labelled(finding, width)


def labelled(finding: Finding, width: int) -> Iterator[Text]:
    """One finding beside its label: words are wrapped below themselves, a path is never broken."""
    head = f"{' ' * _INDENT}{finding.label:<9} "
    body = Text().append(finding.text, "bold" if finding.label == "found" else "")
    if finding.place:
        body.append(f"  {finding.place}", "dim")
    whole = not width or finding.label in ("picture", "trace")
    for number, part in enumerate([body] if whole else _wrapped(body, width - len(head))):
        yield Text().append(head if not number else " " * len(head), "dim").append_text(part)


def _wrapped(text: Text, width: int) -> Sequence[Text]:
    lines = text.wrap(Console(), max(10, width), overflow="fold")
    for part in lines:
        part.rstrip()
    return list(lines)


def board_rows(board: Board, now: float, width: int, height: int) -> list[Text]:
    """Everything that moves: the scenarios in flight, then one row for the run."""
    flights = list(board.flights.values())
    shown = flights[: max(1, (height - 3) // 2)]
    each = max(0, min(_STEPS, (height - 3) // max(1, len(shown)) - 2))
    rows = [part for flight in shown for part in _flight_rows(flight, now, width, each)]
    if len(flights) > len(shown):
        rows.append(row(Text(f"… and {len(flights) - len(shown)} more in flight", "dim"), "", width))
    return [*rows, Text(), summary_row(board.summary(now), width)]


def _flight_rows(flight: InFlight, now: float, width: int, steps: int) -> Iterator[Text]:
    frame = _FRAMES[int(now * 5) % len(_FRAMES)]
    title = Text().append(f"{frame} ", "cyan").append(one_line(flight.title), "bold")
    yield row(title, duration(max(0.0, now - flight.started)), width, one_line(flight.source))
    for line in list(flight.lines)[len(flight.lines) - min(steps, len(flight.lines)) :]:
        yield line_row(line, width)
    yield line_row(flight.status(now), width)


def summary_row(parts: Iterable[tuple[str, Any]], width: int = 0) -> Text:
    """`4 passed · 1 failed · …`, each in its colour."""
    text = Text()
    for words, style in parts:
        text.append(" · " if text else "", "dim").append(words, STYLES.get(style, ""))
    return row(text, "", width)
