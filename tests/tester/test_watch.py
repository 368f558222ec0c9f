from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from playwright.async_api import Error as PlaywrightError

from tester.deadlines import Deadlines
from tester.find import ask_frames
from tester.happened import AlertSeen, Happened, told
from tester.turn import TurnContext
from tester.watch import DialogAnswer
from tests.site import Answer, Site

pytestmark = pytest.mark.anyio

OpenPage = Callable[..., Awaitable[TurnContext]]

FETCH = "const send = (method, path) => fetch(path, {method}).then(one => one.text())"
"""For pages of tests: sends and reads the answer."""


async def click(turn: TurnContext, selector: str = "button") -> Happened:
    """Clicks, waits until it has settled, and gives what happened."""
    watch = turn.session.watch
    mark = watch.mark()
    with contextlib.suppress(PlaywrightError):  # the click may close its own page
        await turn.page.locator(selector).click(no_wait_after=True)
    with anyio.fail_after(8):
        await watch.settled(turn, mark)
    return watch.since(mark)


@asynccontextmanager
async def settling(turn: TurnContext, path: str) -> AsyncIterator[list[bool]]:
    """Clicks and lets the block run while it settles, once the site was asked for the path; [True] when it has."""
    watch, over = turn.session.watch, [False]

    async def settle() -> None:
        await watch.settled(turn, mark)
        over[0] = True

    with anyio.fail_after(8):
        async with anyio.create_task_group() as tasks:
            mark = watch.mark()
            await turn.page.locator("button").click(no_wait_after=True)
            tasks.start_soon(settle)
            while all(one.path != path for one in watch.since(mark).requests):
                await watch.changed.wait()
            yield over


# -- when an action is over ---------------------------------------------------------------------


async def test_a_click_that_starts_nothing_is_over_at_once(open_page: OpenPage) -> None:
    turn = await open_page("<button>Nothing</button>")
    assert (await click(turn)).requests == []


async def test_a_slow_post_is_waited_for(open_page: OpenPage, site: Site) -> None:
    gate = site.gate()
    site.on("POST", "/save", Answer("ok", gate=gate))
    turn = await open_page(f"<button onclick=\"send('POST', '/save')\">Save</button><script>{FETCH}</script>")
    mark = turn.session.watch.mark()
    async with settling(turn, "/save") as over:
        assert not over[0]
        gate.set()
    [sent] = turn.session.watch.since(mark).commits
    assert (sent.method, sent.path, sent.status, sent.failure) == ("POST", "/save", 200, None)
    assert sent.ended is not None


async def test_what_follows_from_an_answer_is_waited_for(open_page: OpenPage, site: Site) -> None:
    site.on("POST", "/save", Answer("ok"))
    site.on("GET", "/list", Answer("Nightly"))
    turn = await open_page(
        f"""<button onclick="send('POST', '/save').then(() => setTimeout(async () =>
        list.textContent = await send('GET', '/list')))">Save</button><p id=list></p><script>{FETCH}</script>"""
    )
    happened = await click(turn)
    assert [one.path for one in happened.requests] == ["/save", "/list"]
    assert await turn.page.locator("#list").text_content() == "Nightly"


async def test_a_request_that_a_timer_begins_is_waited_for(open_page: OpenPage, site: Site) -> None:
    site.on("GET", "/late", Answer("there"))
    turn = await open_page(
        f"""<button onclick="requestAnimationFrame(() => setTimeout(async () =>
        out.textContent = await send('GET', '/late')))">Go</button><p id=out></p><script>{FETCH}</script>"""
    )
    await click(turn)
    assert await turn.page.locator("#out").text_content() == "there"


async def test_a_busy_page_is_waited_for(open_page: OpenPage, site: Site) -> None:
    site.on("POST", "/save", Answer("ok"))
    turn = await open_page(
        f"""<button onclick="setTimeout(() => {{ const end = Date.now() + 400; while (Date.now() < end);
        send('POST', '/save') }})">Save</button><script>{FETCH}</script>"""
    )
    assert [one.status for one in (await click(turn)).commits] == [200]


async def test_a_form_is_followed_to_the_new_document(open_page: OpenPage, site: Site) -> None:
    site.on("POST", "/runs", Answer("", 303, headers={"location": "/runs/7"}))
    site.page("/runs/7", "<title>Run 7</title><p>Saved</p>")
    turn = await open_page("<form action=/runs method=post><button>Save</button></form>")
    happened = await click(turn)
    assert [(one.method, one.path, one.status, one.navigation) for one in happened.requests] == [
        ("POST", "/runs", 303, True),
        ("GET", "/runs/7", 200, True),
    ]
    assert turn.page.url.endswith("/runs/7")
    assert await turn.page.locator("p").text_content() == "Saved"


async def test_requests_of_the_new_document_are_waited_for(open_page: OpenPage, site: Site) -> None:
    site.on("GET", "/data", Answer("7 runs"))
    site.page(
        "/next", f"<p id=out></p><script>{FETCH};send('GET', '/data').then(t => out.textContent = t)</script>"
    )
    turn = await open_page("<button onclick=\"location.href='/next'\">Next</button>")
    await click(turn)
    assert await turn.page.locator("#out").text_content() == "7 runs"


async def test_a_document_that_a_timer_opens_is_waited_for(open_page: OpenPage, site: Site) -> None:
    site.on("GET", "/data", Answer("7 runs"))
    site.page(
        "/next",
        f"<p id=out></p><script>{FETCH};onload = () => send('GET', '/data').then(t => out.textContent = t)</script>",
    )
    turn = await open_page("<button onclick=\"setTimeout(() => location.href='/next', 5)\">Next</button>")
    await click(turn)
    assert await turn.page.locator("#out").text_content() == "7 runs"


async def test_a_new_address_of_the_same_document_does_not_end_it(open_page: OpenPage, site: Site) -> None:
    site.on("GET", "/data", Answer("7 runs"))
    turn = await open_page(
        f"""<button onclick="requestAnimationFrame(() => {{ history.pushState(0, 0, '/runs'); setTimeout(async () =>
        out.textContent = await send('GET', '/data'), 15) }})">Runs</button><p id=out></p><script>{FETCH}</script>"""
    )
    await click(turn)
    assert await turn.page.locator("#out").text_content() == "7 runs"


async def test_a_slow_document_is_waited_for(open_page: OpenPage, site: Site) -> None:
    gate = site.gate()
    site.on("GET", "/next", Answer("<title>Next</title>", gate=gate))
    turn = await open_page("<button onclick=\"location.href='/next'\">Next</button>")
    async with settling(turn, "/next") as over:
        assert not over[0]
        gate.set()
    assert await turn.page.title() == "Next"


async def test_an_answer_without_a_document_leaves_the_page(open_page: OpenPage, site: Site) -> None:
    site.on("GET", "/nothing", Answer("", 204))
    turn = await open_page("<button onclick=\"location.href='/nothing'\">Go</button>")
    [sent] = (await click(turn)).requests
    assert (sent.path, sent.status) == ("/nothing", 204)


async def test_a_frame_that_loads_is_waited_for(open_page: OpenPage, site: Site) -> None:
    site.page("/inner", "<p>inside</p>")
    turn = await open_page("<button onclick=\"frame.src='/inner'\">Open</button><iframe id=frame></iframe>")
    happened = await click(turn)
    assert [(one.path, one.navigation) for one in happened.requests] == [("/inner", False)]
    assert await turn.page.frame_locator("iframe").locator("p").text_content() == "inside"


async def test_a_body_that_nobody_reads_does_not_hold_it(open_page: OpenPage, site: Site) -> None:
    site.on("GET", "/ping", Answer("pong", headers={"cache-control": "no-store"}))
    turn = await open_page("<button onclick=\"fetch('/ping')\">Go</button>")
    [sent] = (await click(turn)).requests
    assert (sent.status, sent.finished) == (200, None)  # the browser never says that it is finished
    assert sent.ended is not None


@pytest.mark.parametrize(
    "endless",
    [
        "new EventSource('/forever')",
        "fetch('/forever')",
        "new Image().src = '/forever'",
        "(function poll() { fetch('/forever').finally(poll) })()",
    ],
)
async def test_what_was_out_before_the_action_does_not_hold_it(
    open_page: OpenPage, site: Site, endless: str
) -> None:
    site.on("GET", "/forever", Answer("", gate=site.gate()))
    turn = await open_page(f"<button>Nothing</button><script>onload = () => {{ {endless} }}</script>")
    watch = turn.session.watch
    with anyio.fail_after(5):
        while not any(
            one.path == "/forever" for one in [*watch.since(None).requests, *watch.since(None).assets]
        ):
            await watch.changed.wait()
    assert (await click(turn)).requests == []


async def test_streams_and_pictures_that_an_action_opens_do_not_hold_it(
    open_page: OpenPage, site: Site
) -> None:
    site.on("GET", "/forever", Answer("", gate=site.gate(), type="text/event-stream"))
    turn = await open_page(
        "<button onclick=\"new EventSource('/forever'); new Image().src = '/forever'\">Nothing</button>"
    )
    await click(turn)


async def test_the_next_round_of_a_poll_does_not_hold_it(open_page: OpenPage, site: Site) -> None:
    rounds = []

    def answer(asked: Any) -> Answer:
        rounds.append(asked)
        gate = gates[min(len(rounds), len(gates)) - 1]
        return Answer("{}", gate=gate)

    def poke(asked: Any) -> Answer:
        gates[0].set()
        return Answer("ok")

    gates = [site.gate(), site.gate()]
    site.on("GET", "/poll", answer)
    site.on("POST", "/poke", poke)
    turn = await open_page(
        f"""<button onclick="send('POST', '/poke')">Poke</button>
        <script>{FETCH}; let n = 0; (function poll() {{ send('GET', '/poll?cursor=' + n++).then(poll) }})()</script>"""
    )
    happened = await click(turn)
    assert [one.status for one in happened.commits] == [200]


async def test_a_page_that_asks_over_and_over_does_not_hold_it(open_page: OpenPage, site: Site) -> None:
    site.on("GET", "/again", Answer("{}"))
    turn = await open_page(
        f"<button onclick='(function again() {{ send(`GET`, `/again`).then(again) }})()'>Go</button><script>{FETCH}</script>"
    )
    await click(turn)


async def test_the_action_deadline_ends_it(open_page: OpenPage, site: Site) -> None:
    site.on("POST", "/save", Answer("ok", gate=site.gate()))
    turn = await open_page(
        "<button onclick=\"fetch('/save', {method: 'POST'})\">Save</button>", deadlines=Deadlines(action=0.3)
    )
    [sent] = (await click(turn)).commits
    assert (sent.status, sent.ended) == (None, None)


async def test_a_page_that_closes_itself_ends_it(open_page: OpenPage) -> None:
    turn = await open_page("<button onclick=\"window.open('/page')\">Open</button>")
    happened = await click(turn)
    assert len(happened.pages) == 1
    turn.session.switch(turn.session.context.pages[-1])
    await turn.page.evaluate("document.body.innerHTML = '<button onclick=window.close()>Close</button>'")
    await click(turn)
    assert len(turn.session.context.pages) == 1


async def test_a_crash_ends_it_and_is_told(open_page: OpenPage) -> None:
    turn = await open_page("<button>Go</button>")
    watch = turn.session.watch
    mark = watch.mark()
    with anyio.fail_after(8):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(crash, turn)
            while not watch.since(mark).errors:
                await watch.changed.wait()
            await watch.settled(turn, mark)
    assert watch.since(mark).errors == ["the page crashed"]


async def crash(turn: TurnContext) -> None:
    with contextlib.suppress(PlaywrightError):
        await turn.session.page.goto("chrome://crash")


async def test_a_tab_that_is_not_in_front_settles_as_well(open_page: OpenPage, site: Site) -> None:
    turn = await open_page("<button>Nothing</button>")
    first = turn.session.page
    other = await turn.session.context.new_page()
    await other.bring_to_front()
    turn.session.switch(first)
    mark = turn.session.watch.mark()
    with anyio.fail_after(8):
        await turn.session.watch.settled(turn, mark)


# -- native dialogs -----------------------------------------------------------------------------

ASKS = '<button onclick="out.textContent = [{}].map(String).join()">Ask</button><p id=out></p>'


async def test_dialogs_are_answered_as_a_careful_person_would(open_page: OpenPage) -> None:
    turn = await open_page(ASKS.format("alert('Hello'), confirm('Delete?'), prompt('Name?')"))
    happened = await click(turn)
    assert [(one.type, one.message, one.answer) for one in happened.dialogs] == [
        ("alert", "Hello", "accepted"),
        ("confirm", "Delete?", "dismissed"),
        ("prompt", "Name?", "dismissed"),
    ]
    assert await turn.page.locator("#out").text_content() == "undefined,false,null"


async def test_answers_laid_ready_are_given_in_order_and_then_are_used_up(open_page: OpenPage) -> None:
    turn = await open_page(ASKS.format("confirm('1'), prompt('2'), confirm('3'), confirm('4')"))
    turn.session.watch.answer([DialogAnswer(), DialogAnswer(text="Ada"), DialogAnswer(accept=False)])
    happened = await click(turn)
    assert await turn.page.locator("#out").text_content() == "true,Ada,false,false"
    assert [one.answer for one in happened.dialogs] == ["accepted", "accepted", "dismissed", "dismissed"]


async def test_what_a_dialog_lets_happen_is_waited_for(open_page: OpenPage, site: Site) -> None:
    site.on("DELETE", "/run", Answer("ok"))
    turn = await open_page(
        f"<button onclick=\"confirm('Sure?') && send('DELETE', '/run')\">Delete</button><script>{FETCH}</script>"
    )
    turn.session.watch.answer([DialogAnswer()])
    assert [one.status for one in (await click(turn)).commits] == [200]


async def test_a_page_that_wants_to_keep_its_visitor_is_left(open_page: OpenPage, site: Site) -> None:
    site.on("GET", "/next", Answer("<title>Next</title>"))
    turn = await open_page(
        """<button onclick="location.href='/next'">Leave</button>
        <script>onbeforeunload = event => event.preventDefault()</script>"""
    )
    happened = await click(turn)
    assert [(one.type, one.answer) for one in happened.dialogs] == [("beforeunload", "accepted")]
    assert await turn.page.title() == "Next"


# -- messages that pass -------------------------------------------------------------------------


def toast(how: str) -> str:
    """A page whose button shows a message, made by `how`, for 120 ms."""
    return f"""<main id=main></main><iframe srcdoc="<p>inside"></iframe><button onclick="setTimeout(show, 60)">Go</button>
    <script>function show() {{ const box = document.createElement('div'); {how}
    setTimeout(() => box.remove(), 120) }}</script>"""


async def heard(turn: TurnContext, count: int = 1) -> list[str]:
    """The messages after a click, once so many were heard."""
    watch = turn.session.watch
    await ask_frames(turn, {"op": "title"})  # as whatever finds the button does
    mark = watch.mark()
    await click(turn)
    with anyio.fail_after(5):
        while len(watch.since(mark).alerts) < count:
            await watch.changed.wait()
    return watch.since(mark).alerts


@pytest.mark.parametrize(
    "how",
    [
        "box.setAttribute('role', 'alert'); box.textContent = 'Saved'; main.append(box)",
        "box.setAttribute('aria-live', 'polite'); main.append(box); box.append('Saved')",
        "box.textContent = 'Saved'; document.body.append(box)",
        "main.append(box); box.innerHTML = '<b>Saved</b> <button>×</button>'",
        "customElements.define('a-toast', class extends HTMLElement { connectedCallback() {"
        "this.attachShadow({mode: 'open'}).append(box); box.textContent = 'Saved' } });"
        "main.append(document.createElement('a-toast'))",
        "frames[0].document.body.append(box); box.textContent = 'Saved'",
    ],
    ids=["role=alert", "live region", "plain", "with a button", "shadow root", "frame"],
)
async def test_a_message_that_has_gone_is_told(open_page: OpenPage, how: str) -> None:
    turn = await open_page(toast(how))
    [said] = await heard(turn)
    assert said.removesuffix(" ×") == "Saved"


async def test_a_message_that_is_only_shown_and_hidden_is_told(open_page: OpenPage) -> None:
    turn = await open_page(
        """<style>#bar {visibility: hidden} #bar.show {visibility: visible}</style><div id=bar>Saved</div>
        <button onclick="setTimeout(() => { bar.className = 'show'; setTimeout(() => bar.className = '', 120) })">Go</button>"""
    )
    assert await heard(turn) == ["Saved"]


async def test_a_message_that_stays_in_a_live_region_is_told_once(open_page: OpenPage) -> None:
    turn = await open_page(
        "<button onclick=\"out.textContent = 'Saved'\">Go</button><p id=out role=status></p>"
    )
    assert await heard(turn) == ["Saved"]
    assert (await click(turn)).alerts == []


async def test_a_document_that_is_born_with_a_message_tells_it(open_page: OpenPage, site: Site) -> None:
    site.on("POST", "/save", Answer("", 303, headers={"location": "/done"}))
    site.page("/done", "<div role=alert>Run saved</div>")
    turn = await open_page("<form action=/save method=post><button>Save</button></form>")
    assert await heard(turn) == ["Run saved"]


async def test_only_the_newest_number_of_a_progress_is_told(open_page: OpenPage) -> None:
    turn = await open_page(
        """<p id=out role=status></p><button onclick="let n = 0; (function next() {
        out.textContent = `${n += 25} % done`; if (n < 100) setTimeout(next, 40); })()">Go</button>"""
    )
    watch = turn.session.watch
    mark = watch.mark()
    await turn.page.locator("button").click()
    with anyio.fail_after(5):
        while watch.since(mark).alerts != ["100 % done"]:
            await watch.changed.wait()


async def test_what_is_replaced_or_closed_by_hand_is_no_message(open_page: OpenPage) -> None:
    turn = await open_page(
        """<div id=list></div><div id=menu hidden>Archive</div><button id=load onclick="setTimeout(() => {
        list.innerHTML = '<p>Loading</p>'; setTimeout(() => list.innerHTML = '<p>7 runs</p>', 50) })">Load</button>
        <button id=open onclick="menu.hidden = !menu.hidden">Menu</button>"""
    )
    watch = turn.session.watch
    await click(turn, "#load")
    await turn.page.locator("text=7 runs").wait_for()
    for _ in range(2):
        await click(turn, "#open")
    await watch.settled(turn, watch.mark())
    assert watch.since(None).alerts == []


def test_live_regions_are_told_before_others() -> None:
    passed, live = AlertSeen("Draft kept", 1), AlertSeen("Saved", 2, "region")
    assert told([passed, live, live]) == ["Saved", "Draft kept"]


async def test_few_and_short_messages_are_told(open_page: OpenPage) -> None:
    turn = await open_page(
        """<div id=log role=log></div><button onclick="setTimeout(() => { for (let n = 0; n < 12; n++) {
        const line = document.createElement('p'); line.textContent = `${'abcdefghijkl'[n]} ${'x'.repeat(300)}`;
        log.append(line); } })">Go</button>"""
    )
    alerts = await heard(turn, 8)
    assert len(alerts) == 8
    assert {len(one) for one in alerts} == {200}


# -- errors, downloads, tabs --------------------------------------------------------------------


async def test_errors_of_console_and_scripts_are_told(open_page: OpenPage) -> None:
    turn = await open_page(
        "<button onclick=\"console.error('broken', 7); console.warn('fine'); setTimeout(() => nothing.here)\">Go</button>"
    )
    watch = turn.session.watch
    await click(turn)
    with anyio.fail_after(5):
        while len(watch.since(None).errors) < 2:
            await watch.changed.wait()
    assert watch.since(None).errors == ["broken 7", "nothing is not defined"]


async def test_an_answer_that_is_an_error_reaches_the_console(open_page: OpenPage) -> None:
    turn = await open_page(f"<button onclick=\"send('GET', '/absent')\">Go</button><script>{FETCH}</script>")
    [error] = (await click(turn)).errors
    assert "404" in error


@pytest.mark.parametrize(
    "button",
    [
        "<a id=link href=/export><button>Export</button></a>",
        "<form method=post action=/export><button>Export</button></form>",
        "<button onclick=\"const a = document.createElement('a'); a.download = 'runs.csv';"
        " a.href = window.URL.createObjectURL(new Blob(['id;name'])); a.click()\">Export</button>",
    ],
    ids=["link", "form", "script"],
)
async def test_a_download_is_saved_before_the_action_is_over(
    open_page: OpenPage, site: Site, button: str
) -> None:
    answer = Answer(
        "id;name", type="text/csv", headers={"content-disposition": 'attachment; filename="runs.csv"'}
    )
    site.on("GET", "/export", answer)
    site.on("POST", "/export", answer)
    turn = await open_page(button)
    [saved] = (await click(turn)).downloads
    assert saved.name == "runs.csv"
    assert saved.path.read_text() == "id;name"


async def test_a_new_tab_is_watched_like_the_first(open_page: OpenPage, site: Site) -> None:
    site.page(
        "/report", f"<title>Report</title><script>{FETCH}; send('POST', '/seen'); alert('Ready')</script>"
    )
    site.on("POST", "/seen", Answer("ok"))
    turn = await open_page("<a href=/report target=_blank><button>Report</button></a>")
    happened = await click(turn)
    assert [one.rpartition("/")[2] for one in happened.pages] == ["report"]
    assert [one.path for one in happened.commits] == ["/seen"]
    assert [one.message for one in happened.dialogs] == ["Ready"]


async def test_every_kind_of_request_that_changes_something_is_a_commit(
    open_page: OpenPage, site: Site
) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        site.on(method, "/x", Answer("ok"))
    turn = await open_page(
        f"""<button onclick="(async () => {{ for (const one of ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD'])
        await send(one, '/x?a=1'); navigator.sendBeacon('/x'); const old = new XMLHttpRequest();
        old.open('POST', '/x'); old.send(); }})()">Go</button><script>{FETCH}</script>"""
    )
    happened = await click(turn)
    assert sorted(one.method for one in happened.commits) == ["DELETE", "PATCH", "POST", "POST", "PUT"]
    assert "/x?a=1" in [one.path for one in happened.requests]


async def test_secrets_are_redacted_wherever_the_page_says_them(open_page: OpenPage) -> None:
    turn = await open_page(
        """<button onclick="fetch('/login?pass=hunter%2022'); alert('hunter 22'); console.error('hunter 22');
        out.textContent = 'hunter 22'">Go</button><p id=out role=status></p>""",
        secrets={"PASSWORD": "hunter 22"},
    )
    happened = await click(turn)
    assert [one.path for one in happened.requests] == ["/login?pass={{PASSWORD}}"]
    assert [one.message for one in happened.dialogs] == ["{{PASSWORD}}"]
    assert happened.errors[0] == "{{PASSWORD}}"
    assert happened.alerts == ["{{PASSWORD}}"]


async def test_a_hostile_page_is_watched_all_the_same(open_page: OpenPage, site: Site) -> None:
    site.on("POST", "/save", Answer("ok"))
    turn = await open_page(
        """<button>Save</button><p id=out></p><script>
        const real = fetch, later = setTimeout;
        document.querySelector('button').onclick = () => { real('/save', {method: 'POST'}).then(one => one.text());
          const box = document.createElement('div'); box.append('Saved'); document.body.append(box);
          later(() => box.remove(), 80); };
        window.fetch = window.XMLHttpRequest = null;
        window.requestAnimationFrame = window.setTimeout = () => { throw 'no'; };
        window.MutationObserver = window.Promise = window.WeakMap = window.Map = window.Set = null;
        window.console = {debug() { throw 'no'; }};
        JSON.stringify = JSON.parse = Array.prototype.map = Array.prototype.push = () => { throw 'no'; };
        Document.prototype.querySelectorAll = Element.prototype.matches = () => { throw 'no'; };
        Object.defineProperty(Node.prototype, 'textContent', {get() { throw 'no'; }, set() {}});
        </script>"""
    )
    assert await heard(turn) == ["Saved"]
    assert [one.status for one in turn.session.watch.since(None).commits] == [200]


async def test_news_cannot_be_forged_by_a_page(open_page: OpenPage) -> None:
    turn = await open_page(
        "<button onclick=\"console.debug('walkaround', JSON.stringify({alert: 'Saved', part: null, age: 0}))\">Go</button>"
    )
    assert (await click(turn)).alerts == []


# -- marks --------------------------------------------------------------------------------------


async def test_each_action_has_its_own(open_page: OpenPage, site: Site) -> None:
    site.on("POST", "/save", Answer("ok"))
    turn = await open_page(
        f"""<button onclick="send('POST', '/save?n=' + ++n); out.textContent = `Saved ${{'?ab'[n]}}`; console.error(n)">Go</button>
        <p id=out role=status></p><script>{FETCH}; let n = 0</script>"""
    )
    for number in (1, 2):
        happened = await click(turn)
        assert [one.path for one in happened.commits] == [f"/save?n={number}"]
        assert happened.alerts == [f"Saved {'?ab'[number]}"]
        assert happened.errors == [f"{number}"]
    assert len(turn.session.watch.since(None).commits) == 2
