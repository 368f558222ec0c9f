"""What a page is like after something was done to it: the `page` of a form result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from playwright.async_api import Error as PlaywrightError

from tester.find import ask_frames
from tester.reasons import clip

if TYPE_CHECKING:
    from tester.turn import TurnContext
    from tester.watch import Mark

_LONG_PATH = 120
"""Characters of a path that a result tells."""
_TEXTS = 12
"""Lines of a difference that a result tells."""


async def page_before(turn: TurnContext) -> dict[str, Any]:
    """What is compared with afterwards: the address and the texts that can be seen."""
    return {"url": turn.page.url, "lines": await _lines(turn)}


async def page_after(turn: TurnContext, mark: Mark, before: dict[str, Any] | None = None) -> dict[str, Any]:
    """The page as it is now and what happened since the mark, in the words of design.md, section 5."""
    happened = turn.session.watch.since(mark)
    answers = await ask_frames(turn, {"op": "invalid"}, {"op": "lines"})
    lines = [line for _, (_, found) in answers for line in found]
    diff = difference(before["lines"] if before else None, lines)
    url = turn.page.url
    moved = before is not None and before["url"] != url
    page = {
        "url": _short(url, before["url"] if before else None),
        "title": await _title(turn),
        "changed": moved or bool(diff) or bool(happened.pages),
        "requests": [
            _request(one) for one in happened.requests if one.resource in ("document", "fetch", "xhr")
        ],
        "dialogs": [
            {"type": one.type, "message": one.message, "answer": one.answer} for one in happened.dialogs
        ],
        "alerts": list(happened.alerts),
        "invalid": [one for _, (found, _) in answers for one in found],
        "tabs": len(turn.session.context.pages),
        "downloads": [{"name": one.name, "path": str(one.path)} for one in happened.downloads],
        "diff": diff,
    }
    return turn.session.secrets.redact_json(page)  # type: ignore[no-any-return]


def nothing_happened(page: dict[str, Any]) -> bool:
    """Whether a result tells of nothing that came of what was done."""
    effects = ("requests", "dialogs", "alerts", "invalid", "downloads")
    return not page["changed"] and not any(page[effect] for effect in effects)


async def _lines(turn: TurnContext) -> list[str]:
    return [line for _, (found,) in await ask_frames(turn, {"op": "lines"}) for line in found]


async def _title(turn: TurnContext) -> str:
    try:
        return await turn.page.title()
    except PlaywrightError:
        return ""


def _short(url: str, before: str | None) -> str:
    """The address; from its path on while the origin is the same."""
    now, then = urlsplit(url), urlsplit(before or url)
    return now._replace(scheme="", netloc="").geturl() if now[:2] == then[:2] and now.netloc else url


def _request(one: Any) -> dict[str, Any]:
    request = {"method": one.method, "path": clip(one.path, _LONG_PATH), "status": one.status}
    return {**request, "failure": one.failure} if one.failure and one.status is None else request


def difference(before: list[str] | None, after: list[str]) -> str:
    """Lines that went and came, with a sign before each; empty when nothing did."""
    if before is None:
        return ""
    gone, come = _less(before, after), _less(after, before)
    lines = [*(f"- {clip(line, 120)}" for line in gone), *(f"+ {clip(line, 120)}" for line in come)]
    if len(lines) <= _TEXTS:
        return "\n".join(lines)
    kept = [f"- {clip(line, 120)}" for line in gone[:3]]
    kept += [f"+ {clip(line, 120)}" for line in come[: _TEXTS - len(kept)]]
    return "\n".join([*kept, f"… {len(lines) - len(kept)} more lines changed"])


def _less(lines: list[str], others: list[str]) -> list[str]:
    left = list(others)
    counts: dict[str, int] = {}
    for line in left:
        counts[line] = counts.get(line, 0) + 1
    rest = []
    for line in lines:
        if counts.get(line, 0):
            counts[line] -= 1
        else:
            rest.append(line)
    return rest
