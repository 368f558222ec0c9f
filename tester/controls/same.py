"""Whether what a control holds is what was asked for; a value that the page merely
writes in another way is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

_SEPARATORS = re.compile(r"[\s\u200b.,:;/()\-–—_'’\u00b7+]+")
_CURRENCY = re.compile(r"[$€£¥₹₽%]|\b(?:USD|EUR|GBP|CHF|JPY|kr)\b", re.I)
_NUMBER = re.compile(r"[-−]?\d[\d\s.,'’]*")


def same(asked: Any, got: Any) -> bool:
    """Whether two values are equal to a person: case and layout aside, nothing lost and nothing added."""
    if isinstance(asked, bool) or isinstance(got, bool):
        return asked is got
    if isinstance(asked, list | tuple):
        return isinstance(got, Sequence) and not isinstance(got, str) and _all_same(asked, got)
    if got is None:
        return asked in ("", None)
    return _same_text(str(asked), str(got))


def _all_same(asked: Sequence[Any], got: Sequence[Any]) -> bool:
    left = list(got)
    for one in asked:
        match = next((other for other in left if same(one, other)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def _same_text(asked: str, got: str) -> bool:
    asked, got = _tidy(asked).casefold(), _tidy(got).casefold()
    if [line.split() for line in asked.split("\n")] == [line.split() for line in got.split("\n")]:
        return True
    numbers = number(asked), number(got)
    if None not in numbers:
        return numbers[0] == numbers[1] and _padded(asked) == _padded(got)
    one, other = _SEPARATORS.sub("", asked), _SEPARATORS.sub("", got)
    return bool(one) and one == other and "\n" not in asked and any(letter.isdigit() for letter in one)


def _padded(text: str) -> bool:
    """Whether a number is written with zeros in front, which belong to a code and not to an amount."""
    return re.match(r"\D*0\d", text) is not None


def _tidy(text: str) -> str:
    return unicodedata.normalize(
        "NFC", text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    ).strip()


def number(text: str) -> float | None:
    """The number that a text writes, with or without a currency, whichever sign it puts before decimals."""
    text = _CURRENCY.sub("", text).strip()
    if not _NUMBER.fullmatch(text):
        return None
    digits = re.sub(r"[\s'’]", "", text.replace("−", "-"))
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        return float(digits)
    mark, whole, part = digits[last], digits[:last], digits[last + 1 :]
    grouping = digits.count(mark) > 1 or (
        len(part) == 3 and mark == "," and whole.lstrip("-") not in ("", "0")
    )
    if grouping:
        return float(re.sub(r"[.,]", "", digits))
    return float(re.sub(r"[.,]", "", whole) + "." + (part or "0"))
