"""The front matter of a scenario file: YAML between two lines of dashes, every error with its line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, TypeVar

import yaml

from scenarios.errors import ScenarioError
from scenarios.scenario import Budget, Source
from scenarios.units import read_dollars, read_seconds
from scenarios.variables import Variables

T = TypeVar("T")

DEADLINES = ("timeout", "idle-timeout", "tool-timeout", "action-timeout", "drain-timeout", "help-timeout")
TEXTS = ("model", "pilot-model", "storage-state")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What holds for every scenario of a file; `settings` are named like the options of the command."""

    base_url: str | None = None
    tags: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    budget: Budget = field(default_factory=Budget)
    variables: Mapping[str, str] = field(default_factory=dict)
    allow_origins: tuple[str, ...] = ()
    idempotent: bool = False
    settings: Mapping[str, str] = field(default_factory=dict)


def split_front_matter(text: str, path: str) -> tuple[str, str]:
    """The YAML and the Markdown of a file, each with as many lines before it as it has in the file.

    Raises:
        ScenarioError: the front matter is opened and not closed.
    """
    first, *lines = text.split("\n")
    if first.rstrip() != "---":
        return "", text
    for number, line in enumerate(lines):
        if line.rstrip() in ("---", "..."):
            return "\n" + "\n".join(lines[:number]), "\n" * (number + 2) + "\n".join(lines[number + 1 :])
    raise ScenarioError(path, 1, "the front matter is not closed; put a line of three dashes at its end")


def read_front_matter(text: str, path: str, variables: Variables) -> FrontMatter:
    """The front matter, `${NAME}` filled in.

    Raises:
        ScenarioError: it is no YAML, or a key or a value is not known.
    """
    try:
        root = yaml.compose(text, yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise ScenarioError(path, line, f"this is no YAML: {error.problem or error.context}") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise ScenarioError(path, 1, f"the front matter is no YAML: {str(error).splitlines()[0]}") from None
    if root is None:
        return FrontMatter()
    return _Reader(path, variables).front_matter(root)


class _Reader:
    """Reads YAML nodes into values; a scalar is the text that stands there, not what YAML makes of it."""

    def __init__(self, path: str, variables: Variables) -> None:
        self._path = path
        self._variables = variables

    def front_matter(self, root: yaml.Node) -> FrontMatter:
        keys: dict[str, Callable[[yaml.Node], Any]] = {
            "base-url": self.text,
            "tags": self.texts,
            "secrets": self.texts,
            "budget": self.budget,
            "variables": self.variables,
            "allow-origins": self.texts,
            "idempotent": self.boolean,
            **dict.fromkeys(TEXTS, self.text),
            **dict.fromkeys(DEADLINES, self.duration),
        }
        read = self.mapping(root, keys)
        settings = {key: read.pop(key) for key in (*DEADLINES, *TEXTS) if key in read}
        return FrontMatter(**{key.replace("-", "_"): value for key, value in read.items()}, settings=settings)

    def mapping(self, node: yaml.Node, keys: Mapping[str, Callable[[yaml.Node], Any]]) -> dict[str, Any]:
        """The values of a mapping by its keys; an underscore in a key is as good as a hyphen."""
        read: dict[str, Any] = {}
        for name, key_node, value in self.pairs(node):
            key = name.replace("_", "-")
            if key not in keys:
                near = get_close_matches(key, keys, 1)
                known = f"did you mean {near[0]}?" if near else f"known are {', '.join(sorted(keys))}"
                raise self.wrong(key_node, f"the key {name!r} is not known; {known}")
            if key in read:
                raise self.wrong(key_node, f"the key {name!r} stands here twice")
            read[key] = keys[key](value)
        return read

    def pairs(self, node: yaml.Node) -> list[tuple[str, yaml.Node, yaml.Node]]:
        if not isinstance(node, yaml.MappingNode):
            raise self.wrong(node, "names with values are wanted here, such as `name: value`")
        return [(self.text(key), key, value) for key, value in node.value]

    def text(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode) or node.tag.endswith(":null"):
            raise self.wrong(node, "a text is wanted here")
        return self._variables.fill(str(node.value), self.source(node))

    def texts(self, node: yaml.Node) -> tuple[str, ...]:
        if isinstance(node, yaml.ScalarNode):
            return tuple(one.strip() for one in self.text(node).split(","))
        if not isinstance(node, yaml.SequenceNode):
            raise self.wrong(node, "a list of texts is wanted here, such as `[a, b]`")
        return tuple(self.text(one) for one in node.value)

    def variables(self, node: yaml.Node) -> dict[str, str]:
        return {name: self.text(value) for name, _, value in self.pairs(node)}

    def boolean(self, node: yaml.Node) -> bool:
        values = {"true": True, "yes": True, "false": False, "no": False}
        return self.one(node, lambda text: values[text.lower()], "true or false is wanted here")

    def whole(self, node: yaml.Node) -> int:
        return self.one(node, _count, "a whole number is wanted here, such as 30")

    def duration(self, node: yaml.Node) -> str:
        text = self.text(node)
        self.one(node, read_seconds, f"{text!r} is no duration; write it with its unit, such as 30s or 2m")
        return text

    def budget(self, node: yaml.Node) -> Budget:
        cost = "an amount is wanted here, such as 0.25 USD"
        time = "a duration is wanted here, such as 30s or 2m"
        keys: dict[str, Callable[[yaml.Node], Any]] = {
            "cost": lambda value: self.one(value, read_dollars, cost),
            "time": lambda value: self.one(value, read_seconds, time),
            **dict.fromkeys(("tokens", "calls", "turns"), self.whole),
        }
        return Budget(**self.mapping(node, keys))

    def one(self, node: yaml.Node, read: Callable[[str], T], otherwise: str) -> T:
        try:
            return read(self.text(node))
        except (ValueError, KeyError):
            raise self.wrong(node, otherwise) from None

    def source(self, node: yaml.Node) -> Source:
        return Source(self._path, node.start_mark.line + 1)

    def wrong(self, node: yaml.Node, message: str) -> ScenarioError:
        return ScenarioError(self._path, self.source(node).line, message)


def _count(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(text)
    return int(text)
