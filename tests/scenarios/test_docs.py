"""The example in docs/scenario-files.md is read as the page says."""

from __future__ import annotations

import re
from pathlib import Path

from scenarios.frontmatter import DEADLINES, TEXTS
from scenarios.markdown import SECTIONS, read_scenarios
from scenarios.sentences import read_outcome, read_step
from scenarios.variables import Variables

PAGE = (Path(__file__).parents[2] / "docs" / "scenario-files.md").read_text()


def test_the_example_is_two_scenarios_whose_sentences_are_all_understood() -> None:
    example = re.search(r"^```markdown\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert example is not None
    given = Variables({"run.id": "r1"}, {"ADMIN_PASSWORD": "hunter2"})
    nightly, weekly = (one.scenario for one in read_scenarios(example[1], "runs.md", given))
    assert (nightly.row["title"], weekly.row["title"]) == ("Nightly r1", "Weekly r1")
    assert (nightly.base_url, nightly.budget.time) == ("http://127.0.0.1:8600", 180)
    assert [one.still for one in weekly.outcomes] == [False, False, False, True]
    for step in (*nightly.before, *nightly.steps, *nightly.after):
        assert read_step(step.text)
    for outcome in nightly.outcomes:
        assert read_outcome(outcome.text)


def test_every_section_and_every_key_is_on_the_page() -> None:
    for name in SECTIONS:
        assert f"`## {name}`" in PAGE
    for key in ("base_url", "allow_origins", "tags", "secrets", "variables", "budget", "idempotent"):
        assert f"| `{key}` |" in PAGE
    for key in (*DEADLINES, *TEXTS):
        assert f"`{key}`" in PAGE
