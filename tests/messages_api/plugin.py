"""The service as a fixture, and at the end of a run the list of the faults that were injected."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.messages_api.server import KEY, MessagesServer

StartService = Callable[..., MessagesServer]


@pytest.fixture
def start_service(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[StartService]:
    """Starts a service of the test's own, to which the environment points: `start_service(bound=False)`."""
    for name in [name for name in os.environ if name.startswith("ANTHROPIC_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))  # where the SDK would look for credentials
    started: list[MessagesServer] = []

    def start(**manners: bool) -> MessagesServer:
        service = MessagesServer(**manners)
        started.append(service)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", service.url)
        return service

    yield start
    for service in started:
        service.close()
        request.node.user_properties += [("fault", kind) for kind in service.faults.elements()]


@pytest.fixture
def service(start_service: StartService) -> MessagesServer:
    """The strictest service, with nothing to say yet."""
    return start_service()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Lists the faults by kind; they travel with the reports, so that it works with parallel workers too."""
    reports = [one for some in terminalreporter.stats.values() for one in some]
    ended = [one for one in reports if getattr(one, "when", None) == "teardown"]
    faults = Counter(str(kind) for one in ended for name, kind in one.user_properties if name == "fault")
    if faults:
        terminalreporter.section("faults of the model service that were injected")
        terminalreporter.line(", ".join(f"{kind} {count}" for kind, count in sorted(faults.items())))
