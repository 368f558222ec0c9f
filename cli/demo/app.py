"""The demo application: a list of test runs, a form with one slow field for a new one, records in SQLite."""

from __future__ import annotations

import csv
import html
import io
import json
import sqlite3
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from string import Template
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, urlsplit

PAGES = Path(__file__).with_name("pages")
KINDS = ("Manual", "Automated", "Mixed")
TITLE_CHECK_MS = 2000
"""How long the page itself is busy with a title: longer than the idle deadline that the demo runs with."""

_TABLE = """CREATE TABLE runs (id INTEGER PRIMARY KEY, title TEXT, kind TEXT, cases INTEGER,
            environments TEXT, priority TEXT, notify INTEGER, description TEXT)"""
_COLUMNS = ("title", "kind", "cases", "environments", "priority", "notify", "description")
_SEED = (
    ("Login after the update", "Manual", 12, "Staging", "High", 1, "Sign-in, sign-out, lost password."),
    ("Payment providers", "Automated", 48, "Staging, Production", "Normal", 0, "Cards and invoices."),
)


class Runs:
    """The records: one SQLite database in memory, shared by the server's threads under a lock."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._base = sqlite3.connect(":memory:", check_same_thread=False)
        self._base.row_factory = sqlite3.Row
        self._base.execute(_TABLE)
        for row in _SEED:
            self.add(dict(zip(_COLUMNS, row, strict=True)))

    def all(self) -> list[dict[str, Any]]:
        """Every record, the oldest first."""
        with self._lock:
            return [dict(row) for row in self._base.execute("SELECT * FROM runs ORDER BY id")]

    def one(self, number: int) -> dict[str, Any] | None:
        """One record, or None."""
        return next((row for row in self.all() if row["id"] == number), None)

    def add(self, run: dict[str, Any]) -> int:
        """Keeps a record and gives its number."""
        marks = ", ".join("?" * len(_COLUMNS))
        with self._lock, self._base:
            statement = f"INSERT INTO runs ({', '.join(_COLUMNS)}) VALUES ({marks})"
            return int(self._base.execute(statement, [run[name] for name in _COLUMNS]).lastrowid or 0)

    def delete(self, number: int) -> bool:
        """Removes a record; False when there was none."""
        with self._lock, self._base:
            return self._base.execute("DELETE FROM runs WHERE id = ?", [number]).rowcount > 0

    def close(self) -> None:
        """Lets the database go."""
        self._base.close()


class DemoApp:
    """Serves the application on a free loopback port for as long as it is entered.

    `with_bug` plants a bug: a new run is confirmed, but its kind is always kept as Manual.
    """

    def __init__(self, *, with_bug: bool = False, title_check_ms: int = TITLE_CHECK_MS) -> None:
        self.with_bug = with_bug
        self.title_check_ms = title_check_ms
        self.runs = Runs()
        app = self

        class Handler(_Handler):
            pass

        Handler.app = app
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> DemoApp:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)
        self.runs.close()

    def rows(self) -> list[dict[str, Any]]:
        """What is in the database: the truth, whatever the pages say."""
        return self.runs.all()

    def create(self, run: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Status and answer for a new run."""
        wrong = _wrong(run, self.rows())
        if wrong:
            return 422, {"errors": wrong}
        kept = {name: run.get(name, "") for name in _COLUMNS}
        if self.with_bug:
            kept["kind"] = "Manual"
        return 201, {"id": self.runs.add(kept)}


def _wrong(run: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, str]:
    errors = {}
    title = str(run.get("title", "")).strip()
    if not title:
        errors["title"] = "Give the run a title."
    elif any(row["title"] == title for row in rows):
        errors["title"] = "There is a run with this title already."
    if run.get("kind") not in KINDS:
        errors["kind"] = "Choose a kind."
    return errors


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    app: DemoApp

    def do_GET(self) -> None:
        path = urlsplit(self.path)
        if path.path == "/":
            self._redirect("/runs")
        elif path.path == "/runs":
            self._page("list", rows=_rows(self._found(path.query)), query=_first(path.query, "q"))
        elif path.path == "/runs/new":
            self._page("new", check_ms=str(self.app.title_check_ms))
        elif path.path == "/runs.csv":
            self._csv()
        elif path.path == "/style.css":
            self._send(200, "text/css; charset=utf-8", (PAGES / "style.css").read_bytes())
        else:
            self._record(path.path)

    def do_POST(self) -> None:
        run = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == "/api/runs":
            self._json(*self.app.create(run))
        else:
            self._missing()

    def do_DELETE(self) -> None:
        number = _number(self.path, "/api/runs/")
        if number is not None and self.app.runs.delete(number):
            self._json(200, {"deleted": number})
        else:
            self._missing()

    def _found(self, query: str) -> list[dict[str, Any]]:
        part = _first(query, "q").casefold()
        return [row for row in self.app.rows() if part in row["title"].casefold()]

    def _record(self, path: str) -> None:
        number = _number(path, "/runs/")
        run = self.app.runs.one(number) if number is not None else None
        if run is None:
            self._missing()
            return
        shown = {name: html.escape(str(value)) or "none" for name, value in run.items()}
        self._page("record", **{**shown, "notify": "yes" if run["notify"] else "no"})

    def _csv(self) -> None:
        out = io.StringIO()
        writer = csv.DictWriter(out, ["id", "title", "kind", "cases", "priority"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(self.app.rows())
        headers = {"content-disposition": 'attachment; filename="runs.csv"'}
        self._send(200, "text/csv; charset=utf-8", out.getvalue().encode(), headers)

    def _page(self, page: str, **parts: str) -> None:
        body = Template((PAGES / f"{page}.html").read_text(encoding="utf-8")).substitute(parts)
        self._send(200, "text/html; charset=utf-8", body.encode())

    def _json(self, status: int, answer: dict[str, Any]) -> None:
        self._send(status, "application/json", json.dumps(answer).encode())

    def _missing(self) -> None:
        self._send(
            404, "text/html; charset=utf-8", b"<!doctype html><title>Not found</title><h1>Not found</h1>"
        )

    def _redirect(self, to: str) -> None:
        self._send(303, "text/plain", b"", {"location": to})

    def _send(self, status: int, type_: str, body: bytes, headers: dict[str, str] | None = None) -> None:
        try:
            self.send_response(status)
            for name, value in {
                "content-type": type_,
                "content-length": str(len(body)),
                **(headers or {}),
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the browser went away

    def log_message(self, *args: object) -> None:
        """Says nothing: the terminal belongs to the run."""


def _rows(runs: list[dict[str, Any]]) -> str:
    cell: Callable[[Any], str] = lambda value: f"<td>{html.escape(str(value))}</td>"  # noqa: E731
    lines = [
        f'<tr><td><a href="/runs/{run["id"]}">{html.escape(run["title"])}</a></td>'
        + "".join(cell(run[name]) for name in ("kind", "cases", "environments", "priority"))
        + "</tr>"
        for run in runs
    ]
    return "\n".join(lines) or '<tr><td colspan="5">No run fits.</td></tr>'


def _first(query: str, name: str) -> str:
    return html.escape(parse_qs(query).get(name, [""])[0])


def _number(path: str, prefix: str) -> int | None:
    rest = path.removeprefix(prefix)
    return int(rest) if path.startswith(prefix) and rest.isdecimal() else None
