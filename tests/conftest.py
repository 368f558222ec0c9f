"""What every test may use: one event loop backend, one browser for each worker, small pages on loopback."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Playwright speaks asyncio alone."""
    return "asyncio"
