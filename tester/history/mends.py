"""What was wrong with a history, told one thing at a time."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Mend:
    """One thing that was mended: its kind, the index of its message before, what was done, the call's id."""

    kind: str
    where: int
    what: str
    call: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The mend as it stands in the trace."""
        return asdict(self)


class Mends(list[Mend]):
    """The mends of one repair, in the order in which they were made."""

    def note(self, kind: str, where: int, what: str, call: str | None = None) -> None:
        """Adds one."""
        self.append(Mend(kind, where, what, call))
