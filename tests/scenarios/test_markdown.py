"""A scenario file in Markdown becomes scenarios, every sentence with its line, every error too."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.errors import ScenarioError
from scenarios.markdown import read_scenarios
from scenarios.scenario import Scenario
from scenarios.variables import Variables

WHOLE = """\
---
base_url: http://127.0.0.1:8600
tags: [smoke]
secrets: [PW]
variables: {list: Runs}
---
<!-- A remark about the file. -->

# Create a run

Start at `/runs`. Sign in as "admin"
with {{PW}}. Press Enter.

> A remark.

## Before
- Open /fresh

## Data
| title   | kind   |
| ------- | ------ |
| Nightly | Mixed  |
| a \\| b  | `x y`  |

## Steps
1. Click "New run"
2. Fill "Title" with "{{title}}",
   choose "{{kind}}" in "Kind"

   Press Tab <!-- and no more -->
3. Fill the form:
   - Set "A" to "1"
   - [ ] Set "B" to "2"
4. Click "Save"

### A heading under the second level is a remark

* Press Enter

## Expected
- The URL contains "/runs/"
- still: The "{{list}}" list shows {{title}}
- The title is "x" (still).

## After
Open /runs. Click
"Delete".

# Another

## Steps
- Reload the page
"""


def read(text: str, path: str = "runs.md", **values: str) -> list[Scenario]:
    variables = Variables({"run.id": "r1", **values}, {"PW": "hunter2"})
    return [one.scenario for one in read_scenarios(text, path, variables)]


def lines(sentences: Any) -> list[tuple[int, str]]:
    return [(one.source.line, one.text) for one in sentences]


def test_a_whole_file() -> None:
    nightly, piped, another = read(WHOLE)
    assert nightly.title == "Create a run [Nightly]"
    assert (str(nightly.source), nightly.slug) == ("runs.md:9", "runs-create-a-run-nightly")
    assert lines(nightly.before) == [
        (11, "Start at `/runs`."),
        (11, 'Sign in as "admin" with "{{PW}}".'),
        (12, "Press Enter."),
        (17, "Open /fresh"),
    ]
    assert lines(nightly.steps) == [
        (26, 'Click "New run"'),
        (27, 'Fill "Title" with "Nightly", choose "Mixed" in "Kind"'),
        (30, "Press Tab"),
        (32, 'Set "A" to "1"'),
        (33, 'Set "B" to "2"'),
        (34, 'Click "Save"'),
        (38, "Press Enter"),
    ]
    assert [(one.source.line, one.text, one.still) for one in nightly.outcomes] == [
        (41, 'The URL contains "/runs/"', False),
        (42, 'The "Runs" list shows "Nightly"', True),
        (43, 'The title is "x"', True),
    ]
    assert lines(nightly.after) == [(46, "Open /runs."), (46, 'Click "Delete".')]
    assert nightly.row == {"title": "Nightly", "kind": "Mixed"}
    assert piped.row == {"title": "a | b", "kind": "x y"}
    assert (piped.title, piped.slug) == ("Create a run [a | b]", "runs-create-a-run-a-b")
    assert (another.title, another.slug, another.row) == ("Another", "runs-another", {})
    assert all(one.secrets == {"PW": "hunter2"} and one.tags == ("smoke",) for one in (nightly, another))
    assert another.base_url == "http://127.0.0.1:8600"


def steps(*more: str, title: str = "# T", section: str = "## Steps\n- Press Tab") -> str:
    return "\n".join([title, section, *more])


def test_data_as_a_list_is_one_row() -> None:
    (one,) = read(
        steps("## Data", "- title: a: b", "- kind: `x `", "## Expected", "- I see {{title}} and {{kind}}")
    )
    assert one.row == {"title": "a: b", "kind": "x "}
    assert one.outcomes[0].text == 'I see "a: b" and "x "'
    assert (one.title, one.slug) == ("T", "runs-t")


def test_a_row_wins_over_the_command_which_wins_over_the_file() -> None:
    text = "---\nvariables: {a: file, b: file, c: 'file {{run.id}}'}\n---\n" + steps(
        "- I see {{a}}, {{b}} and {{c}}", "## Data", "| a |", "| - |", "| row {{b}} |"
    )
    (one,) = read(text, a="command", b="command")
    assert one.steps[1].text == 'I see "row command", "command" and "file r1"'


def test_slugs_are_unique_and_do_not_change_with_values() -> None:
    table = ["## Data", "| n | m |", "| - | - |", "| x {{run.id}} | 1 |", "| x! {{run.id}} | 2 |"]
    same = ["## Data", "| n | m |", "| - | - |", "| x | 1 |", "| x | 2 |"]
    text = "\n".join(
        [steps(*table), steps(*same, title="# T!"), steps(title="# T?"), steps(title="# Überall {{run.id}}")]
    )
    assert [one.slug for one in read(text)] == [
        "runs-t-x-run-id",
        "runs-t-x-run-id-2",
        "runs-t-1",
        "runs-t-2",
        "runs-t",
        "runs-überall-run-id",
    ]
    assert [one.title for one in read(text)] == [
        "T [x r1]",
        "T [x! r1]",
        "T! [1]",
        "T! [2]",
        "T?",
        "Überall r1",
    ]
    (named_after,) = read(steps(title="# Runs of today"))
    assert named_after.slug == "runs-of-today"
    (long,) = read(steps(title="# " + "long " * 60))
    assert len(long.slug) <= 100


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "no scenario stands here; one begins with a title"),
        ("\n\nHello\n" + steps(), 3, "this stands before the first title"),
        ("## Steps\n- Press Tab", 1, "this stands before the first title"),
        ("# T\n\nOpen /a.", 1, "the scenario 'T' has no section `## Steps`"),
        (steps(section="## Steps\n\n> nothing"), 2, "the section Steps is empty"),
        (steps("## Expected"), 4, "the section Expected is empty"),
        (steps("## Stepps", "- a"), 4, "the section 'Stepps' is not known; did you mean Steps?"),
        (steps("## Notes", "- a"), 4, "the section 'Notes' is not known; there are Before, Steps, Expected"),
        (steps("## steps:", "- a"), 4, "the section Steps stands in line 2 already"),
        (steps("", steps(title="# t")), 5, "the title 't' stands in line 1 already"),
        (steps(title="#"), 1, "the title is empty"),
        (steps("", "```", "code", "```"), 5, "only sentences, lists and tables are read here"),
        (steps("", "  ```", "  code", "  ```"), 5, "only sentences are read in a list"),
        (steps("", '<!-- note --> Click "Save"'), 5, "only sentences"),
        (steps("", "| a |", "| - |", "| b |"), 5, "a table is read in the section Data alone"),
        (steps("## Data", "| a | a |", "| - | - |", "| b | c |"), 5, "the variable 'a' stands here twice"),
        (steps("## Data", "| a |  |", "| - | - |", "| b | c |"), 5, "'' cannot be the name of a variable"),
        (steps("## Data", "| a |", "| - |"), 5, "the table has no rows"),
        (
            steps("## Data", "| a |", "| - |", "| b |", "| c | d |"),
            8,
            "this row has 2 cells where the table has 1",
        ),
        (steps("## Data", "| a |", "| - |", "| b |", "", "- a: b"), 4, "Data is one table, or one list"),
        (steps("## Data", "- a: b", "- c"), 6, "a variable with its value is wanted here"),
        (steps("- Click {{x}}"), 4, "{{x}} has no value"),
        (steps("- Click", "  {{x}}"), 4, "{{x}} has no value"),
        (steps("## Data", "| a |", "| - |", "| {{x}} |"), 7, "{{x}} has no value"),
        ("---\nsecrets: [X]\n---\n" + steps("- Type {{X}} into a"), 7, "the secret X is not set"),
        ("---\ntags: a\n" + steps(), 1, "the front matter is not closed"),
        ("---\ntag: a\n---\n" + steps(), 2, "the key 'tag' is not known"),
    ],
)
def test_an_error_names_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        read(text)
    assert str(caught.value).startswith(f"runs.md:{line}: {message}")


def test_a_link_definition_is_not_lost() -> None:
    (one,) = read(steps(section="[a]: /b\n\n## Steps\n- Press Tab"))
    assert lines(one.before) == [(2, "[a]: /b")]


BLANK = st.lists(
    st.sampled_from(["", "  ", "<!-- a\nremark -->\n", "> a remark\n", "### A remark"]), max_size=3
)


@given(st.data())
def test_line_numbers_are_exact_whatever_stands_between(data: st.DataObject) -> None:
    written: list[str] = ["---", "tags: a", "---"] if data.draw(st.booleans()) else []
    wanted: dict[str, list[tuple[int, str]]] = {"Before": [], "Steps": [], "Expected": [], "After": []}

    def blank() -> None:
        written.extend("\n".join(["", *data.draw(BLANK), ""]).split("\n"))

    def items(section: str) -> None:
        for number in range(data.draw(st.integers(1, 4))):
            mark = data.draw(st.sampled_from(["- ", "* ", f"{number + 1}. ", "   - "]))
            wanted[section].append((len(written) + 1, f"{section} {number} and more"))
            written.append(f"{mark}{section} {number}")
            written.append(f"{' ' * len(mark)}and more")
            if data.draw(st.booleans()):
                blank()

    blank()
    written.append("# Title")
    blank()
    if data.draw(st.booleans()):
        wanted["Before"] += [
            (len(written) + 1, "One."),
            (len(written) + 1, "Two."),
            (len(written) + 2, "Three."),
        ]
        written.extend(["One. Two.", "Three."])
        blank()
    for section in data.draw(st.permutations(["Before", "Steps", "Expected", "After"])):
        written.append(f"## {section}")
        blank()
        items(section)
        blank()
    (one,) = read("\n".join(written))
    assert lines(one.before) == wanted["Before"]
    assert lines(one.steps) == wanted["Steps"]
    assert lines(one.outcomes) == wanted["Expected"]
    assert lines(one.after) == wanted["After"]


PIECES = [
    *[
        "# T",
        "## Steps",
        "## Data",
        "## Expected",
        "| a | b |",
        "| - | - |",
        "- x",
        "1. y",
        "  - z",
        "```",
        "---",
    ],
    *[
        "a: b",
        "> q",
        "<!--",
        "-->",
        "{{run.id}}",
        "{{x}}",
        "${PW}",
        "still: s",
        "===",
        "<b>",
        "\\",
        "`",
        "\t",
    ],
    *["\u2028", "\x00", "a: {b: [c]}", "tags: [a]"],
]


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("\n".join) | st.text())
def test_any_file_is_scenarios_or_an_error_with_a_line(text: str) -> None:
    with suppress(ScenarioError):
        assert read(text)
