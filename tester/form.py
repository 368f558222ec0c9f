"""The form tool: entries in, one step each, every value read back, and the truth about the page afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tester.aftermath import page_after, page_before
from tester.controls.families import family_of
from tester.controls.family import Family
from tester.controls.files import resolve_files
from tester.controls.press import press
from tester.entries import EntriesUnreadable, Entry, read_entries
from tester.find import Act, Seen, Takes, Target, Wanted, ask_frames, find
from tester.patience import Patience
from tester.reasons import clip
from tester.recorder import StepFailed, StepRecord
from tester.watch import DialogAnswer

if TYPE_CHECKING:
    from tester.turn import TurnContext

__all__ = ["form", "page_after"]

NOT_TRIED = "not tried: an earlier entry failed"
_SEVERAL = 2
_MANY = 20


async def form(turn: TurnContext, entries: Sequence[Any]) -> dict[str, Any]:
    """Carries out the entries in order and gives the result of design.md, section 5.

    Entries that cannot be read are an "unreadable call": nothing is done then.
    """
    try:
        wanted = read_entries(entries)
    except EntriesUnreadable as error:
        return {"ok": False, "error": "unreadable call", "why": f"{error}; nothing was done"}
    watch = turn.session.watch
    mark, before = watch.mark(), await page_before(turn)
    call = _Call(turn)
    for entry in wanted:
        await call.carry_out(entry)
    await call.finish()
    steps = call.steps
    return {
        "ok": all(step.ok for step in steps),
        "steps": [step.to_json() for step in steps],
        "page": await page_after(turn, mark, before),
        "outcome": "unknown" if any(step.outcome == "unknown" for step in steps) else "known",
    }


@dataclass(slots=True)
class _Done:
    """A field that this call has set and answers for until the next click."""

    target: Target
    family: Family
    asked: Any
    step: StepRecord
    by_keys: bool = False
    shown: Any = None
    """What was seen while it was set, where reading it afterwards would not tell."""


@dataclass(slots=True)
class _Call:
    """One call of the form tool on its way through the entries."""

    turn: TurnContext
    steps: list[StepRecord] = field(default_factory=list)
    done: list[_Done] = field(default_factory=list)
    touched: _Done | None = None
    """The field that still has the focus: the page may not know yet that it is finished."""
    near: str | None = None

    async def carry_out(self, entry: Entry) -> None:
        """One entry, one step."""
        do = _DO[entry.verb]
        if any(not step.ok for step in self.steps):
            self.steps.append(self.turn.recorder.skipped(do, entry.name, NOT_TRIED))
            return
        with self.turn.recorder.step(do, entry.name) as step:
            self.steps.append(step)
            self.turn.guard(step)
            await self._with_dialogs(entry, step)

    async def _with_dialogs(self, entry: Entry, step: StepRecord) -> None:
        """Carries the entry out with its answers to native dialogs laid ready."""
        watch = self.turn.session.watch
        if entry.dialog is not None:
            watch.answer(_answers(entry.dialog))
        mark = watch.mark()
        try:
            await getattr(self, f"_{entry.verb}")(entry, step)
        except StepFailed as failed:
            if entry.name.casefold() in failed.why.casefold():
                raise
            raise StepFailed(clip(f"{entry.name!r}: {failed.why}"), outcome=failed.outcome) from failed
        finally:
            if entry.verb != "dialog":
                watch.answer([])
        for seen in watch.since(mark).dialogs:
            step.notes.append(clip(f"{seen.type} dialog {seen.answer}: {seen.message}", 200))
            if seen.type in ("confirm", "prompt") and entry.dialog is None:
                why = f'{entry.name!r} asked “{seen.message}” and was told no; say "dialog": "accept" to go through'
                raise StepFailed(clip(why))

    async def _dialog(self, entry: Entry, step: StepRecord) -> None:
        step.notes.append("the next native dialogs are answered so")

    # -- entries --------------------------------------------------------------------------------------------------

    async def _field(self, entry: Entry, step: StepRecord) -> None:
        value: Any = resolve_files(self.turn, entry.files) if entry.files else self._revealed(entry.value)
        target = await self._find(entry, entry.name, "field", "set", _kind_of(value))
        family = family_of(target, value)
        if family is None:
            raise StepFailed(f"{entry.name!r} is a {target.family}: it cannot be filled in")
        step.do = family.do
        step.asked = self._told(target, entry.files or entry.value)
        if target.fit != "is":
            step.notes.append(f"taken to be “{target.label}”")
        one = _Done(target, family, family.accept(target, value), step)
        self.near = target.key.partition("/")[0]
        await self._put(one)
        self.done.append(one)

    async def _put(self, one: _Done) -> None:
        """Sets the field and sees that it holds; a page that is still at work is waited for, then the other way is tried."""
        mark = self.turn.session.watch.mark()
        await self._try(one, one.family.put)
        if await self._holds(one):
            return
        await self._leave()
        if self.turn.session.watch.since(mark).requests:
            await self._settle(mark)
        if await self._holds(one):
            return
        for way in (one.family.put, one.family.again):
            if way is None or not one.family.typed:
                continue
            await self._find_again(one)
            await self._try(one, way)
            if await self._holds(one):
                return
        said = await one.target.ask("complaint")
        told = f"; the page says: {self._told(one.target, said)}" if said else ""
        raise StepFailed(clip(f"{self._differs(one)}{told}"))

    async def _try(self, one: _Done, way: Any) -> None:
        one.shown = await way(one.target, one.asked, one.step)
        self.touched = one

    async def _find_again(self, one: _Done) -> None:
        """Waits until the field can be used once more, and takes it as it is now."""
        wish = one.target.wish
        one.target = await find(
            self.turn,
            wish.name,
            wanted=wish.wanted,
            within=wish.within,
            takes=wish.takes,
            near=wish.near,
            act="set",
        )

    async def _upload(self, entry: Entry, step: StepRecord) -> None:
        await self._field(entry, step)

    async def _click(self, entry: Entry, step: StepRecord) -> None:
        await self._leave()
        await self._confirm_all()
        target = await self._find(entry, entry.name, "click", "press")
        mark, tabs = self.turn.session.watch.mark(), len(self.turn.session.context.pages)
        await press(target)
        await self._settle(mark)
        await self._follow(tabs, step)
        reached = await target.ask("reached") if target.frame is not None else None
        if reached and reached["stopped"] and not reached["submitted"]:
            told = "; ".join(f"{one['field']}: {one['message']}" for one in reached["stopped"][:3])
            raise StepFailed(
                clip(f"{entry.name!r} did not submit, the browser's validation stopped it: {told}")
            )
        self.done.clear()

    async def _press(self, entry: Entry, step: StepRecord) -> None:
        mark = self.turn.session.watch.mark()
        step.field = step.field or entry.press or ""
        if entry.field is not None:
            target = await self._find(entry, entry.field, "any", "look")
            await target.locator.press(entry.press or "", timeout=self._limit, no_wait_after=True)
        else:
            await self.turn.page.keyboard.press(entry.press or "")
        await self._settle(mark)
        self.touched = None
        self.done.clear()

    async def _hover(self, entry: Entry, step: StepRecord) -> None:
        target = await self._find(entry, entry.name, "any", "look")
        await target.face.hover(timeout=self._limit)

    async def _drag(self, entry: Entry, step: StepRecord) -> None:
        await self._leave()
        source = await self._find(entry, entry.name, "any", "look")
        goal = await find(self.turn, entry.to or "", wanted="any")
        mark = self.turn.session.watch.mark()
        await source.face.drag_to(goal.face, timeout=self._limit)
        await self._settle(mark)

    async def _back(self, entry: Entry, step: StepRecord) -> None:
        await self._leave()
        mark = self.turn.session.watch.mark()
        answer = await self.turn.page.go_back(wait_until="commit", timeout=self._limit)
        if answer is None and not self.turn.session.watch.since(mark).requests:
            step.notes.append("went back within the same document, or nowhere")
        await self._settle(mark)
        self.done.clear()

    @property
    def _limit(self) -> float:
        return self.turn.deadlines.action * 1000

    async def _follow(self, tabs: int, step: StepRecord) -> None:
        """Goes on in the tab that a press has opened."""
        session = self.turn.session
        if len(session.context.pages) <= tabs:
            return
        session.switch(session.context.pages[-1])
        await self.turn.page.wait_for_load_state("domcontentloaded", timeout=self._limit)
        step.notes.append("opened a new tab, which is the current one now")

    # -- what they share ------------------------------------------------------------------------------------------

    async def _find(
        self, entry: Entry, name: str, wanted: Wanted, act: Act, takes: Takes | None = None
    ) -> Target:
        return await find(
            self.turn,
            name,
            wanted=wanted,
            within=entry.within,
            takes=takes,
            near=self.near if wanted == "click" else None,
            act=act,
            unstick=self._unstick,
        )

    async def _unstick(self, seen: Seen) -> bool:
        """What is asked for is not there or not ready: the page may wait for the last field to be left, or for keys."""
        if self.touched is not None:
            await self._leave()
            return True
        typed = [one for one in self.done if one.family.typed and one.family.again and not one.by_keys]
        if seen.ready.get("blocked") != "disabled" or seen.ready.get("busy") or not typed:
            return False
        for one in typed:
            one.by_keys = True
            await self._try(one, one.family.again)
        await self._leave()
        return True

    async def _leave(self) -> None:
        """Leaves the field that was typed into, so that the page learns that it is finished."""
        if self.touched is None:
            return
        self.touched = None
        mark = self.turn.session.watch.mark()
        await ask_frames(self.turn, {"op": "blur"})
        if self.turn.session.watch.since(mark).requests:
            await self._settle(mark)

    async def _settle(self, mark: Any) -> None:
        await self.turn.session.watch.settled(self.turn, mark)

    async def _read(self, one: _Done) -> tuple[bool, Any]:
        """Whether the field could be read, and what it holds."""
        if one.shown is not None:
            return True, one.shown
        answer = await one.target.ask("read")
        if answer is None or answer.get("absent"):
            return False, None
        return True, answer["value"]

    async def _holds(self, one: _Done) -> bool:
        """Whether it reads back as asked for: at once, or as soon as the page has done with it."""
        patience = Patience(self.turn)
        last: Any = object()
        steady = 0
        while True:
            there, got = await self._read(one)
            one.step.got = self._told(one.target, got)
            if not there or one.family.same(one.asked, got):
                return True
            steady = steady + 1 if got == last else 0
            last = got
            if steady >= _SEVERAL or not await patience.more():
                return False

    async def _confirm_all(self) -> None:
        """Reads all fields of this call back before something is pressed, and mends once what the page has changed."""
        for one in list(self.done):
            there, got = await self._read(one)
            if not there or one.family.same(one.asked, got):
                continue
            await self._find_again(one)
            await self._try(one, one.family.put)
            await self._leave()
            if not await self._holds(one):
                raise StepFailed(f"not pressed: {self._differs(one)}")
            one.step.notes.append("set again: the page had changed it")

    def _differs(self, one: _Done) -> str:
        if one.target.facts.get("secret"):
            return f"{one.target.wish.name!r} does not hold what was entered"
        asked = self._told(one.target, one.asked)
        if one.step.got == [] and one.target.family == "file":
            return f"{one.target.wish.name!r} holds no file: the page refused {', '.join(asked)}"
        return clip(f"{one.target.wish.name!r} holds {one.step.got!r}, not {asked!r}")

    async def finish(self) -> None:
        """Leaves the last field and reads everything back a last time."""
        await self._leave()
        for one in self.done:
            there, got = await self._read(one)
            if there and not one.family.same(one.asked, got):
                one.step.got = self._told(one.target, got)
                one.step.ok, one.step.why = False, f"the page changed it afterwards: {self._differs(one)}"

    def _revealed(self, value: Any) -> Any:
        reveal = self.turn.session.secrets.reveal
        if isinstance(value, str):
            return reveal(value)
        return [self._revealed(one) for one in value] if isinstance(value, list) else value

    def _told(self, target: Target, value: Any) -> Any:
        """A value as it may be told: no secret, nothing of a password field, files by name."""
        if target.facts.get("secret"):
            return "(hidden)"
        if isinstance(value, list):
            value = [one.name if isinstance(one, Path) else one for one in value]
        return self.turn.session.secrets.redact_json(value)


_DO = {
    "field": "fill",
    "click": "click",
    "upload": "upload",
    "press": "press",
    "hover": "hover",
    "drag": "drag",
    "back": "back",
    "dialog": "dialog",
}


def _answers(dialog: Any) -> list[DialogAnswer]:
    if isinstance(dialog, str):
        return [DialogAnswer(accept=dialog == "accept")] * _MANY
    texts = [(one.accept is not None, one.accept) for one in dialog]
    return [DialogAnswer(accept, text if isinstance(text, str) else None) for accept, text in texts]


def _kind_of(value: Any) -> Takes:
    if isinstance(value, bool):
        return "toggle"
    if isinstance(value, list):
        return "files" if value and isinstance(value[0], Path) else "list"
    return "text"
