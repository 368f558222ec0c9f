"""The keys of a keyboard as people call them, and as Playwright does."""

from __future__ import annotations

from collections.abc import Iterator

from scenarios.grammar.parts import Line
from scenarios.grammar.words import vocabulary

_KEYS = {
    name.casefold(): name
    for name in (
        *vocabulary("Enter Tab Escape Backspace Delete Insert Home End PageUp PageDown Space"),
        *vocabulary("ArrowUp ArrowDown ArrowLeft ArrowRight"),
        *(f"F{number}" for number in range(1, 13)),
    )
} | {"return": "Enter", "esc": "Escape", "del": "Delete", "spacebar": "Space"}
_MODIFIERS = {
    "ctrl": "Control",
    "control": "Control",
    "shift": "Shift",
    "alt": "Alt",
    "option": "Alt",
    "cmd": "Meta",
    "command": "Meta",
    "meta": "Meta",
    "mod": "ControlOrMeta",
}
_ALSO_BUTTONS = vocabulary("Delete Insert Home End Space")
"""In quotes these are names of buttons, unless "key" is said with them."""


def read_key(line: Line, at: int) -> Iterator[tuple[int, str]]:
    """A key or a chord, as Playwright names it: Enter, Ctrl+A, the down arrow, "Delete" key."""
    bare = line.past_articles(at)
    start = bare + 1 if line.said(bare) == "key" else bare
    word = line.word(start)
    if word is None:
        return
    if not word.quoted and (pair := _pair(line, start)):
        yield _past_key(line, start + 2), pair
    key = chord(word.text)
    end = _past_key(line, start + 1)
    said_key = start > bare or end > start + 1
    if key is not None and (said_key or not word.quoted or (key not in _ALSO_BUTTONS and len(key) > 1)):
        yield end, key


def chord(text: str) -> str | None:
    """Playwright's name for a key with its modifiers; None when there is no such key."""
    *modifiers, key = text.split("+")
    names = [_MODIFIERS.get(modifier.casefold()) for modifier in modifiers]
    name = _KEYS.get(key.casefold(), key if len(key) == 1 and key.isprintable() else None)
    if name is None or None in names:
        return None
    return "+".join([*filter(None, names), name])


def _pair(line: Line, at: int) -> str | None:
    """Two words for one key: page down, arrow up, up arrow."""
    first, second = line.said(at), line.said(at + 1)
    return _KEYS.get(first + second) or _KEYS.get(second + first) if second else None


def _past_key(line: Line, at: int) -> int:
    return at + 1 if line.said(at) in ("key", "keys") else at
