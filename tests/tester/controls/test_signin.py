"""Signing in needs no names: the form with the one password field is the one that is meant."""

from __future__ import annotations

import pytest

from tester.form import form
from tests.conftest import OpenPage
from tests.site import Answer, Site

pytestmark = pytest.mark.anyio

PAGE = """<label>Search <input name=q></label><form method=post action=/login>
{fields}<input type=password name=p>{button}</form>"""


@pytest.mark.parametrize("fields", ["<input name=u>", "<label>E-mail <input type=email name=u></label>"])
@pytest.mark.parametrize(
    "button",
    [
        "<button>Go</button>",
        "<input type=submit value=Go>",
        "<button type=button onclick=form.submit()>Go</button>",
    ],
)
async def test_name_and_password_are_filled_and_submitted(
    open_page: OpenPage, site: Site, fields: str, button: str
) -> None:
    site.on("POST", "/login", Answer("<h1>Welcome</h1>"))
    secrets = {"PASSWORD": "hidden-one"}
    turn = await open_page(PAGE.format(fields=fields, button=button), secrets=secrets)
    entry = {"sign_in": {"user": "ann@example.org", "password": "{{PASSWORD}}"}}
    result = await form(turn, [entry])
    assert result["ok"], result
    assert [asked.body for asked in site.commits()] == ["u=ann%40example.org&p=hidden-one"]
    assert "hidden-one" not in str(result)
    assert turn.recorder.steps[0].commit


async def test_a_page_without_a_sign_in_form_says_so(open_page: OpenPage) -> None:
    turn = await open_page("<label>Name <input></label>")
    result = await form(turn, [{"sign_in": {"user": "ann", "password": "x"}}])
    assert "no password field" in result["steps"][0]["why"]


async def test_a_double_click_is_one_step_of_two_clicks(open_page: OpenPage) -> None:
    turn = await open_page("<button ondblclick=\"document.title += ' twice'\">Open</button>")
    assert (await form(turn, [{"click": "Open", "double": True}]))["ok"]
    assert await turn.page.title() == "Page twice"
