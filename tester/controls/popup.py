"""A list that a control opens: opened as a person does, waited for, filtered by
typing, scrolled to its end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tester.controls.options import Option, missing, pick, pick_by_beginning, read_options
from tester.controls.press import press
from tester.patience import Patience
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from tester.find import Target

_STEADY = 8
"""Looks in a row at which a list must be the same before it counts as complete."""


@dataclass(slots=True)
class Popup:
    """The list of one control, while something is chosen in it."""

    target: Target
    state: dict[str, Any] = field(default_factory=dict)
    typed: str | None = None
    by_keys: bool = False

    @property
    def open(self) -> bool:
        """Whether it was open at the last look."""
        return bool(self.state.get("open"))

    async def look(self) -> dict[str, Any]:
        """Looks at it now."""
        self.state = await self.target.ask("popup") or {}
        return self.state

    async def show(self) -> bool:
        """Opens it unless it is open: by a press, else by the key that opens lists;
        False when nothing opens.
        """
        await self.target.ask("remember")
        if (await self.look()).get("open"):
            return True
        await press(self.target)
        if await self._opens():
            return True
        await self.target.locator.press("ArrowDown", timeout=self._limit)
        return await self._opens()

    async def _opens(self) -> bool:
        patience = Patience(self.target.turn)
        for _ in range(_STEADY):
            if (await self.look()).get("open"):
                return True
            if not await patience.more():
                break
        return False

    async def option(self, asked: str, *, may_type: bool) -> Option | None:
        """The option of that name once it has turned up; None when the list ends without it.

        Raises:
            StepFailed: it is disabled, or several have the name.
        """
        patience, steady, last, seen = Patience(self.target.turn), 0, "", ""
        while True:
            found = pick(self.options, asked)
            if found is not None and found.key == seen:
                return found
            seen = found.key if found is not None else ""
            if seen:
                await self.look()  # a list that is drawn anew shows its options elsewhere a moment later
                continue
            if may_type and self.typed != asked and not self.state.get("loading"):
                self.by_keys = False
                await self.type(asked)
                patience, steady = Patience(self.target.turn), 0
            elif self.state.get("more") and not self.state.get("loading"):
                await self.target.ask("scroll")
                patience, steady = Patience(self.target.turn), 0
            now = f"{self.state.get('extent')} {[one.label for one in self.options]}"
            steady = steady + 1 if now == last else 0
            last = now
            working = bool(self.state.get("loading") or self.state.get("fetching"))
            if steady >= _STEADY and not working and not patience.awaiting:
                found = pick_by_beginning(self.options, asked)
                if found is not None or not may_type or self.by_keys or self.options:
                    return found
                await self.type(asked)
                patience, steady = Patience(self.target.turn), 0
            if not await patience.more(busy=working):
                return pick_by_beginning(self.options, asked)
            await self.look()

    async def type(self, text: str) -> None:
        """Types into the search field of the list, else into the control itself; key by key when once was not
        enough.
        """
        search = self.state.get("search")
        field = self.target.part(key=search) if search else self.target.locator
        keyboard = self.target.turn.page.keyboard
        if self.typed == text or not await self.target.ask("aim", key=search or ""):
            self.by_keys = True
            await field.press("ControlOrMeta+a", timeout=self._limit)
            await field.press_sequentially(text, timeout=self.target.turn.deadlines.tool * 1000)
        else:
            await keyboard.insert_text(text)
            await keyboard.press("Shift")
        self.typed = text

    async def press(self, option: Option) -> None:
        """Presses one option."""
        await press(self.target, key=option.key, member=option.label, name=option.label)

    def missing(self, asked: str) -> StepFailed:
        """Says that there is no such option, with those that were seen."""
        return missing(self.options, asked)

    @property
    def options(self) -> list[Option]:
        """What could be chosen at the last look."""
        return read_options(self.state.get("options") or [])

    async def close(self) -> None:
        """Leaves the control so that its list goes; a list that stays is closed with Escape."""
        if not (await self.look()).get("open"):
            return
        await self.target.ask("blur")
        if await self._closes():
            return
        await self.target.turn.page.keyboard.press("Escape")
        await self._closes()

    async def _closes(self) -> bool:
        patience = Patience(self.target.turn)
        for _ in range(_STEADY):
            if not (await self.look()).get("open"):
                return True
            if not await patience.more():
                break
        return False

    @property
    def _limit(self) -> float:
        return self.target.turn.deadlines.action * 1000
