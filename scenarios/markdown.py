"""Scenario files in Markdown: the chapters of an outline become scenarios, one for each row of their data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import PurePath

from scenarios.data import DataRow, read_data
from scenarios.errors import ScenarioError
from scenarios.frontmatter import FrontMatter, read_front_matter, split_front_matter
from scenarios.outline import Chapter, Item, Section, read_outline
from scenarios.scenario import Outcome, Scenario, Source, Step
from scenarios.slugs import slug, unique
from scenarios.variables import Variables

SECTIONS = ("Before", "Steps", "Expected", "After", "Data")
_STILL = re.compile(r"(?:still:|\(still\):?)\s*(?P<behind>.+)|(?P<before>.+?)\s*\(still\)\.?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Placed:
    """A scenario with the first and the last line of its chapter, and the line of its row of data."""

    scenario: Scenario
    first: int
    last: int
    row: int | None = None


def read_scenarios(text: str, path: str, variables: Variables) -> tuple[Placed, ...]:
    """The scenarios of a file in order; `variables` are what its front matter and its data may refer to.

    Raises:
        ScenarioError: something in it cannot be read.
    """
    yaml, markdown = split_front_matter(text, path)
    front = read_front_matter(yaml, path, variables)
    file = _File(path, front, _of_file(front, variables))
    chapters = read_outline(markdown, path)
    if not chapters:
        raise ScenarioError(path, 1, "no scenario stands here; one begins with a title, such as `# Sign in`")
    _check_titles(chapters, path)
    placed = [one for chapter in chapters for one in file.scenarios(chapter)]
    slugs = unique([one.scenario.slug for one in placed])
    return tuple(
        replace(one, scenario=replace(one.scenario, slug=slug))
        for one, slug in zip(placed, slugs, strict=True)
    )


def _of_file(front: FrontMatter, variables: Variables) -> Variables:
    secrets = {name: variables.environment.get(name) for name in front.secrets}
    return replace(variables, values={**front.variables, **variables.values}, secrets=secrets)


def _check_titles(chapters: Sequence[Chapter], path: str) -> None:
    lines: dict[str, int] = {}
    for chapter in chapters:
        if not chapter.title:
            raise ScenarioError(path, chapter.line, "the title is empty")
        first = lines.setdefault(chapter.title.casefold(), chapter.line)
        if first != chapter.line:
            raise ScenarioError(
                path, chapter.line, f"the title {chapter.title!r} stands in line {first} already"
            )


@dataclass(frozen=True, slots=True)
class _File:
    """What the scenarios of one file have in common."""

    path: str
    front: FrontMatter
    variables: Variables

    def scenarios(self, chapter: Chapter) -> Iterator[Placed]:
        """The scenarios of a chapter."""
        sections = self._sections(chapter)
        rows = read_data(sections["Data"], self.path) if "Data" in sections else [DataRow({})]
        built = [(row, self._scenario(chapter, sections, row)) for row in rows]
        told_apart = len({scenario.title for _, scenario in built}) == len(built)
        for row, scenario in built:
            label = self.variables.fill(row.label, scenario.source)
            title = scenario.title if told_apart else f"{scenario.title} [{label}]"
            yield Placed(replace(scenario, title=title), chapter.line, chapter.last, row.line)

    def _scenario(self, chapter: Chapter, sections: Mapping[str, Section], row: DataRow) -> Scenario:
        at = Source(self.path, row.line or chapter.line)
        values = {name: self.variables.fill(value, at) for name, value in row.values.items()}
        sentences = _Sentences(self.path, self.variables.over(values))
        title = Source(self.path, chapter.line)
        empty = Section("", 0)
        return Scenario(
            title=sentences.variables.fill(chapter.title, title),
            source=title,
            slug=self._slug(chapter.title, row.label),
            steps=sentences.steps(sections["Steps"]),
            outcomes=sentences.outcomes(sections.get("Expected", empty)),
            before=sentences.steps(chapter.introduction) + sentences.steps(sections.get("Before", empty)),
            after=sentences.steps(sections.get("After", empty)),
            row=values,
            tags=self.front.tags,
            secrets={name: value for name, value in self.variables.secrets.items() if value},
            base_url=self.front.base_url,
            allow_origins=self.front.allow_origins,
            budget=self.front.budget,
            idempotent=self.front.idempotent,
            settings=self.front.settings,
        )

    def _slug(self, title: str, label: str) -> str:
        stem = PurePath(self.path).stem
        named_after = slug(title).startswith(slug(stem))
        return slug(title, label) if named_after else slug(stem, title, label)

    # -- sections --------------------------------------------------------------------------------------------

    def _sections(self, chapter: Chapter) -> dict[str, Section]:
        sections: dict[str, Section] = {}
        for section in chapter.sections:
            name = section.name.rstrip(":").capitalize()
            if name not in SECTIONS:
                near = get_close_matches(name, SECTIONS, 1, 0.7)
                known = f"did you mean {near[0]}?" if near else f"there are {', '.join(SECTIONS)}"
                raise self._wrong(section.line, f"the section {section.name!r} is not known; {known}")
            if name in sections:
                before = sections[name].line
                raise self._wrong(section.line, f"the section {name} stands in line {before} already")
            if not (section.items or section.tables):
                raise self._wrong(section.line, f"the section {name} is empty")
            sections[name] = section
        elsewhere = [chapter.introduction, *(one for name, one in sections.items() if name != "Data")]
        if tables := [table for section in elsewhere for table in section.tables]:
            raise self._wrong(tables[0][0].line, "a table is read in the section Data alone")
        if "Steps" not in sections:
            raise self._wrong(chapter.line, f"the scenario {chapter.title!r} has no section `## Steps`")
        return sections

    def _wrong(self, line: int, message: str) -> ScenarioError:
        return ScenarioError(self.path, line, message)


@dataclass(frozen=True, slots=True)
class _Sentences:
    """Items as steps and outcomes, with the variables of one row."""

    path: str
    variables: Variables

    def steps(self, section: Section) -> tuple[Step, ...]:
        """An item is a step."""
        return tuple(Step(self._filled(item), Source(self.path, item.line)) for item in section.items)

    def outcomes(self, section: Section) -> tuple[Outcome, ...]:
        """An item is an outcome; `still` at either end is taken off."""
        return tuple(self._outcome(item) for item in section.items)

    def _outcome(self, item: Item) -> Outcome:
        still = _STILL.fullmatch(item.text)
        text = (still["behind"] or still["before"]) if still else item.text
        source = Source(self.path, item.line)
        return Outcome(self.variables.fill_sentence(text, source), source, still is not None)

    def _filled(self, item: Item) -> str:
        return self.variables.fill_sentence(item.text, Source(self.path, item.line))
