"""Playwright's own trace of a run, `trace.zip`, with every declared secret taken out of it again."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path


def redact_pack(path: Path, redact: Callable[[str], str]) -> None:
    """Rewrites the archive in place; texts in it are redacted, pictures and other bytes stay as they are."""
    clean = path.with_suffix(".clean")
    with zipfile.ZipFile(path) as pack, zipfile.ZipFile(clean, "w", zipfile.ZIP_DEFLATED) as out:
        for item in pack.infolist():
            out.writestr(item.filename, _clean(pack.read(item), redact))
    clean.replace(path)


def _clean(data: bytes, redact: Callable[[str], str]) -> bytes:
    try:
        return redact(data.decode()).encode()
    except UnicodeDecodeError:
        return data
