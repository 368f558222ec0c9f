"""Which of the options that a control offers is meant: by label, by value, or by a beginning that only one
has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tester.reasons import clip, no_option
from tester.recorder import StepFailed


@dataclass(frozen=True, slots=True)
class Option:
    """One option: all the names that it goes by (its label first), and how to reach it again."""

    names: tuple[str, ...]
    disabled: bool = False
    selected: bool = False
    key: str = ""
    at: int = 0

    @property
    def label(self) -> str:
        """What a person reads."""
        return self.names[0] if self.names else ""


def read_options(found: Sequence[dict[str, Any]]) -> list[Option]:
    """The options as the page's script tells them."""
    return [
        Option(tuple(one["names"]), one["disabled"], one["selected"], one.get("key", ""), at)
        for at, one in enumerate(found)
    ]


def pick(options: Sequence[Option], asked: str) -> Option | None:
    """The option meant, or None; exact names come before those that differ in case.

    Raises:
        StepFailed: several options have this name, or it is disabled.
    """
    plain = _plain(asked)
    for fits in (
        [one for one in options if one.label == asked],
        [one for one in options if asked in one.names],
        [one for one in options if plain == _plain(one.label)],
        [one for one in options if plain in map(_plain, one.names)],
    ):
        usable = [one for one in fits if not one.disabled]
        if len(usable) > 1:
            raise StepFailed(
                clip(f"{len(usable)} options fit {asked!r}: {', '.join(one.label for one in usable[:6])}")
            )
        if usable:
            return usable[0]
        if fits:
            raise StepFailed(clip(f"the option {asked!r} is disabled; {_usable(options)}"))
    return None


def pick_by_beginning(options: Sequence[Option], asked: str) -> Option | None:
    """The only option that begins with these words; asked for when a list is
    complete and holds no such name.
    """
    plain = _plain(asked)
    fits = [
        one for one in options if plain and _plain(one.label).startswith(plain + " ") and not one.disabled
    ]
    return fits[0] if len(fits) == 1 else None


def missing(options: Sequence[Option], asked: str) -> StepFailed:
    """Says that there is no such option, and which there are."""
    return StepFailed(no_option(asked, [one.label for one in options if not one.disabled and one.label]))


def _usable(options: Sequence[Option]) -> str:
    labels = [one.label for one in options if not one.disabled and one.label]
    return f"options that can be chosen: {', '.join(labels[:10])}" if labels else "no option can be chosen"


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
