"""Waits until a page has drawn two frames, and with them whatever its scripts had in hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

from tester import probe

if TYPE_CHECKING:
    from playwright.async_api import Frame

    from tester.turn import TurnContext


@dataclass(slots=True, eq=False)
class _Drawing:
    frame: Frame
    over: anyio.Event = field(default_factory=anyio.Event)
    navigated: bool = False


class Drawings:
    """The waits that are under way; the watch passes on what the browser tells of them."""

    def __init__(self) -> None:
        self._drawings: dict[str, _Drawing] = {}

    async def drawn(self, turn: TurnContext, frame: Frame) -> None:
        """Returns once a frame's document is ready and was drawn twice from now on, or the frame is gone.

        A tab that is not shown draws nothing: a moment of its own time stands for it. A page that is busy is
        waited for.
        """
        while not frame.is_detached() and not frame.page.is_closed():
            drawing = _Drawing(frame)
            name = f"{id(drawing):x}"
            self._drawings[name] = drawing
            try:
                if await probe.ask_or_none(turn, turn.fence(frame), {"op": "drawn", "id": name}) is None:
                    return
                await drawing.over.wait()
            finally:
                del self._drawings[name]
            if not drawing.navigated:
                return

    def over(self, name: str) -> None:
        """The page has drawn."""
        if name in self._drawings:
            self._drawings[name].over.set()

    def navigated(self, frame: Frame) -> None:
        """A frame has another document (or address) now, or none: whoever waits for it asks again."""
        for drawing in self._drawings.values():
            if drawing.frame == frame:
                drawing.navigated = True
                drawing.over.set()
