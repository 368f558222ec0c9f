"""Files go in: only from the folder that the scenario may take them from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tester.controls.family import Family
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from tester.find import Target
    from tester.recorder import StepRecord
    from tester.turn import TurnContext


def resolve_files(turn: TurnContext, names: list[str]) -> list[Path]:
    """The files that the names mean.

    Raises:
        StepFailed: one does not exist, or lies outside the folder for uploads, whatever way leads there.
    """
    folder = turn.session.bounds.files.resolve()
    found = []
    for name in names:
        path = (folder / name).resolve()
        if not path.is_relative_to(folder):
            raise StepFailed(f"{name!r} lies outside the folder that files may be taken from")
        if not path.is_file():
            raise StepFailed(f"there is no file {name!r} to upload")
        found.append(path)
    return found


def accept_files(target: Target, value: Any) -> list[Path]:
    """Paths that were resolved before; one file only where the control takes one."""
    if not isinstance(value, list) or not all(isinstance(one, Path) for one in value):
        raise StepFailed(f'{target.wish.name!r} takes files: give "files"')
    if len(value) > 1 and not target.facts.get("multiple"):
        raise StepFailed(f"{target.wish.name!r} takes one file, not {len(value)}")
    return value


async def upload(target: Target, files: list[Path], step: StepRecord) -> None:
    """Hands the files to the input, as the browser's own chooser does."""
    await target.locator.set_input_files(files, timeout=target.turn.deadlines.action * 1000)


def same_files(asked: list[Path], got: Any) -> bool:
    """Whether the page holds just these files, by name."""
    return isinstance(got, list) and sorted(one.name for one in asked) == sorted(got)


FILES = Family("upload", accept_files, upload, same=same_files)
