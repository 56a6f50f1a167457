"""What a REFI-QDA project consists of: project.qde, which is XML, and the texts of its sources.

A .qdpx file is a ZIP archive with both; unpacked, project.qde has the folder ``sources`` beside it. Only texts within
the project are read, never what a path says that leads elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from unisono.errors import DataError, listed
from unisono.formats.archives import PackedFiles
from unisono.formats.files import NOT_UTF8
from unisono.formats.format import Instructions, ProjectLayout
from unisono.formats.xml_reading import Node, tree

PACKED = b"PK"
TARGET = "targetGUID"
"""The attribute with what an element refers to."""
_USER = "creatingUser"
_INTERNAL = "internal://"


def _is_unpacked(folder: Path) -> bool:
    return sum(1 for _ in folder.glob("*.qde")) == 1


REFI_PROJECT = ProjectLayout(_is_unpacked, patterns=("*.qde",))
"""A project that is unpacked: its XML beside its sources."""


@dataclass(frozen=True)
class RefiProject:
    """A project: its XML, and how to find texts."""

    path: Path
    root: Node
    files: Mapping[str, str]
    """Names of the files beside the XML, in small letters without folders, to where they are."""
    packed: PackedFiles | None

    @cached_property
    def users(self) -> dict[str, str]:
        """The names of users, by GUID; those of one name are distinguished."""
        found = {guid_of(node): node.attributes for part in self.root.of("Users") for node in part.of("User")}
        names = {guid: own.get("name") or own.get("id") or guid for guid, own in found.items()}
        counts = Counter(names.values())
        return {guid: name if counts[name] == 1 else f"{name} {guid}" for guid, name in names.items()}

    @cached_property
    def codes(self) -> dict[str, tuple[str, ...]]:
        """The names of codes from the highest down to their own, by GUID."""
        books = [codes for book in self.root.of("CodeBook") for codes in book.of("Codes")]
        return dict(pair for codes in books for pair in _codes(codes, ()))

    def text(self, source: Node) -> str | None:
        """Return the plain text of a source, if it is within the project; without a byte order mark."""
        content = source.first("PlainTextContent")
        if content is not None:
            return content.text()
        path = source.attributes.get("plainTextPath", "")
        where = self.files.get(path.removeprefix(_INTERNAL).rpartition("/")[2].lower())
        if where is None or not path.startswith(_INTERNAL):
            return None
        data = Path(where).read_bytes() if self.packed is None else self.packed.read(where)
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise DataError(f"the text {where}: {NOT_UTF8}", line=source.line) from None


def open_project(path: Path) -> RefiProject:
    """Open a project; errors in its XML name the line there."""
    with path.open("rb") as stream:
        is_packed = stream.read(2) == PACKED
    if not is_packed:
        folders = [folder for folder in path.parent.glob("[Ss]ources") if folder.is_dir()]
        files = {file.name.lower(): str(file) for folder in folders for file in folder.iterdir()}
        return RefiProject(path, _checked(tree(path)), files, None)
    packed = PackedFiles(path)
    names = packed.names()
    projects = [name for name in names if name.lower().endswith(".qde")]
    if len(projects) != 1:
        found = f"is {listed(projects)}" if projects else "is none"
        raise DataError(f"there should be one file project.qde in the archive, but there {found}; export it again")
    with TemporaryDirectory(prefix="unisono-") as folder:
        copy = Path(folder, "project.qde")
        copy.write_bytes(packed.read(projects[0]))
        try:
            root = _checked(tree(copy))
        except DataError as error:
            raise DataError(error.message, path=path / projects[0], line=error.line) from None
    files = {name.rpartition("/")[2].lower(): name for name in names}
    return RefiProject(path / projects[0], root, files, packed)


def _checked(root: Node) -> Node:
    if root.name == "CodeBook":
        raise DataError("this is a codebook, which has codes but nothing that is coded; export the project (.qdpx)")
    if root.name != "Project":
        raise DataError(
            f"the root element is <{root.name}>, but REFI-QDA has <Project>; export it again", line=root.line
        )
    return root


def guid_of(node: Node, attribute: str = "guid") -> str:
    """Return a GUID that an element has, its own or that of another: braces and capital letters mean nothing."""
    return node.attributes.get(attribute, "").strip("{}").lower()


@dataclass(frozen=True)
class Coder:
    """Who coded, and with which code."""

    project: RefiProject
    instructions: Instructions

    @property
    def is_named(self) -> bool:
        """Whether the path names the annotator, whose work is the whole project."""
        return self.instructions.annotator_from in ("folder", "file")

    def annotator(self, coding: Node, selection: Node | None = None) -> str:
        """Return who made a coding: the user that it names, otherwise that of the selection."""
        if self.is_named:
            return self.instructions.annotator
        guid = guid_of(coding, _USER) or ("" if selection is None else guid_of(selection, _USER))
        return self.project.users.get(guid, guid) or self.instructions.annotator

    def code(self, coding: Node) -> str | None:
        """Return the code of a coding, None if it is a case, which some programs keep among the codes."""
        reference = coding.first("CodeRef")
        guid = "" if reference is None else guid_of(reference, TARGET)
        if guid in self._cases:
            return None
        if guid not in self.project.codes:
            raise DataError(f"a coding names a code that is not in the codebook ({guid or 'none'}); correct it")
        path = self.project.codes[guid]
        paths = self.instructions.choice("codes", ("names", "paths"), "names") == "paths"
        return "/".join(path) if paths or self._counts[path[-1]] > 1 else path[-1]

    @cached_property
    def _cases(self) -> set[str]:
        return {guid_of(case) for cases in self.project.root.of("Cases") for case in cases.of("Case")}

    @cached_property
    def _counts(self) -> Counter[str]:
        """How many codes have a name."""
        return Counter(path[-1] for path in self.project.codes.values())


def _codes(parent: Node, above: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for node in parent.of("Code"):
        path = (*above, node.attributes.get("name") or guid_of(node))
        yield guid_of(node), path
        yield from _codes(node, path)
