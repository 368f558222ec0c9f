"""A wheel works beside a user's own packages, even those with the names of our folders."""

import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("cli", "pilot", "scenarios", "tester", "traces")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, str(folder)], cwd=ROOT, check=True)
    (made,) = folder.glob("*.whl")
    return made


def test_a_wheel_holds_the_front_door_and_one_folder_with_all_that_a_run_needs(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {
        "walkaround",
        "walkaround.py",
    }
    kept = [*_shipped("*.py"), *_shipped("inpage/*.js"), *_shipped("prompts/*.md"), *_shipped("demo/**/*.*")]
    assert len(kept) > 100
    assert sorted(set(kept) - set(names)) == []
    assert any(name.endswith("licenses/LICENSE") for name in names)


def _shipped(pattern: str) -> list[str]:
    """The files of our folders that fit a pattern, as a wheel should name them."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob(pattern) if path.is_file()]
    assert found, f"there are files like {pattern}"
    return [
        f"walkaround/{path.relative_to(ROOT).as_posix()}" for path in found if "__pycache__" not in path.parts
    ]


def test_an_installed_wheel_and_a_users_own_packages_of_the_same_names_both_work(
    wheel: Path, tmp_path: Path
) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, symlinks=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(environment)}))
    zipfile.ZipFile(wheel).extractall(packages)  # what an installer does, without an installer
    for name in FOLDERS:
        (packages / name).mkdir()
        (packages / name / "__init__.py").write_text(f"OWNER = 'the user of {name}'\n")
    python = str(environment / "bin" / "python")
    door = "import sys, walkaround; sys.argv = ['walkaround', *sys.argv[1:]]; walkaround.main()"

    theirs = f"import {', '.join(FOLDERS)}, walkaround; print(*(one.OWNER for one in ({', '.join(FOLDERS)},)), sep='; ')"
    assert _say(tmp_path, python, "-c", theirs) == "; ".join(f"the user of {name}" for name in FOLDERS)

    # The libraries come from this environment, after the user's own packages on the path.
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    assert _say(tmp_path, python, "-c", door, "--version") == "walkaround 0.1.0"
    assert "demo" in _say(tmp_path, python, "-c", door, "--help")
    scenario = tmp_path / "one.md"
    scenario.write_text("# One\n\n## Steps\n1. Click Save\n\n## Expected\n- The page shows Saved\n")
    listed = _say(tmp_path, python, "-c", door, "list", "one.md")
    assert listed.endswith("One")


def _say(folder: Path, *command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout.strip()
