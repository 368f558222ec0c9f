"""What paths mean: files, folders and lines; what is missing is said and never passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenarios.collect import collect
from scenarios.errors import NothingCollected, ScenarioError, UsageError

ONE = "# {}\n\n## Steps\n- Press Tab\n"
DATA = "# Rows\n\n## Data\n| a |\n| - |\n| x |\n| y |\n\n## Steps\n- Press Tab\n\n" + ONE.format("Last")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def titles(*paths: str) -> list[str]:
    return [one.title for one in collect(paths, environment={})]


def test_folders_are_read_in_order_and_whatever_has_no_steps_is_passed_over(folder: Path) -> None:
    write(folder / "b.md", ONE.format("B"))
    write(folder / "a" / "z.md", ONE.format("Z"))
    write(folder / "README.md", "# Read me\n\nHello.\n")
    write(folder / "notes.txt", ONE.format("No"))
    write(folder / ".hidden" / "h.md", ONE.format("No"))
    write(folder / "node_modules" / "n.md", ONE.format("No"))
    (folder / "binary.md").write_bytes(b"\xff\xfe\x00")
    assert titles(".") == ["Z", "B"]
    assert titles("b.md", "a") == ["B", "Z"]
    assert [str(one.source) for one in collect(["a"], environment={})] == ["a/z.md:1"]


def test_a_scenario_that_is_named_twice_is_collected_once(folder: Path) -> None:
    write(folder / "a.md", DATA)
    assert titles("a.md:6", "a.md", ".") == ["Rows [x]", "Rows [y]", "Last"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (1, ["Rows [x]", "Rows [y]"]),
        (6, ["Rows [x]"]),
        (7, ["Rows [y]"]),
        (11, ["Rows [x]", "Rows [y]"]),
        (12, ["Last"]),
        (15, ["Last"]),
    ],
)
def test_a_line_means_the_scenario_that_spans_it(folder: Path, line: int, found: list[str]) -> None:
    write(folder / "a.md", DATA)
    assert titles(f"a.md:{line}") == found


def test_files_of_one_name_and_title_in_several_folders_are_told_apart(folder: Path) -> None:
    for path in ("a/x.md", "b/x.md"):
        write(folder / path, ONE.format("T"))
    assert [one.slug for one in collect(["."], environment={})] == ["a-x-t", "b-x-t"]
    assert [one.slug for one in collect(["a"], environment={})] == ["x-t"]


def test_variables_and_the_run_id_reach_the_sentences(folder: Path) -> None:
    write(folder / "a.md", ONE.format("T") + "- I see {{who}} in ${WHERE} {{run.id}}\n")
    (one,) = collect(["a.md"], environment={"WHERE": "Runs"}, variables={"who": "Ada"}, run_id="r7")
    assert one.steps[1].text == 'I see "Ada" in "Runs" "r7"'


def test_line_ends_and_marks_of_other_systems_change_nothing(folder: Path) -> None:
    (folder / "a.md").write_bytes(
        b"\xef\xbb\xbf---\r\ntags: a\r\n---\r\n# T\r\n## Steps\r\n- Press\r\n  Tab\r\n"
    )
    (one,) = collect(["a.md"], environment={})
    assert (one.tags, one.steps[0].text, one.steps[0].source.line) == (("a",), "Press Tab", 6)


def test_nothing_collected_is_an_error_of_its_own(folder: Path) -> None:
    write(folder / "a.md", "\n\n" + ONE.format("T"))
    (folder / "empty").mkdir()
    for paths in (["empty"], ["a.md:1"], []):
        with pytest.raises(NothingCollected):
            collect(paths, environment={})


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("gone.md", "gone.md does not exist"),
        ("gone.md:3", "gone.md does not exist"),
        ("a.txt", "no scenario file"),
        ("a.feature", "Gherkin files are not read yet"),
    ],
)
def test_a_path_that_is_no_scenario_file_is_an_error(folder: Path, path: str, why: str) -> None:
    write(folder / "a.txt", "")
    write(folder / "a.feature", "")
    with pytest.raises(UsageError, match=why):
        collect([path], environment={})


def test_a_named_file_without_a_scenario_is_an_error(folder: Path) -> None:
    write(folder / "README.md", "# Read me\n\nHello.\n")
    with pytest.raises(ScenarioError, match="has no section"):
        collect(["README.md"], environment={})


def test_another_encoding_is_an_error_with_its_line(folder: Path) -> None:
    (folder / "a.md").write_bytes(b"# T\n\n## Steps\n- Click \xe4\n")
    with pytest.raises(ScenarioError, match=r"^a\.md:4: this is not UTF-8"):
        collect(["a.md"], environment={})
