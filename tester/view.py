"""The page as text for a reader who cannot see it: folded, capped, masked, with refs; and searches in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tester.changes import difference
from tester.find import ask_frames
from tester.outline import Node, read_outline
from tester.page_search import found_in
from tester.page_text import page_text

if TYPE_CHECKING:
    from tester.turn import TurnContext

_SHORT = 3
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
    return View(page_text(outline) or "(the page shows nothing)", redact(turn.page.url), title, outline)


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


_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ue000-\uf8ff\ufeff\U000e0000-\U000e007f]")
"""Characters that no person reads: joiners, marks of direction, tags, and the letters of icon fonts."""


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
        if node.ref in masked or (loose and node.role == "textbox"):
            _mask(node)
        _mark_unseen(node, unseen)
    title = next((title for frame, (*_, title) in answers if frame == turn.page.main_frame), "")
    return outline, redact(title)


def _mask(field: Node) -> None:
    for node in field.walk():
        if node.text and not node.role.startswith("/"):
            node.text = _MASK


def _mark_unseen(node: Node, unseen: Iterable[str]) -> None:
    for text in unseen:
        if text == node.name:
            node.marks = (*node.marks, "not visible")
        if text == node.text or (text in node.text and len(text) > _SHORT):
            node.text = node.text.replace(text, f"[not visible: {text}]")
