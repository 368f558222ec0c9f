"""The commands: what they are called, which options they take, and how they end."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.exceptions import Abort, Exit, TyperException

from scenarios.errors import WalkaroundError

app = typer.Typer(
    name="walkaround",
    help="A browser test agent: plain scenarios, a real browser, verdicts that are earned.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_USAGE = 4


def main() -> None:
    """Runs the command line and ends the process with the exit code of design.md, section 8."""
    try:
        code = app(standalone_mode=False)
    except WalkaroundError as error:
        code = _say(str(error), error.exit_code)
    except TyperException as error:
        code = _say(f"{error.format_message()} (see `walkaround --help`)", _USAGE)
    except (Abort, KeyboardInterrupt):
        code = _say("interrupted", 2)
    except Exit as end:
        code = end.exit_code
    sys.exit(code or 0)


def _say(message: str, code: int) -> int:
    print(f"walkaround: {message}", file=sys.stderr)  # noqa: T201 — the one line for a person
    return code


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"walkaround {version('walkaround')}")
        raise Exit


@app.callback()
def _front(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Shows the version.")
    ] = False,
) -> None:
    pass


Paths = Annotated[
    list[str] | None, typer.Argument(help="Scenario files, folders, or path:LINE. Default: scenarios/ or .")
]
Grep = Annotated[str | None, typer.Option("-k", "--grep", help="Only scenarios whose title contains this.")]
Tags = Annotated[
    str | None, typer.Option("--tags", help="Only scenarios with all of these tags, separated by commas.")
]
Define = Annotated[
    list[str] | None, typer.Option("-D", help="A variable: key=value. May be given several times.")
]
BaseUrl = Annotated[str | None, typer.Option("--base-url", help="Where relative addresses start.")]
Config = Annotated[
    Path | None, typer.Option("-c", "--config", help="Settings file; else pyproject.toml or walkaround.toml.")
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Only what did not pass, and the summary.")]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Everything worth reading.")]
Headed = Annotated[bool, typer.Option("--headed", help="Shows the browser.")]


@app.command()
def run(
    paths: Paths = None,
    grep: Grep = None,
    tags: Tags = None,
    define: Define = None,
    base_url: BaseUrl = None,
    workers: Annotated[
        str | None, typer.Option("-j", "--workers", help="Scenarios side by side: a number or auto.")
    ] = None,
    first_failure: Annotated[
        bool, typer.Option("-x", "--exitfirst", help="Stops after the first that does not pass.")
    ] = False,
    max_failures: Annotated[
        int | None, typer.Option("--max-failures", min=1, help="Stops after this many.")
    ] = None,
    browser: Annotated[str | None, typer.Option("--browser", help="chromium, firefox or webkit.")] = None,
    browser_channel: Annotated[
        str | None, typer.Option("--browser-channel", help="For example chrome or msedge.")
    ] = None,
    headed: Headed = False,
    slowmo: Annotated[
        int | None, typer.Option("--slowmo", min=0, help="Milliseconds between browser actions.")
    ] = None,
    tracing: Annotated[
        str | None, typer.Option("--tracing", help="on, off or retain-on-failure: Playwright's trace.zip.")
    ] = None,
    screenshot: Annotated[
        str | None, typer.Option("--screenshot", help="on, off or only-on-failure.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", help="Where traces go; test-results unless told.")
    ] = None,
    junit_xml: Annotated[
        Path | None, typer.Option("--junit-xml", "--junitxml", help="Writes a JUnit report.")
    ] = None,
    reporter: Annotated[
        str | None, typer.Option("--reporter", help="list, line, json, junit, github; separated by commas.")
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", help="Who takes the Tester's role: offline or a claude-… name.")
    ] = None,
    pilot_model: Annotated[
        str | None, typer.Option("--pilot-model", help="Who takes the Pilot's role.")
    ] = None,
    timeout: Annotated[str | None, typer.Option("--timeout", help="One scenario, for example 3m.")] = None,
    idle_timeout: Annotated[str | None, typer.Option("--idle-timeout", help="Silence of a model.")] = None,
    tool_timeout: Annotated[str | None, typer.Option("--tool-timeout", help="One tool.")] = None,
    action_timeout: Annotated[
        str | None, typer.Option("--action-timeout", help="One browser action.")
    ] = None,
    drain_timeout: Annotated[
        str | None, typer.Option("--drain-timeout", help="What a closed attempt left running.")
    ] = None,
    config: Config = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Reads and checks the scenarios; runs none.")
    ] = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Runs scenarios in a real browser and ends with a code that says how it went."""
    from cli.run import run_command

    flags = {
        name: value
        for name, value in locals().items()
        if name not in ("paths", "run_command") and value not in (None, False)
    }
    raise Exit(run_command(paths or [], flags))


@app.command("list")
def list_(
    paths: Paths = None, grep: Grep = None, tags: Tags = None, define: Define = None, config: Config = None
) -> None:
    """Lists the scenarios that `run` would run, with their places."""
    from cli.run import list_command

    flags = {"grep": grep, "tags": tags, "define": define, "config": config}
    raise Exit(list_command(paths or [], {name: value for name, value in flags.items() if value is not None}))


@app.command()
def demo(
    with_bug: Annotated[
        bool, typer.Option("--with-bug", help="Plants a bug in the application, so that one fails.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", help="Where traces go; test-results unless told.")
    ] = None,
    headed: Headed = False,
    slowmo: Annotated[
        int | None, typer.Option("--slowmo", min=0, help="Milliseconds between browser actions.")
    ] = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Starts the demo application on a free port and runs its scenarios, with no key and no network."""
    from cli.run import demo_command

    flags: dict[str, Any] = {
        "output": output,
        "headed": headed,
        "slowmo": slowmo,
        "quiet": quiet,
        "verbose": verbose,
    }
    raise Exit(
        demo_command({name: value for name, value in flags.items() if value not in (None, False)}, with_bug)
    )


@app.command()
def form(
    url: Annotated[str, typer.Argument(help="The page that holds the form.")],
    entries: Annotated[str, typer.Argument(help="A JSON file with entries; - reads standard input.")],
    then: Annotated[
        str | None, typer.Option("--then", help="JavaScript to evaluate on the page afterwards.")
    ] = None,
    headed: Headed = False,
) -> None:
    """Uses the form tool once and prints one JSON object: result, then, text."""
    from cli.once import form_command

    raise Exit(form_command(url, entries, then, headed=headed))
