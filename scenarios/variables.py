"""Variables and secrets: what stands between double braces; a secret is put in last and taken out first."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, quote_plus

SHORTEST = 4
"""Values under this many characters are left alone by `redact`: they would hide half of every page."""

_NAMED = re.compile(r"\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}")


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
