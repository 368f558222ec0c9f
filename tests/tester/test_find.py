"""Names, as people say them, to controls: the order of the rules, groups, ties, what is said of nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tester.deadlines import Deadlines
from tester.find import find
from tester.recorder import StepFailed
from tester.turn import TurnContext

pytestmark = pytest.mark.anyio

SOON = Deadlines(blocked=0.15)

RULES = {
    "label for": '<label for="x">Name</label><input id="x"><input>',
    "wrapping label": "<label>Name <input id=x></label><input>",
    "label around a select": "<label>Name <select id=x><option>One<option>Two</select></label>",
    "label after the field": "<input id=x><label for=x>Name</label>",
    "aria-labelledby of two": "<b id=a>First</b> <i id=b>name</i> <input id=x aria-labelledby='a b'>",
    "aria-label": "<input><input id=x aria-label=Name>",
    "placeholder": "<input><input id=x placeholder='Name'>",
    "title": "<input><input id=x title=Name>",
    "alt of an image button": "<input id=x type=image alt=Name>",
    "test id": "<input><input id=x data-testid=Name>",
    "text before": "<p>Name: <input id=x></p><p>Other: <input></p>",
    "text before in a cell": "<table><tr><td>Name<td><input id=x><tr><td>Other<td><input></table>",
    "text before in a block": "<div><div>Name</div><div><div><input id=x></div></div></div>",
    "unassociated label": "<div><label>Name</label><input id=x></div><div><label>Other</label><input></div>",
    "definition list": "<dl><dt>Name<dd><input id=x><dt>Other<dd><input></dl>",
    "text after a checkbox": "<input type=checkbox id=x> Name <input type=checkbox> Other",
    "legend of radios": (
        "<fieldset><legend>Name</legend><input type=radio name=r id=x> A <input type=radio name=r> "
        "B</fieldset>"
    ),
    "text before radios": "<p>Name</p><div><input type=radio name=r id=x>A<input type=radio name=r>B</div>",
    "shadow root": "<x-field></x-field><script>customElements.define('x-field', class extends HTMLElement {"
    "connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = '<label>Name <input id=x>"
    "</label>' }})</script>",
    "contenteditable": "<div>Name</div><div id=x contenteditable style='border:1px solid'></div>",
    "role textbox": "<div id=x role=textbox contenteditable aria-label=Name style='border:1px solid'></div>",
}


@pytest.mark.parametrize("html", RULES.values(), ids=RULES)
async def test_every_rule_finds_its_field(html: str, open_page: Any) -> None:
    turn = await open_page(html)
    wanted = "click" if "image" in html else "field"
    name = "First name" if "First" in html else "Name"
    assert await found(turn, name, wanted=wanted) == "x"


@pytest.mark.parametrize(
    ("name", "html"),
    [
        ("Password", "<label>Confirm password <input></label><label>Password <input id=x></label>"),
        (
            "Password",
            "<p><label>Password:<em>*</em></label><input id=x></p><p><label for=c>Confirm "
            "password</label><input id=c></p>",
        ),
        (
            "Email",
            "<label>E-mail address <input></label><label>Email <input id=x></label><label>Email address "
            "<input></label>",
        ),
        ("email", "<label>EMAIL <input id=x></label>"),
        ("Files", "<label>Files (3) <input id=x></label><label>Files shared <input></label>"),
        ("Tel.", "<label>Tel. <input id=x></label><label>Hotel <input></label>"),
        ("Email", "<label>Your email address <input id=x></label><label>Name <input></label>"),
        ("Email", "<label>Email <input id=x></label><input placeholder=Email>"),
        ("Email", "<div hidden><label>Email <input></label></div><label>Email <input id=x></label>"),
        (
            "Email",
            "<div aria-hidden=true><label>Email <input></label></div><label>Email <input id=x></label>",
        ),
        ("Search", "<label>Search <input id=x></label><button>Search</button>"),
        (
            "Volume",
            "<span id=l>Volume</span><div role=group aria-labelledby=l><input type=range id=x "
            "aria-labelledby=l></div>",
        ),
        (
            "Two",
            "<input type=text style='display:none'><label>One <input></label><label>Two <input id=x></label>",
        ),
    ],
)
async def test_the_better_name_wins(name: str, html: str, open_page: Any) -> None:
    assert await found(await open_page(html), name) == "x"


async def test_the_value_tells_a_checkbox_from_a_text_field_of_the_same_name(open_page: Any) -> None:
    turn = await open_page(
        "<label>Alarm <input id=text></label><label>Alarm <input type=checkbox id=box></label>"
    )
    assert await found(turn, "Alarm", takes="toggle") == "box"
    assert await found(turn, "Alarm", takes="text") == "text"


GROUPS = {
    "legend": (
        "<fieldset><legend>A</legend>{a}</fieldset><fieldset><legend>B <small>(optional)</small>"
        "</legend>{b}</fieldset>"
    ),
    "aria-label": "<div role=group aria-label=A>{a}</div><div role=group aria-label=B>{b}</div>",
    "aria-labelledby": "<h3 id=h>B</h3><section aria-labelledby=h>{b}</section>"
    "<section aria-label=A>{a}</section>",
    "heading in a section": "<section><h2>A</h2>{a}</section><section><h2>B</h2>{b}</section>",
    "heading in a flat page": "<h2>A</h2><p>{a}</p><h2>B</h2><p>{b}</p>"
    "<h2>C</h2><p><input aria-label=Name></p>",
    "card title": "<div class=c><b>A</b><p>{a}</p></div><div class=c><b>B</b><p>{b}</p></div>",
    "row": "<table><tr><td>A<td>{a}<tr><td>B<td>{b}</table>",
    "row whose name is part of another": "<table><tr><td>A B<td>{a}<tr><td>B<td>{b}</table>",
    "list item": "<ul><li>A {a}</li><li>B {b}</li></ul>",
    "dialog": "{a}<div role=dialog aria-label=B>{b}</div>",
    "details": "<details open><summary>A</summary>{a}</details>"
    "<details open><summary>B</summary>{b}</details>",
    "form": "<form aria-label=A>{a}</form><form aria-label=B>{b}</form>",
}


@pytest.mark.parametrize("html", GROUPS.values(), ids=GROUPS)
async def test_within_names_a_group(html: str, open_page: Any) -> None:
    field = "<input aria-label=Name id={}><button id=go-{}>Go</button>"
    turn = await open_page(html.format(a=field.format("y", "y"), b=field.format("x", "x")))
    assert await found(turn, "Name", within="B") == "x"
    assert await found(turn, "Go", wanted="click", within="B") == "go-x"


async def test_a_cell_is_named_by_its_column_and_its_row(open_page: Any) -> None:
    turn = await open_page(
        "<table><thead><tr><th>Item<th>Quantity<th>Price</thead>"
        "<tr><th>Mug<td><input id=mq><td><input id=mp><tr><th>Blue mug<td><input id=bq><td><input id=bp>"
        "</table>"
    )
    assert await found(turn, "Quantity", within="Mug") == "mq"
    assert await found(turn, "Price", within="Blue mug") == "bp"


@pytest.mark.parametrize(
    ("group", "id"), [("row 2", "b"), ("second row", "b"), ("2nd row", "b"), ("last row", "c")]
)
async def test_rows_without_a_name_are_counted(group: str, id: str, open_page: Any) -> None:
    rows = "".join(f"<tr><td><input aria-label=Label id={id}><td><input>" for id in "abc")
    turn = await open_page(f"<p>Label of the table</p><table><tr><th>Label<th>Stock{rows}</table>")
    assert await found(turn, "Label", within=group) == id


async def test_a_field_in_frames_is_found_at_any_depth(open_page: Any, site: Any) -> None:
    site.page("/outer", "<iframe src=/inner></iframe>")
    site.page("/inner", "<label>Name <input id=x></label>")
    turn = await open_page("<label>Other <input></label><iframe src=/outer></iframe>")
    assert await found(turn, "Name") == "x"


async def test_a_ref_of_the_page_view_is_a_name(open_page: Any) -> None:
    turn = await open_page("<label>Name <input></label><label>Name <input id=x></label>")
    view = await turn.page.aria_snapshot(mode="ai")
    refs = [part.partition("]")[0] for part in view.split("[ref=")[1:]]
    ids = {ref: await (await turn.page.get_by_ref(ref).element_handle()).get_attribute("id") for ref in refs}
    (ref,) = [ref for ref, id in ids.items() if id == "x"]
    assert await found(turn, ref) == "x"


async def test_a_field_that_turns_up_late_is_waited_for(open_page: Any) -> None:
    turn = await open_page(
        "<p id=p></p><script>setTimeout(() => p.innerHTML = '<label>Name <input id=x></label>', 150)</script>"
    )
    assert await found(turn, "Name") == "x"


async def test_a_locator_finds_the_field_again_after_the_page_was_drawn_anew(open_page: Any) -> None:
    turn = await open_page("<p id=p><label>Name <input class=old></label></p>")
    target = await find(turn, "Name")
    await turn.page.evaluate("p.innerHTML = '<label>Name <input class=new></label>'")
    assert await target.locator.get_attribute("class") == "new"


MODALS = {
    "native": "<dialog id=d><label>Name <input id=x></label></dialog><script>d.showModal()</script>",
    "declared": "<div role=dialog aria-modal=true><label>Name <input id=x></label></div>",
    "by its backdrop": "<div style='position:fixed;inset:0'><div role=dialog><label>Name <input id=x></label></div></div>",
}


@pytest.mark.parametrize("html", MODALS.values(), ids=MODALS)
async def test_an_open_modal_dialog_comes_first(html: str, open_page: Any) -> None:
    turn = await open_page(f"<label>Name <input></label>{html}")
    assert await found(turn, "Name") == "x"


REASONS = [
    (
        "<fieldset><legend>Home</legend><label>Street <input></label></fieldset><fieldset>"
        "<legend>Work</legend><label>Street <input></label></fieldset>",
        {"name": "Street"},
        ["2 controls fit 'Street'", "group “Home”", "group “Work”", '"within"'],
    ),
    (
        "<fieldset><legend>Home</legend><label>Street <input></label></fieldset><fieldset>"
        "<legend>Work</legend></fieldset>",
        {"name": "Street", "within": "Work"},
        ["'Work' holds no 'Street'", "group “Home”"],
    ),
    (
        "<fieldset><legend>Home</legend><label>Street <input></label></fieldset>",
        {"name": "Street", "within": "Office"},
        ["no group is called 'Office'", "group “Home”"],
    ),
    (
        "<label>Email <input></label><label>Emergency contact <input></label><label>Age <input></label>",
        {"name": "Emial"},
        ["no field is called 'Emial'", "similar: 'Email'"],
    ),
    ("<label hidden>Promo <input></label>", {"name": "Promo"}, ["'Promo' is on the page but hidden"]),
    (
        "<button disabled title='Fill in the name first'>Save</button>",
        {"name": "Save", "wanted": "click", "act": "press"},
        ["'Save' is disabled", "Fill in the name first"],
    ),
    (
        "<button aria-disabled=true aria-describedby=h>Save</button><p id=h>No rights</p>",
        {"name": "Save", "wanted": "click", "act": "press"},
        ["'Save' is disabled", "No rights"],
    ),
    ("<label>Name <input disabled></label>", {"name": "Name", "act": "set"}, ["'Name' is disabled"]),
    (
        "<button>Save</button><div style='position:fixed;inset:0;background:#fff8' role=dialog "
        "aria-label=Cookies><button>Accept</button></div>",
        {"name": "Save", "wanted": "click", "act": "press"},
        ["'Save' is covered by “Cookies”", "'Accept'", "first"],
    ),
    (
        "<label>Name <input></label><div style='position:fixed;inset:0;background:#fff8'>Please wait</div>",
        {"name": "Name", "act": "set"},
        ["'Name' is covered by “Please wait”"],
    ),
    ("<p>nothing</p>", {"name": "Save", "wanted": "click"}, ["no button or link is called 'Save'"]),
]


@pytest.mark.parametrize(("html", "asked", "says"), REASONS, ids=[says[0] for _, _, says in REASONS])
async def test_the_reason_is_a_testers(
    html: str, asked: dict[str, Any], says: list[str], open_page: Any
) -> None:
    turn = await open_page(html, deadlines=SOON)
    with pytest.raises(StepFailed) as failed:
        await find(turn, **asked)
    assert [text for text in says if text not in failed.value.why] == []
    assert len(failed.value.why) <= 300


async def test_a_reason_never_grows_with_the_page(open_page: Any) -> None:
    rows = "".join(
        f"<fieldset><legend>Group number {n} {'x' * 60}</legend><label>Street <input></label></fieldset>"
        for n in range(40)
    )
    turn = await open_page(rows, deadlines=SOON)
    with pytest.raises(StepFailed, match="40 controls fit") as failed:
        await find(turn, "Street")
    assert len(failed.value.why) <= 300


async def found(turn: TurnContext, name: str, **asked: Any) -> str | None:
    """The id of what was found."""
    return await (await find(turn, name, **asked)).locator.get_attribute("id")
