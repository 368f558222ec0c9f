"""The form tool as a whole: its result, what it does when something fails, and what it never does."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tester.deadlines import Deadlines
from tester.form import form
from tests.site import Answer, Asked

pytestmark = pytest.mark.anyio

SOON = Deadlines(blocked=0.15)
PLAN = """
<form onsubmit="event.preventDefault();
  fetch('/api/runs', {method: 'POST', body: new URLSearchParams(new FormData(this))})
    .then(answer => out.textContent = 'Saved ' + answer.status)">
<label>Title <input name=title required></label>
<label>Plan <select name=plan required><option value="">Choose<option value=b>Basic<option value=t>Team</select>
</label>
<label><input type=checkbox name=terms> Terms</label>
<fieldset><legend>Kind</legend><label><input type=radio name=kind value=m>Manual</label>
<label><input type=radio name=kind value=x>Mixed</label></fieldset>
<label>Notes <textarea name=notes></textarea></label>
<button>Save</button></form><p id=out></p>
"""


async def test_one_call_fills_a_whole_form_and_submits_it_once(open_page: Any, site: Any) -> None:
    turn = await open_page(PLAN)
    site.on("POST", "/api/runs", Answer("", 201))
    result = await form(
        turn,
        [
            {"field": "Title", "value": "Nightly"},
            {"field": "Plan", "value": "Team"},
            {"field": "Terms", "value": True},
            {"field": "Kind", "value": "Mixed"},
            {"field": "Notes", "value": "a\nb"},
            {"click": "Save"},
        ],
    )
    assert [(step["do"], step["field"], step["ok"]) for step in result["steps"]] == [
        ("fill", "Title", True),
        ("choose", "Plan", True),
        ("check", "Terms", True),
        ("choose", "Kind", True),
        ("fill", "Notes", True),
        ("click", "Save", True),
    ]
    page = result.pop("page")
    assert (result["ok"], result["outcome"]) == (True, "known")
    assert list(page) == [
        *("url", "title", "changed", "requests", "dialogs", "alerts", "invalid", "tabs", "downloads", "diff")
    ]
    assert page["requests"] == [{"method": "POST", "path": "/api/runs", "status": 201}]
    assert (page["url"], page["title"], page["changed"], page["tabs"]) == ("/page", "Page", True, 1)
    assert "+ Saved 201" in page["diff"]
    (post,) = site.commits()
    assert post.body == "title=Nightly&plan=t&terms=on&kind=x&notes=a%0Ab"


async def test_after_the_first_failure_nothing_more_is_tried(open_page: Any, site: Any) -> None:
    turn = await open_page(PLAN, deadlines=SOON)
    entries = [
        {"field": "Title", "value": "x"},
        {"field": "Plan", "value": "Pro"},
        {"field": "Terms", "value": True},
        {"click": "Save"},
    ]
    result = await form(turn, entries)
    assert not result["ok"]
    assert result["steps"][1]["why"] == "'Plan': no option 'Pro'; options: Choose, Basic, Team"
    assert [step.get("why") for step in result["steps"][2:]] == ["not tried: an earlier entry failed"] * 2
    assert not await turn.page.get_by_label("Terms").is_checked()
    assert site.commits() == []


async def test_entries_that_cannot_be_read_are_no_missing_element_and_touch_nothing(open_page: Any) -> None:
    turn = await open_page(PLAN)
    result = await form(turn, [{"field": "Title", "value": "x"}, {"clik": "Save"}])
    assert (result["ok"], result["error"]) == (False, "unreadable call")
    assert result["why"].startswith("entry 2: ")
    assert await turn.page.get_by_label("Title").input_value() == ""
    assert turn.recorder.steps == []


async def test_a_submit_that_native_validation_stops_is_a_failed_step_with_the_message(
    open_page: Any, site: Any
) -> None:
    turn = await open_page(PLAN)
    result = await form(turn, [{"field": "Title", "value": "x"}, {"click": "Save"}])
    assert (
        "'Save' did not submit, the browser's validation stopped it: Plan: Please select"
        in result["steps"][1]["why"]
    )
    assert result["page"]["invalid"] == [{"field": "Plan", "message": "Please select an item in the list."}]
    assert site.commits() == []


async def test_messages_that_the_page_draws_are_told_with_their_field(open_page: Any) -> None:
    turn = await open_page(
        "<label for=a>Name</label><input id=a aria-invalid=true aria-errormessage=e><p id=e>Too short</p>"
        "<div><label>Age <input aria-invalid=true></label><span class=error>Not a number</span></div>"
    )
    result = await form(turn, [{"field": "Name", "value": "x"}])
    assert result["page"]["invalid"] == [
        {"field": "Name", "message": "Too short"},
        {"field": "Age", "message": "Not a number"},
    ]


async def test_a_value_that_the_page_refuses_is_told_with_both_values_and_its_message(open_page: Any) -> None:
    turn = await open_page(
        "<label>Code <input id=a oninput=\"value = value.replace(/[^0-9]/g, ''); err.textContent = "
        "'Digits only'\"></label><p id=err role=alert>"
    )
    result = await form(turn, [{"field": "Code", "value": "12ab"}])
    assert result["steps"][0]["why"] == "'Code' holds '12', not '12ab'; the page says: Digits only"


async def test_a_value_that_is_merely_written_in_another_way_is_fine(open_page: Any) -> None:
    turn = await open_page(
        "<label>Budget <input onchange=\"value = '$1,234.50'\"></label><label>Code <input "
        "onchange='value = value.toUpperCase()'></label>"
    )
    result = await form(turn, [{"field": "Budget", "value": 1234.5}, {"field": "Code", "value": "ab 1"}])
    assert result["ok"], result


async def test_what_the_page_changed_meanwhile_is_mended_before_a_press(open_page: Any) -> None:
    turn = await open_page(
        "<label>Postcode <input onchange=\"fetch('/lookup').then(() => street.value = '')\"></label>"
        "<label>Street <input id=street></label><button onclick='out.textContent = "
        "street.value'>Save</button><p id=out>"
    )
    entries = [{"field": "Postcode", "value": "1"}, {"field": "Street", "value": "Quay"}, {"click": "Save"}]
    result = await form(turn, entries)
    assert result["ok"], result
    assert await turn.page.locator("#out").text_content() == "Quay"


async def test_what_the_page_keeps_changing_is_never_submitted(open_page: Any, site: Any) -> None:
    turn = await open_page(
        "<label>Name <input id=a onblur=\"value = 'other'\"></label><button onclick=\"fetch('/api', "
        "{method: 'POST'})\">Save</button>",
        deadlines=SOON,
    )
    result = await form(turn, [{"field": "Name", "value": "mine"}, {"click": "Save"}])
    assert not result["ok"]
    assert "'Name' holds 'other', not 'mine'" in json.dumps(result["steps"])
    assert site.commits() == []


async def test_a_field_that_is_undone_after_the_last_entry_is_not_ok(open_page: Any) -> None:
    turn = await open_page("<label>Name <input id=a onblur=\"value = ''\"></label>", deadlines=SOON)
    result = await form(turn, [{"field": "Name", "value": "mine"}])
    assert not result["ok"]
    assert "'Name' holds '', not 'mine'" in result["steps"][0]["why"]


async def test_a_disabled_control_is_told_soon_with_the_pages_hint(open_page: Any) -> None:
    turn = await open_page("<button disabled title='Choose a plan first'>Save</button>", deadlines=SOON)
    result = await form(turn, [{"click": "Save"}])
    assert result["steps"][0]["why"] == "'Save' is disabled; the page says: Choose a plan first"


async def test_a_button_that_a_field_enables_when_it_is_left_is_pressed(open_page: Any) -> None:
    turn = await open_page(
        "<label>Name <input onchange='go.disabled = false'></label><button id=go disabled "
        "onclick='out.textContent = 1'>Go</button><p id=out>"
    )
    result = await form(turn, [{"field": "Name", "value": "x"}, {"click": "Go"}])
    assert result["ok"], result
    assert await turn.page.locator("#out").text_content() == "1"


async def test_a_button_that_only_keys_enable_is_pressed(open_page: Any) -> None:
    turn = await open_page(
        "<label>Name <input onkeypress='n = (window.n || 0) + 1; go.disabled = n < 3'></label><button "
        "id=go disabled>Go</button>",
        deadlines=Deadlines(blocked=1),
    )
    result = await form(turn, [{"field": "Name", "value": "abc"}, {"click": "Go"}])
    assert result["ok"], result


async def test_a_handler_slower_than_every_action_is_waited_for(open_page: Any) -> None:
    slow = "const end = performance.now() + 700; while (performance.now() < end);"
    turn = await open_page(
        f"<label>Name <input oninput='{slow}'></label><button onclick='{slow} out.textContent = "
        f"++n'>Go</button><p id=out><script>n = 0</script>",
        deadlines=Deadlines(action=0.3, blocked=0.2),
    )
    result = await form(turn, [{"field": "Name", "value": "x"}, {"click": "Go"}])
    assert result["ok"], result
    assert await turn.page.locator("#out").text_content() == "1"


async def test_a_click_whose_answer_is_late_is_made_once(open_page: Any, site: Any) -> None:
    def late(asked: Asked) -> Answer:
        time.sleep(0.4)
        return Answer("<p>Ordered</p>")

    site.on("POST", "/order", late)
    turn = await open_page("<form method=post action=/order><button>Order</button></form>")
    result = await form(turn, [{"click": "Order"}])
    assert result["ok"], result
    assert len(site.commits()) == 1
    assert result["page"]["requests"] == [{"method": "POST", "path": "/order", "status": 200}]
    assert result["page"]["diff"] == "- Order\n+ Ordered"


async def test_a_confirm_that_nobody_answered_for_is_told_and_declined(open_page: Any) -> None:
    turn = await open_page(
        "<button onclick=\"out.textContent = confirm('Really?')\">Delete</button><p id=out>"
    )
    result = await form(turn, [{"click": "Delete"}])
    assert result["steps"][0]["why"].startswith("'Delete' asked “Really?” and was told no")
    assert result["page"]["dialogs"] == [{"type": "confirm", "message": "Really?", "answer": "dismissed"}]
    assert await turn.page.locator("#out").text_content() == "false"


async def test_dialogs_are_answered_as_the_entry_says(open_page: Any) -> None:
    turn = await open_page(
        "<button onclick=\"out.textContent = confirm('Really?') && prompt('Name?')\">Delete</button><p "
        "id=out>"
    )
    result = await form(turn, [{"click": "Delete", "dialog": [{"accept": True}, {"accept": "Ada"}]}])
    assert result["ok"], result
    assert await turn.page.locator("#out").text_content() == "Ada"


async def test_a_press_that_opens_a_tab_goes_on_there(open_page: Any, site: Any) -> None:
    site.page("/report", "<html><title>Report</title><label>Query <input id=q></label>")
    turn = await open_page("<a href=/report target=_blank>Report</a>")
    result = await form(turn, [{"click": "Report"}, {"field": "Query", "value": "x"}])
    assert result["ok"], result
    assert (result["page"]["title"], result["page"]["tabs"]) == ("Report", 2)


async def test_going_back_leads_to_the_page_before(open_page: Any, site: Any) -> None:
    site.page("/next", "<p>next</p>")
    turn = await open_page("<a href=/next>Next</a>")
    result = await form(turn, [{"click": "Next"}, {"back": True}])
    assert result["ok"], result
    assert result["page"]["url"] == "/page"


async def test_keys_hovers_and_drags_reach_the_page(open_page: Any) -> None:
    turn = await open_page(
        "<label>Search <input onkeydown=\"if (event.key === 'Enter') out.textContent += 'entered'\"></label>"
        "<b id=menu onmouseenter=\"out.textContent += ' hovered'\">Menu</b>"
        "<div draggable=true id=card>Card A</div><div id=done style='height:60px' "
        "ondragover='event.preventDefault()' "
        "ondrop=\"out.textContent += ' dropped'\">Done</div><p id=out></p>"
    )
    result = await form(
        turn,
        [
            {"field": "Search", "value": "x"},
            {"press": "Enter"},
            {"hover": "Menu"},
            {"drag": "Card A", "to": "Done"},
        ],
    )
    assert result["ok"], result
    assert await turn.page.locator("#out").text_content() == "entered hovered dropped"


async def test_the_button_of_the_form_that_was_filled_in_is_meant(open_page: Any) -> None:
    turn = await open_page(
        "<form onsubmit='return false'><input aria-label=Find><button>Go</button></form>"
        "<form onsubmit='return false'><input aria-label=Name><button onclick='out.textContent = "
        "1'>Go</button></form><p id=out>"
    )
    result = await form(turn, [{"field": "Name", "value": "x"}, {"click": "Go"}])
    assert result["ok"], result
    assert await turn.page.locator("#out").text_content() == "1"


async def test_a_declared_secret_is_typed_and_never_told(open_page: Any, events: list[Any]) -> None:
    turn = await open_page("<label>Token <input></label>", secrets={"TOKEN": "s3cret-value"})
    result = await form(turn, [{"field": "Token", "value": "{{TOKEN}}"}])
    assert result["ok"], result
    assert await turn.page.get_by_label("Token").input_value() == "s3cret-value"
    assert "s3cret-value" not in json.dumps([result, *(event.to_json() for event in events)])


async def test_a_typed_password_is_never_told(open_page: Any, events: list[Any]) -> None:
    turn = await open_page(
        "<label>Password <input type=password maxlength=8 oninput='value = value.slice(0, 3)'></label>",
        deadlines=SOON,
    )
    result = await form(turn, [{"field": "Password", "value": "pa55word"}])
    assert result["steps"][0]["why"] == "'Password' does not hold what was entered"
    assert "pa5" not in json.dumps([result, *(event.to_json() for event in events)])


async def test_files_come_from_the_folder_for_uploads_alone(open_page: Any, tmp_path: Path) -> None:
    turn = await open_page("<label>Avatar <input type=file id=f></label>")
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "link").symlink_to(Path(__file__))
    assert (await form(turn, [{"field": "Avatar", "files": ["a.txt"]}]))["ok"]
    assert await turn.page.evaluate("f.files[0].name") == "a.txt"
    for name in ("../a.txt", "link", str(Path(__file__))):
        result = await form(turn, [{"upload": "Avatar", "files": [name]}])
        assert "lies outside the folder" in result["steps"][0]["why"]
    missing = await form(turn, [{"upload": "Avatar", "files": ["b.txt"]}])
    assert "there is no file 'b.txt'" in missing["steps"][0]["why"]


async def test_ok_is_computed_from_the_steps_of_this_call_alone(open_page: Any) -> None:
    turn = await open_page("<label>Name <input></label>", deadlines=SOON)
    assert not (await form(turn, [{"click": "Nowhere"}]))["ok"]
    assert (await form(turn, [{"field": "Name", "value": "x"}]))["ok"]


async def test_a_press_that_the_server_refuses_is_not_repeated(open_page: Any, site: Any) -> None:
    turn = await open_page("<button onclick=\"fetch('/api', {method: 'POST'})\">Save</button>")
    site.on("POST", "/api", Answer("", 500))
    result = await form(turn, [{"click": "Save"}])
    assert (result["ok"], len(site.commits())) == (True, 1)
    assert result["page"]["requests"] == [{"method": "POST", "path": "/api", "status": 500}]


async def test_a_page_that_tries_its_own_validation_has_not_stopped_the_press(open_page: Any) -> None:
    turn = await open_page(
        """<form><input required id=a><button type=button onclick="a.checkValidity(); a.required = false;
        document.title = 'moved'">Move</button></form>"""
    )
    result = await form(turn, [{"click": "Move"}])
    assert result["ok"], result
    assert result["page"]["title"] == "moved"


async def test_a_press_that_changes_nothing_says_so(open_page: Any) -> None:
    turn = await open_page("<button>Save</button>")
    result = await form(turn, [{"click": "Save"}])
    assert result["steps"][0]["notes"] == ["nothing that can be seen came of it"]
    assert (result["ok"], result["page"]["changed"]) == (True, False)
