"""A trace is whole after every event, whatever happens to the process; nothing foreign is ever removed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scenarios.errors import UsageError
from scenarios.variables import Secrets
from traces.events import Event
from traces.store import FILE, Store, is_trace, read

ROOT = Path(__file__).parents[2]


def lines(folder: Path) -> list[Any]:
    return [json.loads(line) for line in (folder / FILE).read_text().splitlines()]


def test_the_first_line_names_the_schema_and_every_event_has_a_line(tmp_path: Path) -> None:
    with Store(tmp_path / "one") as store:
        store(Event("step", {"do": "fill", "field": "Título"}, at=1.25))
        assert len(lines(tmp_path / "one")) == 2  # before it is closed
    head, step = lines(tmp_path / "one")
    assert (head["kind"], head["schema"]) == ("trace", 1)
    assert step == {"at": 1.25, "kind": "step", "do": "fill", "field": "Título"}
    assert "Título" in (tmp_path / "one" / FILE).read_text()


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    told = [Event("step", {"do": "fill"}, at=1.5), Event("scenario.end", {"verdict": "passed"}, at=2.0)]
    with Store(tmp_path / "one") as store:
        for event in told:
            store(event)
        assert read(tmp_path / "one").finished
    trace = read(tmp_path / "one")
    assert (list(trace.events), trace.schema, trace.torn) == (told, 1, ())


def test_secrets_are_taken_out_on_the_way_in(tmp_path: Path) -> None:
    secrets = Secrets({"PASSWORD": "hunter22"})
    with Store(tmp_path / "one", secrets.redact_json) as store:
        store(
            Event("step", {"asked": "hunter22", "notes": [{"body": "p=hunter22"}], "path": Path("hunter22")})
        )
    assert "hunter22" not in (tmp_path / "one" / FILE).read_text()
    assert read(tmp_path / "one").events[0].data["asked"] == "{{PASSWORD}}"


WRITER = """
import sys
from pathlib import Path
from traces.events import Event
from traces.store import Store
store = Store(Path(sys.argv[1]))
for number in range(10_000_000):
    store(Event("step", {"number": number, "text": "x" * 300}))
    if number == 200:
        print("going", flush=True)
"""


def test_a_process_that_is_killed_while_it_writes_leaves_a_trace_that_can_be_read(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path / "one")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"going\n"
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=10)
    trace = read(tmp_path / "one")
    numbers = [event.data["number"] for event in trace.events]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) > 200
    assert not trace.finished
    assert len(trace.torn) <= 1


def test_a_torn_last_line_is_told_and_not_fatal(tmp_path: Path) -> None:
    with Store(tmp_path / "one") as store:
        store(Event("step", {"number": 1}))
        store(Event("step", {"number": 2}))
    path = tmp_path / "one" / FILE
    path.write_bytes(path.read_bytes()[:-9])
    trace = read(tmp_path / "one")
    assert [event.data["number"] for event in trace.events] == [1]
    assert trace.torn == (3,)


ROUND: list[Any] = []
ROUND.append(ROUND)


WRITABLE = ["\ud800", float("nan"), object(), "line\nbreak\u2028", b"bytes", {1: 2}]


@pytest.mark.parametrize(
    ("value", "lost"), [*((one, 0) for one in WRITABLE), (ROUND, 1), ({("a", "b"): 1}, 1)]
)
def test_no_value_makes_the_store_raise_or_breaks_a_line(tmp_path: Path, value: Any, lost: int) -> None:
    with Store(tmp_path / "one", Secrets({"PASSWORD": "hunter22"}).redact_json) as store:
        store(Event("note", {"text": value}))
        store(Event("note", {"text": "after"}))
    trace = read(tmp_path / "one")
    assert trace.events[-1].data["text"] == "after"
    assert (store.lost, len(trace.events), trace.torn) == (lost, 2 - lost, ())


def test_a_line_that_was_cut_off_does_not_spoil_the_next_one(tmp_path: Path) -> None:
    class FullForOnce:
        def __init__(self, file: Any) -> None:
            self.file, self.room = file, [7, 0]

        def write(self, data: Any) -> int:
            room = self.room.pop(0) if self.room else len(data)
            if not room:
                raise OSError("no space")
            return int(self.file.write(data[:room]))

        def close(self) -> None:
            self.file.close()

    store = Store(tmp_path / "one")
    store._file = FullForOnce(store._file)  # type: ignore[assignment]
    store(Event("note", {"text": "cut off"}))
    store(Event("note", {"text": "whole"}))
    store.close()
    trace = read(tmp_path / "one")
    assert [event.data["text"] for event in trace.events] == ["whole"]
    assert (trace.torn, store.lost) == ((2,), 1)


def test_a_trace_whose_removal_fails_halfway_is_still_known_as_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(path: Path) -> None:
        raise OSError("busy")

    Store(tmp_path / "one").close()
    (tmp_path / "one" / "screenshots").mkdir()
    monkeypatch.setattr("shutil.rmtree", busy)
    with pytest.raises(UsageError, match="busy"):
        Store(tmp_path / "one")
    assert is_trace(tmp_path / "one")


def test_an_event_after_the_end_is_counted_as_lost_and_does_not_raise(tmp_path: Path) -> None:
    store = Store(tmp_path / "one")
    store.close()
    store(Event("note", {"text": "late"}))
    assert store.lost == 1
    assert store.why
    assert read(tmp_path / "one").events == ()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
def test_a_full_disk_does_not_raise(tmp_path: Path) -> None:
    store = Store(tmp_path / "one")
    os.dup2(os.open("/dev/full", os.O_WRONLY), store._file.fileno())
    store(Event("note", {"text": "no room"}))
    store.close()
    assert store.lost == 1
    assert "space" in store.why


def test_a_new_run_replaces_a_trace_of_ours_wholly(tmp_path: Path) -> None:
    with Store(tmp_path / "one") as store:
        store(Event("note", {"text": "old"}))
    (tmp_path / "one" / "screenshots").mkdir()
    (tmp_path / "one" / "screenshots" / "t1.jpg").write_bytes(b"old")
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "mine.txt").write_text("kept")
    Store(tmp_path / "one").close()
    assert [path.name for path in (tmp_path / "one").iterdir()] == [FILE]
    assert read(tmp_path / "one").events == ()
    assert (tmp_path / "two" / "mine.txt").read_text() == "kept"


@pytest.mark.parametrize("name", ["report.docx", "events.jsonl"])
def test_a_folder_that_is_not_ours_is_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / name).write_text('{"kind": "something else"}\n')
    with pytest.raises(UsageError, match="no trace"):
        Store(tmp_path / "one")
    assert (tmp_path / "one" / name).read_text() == '{"kind": "something else"}\n'


def test_a_link_to_a_folder_is_never_followed_to_remove_what_is_there(tmp_path: Path) -> None:
    Store(tmp_path / "elsewhere").close()
    (tmp_path / "one").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError):
        Store(tmp_path / "one")
    assert is_trace(tmp_path / "elsewhere")


def test_a_trace_that_was_killed_before_its_first_word_counts_as_ours(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / FILE).touch()
    Store(tmp_path / "one").close()
    assert read(tmp_path / "one").schema == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "No such file"),
        ("", "no trace"),
        ('{"kind": "step"}', "no trace"),
        ('{"kind": "trace", "schema": 99}\n', "newer"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(tmp_path: Path, text: str | None, says: str) -> None:
    if text is not None:
        (tmp_path / FILE).write_text(text)
    with pytest.raises(UsageError, match=says) as raised:
        read(tmp_path)
    assert FILE in str(raised.value)
