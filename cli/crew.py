"""Which model takes which role, by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cli.settings import Layers, Settings
from scenarios.errors import ScenarioError, UsageError
from scenarios.scenario import Scenario
from scenarios.sentences import NotUnderstood, read_outcome, read_step

if TYPE_CHECKING:
    from pilot.flight import Crew
    from tester.models.protocol import Model

OFFLINE = "offline"


def crew_for(settings: Settings, environment: Mapping[str, str]) -> Crew:
    """The models that take the two roles.

    Raises:
        UsageError: no model has this name.
    """
    from pilot.flight import Crew

    return Crew(
        pilot=_model(settings.pilot_model or settings.model, environment),
        tester=_model(settings.model, environment),
    )


def _model(name: str, environment: Mapping[str, str]) -> Model:
    if name == OFFLINE:
        from tester.models.offline import Offline

        return Offline()
    if name.startswith("claude-"):
        from tester.models.anthropic import Anthropic

        return Anthropic(name)
    raise UsageError(f"there is no model {name!r}; use {OFFLINE}, or a name that begins with claude-")


def check_sentences(scenarios: Sequence[Scenario], layers: Layers) -> None:
    """Makes sure that the offline model can read every sentence that it will be given, before anything runs.

    Raises:
        ScenarioError: the first one that it cannot, with its place and the nearest form that it can.
    """
    for scenario in scenarios:
        settings = layers.settings(scenario.settings)
        try:
            if settings.model == OFFLINE:
                for step in (*scenario.before, *scenario.steps, *scenario.after):
                    place = step.source
                    read_step(step.text)
            if (settings.pilot_model or settings.model) == OFFLINE:
                for outcome in scenario.outcomes:
                    place = outcome.source
                    read_outcome(outcome.text)
        except NotUnderstood as error:
            raise ScenarioError(place.path, place.line, str(error)) from error
