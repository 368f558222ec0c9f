"""The section Data: the rows that make a scenario each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scenarios.errors import ScenarioError
from scenarios.outline import Item, Row, Section


@dataclass(frozen=True, slots=True)
class DataRow:
    """One row: its values as they are written, what tells it from other rows, and its line in a table."""

    values: Mapping[str, str]
    label: str = ""
    line: int | None = None


def read_data(section: Section, path: str) -> list[DataRow]:
    """The rows of a table, or the one row that a list of `name: value` gives.

    Raises:
        ScenarioError: it is neither, or a variable has no name or stands there twice.
    """
    if len(section.tables) + bool(section.items) > 1:
        message = "Data is one table, or one list with an item for each variable"
        raise ScenarioError(path, section.line, message)
    if section.items:
        return [DataRow(dict(_pairs(section.items, path)))]
    head, *rows = section.tables[0]
    _check_names(head.cells, path, head.line)
    if not rows:
        raise ScenarioError(path, head.line, "the table has no rows")
    return list(_labelled(head, rows))


def _labelled(head: Row, rows: Sequence[Row]) -> Iterator[DataRow]:
    """Rows with their first values as labels, if these tell them apart, else with their numbers."""
    firsts = [_value(row.cells[0]) for row in rows]
    speaking = all(firsts) and len(set(firsts)) == len(firsts)
    for number, (first, row) in enumerate(zip(firsts, rows, strict=True), 1):
        values = dict(zip(head.cells, map(_value, row.cells), strict=True))
        yield DataRow(values, first if speaking else str(number), row.line)


def _pairs(items: Sequence[Item], path: str) -> Iterator[tuple[str, str]]:
    names = []
    for item in items:
        name, colon, value = item.text.partition(":")
        if not colon:
            message = "a variable with its value is wanted here, such as `title: Nightly`"
            raise ScenarioError(path, item.line, message)
        names.append(name.strip())
        _check_names(names, path, item.line)
        yield name.strip(), _value(value.strip())


def _check_names(names: Sequence[str], path: str, line: int) -> None:
    for name in names:
        if not name or set(name) & set("{}"):
            raise ScenarioError(path, line, f"{name!r} cannot be the name of a variable")
        if names.count(name) > 1:
            raise ScenarioError(path, line, f"the variable {name!r} stands here twice")


def _value(cell: str) -> str:
    """What a cell says; one that stands in backticks whole is taken as it is in them."""
    code = re.fullmatch(r"(`+)(.+)\1", cell)
    return code[2] if code and code[1] not in code[2] else cell
