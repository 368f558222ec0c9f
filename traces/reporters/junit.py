"""JUnit's XML: the application's failures apart from errors of the harness, each with its file and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree as ET

from traces.reporters.words import findings, one_line, request_lines
from traces.result import Result

_CHILD = {
    "failed": "failure",
    "unproven": "failure",
    "error": "error",
    "budget": "error",
    "skipped": "skipped",
}


def junit(results: Sequence[Result], attachments: Mapping[str, Sequence[str]] | None = None) -> str:
    """The report; `attachments` are paths by the slug of a scenario. A suite is one scenario file."""
    root = ET.Element("testsuites", {"name": "walkaround", **_totals(results)})
    for path in dict.fromkeys(result.path for result in results):
        mine = [result for result in results if result.path == path]
        suite = ET.SubElement(
            root, "testsuite", {"name": one_line(path), **_totals(mine), "file": one_line(path)}
        )
        for result in mine:
            _case(suite, result, (attachments or {}).get(result.slug, ()))
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _totals(results: Sequence[Result]) -> dict[str, str]:
    children = [_CHILD.get(result.verdict) for result in results]
    started = min((result.started for result in results), default=0.0)
    return {
        "tests": str(len(results)),
        "failures": str(children.count("failure")),
        "errors": str(children.count("error")),
        "skipped": str(children.count("skipped")),
        "time": f"{sum(result.seconds for result in results):.3f}",
        "timestamp": datetime.fromtimestamp(started, UTC).isoformat(timespec="seconds"),
    }


def _case(suite: ET.Element, result: Result, attachments: Sequence[str]) -> None:
    facts = {
        "name": one_line(result.title),
        "classname": one_line(result.path),
        "file": one_line(result.path),
    }
    numbers = {"line": result.line, "time": f"{result.seconds:.3f}", "assertions": len(result.proofs)}
    case = ET.SubElement(suite, "testcase", facts | {name: str(value) for name, value in numbers.items()})
    properties = ET.SubElement(case, "properties")
    for name, value in [*_properties(result), *(("attachment", path) for path in attachments)]:
        ET.SubElement(properties, "property", {"name": name, "value": one_line(value)})
    if (child := _CHILD.get(result.verdict)) is not None:
        told = ET.SubElement(case, child, {"message": one_line(result.reason), "type": result.verdict})
        told.text = "\n".join(_story(result))
    if attachments:
        lines = [f"[[ATTACHMENT|{one_line(path)}]]" for path in attachments]
        ET.SubElement(case, "system-out").text = "\n".join(lines)


def _story(result: Result) -> Iterator[str]:
    yield result.source
    for finding in findings(result):
        yield f"{finding.label}: {finding.text}" + (f" ({finding.place})" if finding.place else "")
    for line in request_lines(result):
        yield f"request: {line}"


def _properties(result: Result) -> Iterator[tuple[str, Any]]:
    """What other tools like to sort by; nested counts by their path, for example `tester.tokens`."""
    yield "verdict", result.verdict
    yield "verdict_reason", result.reason
    yield "trace", result.trace
    yield "tags", ", ".join(result.tags)
    yield "retries", result.retries
    yield "flaky", str(result.flaky).lower()
    yield from _flat({"model": result.models, "row": result.row, **result.counts})


def _flat(counts: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in counts.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{path}{name}.")
        elif value is not None:
            yield f"{path}{name}", value
