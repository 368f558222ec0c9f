"""The one owner of what a model and we said to each other; whatever happened to it, what leaves is valid."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tester.history.causes import Cause
from tester.history.mends import Mend
from tester.history.repair import repair
from tester.history.trimming import BUDGET, shorten, tokens
from tester.models.protocol import Message

Block = dict[str, Any]


class Conversation:
    """The messages of one role, in the shape of the Messages API.

    `first` is the scenario; it is never cut. `budget` is in tokens, estimated. `on_repair` hears what had to
    be mended before a request left, and when the conversation was shortened.
    """

    def __init__(
        self,
        first: str | list[Block],
        *,
        budget: int = BUDGET,
        on_repair: Callable[[list[Mend]], None] | None = None,
    ) -> None:
        self.budget = budget
        self.on_repair = on_repair
        self._messages: list[Message] = [{"role": "user", "content": first}]
        self._causes: dict[str, Cause] = {}

    def say(self, text: str) -> None:
        """Says something to the model, behind whatever was said to it last."""
        self._add_user([{"type": "text", "text": text}])

    def add_assistant(self, blocks: Sequence[Block]) -> None:
        """Adds what the model said, as it said it."""
        if blocks:
            self._messages.append({"role": "assistant", "content": list(blocks)})

    def add_result(self, call_id: str, content: str | list[Block], is_error: bool = False) -> None:
        """Adds the result of a call; results may come in any order, and stand in the calls'."""
        result: Block = {"type": "tool_result", "tool_use_id": call_id, "content": content}
        if is_error:
            result["is_error"] = True
        where = self._message_of(call_id)
        if where is None:
            self._add_user([result])
            return
        if where + 1 == len(self._messages):
            self._messages.append({"role": "user", "content": []})
        rank = {block.get("id"): number for number, block in enumerate(self._messages[where]["content"])}
        blocks = [*_blocks(self._messages[where + 1]), result]
        blocks.sort(key=lambda block: rank.get(block.get("tool_use_id"), len(rank)))
        self._messages[where + 1] = {"role": "user", "content": blocks}

    def cut(self, cause: Cause) -> None:
        """Says why the calls that have no result now get none; what was said of a call first stands."""
        for call_id in self._unanswered():
            self._causes.setdefault(call_id, cause)

    def request_messages(self) -> tuple[Message, ...]:
        """The messages as they may be sent; the conversation itself is mended and shortened likewise."""
        self._mend()
        self._shorten(self.budget)
        return tuple(self._messages)

    def shrink(self) -> bool:
        """Gives up half of it, for a model that found it too long; False when there is nothing to give up."""
        self._mend()
        return self._shorten(tokens(self._messages) // 2)

    def to_json(self) -> dict[str, Any]:
        """Everything that `from_json` needs."""
        return {"messages": self._messages, "causes": self._causes}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], **options: Any) -> Conversation:
        """A conversation that was written down before, broken or not; `options` as for a new one."""
        conversation = cls("", **options)
        conversation._messages = list(data["messages"])
        conversation._causes = dict(data["causes"])
        return conversation

    def _mend(self) -> None:
        messages, mends = repair(self._messages, self._causes)
        if mends:
            self._messages = list(messages)
            self._causes.clear()
            self._report(mends)

    def _shorten(self, budget: int) -> bool:
        shorter = shorten(self._messages, budget)
        if shorter is self._messages:
            return False
        before, after = tokens(self._messages), tokens(shorter)
        exchanges = (len(self._messages) - len(shorter)) // 2
        self._messages = list(shorter)
        what = f"gave up {exchanges} exchanges and old pages: about {after} tokens, {before} before"
        self._report([Mend("shortened", 0, what)])
        return True

    def _report(self, mends: list[Mend]) -> None:
        if self.on_repair is not None:
            self.on_repair(mends)

    def _add_user(self, blocks: list[Block]) -> None:
        last = self._messages[-1] if self._messages else None
        if last is not None and last["role"] == "user":
            self._messages[-1] = {"role": "user", "content": [*_blocks(last), *blocks]}
        else:
            self._messages.append({"role": "user", "content": blocks})

    def _message_of(self, call_id: str) -> int | None:
        for where in range(len(self._messages) - 1, -1, -1):
            if any(call_id == call["id"] for call in _calls(self._messages[where])):
                return where
        return None

    def _unanswered(self) -> Iterator[str]:
        answered = {block.get("tool_use_id") for message in self._messages for block in _blocks(message)}
        for message in self._messages:
            yield from (call["id"] for call in _calls(message) if call["id"] not in answered)


def _blocks(message: Message) -> list[Block]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def _calls(message: Message) -> list[Block]:
    return [block for block in _blocks(message) if block.get("type") == "tool_use" and "id" in block]
