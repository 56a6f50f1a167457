"""XML, element by element, in little memory and without any of its dangers.

Declarations within a DOCTYPE are rejected, and with them everything that can blow up or lead elsewhere: entities,
internal or external; what a DOCTYPE refers to is not fetched. Depth and length of tags are limited. Errors name the
line; who reads the file adds its name (see `files.locating`).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, NoReturn
from xml.parsers import expat

from unisono.errors import DataError, mention
from unisono.formats.files import NOT_UTF8, head_text, read_head, reject_binary

_CHUNK = 2**16
_LONGEST_TAG = 2**22
_DEEPEST = 100
_ROOT = re.compile(
    r"\ufeff?\s*+(?:(?><\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*+(?:\[.*?\])?\s*+>)\s*+)*+<([\w:.-]+)", re.DOTALL
)
_BREAKS_OFF = (
    expat.errors.XML_ERROR_NO_ELEMENTS,
    expat.errors.XML_ERROR_UNCLOSED_TOKEN,
    expat.errors.XML_ERROR_PARTIAL_CHAR,
    expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
)


class Element(NamedTuple):
    """The beginning of an element: the names of the elements around it and its own, its attributes and its line."""

    names: tuple[str, ...]
    attributes: dict[str, str]
    line: int


@dataclass(slots=True)
class Node:
    """An element with what is in it."""

    name: str
    """Without prefix."""
    attributes: dict[str, str]
    """As written, with prefixes."""
    line: int
    """Where it begins."""
    children: list[Node | str] = field(default_factory=list)
    """Elements and pieces of text, in their order."""

    @property
    def nodes(self) -> list[Node]:
        """The elements directly in it."""
        return [child for child in self.children if isinstance(child, Node)]

    def of(self, name: str) -> list[Node]:
        """Return the elements of a name directly in it."""
        return [child for child in self.nodes if child.name == name]

    def first(self, name: str) -> Node | None:
        """Return the first element of a name directly in it."""
        return next((child for child in self.nodes if child.name == name), None)

    def below(self, name: str | None = None) -> Iterator[Node]:
        """Iterate over the elements at any depth in it, those of a name or all, in the order of the file."""
        for child in self.nodes:
            if name is None or child.name == name:
                yield child
            yield from child.below(name)

    def text(self) -> str:
        """Return all text in it."""
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)


def elements(path: Path, longest_tag: int = _LONGEST_TAG) -> Iterator[Element]:
    """Iterate over the elements of a file in the order in which they begin; tags are limited in length."""
    names: list[str] = []
    begun: list[Element] = []
    parser = new_parser()

    def begin(name: str, attributes: dict[str, str]) -> None:
        names.append(name)
        _check_depth(len(names), parser)
        begun.append(Element(tuple(names), attributes, parser.CurrentLineNumber))

    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda _: names.pop()
    for _ in parsed(path, parser, longest_tag):
        yield from begun
        begun.clear()


def tree(path: Path) -> Node:
    """Read a whole file."""
    top = Node("", {}, 0)
    open_nodes = [top]
    parser = new_parser()
    parser.buffer_text = True

    def begin(name: str, attributes: dict[str, str]) -> None:
        _check_depth(len(open_nodes), parser)
        node = Node(name.rpartition(":")[2], attributes, parser.CurrentLineNumber)
        open_nodes[-1].children.append(node)
        open_nodes.append(node)

    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda _: open_nodes.pop()
    parser.CharacterDataHandler = lambda text: open_nodes[-1].children.append(text)
    for _ in parsed(path, parser):
        pass
    return top.nodes[0]


def tree_of(path: Path, root: str, title: str) -> Node:
    """Read a whole file of a format whose root element has a certain name."""
    found = tree(path)
    if found.name.lower() != root.lower():
        other = mention("format", "…")
        message = f"the root element is <{found.name}>, but {title} has <{root}>; if it is another format, use {other}"
        raise DataError(message, line=found.line)
    return found


def root_name(head: bytes) -> str:
    """Return the name, without prefix, of the first element in the first bytes of a file; "" if it is not XML."""
    found = _ROOT.match(head_text(head))
    return "" if found is None else found[1].rpartition(":")[2]


def has_root(root: str) -> Callable[[bytes, Path], bool]:
    """Make the function that recognizes a format by the name of the root element."""
    return lambda head, path: root_name(head).lower() == root.lower()


def new_parser(*, namespaces: bool = False) -> expat.XMLParserType:
    """Make a parser that goes nowhere else and expands nothing; names may have their namespace and a space first."""
    parser = expat.ParserCreate(namespace_separator=" ") if namespaces else expat.ParserCreate()

    def reject_declaration(name: str, system: str | None, public: str | None, has_internal_subset: bool) -> None:
        if has_internal_subset:
            fail("there are declarations in the DOCTYPE, which may hide harmful entities; remove them", parser)

    def reject_entity(name: str, *_: Any) -> None:
        fail(f"the entity &{name}; is unknown; write the character instead", parser)

    parser.StartDoctypeDeclHandler = reject_declaration
    parser.SkippedEntityHandler = reject_entity
    return parser


def parsed(path: Path, parser: expat.XMLParserType, longest_tag: int = _LONGEST_TAG) -> Iterator[None]:
    """Parse a file, chunk by chunk; tags are limited in length."""
    reject_binary(read_head(path), path)
    n_read = 0
    with path.open("rb") as stream:
        chunk = None
        while chunk != b"":
            chunk = stream.read(max(_CHUNK, n_read - parser.CurrentByteIndex))  # a long tag is parsed again each time
            n_read += len(chunk)
            try:
                parser.Parse(chunk, not chunk)
            except (expat.ExpatError, ValueError, LookupError) as error:
                raise _malformed(error, parser.ErrorByteIndex, path) from None
            if n_read - parser.CurrentByteIndex > longest_tag:
                fail("a tag or comment has no end; check that the file is complete", parser)
            yield


def _check_depth(depth: int, parser: expat.XMLParserType) -> None:
    if depth > _DEEPEST:
        fail(f"elements are nested more than {_DEEPEST} deep; check that this is the right file", parser)


def fail(message: str, parser: expat.XMLParserType) -> NoReturn:
    """Reject the file because of what the parser just found."""
    raise DataError(message, line=parser.CurrentLineNumber)


def _malformed(error: Exception, at: int, path: Path) -> DataError:
    if not isinstance(error, expat.ExpatError):
        return DataError(f"the XML's encoding cannot be read ({error}); convert the file to UTF-8")
    reason = expat.errors.messages[error.code]
    if reason in _BREAKS_OFF:
        message = "the XML breaks off before its end; check that the file is complete"
    elif _is_undecodable(at, path):
        message = NOT_UTF8
    else:
        message = f"the XML cannot be read: {reason}; correct it"
    return DataError(message, line=error.lineno)


def _is_undecodable(at: int, path: Path) -> bool:
    """Whether the bytes from there on are not UTF-8."""
    with path.open("rb") as stream:
        stream.seek(at)
        try:
            codecs.getincrementaldecoder("utf-8")().decode(stream.read(_CHUNK))
        except UnicodeDecodeError:
            return True
    return False
