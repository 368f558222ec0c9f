"""The real command in a process of its own: what it says, what it leaves, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.site import Answer, Site

DOOR = Path(__file__).parents[2] / "walkaround.py"

FORM = """
<!doctype html><html lang=en><title>New run</title><h1>New run</h1>
<form onsubmit="event.preventDefault(); fetch('/api/runs', {method: 'POST', body: title.value})
                .then(answer => document.querySelector('h1').textContent = answer.ok ? 'Created' : 'Refused')">
  <label>Title <input name=title></label><button>Save</button>
</form>"""

SCENARIO = """# Create a run

Start at `/new`.

## Steps
1. Fill "Title" with "Nightly"
2. Click "Save"

## Expected
- The page shows "Created"
- POST "/api/runs" was answered with 201 exactly once
"""


def command(folder: Path, *words: str, **environment: str) -> dict[str, Any]:
    """The arguments of `subprocess` for one command in a folder."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("WALKAROUND_", "ANTHROPIC_"))
    }
    return {
        "args": [sys.executable, str(DOOR), *words],
        "cwd": folder,
        "env": {**clean, "NO_COLOR": "1", **environment},
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "text": True,
    }


def run(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(**command(folder, *words, **environment), timeout=60)


@pytest.fixture
def app(site: Site, tmp_path: Path) -> Site:
    site.page("/new", FORM)
    site.on("POST", "/api/runs", Answer("{}", 201))
    (tmp_path / "create.md").write_text(f"---\nbase_url: {site.url}\n---\n\n{SCENARIO}")
    return site


@pytest.fixture
def marker() -> Iterator[str]:
    """A folder for the browser's temporary files, by which its processes are known; its sockets want it short."""
    with tempfile.TemporaryDirectory(prefix="wa-", ignore_cleanup_errors=True) as folder:
        yield folder


def result(folder: Path, slug: str = "create-a-run") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "test-results" / slug / "result.json").read_text())
    return found


def test_a_scenario_that_is_proven_ends_with_0_and_leaves_its_trace(app: Site, tmp_path: Path) -> None:
    ended = run(tmp_path, "run", "create.md")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "passed" in ended.stdout
    assert [asked.body for asked in app.commits()] == ["Nightly"]
    found = result(tmp_path)
    assert found["verdict"] == "passed"
    assert [proof["before"] for proof in found["proofs"]] == [False, False]
    assert [commit["effect"] for commit in found["commits"]] == ["happened"]
    lines = (tmp_path / "test-results" / "create-a-run" / "events.jsonl").read_text().splitlines()
    assert json.loads(lines[0])["schema"] == 1
    assert list((tmp_path / "test-results" / "create-a-run" / "screenshots").glob("*.jpg"))


def test_an_outcome_that_does_not_come_ends_with_1_and_says_what_was_found(app: Site, tmp_path: Path) -> None:
    app.on("POST", "/api/runs", Answer("{}", 500))
    ended = run(tmp_path, "run", "create.md")
    assert ended.returncode == 1
    assert "The page shows" in ended.stdout
    assert "500" in ended.stdout
    assert "create.md:" in ended.stdout


def test_an_outcome_that_held_before_the_first_step_is_unproven_and_ends_with_1(
    app: Site, tmp_path: Path
) -> None:
    text = (tmp_path / "create.md").read_text().replace("“Created”", "").replace('"Created"', '"Save"')
    (tmp_path / "create.md").write_text(text)
    ended = run(tmp_path, "run", "create.md")
    assert ended.returncode == 1
    assert result(tmp_path)["verdict"] == "unproven"
    assert "before the first step" in ended.stdout


def test_a_step_that_cannot_be_done_names_the_line_and_the_reason(app: Site, tmp_path: Path) -> None:
    text = (tmp_path / "create.md").read_text().replace('"Title" with', '"Titel" with')
    (tmp_path / "create.md").write_text(text)
    ended = run(tmp_path, "run", "create.md")
    assert ended.returncode == 1
    assert "create.md:10" in ended.stdout
    assert "Title" in ended.stdout  # the near miss
    assert app.commits() == []


@pytest.mark.parametrize("ways", [[signal.SIGINT], [signal.SIGTERM], [signal.SIGINT, signal.SIGINT]])
def test_an_interrupted_run_ends_with_2_and_leaves_no_browser(
    app: Site, tmp_path: Path, marker: str, ways: list[signal.Signals]
) -> None:
    app.on("POST", "/api/runs", Answer("{}", 201, gate=app.gate()))
    process = subprocess.Popen(**command(tmp_path, "run", "create.md", TMPDIR=marker))
    assert app.wait_for_commit()
    for way in ways:
        process.send_signal(way)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 2, out + err
    assert "Traceback" not in err
    assert _gone(marker)


def test_an_application_that_does_not_answer_ends_with_3(tmp_path: Path) -> None:
    (tmp_path / "create.md").write_text(
        f"---\nbase_url: http://127.0.0.1:{_closed_port()}\n---\n\n{SCENARIO}"
    )
    ended = run(tmp_path, "run", "create.md")
    assert ended.returncode == 3
    assert "is the application running?" in ended.stdout
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (SCENARIO.replace("Fill", "Frobnicate"), "create.md:6"),
        (SCENARIO.replace("Nightly", "{{title}}"), "create.md:6"),
        (SCENARIO.replace("## Expected", "## Hopes"), "create.md:9"),
    ],
)
def test_a_bad_scenario_file_ends_with_4_before_anything_runs(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "create.md").write_text(text)
    ended = run(tmp_path, "run", "create.md")
    assert ended.returncode == 4
    assert says in ended.stderr
    assert not (tmp_path / "test-results").exists()


@pytest.mark.parametrize("words", [["--bogus"], ["--idle-timeout", "30"], ["absent.md"], ["--tags", " , "]])
def test_wrong_usage_ends_with_4(app: Site, tmp_path: Path, words: list[str]) -> None:
    ended = run(tmp_path, "run", *words)
    assert ended.returncode == 4, ended.stderr
    assert ended.stderr.startswith("walkaround: ")


@pytest.mark.parametrize("words", [["-k", "nothing like it"], ["--tags", "absent"], ["empty"]])
def test_nothing_collected_ends_with_5(app: Site, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "empty").mkdir()
    ended = run(tmp_path, "run", *words)
    assert ended.returncode == 5, ended.stderr


def test_list_and_dry_run_name_the_scenarios_and_run_none(app: Site, tmp_path: Path) -> None:
    for words in (["list"], ["run", "--dry-run"]):
        ended = run(tmp_path, *words)
        assert ended.returncode == 0
        assert "create.md:5  Create a run" in ended.stdout
    assert app.asked == []


def test_form_prints_one_json_object(app: Site, tmp_path: Path) -> None:
    entries = [{"field": "Title", "value": "Nightly"}, {"click": "Save"}]
    (tmp_path / "entries.json").write_text(json.dumps(entries))
    ended = run(tmp_path, "form", f"{app.url}/new", "entries.json", "--then", "document.title")
    assert ended.returncode == 0, ended.stderr
    said = json.loads(ended.stdout)
    assert said["then"] == "New run"
    assert "Created" in said["text"]
    assert [step["ok"] for step in said["result"]["steps"]] == [True, True]


def _closed_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _gone(marker: str) -> bool:
    """Waits for the browsers' processes to end, up to a deadline."""
    until = time.monotonic() + 5
    while _processes(marker) and time.monotonic() < until:
        time.sleep(0.05)  # there is no event for the end of a process that is not our child
    return not _processes(marker)


def _processes(marker: str) -> list[str]:
    """The command lines of running browser processes that mention the marker."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            line = (entry / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if marker in line and "chrom" in line:
            found.append(line)
    return found
