"""Dates and times as people write them, and the form in which a control wants them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, time
from typing import TYPE_CHECKING, Any

from tester.controls.family import Family
from tester.recorder import StepFailed

if TYPE_CHECKING:
    from tester.find import Target
    from tester.recorder import StepRecord

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_WORD = re.compile(r"[a-z]{3,9}")
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_NUMERIC = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})")
_WORDY = re.compile(
    r"(?:(\d{1,2})(?:st|nd|rd|th)?\.?\s+)?([a-z]{3,9})\.?(?:\s+(\d{1,2})(?:st|nd|rd|th)?)?,?\s+(\d{4})"
)
_TIME = re.compile(r"(\d{1,2})[:.h](\d{2})(?:[:.](\d{2}))?\s*([ap])?\.?m?\.?|(\d{1,2})\s*([ap])\.?m\.?")
_MONTH = re.compile(r"(\d{4})[-/.](\d{1,2})|(\d{1,2})[-/.](\d{4})")
_WEEK = re.compile(r"(\d{4})-?\s*w(?:eek)?\s*(\d{1,2})|w(?:eek)?\s*(\d{1,2})[,/ ]+(\d{4})")


@dataclass(frozen=True, slots=True)
class Moment:
    """What a text says of a date and a time of day; either may be missing."""

    day: date | None = None
    clock: time | None = None


def read_moment(text: str, *, day_first: bool = False) -> Moment:
    """The date and time of day that a text writes; `day_first` settles 3/4/2026."""
    text = text.strip().lower()
    rest, day = _read_day(text, day_first)
    return Moment(day, _read_time(rest.replace("t", " ", 1) if rest.startswith("t") else rest))


def _read_day(text: str, day_first: bool) -> tuple[str, date | None]:
    for pattern, make in ((_ISO, _from_iso), (_NUMERIC, _from_numeric), (_WORDY, _from_words)):
        found = pattern.search(text)
        if found and (day := make(found, day_first)) is not None:
            return (text[: found.start()] + text[found.end() :]).strip(" ,"), day
    return text, None


def _from_iso(found: re.Match[str], day_first: bool) -> date | None:
    return _date(found[1], found[2], found[3])


def _from_numeric(found: re.Match[str], day_first: bool) -> date | None:
    first, mark, second, year = found.groups()
    turned = mark == "." or day_first or int(first) > 12
    return _date(year, second, first) if turned and int(second) <= 12 else _date(year, first, second)


def _from_words(found: re.Match[str], day_first: bool) -> date | None:
    before, word, after, year = found.groups()
    day = before or after
    return _date(year, str(_month(word) or 0), day) if day else None


def _month(word: str) -> int | None:
    return _MONTHS.index(word[:3]) + 1 if word[:3] in _MONTHS else None


def _date(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def _read_time(text: str) -> time | None:
    found = _TIME.search(text)
    if found is None:
        return None
    hour, half = int(found[1] or found[5]), found[4] or found[6]
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    try:
        return time(hour, int(found[2] or 0), int(found[3] or 0))
    except ValueError:
        return None


def for_control(kind: str, text: str, *, day_first: bool = False) -> str | None:
    """The text in the form that an input of this type holds; None when it does not say enough."""
    moment = read_moment(text, day_first=day_first)
    clock = moment.clock.isoformat("seconds" if moment.clock.second else "minutes") if moment.clock else None
    match kind:
        case "date":
            return moment.day.isoformat() if moment.day else None
        case "time":
            return clock
        case "datetime-local":
            return f"{moment.day.isoformat()}T{clock}" if moment.day and clock else None
        case "month":
            return f"{moment.day:%Y-%m}" if moment.day else _read_month(text.lower())
        case _:
            return _read_week(text.lower(), moment.day)


def _read_month(text: str) -> str | None:
    if found := _MONTH.search(text):
        year, month = (found[1], found[2]) if found[1] else (found[4], found[3])
    else:
        word, number = _WORD.search(text), re.search(r"\d{4}", text)
        if not word or not number or not _month(word[0]):
            return None
        year, month = number[0], str(_month(word[0]))
    return f"{year}-{int(month):02}" if 1 <= int(month) <= 12 else None


def _read_week(text: str, day: date | None) -> str | None:
    if found := _WEEK.search(text):
        year, week = (found[1], found[2]) if found[1] else (found[4], found[3])
        last = (date(int(year), 12, 28)).isocalendar().week
        return f"{year}-W{int(week):02}" if 1 <= int(week) <= last else None
    if day is None:
        return None
    calendar = day.isocalendar()
    return f"{calendar.year}-W{calendar.week:02}"


_LETTERS = ("dmy", "tmj", "jma", "dma", "gma", "dmj")
"""Day, month and year as placeholders of several languages abbreviate them."""


def in_pattern(pattern: str, day: date) -> str | None:
    """The date as a placeholder such as dd.mm.yyyy writes it; None when the pattern is none."""
    words = re.findall(r"[A-Za-z]+", pattern)
    if len(words) != 3 or any(len(set(word.lower())) > 1 for word in words):
        return None
    letters = next(
        (one for one in _LETTERS if sorted(one) == sorted(word[0].lower() for word in words)), None
    )
    if letters is None:
        return None

    def written(found: re.Match[str]) -> str:
        word = found[0]
        what = letters.index(word[0].lower())
        if what == 2:
            return f"{day.year:04}"[-2 if len(word) == 2 else -4 :]
        return f"{(day.day, day.month)[what]:0{min(len(word), 2)}}"

    return re.sub(r"[A-Za-z]+", written, pattern)


def accept_date(target: Target, value: Any) -> str:
    """The value in the form that the input holds, inside its limits."""
    text = "" if isinstance(value, bool | list) else str(value).strip()
    if value == "":
        return ""
    found = for_control(target.type, text, day_first=bool(target.facts.get("dayFirst"))) if text else None
    if found is None:
        raise StepFailed(
            f"{target.wish.name!r} takes a {_KINDS.get(target.type, 'date')}, not {value!r}"[:300]
        )
    low, high = target.facts.get("min"), target.facts.get("max")
    if (low and found < low) or (high and found > high):
        raise StepFailed(f"{target.wish.name!r} takes {_limits(low, high)}; {found} is outside")
    return found


_KINDS = {
    "date": "date (2026-03-14)",
    "time": "time (08:05)",
    "datetime-local": "date and time (2026-03-14T08:05)",
    "month": "month (2026-03)",
    "week": "week (2026-W11)",
}


def _limits(low: str | None, high: str | None) -> str:
    return f"{low} to {high}" if low and high else f"{low} or later" if low else f"{high} or earlier"


def same_day(asked: str, got: Any) -> bool:
    """Whether what is shown is the same date, however it is written."""
    shown = str(got[0] if isinstance(got, list) and got else got or "")
    day = read_moment(asked).day
    return day is not None and day in (read_moment(shown).day, read_moment(shown, day_first=True).day)


async def set_date(target: Target, value: str, step: StepRecord) -> None:
    """Gives the input its value in its own form, with the events that a person's choice would cause."""
    await target.locator.fill(value, timeout=target.turn.deadlines.action * 1000)


DATE = Family("set", accept_date, set_date)
