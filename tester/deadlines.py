"""Every deadline by its name; a wait in this package takes one of these and never a number of its own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long each kind of wait may last, in seconds."""

    idle: float = 30.0
    """Silence of a model while its stream is open, no tool runs and nobody is asked."""
    tool: float = 60.0
    """One tool call, whole."""
    action: float = 10.0
    """One action of the browser: a fill, a click with what it started, a wait for a state."""
    blocked: float = 3.0
    """A control that is disabled or covered and does not change; design.md, section 5."""
    drain: float = 5.0
    """What a closed attempt left running in the browser."""
    proof: float = 3.0
    """An expected outcome that does not hold yet when the work is done."""
    help: float = 600.0
    """A person who was asked."""
    scenario: float = 600.0
    """One scenario, whole."""

    @property
    def silence(self) -> float:
        """Pings keep a stream alive without content for this long at most."""
        return self.idle * 4
