from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest

from scenarios.checks import CHECK
from tester import checks
from tester.checks import CheckResult, run_check, run_checks, wait_until
from tester.turn import TurnContext
from tests.site import Answer, Site

pytestmark = pytest.mark.anyio

OpenPage = Callable[..., Awaitable[TurnContext]]


async def ask(turn: TurnContext, kind: str, **check: Any) -> tuple[bool, str]:
    """Whether a check holds, and what was found."""
    result = await run_check(turn, CHECK.validate_python({"kind": kind, **check}))
    return result.holds, result.found


async def do(turn: TurnContext, selector: str = "button") -> None:
    """Clicks and waits until it has settled."""
    mark = turn.session.watch.mark()
    await turn.page.locator(selector).click(no_wait_after=True)
    await turn.session.watch.settled(turn, mark)


# -- the page as a whole ------------------------------------------------------------------------


async def test_an_address_is_compared_from_its_path_on_when_it_starts_with_a_slash(
    open_page: OpenPage, site: Site
) -> None:
    site.page("/runs/7", "<p>Run 7</p>")
    turn = await open_page(path="/runs/7?tab=log%20book#top")
    assert await ask(turn, "url", match="is", value="/runs/7?tab=log%20book") == (
        True,
        "the address is '/runs/7?tab=log%20book#top'",
    )
    for match, value in [
        ("contains", "/runs/"),
        ("is", "/runs/7?tab=log book"),
        ("starts", "/runs"),
        ("ends", "#top"),
        ("matches", r"^/runs/\d+\?"),
        ("starts", site.url),
        ("contains", "127.0.0.1"),
    ]:
        assert (await ask(turn, "url", match=match, value=value))[0], (match, value)
    assert await ask(turn, "url", match="matches", value="^/(", absent=True) == (
        False,
        "'^/(' is no regular expression: missing ), unterminated subpattern at position 2",
    )
    for match, value in [("is", "/runs/7"), ("starts", "/run/"), ("ends", "/runs/7")]:
        assert not (await ask(turn, "url", match=match, value=value))[0], (match, value)
    assert (await ask(turn, "url", match="is", value="/runs/new", absent=True))[0]


async def test_a_title_is_compared_with_white_space_folded(open_page: OpenPage) -> None:
    turn = await open_page("<html><title> Runs \n of today</title></html>")
    assert await ask(turn, "title", value="Runs of today") == (True, "the title is 'Runs of today'")
    assert await ask(turn, "title", value="Runs") == (False, "the title is 'Runs of today'")
    assert (await ask(turn, "title", value="Weekly", match="contains", absent=True))[0]


# -- texts --------------------------------------------------------------------------------------


async def test_a_text_is_counted_once_for_each_element_that_shows_it(open_page: OpenPage) -> None:
    turn = await open_page(
        """<ul><li>Nightly</li><li><b>Night</b>ly</li><li><a href=#>Nightly <i>build</i></a></li>
        <li>Nightly and Nightly</li><li style="display:none">Nightly</li></ul>"""
    )
    assert await ask(turn, "text", value="Nightly", count=4) == (True, "seen 4 times")
    assert await ask(turn, "text", value="Nightly", count=1) == (False, "seen 4 times")
    assert await ask(turn, "text", value="Nightly", absent=True) == (False, "seen 4 times")
    assert await ask(turn, "text", value="Nightly build") == (True, "seen once")


async def test_a_text_is_seen_through_frames_and_shadow_roots(open_page: OpenPage) -> None:
    turn = await open_page(
        """<p>Here</p><div id=host></div><iframe srcdoc="<p>Here</p>"></iframe>
        <script>host.attachShadow({mode: 'open'}).innerHTML = '<p>Here</p><slot></slot>'; host.innerHTML = '<b>Here</b>'</script>"""
    )
    assert await ask(turn, "text", value="Here", count=4) == (True, "seen 4 times")


UNSEEN = [
    ("<p>Saved</p>", "not seen; only as a part of 'Saved'"),
    ("<p>save it</p>", "not seen; only in another case: 'save'"),
    ("<label>Title <input value=Save></label>", "not seen; only the field 'Title' holds it"),
    ("<p hidden>Save</p>", "not seen; it is on the page but hidden"),
    ("<p style='opacity:0'>Save</p>", "not seen; it is on the page but hidden"),
    ("<p style='position:absolute;left:-9999px'>Save</p>", "not seen; it is on the page but hidden"),
    ("<p style='clip-path:inset(50%);position:absolute;width:1px;height:1px'>Save</p>", None),
    ("<details><summary>More</summary>Save</details>", None),
    (
        "<script>var Save = 'Save'</script><style>.Save {}</style>",
        "not seen",
    ),
    ("<p>Nothing</p>", "not seen"),
]  # what stands on the page, and what is said about it


async def test_a_text_that_nobody_can_see_is_not_seen(open_page: OpenPage) -> None:
    turn = await open_page("")
    for html, found in UNSEEN:
        await turn.page.set_content(html)
        holds, said = await ask(turn, "text", value="Save")
        assert not holds, html
        assert found in (None, said), html
        assert (await ask(turn, "text", value="Save", absent=True))[0], html


SEEN = [
    "<p>Sa&shy;ve&nbsp; \n it</p>",
    "<p style='text-transform:uppercase'>save it</p>",
    "<p><span>Sa</span>ve <span>it</span></p>",
    "<div style='display:contents'>Save it</div>",
    "<p style='visibility:hidden'>x <span style='visibility:visible'>Save it</span></p>",
    "<input type=submit value='Save it'>",
    "<button>Save it</button>",
    "<p aria-hidden=true>Save it!</p>",
    "<table><tr><td>Save it</td><td>again</td></tr></table>",
    "<div style='height:20px;overflow:auto'><p style='margin-top:99px'>Save it</p></div>",
    "<div style='height:4000px'></div><p>Save it</p>",
]


async def test_a_text_is_seen_however_it_is_written(open_page: OpenPage) -> None:
    turn = await open_page("")
    for html in SEEN:
        await turn.page.set_content(html)
        value = "SAVE IT" if "uppercase" in html else "Save it"
        assert await ask(turn, "text", value=value) == (True, "seen once"), html


async def test_the_nearest_text_is_told(open_page: OpenPage) -> None:
    turn = await open_page("<p>Run was saved with errors</p>")
    assert (await ask(turn, "text", value="Run was saved"))[0]
    assert await ask(turn, "text", value="Run is saved without errors") == (
        False,
        "not seen; the nearest text is 'Run was saved with errors'",
    )


async def test_words_of_scripts_without_gaps_are_found_inside_others(open_page: OpenPage) -> None:
    turn = await open_page("<p>設定を保存しました</p>")
    assert (await ask(turn, "text", value="保存"))[0]


async def test_a_place_limits_where_a_text_counts(open_page: OpenPage) -> None:
    turn = await open_page(
        """<h1>Shop</h1><h2>Billing</h2><p>Pro</p><p>Card</p><h2>Shipping</h2><p>Pro</p>
        <fieldset><legend>Options</legend>Gift</fieldset><section aria-label=News>Sale</section>
        <table><caption>Runs</caption><tr><td>Nightly</td><td>ok</td></tr><tr><td>Weekly</td><td>broken</td></tr></table>
        <div><div><h3>Plan</h3></div><div>Basic</div></div><div><div><h3>Team</h3></div><div>Seven</div></div>"""
    )
    for within, value, holds in [
        ("Billing", "Pro", True),
        ("Billing", "Card", True),
        ("Shipping", "Card", False),
        ("Options", "Gift", True),
        ("News", "Sale", True),
        ("News", "Gift", False),
        ("Runs", "Weekly", True),
        ("Nightly", "ok", True),
        ("Nightly", "broken", False),
        ("Plan", "Basic", True),
        ("Plan", "Seven", False),
    ]:
        assert (await ask(turn, "text", value=value, within=within))[0] is holds, (within, value)
    assert await ask(turn, "text", value="Pro", within="Billing", count=1) == (True, "seen once")
    assert await ask(turn, "text", value="Gift", within="News") == (
        False,
        "not seen; it is seen elsewhere on the page",
    )
    assert await ask(turn, "text", value="Pro", within="Nowhere") == (
        False,
        "nothing on the page is called 'Nowhere'",
    )


# -- rows ---------------------------------------------------------------------------------------

TABLE = """<table><caption>Runs</caption><thead><tr><th>Name</th><th>Kind</th></tr></thead>
<tr><td>Nightly</td><td>Mixed</td></tr><tr><td>Nightly 2</td><td>Manual</td></tr><tr hidden><td>Nightly</td></tr></table>"""


async def test_a_row_holds_all_texts_in_its_cells(open_page: OpenPage) -> None:
    turn = await open_page(TABLE)
    assert await ask(turn, "row", holds=["Nightly", "Mixed"]) == (True, "one row holds it")
    assert await ask(turn, "row", holds=["Nightly"], count=2) == (True, "2 rows hold it")
    assert await ask(turn, "row", holds=["Nightly", "Weekly"]) == (
        False,
        "no row holds all of it; the nearest is “Nightly | Mixed”",
    )
    assert await ask(turn, "row", holds=["Weekly"], table="Runs", absent=True) == (
        True,
        "no row holds it; there are 2 rows",
    )
    assert await ask(turn, "row", holds=["Nightly"], table="Plans") == (
        False,
        "no table or list is called 'Plans'",
    )
    assert not (await ask(turn, "row", holds=["Night"]))[0]
    assert await ask(turn, "row", holds=[], count=2) == (True, "there are 2 rows")


LISTS = [
    "<h2>Runs</h2><ul><li>Nightly: Mixed</li><li>Weekly: Mixed</li></ul>",
    "<div role=table aria-label=Runs><div role=row><span role=cell>Nightly</span><span role=cell>Mixed</span></div></div>",
    "<div role=grid aria-label=Runs><div role=row><span role=gridcell>Nightly</span> <b role=gridcell>Mixed</b></div></div>",
    "<section aria-label=Runs><div class=a>Nightly <i>Mixed</i></div><div class=a>Weekly</div></section>",
    "<h2>Runs</h2><article><h3>Nightly</h3><p>Mixed</p></article><article><h3>Weekly</h3></article>",
    "<div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML = `<h2>Runs</h2><ul><li>Nightly, Mixed</li></ul>`</script>",
]


async def test_rows_are_found_in_whatever_is_a_list(open_page: OpenPage) -> None:
    turn = await open_page("")
    for html in LISTS:
        await turn.page.set_content(html)
        one = await ask(turn, "row", holds=["Nightly", "Mixed"], table="Runs", count=1)
        assert one == (True, "one row holds it"), html
        assert not (await ask(turn, "row", holds=["Weekly", "Nightly"]))[0], html


async def test_links_of_the_navigation_are_no_rows_beside_real_ones(open_page: OpenPage) -> None:
    turn = await open_page(
        f"<nav><ul><li>Nightly</li></ul></nav>{TABLE}<ul><li>Plain<ul><li>Inner</li></ul></li></ul>"
    )
    assert await ask(turn, "row", holds=["Nightly"], count=2) == (True, "2 rows hold it")
    assert await ask(turn, "row", holds=["Inner"], count=1) == (True, "one row holds it")


# -- fields and controls ------------------------------------------------------------------------

FORM = """<form><label>Title <input value="Nightly"></label><label>Empty <input></label>
<label>Kind <select><option>Manual<option selected>Mixed</select></label>
<label>Days <select multiple><option selected>Mon<option selected>Tue<option>Wed</select></label>
<fieldset><legend>Plan</legend><label><input type=radio name=p> Basic</label><label><input type=radio name=p checked> Pro</label></fieldset>
<label><input type=checkbox checked> Terms</label><label>Code <input type=password value=hunter22></label>
<label>Price <input value="1,000.00"></label><textarea aria-label=Notes>one
two</textarea><fieldset><legend>Billing</legend><label>City <input value=Rome></label></fieldset>
<fieldset><legend>Shipping</legend><label>City <input value=Oslo disabled></label></fieldset>
<button disabled>Save</button><button hidden>Gone</button><button>Send</button></form>"""


async def test_values_are_read_as_a_person_reads_them(open_page: OpenPage) -> None:
    turn = await open_page(FORM)
    for field, value, holds, found in [
        ("Title", "Nightly", True, "'Title' holds 'Nightly'"),
        ("Title", "nightly", False, "'Title' holds 'Nightly'"),
        ("Empty", "", True, "'Empty' is empty"),
        ("Kind", "Mixed", True, "'Kind' holds 'Mixed'"),
        ("Days", ["Tue", "Mon"], True, "'Days' holds 'Mon', 'Tue'"),
        ("Days", ["Mon"], False, "'Days' holds 'Mon', 'Tue'"),
        ("Plan", "Pro", True, "'Plan' holds 'Pro'"),
        ("Terms", "true", True, "'Terms' is checked"),
        ("Terms", "false", False, "'Terms' is checked"),
        ("Code", "hunter22", True, "'Code' is a password field"),
        ("Code", "hunter23", False, "'Code' is a password field"),
        ("Price", "1000", True, "'Price' holds '1,000.00'"),
        ("Notes", "one\ntwo", True, "'Notes' holds 'one two'"),
    ]:
        assert await ask(turn, "value", field=field, value=value) == (holds, found), field
    assert (await ask(turn, "value", field="Title", match="starts", value="Night"))[0]
    assert (await ask(turn, "value", field="Title", value="Weekly", absent=True))[0]
    assert await ask(turn, "value", field="City", within="Billing", value="Rome") == (
        True,
        "'City' holds 'Rome'",
    )


async def test_a_name_that_means_no_or_many_fields_is_said_and_does_not_hold(open_page: OpenPage) -> None:
    turn = await open_page(FORM)
    holds, found = await ask(turn, "value", field="City", value="Rome")
    assert not holds
    assert found.startswith("2 controls fit 'City' equally well")
    assert await ask(turn, "value", field="Titel", value="x") == (
        False,
        "no field is called 'Titel'; similar: 'Title'",
    )


async def test_states_of_controls(open_page: OpenPage) -> None:
    turn = await open_page(FORM)
    await turn.page.locator("[aria-label=Notes]").focus()
    for control, state, holds, found in [
        ("Save", "disabled", True, "'Save' is disabled"),
        ("Save", "enabled", False, "'Save' is disabled"),
        ("Send", "enabled", True, "'Send' is enabled"),
        ("Gone", "hidden", True, "'Gone' is on the page but hidden"),
        ("Gone", "enabled", False, "'Gone' is on the page but hidden"),
        ("Absent", "hidden", True, "'Absent' is not on the page"),
        ("Absent", "visible", False, "'Absent' is not on the page"),
        ("Send", "visible", True, "'Send' is visible"),
        ("City", "visible", True, "'City' is visible"),
        ("Terms", "checked", True, "'Terms' is checked"),
        ("Basic", "unchecked", True, "'Basic' is not checked"),
        ("Send", "unchecked", False, "'Send' is a button and cannot be checked"),
        ("Notes", "focused", True, "'Notes' has the focus"),
        ("Title", "focused", False, "'Title' does not have the focus"),
        ("Empty", "empty", True, "'Empty' is empty"),
        ("Title", "empty", False, "'Title' holds 'Nightly'"),
        ("Code", "empty", False, "'Code' is not empty"),
    ]:
        assert await ask(turn, "state", control=control, state=state) == (holds, found), (control, state)
    assert await ask(turn, "state", control="City", within="Shipping", state="disabled") == (
        True,
        "'City' is disabled",
    )
    assert not (await ask(turn, "state", control="City", state="disabled"))[0]


# -- what happened ------------------------------------------------------------------------------


async def test_requests_are_matched_by_method_path_and_answer(open_page: OpenPage, site: Site) -> None:
    site.on("POST", "/api/runs", Answer("no", 500))
    site.on("PUT", "/api/runs/7/start", Answer("ok"))
    turn = await open_page(
        """<button onclick="(async () => { await (await fetch('/api/runs?x=1', {method: 'POST'})).text();
        await (await fetch('/api/runs', {method: 'POST'})).text();
        await (await fetch('/api/runs/7/start', {method: 'PUT'})).text(); })()">Go</button>"""
    )
    await do(turn)
    told = "POST /api/runs?x=1 was answered with 500; POST /api/runs was answered with 500"
    assert await ask(turn, "request", method="POST", path="/api/runs", status=200) == (False, told)
    assert await ask(turn, "request", method="POST", path="/api/runs", status="5xx", count=2) == (True, told)
    assert await ask(turn, "request", method="POST", path="/api/runs?x=1", count=1) == (
        True,
        "POST /api/runs?x=1 was answered with 500",
    )
    assert (await ask(turn, "request", path="/api/runs/*/start", status=200))[0]
    assert (await ask(turn, "request", path="api/runs", count=2))[0]
    assert (await ask(turn, "request", path=f"{site.url}/api/runs", count=2))[0]
    assert (await ask(turn, "request", path="/page", status=200))[0]
    assert await ask(turn, "request", method="DELETE", path="/api/runs/7/start", absent=True) == (
        True,
        "no such request was sent, but PUT /api/runs/7/start was answered with 200",
    )
    assert (await ask(turn, "request", method="DELETE", path="/x"))[1] == "no such request was sent"


async def test_dialogs_downloads_and_errors_are_remembered(open_page: OpenPage, site: Site) -> None:
    site.on(
        "GET",
        "/export",
        Answer("id;Nightly", headers={"content-disposition": "attachment; filename=runs.csv"}),
    )
    turn = await open_page(
        """<button onclick="confirm('Delete this run?'); location.href = '/export'">Go</button>
        <a onclick="console.error('broken')" href=#>Break</a>"""
    )
    assert await ask(turn, "console") == (True, "no errors")
    assert await ask(turn, "dialog", says="") == (False, "no dialog appeared")
    await do(turn)
    await do(turn, "a")
    assert await ask(turn, "dialog", says="Delete this", count=1) == (
        True,
        "the dialogs were: confirm 'Delete this run?'",
    )
    assert await ask(turn, "download", name="runs.csv", contains="Nightly") == (
        True,
        "downloaded: 'runs.csv'",
    )
    assert await ask(turn, "download", name=".csv", match="ends", contains="Weekly") == (
        False,
        "'runs.csv' was downloaded and does not contain 'Weekly'",
    )
    assert await ask(turn, "console") == (False, "broken")


# -- all together -------------------------------------------------------------------------------


async def test_many_checks_are_one_question_and_change_nothing(open_page: OpenPage) -> None:
    turn = await open_page(
        FORM
        + "<script>let n = 0; new MutationObserver(() => n++).observe(document, {subtree: true, childList: true, attributes: true})</script>"
    )
    asked = [
        CHECK.validate_python(one)
        for one in [
            {"kind": "text", "value": "Terms"},
            {"kind": "title", "value": "Page"},
            {"kind": "url", "value": "/page"},
            {"kind": "value", "field": "Title", "value": "Nightly"},
            {"kind": "state", "control": "Save", "state": "disabled"},
            {"kind": "row", "holds": ["x"], "absent": True},
        ]
    ]
    results = await run_checks(turn, asked)
    assert [result.holds for result in results] == [True] * 6
    assert [result.check for result in results] == asked
    assert results[0].sentence == 'The text "Terms" is shown'
    assert await turn.page.evaluate("n") == 0


async def test_secrets_are_revealed_to_compare_and_redacted_to_tell(open_page: OpenPage) -> None:
    turn = await open_page(
        "<label>Key <input value=abc-12345></label><p>abc-12345</p>", secrets={"KEY": "abc-12345"}
    )
    assert await ask(turn, "value", field="Key", value="{{KEY}}") == (True, "'Key' holds '{{KEY}}'")
    assert await ask(turn, "value", field="Key", value="x") == (False, "'Key' holds '{{KEY}}'")
    assert (await ask(turn, "text", value="{{KEY}}"))[0]


async def test_a_page_that_is_gone_is_said(open_page: OpenPage) -> None:
    turn = await open_page("<p>Here</p>")
    await turn.session.page.close()
    assert await ask(turn, "text", value="Here") == (False, "the page cannot be read")
    assert await ask(turn, "url", value="/page") == (False, "the page cannot be read")


async def test_a_hostile_page_is_read_all_the_same(open_page: OpenPage) -> None:
    turn = await open_page(
        """<p>Here</p><script>Object.defineProperty(Node.prototype, 'textContent', {get: () => 'lie'});
        Document.prototype.querySelectorAll = Element.prototype.querySelectorAll = () => [];
        JSON.stringify = () => '[]'; Array.prototype.filter = Array.prototype.map = () => [];
        document.createTreeWalker = null; window.getComputedStyle = null; String.prototype.indexOf = () => 0;</script>"""
    )
    assert await ask(turn, "text", value="Here", count=1) == (True, "seen once")
    assert not (await ask(turn, "text", value="lie"))[0]


# -- waiting ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        "out.textContent = 'Done'",
        "out.hidden = false",
        "history.pushState(0, 0, '/done')",
        "document.title = 'Done'",
        "fetch('/done')",
        "field.value = 'Done'",
        "host.attachShadow({mode: 'open'}).innerHTML = 'Done'",
        "frame.srcdoc = 'Done'",
        "location.href = '/done'",
    ],
)
async def test_a_check_is_waited_for_until_it_holds(
    open_page: OpenPage, site: Site, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    if "value" not in change:  # whatever gives a sign is seen by its sign alone
        monkeypatch.setattr(checks, "_PACE", 60)
    site.on("GET", "/done", Answer("Done"))
    turn = await open_page(
        f"""<p id=out hidden>{"Done" if "hidden" in change else ""}</p><p id=host></p><iframe id=frame></iframe>
        <label>Field <input id=field></label><script>setTimeout(() => {{ out.hidden = false; {change} }}, 150)</script>"""
    )
    check: dict[str, Any] = {"kind": "text", "value": "Done"}
    if "value" in change:
        check = {"kind": "value", "field": "Field", "value": "Done"}
    if "title" in change:
        check = {"kind": "title", "value": "Done"}
    if "history" in change:
        check = {"kind": "url", "value": "/done"}
    if "fetch" in change:
        check = {"kind": "request", "path": "/done", "status": 200}
    with anyio.fail_after(5):
        result = await wait_until(turn, CHECK.validate_python(check), turn.deadlines.action)
    assert result.holds


async def test_a_check_that_never_holds_is_told_as_it_was_at_the_end(open_page: OpenPage) -> None:
    turn = await open_page("<p>Working</p>")
    result = await wait_until(turn, CHECK.validate_python({"kind": "text", "value": "Done"}), 0.2)
    assert result == CheckResult(result.check, False, "not seen", 'The text "Done" is shown')
