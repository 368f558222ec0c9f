"""The page as text for a reader who cannot see it: folded, capped, masked, with refs; and searches in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from tester.changes import difference
from tester.find import ask_frames
from tester.happened import clipped
from tester.outline import Node, read_outline

if TYPE_CHECKING:
    from tester.turn import TurnContext

MOST = 16_000
"""Characters of a view: about 4,000 tokens."""
MOST_FOUND = 1_600
"""Characters of the answer to a search: about 400 tokens."""

_FOLDS = ((25, 300), (10, 200), (5, 120), (3, 80), (2, 40))
"""How many of repeated siblings are kept, and characters of a text: the first that
makes the page small enough.
"""
_REPEATED = frozenset(
    [
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
    ]
)
_NOTEWORTHY = frozenset({"checked", "selected", "active", "expanded", "pressed", "invalid"})
_MASK = "••••••"
"""What stands for a password that was typed."""


@dataclass(frozen=True, slots=True)
class View:
    """A page at one moment: `text` is capped and folded; `outline` is the whole of it, masked as well."""

    text: str
    url: str
    title: str
    outline: Node = field(repr=False)


async def view(turn: TurnContext) -> View:
    """The current page, with its frames and open shadow roots, in at most about 4,000 tokens."""
    outline, title = await _outline(turn)
    redact = turn.session.secrets.redact
    return View(_fitted(outline), redact(turn.page.url), title, outline)


def diff(old: View, new: View) -> str:
    """What has changed from one view to the other, as a tester would say it; empty when nothing has."""
    return difference(old.outline, new.outline)


async def search(turn: TurnContext, query: str) -> str:
    """The lines of the page that match the query, each with its place, in at most about 400 tokens."""
    outline, _ = await _outline(turn)
    return found_in(outline, query)


def fence_for_model(text: str, nonce: str) -> str:
    """Page text between marks that it cannot close itself: it is data, whatever it says.

    `nonce` is a fresh random word; where page text holds it or anything like the
    marks, it is put out of action.
    """
    inside = re.sub(re.escape(nonce), "…", _INVISIBLE.sub("", text), flags=re.IGNORECASE)
    inside = re.sub(r"<(?=\s*/?\s*page\b)", "‹", inside, flags=re.IGNORECASE)
    return f"<page {nonce}>\n{inside}\n</page {nonce}>"


_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")
"""Characters that no person sees: joiners, marks of direction, tags."""


# -- taking it -----------------------------------------------------------------------------------------------


async def _outline(turn: TurnContext) -> tuple[Node, str]:
    """The whole page as a tree, with passwords and secrets masked and unseen texts marked; and its title."""
    limit = turn.deadlines.action * 1000
    snapshot = await turn.page.aria_snapshot(mode="ai", timeout=limit)
    answers = await ask_frames(turn, {"op": "passwords"}, {"op": "unseen"}, {"op": "title"})
    redact = turn.session.secrets.redact
    outline = read_outline(redact(_INVISIBLE.sub("", snapshot)))
    masked = {ref for _, (passwords, *_) in answers for ref in passwords["refs"]}
    loose = any(passwords["loose"] for _, (passwords, *_) in answers)
    unseen = {redact(text) for _, (_, texts, _) in answers for text in texts}
    for node in outline.walk():
        if node.text and (node.ref in masked or (loose and node.role == "textbox")):
            node.text = _MASK
        _mark_unseen(node, unseen)
    title = next((title for frame, (*_, title) in answers if frame == turn.page.main_frame), "")
    return outline, redact(title)


def _mark_unseen(node: Node, unseen: Iterable[str]) -> None:
    for text in unseen:
        if text in (node.text, node.name):
            node.marks = (*node.marks, "not visible")
        elif text in node.text and len(text) > 3:
            node.text = node.text.replace(text, f"[not visible: {text}]")


# -- writing it down -----------------------------------------------------------------------------------------


def _fitted(outline: Node) -> str:
    for keep, longest in _FOLDS:
        text = "\n".join(line for part in outline.parts for line in _written(part, 0, keep, longest))
        if len(text) <= MOST:
            return text
    return _cut(text)


def _cut(text: str) -> str:
    note = "\n… {} more lines were left out; look with a query"
    kept = text[: MOST - len(note) - 10].rpartition("\n")[0]
    return kept + note.format(text.count("\n") - kept.count("\n"))


def _written(node: Node, depth: int, keep: int, longest: int) -> Iterable[str]:
    plain = node.role == "generic" and not node.usable and not node.name and not node.state
    if plain and not node.text:
        yield from _parts(node, depth, keep, longest)
        return
    yield "  " * depth + "- " + _line(node, longest)
    yield from _parts(node, depth + 1, keep, longest)


def _line(node: Node, longest: int) -> str:
    if node.role == "text":
        return clipped(node.text, longest)
    words = [node.role if node.role != "generic" or node.usable or not node.text else ""]
    words.append(f'"{clipped(node.name, longest)}"' if node.name else "")
    words += [f"[{mark}]" for mark in node.marks if mark != "cursor=pointer"]
    if node.usable and node.ref:
        words.append(f"[ref={node.ref}]")
    url = next((part.text for part in node.parts if part.role == "/url"), "")
    if url:
        words.append(f"({clipped(url, 80)})")
    line = " ".join(filter(None, words))
    if not node.text or node.text == node.name:
        return line
    text = clipped(node.text, longest)
    return f"{line}: {text}" if line else text


def _parts(node: Node, depth: int, keep: int, longest: int) -> Iterable[str]:
    parts = [part for part in node.parts if not part.role.startswith("/")]
    for _, group in groupby(parts, _alike):
        run = list(group)
        kept, folded = _folded(run, keep)
        for part in kept:
            yield from _written(part, depth, keep, longest)
        if folded:
            kind = {"listitem": "list items"}.get(run[0].role, f"{run[0].role}s")
            yield "  " * depth + f"… {folded} more {kind} like this; look with a query"


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


# -- searching it --------------------------------------------------------------------------------------------


def found_in(outline: Node, query: str) -> str:
    """The matching lines of an outline, whole phrases before single words."""
    words = query.casefold().split()
    hits: list[tuple[int, str]] = []
    _match(outline, (), " ".join(words), words, hits)
    best = sorted(dict.fromkeys(hits), key=lambda hit: hit[0])
    if not best:
        return f"nothing on the page matches {query!r}"
    return _listed([line for rank, line in best if rank == best[0][0] or rank < 2])


def _listed(lines: list[str]) -> str:
    told, room = [], MOST_FOUND - 30
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        told.append(line)
    more = len(lines) - len(told)
    return "\n".join([*told, f"… and {more} more"] if more else told)


def _match(
    node: Node, place: tuple[str, ...], phrase: str, words: list[str], hits: list[tuple[int, str]]
) -> None:
    heading = ""
    for number, part in enumerate(node.parts, 1):
        if part.role == "heading":
            heading = f"“{clipped(part.name or part.text, 40)}”"
        here = (*place, heading) if heading and part.role != "heading" else place
        if part.role in ("row", "listitem"):
            rank = _rank(part.said, phrase, words)
            if rank is not None:
                hits.append((rank, _hit(here, f"{part.role} {number}: {_in_a_row(part)}")))
            continue
        rank = _rank(f"{part.name} {part.text}", phrase, words)
        if rank is not None and part.role not in ("/url", "/placeholder"):
            hits.append((rank, _hit(here, _line(part, 160))))
        inner = (*here, f'{part.role} "{clipped(part.name, 40)}"') if part.name and part.parts else here
        _match(part, inner, phrase, words, hits)


def _rank(text: str, phrase: str, words: list[str]) -> int | None:
    text = text.casefold()
    if phrase in text:
        return 0
    count = sum(word in text for word in words)
    return None if not count else 1 if count == len(words) else 2


def _in_a_row(row: Node) -> str:
    cells = [
        _line(part, 60)
        for part in row.walk()
        if part is not row and (part.text or part.usable or not part.parts)
    ]
    texts = [re.sub(r"^cell ", "", cell) for cell in cells if not cell.startswith("/")]
    return clipped(" · ".join(filter(None, texts)) or _line(row, 160), 300)


def _hit(place: tuple[str, ...], line: str) -> str:
    return " › ".join([*[*(one for one in place if one)][-3:], line])
