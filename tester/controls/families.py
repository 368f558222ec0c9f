"""Which family a control that was found belongs to."""

from __future__ import annotations

from tester.controls.choice import SELECT
from tester.controls.family import Family
from tester.controls.files import FILES
from tester.controls.text import EDITABLE, NUMBER, TEXT
from tester.controls.toggle import CHECK, CHECKS, RADIOS

FAMILIES: dict[str, Family] = {
    "text": TEXT,
    "number": NUMBER,
    "editable": EDITABLE,
    "select": SELECT,
    "check": CHECK,
    "radio": CHECK,
    "radios": RADIOS,
    "checks": CHECKS,
    "file": FILES,
}
"""By the name that the page's script gives it."""
