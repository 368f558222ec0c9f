"""Pictures of the page, small, with every secret that it shows masked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from playwright.async_api import Error as PlaywrightError

if TYPE_CHECKING:
    from playwright.async_api import Frame, Locator

    from tester.session import Session

_FIELDS = "input, textarea"
_QUALITY = 40


async def take_picture(session: Session, path: Path) -> bool:
    """Writes a JPEG of what can be seen of the current tab; False when the page does not let itself be drawn.

    Fields and texts that hold a declared secret are painted over. Waits for `deadlines.blocked` at most.
    """
    try:
        masks = [mask for frame in session.page.frames for mask in await _masks(frame, session)]
        await session.page.screenshot(
            path=path,
            type="jpeg",
            quality=_QUALITY,
            scale="css",
            mask=masks,
            timeout=session.deadlines.blocked * 1000,
        )
    except (PlaywrightError, LookupError):
        return False
    return True


async def _masks(frame: Frame, session: Session) -> list[Locator]:
    """What in a frame shows a secret; the page is asked what it holds, never told what is looked for."""
    secrets = session.secrets
    if not secrets.names:
        return []
    fields = frame.locator(_FIELDS)
    held: list[str] = await fields.evaluate_all("fields => fields.map(field => String(field.value))")
    masks = [fields.nth(number) for number, value in enumerate(held) if secrets.redact(value) != value]
    return masks + [frame.get_by_text(secrets.reveal(f"{{{{{name}}}}}")) for name in secrets.names]
