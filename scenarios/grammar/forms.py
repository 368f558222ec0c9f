"""The forms of sentences: what each means, the ways of saying it, and examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from scenarios.grammar.notation import read_notation
from scenarios.grammar.parts import Literal, Optional, Part, Said, Sequence, Slot

T = TypeVar("T")


class Unclear(Exception):
    """A sentence fits a form, but nothing could be made of it; the message says why."""

    example = ""
    """What could be written instead."""


@dataclass(frozen=True, slots=True)
class Form(Generic[T]):
    """One thing that a sentence can say: what it means, the ways of saying it in notation, and examples.

    A form without a title is there to say what to write instead; the reference leaves it out.
    """

    title: str
    means: Callable[..., T]
    ways: tuple[str, ...]
    examples: tuple[str, ...]

    def meaning(self, said: Said) -> T:
        """What a sentence of this form means.

        Raises:
            Unclear: nothing could be made of it.
        """
        try:
            return self.means(**said)
        except Unclear as unclear:
            unclear.example = unclear.example or self.examples[0]
            raise


@dataclass(frozen=True, slots=True)
class Way(Generic[T]):
    """One way of saying a form; `rest` is what may follow an "and" without repeating how the way opens."""

    form: Form[T]
    notation: str
    whole: Sequence
    rest: Sequence


def read_way(form: Form[T], notation: str, slots: Mapping[str, Slot]) -> Way[T]:
    """One line of a form's notation as a way of saying it."""
    whole = read_notation(notation, slots)
    opening = 0
    while opening < len(whole.parts) and _opens(whole.parts[opening]):
        opening += 1
    return Way(form, notation, whole, Sequence(whole.parts[opening:]))


def _opens(part: Part) -> bool:
    """Whether it is a word without which the rest still says what is meant, once it was said before."""
    return isinstance(part, Literal) or (isinstance(part, Optional) and _opens(part.part))
