"""Why a name led to nothing, or to nothing that can be used: one sentence of a
tester each, with the way out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

LONGEST = 300
"""Characters of a reason."""

_NOUNS = {"field": "field", "click": "button or link", "any": "control"}


def clip(text: str, most: int = LONGEST) -> str:
    """The text, shortened with an ellipsis where it is too long."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def ambiguous(name: str, found: Sequence[dict[str, Any]], count: int) -> str:
    """Several candidates fit equally well; each is told by what tells it apart."""
    places = [_place(one) or f"number {number}" for number, one in enumerate(found, 1)]
    listed = "; ".join(f"{number}. {place}" for number, place in enumerate(places, 1))
    more = f"; and {count - len(found)} more" if count > len(found) else ""
    return clip(
        f'{count} controls fit {name!r} equally well: {listed}{more}. Say which with "within" or a ref'
    )


def nothing(name: str, wanted: str, group: str | None, replies: Sequence[dict[str, Any]]) -> str:
    """No candidate; where the name does exist, or what resembles it."""
    elsewhere = [one for reply in replies for one in reply.get("elsewhere", ())]
    noun = _NOUNS[wanted]
    if group is not None and elsewhere:
        known = any(reply.get("groupKnown") for reply in replies)
        place = _listed((_place(one) or "no group" for one in elsewhere), "and")
        missing = f"{group!r} holds no {name!r}" if known else f"no group is called {group!r}"
        return clip(f"{missing}; {name!r} is found in {place}")
    if any(reply.get("hidden") for reply in replies):
        return clip(
            f"{name!r} is on the page but hidden; something else may have to be opened or chosen first"
        )
    if group is not None and not any(reply.get("groupKnown") for reply in replies):
        return clip(f"no group is called {group!r}, and no {noun} {name!r} is on the page")
    near = list(dict.fromkeys(one for reply in replies for one in reply.get("near", ())))[:3]
    similar = f"; similar: {_listed(map(repr, near), 'or')}" if near else ""
    return clip(f"no {noun} is called {name!r}{similar}")


def blocked(name: str, ready: dict[str, Any]) -> str:
    """A control that is there and cannot be used."""
    hint = f"; the page says: {ready['hint']}" if ready.get("hint") else ""
    match ready["blocked"]:
        case "disabled":
            return clip(f"{name!r} is disabled{hint}")
        case "read-only":
            return clip(f"{name!r} is read-only{hint}")
        case "covered":
            ways = ready.get("removers") or ()
            way = f"; it has {_listed(map(repr, ways), 'and')}: click one of them first" if ways else ""
            kind = "a loading cover " if ready.get("loading") else ""
            return clip(f"{name!r} is covered by {kind}{ready['by']}{way}")
        case "hidden":
            return clip(f"{name!r} is on the page but hidden")
        case _:
            return clip(f"{name!r} has gone from the page")


def no_option(asked: str, options: Iterable[str], *, most: int = 12) -> str:
    """No such option, with those that exist."""
    options = list(options)
    if not options:
        return clip(f"no option {asked!r}: the list is empty")
    more = f", … ({len(options)} in all)" if len(options) > most else ""
    return clip(f"no option {asked!r}; options: {', '.join(options[:most])}{more}")


def _place(one: dict[str, Any]) -> str:
    where = " of ".join(one.get("where") or ())
    label = one.get("label") or ""
    return f"“{label}” in {where}" if label and one.get("fit") not in ("is", None) and where else where


def _listed(items: Iterable[str], last: str) -> str:
    items = list(dict.fromkeys(items))
    return f" {last} ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)
