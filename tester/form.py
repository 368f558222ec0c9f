"""The form tool: entries in, one step each, every value read back, and the truth
about the page afterwards.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tester.aftermath import nothing_happened, page_after, page_before
from tester.controls.families import family_of
from tester.controls.files import resolve_files
from tester.controls.press import press
from tester.controls.signin import sign_in
from tester.entries import EntriesUnreadable, Entry, read_entries
from tester.fields import Field, Fields
from tester.find import Act, Seen, Takes, Target, Wish, find, is_ref, judge
from tester.reasons import clip
from tester.recorder import StepFailed, StepRecord
from tester.watch import DialogAnswer

if TYPE_CHECKING:
    from tester.probe import Question
    from tester.turn import TurnContext

__all__ = ["form", "page_after"]

NOT_TRIED = "not tried: an earlier entry failed"
_EVERY_DIALOG = 20


async def form(turn: TurnContext, entries: Sequence[Any]) -> dict[str, Any]:
    """Carries out the entries in order and gives the result of design.md, section 5.

    Entries that cannot be read are an "unreadable call": nothing is done then.
    """
    try:
        wanted = read_entries(entries)
    except EntriesUnreadable as error:
        return {"ok": False, "error": "unreadable call", "why": f"{error}; nothing was done"}
    mark, before = turn.session.watch.mark(), await page_before(turn)
    call = _Call(turn, Fields(turn, mark))
    for entry, following in zip(wanted, (*wanted[1:], None), strict=True):
        await call.carry_out(entry, following)
    await call.fields.check()
    page = await page_after(turn, mark, before)
    last = call.steps[-1]
    if last.ok and last.do == "click" and nothing_happened(page):
        last.notes.append("nothing that can be seen came of it")
    return {
        "ok": all(step.ok for step in call.steps),
        "steps": [step.to_json() for step in call.steps],
        "page": page,
        "outcome": "unknown" if any(step.outcome == "unknown" for step in call.steps) else "known",
    }


@dataclass(slots=True)
class _Call:
    """One call of the form tool on its way through the entries."""

    turn: TurnContext
    fields: Fields
    steps: list[StepRecord] = field(default_factory=list)
    following: Entry | None = None
    ahead: tuple[Wish, Seen] | None = None
    """What the next entry is about, when it was seen along with the last read-back."""
    near: str | None = None
    """The field that was set last."""

    async def carry_out(self, entry: Entry, following: Entry | None) -> None:
        """One entry, one step; nothing is tried after one that failed."""
        self.following = following
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
                raise StepFailed(
                    clip(f"{entry.name!r} asked “{seen.message}” and was told no; {_SAY_ACCEPT}")
                )

    # -- the entries -----------------------------------------------------------------------------------------

    async def _field(self, entry: Entry, step: StepRecord) -> None:
        value: Any = resolve_files(self.turn, entry.files) if entry.files else self._revealed(entry.value)
        target = await self._find(self._wish(entry), "set")
        family = family_of(target, value)
        if family is None:
            raise StepFailed(f"{entry.name!r} is a {target.family}: it cannot be filled in")
        step.do = family.do
        if target.fit != "is":
            step.notes.append(f"taken to be “{target.label}”")
        one = Field(target, family, family.accept(target, value), step)
        step.asked = one.told(entry.files or entry.value)
        self.near = target.key.partition("/")[0]
        self._foresee(await self.fields.put(one, self._questions_ahead()))

    async def _upload(self, entry: Entry, step: StepRecord) -> None:
        await self._field(entry, step)

    async def _click(self, entry: Entry, step: StepRecord) -> None:
        await self.fields.mend()
        target = await self._find(self._wish(entry), "press")
        await self._effect(lambda: press(target, double=bool(entry.double)), target, step)

    async def _sign_in(self, entry: Entry, step: StepRecord) -> None:
        await self.fields.mend()
        who = entry.sign_in
        assert who is not None
        user, password = self._revealed(who.user), self._revealed(who.password)
        await self._effect(lambda: sign_in(self.turn, user, password), None, step)

    async def _press(self, entry: Entry, step: StepRecord) -> None:
        step.field = entry.field or entry.press or ""
        key, page = entry.press or "", self.turn.page
        if entry.field is None:
            await self._effect(lambda: page.keyboard.press(key), None, step)
            return
        target = await self._find(Wish(entry.field, "any", entry.within), "look")
        limit = self._limit
        await self._effect(lambda: target.locator.press(key, timeout=limit, no_wait_after=True), target, step)

    async def _effect(
        self, act: Callable[[], Awaitable[None]], target: Target | None, step: StepRecord
    ) -> None:
        """Does what may submit, waits for what it starts, and follows it into a new tab.

        Raises:
            StepFailed: the browser's own validation stopped it.
        """
        session = self.turn.session
        mark, tabs = session.watch.mark(), len(session.context.pages)
        await act()
        await session.watch.settled(self.turn, mark)
        await self._follow(tabs, step)
        reached = await target.ask("reached") if target is not None else None
        if reached and reached["stopped"] and not reached["submitted"]:
            told = "; ".join(f"{one['field']}: {one['message']}" for one in reached["stopped"][:3])
            raise StepFailed(
                clip(f"{step.field!r} did not submit, the browser's validation stopped it: {told}")
            )
        self.fields.release()

    async def _hover(self, entry: Entry, step: StepRecord) -> None:
        target = await self._find(self._wish(entry), "look")
        await target.face.hover(timeout=self._limit)

    async def _drag(self, entry: Entry, step: StepRecord) -> None:
        await self.fields.leave()
        source = await self._find(self._wish(entry), "look")
        goal = await self._find(Wish(entry.to or "", "any"), "look")
        mark = self.turn.session.watch.mark()
        await source.face.drag_to(goal.face, timeout=self._limit)
        await self.turn.session.watch.settled(self.turn, mark)

    async def _back(self, entry: Entry, step: StepRecord) -> None:
        await self.fields.leave()
        mark, before = self.turn.session.watch.mark(), self.turn.page.url
        await self.turn.page.go_back(wait_until="commit", timeout=self._limit)
        await self.turn.session.watch.settled(self.turn, mark)
        if self.turn.page.url == before and not self.turn.session.watch.since(mark).requests:
            raise StepFailed("there is no page to go back to")
        self.fields.release()

    async def _dialog(self, entry: Entry, step: StepRecord) -> None:
        step.notes.append("the dialogs of the next entry are answered so")

    # -- what they share -------------------------------------------------------------------------------------

    def _wish(self, entry: Entry) -> Wish:
        match entry.verb:
            case "field" | "upload":
                return Wish(entry.name, "field", entry.within, _kind_of(entry))
            case "click":
                return Wish(entry.name, "click", entry.within, near=self.near)
            case _:
                return Wish(entry.name, "any", entry.within)

    async def _find(self, wish: Wish, act: Act) -> Target:
        ahead, self.ahead = self.ahead, None
        if (
            ahead is not None
            and ahead[0] == wish
            and ahead[1].target is not None
            and ahead[1].ready.get("ok")
        ):
            return ahead[1].target
        return await find(
            self.turn,
            wish.name,
            wanted=wish.wanted,
            within=wish.within,
            takes=wish.takes,
            near=wish.near,
            act=act,
            unstick=self.fields.unstick,
        )

    def _questions_ahead(self) -> list[Question]:
        """What to ask along with the read-back of a field, so that the next entry
        needs no question of its own.
        """
        entry = self.following
        if len(self.turn.page.frames) > 1:
            return []
        if entry is None:
            return [{"op": "blur"}]
        if is_ref(entry.name) or entry.dialog is not None or entry.verb not in ("field", "click"):
            return []
        if entry.verb == "field":
            return [self._wish(entry).search("set")]
        return [{"op": "blur"}, self._wish(entry).search("press")]

    def _foresee(self, answers: list[Any]) -> None:
        self.ahead = None
        if self.following is None or not answers or not isinstance(answers[-1], dict):
            return
        wish = self._wish(self.following)
        self.ahead = (wish, judge(self.turn, wish, [(self.turn.page.frames[0], answers[-1])]))

    async def _follow(self, tabs: int, step: StepRecord) -> None:
        """Goes on in the tab that a press has opened."""
        session = self.turn.session
        if len(session.context.pages) <= tabs:
            return
        session.switch(session.context.pages[-1])
        await self.turn.page.wait_for_load_state("domcontentloaded", timeout=self._limit)
        step.notes.append("opened a new tab, which is the current one now")

    def _revealed(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.turn.session.secrets.reveal(value)
        return [self._revealed(one) for one in value] if isinstance(value, list) else value

    @property
    def _limit(self) -> float:
        return self.turn.deadlines.action * 1000


_DO = {
    "field": "fill",
    "click": "click",
    "upload": "upload",
    "press": "press",
    "hover": "hover",
    "drag": "drag",
    "back": "back",
    "sign_in": "sign in",
    "dialog": "dialog",
}
_SAY_ACCEPT = 'say "dialog": "accept" to go through with it'


def _answers(dialog: Any) -> list[DialogAnswer]:
    if isinstance(dialog, str):
        return [DialogAnswer(accept=dialog == "accept")] * _EVERY_DIALOG
    said = [(one.accept is not None, one.accept) for one in dialog]
    return [DialogAnswer(accept, text if isinstance(text, str) else None) for accept, text in said]


def _kind_of(entry: Entry) -> Takes:
    if entry.files:
        return "files"
    if isinstance(entry.value, bool):
        return "toggle"
    return "list" if isinstance(entry.value, list) else "text"
