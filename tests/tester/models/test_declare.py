"""Tools are declared lean, and strict as far as the service's limits allow; its rules are the judge."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, create_model

from tester.models.declare import declare, lean
from tester.models.protocol import ToolSpec
from tests.messages_api.schemas import check_tools

Json = dict[str, Any]


class Entry(BaseModel):
    """One thing to do."""

    model_config = ConfigDict(extra="forbid")
    field: str | None = Field(None, description="a field's name")
    value: str | bool | list[str] | None = None
    seconds: float | None = Field(None, gt=0)


class Form(BaseModel):
    """A form to fill."""

    entries: list[Entry] = Field(min_length=1)
    kind: Literal["whole"] = "whole"


class Tree(BaseModel):
    """A tree."""

    branches: list[Tree] = []


class Wood(BaseModel):
    """Something that holds itself."""

    tree: Tree


class Loose(BaseModel):
    """Anything by any name."""

    values: dict[str, str]


class Shapeless(BaseModel):
    """Anything."""

    value: Any


def spec(model: type[BaseModel], name: str = "tool") -> ToolSpec:
    return ToolSpec(name, "A tool.", model.model_json_schema())


def made(**fields: Any) -> type[BaseModel]:
    return create_model("Made", **fields)


def declared(*models: type[BaseModel]) -> list[bool]:
    tools = declare([spec(model, f"tool_{number}") for number, model in enumerate(models)])
    check_tools(tools)
    return [tool.get("strict", False) for tool in tools]


def test_a_tool_with_a_shape_of_its_own_is_strict() -> None:
    tools = declare([spec(Form)])
    check_tools(tools)
    assert tools[0]["strict"] is True
    assert tools[0]["input_schema"]["$defs"]["Entry"]["additionalProperties"] is False


@pytest.mark.parametrize("model", [Wood, Loose, Shapeless])
def test_a_tool_that_no_grammar_can_hold_is_declared_without_strictness(model: type[BaseModel]) -> None:
    assert declared(model, Form) == [False, True]


def test_what_is_strict_stays_within_what_all_tools_may_have_together() -> None:
    wide = made(**{f"f{number}": (str, "") for number in range(20)})
    unions = made(**{f"f{number}": (str | int, ...) for number in range(10)})
    narrow = made(f=(str, ...))
    assert declared(wide, wide, narrow) == [True, False, True]
    assert declared(unions, unions, narrow) == [True, False, True]
    assert declared(*[narrow] * 22) == [True] * 20 + [False] * 2


def test_strictness_can_be_given_up() -> None:
    tools = declare([spec(Form)], strict=False)
    check_tools(tools)
    assert "strict" not in tools[0]


def test_a_schema_is_lean() -> None:
    schema = lean(Form.model_json_schema())
    assert "title" not in str(schema)
    assert "default" not in str(schema)
    assert schema["$defs"]["Entry"]["properties"]["field"] == {
        "description": "a field's name",
        "type": "string",
    }
    assert {"type": "null"} not in schema["$defs"]["Entry"]["properties"]["value"]["anyOf"]


def test_a_property_may_be_called_title_or_default() -> None:
    named = made(title=(str, ...), default=(str, ...))
    assert set(lean(named.model_json_schema())["properties"]) == {"title", "default"}


def test_null_stays_where_it_has_to_be_said() -> None:
    told = made(value=(str | None, ...))
    assert {"type": "null"} in lean(told.model_json_schema())["properties"]["value"]["anyOf"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array"},
        {"type": "object", "properties": {"a": {"type": "text"}}},
        {"type": "object", "properties": []},
        {"type": "object", "required": "a"},
    ],
)
def test_the_judge_refuses_what_is_no_schema(schema: Json) -> None:
    with pytest.raises(ValueError, match="input_schema"):
        check_tools([{"name": "tool", "input_schema": schema}])


def test_the_judge_refuses_strict_schemas_that_the_service_cannot_hold() -> None:
    closed = {"type": "object", "additionalProperties": False}
    for schema in [
        {"type": "object", "properties": {}},
        {**closed, "properties": {"a": {"type": "integer", "minimum": 1}}},
        {**closed, "properties": {"a": {"type": "array", "items": {"type": "string"}, "minItems": 2}}},
        {**closed, "$defs": {"T": {"$ref": "#/$defs/T"}}, "properties": {"a": {"$ref": "#/$defs/T"}}},
        {**closed, "properties": {f"f{number}": {"type": "string"} for number in range(25)}},
    ]:
        with pytest.raises(ValueError, match="tools: "):
            check_tools([{"name": "tool", "input_schema": schema, "strict": True}])
