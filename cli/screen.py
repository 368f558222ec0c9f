"""Where words for people go, and the console that writes them there."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console


def for_people(stream: TextIO, reporter: Sequence[str]) -> TextIO:
    """Where words for people go: standard error when standard output is for a program (`json`)."""
    return sys.stderr if "json" in reporter else stream


def console(stream: TextIO, environ: Mapping[str, str]) -> Console:
    """A console that heeds NO_COLOR, FORCE_COLOR and the terminal, and that no character can break."""
    from cli.drawing import Screen

    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    return Screen(file=stream, highlight=False, markup=False, emoji=False, _environ=environ)
