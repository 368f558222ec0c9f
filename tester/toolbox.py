"""The tools of one role, and the one place where a call becomes a result, whatever is raised inside."""

from __future__ import annotations

import json
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pydantic

from tester.models.protocol import ToolSpec
from tester.recorder import TurnClosed
from tester.turn import ToolDeadline, TurnContext

Work = Callable[[TurnContext, Any], Awaitable[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: what it is called and for, the shape of its input, and what it does.

    `work` gives a JSON-able result; a key `ok` that is false makes the call a failed one.
    """

    name: str
    about: str
    input: type[pydantic.BaseModel]
    work: Work

    @property
    def spec(self) -> ToolSpec:
        """The tool as it is offered to a model."""
        return ToolSpec(self.name, self.about, self.input.model_json_schema())


@dataclass(frozen=True, slots=True)
class Called:
    """A tool call that has its result; `content` is what the model reads."""

    id: str
    tool: str
    input: dict[str, Any]
    result: dict[str, Any]
    ok: bool

    @property
    def content(self) -> str:
        """The result as JSON text."""
        return json.dumps(self.result, ensure_ascii=False)


class Lost(Exception):
    """The browser is gone; no result can be had, and asking a model what to do would be in vain."""


class Toolbox:
    """The tools that are offered at once: at most ten, since more make models choose worse."""

    def __init__(self, *tools: Tool) -> None:
        assert len(tools) <= 10
        self.tools = tools
        self._tools = {tool.name: tool for tool in tools}
        self.specs = tuple(tool.spec for tool in tools)

    async def call(self, turn: TurnContext, call: dict[str, Any]) -> Called:
        """Carries out one `tool_use` block; an unknown tool, a wrong input and a failed tool are told apart.

        Raises:
            Lost: the browser is gone.
            TurnClosed: the attempt is over.
        """
        name, given = call["name"], call["input"]
        result = await self._result(turn, call["id"], name, given)
        return Called(call["id"], name, given, result, bool(result.get("ok", True)))

    async def _result(self, turn: TurnContext, id: str, name: str, given: Any) -> dict[str, Any]:
        tool = self._tools.get(name)
        if tool is None:
            why = f"there is no tool {name!r}; there are: {', '.join(self._tools)}"
            return _failed("no such tool", why)
        try:
            wanted = tool.input.model_validate(given)
        except pydantic.ValidationError as error:
            why = f"the call of {name} was not understood: {_first(error)}; nothing was done"
            return _failed("unreadable call", why)
        try:
            return await turn.run_tool(name, id, lambda: tool.work(turn, wanted))
        except ToolDeadline as late:
            state = "what it had begun has ended" if late.settled else "its page had to be closed"
            why = f"{late}; {state}; it may have taken effect: look before you repeat it"
            return {**_failed("tool deadline", why), "outcome": "known" if late.settled else "unknown"}
        except TurnClosed:
            raise
        except Exception as error:
            if turn.browser_is_gone():
                raise Lost(str(error)) from error
            turn.tell("tool.error", tool=name, call=id, error=traceback.format_exc())
            said = str(error).splitlines()[0] if str(error) else repr(error)
            return _failed("tool error", f"{name} failed: {said}")


def _failed(error: str, why: str) -> dict[str, Any]:
    return {"ok": False, "error": error, "why": why[:300]}


def _first(error: pydantic.ValidationError) -> str:
    one = error.errors()[0]
    where = ".".join(str(part) for part in one["loc"]) or "input"
    return f"{where}: {one['msg']}"
