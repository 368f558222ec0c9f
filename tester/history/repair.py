"""Makes any history one that may be sent, and says what it mended; a valid one comes back as the same object.

The messages are taken apart first (blocks.py), every call gets the one result that is its own (pairs.py), and
all is put together again: results directly after the message that called, speakers in turn, a person first
and last. Thoughts that follow a change are left out (thinking.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Literal

from tester.history.blocks import Block, Said, take_apart
from tester.history.causes import BEGINNING_LOST, BETWEEN_LOST, CARRY_ON, Cause, no_result
from tester.history.mends import Mend, Mends
from tester.history.pairs import Call, pair
from tester.history.thinking import unbound
from tester.models.protocol import Message


def repair(
    messages: Sequence[Message], causes: Mapping[str, Cause] | None = None
) -> tuple[Sequence[Message], list[Mend]]:
    """The history as it may be sent, and what was mended; `causes` says why a call (by its id) has no result.

    Idempotent. Real results are never replaced; a missing one is made good by an error that tells the truth.
    """
    mends = Mends()
    said = take_apart(messages, mends)
    rebuilt = _Rebuilt(pair(said, mends), causes or {}, mends)
    for one, following in zip(said, [*said[1:], None], strict=False):
        rebuilt.add(one, following)
    rebuilt.close(len(messages))
    if not mends:
        return messages, []
    mended = rebuilt.messages(messages)
    result = unbound(mended, messages)
    for where, message in enumerate(result):
        if message is not mended[where]:
            mends.note("thinking", where, "dropped thinking that stood behind a change")
    return result, list(mends)


@dataclass(slots=True)
class _Draft:
    """A message to be; `came_from` are the messages that may have gone into it."""

    role: Literal["user", "assistant"]
    blocks: list[Block]
    came_from: list[Said] = field(default_factory=list)

    def message(self, before: Sequence[Message]) -> Message:
        """The message as it was, if it is the same to the last byte; else a new one."""
        for said in self.came_from:
            if said.intact and list(map(id, said.blocks)) == list(map(id, self.blocks)):
                return before[said.where]
        return {"role": self.role, "content": self.blocks}


class _Rebuilt:
    """The history put together again, message by message."""

    def __init__(self, calls: Mapping[int, list[Call]], causes: Mapping[str, Cause], mends: Mends) -> None:
        self._calls = calls
        self._causes = causes
        self._mends = mends
        self._drafts: list[_Draft] = []

    def messages(self, before: Sequence[Message]) -> list[Message]:
        """All of it; what did not change is the object that it was."""
        return [draft.message(before) for draft in self._drafts]

    def add(self, said: Said, following: Said | None) -> None:
        """Adds a message without the results in it, and behind one that calls the results of its calls."""
        if said.role == "user":
            self._add_user(said, [block for block in said.blocks if block["type"] != "tool_result"])
            return
        calls = self._calls.get(said.where, [])
        blocks = _with_own_ids(said.blocks, calls)
        if not blocks:
            return
        if not self._drafts:
            self._put_between(said.where, BEGINNING_LOST)
        elif self._drafts[-1].role == "assistant":
            self._put_between(said.where, BETWEEN_LOST)
        self._drafts.append(_Draft("assistant", blocks, [said]))
        if calls:
            self._drafts.append(
                _Draft("user", self._answers(calls, following), [following] if following else [])
            )

    def close(self, where: int) -> None:
        """Sees to it that a person speaks last."""
        if not self._drafts:
            self._put_between(where, BEGINNING_LOST)
        elif self._drafts[-1].role == "assistant":
            self._put_between(where, CARRY_ON)

    def _put_between(self, where: int, text: str) -> None:
        self._mends.note("turns", where, f"put in: {text}")
        self._drafts.append(_Draft("user", [{"type": "text", "text": text}]))

    def _add_user(self, said: Said, blocks: list[Block]) -> None:
        if not blocks:
            return
        last = self._drafts[-1] if self._drafts and self._drafts[-1].role == "user" else None
        if last is None:
            self._drafts.append(_Draft("user", blocks, [said]))
            return
        if last.blocks[-1]["type"] != "tool_result" or said not in last.came_from:
            self._mends.note("turns", said.where, "joined what a person said with what was said before")
        last.blocks.extend(blocks)

    def _answers(self, calls: Sequence[Call], following: Said | None) -> list[Block]:
        """A message's results: as they stand behind it, if they all do; else in the order of the calls."""
        opening = following.blocks if following is not None and following.role == "user" else []
        opening = list(takewhile(lambda block: block["type"] == "tool_result", opening))
        in_place = {id(block) for block in opening}
        if {id(call.answer.block) if call.answer else None for call in calls} == in_place:
            rank = {id(block): number for number, block in enumerate(opening)}
            calls = sorted(calls, key=lambda call: rank[id(call.answer and call.answer.block)])
        return [self._answer(call, in_place) for call in calls]

    def _answer(self, call: Call, in_place: set[int]) -> Block:
        if call.answer is None:
            cause = self._causes.get(call.came_as or "", "unanswered")
            self._mends.note("no result", call.where, f"put in an error result ({cause})", call.id)
            return {
                "type": "tool_result",
                "tool_use_id": call.id,
                "content": no_result(cause),
                "is_error": True,
            }
        block = call.answer.block
        if id(block) not in in_place:
            self._mends.note("moved", call.answer.where, "put a result behind its call", call.id)
        return block if block["tool_use_id"] == call.id else {**block, "tool_use_id": call.id}


def _with_own_ids(blocks: Sequence[Block], calls: Sequence[Call]) -> list[Block]:
    """What an assistant said, its calls under the ids that are theirs alone, copies of calls left out."""
    by_block = {id(call.block): call for call in calls}
    kept: list[Block] = []
    for block in blocks:
        if block["type"] == "tool_use":
            call = by_block.get(id(block))
            if call is not None:
                kept.append(block if block.get("id") == call.id else {**block, "id": call.id})
        elif block["type"] != "tool_result":
            kept.append(block)
    return kept
