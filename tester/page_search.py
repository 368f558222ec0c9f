"""Searches an outline and gives the lines that match, each with the place where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field

from tester.happened import clipped
from tester.outline import Node
from tester.page_text import in_one_line, line

MOST = 1_600
"""Characters of an answer: about 400 tokens."""

_LONGEST = 160
_PHRASE, _ALL_WORDS, _SOME_WORDS = 0, 1, 2


def found_in(outline: Node, query: str) -> str:
    """The lines with the whole phrase, or else those with all words, or else those with some of them."""
    search = _Search(query.casefold().split())
    search.look(outline, ())
    if not search.hits:
        return f"nothing on the page matches {query!r}"
    best = min(rank for rank, _ in search.hits)
    lines = dict.fromkeys(text for rank, text in search.hits if rank == best)
    return _listed(list(lines))


def _listed(lines: list[str]) -> str:
    told, room = [], MOST - 30
    for text in lines:
        room -= len(text) + 1
        if room < 0:
            break
        told.append(text)
    more = len(lines) - len(told)
    return "\n".join([*told, f"… and {more} more"] if more else told)


@dataclass(slots=True)
class _Search:
    words: list[str]
    hits: list[tuple[int, str]] = field(default_factory=list)

    def look(self, node: Node, place: tuple[str, ...]) -> None:
        """Gathers what matches among the parts of a node."""
        heading, counts = "", dict[str, int]()
        for part in node.parts:
            if part.role == "heading":
                heading = f"“{clipped(part.said, 40)}”"
            here = (*place, heading) if heading and part.role != "heading" else place
            counts[part.role] = counts.get(part.role, 0) + 1
            if part.role in ("row", "listitem"):
                self._hit(part.said, here, f"{part.role} {counts[part.role]}: {_cells(part)}")
                continue
            self._hit(f"{part.name} {part.text}", here, line(part, _LONGEST))
            named = part.name and part.parts
            self.look(part, (*here, f'{part.role} "{clipped(part.name, 40)}"') if named else here)

    def _hit(self, text: str, place: tuple[str, ...], shown: str) -> None:
        text = text.casefold()
        count = sum(word in text for word in self.words)
        if not count:
            return
        exact = " ".join(self.words) in text
        rank = _PHRASE if exact else _ALL_WORDS if count == len(self.words) else _SOME_WORDS
        self.hits.append((rank, " › ".join([*place[-2:], shown])))


def _cells(row: Node) -> str:
    return clipped(in_one_line(row, 60).partition(": ")[2] or row.said, 300)
