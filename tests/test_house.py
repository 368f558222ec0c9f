"""The house rules that no linter knows."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FLOORS = ("cli", "pilot", "tester", "traces", "scenarios")
"""From the top down; a folder imports from those after it only."""

MODULES = sorted(
    path.relative_to(ROOT)
    for folder in FLOORS
    for path in (ROOT / folder).rglob("*.py")
    if "__pycache__" not in path.parts
)
LONG: dict[str, str] = {}
"""Modules of more than 400 lines, each with its reason."""

FULL_FACES = {
    "pilot/prompts/__init__.py": "the folder holds texts; the face is what reads them",
}
"""Packages whose `__init__` holds more than a sentence, each with its reason."""

PATIENT = {
    "tester/patience.py": "the one place where a state of the page is asked for again and again",
}
"""Modules that sleep for a fixed time, each with its reason."""


@cache
def tree(module: Path) -> ast.Module:
    return ast.parse((ROOT / module).read_text("utf-8"), str(module))


def imported(module: Path, *, types: bool = True) -> Iterator[str]:
    """The modules that one imports, anywhere in it; those for type checkers alone only with `types`."""
    nodes = list(ast.walk(tree(module)))
    unseen = [
        part
        for node in nodes
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and not types
        for part in node.body
    ]
    for node in nodes:
        if node in unseen:
            continue
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: import from the top, not relatively"
            yield node.module or ""


def test_there_are_modules_on_every_floor() -> None:
    assert {module.parts[0] for module in MODULES} == set(FLOORS)


def test_imports_run_downwards_only() -> None:
    upwards = [
        f"{module} imports {name}"
        for module in MODULES
        for name in imported(module)
        if name.split(".")[0] in FLOORS[: FLOORS.index(module.parts[0])]
        or name.split(".")[0] in ("tests", "benchmarks", "walkaround")
    ]
    assert upwards == []


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    known = {".".join(module.with_suffix("").parts): module for module in MODULES}
    asked = {name: set(imported(module, types=False)) & set(known) for name, module in known.items()}
    settled: set[str] = set()
    while free := {name for name, others in asked.items() if others <= settled} - settled:
        settled |= free
    assert sorted(set(known) - settled) == []


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_a_module_opens_with_one_sentence(module: Path) -> None:
    words = ast.get_docstring(tree(module)) or ""
    assert re.match(r"[^\n]+(\n[^\n]+)*?[.:]($|\s)", words), "the first paragraph is a sentence"
    assert not words.startswith("This module")
    if module.name == "__init__.py" and module.as_posix() not in FULL_FACES:
        assert len(tree(module).body) == 1, "a package's face holds its sentence only"


def test_modules_are_short() -> None:
    long = {
        str(module): lines
        for module in MODULES
        if (lines := len((ROOT / module).read_text("utf-8").splitlines())) > 400
    }
    assert {name: lines for name, lines in long.items() if name not in LONG} == {}
    assert sorted(set(LONG) - set(long)) == [], "no longer long"


def test_functions_are_short() -> None:
    long = [
        f"{module}:{node.lineno} {node.name} has {lines} lines"
        for module in MODULES
        for node in ast.walk(tree(module))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := (node.end_lineno or 0) - node.body[0].lineno + 1) > 60
    ]
    assert long == []


def test_nothing_waits_for_a_fixed_time() -> None:
    """A sleep whose length is written down, or any at all that blocks the loop or waits for a silent network."""
    found = [
        f"{module}:{node.lineno} {ast.unparse(node)}"
        for module in MODULES
        for node in ast.walk(tree(module))
        if isinstance(node, ast.Call) and _waits_blindly(node) and module.as_posix() not in PATIENT
    ]
    assert found == []


def _waits_blindly(call: ast.Call) -> bool:
    name = ast.unparse(call.func)
    if name in ("time.sleep", "sleep") or name.endswith(".wait_for_timeout"):
        return True
    if any(isinstance(one.value, ast.Constant) and one.value.value == "networkidle" for one in call.keywords):
        return True
    fixed = bool(call.args) and isinstance(call.args[0], ast.Constant) and call.args[0].value != 0
    return name in ("anyio.sleep", "asyncio.sleep") and fixed


def test_no_module_of_pilot_or_tester_holds_a_state() -> None:
    modules = [module for module in MODULES if module.parts[0] in ("pilot", "tester")]
    held = [
        f"{module}:{node.lineno} {ast.unparse(node)}"
        for module in modules
        for node in tree(module).body
        if _holds_a_state(node)
    ]
    held += [
        f"{module}:{node.lineno} {ast.unparse(node)}"
        for module in modules
        for node in ast.walk(tree(module))
        if isinstance(node, ast.Global)
    ]
    assert held == []


def _holds_a_state(node: ast.stmt) -> bool:
    """Something mutable under a name in lower case."""
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    lower = any(isinstance(one, ast.Name) and one.id not in (one.id.upper(), "__all__") for one in targets)
    literal = isinstance(
        node.value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
    )
    made = isinstance(node.value, ast.Call) and ast.unparse(node.value.func).split(".")[-1] in (
        "list",
        "dict",
        "set",
        "deque",
        "defaultdict",
        "Counter",
        "ContextVar",
        "WeakKeyDictionary",
    )
    return lower and (literal or made)


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_holds_hashes_and_no_addresses(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    pinned = re.findall(r"^([a-z0-9-]+)==", text, re.MULTILINE)
    assert "playwright" in pinned
    assert text.count("--hash=sha256:") >= len(pinned)
    assert re.findall(r"\w+://\S*|^-.*|^.* @ .*", text, re.MULTILINE) == []


def test_the_locks_agree_and_know_every_dependency() -> None:
    locks = [
        dict(re.findall(r"^([a-z0-9-]+)==(\S+)", (ROOT / name).read_text("utf-8"), re.MULTILINE))
        for name in ("requirements.lock", "requirements-dev.lock")
    ]
    assert locks[0].items() <= locks[1].items()
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    names = [re.split(r"[^\w-]", one)[0] for one in project["project"]["dependencies"]]
    assert [name for name in names if name not in locks[0]] == []
    names = [re.split(r"[^\w-]", one)[0] for one in project["dependency-groups"]["dev"]]
    assert [name for name in names if name not in locks[1]] == []


def test_help_is_instant_because_nothing_heavy_is_imported_for_it() -> None:
    program = """
import sys
sys.argv = ["walkaround", *sys.argv[1:]]
import walkaround
try:
    walkaround.main()
except SystemExit:
    pass
print(*sorted({"anthropic", "playwright", "pydantic", "rich", "yaml", "lark"} & set(sys.modules)), file=sys.stderr)
"""
    for words in (["--help"], ["--version"]):
        done = subprocess.run(
            [sys.executable, "-c", program, *words], capture_output=True, text=True, cwd=ROOT, check=True
        )
        assert done.stdout.strip()
        assert done.stderr.strip() == "", f"imported for walkaround {' '.join(words)}"


def test_prompts_say_something() -> None:
    prompts = sorted((ROOT / "pilot" / "prompts").glob("*.md"))
    assert prompts
    assert [path.name for path in prompts if len(path.read_text("utf-8").split()) < 20] == []
