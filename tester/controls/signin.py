"""Signing in: the form that holds the one password field, whatever its fields are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.async_api import Error as PlaywrightError

from tester.recorder import StepFailed

if TYPE_CHECKING:
    from playwright.async_api import ElementHandle, Frame, Locator

    from tester.turn import TurnContext

_PASSWORDS = "input[type=password]"
_NAMELY = ("text", "email", "tel", "url", "search")

_FIELDS_BEFORE = """(password, types) => {
  const around = password.form ?? password.getRootNode();
  const inputs = [...around.querySelectorAll('input')].filter(one => one.checkVisibility());
  return inputs.slice(0, inputs.indexOf(password)).filter(one => types.includes(one.type)).pop() ?? null;
}"""
"""The field for the name: the last one for a text that stands before the password."""

_BUTTON = """password => {
  const around = password.form ?? password.getRootNode();
  const pressed = 'button, input[type=submit], input[type=image], [role=button]';
  const buttons = [...around.querySelectorAll(pressed)];
  const follows = one => password.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING;
  const fit = buttons.filter(one => one.checkVisibility() && one.type !== 'reset' && follows(one));
  return fit.find(one => one.type === 'submit' || one.type === 'image') ?? fit[0] ?? null;
}"""


async def sign_in(turn: TurnContext, user: str, password: str) -> None:
    """Fills name and password into the one sign-in form that can be seen, and submits it.

    Raises:
        StepFailed: there is no such form, or more than one; or it does not take what is entered.
    """
    field = await _password_field(turn)
    name = await _beside(field, _FIELDS_BEFORE, _NAMELY)
    if name is None:
        raise StepFailed("no field for a name stands before the password; fill them one by one")
    limit = turn.deadlines.tool * 1000
    await name.fill(user, timeout=limit)
    await field.fill(password, timeout=limit)
    if await name.input_value() != user or await field.input_value() != password:
        raise StepFailed("the sign-in form does not hold what was entered; fill its fields one by one")
    button = await _beside(field, _BUTTON)
    act = button.click(timeout=limit, no_wait_after=True) if button else field.press("Enter", timeout=limit)
    try:
        await act
    except PlaywrightError as error:
        if not turn.session.page.is_closed():
            raise StepFailed("the sign-in form could not be submitted; press its button by name") from error


async def _password_field(turn: TurnContext) -> Locator:
    found = [one for frame in turn.page.frames for one in await _in_frame(frame)]
    if len(found) != 1:
        many = f"{len(found)} password fields can" if found else "no password field can"
        raise StepFailed(f"{many} be seen on this page; open the sign-in form, or fill its fields one by one")
    return found[0]


async def _in_frame(frame: Frame) -> list[Locator]:
    return [one for one in await frame.locator(_PASSWORDS).all() if await one.is_visible()]


async def _beside(field: Locator, script: str, *arguments: object) -> ElementHandle | None:
    handle = await field.evaluate_handle(script, *arguments)
    return handle.as_element()
