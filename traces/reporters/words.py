"""How results are put into words: lines that are safe to print, times, counts, what was found instead."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from traces.result import Result

ORDER = ("passed", "failed", "unproven", "error", "budget", "skipped")

_MEANING = {
    0: "all passed",
    1: "something failed or was not proven",
    2: "interrupted",
    3: "the model, the browser or the harness failed; the application was not judged",
    4: "the command or a scenario file is wrong",
    5: "nothing was collected",
    10: "a budget was used up",
}

# Control characters, and marks that turn the direction of writing: a page must not steer a terminal.
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]+")


def one_line(text: Any, limit: int = 0) -> str:
    """The text on one line, with nothing in it that steers a terminal; cut to `limit`, unless that is 0."""
    line = re.sub(r"\s+", " ", _UNSAFE.sub(" ", str(text))).strip()
    return f"{line[: limit - 1].rstrip()}…" if 0 < limit < len(line) else line


def meaning(code: int) -> str:
    """What an exit code means, for example `exit 5: nothing was collected`."""
    return f"exit {code}: {_MEANING.get(code, 'unknown')}"


def duration(seconds: float) -> str:
    """A time for people: `41ms`, `1.4s`, `2m 05s`."""
    if seconds < 0.9995:
        return f"{max(0, round(seconds * 1000))}ms"
    if seconds < 59.95:
        return f"{seconds:.1f}s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}m {rest:02}s"


def counts(verdicts: Iterable[str]) -> dict[str, int]:
    """How many there are of each verdict, the good ones first; none that does not occur."""
    found = Counter(verdicts)
    return {name: found[name] for name in ORDER if found[name]}


def tally(found: Mapping[str, int]) -> str:
    """Counts in words, for example `4 passed, 1 failed`."""
    return ", ".join(f"{number} {name}" for name, number in found.items()) or "nothing ran"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a tester would say about a result: a label, the words, and a place if there is one."""

    label: str
    text: str
    place: str = ""


def findings(result: Result) -> list[Finding]:
    """What was expected and what was found instead; the reason, where no single check tells it."""
    said = [finding for proof in result.proofs for finding in _unproven(proof)]
    checks = [finding.text for finding in said if finding.label == "found"]
    if not any(text and text in one_line(result.reason) for text in checks):
        said.insert(0, Finding("reason", one_line(result.reason)))
    has_opinion = result.models.get("pilot") != "offline" and result.explanation not in result.reason
    if result.explanation and has_opinion and result.verdict != "passed":
        said.append(Finding("pilot", one_line(result.explanation)))
    return said


def _unproven(proof: Mapping[str, Any]) -> list[Finding]:
    if proof.get("holds") and (proof.get("still") or not proof.get("before")):
        return []
    outcome, sentence = one_line(proof.get("outcome", "")), one_line(proof.get("sentence", ""))
    found = one_line(proof.get("found", ""))
    if proof.get("holds"):
        found = "it was true before the first step already, so it proves nothing"
    said = [Finding("expected", outcome, one_line(proof.get("source", "")))]
    if sentence and sentence.casefold() != outcome.casefold():
        said.append(Finding("checked", sentence))
    return [*said, Finding("found", found)]


def request_lines(result: Result) -> list[str]:
    """The requests that changed something, each with its answer and the step that sent it."""
    return [one_line(_request(commit)) for commit in result.commits]


def _request(commit: Mapping[str, Any]) -> str:
    answer = commit.get("status") or "no answer"
    step = f"{commit.get('do', '')} {commit.get('field', '')}".strip()
    return f"{commit.get('method')} {commit.get('path')} → {answer}" + (f" ({step})" if step else "")
