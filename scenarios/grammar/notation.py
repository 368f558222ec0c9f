"""The notation in which the forms of sentences are written.

fill/type       one of these words, also with an s at its end
[in the end]    may be left out
(log in|enter)  one of these
~contain/show   a verb in any ordinary form: contains, should contain, does not contain
NAME            a slot: something that the sentence says; see slots
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from scenarios.grammar.parts import Choice, Hole, Literal, Optional, Part, Sequence, Slot
from scenarios.grammar.verbs import Verb

_SIGN = re.compile(r"[\[\]()|]|[^\s\[\]()|]+")


def read_notation(notation: str, slots: Mapping[str, Slot]) -> Sequence:
    """The form that a line of notation stands for.

    Raises:
        KeyError: it names a slot that is not in `slots`.
    """
    signs = _SIGN.findall(notation)
    part, rest = _alternatives(signs, slots)
    assert not rest, notation
    return part if isinstance(part, Sequence) else Sequence((part,))


def _alternatives(signs: list[str], slots: Mapping[str, Slot]) -> tuple[Part, list[str]]:
    options: list[Part] = []
    while True:
        parts: list[Part] = []
        while signs and signs[0] not in ("|", ")", "]"):
            part, signs = _part(signs, slots)
            parts.append(part)
        options.append(parts[0] if len(parts) == 1 else Sequence(tuple(parts)))
        if not signs or signs[0] != "|":
            return (options[0] if len(options) == 1 else Choice(tuple(options))), signs
        signs = signs[1:]


def _part(signs: list[str], slots: Mapping[str, Slot]) -> tuple[Part, list[str]]:
    sign, rest = signs[0], signs[1:]
    if sign in ("(", "["):
        inner, rest = _alternatives(rest, slots)
        return (inner if sign == "(" else Optional(inner)), rest[1:]
    if sign.isupper():
        return Hole(sign, slots[sign]), rest
    if sign.startswith("~"):
        return Verb(tuple(sign[1:].split("/"))), rest
    return Literal(tuple(sign.split("/"))), rest
