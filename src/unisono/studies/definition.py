"""What a study consists of: guidelines, each with texts and groups of annotators; from study.toml or from folders."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from unisono.data import Corpus
from unisono.errors import DataError, listed
from unisono.execution import Progress
from unisono.formats import read
from unisono.formats.archives import Unpacked, unpacked
from unisono.formats.entry import as_corpus
from unisono.formats.patterns import parse_pattern
from unisono.preparation import prepare
from unisono.studies.layout import FoundFile, find_laid_out, find_matching, unwrapped
from unisono.studies.written import GUIDELINE, PREPARE, READ, READ_ONE, STUDY, checked, load

FILE = "study.toml"
Groups = Mapping[str, tuple[str, ...]]
"""Group to its annotators."""


@dataclass(frozen=True)
class Guideline:
    """What was annotated by one set of guidelines.

    Attributes
    ----------
    name : str
        The guidelines.
    corpus : Corpus
        Texts and annotators.
    groups : dict
        Group to its annotators, in the order in which they are named; empty if there are none.
    """

    name: str
    corpus: Corpus
    groups: Groups = field(default_factory=dict)


@dataclass(frozen=True)
class Definition:
    """A study as it was written down.

    Attributes
    ----------
    title : str
        Its name.
    guidelines : tuple of Guideline
        In the order of the tables' columns.
    measures : tuple of str
        What to measure; empty if it was not said.
    """

    title: str
    guidelines: tuple[Guideline, ...]
    measures: tuple[str, ...] = ()


def read_study(
    path: str | os.PathLike[str],
    *,
    bad: Callable[[DataError], None] | None = None,
    progress: Progress | None = None,
) -> Definition:
    """Read a study.

    Parameters
    ----------
    path : path
        A file study.toml, or a folder with one in it, or a folder that is laid out as
        ``GUIDELINE/GROUP/ANNOTATOR/TEXT`` or ``GUIDELINE/ANNOTATOR/TEXT``; or a ZIP archive of such a folder.
    bad : callable, optional
        Is told of each file or record that cannot be read, which is then passed over; without it, it is an error.
    progress : callable, optional
        Called with (done, total) after each set of guidelines.
    """
    given = Path(path)
    if not given.exists():
        raise DataError("there is no such file or folder; check the path", path=given)
    if given.is_file() and given.suffix.lower() not in (".toml", ".zip"):
        raise DataError(
            "a study is a file study.toml, a folder or a ZIP archive of it; see docs/studies.md", path=given
        )
    damaged: list[DataError] = []
    with unpacked([given], None if bad is None else damaged.append) as content, content.translating():
        reading = _Reading({}, {}, None if bad is None else lambda error: bad(content.translated(error)))
        for error in damaged:
            reading.pass_over(error)
        definition = _read(content.paths[0], given.stem, reading, progress)
        return replace(definition, guidelines=tuple(_as_named(one, content) for one in definition.guidelines))


def _as_named(guideline: Guideline, content: Unpacked) -> Guideline:
    """Name the files of a corpus as the user knows them."""
    corpus = guideline.corpus
    origins = {key: (content.named(Path(file)), line) for key, (file, line) in corpus.origins.items()}
    return replace(guideline, corpus=replace(corpus, origins=origins))


def _read(place: Path, title: str, reading: _Reading, progress: Progress | None) -> Definition:
    if not place.is_dir():
        return _from_file(place, reading, progress)
    folder = unwrapped(place, FILE)
    if (folder / FILE).is_file():
        return _from_file(folder / FILE, reading, progress)
    return Definition(title, _from_folders(find_laid_out(folder, FILE), reading, progress))


@dataclass(frozen=True)
class _Reading:
    """How files are read and prepared, and who is told of those that cannot be."""

    read: Mapping[str, Any]
    prepare: Mapping[str, Any]
    bad: Callable[[DataError], None] | None

    def corpus(self, paths: Sequence[Path], pattern: str | None) -> Corpus:
        """Read files, and prepare what they hold."""
        data = read(paths, pattern=pattern, bad=self.bad, **self.read)
        if not isinstance(data, Corpus):
            raise DataError("a study needs units on texts, and this holds something else", path=paths[0])
        return as_corpus(prepare(data, **self.prepare))

    def pass_over(self, error: DataError) -> None:
        """Tell of what cannot be read, or raise it."""
        if self.bad is None:
            raise error
        self.bad(error)


def _from_file(path: Path, reading: _Reading, progress: Progress | None) -> Definition:
    given = checked(load(path), STUDY, "the study", path)
    folder = path.parent / given.get("path", ".")
    groups = _groups(given.get("groups", {}), "[groups]", path)
    reading = replace(
        reading,
        read=checked(given.get("read", {}), READ, "[read]", path),
        prepare=checked(given.get("prepare", {}), PREPARE, "[prepare]", path),
    )
    if given.get("guidelines"):
        guidelines = _from_tables(given["guidelines"], folder, groups, reading, path, progress)
    else:
        found = (
            find_matching(folder, parse_pattern(given["pattern"]))
            if "pattern" in given
            else find_laid_out(unwrapped(folder, FILE), FILE)
        )
        if groups and any(file.group for file in found):
            raise DataError("groups are named in the paths and in [groups]; leave one of them out", path=path)
        guidelines = tuple(
            one if one.groups else replace(one, groups=_present(groups, one.corpus))
            for one in _from_folders(found, reading, progress)
        )
    _refuse_nobody(groups, guidelines, path)
    title = given.get("title", path.absolute().parent.name)
    return Definition(title, guidelines, tuple(given.get("measure", ())))


def _from_tables(
    given: Mapping[str, Mapping[str, Any]],
    folder: Path,
    groups: Groups,
    reading: _Reading,
    path: Path,
    progress: Progress | None,
) -> tuple[Guideline, ...]:
    """Read the guidelines that study.toml names."""
    made = []
    for number, (name, table) in enumerate(given.items(), start=1):
        made.append(_from_table(name, table, folder, groups, reading, path))
        if progress is not None:
            progress(number, len(given))
    return tuple(made)


def _from_table(
    name: str, given: Mapping[str, Any], folder: Path, groups: Groups, reading: _Reading, path: Path
) -> Guideline:
    what = f"[guidelines.{name}]"
    own = checked(given, GUIDELINE, what, path)
    if not own.get("path"):
        raise DataError(f"{what} does not say where its files are; add path", path=path)
    how = checked(own.get("read", {}), READ_ONE, f"read of {what}", path)
    if "worked" in how:
        how["worked"] = folder / how["worked"]
    then = checked(own.get("prepare", {}), PREPARE, f"prepare of {what}", path)
    reading = replace(reading, read={**reading.read, **how}, prepare={**reading.prepare, **then})
    corpus = reading.corpus([folder / one for one in own["path"]], own.get("pattern"))
    if "groups" not in own:
        return Guideline(name, corpus, _present(groups, corpus))
    people = _groups(own["groups"], f"groups of {what}", path)
    guideline = Guideline(name, corpus, people)
    _refuse_nobody(people, [guideline], path, what)
    return guideline


def _from_folders(found: Iterable[FoundFile], reading: _Reading, progress: Progress | None) -> tuple[Guideline, ...]:
    """Read files whose paths say which guidelines and which group."""
    by_guideline: dict[str, list[FoundFile]] = {}
    for file in found:
        by_guideline.setdefault(file.guideline, []).append(file)
    made = []
    for number, (name, files) in enumerate(by_guideline.items(), start=1):
        corpus = reading.corpus([file.path for file in files], files[0].pattern)
        made.append(Guideline(name, corpus, _groups_of_paths(files)))
        if progress is not None:
            progress(number, len(by_guideline))
    return tuple(made)


def _groups(given: Mapping[str, Sequence[str]], what: str, path: Path) -> Groups:
    """Give the groups that study.toml names."""
    members = [(group, who, path) for group, people in given.items() for who in people]
    return _each_in_one(members, f"{what}: ")


def _groups_of_paths(files: Iterable[FoundFile]) -> Groups:
    return _each_in_one((file.group, file.annotator, file.path) for file in files if file.group and file.annotator)


def _each_in_one(members: Iterable[tuple[str, str, Path]], what: str = "") -> Groups:
    """Give each group with its annotators, in the order of their names' first appearance."""
    groups: dict[str, dict[str, None]] = {}
    where: dict[str, str] = {}
    for group, who, path in members:
        if where.setdefault(who, group) != group:
            raise DataError(
                f"{what}{who!r} is in the groups {where[who]!r} and {group!r}; an annotator has one group for each set "
                "of guidelines",
                path=path,
            )
        groups.setdefault(group, {})[who] = None
    return {name: tuple(people) for name, people in groups.items()}


def _present(groups: Groups, corpus: Corpus) -> Groups:
    """Keep the annotators of groups who worked by one set of guidelines."""
    present = {name: tuple(who for who in people if who in corpus.annotators) for name, people in groups.items()}
    return {name: people for name, people in present.items() if people}


def _refuse_nobody(groups: Groups, guidelines: Sequence[Guideline], path: Path, what: str = "[groups]") -> None:
    """Refuse groups with a name that nobody has."""
    known = sorted({who for guideline in guidelines for who in guideline.corpus.annotators})
    for who in (who for people in groups.values() for who in people):
        if who not in known:
            raise DataError(f"{what}: there is no annotator {who!r}; there are: {listed(known)}", path=path)
