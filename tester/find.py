"""Finds the control that a name means, in whatever frame or shadow root it is;
docs/form.md has the rules in order.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import anyio
from playwright.async_api import Error as PlaywrightError

from tester import reasons
from tester.patience import Patience
from tester.probe import Question, ask, ask_or_none, gone, selector
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from playwright.async_api import Frame, Locator

    from tester.turn import TurnContext

Wanted = Literal["field", "click", "any"]
Act = Literal["set", "press", "look"]
Takes = Literal["text", "toggle", "list", "files"]

_AGAIN = 6
"""Looks after which a page that has not answered to the first nudge gets the second."""
_REF = re.compile(r"(f\d+)?e\d+")


@dataclass(frozen=True, slots=True)
class Wish:
    """What is looked for: a name, what it is wanted for, and what helps to tell equals apart."""

    name: str
    wanted: Wanted = "field"
    within: str | None = None
    takes: Takes | None = None
    """The kind of value that the field should take."""
    near: str | None = None
    """The key of the field that was used last: a button of its form comes before others."""
    inner: bool = False
    """The one thing to write in that a frame holds is meant, whatever it is called there."""

    @property
    def question(self) -> Question:
        """The wish as the page's script understands it."""
        return {
            "name": self.name,
            "wanted": self.wanted,
            "within": self.within,
            "takes": self.takes,
            "near": self.near,
            "inner": self.inner,
        }

    def search(self, act: Act) -> Question:
        """The question that looks for it; what is to be set is brought into focus where that helps."""
        return {"op": "find", "act": act, **self.question}


@dataclass(frozen=True, slots=True)
class Target:
    """A control that was found. Its locators find it again after the page was drawn anew."""

    turn: TurnContext = field(repr=False)
    frame: Frame = field(repr=False)
    key: str
    wish: Wish
    family: str
    type: str
    label: str
    rule: str
    fit: str
    facts: dict[str, Any]
    value: Any = None
    """What it held when it was found."""
    ready: dict[str, Any] = field(default_factory=dict)
    """Where it could be pressed when it was found."""
    aimed: bool = False
    """It was given the focus, with all of its text selected, when it was found."""

    def part(
        self, part: Literal["self", "face"] = "self", key: str = "", member: str = "", press: str = ""
    ) -> Locator:
        """The control itself, or what a person presses for it.

        `key` means a part of it, such as an option; `member` says by name which option of a set
        it is, so that it is found again after the set was drawn anew. `press` is the very element
        where a free point was seen.
        """
        question = {"part": part, "press": press, **self.question("", key=key, member=member)}
        return self.frame.locator(selector(question))

    @property
    def locator(self) -> Locator:
        """The control itself."""
        return self.part()

    @property
    def face(self) -> Locator:
        """What a person presses when they mean it."""
        return self.part("face")

    def question(self, op: str, *, key: str = "", member: str = "", **more: Any) -> Question:
        """A question about this control, or about a part of it."""
        again = self.wish.question if not key or member else None
        return {"op": op, "key": key or self.key, "q": again, "member": member, **more}

    async def ask(self, op: str, **more: Any) -> Any:
        """The answer to one question about this control (or a part); None while its
        frame changes its document.
        """
        answers = await ask_or_none(self.turn, self.frame, self.question(op, **more))
        return answers[0] if answers else None


async def find(
    turn: TurnContext,
    name: str,
    *,
    wanted: Wanted = "field",
    within: str | None = None,
    takes: Takes | None = None,
    near: str | None = None,
    act: Act = "look",
    unstick: Callable[[Seen], Awaitable[bool]] | None = None,
) -> Target:
    """The one control that a name (or a ref of the latest view) means, once it can be used for `act`.

    `unstick` is called when the control is not there or not ready at first sight, and again a moment later;
    it gives True when it did something to the page, so that the wait starts afresh.

    Raises:
        StepFailed: nothing fits, several fit equally well, or it cannot be used; the reason
        says which and the way out.
    """
    wish = Wish(name, wanted, within, takes, near)
    patience, looks = Patience(turn), 0
    while True:
        seen = await _look(turn, wish, act)
        if seen.target is not None and seen.target.family == "frame":
            seen = await _inside(seen.target, act)
        if seen.target is not None and seen.ready.get("ok"):
            return seen.target
        if unstick is not None and looks in (0, _AGAIN) and await unstick(seen):
            patience = Patience(turn)
        elif not await patience.more(busy=bool(seen.ready.get("busy"))):
            raise StepFailed(seen.why)
        looks += 1


@dataclass(slots=True)
class Seen:
    """One look: the target, if there is exactly one, and what keeps it from being used."""

    target: Target | None = None
    ready: dict[str, Any] = field(default_factory=dict)
    why: str = ""


async def _look(turn: TurnContext, wish: Wish, act: Act) -> Seen:
    if is_ref(wish.name):
        seen = await _by_ref(turn, wish, act)
        if seen is not None:
            return seen
    replies = await ask_frames(turn, wish.search(act))
    return judge(turn, wish, [(frame, answers[0]) for frame, answers in replies])


async def _inside(target: Target, act: Act) -> Seen:
    """What there is to write in, inside a frame that was found by its name."""
    handle = await target.locator.element_handle(timeout=target.turn.deadlines.action * 1000)
    frame = await handle.content_frame()
    wish = replace(target.wish, inner=True)
    answers = await ask_or_none(target.turn, frame, wish.search(act)) if frame is not None else None
    if frame is None or not answers or not answers[0]["found"]:
        return Seen(why=f"{wish.name!r} is a frame in which there is nothing to fill in")
    return judge(target.turn, wish, [(frame, answers[0])])


def judge(turn: TurnContext, wish: Wish, replies: list[tuple[Frame, dict[str, Any]]]) -> Seen:
    """What the answers of all frames to one question amount to."""
    found = [(frame, reply, one) for frame, reply in replies for one in reply["found"]]
    best = min((tuple(one["score"]) for _, _, one in found), default=None)
    found = [(frame, reply, one) for frame, reply, one in found if tuple(one["score"]) == best]
    if len(found) == 1:
        frame, reply, one = found[0]
        ready = reply["ready"]
        why = "" if ready.get("ok") else reasons.blocked(wish.name, ready)
        return Seen(_target(turn, frame, wish, reply, one), ready, why)
    if found:
        count = sum(reply.get("count", 1) for reply in {id(reply): reply for _, reply, _ in found}.values())
        return Seen(why=reasons.ambiguous(wish.name, [one for _, _, one in found], count))
    return Seen(why=reasons.nothing(wish.name, wish.wanted, wish.within, [reply for _, reply in replies]))


def _target(
    turn: TurnContext, frame: Frame, wish: Wish, reply: dict[str, Any], one: dict[str, Any]
) -> Target:
    return Target(
        turn,
        frame,
        one["key"],
        wish,
        one["family"],
        one["type"],
        one["label"],
        one["rule"],
        one["fit"],
        one["facts"],
        reply.get("value"),
        reply["ready"],
        bool(reply.get("aimed")),
    )


def is_ref(name: str) -> bool:
    """Whether a name may be a ref of a page view."""
    return _REF.fullmatch(name) is not None


async def _by_ref(turn: TurnContext, wish: Wish, act: Act) -> Seen | None:
    """What a ref means; None when the latest view has no such ref, so that it may still be a name."""
    element = turn.page.get_by_ref(wish.name)
    try:
        answers = await ask(turn, element, {"op": "adopt", "act": act})
        handle = await element.element_handle(timeout=turn.deadlines.action * 1000)
        frame = await handle.owner_frame()
    except PlaywrightError:
        return None
    if frame is None:
        return None
    return judge(turn, wish, [(frame, answers[0])])


async def ask_frames(turn: TurnContext, *questions: Question) -> list[tuple[Frame, list[Any]]]:
    """The answers of every frame of the current tab that has any; frames that
    go away meanwhile are left out.
    """
    frames = turn.page.frames
    if len(frames) == 1:
        return [(frames[0], await _ask_main(turn, frames[0], questions))]
    answers: dict[int, list[Any] | None] = {}

    async def one(at: int, frame: Frame) -> None:
        answers[at] = await ask_or_none(turn, frame, *questions)

    async with anyio.create_task_group() as tasks:
        for at, frame in enumerate(frames):
            tasks.start_soon(one, at, frame)
    return [(frame, found) for at, frame in enumerate(frames) if (found := answers[at]) is not None]


async def _ask_main(turn: TurnContext, frame: Frame, questions: tuple[Question, ...]) -> list[Any]:
    patience = Patience(turn)
    while True:
        try:
            return await ask(turn, frame, *questions)
        except PlaywrightError as error:
            if not gone(error) or turn.session.page.is_closed() or not await patience.more(busy=True):
                raise
