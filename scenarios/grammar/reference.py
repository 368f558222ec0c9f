"""The written reference of the grammar, made from its own tables: docs/sentences.md."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from scenarios.grammar.forms import Form
from scenarios.grammar.grammar import Grammar
from scenarios.grammar.parts import Slot

_OPENING = """\
# Sentences

Without a model, Walkaround reads steps and expected outcomes as plain sentences of the forms below.
A sentence that none of them fits is an error that names its line and the nearest form.

This page is made from the grammar itself: `python -m scenarios.sentences > docs/sentences.md`.

## In general

- **Quotes.** Names and texts stand in quotes of any kind, `"…"`, `'…'`, `` `…` ``, `“…”`, `„…“`,
  `«…»` and more, or in `**bold**`. What stands in quotes is taken as it is. A text that holds one
  kind of quotes takes another around it.
- **Without quotes** a name or text may be one word, such as `Save`, `3` or `{{title}}`. A word in plain
  lower case is a name with an article or its kind (`the title`, `title field`), and a text only where a
  step types or chooses it.
- **Kinds of things** (`button`, `link`, `field`, `section`, …) and articles may stand with a name and
  are left out of it.
- **Several things** in one sentence are joined by commas, `and` or `then`. What repeats may be left
  out: `Fill "Title" with "a" and "Kind" with "b"`.
- **Verbs** in outcomes may stand in any ordinary form: `shows`, `should show`, `does not show`,
  `no longer shows`.
- **Politeness** is free: `Please`, `Then`, `I`, `the user`.

The forms are written like this: `fill/type` one of these words; `[in the end]` may be left out;
`(log in|enter)` one of these; `~contain` a verb in any ordinary form; `NAME` something that you say,
see [the last section](#what-you-say).
"""

Read = Callable[[str], list[Any]]
"""Gives what an example means, as JSON-able values."""


def reference(parts: Sequence[tuple[str, Grammar[Any], Read]], slots: Mapping[str, Slot]) -> str:
    """The whole page: the grammars under their headings, then the slots."""
    lines = [_OPENING]
    for heading, grammar, read in parts:
        lines += [f"## {heading}", ""]
        for title in dict.fromkeys(form.title for form in grammar.forms if form.title):
            lines += _section(title, [form for form in grammar.forms if form.title == title], read)
    lines += ["## What you say", "", "| in a form | what it takes |", "| --- | --- |"]
    lines += [f"| `{name}` | {_cell(slot.means)} |" for name, slot in slots.items()]
    return "\n".join(lines) + "\n"


def _section(title: str, forms: Sequence[Form[Any]], read: Read) -> Iterator[str]:
    yield from (f"### {title}", "")
    yield from (f"- `{way}`" for form in forms for way in form.ways)
    yield from ("", "| for example | means |", "| --- | --- |")
    for form in forms:
        for example in form.examples:
            meaning = " ".join(f"`{json.dumps(one, ensure_ascii=False)}`" for one in read(example))
            yield f"| {_cell(example)} | {_cell(meaning)} |"
    yield ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
