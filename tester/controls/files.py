"""Files go in: only from the folder that the scenario may take them from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tester.controls.family import Family, Taken
from tester.controls.press import press
from tester.patience import Patience
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from playwright.async_api import FileChooser

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


def accept_paths(target: Target, value: Any) -> list[Path]:
    """Paths that were resolved before."""
    if not isinstance(value, list) or not all(isinstance(one, Path) for one in value):
        raise StepFailed(f'{target.wish.name!r} takes files: give "files"')
    return value


def accept_files(target: Target, value: Any) -> list[Path]:
    """Paths that were resolved before; one file only where the control takes one."""
    files = accept_paths(target, value)
    if len(files) > 1 and not target.facts.get("multiple"):
        raise StepFailed(f"{target.wish.name!r} takes one file, not {len(files)}")
    return files


async def upload(target: Target, files: list[Path], step: StepRecord) -> None:
    """Hands the files to the input, as the browser's own chooser does."""
    await target.locator.set_input_files(files, timeout=target.turn.deadlines.action * 1000)


def same_files(asked: list[Path], got: Any) -> bool:
    """Whether the page holds just these files, by name."""
    return isinstance(got, list) and sorted(one.name for one in asked) == sorted(got)


async def upload_by_chooser(target: Target, files: list[Path], step: StepRecord) -> Taken:
    """Presses what opens the browser's chooser, and answers it."""
    page = target.turn.page
    asked: list[FileChooser] = []

    def hear(chooser: FileChooser) -> None:
        asked.append(chooser)

    page.on("filechooser", hear)
    try:
        await press(target)
        patience = Patience(target.turn)
        while not asked and await patience.more():
            pass
    finally:
        page.remove_listener("filechooser", hear)
    if not asked:
        raise StepFailed(f"{target.wish.name!r} was pressed, and it asked for no file")
    if len(files) > 1 and not asked[0].is_multiple():
        raise StepFailed(f"{target.wish.name!r} takes one file, not {len(files)}")
    await target.turn.fence(asked[0]).set_files(files, timeout=target.turn.deadlines.action * 1000)
    return Taken(shown=[one.name for one in files])


CHOOSER = Family("upload", accept_paths, upload_by_chooser, same=same_files)
FILES = Family("upload", accept_files, upload, same=same_files)
