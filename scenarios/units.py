"""Durations and amounts of money as people write them: a number with its unit."""

from __future__ import annotations

import re

_SECONDS = {
    **dict.fromkeys(("ms", "millisecond", "milliseconds"), 0.001),
    **dict.fromkeys(("s", "second", "seconds"), 1),
    **dict.fromkeys(("m", "min", "minute", "minutes"), 60),
    **dict.fromkeys(("h", "hour", "hours"), 3600),
}
_NUMBER = re.compile(r"\s*(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>[A-Za-z$]*)\s*")


def read_seconds(text: str) -> float:
    """The seconds in a duration: `500ms`, `30s`, `2 minutes`, `1h`.

    Raises:
        ValueError: it is no duration, or its unit is missing.
    """
    found = _NUMBER.fullmatch(text)
    if found is None or found["unit"].lower() not in _SECONDS:
        raise ValueError(
            f"{text!r} is not a duration; write a number with its unit, such as 30s, 2m or 500ms"
        )
    return float(found["number"]) * _SECONDS[found["unit"].lower()]


def read_dollars(text: str) -> float:
    """The US dollars in an amount: `0.25 USD`, `$0.25`.

    Raises:
        ValueError: it is no amount, or its currency is missing.
    """
    found = _NUMBER.fullmatch(
        text.strip().removeprefix("$") + (" USD" if text.strip().startswith("$") else "")
    )
    if found is None or found["unit"].upper() != "USD":
        raise ValueError(f"{text!r} is not an amount; write it in US dollars, such as 0.25 USD")
    return float(found["number"])
