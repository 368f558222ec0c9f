"""The fields that one form call has set and answers for: put in, read back, mended
when the page changes them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.async_api import Frame

from tester.controls.family import Family, Taken
from tester.find import Seen, Target, ask_frames, find
from tester.patience import Patience, answered
from tester.probe import Question, ask_or_none
from tester.reasons import clip
from tester.recorder import StepFailed, StepRecord

if TYPE_CHECKING:
    from tester.turn import TurnContext
    from tester.watch import Mark

_STEADY = 2
"""Looks in a row at which a value must be the same, and wrong, before it is taken to be final."""


@dataclass(slots=True)
class Field:
    """One field, what was asked of it, and what it was seen to hold."""

    target: Target
    family: Family
    asked: Any
    step: StepRecord
    taken: Taken = field(default_factory=Taken)
    by_keys: bool = False

    def accepts(self, answer: dict[str, Any] | None) -> bool:
        """Whether an answer to `read` shows what was asked for; a field that is gone cannot be judged."""
        got = self.taken.shown
        if got is None:
            if answer is None or answer.get("absent"):
                return True
            got = answer["value"]
        self.step.got = self.told(got)
        meant = self.taken.meant
        return self.family.same(self.asked, got) or (meant is not None and self.family.same(meant, got))

    def told(self, value: Any) -> Any:
        """A value as it may be told: no secret, nothing of a password field, files by name."""
        if self.target.facts.get("secret"):
            return "(hidden)"
        if isinstance(value, list):
            value = [one.name if isinstance(one, Path) else one for one in value]
        return self.target.turn.session.secrets.redact_json(value)

    def differs(self) -> str:
        """Both values, in one sentence."""
        name = self.target.wish.name
        if self.target.facts.get("secret"):
            return f"{name!r} does not hold what was entered"
        asked = self.told(self.asked)
        if self.step.got == [] and self.target.family == "file":
            return f"{name!r} holds no file: the page refused {', '.join(asked)}"
        return clip(f"{name!r} holds {self.step.got!r}, not {asked!r}")


@dataclass(slots=True)
class Fields:
    """All fields of a call since its last click."""

    turn: TurnContext
    begun: Mark
    done: list[Field] = field(default_factory=list)
    touched: bool = False
    """A field still has the focus: the page may not know yet that it is finished."""
    held: bool = False
    """All of them were just seen to hold, after the last one was left."""

    async def put(self, one: Field, ahead: list[Question]) -> list[Any]:
        """Sets a field and sees that it holds; gives the answers to the questions
        that were asked along with it.

        Raises:
            StepFailed: it holds something else, or the way to set it ended at an obstacle.
        """
        mark = self.turn.session.watch.mark()
        self.done = [other for other in self.done if other.target.key != one.target.key] + [one]
        try:
            await self._try(one, one.family.put)
            answers, holds = await self._look_back(one, ahead, mark)
            if not holds:
                answers = []
                await self._insist(one, mark)
        except StepFailed:
            self.done.remove(one)
            raise
        return answers

    async def _look_back(self, one: Field, ahead: list[Question], mark: Mark) -> tuple[list[Any], bool]:
        """One question for everything: what comes next, and what the fields hold after that."""
        leaves = any(question["op"] == "blur" for question in ahead)
        read = list(self.done) if leaves else [one]
        read = [each for each in read if each.target.frame == one.target.frame]
        questions = [*ahead, *(each.target.question("read") for each in read)]
        answers = await ask_or_none(self.turn, one.target.frame, *questions)
        if answers is None:
            return [], True
        reads = dict(zip(map(id, read), answers[len(ahead) :], strict=True))
        accepted = [each.accepts(reads[id(each)]) for each in read]
        self.touched = not leaves
        self.held = leaves and self._still(mark) and all(accepted) and len(read) == len(self.done)
        return answers[: len(ahead)], accepted[-1]

    def _still(self, mark: Mark) -> bool:
        """Whether the page has asked for nothing since the mark and has all answers to this call."""
        watch = self.turn.session.watch
        out = [one for one in watch.since(self.begun).requests if one.ended is None]
        return not out and not watch.since(mark).requests

    async def _insist(self, one: Field, mark: Mark) -> None:
        """A page that is still at work is waited for; then the field is set again,
        and then in the other way.
        """
        if await self._holds(one):
            return
        await self.leave()
        await answered(self.turn, mark)
        if await self._holds(one):
            return
        for way in (one.family.put, one.family.put, one.family.again) if one.family.typed else ():
            if way is not None:
                await self._find_again(one)
                await self._try(one, way)
                if await self._holds(one):
                    return
        said = await one.target.ask("complaint")
        raise StepFailed(clip(f"{one.differs()}; the page says: {one.told(said)}" if said else one.differs()))

    async def _try(self, one: Field, way: Any) -> None:
        self.held = False
        self.touched = True
        one.taken = await way(one.target, one.asked, one.step) or Taken()

    async def _find_again(self, one: Field) -> None:
        """Waits until the field can be used once more, and takes it as it is now."""
        wish = one.target.wish
        one.target = await find(
            self.turn, wish.name, wanted=wish.wanted, within=wish.within, takes=wish.takes, act="set"
        )

    async def _holds(self, one: Field) -> bool:
        """Whether it reads back as asked for: at once, or as soon as the page has done with it."""
        patience, steady, last = Patience(self.turn), 0, one.step.got
        while not one.accepts(await one.target.ask("read")):
            steady = steady + 1 if one.step.got == last else 0
            last = one.step.got
            if (steady >= _STEADY and one.family.typed) or not await patience.more():
                return False
        return True

    async def leave(self) -> None:
        """Leaves the field that has the focus, so that the page learns that it is finished."""
        if not self.touched:
            return
        self.touched = False
        mark = self.turn.session.watch.mark()
        await ask_frames(self.turn, {"op": "blur"})
        await answered(self.turn, mark)

    async def mend(self) -> None:
        """Reads all fields back before something is pressed, and sets again once what the page has changed.

        Raises:
            StepFailed: one does not keep its value.
        """
        await self.leave()
        if self.held:
            return
        await answered(self.turn, self.begun)
        for one in await self._strayed():
            await self._find_again(one)
            await self._try(one, one.family.put)
            await self.leave()
            if not await self._holds(one):
                raise StepFailed(f"not pressed: {one.differs()}"[:300])
            one.step.notes.append("set again: the page had changed it")

    async def _strayed(self) -> list[Field]:
        """The fields that hold something else than was asked for, in one question for each frame."""
        frames: list[Frame] = []
        for one in self.done:
            if one.target.frame not in frames:
                frames.append(one.target.frame)
        strayed = []
        for frame in frames:
            fields = [one for one in self.done if one.target.frame == frame]
            answers = await ask_or_none(self.turn, frame, *(one.target.question("read") for one in fields))
            strayed += [
                one
                for one, answer in zip(fields, answers or [None] * len(fields), strict=True)
                if not one.accepts(answer)
            ]
        return strayed

    async def check(self) -> None:
        """Reads everything back a last time; what the page has changed since makes its step a failed one."""
        await self.leave()
        if self.held:
            return
        for one in await self._strayed():
            if not await self._holds(one):
                one.step.ok, one.step.why = False, clip(f"the page changed it afterwards: {one.differs()}")
                self.turn.tell("step.changed", step=one.step.id, ok=False, why=one.step.why)

    async def unstick(self, seen: Seen) -> bool:
        """Does what may bring forth what is not there or not ready: leaves the last field,
        then types with real keys.
        """
        if self.touched:
            await self.leave()
            return True
        typed = [one for one in self.done if one.family.typed and one.family.again and not one.by_keys]
        if seen.ready.get("blocked") != "disabled" or seen.ready.get("busy") or not typed:
            return False
        for one in typed:
            one.by_keys = True
            await self._try(one, one.family.again)
        await self.leave()
        return True

    def release(self) -> None:
        """What was set so far is the page's own affair from now on."""
        self.done.clear()
        self.begun = self.turn.session.watch.mark()
        self.touched = self.held = False
