"""The report at the end of a run: what was expected, what was found instead, and where the evidence is."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from cli.screen import console, for_people
from traces.reporters.words import Finding, counts, duration, meaning, one_line, request_lines
from traces.result import Result

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from cli.settings import Settings

_REQUESTS = 5
"""Requests of one scenario that are told; the trace has them all."""


def report(
    results: Sequence[Result],
    code: int,
    settings: Settings | None = None,
    environ: Mapping[str, str] = os.environ,
    stream: TextIO | None = None,
) -> None:
    """Prints the report for people, and makes the reports that the settings ask for.

    `json` goes to standard output (people read standard error then), `junit` to `--junit-xml` or to
    `junit.xml` in the output folder, `github` writes annotations and the summary of the job.
    """
    out = stream or sys.stdout
    reporter = settings.reporter if settings is not None else ()
    screen = console(for_people(out, reporter), environ)
    width = screen.width if screen.file.isatty() else 0
    for words in report_rows(results, code, width):
        screen.print(words, soft_wrap=True)
    if settings is not None:
        _for_programs(results, code, settings, environ, out)


def report_rows(results: Sequence[Result], code: int, width: int) -> Iterator[Text]:
    """The report as rows of a width; 0 is as wide as they are."""
    from rich.text import Text

    for result in results:
        if not result.good:
            yield Text()
            yield from _case(result, width)
    yield Text()
    yield from _summary(results, code, width)


def _case(result: Result, width: int) -> Iterator[Text]:
    from cli.drawing import finding_rows, labelled, verdict_row

    yield verdict_row(result, width)
    yield from finding_rows(result, width)
    for request in request_lines(result)[-_REQUESTS:]:
        yield from labelled(Finding("request", request), width)
    for picture in screenshots(result)[-1:]:
        yield from labelled(Finding("picture", str(picture)), width)
    if result.trace:
        yield from labelled(Finding("trace", one_line(result.trace)), width)


def _summary(results: Sequence[Result], code: int, width: int) -> Iterator[Text]:
    from rich.text import Text

    from cli.drawing import row, summary_row

    found = counts(result.verdict for result in results)
    parts = [(f"{number} {name}", name) for name, number in found.items()] or [("nothing ran", "dim")]
    started = min((result.started for result in results), default=0.0)
    seconds = max((result.ended for result in results), default=0.0) - started
    yield summary_row([*parts, (duration(seconds), "dim")], width)
    yield row(Text(meaning(code), "dim" if code == 0 else ""), "", width)
    folders = {str(Path(result.trace).parent) for result in results if result.trace}
    for folder in sorted(folders):
        yield row(Text(f"traces: {folder}/", "dim"), "", width)


def screenshots(result: Result) -> list[Path]:
    """The screenshots of a trace, the oldest first."""
    folder = Path(result.trace) / "screenshots"
    return sorted(folder.glob("*.jpg"), key=lambda path: path.stat().st_mtime) if result.trace else []


def _for_programs(
    results: Sequence[Result], code: int, settings: Settings, environ: Mapping[str, str], out: TextIO
) -> None:
    if "json" in settings.reporter:
        from traces.reporters.json import json_report

        console(out, environ).out(json_report(results, code), end="")
    if "github" in settings.reporter:
        _github(results, code, environ, console(for_people(out, settings.reporter), environ))
    if settings.junit_xml is not None or "junit" in settings.reporter:
        from traces.reporters.junit import junit

        path = settings.junit_xml or settings.output / "junit.xml"
        path.parent.mkdir(parents=True, exist_ok=True)
        attachments = {result.slug: [str(one) for one in screenshots(result)[-1:]] for result in results}
        path.write_text(junit(results, attachments), encoding="utf-8")


def _github(results: Sequence[Result], code: int, environ: Mapping[str, str], out: Console) -> None:
    from traces.reporters.github import annotate, summary

    for annotation in annotate(results):
        out.out(annotation)
    if path := environ.get("GITHUB_STEP_SUMMARY"):
        with open(path, "a", encoding="utf-8") as file:
            file.write(summary(results, code))
