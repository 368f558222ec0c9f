"""What the service's errors mean to a run: come back later, say less, or give up and say why."""

from __future__ import annotations

import json
from collections.abc import Mapping
from email.utils import mktime_tz, parsedate_tz
from time import time
from typing import TYPE_CHECKING

from scenarios.errors import ModelError
from tester.models.assembly import Assembly
from tester.models.protocol import ContextTooLong, Done, ModelBroke, ModelBusy

if TYPE_CHECKING:
    from anthropic import APIConnectionError, APIStatusError

# How long to wait where the service does not say, in seconds.
_AFTER = {429: 15.0, 529: 5.0}
AFTER_ANY = 2.0

_GIVE_UP = {
    401: "refused the credentials: check ANTHROPIC_API_KEY",
    402: "asks for payment",
    403: "does not let these credentials use it",
    404: "does not know it: check --model and ANTHROPIC_BASE_URL",
}
_LATER = {"rate_limit_error": 429, "overloaded_error": 529}
_FOR_GOOD = {
    "invalid_request_error",
    "authentication_error",
    "billing_error",
    "permission_error",
    "not_found_error",
}


def of_status(model: str, error: APIStatusError) -> Exception:
    """The meaning of a status that is not 200."""
    said, status, headers = error.api_message or error.message, error.status_code, error.response.headers
    if status == 413 or (status == 400 and "too long" in said.lower()):
        return ContextTooLong(f"{model}: the conversation is too long ({said})")
    for_good = headers.get("x-should-retry") == "false"
    if not for_good and (status in (408, 409, 429) or status >= 500):
        return ModelBusy(f"{model} is not to be had now ({status}: {said})", retry_after(headers, status))
    what = _GIVE_UP.get(status, "refused the request")
    return ModelError(f"{model}: the service {what} ({status}: {said})")


def of_connection(model: str, error: APIConnectionError) -> Exception:
    """The meaning of a connection that was not made, or was lost before an answer came."""
    import httpx2

    cause = error.__cause__ or error
    if isinstance(cause, httpx2.ConnectError | httpx2.TimeoutException):
        return ModelBusy(f"no connection to {model}: {cause}", AFTER_ANY)
    return ModelBroke(f"the connection to {model} was lost: {type(cause).__name__}: {cause}")


def of_event(model: str, data: str) -> Exception:
    """The meaning of an error event in the middle of a stream."""
    try:
        error = json.loads(data)["error"]
        kind, said = str(error["type"]), str(error["message"])
    except (ValueError, KeyError, TypeError):
        return ModelBroke(f"{model} broke off: {data[:200]}")
    if kind in _LATER:
        return ModelBusy(f"{model} broke off ({kind}: {said})", _AFTER[_LATER[kind]])
    if kind in _FOR_GOOD:
        return ModelError(f"{model} broke off ({kind}: {said})")
    return ModelBroke(f"{model} broke off ({kind}: {said})")


def heard_out(model: str, done: Done, assembly: Assembly) -> Done:
    """The message, if it is one.

    Raises:
        ModelError: the model declined to answer.
        ContextTooLong: the window was full before the message was.
    """
    if done.stop_reason == "refusal":
        details = assembly.stop.get("stop_details") or {}
        why = details.get("explanation") or details.get("category") or "no reason was given"
        raise ModelError(f"{model} declined to answer: {why}")
    if done.stop_reason == "model_context_window_exceeded":
        raise ContextTooLong(f"{model}: the conversation filled the model's window")
    return done


def retry_after(headers: Mapping[str, str], status: int = 0) -> float:
    """How many seconds the service asks to wait, as a number or a date; our own guess where it does not."""
    milliseconds, wait = headers.get("retry-after-ms"), headers.get("retry-after", "")
    try:
        return max(0.0, float(milliseconds) / 1000 if milliseconds else float(wait))
    except ValueError:
        date = parsedate_tz(wait)
        return max(0.0, mktime_tz(date) - time()) if date else _AFTER.get(status, AFTER_ANY)
