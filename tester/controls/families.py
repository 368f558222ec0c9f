"""Which family a control that was found belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tester.controls.boxes import BOXES
from tester.controls.cell import CELL
from tester.controls.choice import SELECT
from tester.controls.colour import COLOUR
from tester.controls.dates import DATE, read_moment
from tester.controls.datetext import DATETEXT
from tester.controls.dropdown import DROPDOWN, LISTBOX
from tester.controls.editor import EDITOR
from tester.controls.family import Family
from tester.controls.files import CHOOSER, FILES
from tester.controls.pair import PAIR
from tester.controls.readonly import READONLY
from tester.controls.sections import SECTIONS
from tester.controls.slider import RANGE, SLIDER
from tester.controls.tags import TAGS
from tester.controls.text import EDITABLE, NUMBER, TEXT
from tester.controls.toggle import CHECK, CHECKS, RADIOS

if TYPE_CHECKING:
    from tester.find import Target

_FAMILIES: dict[str, Family] = {
    "text": TEXT,
    "number": NUMBER,
    "editable": EDITABLE,
    "editor": EDITOR,
    "select": SELECT,
    "combobox": DROPDOWN,
    "listbox": LISTBOX,
    "readonly": READONLY,
    "check": CHECK,
    "radio": CHECK,
    "radios": RADIOS,
    "checks": CHECKS,
    "file": FILES,
    "date": DATE,
    "color": COLOUR,
    "range": RANGE,
    "slider": SLIDER,
    "spinbutton": SLIDER,
    "boxes": BOXES,
    "sections": SECTIONS,
    "pair": PAIR,
    "cell": CELL,
}
"""By the name that the page's script gives it."""


def family_of(target: Target, value: Any) -> Family | None:
    """The family that handles this control for a value of this kind; None for one that holds no value."""
    if target.family == "text" and isinstance(value, list):
        return TAGS
    if target.family == "text" and target.facts.get("datelike") and read_moment(str(value)).day is not None:
        return DATETEXT
    if target.family == "button" and target.wish.takes == "files":
        return CHOOSER
    return _FAMILIES.get(target.family)
