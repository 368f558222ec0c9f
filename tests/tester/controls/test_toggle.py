"""On and off: native and drawn boxes, switches, radios, sets of them; pressed once, and only when needed."""

from __future__ import annotations

from typing import Any

import pytest

from tester.deadlines import Deadlines
from tester.form import form

pytestmark = pytest.mark.anyio

SOON = Deadlines(blocked=0.2)
FLIP = "onclick=\"setAttribute('aria-checked', getAttribute('aria-checked') != 'true')\""
BOXES = {
    "native": "<label><input type=checkbox id=f> F</label>",
    "label after": "<input type=checkbox id=f><label for=f>F</label>",
    "hidden, with a drawn face": """
        <label><input type=checkbox id=f style="display:none">
        <i style="display:inline-block;width:20px;height:20px;border:1px solid"></i> F</label>""",
    "transparent over its face": """
        <label style="position:relative"><input type=checkbox id=f style="opacity:0;position:absolute;inset:0">
        <b>✓</b> F</label>""",
    "with a link in the label": """
        <label style="display:inline-block"><input type=checkbox id=f style="display:none">
        <a href=#away>F</a> &nbsp; &nbsp; &nbsp; &nbsp; </label>""",
    "role checkbox": f"<div role=checkbox id=f tabindex=0 aria-checked=false {FLIP}>F</div>",
    "role switch": f"""
        <span id=l>F</span><button role=switch id=f aria-labelledby=l aria-checked=false {FLIP}>off</button>""",
    "pressed button": f"<button id=f aria-pressed=false {FLIP.replace('checked', 'pressed')}>F</button>",
    "replaced by its own click": """
        <p id=p></p><script>on = false; draw = () => p.innerHTML = `<label><input type=checkbox id=f
        ${on ? 'checked' : ''} onclick="on = !on; setTimeout(draw)"> F</label>`; draw()</script>""",
    "slow to change": """
        <div role=checkbox id=f tabindex=0 aria-checked=false onclick="const to = ariaChecked != 'true';
        setTimeout(() => ariaChecked = to, 120)">F</div>""",
}
STATE = "f.matches('input') ? f.checked : (f.ariaChecked ?? f.ariaPressed) == 'true'"


@pytest.mark.parametrize("html", BOXES.values(), ids=BOXES)
async def test_a_box_goes_on_stays_on_and_goes_off(html: str, open_page: Any) -> None:
    turn = await open_page(
        html + "<script>clicks = 0; addEventListener('pointerup', () => clicks++)</script>"
    )
    for value, clicks in ((True, 1), (True, 1), (False, 2)):
        result = await form(turn, [{"field": "F", "value": value}])
        assert result["ok"], result
        assert await turn.page.evaluate(STATE) is value
        assert await turn.page.evaluate("clicks") == clicks
    assert turn.page.url.endswith("/page")


async def test_words_for_on_and_off_are_understood_and_others_are_not(open_page: Any) -> None:
    turn = await open_page("<label><input type=checkbox id=f> F</label>", deadlines=SOON)
    assert (await form(turn, [{"field": "F", "value": "yes"}]))["ok"]
    result = await form(turn, [{"field": "F", "value": "maybe"}])
    assert "'F' is on or off: it takes true or false, not 'maybe'" in result["steps"][0]["why"]


async def test_a_box_that_does_not_change_is_pressed_once_and_told(open_page: Any) -> None:
    turn = await open_page(
        "<div role=checkbox aria-checked=false tabindex=0 onclick='window.n = (window.n || 0) + 1'>F</div>",
        deadlines=SOON,
    )
    result = await form(turn, [{"field": "F", "value": True}])
    assert result["steps"][0]["why"] == "'F' holds False, not True"
    assert await turn.page.evaluate("n") == 1


EXCLUSIVE = """<script>for (const one of all = document.querySelectorAll('[{0}]'))
    one.onclick = () => all.forEach(each => each.setAttribute('{0}', each == one))</script>"""
RADIOS = {
    "native": """<fieldset><legend>Plan</legend>
        <label><input type=radio name=p value=solo checked>Solo</label>
        <label><input type=radio name=p value=team>Team</label></fieldset>""",
    "cards": """<fieldset><legend>Plan</legend>
        <label><input type=radio name=p value=solo hidden><b>Solo</b> <small>Team of one</small></label>
        <label><input type=radio name=p value=team hidden><b>Team</b> <small>All</small></label></fieldset>""",
    "roles": """<div role=radiogroup aria-label=Plan><div role=radio aria-checked=true tabindex=0>Solo</div>
        <div role=radio aria-checked=false tabindex=0>Team</div></div>"""
    + EXCLUSIVE.format("aria-checked"),
    "no group, no legend": """<p>Plan</p><input type=radio name=p value=solo id=a><label for=a>Solo</label>
        <input type=radio name=p value=team id=b><label for=b>Team</label>""",
    "pressed buttons": """<div role=group aria-label=Plan><button aria-pressed=true>Solo</button>
        <button aria-pressed=false>Team</button></div>"""
    + EXCLUSIVE.format("aria-pressed"),
}
CHOSEN = """document.querySelector('input:checked')?.value
    ?? document.querySelector('[aria-checked=true], [aria-pressed=true]').textContent.toLowerCase()"""


@pytest.mark.parametrize("html", RADIOS.values(), ids=RADIOS)
async def test_one_of_a_set_is_chosen_by_its_name(html: str, open_page: Any) -> None:
    turn = await open_page(html, deadlines=SOON)
    result = await form(turn, [{"field": "Plan", "value": "Team"}])
    assert result["ok"], result
    assert await turn.page.evaluate(CHOSEN) == "team"
    result = await form(turn, [{"field": "Plan", "value": "Duo"}])
    assert "no option 'Duo'; options: Solo" in result["steps"][0]["why"]


async def test_a_list_sets_every_box_of_a_group(open_page: Any) -> None:
    box = "<label><input type=checkbox value={0} {1}>{0}</label>"
    boxes = box.format("basil", "") + box.format("ham", "checked") + box.format("olive", "")
    turn = await open_page(f"<fieldset><legend>Toppings</legend>{boxes}</fieldset>")
    result = await form(turn, [{"field": "Toppings", "value": ["Basil", "Olive"]}])
    assert result["ok"], result
    chosen = await turn.page.evaluate("[...document.querySelectorAll(':checked')].map(one => one.value)")
    assert chosen == ["basil", "olive"]


async def test_a_radio_is_not_switched_off(open_page: Any) -> None:
    turn = await open_page(
        "<label><input type=radio name=p checked> Solo</label><label><input type=radio name=p> Team</label>"
    )
    result = await form(turn, [{"field": "Solo", "value": False}])
    assert "choose another one of its group instead" in result["steps"][0]["why"]
