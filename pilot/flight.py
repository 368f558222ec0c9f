"""One scenario from its plan to its verdict."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from pilot.plan import PLAN, Goal, Plan, merge, read_goals
from pilot.prompts import prompt
from pilot.verdict import VERDICT, Proof, Verdict, Word, judge, lowered
from scenarios.errors import HarnessError
from scenarios.scenario import Scenario
from scenarios.sentences import NotUnderstood, read_step
from scenarios.variables import Secrets
from tester.brief import Brief, clean_up, flight
from tester.checks import CheckResult, run_checks, wait_until
from tester.conversation import Conversation
from tester.deadlines import Deadlines
from tester.exchange import Cabin, Speaker, take_turn
from tester.history.mends import Mend
from tester.models.protocol import Model, SpeakingRole
from tester.picture import take_picture
from tester.session import Bounds, Session, open_session, origin
from tester.toolbox import Called, Lost, Toolbox
from tester.tools import CHECK, LOOK, NAVIGATE, TESTER, Navigate
from tester.turn import Attempt, TurnContext, open_turn
from tester.view import fence_for_model, view
from traces.events import Event, Sink
from traces.pack import redact_pack

if TYPE_CHECKING:
    from playwright.async_api import Browser


PILOT = Toolbox(PLAN, LOOK, CHECK, VERDICT)
"""What a Pilot is offered, all the time: nothing that changes the page."""
_WORDS = 4


@dataclass(frozen=True, slots=True)
class Crew:
    """Which model takes which role."""

    pilot: Model
    tester: Model

    async def aclose(self) -> None:
        """Lets both go of their connections."""
        await self.pilot.aclose()
        await self.tester.aclose()


@dataclass(slots=True)
class Landing:
    """What is known at the end of a flight, however it ended."""

    verdict: Verdict = field(default_factory=lambda: Verdict("error", "it was interrupted"))
    commits: list[dict[str, Any]] = field(default_factory=list)
    speakers: list[Speaker] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Keep:
    """What a flight leaves beside its events, and the storage state that it begins with.

    `tracing` is on, off or retain-on-failure; `screenshot` is on (at each turn's
    end), off or only-on-failure.
    """

    folder: Path
    tracing: str = "off"
    screenshot: str = "on"
    storage_state: Path | None = None


async def fly(
    scenario: Scenario,
    browser: Browser,
    crew: Crew,
    deadlines: Deadlines,
    tell: Sink,
    landing: Landing,
    keep: Keep,
) -> None:
    """Flies one scenario in a browser context of its own, and fills the landing with what came of it.

    A harness that fails is a verdict of its own (`error`) and no exception: only cancellation and our own
    mistakes leave.
    """
    try:
        with anyio.move_on_after(deadlines.scenario) as limit:
            async with open_session(
                browser,
                deadlines=deadlines,
                bounds=_bounds(scenario),
                secrets=Secrets(scenario.secrets),
                storage_state=keep.storage_state,
            ) as session:
                cabin = Cabin(scenario.slug, session.lane, deadlines, tell, session)
                async with _playwrights_trace(session, keep, landing):
                    await _Flight(scenario, crew, cabin, session, keep, landing).fly()
        if limit.cancelled_caught:
            landing.verdict = Verdict("budget", f"it was not through within {deadlines.scenario:g} s")
    except HarnessError as error:
        landing.verdict = Verdict("error", str(error))
    except Lost as error:
        landing.verdict = Verdict("error", f"the browser is gone: {error}")


def _bounds(scenario: Scenario) -> Bounds:
    base = scenario.base_url
    allowed = frozenset(filter(None, [origin(base) if base else None, *scenario.allow_origins]))
    return Bounds(base, allowed, Path(scenario.source.path).resolve().parent)


@dataclass(slots=True)
class _Flight:
    scenario: Scenario
    crew: Crew
    cabin: Cabin
    session: Session
    keep: Keep
    landing: Landing
    engine_turns: int = 0

    async def fly(self) -> None:
        pilot = self._speaker("pilot", self.crew.pilot, f"# {self.scenario.title}")
        try:
            prepare, steps = await self._start()
            if prepare:
                await self._prepare(prepare)
            goals = await self._plan(pilot)
            before = await self._inspect("before", goals)
            gave_up = await self._carry_out(Brief(self.scenario.title, steps, self.scenario.outcomes))
            after = await self._inspect("after", goals, patient=True)
            proofs = [Proof(*proof) for proof in zip(_each(goals), before, after, strict=True)]
            verdict = judge(goals, proofs, gave_up)
            if verdict.name != "passed" and self.keep.screenshot != "off":
                await self._screenshot(verdict.name)
            self.landing.verdict = await self._explain(pilot, verdict)
        finally:
            with anyio.CancelScope(shield=True), anyio.move_on_after(self.cabin.deadlines.tool):
                await self._clean_up()
            self.landing.commits = [commit.to_json() for commit in self.session.ledger.commits]

    # -- the phases ------------------------------------------------------------------------------------------

    async def _start(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Opens the first page, so that its state before any step is known; gives what is left to do."""
        prepare, steps = self.scenario.before, self.scenario.steps
        first = (prepare or steps)[:1]
        address = _address(first[0].text) if first else None
        if address is not None:
            prepare, steps = (prepare[1:], steps) if prepare else (prepare, steps[1:])
        address = address if address is not None else self.session.bounds.base_url
        if address is not None:
            async with self._turn() as turn:
                opened = await turn.run_tool(
                    "navigate", "start", lambda: NAVIGATE.work(turn, Navigate(url=address))
                )
            if not opened["ok"]:
                raise HarnessError(opened["steps"][0]["why"])
        return prepare, steps

    async def _prepare(self, steps: tuple[Any, ...]) -> None:
        gave_up = await self._carry_out(Brief(f"Before: {self.scenario.title}", steps))
        if gave_up is not None:
            raise HarnessError(f"it could not be prepared: {gave_up}")

    async def _clean_up(self) -> None:
        if not self.scenario.after:
            return
        try:
            gave_up = await self._carry_out(clean_up(self.scenario))
        except (HarnessError, Lost) as error:
            gave_up = str(error)
        if gave_up is not None:
            self._tell("cleanup.failed", why=gave_up)

    async def _plan(self, pilot: Speaker) -> tuple[Goal, ...]:
        goals = read_goals(self.scenario)
        if any(not goal.checks for goal in goals) and self.crew.pilot.sees:
            pilot.conversation.say(
                await self._with_view(f"Plan checks for these outcomes.\n\n{flight(self.scenario)}")
            )
            call = await self._answer(pilot, "plan")
            goals = merge(goals, Plan.model_validate(call.input)) if call else goals
        self._tell("plan", goals=[goal.to_json() for goal in goals])
        return goals

    async def _inspect(self, when: str, goals: Sequence[Goal], *, patient: bool = False) -> list[CheckResult]:
        """Runs every check; a patient inspection gives what does not hold yet a last time to come."""
        checks = [check for goal in goals for check in goal.checks]
        if not checks:
            return []
        async with self._turn() as turn:
            results = await run_checks(turn, checks)
            if patient:
                results = await _wait_for_the_rest(turn, checks, results)
        for goal, result in zip(_each(goals), results, strict=True):
            facts = {
                "outcome": goal.outcome.text,
                "source": str(goal.outcome.source),
                "sentence": result.sentence,
            }
            self._tell("check", when=when, **facts, holds=result.holds, found=result.found)
        return results

    async def _carry_out(self, brief: Brief) -> str | None:
        """Lets the Tester work through a brief; gives its reason when it gave up."""
        text = str(brief)
        if self.crew.tester.sees:
            text = await self._with_view(text)
        tester = self._speaker("tester", self.crew.tester, text)
        toolbox = Toolbox(*TESTER)
        while True:
            turn = await take_turn(self.cabin, tester, toolbox)
            if self.keep.screenshot == "on":
                await self._screenshot(f"{tester.role[0]}{tester.turns}")
            finish = turn.call("finish")
            if finish is not None:
                return None if finish.input["done"] else str(finish.input["reason"])
            if not turn.called:
                tester.conversation.say("Call a tool, or `finish` when the work is done or cannot be done.")

    async def _explain(self, pilot: Speaker, verdict: Verdict) -> Verdict:
        lines = [
            f"- {'holds' if p.after.holds else 'does not hold'}: {p.after.sentence} ({p.after.found})"
            for p in verdict.proofs
        ]
        facts = "\n".join([f"Computed verdict: {verdict.name}: {verdict.reason}", *lines])
        pilot.conversation.say(await self._with_view(facts) if self.crew.pilot.sees else facts)
        said = await self._answer(pilot, "verdict")
        return lowered(verdict, Word.model_validate(said.input)) if said else verdict

    async def _answer(self, pilot: Speaker, tool: str) -> Called | None:
        """Lets the Pilot look around, a few turns at most, until it has said its word by this tool."""
        for _ in range(_WORDS):
            call = (await take_turn(self.cabin, pilot, PILOT)).call(tool)
            if call is not None:
                return call
            pilot.conversation.say(f"Say your word with `{tool}` now.")
        return None

    # -- small things ----------------------------------------------------------------------------------------

    def _speaker(self, role: SpeakingRole, model: Model, first: str) -> Speaker:
        before = [speaker for speaker in self.landing.speakers if speaker.role == role]
        conversation = Conversation(first, on_repair=self._tell_repair)
        turns = sum(one.turns for one in before[-1:])
        speaker = Speaker(role, model, prompt(role), conversation, turns)
        self.landing.speakers.append(speaker)
        return speaker

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[TurnContext]:
        """An attempt of the engine itself: no model speaks in it."""
        self.engine_turns += 1
        attempt = Attempt(self.cabin.scenario, "engine", self.engine_turns)
        cabin = self.cabin
        async with open_turn(attempt, cabin.lane, cabin.deadlines, cabin.tell, self.session) as turn:
            yield turn

    async def _with_view(self, text: str) -> str:
        async with self._turn() as turn:
            seen = await view(turn)
        fenced = fence_for_model(f"{seen.url} “{seen.title}”\n{seen.text}", self.session.nonce)
        return f"{text}\n\nThe page now:\n{fenced}"

    async def _screenshot(self, name: str) -> None:
        path = self.keep.folder / "screenshots" / f"{name}.jpg"
        if await take_picture(self.session, path):
            self._tell("screenshot", path=f"screenshots/{name}.jpg")

    def _tell_repair(self, mends: list[Mend]) -> None:
        self._tell("repair", mends=[mend.to_json() for mend in mends])

    def _tell(self, kind: str, **data: Any) -> None:
        self.cabin.tell(Event(kind, {"scenario": self.cabin.scenario, **data}))


@asynccontextmanager
async def _playwrights_trace(session: Session, keep: Keep, landing: Landing) -> AsyncIterator[None]:
    """Records `trace.zip` beside our own trace, for all runs or for those that did not pass."""
    if keep.tracing == "off":
        yield
        return
    record, pack = session.context.tracing, keep.folder / "trace.zip"
    await record.start(screenshots=True, snapshots=True)
    try:
        yield
    finally:
        kept = keep.tracing == "on" or landing.verdict.name != "passed"
        with anyio.move_on_after(session.deadlines.action, shield=True):
            await record.stop(path=pack if kept else None)
            if kept and session.secrets.names:
                redact_pack(pack, session.secrets.redact)


def _each(goals: Sequence[Goal]) -> list[Goal]:
    """One goal for each check, in the order of the checks."""
    return [goal for goal in goals for _ in goal.checks]


def _address(text: str) -> str | None:
    """The address, when a sentence asks for nothing but to open one."""
    try:
        calls = read_step(text)
    except NotUnderstood:
        return None
    return calls[0].input.get("url") if len(calls) == 1 and calls[0].tool == "navigate" else None


async def _wait_for_the_rest(
    turn: TurnContext, checks: Sequence[Any], results: list[CheckResult]
) -> list[CheckResult]:
    until = anyio.current_time() + turn.deadlines.proof
    for at, check in enumerate(checks):
        left = until - anyio.current_time()
        if not results[at].holds and left > 0:
            results[at] = await wait_until(turn, check, left)
    return results
