"""What tools may look like: names, schemas, and the narrower schemas that strict tools must have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_TOOL = {"name", "description", "input_schema", "strict", "cache_control", "type", "input_examples"}
_TYPES = {"object", "array", "string", "integer", "number", "boolean", "null"}
_STRICT = {"type", "properties", "required", "additionalProperties", "items", "minItems", "enum", "const"} | {
    *("anyOf", "allOf", "$ref", "$defs", "title", "description", "format", "pattern")
}
STRICT_TOOLS, OPTIONAL, UNIONS = 20, 24, 16


def check_tools(tools: Any) -> None:
    """Raises ValueError for the first tool that the service would refuse."""
    _expect(isinstance(tools, list), "tools: Input should be a list")
    names: set[str] = set()
    for number, tool in enumerate(tools):
        at = f"tools.{number}.custom"
        _expect(isinstance(tool, dict), f"{at}: Input should be an object")
        for key in tool:
            _expect(key in _TOOL, f"{at}.{key}: Extra inputs are not permitted")
        name = tool.get("name")
        _expect(
            isinstance(name, str) and _NAME.fullmatch(name), f"{at}.name: String should match a tool's name"
        )
        _expect(name not in names, "tools: Tool names must be unique.")
        names.add(str(name))
        schema = tool.get("input_schema")
        _expect(isinstance(schema, dict), f"{at}.input_schema: Field required")
        _expect(schema.get("type") == "object", f"{at}.input_schema.type: Input should be 'object'")
        for part in _parts(schema):
            _check_schema(part, at)
    strict = [tool for tool in tools if tool.get("strict")]
    _check_strict([tool["input_schema"] for tool in strict])


def _check_schema(schema: Any, at: str) -> None:
    fits = isinstance(schema, Mapping)
    _expect(fits, f"{at}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12")
    kinds = schema.get("type", "object")
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        _expect(kind in _TYPES, f"{at}.input_schema: JSON schema is invalid: unknown type {kind!r}")
    for key, shape in (
        ("properties", dict),
        ("$defs", dict),
        ("required", list),
        ("enum", list),
        ("anyOf", list),
    ):
        fits = isinstance(schema.get(key, shape()), shape)
        _expect(fits, f"{at}.input_schema: JSON schema is invalid: {key}")


def _check_strict(schemas: Sequence[Mapping[str, Any]]) -> None:
    _expect(len(schemas) <= STRICT_TOOLS, f"tools: at most {STRICT_TOOLS} tools may be strict")
    optional = unions = 0
    for schema in schemas:
        _expect(not _recursive(schema), "tools: strict schemas cannot be recursive")
        for part in _parts(schema):
            for key in part:
                _expect(
                    key in _STRICT,
                    f"tools: For a strict tool, property '{key}' is not supported in its schema",
                )
            _expect(
                part.get("minItems", 0) in (0, 1), "tools: 'minItems' of a strict tool may be 0 or 1 only"
            )
            if part.get("type") == "object":
                closed = part.get("additionalProperties") is False
                _expect(
                    closed, "tools: For 'object' type, 'additionalProperties' must be explicitly set to false"
                )
                optional += len(set(part.get("properties", {})) - set(part.get("required", [])))
                unions += sum(_is_union(one) for one in part.get("properties", {}).values())
    _expect(
        optional <= OPTIONAL,
        f"tools: Schemas contain too many optional parameters ({optional}; limit {OPTIONAL})",
    )
    _expect(
        unions <= UNIONS,
        f"tools: Schemas contain too many parameters with union types ({unions}; limit {UNIONS})",
    )


def _is_union(schema: Mapping[str, Any]) -> bool:
    return "anyOf" in schema or isinstance(schema.get("type"), list)


def _parts(schema: Any) -> Iterator[Any]:
    yield schema
    if not isinstance(schema, Mapping):
        return
    for key in ("properties", "$defs"):
        for part in dict(schema.get(key, {})).values():
            yield from _parts(part)
    for key in ("anyOf", "oneOf", "allOf"):
        for part in schema.get(key, []):
            yield from _parts(part)
    if "items" in schema:
        yield from _parts(schema["items"])


def _recursive(schema: Mapping[str, Any]) -> bool:
    defs = schema.get("$defs", {})
    uses = {name: set(_refs(part)) for name, part in defs.items()}
    reached = {name: set(found) for name, found in uses.items()}
    for _ in defs:
        for name in reached:
            reached[name] |= {far for near in reached[name] for far in reached.get(near, ())}
    return any(name in found for name, found in reached.items())


def _refs(schema: Any) -> Iterator[str]:
    return (
        part["$ref"].rpartition("/")[2]
        for part in _parts(schema)
        if isinstance(part, Mapping) and "$ref" in part
    )


def _expect(holds: Any, message: str) -> None:
    if not holds:
        raise ValueError(message)
