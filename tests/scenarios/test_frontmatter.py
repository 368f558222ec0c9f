"""Front matter is read with the line of every error."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.errors import ScenarioError
from scenarios.frontmatter import FrontMatter, read_front_matter, split_front_matter
from scenarios.scenario import Budget
from scenarios.variables import Variables


def read(text: str, **environment: str) -> FrontMatter:
    yaml, _ = split_front_matter(f"---\n{text}\n---\n", "a.md")
    return read_front_matter(yaml, "a.md", Variables(environment=environment))


def test_every_key_is_read() -> None:
    assert read(
        """\
base_url: ${BASE_URL:-http://127.0.0.1:8600}/app
tags: [runs, 2]
secrets: ADMIN_PASSWORD, PIN
budget: {cost: 0.25 USD, tokens: 10000, calls: 9, turns: 30, time: 3m}
variables: {kind: Mixed, on: yes, empty: ""}
allow-origins:
  - https://login.example
idempotent: true
timeout: 5m
idle_timeout: 500ms
model: claude-x
pilot-model: offline
storage_state: state.json""",
        BASE_URL="http://host",
    ) == FrontMatter(
        base_url="http://host/app",
        tags=("runs", "2"),
        secrets=("ADMIN_PASSWORD", "PIN"),
        budget=Budget(cost=0.25, tokens=10000, calls=9, turns=30, time=180),
        variables={"kind": "Mixed", "on": "yes", "empty": ""},
        allow_origins=("https://login.example",),
        idempotent=True,
        settings={
            "timeout": "5m",
            "idle-timeout": "500ms",
            "model": "claude-x",
            "pilot-model": "offline",
            "storage-state": "state.json",
        },
    )


def test_no_front_matter_and_an_empty_one_say_nothing() -> None:
    assert read("") == read("# only a comment") == FrontMatter()
    assert split_front_matter("# Title\n---\n", "a.md") == ("", "# Title\n---\n")


def test_the_markdown_keeps_its_line_numbers() -> None:
    assert split_front_matter("---\na: 1\n---\n# Title\n", "a.md") == ("\na: 1", "\n\n\n# Title\n")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("tags: [a]\ntag: b", 3, "the key 'tag' is not known; did you mean tags?"),
        ("\nzzz: b", 3, "the key 'zzz' is not known; known are action-timeout"),
        ("tags: a\ntags: b", 3, "the key 'tags' stands here twice"),
        ("tags:\n  - a\n  - [b]", 4, "a text is wanted here"),
        ("tags: {a: b}", 2, "a list of texts is wanted here"),
        ("base_url:", 2, "a text is wanted here"),
        ("- a", 2, "names with values are wanted here"),
        ("budget:\n  turns: many", 3, "a whole number is wanted here"),
        ("budget:\n  turns: -1", 3, "a whole number is wanted here"),
        ("budget:\n  cost: 0.25", 3, "an amount is wanted here, such as 0.25 USD"),
        ("budget:\n  cost: 1 EUR", 3, "an amount is wanted here"),
        ("budget: {time: 3}", 2, "a duration is wanted here"),
        ("budget:\n  token: 3", 3, "did you mean tokens?"),
        ("idle-timeout: 30", 2, "'30' is no duration; write it with its unit"),
        ("idempotent: maybe", 2, "true or false is wanted here"),
        ("a: [b\nc: d", 3, "this is no YAML"),
        ("a: b: c", 2, "this is no YAML"),
        ("a: \x00", 1, "the front matter is no YAML"),
        ("model: ${NOWHERE}", 2, "${NOWHERE} is not set"),
        ("variables: {a: '{{b}}'}", 2, "{{b}} has no value"),
        ("a: " + "[" * 3000, 1, "the front matter is no YAML"),
    ],
)
def test_an_error_names_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        read(text)
    assert str(caught.value).startswith(f"a.md:{line}: {message}") or (
        message in str(caught.value) and caught.value.line == line
    )


def test_front_matter_that_is_not_closed_is_an_error() -> None:
    with pytest.raises(ScenarioError, match="the front matter is not closed"):
        split_front_matter("---\na: 1\n# Title\n", "a.md")


@given(st.text(st.sampled_from("ab:-[]{},&*!|>'\"#%@` \n\t?0"), max_size=60))
def test_any_front_matter_is_read_or_refused(text: str) -> None:
    with suppress(ScenarioError):
        read(text)
