"""Variables are filled in where they stand, and a value stays one text whatever it holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.errors import ScenarioError
from scenarios.scenario import Source
from scenarios.sentences import read_step
from scenarios.variables import Variables

HERE = Source("runs.md", 7)
GIVEN = Variables(
    {"title": "Nightly run", "n": "3", "run.id": "r1", "first name": "Ada", "PW": "shadow"},
    {"HOST": "localhost", "EMPTY": ""},
    {"PW": "hunter2", "UNSET": None},
)


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("/runs/{{run.id}}?n={{ n }}", "/runs/r1?n=3"),
        ("http://${HOST}:${PORT:-80}${EMPTY:-/x}${EMPTY:-}", "http://localhost:80/x"),
        ("{{first name}} uses {{ PW }}", "Ada uses {{PW}}"),
        (r"\{{title}} and \${HOST}", "{{title}} and ${HOST}"),
        ("}} $ { }", "}} $ { }"),
    ],
)
def test_variables_are_filled_in(text: str, filled: str) -> None:
    assert GIVEN.fill(text, HERE) == filled


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{titel}}", "{{titel}} has no value; did you mean {{title}}?"),
        ("{{zzz}}", "{{zzz}} has no value; give it in a column under Data, with -D, or under variables"),
        ("{{UNSET}}", "the secret UNSET is not set"),
        ("${NOWHERE}", "${NOWHERE} is not set; set it, or write ${NOWHERE:-default}"),
        ("a {{title", "{{ opens no variable here"),
        ("${HOST:-{{n}}}", "${ opens no variable here"),
    ],
)
def test_what_has_no_value_is_an_error_with_file_and_line(text: str, message: str) -> None:
    for fill in (GIVEN.fill, GIVEN.fill_sentence):
        with pytest.raises(ScenarioError) as caught:
            fill(text, HERE)
        assert str(caught.value).startswith(f"runs.md:7: {message}")


@pytest.mark.parametrize(
    ("sentence", "filled"),
    [
        ('Fill "Title" with "{{title}}"', 'Fill "Title" with "Nightly run"'),
        ("Fill Title with {{title}}, then wait", 'Fill Title with "Nightly run", then wait'),
        ("The table has {{n}} rows", "The table has 3 rows"),
        ("Open /runs/{{run.id}}.", "Open /runs/r1."),
        ("Sign in as admin with {{PW}}", 'Sign in as admin with "{{PW}}"'),
        ("Open ${HOST:-the start page}", 'Open "localhost"'),
        (r'Type "\{{title}}" into Name', 'Type "{{title}}" into Name'),
    ],
)
def test_a_sentence_is_filled_in_word_by_word(sentence: str, filled: str) -> None:
    assert GIVEN.fill_sentence(sentence, HERE) == filled


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n`”")))
def test_a_value_never_becomes_anything_but_one_text(value: str) -> None:
    for sentence in ('Fill "Title" with "{{it}}" and click "Save"', "Fill Title with {{it}} and click Save"):
        read = read_step(Variables({"it": value}).fill_sentence(sentence, HERE))
        assert read[0].input == {"entries": [{"field": "Title", "value": value}, {"click": "Save"}]}


EVERY_QUOTE = "\"'`”»\u203a"


@pytest.mark.parametrize(("value", "why"), [("a\nb", "several lines"), (EVERY_QUOTE, "every kind of quotes")])
def test_a_value_that_cannot_stand_in_a_sentence_is_an_error(value: str, why: str) -> None:
    with pytest.raises(ScenarioError, match=why):
        Variables({"it": value}).fill_sentence('Fill "Title" with "{{it}}"', HERE)
