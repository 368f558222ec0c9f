"""Variables and secrets: what stands between double braces; a secret is put in last and taken out first."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any
from urllib.parse import quote, quote_plus

from scenarios.errors import ScenarioError
from scenarios.grammar.words import Word, in_quotes, is_one_text, read_words
from scenarios.scenario import Source

SHORTEST = 4
"""Values under this many characters are left alone by `redact`: they would hide half of every page."""

_NAMED = re.compile(r"\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}")
_PLACE = re.compile(
    r"\\(?P<literal>\{\{|\$\{)"
    r"|\{\{(?P<name>[^{}]*)\}\}"
    r"|\$\{(?P<env>\w+)(?::-(?P<default>[^{}]*))?\}"
    r"|(?P<stray>\{\{|\$\{)"
)


class Secrets:
    """The values of the declared secrets by name; texts hold `{{NAME}}` until a tool types them."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = dict(values)
        # Longest first. A placeholder stands for itself, so that redacting twice is redacting once.
        shown = {name: f"{{{{{name}}}}}" for name in self._values}
        hidden = [(form, name) for name, value in self._values.items() for form in _forms(value)]
        hidden.sort(key=lambda pair: -len(pair[0]))
        hidden += [(placeholder, name) for name, placeholder in shown.items()]
        self._pattern = re.compile("|".join(f"({_any_case_of_hex(form)})" for form, _ in hidden))
        self._replacements = [shown[name] for _, name in hidden]

    def __repr__(self) -> str:
        return f"Secrets({', '.join(self._values)})"

    @property
    def names(self) -> tuple[str, ...]:
        """The declared names, in the order in which they were declared."""
        return tuple(self._values)

    def reveal(self, text: str) -> str:
        """The text with the values put in; names that are no secret stay as they are."""
        return _NAMED.sub(lambda found: self._values.get(found[1], found[0]), text)

    def redact(self, text: str) -> str:
        """The text with every value, in any form in which it may travel, replaced by its `{{NAME}}`."""
        if not self._replacements:
            return text
        return self._pattern.sub(lambda found: self._replacements[(found.lastindex or 0) - 1], text)

    def redact_json(self, value: Any) -> Any:
        """The same JSON-able value with every text in it redacted, keys and whole numbers included."""
        if isinstance(value, str):
            return self.redact(value)
        if isinstance(value, Mapping):
            return {self.redact_json(key): self.redact_json(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.redact_json(item) for item in value]
        if isinstance(value, int) and str(value) in self._values.values():
            return self.redact(str(value))
        return value


def _forms(value: str) -> set[str]:
    """The value as typed, in JSON, and in an address; none at all for one that is too short to hide."""
    if len(value) < SHORTEST:
        return set()
    in_address = {quote(value, errors="surrogatepass"), quote(value, safe="", errors="surrogatepass")}
    in_json = {json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}
    return {value, *in_json, *in_address, quote_plus(value, errors="surrogatepass")}


def _any_case_of_hex(form: str) -> str:
    return re.sub(r"%([0-9A-F]{2})", r"%(?i:\1)", re.escape(form))


@dataclass(frozen=True, slots=True)
class Variables:
    """What `{{name}}` and `${NAME}` stand for; a `{{NAME}}` that is a secret stays where it is.

    `secrets` are the declared names, with None where the environment has no value.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, str | None] = field(default_factory=dict)

    def over(self, values: Mapping[str, str]) -> Variables:
        """These variables, with others that win over them."""
        return replace(self, values={**self.values, **values})

    def fill(self, text: str, source: Source) -> str:
        r"""The text with every variable filled in; `\{{` and `\${` stand for themselves.

        Raises:
            ScenarioError: a variable has no value here.
        """
        return _PLACE.sub(lambda found: self._value(found, source), text)

    def fill_sentence(self, text: str, source: Source) -> str:
        """A sentence with every variable filled in, so that each value stays one text whatever it holds.

        Raises:
            ScenarioError: a variable has no value here, or a value cannot stand in a sentence.
        """
        parts, end = [], 0
        for word in read_words(text):
            if _PLACE.search(text, word.start, word.end):
                parts += [text[end : word.start], self._fill_word(text[word.start : word.end], word, source)]
                end = word.end
        return "".join([*parts, text[end:]])

    def _fill_word(self, written: str, word: Word, source: Source) -> str:
        filled, value = self.fill(written, source), self.fill(word.text, source)
        if "\n" in value:
            raise _wrong(source, f"the value of {written} has several lines")
        alone = word.quoted or _PLACE.fullmatch(written) is not None
        if not alone or is_one_text(filled, value) or (filled.isdecimal() and not word.quoted):
            return filled
        if (quoted := in_quotes(value)) is None:
            raise _wrong(source, f"the value of {written} holds every kind of quotes")
        return quoted

    def _value(self, found: re.Match[str], source: Source) -> str:
        if found["literal"]:
            return found["literal"]
        if found["stray"]:
            stray = found["stray"]
            raise _wrong(source, f"{stray} opens no variable here; write \\{stray} to mean just that")
        if found["env"]:
            return self._from_environment(found["env"], found["default"], source)
        return self._named(found["name"].strip(), source)

    def _named(self, name: str, source: Source) -> str:
        if name in self.secrets:
            if not self.secrets[name]:
                raise _wrong(source, f"the secret {name} is not set; put it into the environment")
            return f"{{{{{name}}}}}"
        if name in self.values:
            return self.values[name]
        near = get_close_matches(name, [*self.values, *self.secrets], 1)
        advice = "give it in a column under Data, with -D, or under variables in the front matter"
        raise _wrong(
            source, f"{{{{{name}}}}} has no value; {f'did you mean {{{{{near[0]}}}}}?' if near else advice}"
        )

    def _from_environment(self, name: str, default: str | None, source: Source) -> str:
        value = self.environment.get(name) or default
        if value is None:
            raise _wrong(source, f"${{{name}}} is not set; set it, or write ${{{name}:-default}}")
        return value


def _wrong(source: Source, message: str) -> ScenarioError:
    return ScenarioError(source.path, source.line, message)
