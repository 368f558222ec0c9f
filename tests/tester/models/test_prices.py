"""A call costs what the price list says, and an unknown model has no price, not a price of nothing."""

from __future__ import annotations

import pytest

from tester.models.prices import price, priced
from tester.models.protocol import Usage


def test_each_kind_of_token_has_its_price() -> None:
    usage = Usage(input=1_000_000, output=1_000_000, cache_read=1_000_000, cache_write=1_000_000)
    assert priced("claude-opus-5", usage).cost == pytest.approx(5 + 25 + 0.5 + 6.25)


def test_a_name_with_a_date_is_the_same_model() -> None:
    assert price("claude-haiku-4-5-20251001") == price("claude-haiku-4-5")


@pytest.mark.parametrize("model", ["claude-fable-5-2", "claude-mythos-preview", "claude", "gpt", ""])
def test_a_model_that_is_not_listed_has_no_price(model: str) -> None:
    assert price(model) is None
    assert priced(model, Usage(input=1)).cost is None


def test_a_long_prompt_makes_all_of_its_call_dearer() -> None:
    short = Usage(input=40_000, cache_read=60_000, output=1_000_000)
    long = Usage(input=40_001, cache_read=60_000, output=1_000_000)
    assert priced("claude-haiku-5-5", short).cost == pytest.approx(0.04 * 0.10 + 0.06 * 0.01 + 0.50)
    assert priced("claude-haiku-5-5", long).cost == pytest.approx(0.040001 * 0.50 + 0.06 * 0.05 + 2.50)


def test_what_was_used_is_kept_beside_its_cost() -> None:
    usage = Usage(input=1, output=2, cache_read=3, cache_write=4)
    assert priced("unknown", usage) == Usage(1, 2, 3, 4, None)
