"""Writes an outline down: one line for what belongs together, folded and cut until it is short enough."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from tester.happened import clipped
from tester.outline import Node

MOST = 16_000
"""Characters of a page: about 4,000 tokens."""

_FOLDS = ((25, 300), (12, 200), (6, 120), (3, 80), (2, 40))
"""How many of repeated siblings are kept, and characters of a text: the first that is small enough."""
_REPEATED = frozenset(
    (
        "row",
        "listitem",
        "option",
        "article",
        "treeitem",
        "menuitem",
        "link",
        "button",
        "tab",
        "radio",
        "checkbox",
    )
)
_ONE_LINE = frozenset({"row", "listitem", "treeitem", "article"})
_PLAIN = frozenset(
    ("text", "cell", "gridcell", "rowheader", "columnheader", "paragraph", "strong", "emphasis", "code")
)
"""Roles that say nothing beside the text."""
_NOTEWORTHY = frozenset({"checked", "selected", "active", "expanded", "pressed", "invalid"})


def page_text(outline: Node) -> str:
    """The whole outline if it is short; else with more and more left out, which is said where it was."""
    for keep, longest in _FOLDS:
        text = "\n".join(_parts(outline, 0, keep, longest))
        if len(text) <= MOST:
            return text
    return _cut(text)


def _cut(text: str) -> str:
    note = "\n… {} more lines were left out; look with a query"
    kept = text[: MOST - len(note) - 10].rpartition("\n")[0]
    return kept + note.format(text.count("\n") - kept.count("\n"))


def _written(node: Node, depth: int, keep: int, longest: int) -> Iterator[str]:
    if _wraps_only(node):
        yield from _parts(node, depth, keep, longest)
        return
    short = in_one_line(node, longest) if node.role in _ONE_LINE else ""
    if short and len(short) <= longest + 80:
        yield "  " * depth + "- " + short
        return
    yield "  " * depth + "- " + line(node, longest)
    yield from _parts(node, depth + 1, keep, longest)


def _wraps_only(node: Node) -> bool:
    return node.role == "generic" and not (node.usable or node.name or node.text or node.state)


def _parts(node: Node, depth: int, keep: int, longest: int) -> Iterator[str]:
    parts = [part for part in node.parts if not part.role.startswith("/")]
    for _, group in groupby(parts, _alike):
        run = list(group)
        kept, folded = _folded(run, keep)
        for part in kept:
            yield from _written(part, depth, keep, longest)
        if folded:
            kind = {"listitem": "list item", "generic": "group"}.get(run[0].role, run[0].role)
            yield "  " * depth + f"… {folded} more {kind}s like this; look with a query"


def _alike(node: Node) -> object:
    """What repeated siblings have in common; anything else stands alone."""
    if node.role in _REPEATED:
        return node.role
    inner = tuple(part.role for part in node.parts)
    return (node.role, inner) if inner or node.role == "generic" else id(node)


def _folded(run: list[Node], keep: int) -> tuple[list[Node], int]:
    """The first of a run of siblings and those that stand out, and how many are left out."""
    if len(run) <= keep + 1:
        return run, 0
    rest = [node for node in run[keep:] if _stands_out(node)][:keep]
    return [*run[:keep], *rest], len(run) - keep - len(rest)


def _stands_out(node: Node) -> bool:
    return any(mark.partition("=")[0] in _NOTEWORTHY for part in node.walk() for mark in part.marks)


def line(node: Node, longest: int) -> str:
    """A node without its parts."""
    words = [node.role if node.role not in ("text", "generic") or node.usable or node.name else ""]
    words.append(f'"{clipped(node.name, longest)}"' if node.name else "")
    words += [f"[{mark}]" for mark in node.marks if mark != "cursor=pointer"]
    words.append(f"[ref={node.ref}]" if node.usable and node.ref else "")
    words.append(f"({clipped(node.url, 80)})" if node.url else "")
    start = " ".join(filter(None, words))
    if not node.text or node.text == node.name:
        return start
    text = clipped(node.text, longest)
    return f"{start}: {text}" if start else text


def in_one_line(node: Node, longest: int) -> str:
    """A node with all its parts, such as the cells of a row."""
    pieces = [_piece(part, longest) for part in node.walk() if part is not node]
    own = line(node, longest)
    return f"{own}: {' | '.join(filter(None, pieces))}" if any(pieces) else own


def _piece(node: Node, longest: int) -> str:
    if node.role.startswith("/") or _wraps_only(node):
        return ""
    if node.role in _PLAIN and not node.usable and not node.state:
        return clipped(node.text or ("" if node.parts else node.name), longest)
    return line(node, longest)
