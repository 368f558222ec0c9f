"""docs/sentences.md says what the grammar does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from scenarios.checks import to_json
from scenarios.grammar.outcomes import OUTCOMES
from scenarios.grammar.steps import STEPS
from scenarios.sentences import main, read_outcome, read_step

PAGE = Path(__file__).parents[3] / "docs" / "sentences.md"
STEPS_PART, OUTCOMES_PART = PAGE.read_text().split("## Expected outcomes")


def rows(part: str) -> list[tuple[str, str]]:
    return re.findall(r"^\| (.*?) \| (`\{.*`) \|$", part, re.MULTILINE)


def test_the_page_is_what_the_grammar_prints(capsys: pytest.CaptureFixture[str]) -> None:
    main()
    assert PAGE.read_text() == capsys.readouterr().out


@pytest.mark.parametrize(("sentence", "meaning"), rows(STEPS_PART))
def test_each_step_on_the_page_means_what_it_says(sentence: str, meaning: str) -> None:
    said = [json.loads(part) for part in re.findall(r"`(.+?)`(?: |$)", meaning)]
    assert [{call.tool: call.input} for call in read_step(sentence)] == said


@pytest.mark.parametrize(("sentence", "meaning"), rows(OUTCOMES_PART))
def test_each_outcome_on_the_page_means_what_it_says(sentence: str, meaning: str) -> None:
    said = [json.loads(part) for part in re.findall(r"`(.+?)`(?: |$)", meaning)]
    assert [to_json(check) for check in read_outcome(sentence)] == said


def test_every_form_has_an_example_that_its_own_ways_understand() -> None:
    assert all(form.examples for grammar in (STEPS, OUTCOMES) for form in grammar.forms)
    assert len(rows(STEPS_PART)) == sum(len(form.examples) for form in STEPS.forms if form.title)
    assert len(rows(OUTCOMES_PART)) == sum(len(form.examples) for form in OUTCOMES.forms)
