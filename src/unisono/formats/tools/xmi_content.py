"""What an XMI file holds: views, and feature structures with the values that their types give them.

dkpro-cassis reads type systems, and could read the file too, but takes five times as long: a project has thousands of
files, most of whose structures are tokens. What is built here has the same attributes, as far as `cas` uses them, and
what cassis rejects is rejected as well (an unknown type or feature, a reference that leads nowhere).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from unisono.errors import DataError
from unisono.formats.tools.cas import ANNOTATION, Layers
from unisono.formats.tools.utf16 import Utf16
from unisono.formats.xml_reading import fail, new_parser, parsed

_CAS = "http:///uima/cas.ecore"
_ID = "http://www.omg.org/XMI id"
_MOST_VIEWS = 100
_LONGEST_TAG = 2**28
"""The text is an attribute of one tag."""
_RENAMED = {"self": "self_", "type": "type_"}
"""Features that cassis calls otherwise."""
_POSITIONS = ("begin", "end")


class XmiElement(NamedTuple):
    """An element with its attributes, its line, and the texts of the elements in it, by their names."""

    name: str  # the namespace, a space, and the name
    attributes: dict[str, str]
    line: int
    children: dict[str, list[str | None]]


@dataclass
class Content:
    """What a file holds, as far as that is known without a type system."""

    structures: list[XmiElement] = field(default_factory=list)
    sofas: list[XmiElement] = field(default_factory=list)
    views: list[XmiElement] = field(default_factory=list)

    @cached_property
    def attributes(self) -> dict[str, dict[str, None]]:
        """Types to the names of their attributes."""
        found: dict[str, dict[str, None]] = {}
        for element in self.structures:
            found.setdefault(type_name(element.name), {}).update(dict.fromkeys(element.attributes))
        for names in found.values():
            names.pop(_ID, None)
        return found

    @cached_property
    def children(self) -> dict[str, dict[str, None]]:
        """Types to the names of the elements within."""
        found: dict[str, dict[str, None]] = {}
        for element in self.structures:
            if element.children:
                found.setdefault(type_name(element.name), {}).update(dict.fromkeys(element.children))
        return found

    @cached_property
    def annotations(self) -> set[str]:
        """Types that have a span."""
        return {type_name(one.name) for one in self.structures if one.attributes.keys() >= set(_POSITIONS)}


def read_content(path: Path) -> Content:
    """Read a file; check that it is well-formed, without declarations, and has no annotation in the index twice."""
    content = Content()
    kinds = {f"{_CAS} Sofa": content.sofas, f"{_CAS} View": content.views}
    parser = new_parser(namespaces=True)
    depth = 0
    children: dict[str, list[str | None]] = {}
    texts: list[str] = []

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth, children
        depth += 1
        if depth == 2:
            children = {}
            kinds.get(name, content.structures).append(XmiElement(name, attributes, parser.CurrentLineNumber, children))
        elif depth == 3:
            texts.clear()
            parser.CharacterDataHandler = texts.append
        elif depth > 3:
            fail("an element of a feature structure has elements in it; export the file again", parser)

    def end(name: str) -> None:
        nonlocal depth
        if depth == 3:
            parser.CharacterDataHandler = None
            children.setdefault(name.rpartition(" ")[2], []).append("".join(texts) or None)
        depth -= 1

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    for _ in parsed(path, parser, _LONGEST_TAG):
        pass
    if len(content.sofas) > _MOST_VIEWS:
        raise DataError(f"there are {len(content.sofas):,} views; check that this is the right file")
    _check_doubled(content)
    return content


def _check_doubled(content: Content) -> None:
    """Reject annotations that are in the index twice: their positions would be translated twice."""
    members = Counter(number for view in content.views for number in view.attributes.get("members", "").split())
    if len(members) == members.total():
        return
    for element in content.structures:
        number = element.attributes.get(_ID, "")
        if members[number] > 1 and "begin" in element.attributes:
            raise DataError(f"the annotation {number} is in the index twice; export the file again", line=element.line)


def type_name(name: str) -> str:
    """Return the type of an element with this name."""
    uri, _, local = name.rpartition(" ")
    package = uri.removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return local if package in ("", "uima.noNamespace") else f"{package}.{local}"


class Structure:
    """A feature structure; features are attributes, None if they have no value."""

    type: Any
    xmiID: int  # noqa: N815

    def __getattr__(self, name: str) -> None:
        if name.startswith("__") or self.type.get_feature(name) is None:
            raise AttributeError(name)


class Sofa(NamedTuple):
    """The text of a view."""

    sofaID: str  # noqa: N815
    sofaString: str | None  # noqa: N815


class CasView(NamedTuple):
    """The annotations of a view, and what else is in it."""

    annotations: list[Structure]
    others: list[Structure]

    def select(self, kind: str) -> list[Structure]:
        """Return all annotations, or all structures that are none."""
        return self.annotations if kind == ANNOTATION else self.others


@dataclass
class Cas:
    """Views and their annotations, as `cas.collect_cas` takes them."""

    sofas: list[Sofa]
    views: Mapping[str, CasView]

    def get_view(self, name: str) -> CasView:
        """Return a view."""
        return self.views[name]


class Schema:
    """A type system, and how to turn texts into the values of its features."""

    def __init__(self, types: Any, unexplained: Sequence[str] = (), written: str | None = None) -> None:
        self.written = written  # the type system as the file has it, if there is one
        self._types = types
        self.layers = Layers(types, unexplained)
        self._kinds: dict[str, _Kind] = {}

    def kind(self, name: str) -> _Kind:
        """Return how structures are made of elements with a name."""
        if name not in self._kinds:
            self._kinds[name] = _Kind(self._types.get_type(type_name(name)))
        return self._kinds[name]


def build(content: Content, schema: Schema) -> tuple[Cas, dict[int, int]]:
    """Build the views of a file; return them and the lines of feature structures, by their numbers."""
    texts = {int(one.attributes[_ID]): _sofa(one) for one in content.sofas}
    if len({sofa.sofaID for sofa in texts.values()}) < len(content.sofas):
        raise ValueError("two views have the same name or number")
    found: dict[int, Structure] = {}
    lines: dict[int, int] = {}
    kinds: dict[str, _Kind] = {}
    open_references: list[_Reference] = []
    for element in content.structures:
        kind = kinds.get(element.name)
        if kind is None:
            kind = kinds[element.name] = schema.kind(element.name)
        structure = Structure()
        structure.type = kind.type
        number = structure.xmiID = int(element.attributes[_ID])
        kind.fill(structure, element, texts, open_references)
        found[number] = structure
        lines[number] = element.line
    for reference in open_references:
        reference.resolve(found)
    members = {int(one.attributes["sofa"]): _numbers(one.attributes.get("members", "")) for one in content.views}
    annotations = {kind.type: kind.is_annotation for kind in kinds.values()}
    views = {}
    for number, sofa in texts.items():
        own = [found[one] for one in sorted(members.get(number, ()))]
        others = [one for one in own if not annotations[one.type]]
        views[sofa.sofaID] = CasView(_placed(own, annotations, sofa, lines), others)
    return Cas(list(texts.values()), views), lines


def _sofa(element: XmiElement) -> Sofa:
    int(element.attributes["sofaNum"])
    return Sofa(element.attributes["sofaID"], element.attributes.get("sofaString"))


def _placed(
    members: Iterable[Structure], annotations: Mapping[Any, bool], sofa: Sofa, lines: Mapping[int, int]
) -> list[Structure]:
    """Return the annotations among a view's members, with positions in characters."""
    placed = [one for one in members if annotations[one.type]]
    text = sofa.sofaString or ""
    translate, last = Utf16(text), len(text)
    simple = last and text.isascii()
    for one in placed if last else ():
        for name in _POSITIONS:
            position = getattr(one, name)
            if position is None or (simple and 0 <= position <= last):
                continue
            found = translate(position)
            if found is None:
                message = f"a position is not within the text ({position}); export the file again"
                raise DataError(message, line=lines[one.xmiID])
            setattr(one, name, found)
    return placed


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split()]


class _Kind:
    """How the structures of one type are made."""

    def __init__(self, kind: Any) -> None:
        self.type = kind
        self.is_annotation = any(one.name == ANNOTATION for one in _line(kind))
        self._features = {feature.name: _reader(kind, feature) for feature in kind.all_features}
        self._has_sofa = "sofa" in self._features

    def fill(
        self, structure: Structure, element: XmiElement, sofas: Mapping[int, Sofa], open_references: list[_Reference]
    ) -> None:
        """Give a structure its values."""
        given: dict[str, Any] = element.attributes
        if element.children:
            given = {**given, **element.children}
        values = structure.__dict__
        for name, text in given.items():
            if name in _POSITIONS:
                values[name] = int(text)
            elif name == "sofa":
                values[name] = sofas[int(text)]
            elif name != _ID:
                feature = _RENAMED.get(name, name)
                if feature not in self._features:
                    raise ValueError(f"the type {self.type.name} has no feature {name}")
                value = self._features[feature](text)
                values[feature] = value
                if isinstance(value, _Reference):
                    value.structure, value.feature = structure, feature
                    open_references.append(value)
        if self._has_sofa and "sofa" not in given:
            raise ValueError(f"a {self.type.name} belongs to no text")


class _Array(NamedTuple):
    """The values of an array that stands within a feature."""

    elements: list[Any]


class _Node:
    """A list of structures, one after the other, that stands within a feature."""

    def __init__(self, head: Any = None, tail: _Node | None = None) -> None:
        self.head = head
        self.tail = tail


class _Reference:
    """Numbers of structures that a feature has, until these are known."""

    def __init__(self, numbers: list[int], made: Callable[[list[Structure]], Any]) -> None:
        self.structure = Structure()
        self.feature = ""
        self._numbers = numbers
        self._made = made

    def resolve(self, found: Mapping[int, Structure]) -> None:
        """Put the structures in the place of the numbers."""
        setattr(self.structure, self.feature, self._made([found[number] for number in self._numbers]))


def _reader(kind: Any, feature: Any) -> Callable[[Any], Any]:
    """Return what turns the text of a feature, or the texts of elements in it, into its value."""
    ranges = [one.name for one in _line(feature.rangeType)]
    inline = not feature.multipleReferencesAllowed
    if kind.name == "uima.cas.StringArray":
        return _as_it_is
    for name in ranges:
        if name in _PRIMITIVES:
            return _PRIMITIVES[name]
    if kind.name in _ARRAYS and feature.name == "elements":
        return _ARRAYS[kind.name]
    if ranges[0] in _ARRAYS and inline:
        return lambda given: _Array(_ARRAYS[ranges[0]](given))
    if ranges[0] in _LISTS and inline:
        return lambda given: _nodes(list(map(_LISTS[ranges[0]], _split(given))))
    if ranges[0] == "uima.cas.FSArray" and inline:
        return lambda given: _Reference(_numbers(given), _Array)
    if kind.name == "uima.cas.FSArray":
        return lambda given: _Reference(_numbers(given), _as_it_is)
    if ranges[0] == "uima.cas.FSList" and inline:
        return lambda given: _Reference(list(map(int, _split(given))), _nodes)
    return lambda given: _Reference([int(given)], lambda found: found[0])


def _as_it_is(given: Any) -> Any:
    return given


def _split(given: Any) -> list[Any]:
    return given.split() if isinstance(given, str) else given


def _nodes(values: Sequence[Any]) -> _Node:
    node = _Node()
    for value in reversed(values):
        node = _Node(value, node)
    return node


def _boolean(text: str) -> bool:
    return {"true": True, "false": False}[text]


def _strings(given: str | list[Any]) -> list[Any]:
    if isinstance(given, str) and given.strip():
        raise ValueError(f"the members of an array of strings must be elements, not {given!r:.60}")
    return list(given) if isinstance(given, list) else []


def _array_of(member: Callable[[str], Any]) -> Callable[[Any], list[Any]]:
    return lambda given: [member(one) for one in _split(given)]


_PRIMITIVES: Mapping[str, Callable[[Any], Any]] = {
    "uima.cas.String": _as_it_is,
    "uima.cas.Boolean": _boolean,
    **{f"uima.cas.{name}": int for name in ("Byte", "Short", "Integer", "Long")},
    **{f"uima.cas.{name}": float for name in ("Float", "Double")},
}
_ARRAYS: Mapping[str, Callable[[Any], list[Any]]] = {
    "uima.cas.StringArray": _strings,
    "uima.cas.BooleanArray": _array_of(_boolean),
    "uima.cas.ByteArray": lambda given: list(bytes.fromhex(given)),
    **{f"uima.cas.{name}Array": _array_of(int) for name in ("Short", "Integer", "Long")},
    **{f"uima.cas.{name}Array": _array_of(float) for name in ("Float", "Double")},
}
_LISTS: Mapping[str, Callable[[Any], Any]] = {
    "uima.cas.IntegerList": int,
    "uima.cas.FloatList": float,
    "uima.cas.StringList": str,
}


def _line(kind: Any) -> Iterable[Any]:
    """Iterate over a type and its supertypes."""
    while kind is not None:
        yield kind
        kind = kind.supertype
