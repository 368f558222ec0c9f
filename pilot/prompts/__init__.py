"""What the models are told about their roles, one file each."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def prompt(role: str) -> str:
    """The system prompt of a role."""
    return (Path(__file__).with_name(f"{role}.md")).read_text(encoding="utf-8")
