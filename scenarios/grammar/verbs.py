"""Verbs as a part of a form: in any person and tense, with "should" and the like, negated or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from scenarios.grammar.parts import Line, Said
from scenarios.grammar.words import vocabulary

AUXILIARIES = vocabulary("do does did should must will shall can could may has have had")
_IRREGULAR = {
    "be": {"is", "are", "was", "were", "am", "been"},
    "have": {"has", "had"},
    "hold": {"held"},
    "read": {"read"},
    "say": {"said"},
    "see": {"saw", "seen"},
    "show": {"showed", "shown"},
}


@dataclass(frozen=True, slots=True)
class Verb:
    """One of some verbs, by their infinitives; `absent` tells whether it is negated."""

    bases: tuple[str, ...]

    def match(self, line: Line, at: int) -> Iterator[tuple[int, Said]]:
        """The places behind the verb, with and without a negation that follows it."""
        accepted = frozenset().union(*map(_conjugated, self.bases))
        places = [(at, False)]
        while (step := _past_auxiliary(line, *places[-1])) is not None:
            places.append(step)
        for place, negated in reversed(places):
            if line.said(place) in accepted:
                yield from self._ends(line, place + 1, negated=negated)
                return
        line.miss(at, f"“{_third_person(self.bases[0])}”")

    def _ends(self, line: Line, end: int, *, negated: bool) -> Iterator[tuple[int, Said]]:
        behind = _past_negation(line, end)
        if behind > end:
            yield behind, {"absent": True}
        yield end, {"absent": negated}


@cache
def _conjugated(base: str) -> frozenset[str]:
    regular = {base + ("d" if base.endswith("e") else "ed")}
    return frozenset({base, _third_person(base)} | _IRREGULAR.get(base, regular))


def _third_person(base: str) -> str:
    ending = "es" if base.endswith(("s", "sh", "ch", "x")) else "s"
    return {"be": "is", "have": "has"}.get(base, base + ending)


def _past_auxiliary(line: Line, at: int, negated: bool) -> tuple[int, bool] | None:
    if line.said(at) in AUXILIARIES:
        return at + 1, negated
    after = _past_negation(line, at)
    return (after, True) if after > at else None


def _past_negation(line: Line, at: int) -> int:
    while line.said(at) in ("not", "never", "no"):
        at += 2 if (line.said(at), line.said(at + 1)) == ("no", "longer") else 1
    return at
