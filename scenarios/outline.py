"""A Markdown file as an outline: titles, their sections, and in these the items, each with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from scenarios.errors import ScenarioError
from scenarios.grammar.words import split_sentences


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence of a paragraph, or an item of a list, as one line of text; `line` counts from 1."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table."""

    cells: tuple[str, ...]
    line: int


@dataclass(slots=True)
class Section:
    """What stands under a heading, or between a title and its first heading; a table opens with its head."""

    name: str
    line: int
    items: list[Item] = field(default_factory=list)
    tables: list[list[Row]] = field(default_factory=list)


@dataclass(slots=True)
class Chapter:
    """A title with its introduction and its sections; `last` is its last line."""

    title: str
    line: int
    last: int
    introduction: Section
    sections: list[Section] = field(default_factory=list)


_MARKDOWN = MarkdownIt("commonmark").enable("table").disable("reference")  # a reference would vanish unread
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TASK = re.compile(r"\[[ xX]\]\s+")
_BAR = re.compile(r"(?<!\\)\|")


def read_outline(text: str, path: str) -> list[Chapter]:
    """The chapters of a file in order. Comments, quotations and headings under the second level are remarks.

    Raises:
        ScenarioError: something stands where nothing is read.
    """
    return list(_Outline(text, path).chapters())


class _Outline:
    def __init__(self, text: str, path: str) -> None:
        self._lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._root = SyntaxTreeNode(_MARKDOWN.parse(text))
        self._path = path

    def chapters(self) -> Iterator[Chapter]:
        chapter: Chapter | None = None
        section: Section | None = None
        for node in self._root.children:
            if node.type == "heading" and node.tag == "h1":
                if chapter is not None:
                    chapter.last = _line(node) - 1
                    yield chapter
                section = Section("", _line(node))
                chapter = Chapter(_text(node), _line(node), len(self._lines), section)
            elif node.type == "heading" and node.tag == "h2" and chapter is not None:
                section = Section(_text(node), _line(node))
                chapter.sections.append(section)
            elif section is not None:
                self._add(section, node)
            elif not self._is_remark(node):
                raise self._wrong(
                    node, "this stands before the first title, which is a line such as `# Sign in`"
                )
        if chapter is not None:
            yield chapter

    def _add(self, section: Section, node: SyntaxTreeNode) -> None:
        if node.type == "paragraph":
            section.items += _sentences(node)
        elif node.type in ("bullet_list", "ordered_list"):
            section.items += self._items(node)
        elif node.type == "table":
            section.tables.append(list(self._rows(node)))
        elif not self._is_remark(node):
            raise self._wrong(
                node, "only sentences, lists and tables are read here; put remarks into a comment"
            )

    def _items(self, node: SyntaxTreeNode) -> Iterator[Item]:
        """The items of a list. One that ends with a colon and has a list of its own only introduces that."""
        for item in node.children:
            introduces = any(child.type.endswith("_list") for child in item.children)
            for child in item.children:
                if child.type.endswith("_list"):
                    yield from self._items(child)
                elif child.type == "paragraph":
                    text = _TASK.sub("", _text(child), count=1) if _TASK.match(_text(child)) else _text(child)
                    if text and not (introduces and text.endswith(":")):
                        yield Item(text, _line(child))
                elif not self._is_remark(child):
                    raise self._wrong(child, "only sentences are read in a list; put remarks into a comment")

    def _rows(self, node: SyntaxTreeNode) -> Iterator[Row]:
        width = 0
        for row in (row for part in node.children for row in part.children):
            written = self._lines[_line(row) - 1].strip().removeprefix("|")
            cells = len(_BAR.split(written.removesuffix("|") if not written.endswith("\\|") else written))
            width = width or cells
            if cells > width:
                raise self._wrong(row, f"this row has {cells} cells where the table has {width} columns")
            yield Row(tuple(_text(cell) for cell in row.children), _line(row))

    def _is_remark(self, node: SyntaxTreeNode) -> bool:
        if node.type == "html_block":
            return not _COMMENT.sub("", node.content).strip()
        return node.type in ("blockquote", "hr") or node.tag in ("h3", "h4", "h5", "h6")

    def _wrong(self, node: SyntaxTreeNode, message: str) -> ScenarioError:
        return ScenarioError(self._path, _line(node), message)


def _line(node: SyntaxTreeNode) -> int:
    return node.map[0] + 1 if node.map else 1


def _written(node: SyntaxTreeNode) -> str:
    """The text of a node as it was written, without comments."""
    text = "".join(child.content for child in node.children if child.type == "inline")
    for inline in node.children:
        for part in inline.children:
            if part.type == "html_inline" and part.content.startswith("<!--"):
                text = text.replace(part.content, re.sub(r"[^\n]", "", part.content), 1)
    return text


def _text(node: SyntaxTreeNode) -> str:
    return _joined(_written(node))


def _joined(text: str) -> str:
    return " ".join(line.removesuffix("\\").strip() for line in text.split("\n")).strip()


def _sentences(node: SyntaxTreeNode) -> Iterator[Item]:
    text = _written(node)
    for start, sentence in split_sentences(text):
        yield Item(_joined(sentence), _line(node) + text.count("\n", 0, start))
