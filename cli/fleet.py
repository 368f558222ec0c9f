"""Many scenarios side by side: workers with a browser each, signals heeded, a result for every scenario."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from cli.crew import crew_for
from cli.settings import Layers, Settings
from pilot.flight import Keep, Landing, fly
from scenarios.scenario import Scenario
from scenarios.variables import Secrets
from tester.browser import Wanted, launch
from traces.events import Event, Sink
from traces.result import Result, write_result
from traces.store import Store

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tester.exchange import Speaker

HARD_STOP = 2
"""Signals after which the process ends at once."""


@dataclass(slots=True)
class Fleet:
    """One run of many scenarios; `tell` hears everything that happens."""

    scenarios: Sequence[Scenario]
    layers: Layers
    settings: Settings
    tell: Sink
    hard_stop: Callable[[], None]
    results: list[Result] = field(default_factory=list)
    interrupted: bool = False
    _waiting: Iterator[Scenario] = field(init=False)
    _signals: int = 0

    async def fly(self) -> None:
        """Flies every scenario, or as many as failures and signals allow.

        Raises:
            HarnessError: no browser could be started.
        """
        self._waiting = iter(self.scenarios)
        try:
            async with anyio.create_task_group() as heed:
                with anyio.CancelScope() as flights:
                    heed.start_soon(self._heed_signals, flights)
                    async with anyio.create_task_group() as workers:
                        for _ in range(min(self.settings.workers, len(self.scenarios))):
                            workers.start_soon(self._work)
                heed.cancel_scope.cancel()
        except BaseExceptionGroup as group:
            raise _first(group) from group

    async def _heed_signals(self, flights: anyio.CancelScope) -> None:
        """The first signal ends the flights tidily, the second everything at once."""
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for _ in signals:
                self._signals += 1
                self.interrupted = True
                if self._signals >= HARD_STOP:
                    self.hard_stop()
                flights.cancel()

    async def _work(self) -> None:
        """One worker: a browser, and another one when it breaks, for as long as scenarios are waiting."""
        scenario = self._next()
        while scenario is not None:
            async with launch(self._wanted()) as browser:
                while scenario is not None and browser.is_connected():
                    await self._fly_one(scenario, browser)
                    scenario = self._next()

    def _next(self) -> Scenario | None:
        limit = self.settings.max_failures
        bad = sum(result.verdict not in ("passed", "skipped") for result in self.results)
        return None if limit is not None and bad >= limit else next(self._waiting, None)

    def _wanted(self) -> Wanted:
        one = self.settings
        return Wanted(browser=one.browser, channel=one.browser_channel, headed=one.headed, slowmo=one.slowmo)

    async def _fly_one(self, scenario: Scenario, browser: Browser) -> None:
        settings = self.layers.settings(scenario.settings)
        crew = crew_for(settings, self.layers.environment)
        folder = self.settings.output / scenario.slug
        redact = Secrets(scenario.secrets).redact_json
        names = {"pilot": crew.pilot.name, "tester": crew.tester.name}
        facts: dict[str, Any] = {"scenario": scenario.slug, "title": scenario.title}
        facts |= {"source": str(scenario.source), "steps": len(scenario.steps), "folder": str(folder)}
        with Store(folder) as store:

            def tell(event: Event) -> None:
                """The one way out for whatever happens: no secret passes it."""
                safe = Event(event.kind, redact(event.data), event.at)
                store(safe)
                self.tell(safe)

            tell(Event("scenario.start", {**facts, "model": crew.tester.name, "models": names}))
            started, landing = time.time(), Landing()
            keep = Keep(folder, settings.tracing, settings.screenshot, settings.storage_state)
            try:
                await fly(scenario, browser, crew, settings.deadlines, tell, landing, keep)
            finally:
                with anyio.CancelScope(shield=True), anyio.move_on_after(settings.deadlines.drain):
                    await crew.aclose()
                result = Result(**redact(_result(scenario, landing, started, folder, names).to_json()))
                write_result(folder, result)
                self.results.append(result)
                facts |= {"verdict": result.verdict, "reason": result.reason, "seconds": result.seconds}
                tell(Event("scenario.end", {**facts, "trace": str(folder), "result": result.to_json()}))


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """What went wrong first, out of the groups that task groups wrap it in."""
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error


def _result(
    scenario: Scenario, landing: Landing, started: float, folder: Path, models: dict[str, str]
) -> Result:
    ended, verdict = time.time(), landing.verdict
    return Result(
        title=scenario.title,
        source=str(scenario.source),
        slug=scenario.slug,
        row=dict(scenario.row),
        tags=list(scenario.tags),
        verdict=verdict.name,
        reason=verdict.reason,
        explanation=verdict.explanation,
        proofs=[proof.to_json() for proof in verdict.proofs],
        commits=landing.commits,
        models=models,
        counts=_counts(landing.speakers),
        started=started,
        ended=ended,
        seconds=ended - started,
        trace=str(folder),
    )


def _counts(speakers: Sequence[Speaker]) -> dict[str, Any]:
    """Turns, model calls, tokens and cost, each by role."""
    counts: dict[str, Any] = {}
    for role in ("pilot", "tester"):
        used = [usage for speaker in speakers if speaker.role == role for usage in speaker.used]
        turns = max((speaker.turns for speaker in speakers if speaker.role == role), default=0)
        tokens = sum(one.input + one.output + one.cache_read + one.cache_write for one in used)
        known = all(one.cost is not None for one in used)
        cost = sum(one.cost or 0.0 for one in used) if known else None
        counts[role] = {"turns": turns, "model_calls": len(used), "tokens": tokens, "cost": cost}
    return counts
