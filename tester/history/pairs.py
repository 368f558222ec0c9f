"""Which result belongs to which call, whatever order and numbering a history has them in."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count

from tester.history.blocks import Block, Said
from tester.history.mends import Mends

_ID = re.compile(r"[a-zA-Z0-9_-]+")


@dataclass(slots=True)
class Answer:
    """A real result: its place in reading order, the message that it was found in, and its block."""

    place: int
    where: int
    block: Block


@dataclass(slots=True)
class Call:
    """A call: its place in reading order, its message and block, the ids it came with and has, its result."""

    place: int
    where: int
    block: Block
    came_as: str | None
    id: str = ""
    answer: Answer | None = None


def pair(said: Iterable[Said], mends: Mends) -> dict[int, list[Call]]:
    """The calls by the message that made them, each with an id of its own, and its result if there is one.

    A result belongs to the last message before it that made a call of its id; one that came before all those,
    to the first that is unanswered. What is left over is dropped: orphans, and second results.
    """
    calls, answers = _found(said, mends)
    _give_ids(calls, answers, mends)
    of_id: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        if call.came_as is not None:
            of_id[call.came_as].append(call)
    early: list[Answer] = []
    for answer in answers:
        id = _id(answer.block, "tool_use_id")
        named = of_id.get(id, []) if id is not None else []
        before = [call for call in named if call.place < answer.place]
        if named and not before:
            early.append(answer)
        else:
            _give(answer, [call for call in before if call.where == before[-1].where], mends)
    for answer in early:
        _give(answer, of_id[answer.block["tool_use_id"]], mends)
    made_by: dict[int, list[Call]] = defaultdict(list)
    for call in calls:
        made_by[call.where].append(call)
    return made_by


def _found(said: Iterable[Said], mends: Mends) -> tuple[list[Call], list[Answer]]:
    calls: list[Call] = []
    answers: list[Answer] = []
    place = count()
    for one in said:
        seen: list[Block] = []
        for block in one.blocks:
            if block["type"] == "tool_result":
                answers.append(Answer(next(place), one.where, block))
            elif block["type"] == "tool_use":
                if _id(block, "id") is not None and block in seen:
                    mends.note("second call", one.where, "dropped the copy of a call", _id(block, "id"))
                    continue
                seen.append(block)
                calls.append(Call(next(place), one.where, block, _id(block, "id")))
    return calls, answers


def _id(block: Block, key: str) -> str | None:
    return block[key] if isinstance(block.get(key), str) else None


def _give_ids(calls: Sequence[Call], answers: Sequence[Answer], mends: Mends) -> None:
    known = {call.came_as for call in calls} | {_id(answer.block, "tool_use_id") for answer in answers}
    fresh = (name for name in (f"call_{number}" for number in count(1)) if name not in known)
    given: set[str] = set()
    for call in calls:
        if call.came_as is not None and call.came_as not in given and _ID.fullmatch(call.came_as):
            call.id = call.came_as
        else:
            call.id = next(fresh)
            mends.note(
                "id", call.where, f"gave the id {call.id} to a call that came as {call.came_as!r}", call.id
            )
        given.add(call.id)


def _give(answer: Answer, calls: Sequence[Call], mends: Mends) -> None:
    open_ = next((call for call in calls if call.answer is None), None)
    if open_ is not None:
        open_.answer = answer
        return
    kind = "second result" if calls else "orphan"
    mends.note(kind, answer.where, f"dropped a result ({kind})", _id(answer.block, "tool_use_id"))
