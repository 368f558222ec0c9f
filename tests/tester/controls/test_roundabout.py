"""Fields that are reached in a roundabout way: frames that are written in, cells edited in place, pairs of lists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tester.deadlines import Deadlines
from tester.form import form

pytestmark = pytest.mark.anyio

SOON = Deadlines(blocked=0.3)
WRITTEN = """<iframe id=w srcdoc="<body contenteditable>old</body>"></iframe>"""
FRAMES = {
    "by the label of the hidden text area": f"""
        <label for=t>Message</label><textarea id=t style="display:none"></textarea><div class=editor>{WRITTEN}</div>""",
    "by its title": WRITTEN.replace("id=w", "id=w title=Message"),
    "by the text before": f"<p>Message</p><div class=toolbar><button>B</button></div>{WRITTEN}",
}


@pytest.mark.parametrize("html", FRAMES.values(), ids=FRAMES)
async def test_an_editor_in_a_frame_is_found(html: str, open_page: Any) -> None:
    turn = await open_page(html)
    result = await form(turn, [{"field": "Message", "value": "Hello\nthere"}])
    assert result["ok"], result
    assert await turn.page.evaluate("w.contentDocument.body.innerText") == "Hello\nthere"


async def test_a_frame_with_nothing_to_write_in_is_told(open_page: Any) -> None:
    turn = await open_page("<iframe title=Message srcdoc='<p>text</p>'></iframe>", deadlines=SOON)
    result = await form(turn, [{"field": "Message", "value": "x"}])
    assert "'Message' is a frame in which there is nothing to fill in" in result["steps"][0]["why"]


@pytest.mark.parametrize("event", ["click", "dblclick"])
async def test_a_cell_is_edited_in_place(event: str, open_page: Any) -> None:
    turn = await open_page(
        f"""<table><tr><th>Item<th>Price<tr><td>Mug<td>3<tr><td>Blue mug<td>5</table><script>
        document.querySelectorAll('td').forEach(cell => cell.on{event} = () => {{ if (cell.children.length) return;
        const f = document.createElement('input'); f.value = cell.textContent; cell.replaceChildren(f); f.focus();
        f.onkeydown = e => {{ if (e.key == 'Enter') cell.textContent = f.value }} }})</script>"""
    )
    result = await form(turn, [{"field": "Price", "value": "4.50", "within": "Mug"}])
    assert result["ok"], result
    assert await turn.page.locator("table").inner_text() == "Item\tPrice\nMug\t4.50\nBlue mug\t5"


async def test_a_cell_that_opens_nothing_is_told(open_page: Any) -> None:
    turn = await open_page("<table><tr><th>Item<th>Price<tr><td>Mug<td>3</table>", deadlines=SOON)
    result = await form(turn, [{"field": "Price", "value": "4", "within": "Mug"}])
    assert "'Price' is a cell of text, and nothing opens when it is pressed" in result["steps"][0]["why"]


PAIRS = {
    "native": """<p>Groups</p><div><label>Available <select multiple id=a><option>Ann<option>Bob<option>Cy</select></label>
        <button onclick="move(a, b)">Add →</button><button onclick="move(b, a)">← Remove</button>
        <label>Chosen <select multiple id=b><option>Dan</select></label></div><script>
        move = (from, to) => [...from.selectedOptions].forEach(one => to.append(one));
        chosen = () => [...b.options].map(one => one.text)</script>""",
    "drawn": """<fieldset><legend>Groups</legend><ul role=listbox aria-multiselectable=true id=a></ul>
        <button aria-label="Move right">›</button><button aria-label="Move left">‹</button>
        <ul role=listbox aria-multiselectable=true id=b aria-label=Chosen></ul></fieldset><script>
        const lists = [['Ann', 'Bob', 'Cy'], ['Dan']], on = new Set(), [a, b] = document.querySelectorAll('ul');
        const draw = () => [a, b].forEach((list, at) => list.innerHTML = lists[at].map(one =>
        `<li role=option aria-selected=${on.has(one)}>${one}`).join(''));
        onclick = e => { const one = e.target.textContent; if (e.target.matches('li')) on.has(one) ? on.delete(one) : on.add(one);
        const from = {'›': 0, '‹': 1}[one]; if (from >= 0) { const go = lists[from].filter(each => on.has(each));
        lists[from] = lists[from].filter(each => !on.has(each)); lists[1 - from].push(...go); on.clear() } draw() };
        draw(); chosen = () => lists[1]</script>""",
}


@pytest.mark.parametrize("html", PAIRS.values(), ids=PAIRS)
@pytest.mark.parametrize("name", ["Chosen", "Groups"])
async def test_a_pair_of_lists_holds_what_was_asked_for(name: str, html: str, open_page: Any) -> None:
    turn = await open_page(html)
    result = await form(turn, [{"field": name, "value": ["Cy", "Ann"]}])
    assert result["ok"], result
    assert sorted(await turn.page.evaluate("chosen()")) == ["Ann", "Cy"]


FILES = {
    "a button": "<button onclick='f.click()'>Attach</button><input type=file id=f hidden>",
    "a label": "<label for=f>Attach</label><input type=file id=f style='display:none'>",
    "a drop zone": "<div class=zone><p>Attach</p><small>or drop files here</small><input type=file id=f hidden></div>",
    "an input of its own": "<label>Attach <input type=file id=f></label>",
}


@pytest.mark.parametrize("html", FILES.values(), ids=FILES)
async def test_a_file_goes_in_by(html: str, open_page: Any, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    turn = await open_page(html)
    result = await form(turn, [{"upload": "Attach", "files": ["a.txt"]}])
    assert result["ok"], result
    assert await turn.page.evaluate("[...f.files].map(one => one.name)") == ["a.txt"]


async def test_a_file_goes_in_by_a_chooser_that_a_press_opens(open_page: Any, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    turn = await open_page(
        "<button onclick=\"const f = document.createElement('input'); f.type = 'file';"
        ' f.onchange = () => out.textContent = f.files[0].name; f.click()">Attach</button><p id=out>'
    )
    result = await form(turn, [{"upload": "Attach", "files": ["a.txt"]}])
    assert result["ok"], result
    assert await turn.page.locator("#out").text_content() == "a.txt"


async def test_two_files_into_a_control_for_one_are_refused_beforehand(
    open_page: Any, tmp_path: Path
) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(name)
    turn = await open_page("<label>Attach <input type=file id=f></label>", deadlines=SOON)
    result = await form(turn, [{"upload": "Attach", "files": ["a.txt", "b.txt"]}])
    assert result["steps"][0]["why"] == "'Attach' takes one file, not 2"
