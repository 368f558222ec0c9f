"""Tools as they are declared to the service: lean schemas, strict as far as the service's limits allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tester.models.protocol import ToolSpec

Json = dict[str, Any]

# What all strict tools of a request may have together, by the service's documentation of structured outputs.
_TOOLS, _OPTIONAL, _UNIONS = 20, 24, 16


def declare(specs: Sequence[ToolSpec], *, strict: bool = True) -> list[Json]:
    """The `tools` of a request. A tool is strict, its calls held to its schema, where that is possible."""
    tools: list[Json] = []
    count = optional = unions = 0
    for spec in specs:
        schema = lean(spec.schema)
        tool: Json = {"name": spec.name, "description": spec.description, "input_schema": schema}
        more_optional, more_unions = _freedom(schema)
        fits = count < _TOOLS and optional + more_optional <= _OPTIONAL and unions + more_unions <= _UNIONS
        if strict and fits and _is_closed(schema):
            tool |= {"input_schema": _strict(schema), "strict": True}
            count, optional, unions = count + 1, optional + more_optional, unions + more_unions
        tools.append(tool)
    return tools


def lean(schema: Json) -> Json:
    """The schema without titles, defaults, and null as a second type of what may be left out anyway."""
    kept = {key: value for key, value in schema.items() if key not in ("title", "default", "discriminator")}
    required = schema.get("required", ())
    for key in ("properties", "$defs"):
        if key in schema:
            parts = schema[key].items()
            kept[key] = {name: lean(part if name in required else _not_null(part)) for name, part in parts}
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            kept[key] = [lean(part) for part in schema[key]]
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            kept[key] = lean(schema[key])
    return kept


def _not_null(schema: Json) -> Json:
    if schema.get("default", ...) is not None or "anyOf" not in schema:
        return schema
    others = [part for part in schema["anyOf"] if part != {"type": "null"}]
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**rest, **others[0]} if len(others) == 1 else {**rest, "anyOf": others}


def _strict(schema: Json) -> Json:
    from anthropic import transform_schema

    return transform_schema(schema)


def _freedom(schema: Json) -> tuple[int, int]:
    """How many properties may be left out, and how many have more than one type."""
    objects = [part for part in _parts(schema) if "properties" in part]
    optional = sum(len(set(part["properties"]) - set(part.get("required", ()))) for part in objects)
    properties = (one for part in objects for one in part["properties"].values())
    return optional, sum("anyOf" in one or "oneOf" in one for one in properties)


def _is_closed(schema: Json) -> bool:
    """Whether a grammar can be made of it: nothing recursive or shapeless, no objects with free keys."""
    free = any(part.get("additionalProperties", False) is not False for part in _parts(schema))
    shapeless = any(not _has_shape(part) for part in _parts(schema))
    return not free and not shapeless and not _is_recursive(schema)


def _has_shape(part: Json) -> bool:
    if part.get("type") == "object" and "properties" not in part and "additionalProperties" not in part:
        return False
    return isinstance(part.get("type"), str) or any(
        key in part for key in ("$ref", "anyOf", "oneOf", "allOf", "enum", "const")
    )


def _is_recursive(schema: Json) -> bool:
    uses = {name: set(_refs(part)) for name, part in schema.get("$defs", {}).items()}
    for _ in uses:
        uses = {name: used.union(*(uses.get(one, ()) for one in used)) for name, used in uses.items()}
    return any(name in used for name, used in uses.items())


def _refs(schema: Json) -> Iterator[str]:
    return (part["$ref"].rpartition("/")[2] for part in _parts(schema) if "$ref" in part)


def _parts(schema: Json) -> Iterator[Json]:
    yield schema
    for key in ("properties", "$defs"):
        for part in schema.get(key, {}).values():
            yield from _parts(part)
    for key in ("anyOf", "oneOf", "allOf"):
        for part in schema.get(key, ()):
            yield from _parts(part)
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield from _parts(schema[key])
