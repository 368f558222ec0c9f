"""The front door: puts the application's own folders first on the path, then runs the command line."""

import sys
from pathlib import Path


def main() -> None:
    """Runs the command line."""
    door = Path(__file__).resolve()
    installed = door.with_suffix("")  # a wheel lays the folders in walkaround/ beside this file
    sys.path.insert(0, str(installed if installed.is_dir() else door.parent))
    from cli.app import main as command_line

    command_line()


if __name__ == "__main__":
    main()
