"""What people watch: a calm live view where a terminal is there, plain lines where none is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TextIO

from traces.events import Event, Sink


@contextmanager
def watch(
    stream: TextIO, environment: Mapping[str, str], quiet: bool, verbose: bool, reporter: Sequence[str]
) -> Iterator[Sink]:
    """A sink that shows a run on `stream` as it happens, until the block ends."""

    def tell(event: Event) -> None:
        stream.write(json.dumps(event.to_json(), default=str) + "\n")

    yield tell
