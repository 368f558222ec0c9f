"""Slugs: the names of scenarios as folders, the same in every run."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from itertools import count

LONGEST = 100
"""Characters; what is longer is cut, and told apart by a digest."""


def slug(*parts: str) -> str:
    """The parts as one name of letters, digits and hyphens."""
    name = re.sub(r"[\W_]+", "-", " ".join(parts).casefold()).strip("-") or "scenario"
    if len(name) <= LONGEST:
        return name
    return f"{name[: LONGEST - 9].rstrip('-')}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def unique(slugs: Sequence[str]) -> list[str]:
    """The slugs in order; one that came before gets a number at its end."""
    taken: dict[str, None] = {}
    for one in slugs:
        numbered = (one if number == 1 else f"{one}-{number}" for number in count(1))
        taken[next(name for name in numbered if name not in taken)] = None
    return list(taken)
