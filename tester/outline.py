"""A page snapshot as a tree of nodes, and the words in which one of its nodes is written down."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

USABLE = frozenset(
    [
        "button",
        "link",
        "textbox",
        "searchbox",
        "combobox",
        "checkbox",
        "radio",
        "switch",
        "slider",
        "spinbutton",
        "option",
        "tab",
        "menuitem",
        "menuitemcheckbox",
        "menuitemradio",
        "treeitem",
        "iframe",
    ]
)
"""Roles of what a person can use: these carry their ref in a view."""

_ROLE = re.compile(r'(?P<role>/?[\w-]+)(?: (?P<name>"(?:[^"\\]|\\.)*"))?(?P<marks>(?: \[[^\]]*\])*)')
_MARK = re.compile(r"\[([^\]]*)\]")
_BETWEEN = " /|.,:;·•>›»‹«–—-"
_NO_STATE = frozenset({"active", "cursor=pointer"})


@dataclass(slots=True, eq=False)
class Node:
    """One line of a snapshot: `marks` are what stands in brackets, without the ref."""

    role: str
    name: str = ""
    text: str = ""
    ref: str = ""
    marks: tuple[str, ...] = ()
    parts: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        """The node and everything below it, in the order of the page."""
        yield self
        for part in self.parts:
            yield from part.walk()

    @property
    def usable(self) -> bool:
        """Whether a person could do something with it."""
        return self.role in USABLE or "cursor=pointer" in self.marks

    @property
    def bare(self) -> bool:
        """Whether it is nothing but text."""
        return self.role in ("text", "generic") and not (self.parts or self.state or self.usable or self.name)

    @property
    def url(self) -> str:
        """Where a link leads."""
        return next((part.text for part in self.parts if part.role == "/url"), "")

    @property
    def state(self) -> tuple[str, ...]:
        """What can change about it: checked, disabled, expanded, …."""
        return tuple(mark for mark in self.marks if mark not in _NO_STATE)

    @property
    def said(self) -> str:
        """All that can be read on it, in one line."""
        if self.role in ("/url", "/placeholder"):
            return ""
        own = self.name if self.text in ("", self.name) else f"{self.name} {self.text}".strip()
        below = " ".join(filter(None, (part.said for part in self.parts)))
        return own if below in own else f"{own} {below}".strip()


def read_outline(snapshot: str) -> Node:
    """The tree of a snapshot; its root has no role."""
    root = Node("")
    open_: list[tuple[int, Node]] = [(-1, root)]
    for line in filter(str.strip, snapshot.split("\n")):
        indent = len(line) - len(line.lstrip(" "))
        node = _read_line(line.strip().removeprefix("- "))
        while open_[-1][0] >= indent:
            open_.pop()
        open_[-1][1].parts.append(node)
        open_.append((indent, node))
    for node in root.walk():
        _take_in(node)
        _tidy(node)
    return root


def _take_in(node: Node) -> None:
    """What a field with a placeholder holds stands below it, as a text: it is the field's own."""
    texts = [part for part in node.parts if not part.role.startswith("/")]
    if len(texts) == 1 < len(node.parts) and texts[0].role == "text" and not node.text:
        node.text = texts[0].text
        node.parts.remove(texts[0])


def _tidy(node: Node) -> None:
    """Leaves out what only draws a line between others, and text that is said again as a name."""
    names = {node.name, *(part.name for part in node.parts if part.usable)}
    node.parts = [
        part
        for part in node.parts
        if not (part.bare and (part.text in names or not part.text.strip(_BETWEEN)))
    ]


def _read_line(line: str) -> Node:
    key, text = _split(line)
    found = _ROLE.fullmatch(key)
    if found is None:
        return Node("text", text=line)
    marks = _MARK.findall(found["marks"])
    ref = next((mark[4:] for mark in marks if mark.startswith("ref=")), "")
    name = _unquoted(found["name"]) if found["name"] else ""
    return Node(
        found["role"],
        name.strip(),
        text.strip(),
        ref,
        tuple(mark for mark in marks if not mark.startswith("ref=")),
    )


def _split(line: str) -> tuple[str, str]:
    """Key and value of one line, both without their quotes."""
    if line.startswith("'"):
        end = re.match(r"'((?:[^']|'')*)'", line)
        if end is None:
            return line, ""
        return end[1].replace("''", "'"), _value(line[end.end() :].removeprefix(":"))
    found = _ROLE.match(line)
    if found is None or not (rest := line[found.end() :]).startswith(":"):
        return line, ""
    return found[0], _value(rest[1:])


def _value(text: str) -> str:
    text = text.strip()
    return _unquoted(text) if len(text) > 1 and text[0] == text[-1] == '"' else text


def _unquoted(text: str) -> str:
    """A text out of its double quotes: JSON's escapes, and YAML's two digits after an x."""
    json_like = re.sub(r"\\(?:x(..)|(.))", lambda one: f"\\u00{one[1]}" if one[1] else one[0], text)
    return str(json.loads(json_like, strict=False))
