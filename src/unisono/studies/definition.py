"""What a study consists of: guidelines, each with texts and groups of annotators; from study.toml or from folders."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from unisono.checks import check_function, check_names, check_text
from unisono.data import Corpus
from unisono.errors import DataError, OptionError, listed
from unisono.execution import Pool, Progress
from unisono.formats import read
from unisono.formats.archives import Unpacked, unpacked
from unisono.formats.entry import DataLike, as_corpus
from unisono.formats.patterns import parse_pattern
from unisono.preparation import prepare
from unisono.studies.layout import FoundFile, find_laid_out, find_matching, unwrapped
from unisono.studies.written import GUIDELINE, PREPARE, READ, READ_ONE, STUDY, check_table, load_toml

FILE = "study.toml"
_Groups: TypeAlias = Mapping[str, tuple[str, ...]]
"""Group to its annotators."""


@dataclass(frozen=True)
class Guideline:
    """What was annotated by one set of guidelines.

    Attributes
    ----------
    name : str
        The guidelines.
    corpus : Corpus
        Texts and annotators; given as anything that `unisono.read` or `unisono.from_frame` takes.
    groups : dict
        Group to its annotators, in the order in which they are named; empty if there are none.
    """

    name: str
    corpus: Corpus
    groups: _Groups

    def __init__(self, name: str, corpus: DataLike, groups: Mapping[str, Iterable[str]] | None = None) -> None:
        if not isinstance(groups, Mapping | None):
            raise OptionError("expected groups with their annotators, e.g. {'experts': ['anna', 'bert']}", "groups")
        members = {group: tuple(check_names(people, "groups")) for group, people in (groups or {}).items()}
        object.__setattr__(self, "name", check_text(name, "name"))
        object.__setattr__(self, "corpus", as_corpus(corpus))
        object.__setattr__(self, "groups", members)


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
        What to measure; empty if the study does not name any.
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
        A file study.toml, or a folder that contains one, or a folder with the layout
        ``GUIDELINE/GROUP/ANNOTATOR/TEXT`` or ``GUIDELINE/ANNOTATOR/TEXT``; or a ZIP archive of such a folder.
    bad : callable, optional
        Called with the error of each file or record that cannot be read, which is then skipped; without it, the error
        is raised.
    progress : callable, optional
        Called with (done, total) after each set of guidelines.
    """
    if not isinstance(path, str | os.PathLike):
        raise OptionError(f"expected a path, not {type(path).__name__}", "path")
    given, report, pool = Path(path), check_function(bad, "bad"), Pool(None, check_function(progress, "progress"))
    if not given.exists():
        raise DataError("there is no such file or folder; check the path", path=given)
    if given.is_file() and given.suffix.lower() not in (".toml", ".zip"):
        raise DataError(
            "a study is a file study.toml, a folder or a ZIP archive of it; see docs/studies.md", path=given
        )
    damaged: list[DataError] = []
    with unpacked([given], None if report is None else damaged.append) as content, content.translating():
        reading = _Reading(pool, None if report is None else lambda error: report(content.translated(error)))
        for error in damaged:
            reading.skip(error)
        definition = _read(content.paths[0], given.stem, reading)
        return replace(definition, guidelines=tuple(_as_named(one, content) for one in definition.guidelines))


def _as_named(guideline: Guideline, content: Unpacked) -> Guideline:
    """Name the files of a corpus as the user knows them."""
    corpus = guideline.corpus
    origins = {key: (content.named(Path(file)), line) for key, (file, line) in corpus.origins.items()}
    return replace(guideline, corpus=replace(corpus, origins=origins))


def _read(place: Path, title: str, reading: _Reading) -> Definition:
    if not place.is_dir():
        return _from_file(place, reading)
    folder = unwrapped(place, FILE)
    if (folder / FILE).is_file():
        return _from_file(folder / FILE, reading)
    return Definition(title, _from_folders(find_laid_out(folder, FILE), reading))


@dataclass(frozen=True)
class _Reading:
    """How files are read and prepared, how progress is reported, and who gets the errors of unreadable files."""

    pool: Pool
    bad: Callable[[DataError], None] | None
    read: Mapping[str, Any] = field(default_factory=dict)
    prepare: Mapping[str, Any] = field(default_factory=dict)

    def corpus(self, paths: Sequence[Path], pattern: str | None) -> Corpus:
        """Read files, and prepare what they hold."""
        data = read(paths, pattern=pattern, bad=self.bad, **self.read)
        if not isinstance(data, Corpus):
            raise DataError("a study needs units on texts, and this holds something else", path=paths[0])
        return as_corpus(prepare(data, **self.prepare))

    def skip(self, error: DataError) -> None:
        """Report an error, or raise it."""
        if self.bad is None:
            raise error
        self.bad(error)


def _from_file(path: Path, reading: _Reading) -> Definition:
    given = check_table(load_toml(path), STUDY, "the study", path)
    folder = path.parent / given.get("path", ".")
    groups = _groups(given.get("groups", {}), "[groups]", path)
    reading = replace(
        reading,
        read=check_table(given.get("read", {}), READ, "[read]", path),
        prepare=check_table(given.get("prepare", {}), PREPARE, "[prepare]", path),
    )
    if given.get("guidelines"):
        tables = given["guidelines"]
        guidelines = tuple(
            reading.pool.map(lambda name: _from_table(name, tables[name], folder, groups, reading, path), list(tables))
        )
    else:
        found = (
            find_matching(folder, parse_pattern(given["pattern"]))
            if "pattern" in given
            else find_laid_out(unwrapped(folder, FILE), FILE)
        )
        if groups and any(file.group for file in found):
            raise DataError("groups are named in the paths and in [groups]; remove one of them", path=path)
        guidelines = tuple(
            one if one.groups else replace(one, groups=_present(groups, one.corpus))
            for one in _from_folders(found, reading)
        )
    _check_people(groups, guidelines, path)
    title = given.get("title", path.absolute().parent.name)
    return Definition(title, guidelines, tuple(given.get("measure", ())))


def _from_table(
    name: str, given: Mapping[str, Any], folder: Path, groups: _Groups, reading: _Reading, path: Path
) -> Guideline:
    """Read a set of guidelines that study.toml names."""
    what = f"[guidelines.{name}]"
    own = check_table(given, GUIDELINE, what, path)
    if not own.get("path"):
        raise DataError(f"{what} does not say where its files are; add path", path=path)
    how = check_table(own.get("read", {}), READ_ONE, f"read of {what}", path)
    if "worked" in how:
        how["worked"] = folder / how["worked"]
    then = check_table(own.get("prepare", {}), PREPARE, f"prepare of {what}", path)
    reading = replace(reading, read={**reading.read, **how}, prepare={**reading.prepare, **then})
    corpus = reading.corpus([folder / one for one in own["path"]], own.get("pattern"))
    if "groups" not in own:
        return Guideline(name, corpus, _present(groups, corpus))
    people = _groups(own["groups"], f"groups of {what}", path)
    guideline = Guideline(name, corpus, people)
    _check_people(people, [guideline], path, what)
    return guideline


def _from_folders(found: Iterable[FoundFile], reading: _Reading) -> tuple[Guideline, ...]:
    """Read files whose paths name the guidelines and the group."""
    by_guideline: dict[str, list[FoundFile]] = {}
    for file in found:
        by_guideline.setdefault(file.guideline, []).append(file)

    def made(name: str) -> Guideline:
        files = by_guideline[name]
        corpus = reading.corpus([file.path for file in files], files[0].pattern)
        members = ((file.group, file.annotator, file.path) for file in files if file.group and file.annotator)
        return Guideline(name, corpus, _each_in_one(members))

    return tuple(reading.pool.map(made, list(by_guideline)))


def _groups(given: Mapping[str, Sequence[str]], what: str, path: Path) -> _Groups:
    """Return the groups that study.toml names."""
    members = [(group, who, path) for group, people in given.items() for who in people]
    return _each_in_one(members, f"{what}: ")


def _each_in_one(members: Iterable[tuple[str, str, Path]], what: str = "") -> _Groups:
    """Return each group with its annotators, in the order of their first appearance."""
    groups: dict[str, dict[str, None]] = {}
    where: dict[str, str] = {}
    for group, who, path in members:
        if where.setdefault(who, group) != group:
            raise DataError(
                f"{what}{who!r} is in the groups {where[who]!r} and {group!r}; an annotator can be in one group only "
                "per set of guidelines",
                path=path,
            )
        groups.setdefault(group, {})[who] = None
    return {name: tuple(people) for name, people in groups.items()}


def _present(groups: _Groups, corpus: Corpus) -> _Groups:
    """Keep the annotators of groups who worked by one set of guidelines."""
    present = {name: tuple(who for who in people if who in corpus.annotators) for name, people in groups.items()}
    return {name: people for name, people in present.items() if people}


def _check_people(groups: _Groups, guidelines: Sequence[Guideline], path: Path, what: str = "[groups]") -> None:
    """Raise a DataError if a group has an annotator who is unknown."""
    known = sorted({who for guideline in guidelines for who in guideline.corpus.annotators})
    for who in (who for people in groups.values() for who in people):
        if who not in known:
            raise DataError(f"{what}: there is no annotator {who!r}; there are: {listed(known)}", path=path)
