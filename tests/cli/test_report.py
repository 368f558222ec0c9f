"""The report at the end says what a tester would say, and where the evidence is; programs get theirs."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from cli.report import report, report_rows
from cli.settings import Layers, Settings
from tests.traces.samples import ALL, FAILED, HOSTILE, UNPROVEN, result
from traces.result import Result


def settings(**flags: Any) -> Settings:
    return Layers(flags, {}, {}).settings()


def said(
    results: Sequence[Result],
    code: int,
    wanted: Settings | None = None,
    environ: Mapping[str, str] | None = None,
) -> str:
    stream = io.StringIO()
    report(results, code, wanted, environ or {}, stream)
    return stream.getvalue()


def test_what_did_not_pass_is_told_in_the_words_of_a_tester_with_its_evidence(tmp_path: Path) -> None:
    pictures = tmp_path / "one" / "screenshots"
    pictures.mkdir(parents=True)
    (pictures / "t3.jpg").touch()
    one = replace(FAILED, trace=str(tmp_path / "one"))
    assert said([result(), one], 1).splitlines() == [
        "",
        "✗ failed  Create a run [Nightly, <b>50%</b>]  runs.md:5  1.2s",
        '  expected  The page shows "Run created"  runs.md:12',
        "  found     the page shows “Could not save”",
        "  request   POST /api/runs → 500 (click Save)",
        f"  picture   {pictures / 't3.jpg'}",
        f"  trace     {tmp_path / 'one'}",
        "",
        "1 passed · 1 failed · 1.2s",
        "exit 1: something failed or was not proven",
        f"traces: {tmp_path}/",
    ]


def test_a_run_in_which_all_passed_is_told_in_two_lines() -> None:
    assert said([result()], 0).split("\n") == ["", "1 passed · 1.2s", "exit 0: all passed", ""]


def test_nothing_at_all_is_told_too() -> None:
    assert "nothing ran" in said([], 2)
    assert "exit 2: interrupted" in said([], 2)


def test_what_was_true_before_says_so() -> None:
    assert "true before the first step already" in said([UNPROVEN], 1)


@pytest.mark.parametrize("width", [80, 50, 24])
def test_words_are_wrapped_to_the_screen_and_paths_are_whole(width: int) -> None:
    long = replace(FAILED, reason="word " * 60, trace="test-results/" + "a-very-long-slug-" * 5)
    rows = [row.plain for row in report_rows([long], 1, width)]
    assert long.trace in "\n".join(rows)
    assert all(len(row) <= width for row in rows if "trace" not in row)


def test_json_is_alone_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(ALL, 3, settings(reporter="json"))
    assert json.loads(told)["exit_code"] == 3
    assert "exit 3" in capsys.readouterr().err


@pytest.mark.parametrize("way", ["flag", "reporter"])
def test_junit_is_written_where_it_is_asked_for(tmp_path: Path, way: str) -> None:
    path = tmp_path / "deep" / "report.xml"
    asked = {"junit_xml": path} if way == "flag" else {"reporter": "junit", "output": tmp_path / "deep"}
    said(ALL, 3, settings(**asked))
    written = path if way == "flag" else tmp_path / "deep" / "junit.xml"
    assert ET.parse(written).getroot().get("tests") == "6"


def test_github_gets_annotations_and_a_summary(tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    told = said([FAILED], 1, settings(reporter="github"), environ={"GITHUB_STEP_SUMMARY": str(path)})
    assert "\n::error file=runs.md,line=12," in told
    assert path.read_text().startswith("### Walkaround: 1 failed")


def test_a_page_cannot_begin_a_line_or_steer_the_terminal() -> None:
    bad = replace(FAILED, title=HOSTILE, reason=HOSTILE, trace=HOSTILE, source=f"{HOSTILE}:1")
    told = said([bad], 1)
    assert not {"\x1b", "\x00", "\r", "\u202e"} & set(told)
    assert not any(line.startswith("::") for line in told.splitlines())


def test_a_reader_that_goes_away_changes_no_exit_code() -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError("gone")

    for reporter in ("", "json", "github"):
        report([FAILED], 1, settings(reporter=reporter), {}, Gone())  # where rich alone would end the process
