"""Says what has changed between two views of a page, in the words of a tester."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tester.happened import clipped
from tester.outline import Node

MOST = 10
"""Lines of each kind that are told."""

_WHOLE = frozenset(["row", "listitem", "option", "treeitem", "article"])
"""Roles that are told in one line with all they hold."""
_FIELDS = frozenset(["textbox", "searchbox", "combobox", "spinbutton", "slider", "listbox"])
_TEXTS = frozenset({"text", "generic", "paragraph", "strong", "emphasis"})
_OPPOSITE = {
    "checked": "unchecked",
    "disabled": "enabled",
    "expanded": "collapsed",
    "selected": "not selected",
    "pressed": "not pressed",
    "invalid": "valid",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One thing on a page: what it is, and how it is."""

    role: str
    name: str
    text: str
    state: tuple[str, ...]

    @property
    def thing(self) -> tuple[str, str]:
        """What stays the same while its value and state change; a text has nothing but itself."""
        return (self.role, self.name) if self.role in _FIELDS or self.name else (self.role, self.text)

    def __str__(self) -> str:
        if self.role in _TEXTS and not self.name:
            return " ".join([f'"{clipped(self.text, 120)}"', *self._marks])
        words = [_titled(self)]
        if self.text and self.text != self.name:
            words.append(f"= {_value(self.text)}" if self.name else clipped(self.text, 120))
        return " ".join([*words, *self._marks])

    @property
    def _marks(self) -> list[str]:
        return [f"[{mark}]" for mark in self.state]


def difference(old: Node, new: Node) -> str:
    """Lines that changed, came and went; order alone is no difference. Empty when there is none."""
    before, after = Counter(_lines(old)), Counter(_lines(new))
    come: dict[tuple[str, str], deque[Line]] = {}
    for line in (after - before).elements():
        come.setdefault(line.thing, deque()).append(line)
    changed, gone = [], []
    for line in (before - after).elements():
        if others := come.get(line.thing):
            changed.append(f"{_titled(line)}: {_change(line, others.popleft())}")
        else:
            gone.append(line)
    new_lines = [line for lines in come.values() for line in lines]
    return "\n".join([*_told("~ ", changed), *_told("+ ", new_lines), *_told("- ", gone)])


def _lines(root: Node) -> Iterator[Line]:
    """Everything that says something; what stands inside a row is told with the row."""
    for part in root.parts:
        if part.role.startswith("/"):
            continue
        whole = part.role in _WHOLE
        text = part.said if whole else part.text
        if text or part.name or part.state or part.role in _FIELDS:
            yield Line(part.role, "" if whole else part.name, text, part.state)
        inner = _lines(part)
        yield from (line for line in inner if not whole or line.role in _FIELDS or line.state)


def _change(old: Line, new: Line) -> str:
    words = []
    if old.text != new.text:
        words.append(f"{_value(old.text)} → {_value(new.text)}")
    came, went = set(new.state) - set(old.state), set(old.state) - set(new.state)
    lost = [mark for mark in sorted(went) if not any(_kind(mark) == _kind(one) for one in came)]
    words += [f"{_opposite(mark, went)} → {_word(mark)}" for mark in sorted(came)]
    words += [f"{_word(mark)} → {_opposite(mark, came)}" for mark in lost]
    return ", ".join(words)


def _kind(mark: str) -> str:
    return mark.partition("=")[0]


def _word(mark: str) -> str:
    kind, _, value = mark.partition("=")
    return f"{value}" if kind == "checked" and value else mark


def _opposite(mark: str, others: set[str]) -> str:
    other = next((one for one in others if _kind(one) == _kind(mark)), None)
    return _word(other) if other is not None else _OPPOSITE.get(_kind(mark), f"not {mark}")


def _titled(line: Line) -> str:
    return f'{line.role} "{clipped(line.name, 80)}"' if line.name else line.role


def _value(text: str) -> str:
    return f'"{clipped(text, 80)}"' if text else "empty"


def _told(sign: str, lines: Sequence[object]) -> list[str]:
    more = [f"{sign}… and {len(lines) - MOST} more"] if len(lines) > MOST else []
    return [f"{sign}{line}" for line in lines[:MOST]] + more
