"""What a model's tokens cost, in USD per million; a model that is not in the table has no known price.

From the public price list and model pages of platform.claude.com, as of 24 October 2026. Cache writes are
those that live for five minutes, the only ones that are asked for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tester.models.protocol import Usage


@dataclass(frozen=True, slots=True)
class Price:
    """USD per million tokens of each kind; `long` is for calls whose prompt has more than 100,000 of them."""

    input: float
    output: float
    cache_write: float
    cache_read: float
    long: Price | None = None


_LONG_PROMPT = 100_000
_OPUS = Price(5, 25, 6.25, 0.50)
_SONNET = Price(3, 15, 3.75, 0.30)
_PRICES = {
    "claude-fable-5": Price(10, 50, 12.50, 1.00),
    "claude-fable-5-1": Price(10, 50, 12.50, 0.25),
    "claude-mythos-5": Price(10, 50, 12.50, 1.00),
    "claude-mythos-5-1": Price(10, 50, 12.50, 0.25),
    "claude-opus-4-5": _OPUS,
    "claude-opus-4-6": _OPUS,
    "claude-opus-4-7": _OPUS,
    "claude-opus-4-8": _OPUS,
    "claude-opus-5": _OPUS,
    "claude-opus-5-5": Price(4, 20, 5, 0.20),
    "claude-sonnet-4-5": _SONNET,
    "claude-sonnet-4-6": _SONNET,
    "claude-sonnet-5": Price(2, 10, 2.50, 0.20),
    "claude-sonnet-5-5": Price(2, 10, 2.50, 0.10),
    "claude-haiku-4-5": Price(1, 5, 1.25, 0.10),
    "claude-haiku-5-5": Price(0.10, 0.50, 0.125, 0.01, long=Price(0.50, 2.50, 0.625, 0.05)),
}
_DATE = re.compile(r"-\d{8}$")


def price(model: str) -> Price | None:
    """The price of a model, with or without the date in its name; None when it is not known."""
    return _PRICES.get(_DATE.sub("", model))


def priced(model: str, usage: Usage) -> Usage:
    """The usage with its cost in USD; None where the model's price is not known."""
    known = price(model)
    if known is not None and known.long and usage.input + usage.cache_read + usage.cache_write > _LONG_PROMPT:
        known = known.long
    return replace(usage, cost=None if known is None else _cost(known, usage))


def _cost(known: Price, usage: Usage) -> float:
    written, read = usage.cache_write * known.cache_write, usage.cache_read * known.cache_read
    return (usage.input * known.input + usage.output * known.output + written + read) / 1_000_000
