"""What a study consists of: guidelines, each with texts and groups of annotators; from study.toml or from folders."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from unisono.checks import check_function, check_names, check_text
from unisono.data import Corpus
from unisono.errors import DataError, OptionError, UnisonoError, listed
from unisono.execution import Pool, Progress
from unisono.formats import read
from unisono.formats.archives import Unpacked, unpacked
from unisono.formats.entry import DataLike, as_corpus
from unisono.formats.patterns import parse_pattern
from unisono.preparation import prepare
from unisono.preparation.units import with_dropped
from unisono.studies.layout import (
    FoundFile,
    find_laid_out,
    find_matching,
    leave_out,
    names_guidelines,
    unwrapped,
)
from unisono.studies.people import check_people, people_of_files
from unisono.studies.renaming import with_other_names
from unisono.studies.written import GUIDELINE, PREPARE, READ, READ_ONE, RENAME, STUDY, check_table, load_toml

FILE = "study.toml"
_LEFT_OUT = "files that leave_out names"
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

    See Also
    --------
    Definition, study

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> guideline = unisono.studies.Guideline("first", corpus, {"students": ["anna", "bert"]})
    >>> guideline.corpus.documents, guideline.groups
    (('document',), {'students': ('anna', 'bert')})
    >>> unisono.studies.study("Pilot", [guideline], "span-f1").choices
    ('all', 'within students')
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
    dropped : dict
        What was left out besides what each corpus counts, with counts.

    See Also
    --------
    Guideline, read_study, study

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> definition = unisono.studies.Definition("Pilot", (unisono.studies.Guideline("first", corpus),), ("span-f1",))
    >>> [one.name for one in definition.guidelines], definition.measures
    (['first'], ('span-f1',))
    """

    title: str
    guidelines: tuple[Guideline, ...]
    measures: tuple[str, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)


def read_study(
    path: str | os.PathLike[str],
    *,
    bad: Callable[[DataError], None] | None = None,
    workers: int | None = None,
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
    workers : int, optional
        How many CPU cores to use where there are many files; by default all.
    progress : callable, optional
        Called with (done, total) after each set of guidelines.

    Returns
    -------
    Definition

    See Also
    --------
    study, Definition

    Examples
    --------
    >>> from pathlib import Path
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> for path in ("pilot/first/anna/sonnet.jsonl", "pilot/first/bert/sonnet.jsonl"):
    ...     Path(path).parent.mkdir(parents=True)
    ...     own = unisono.prepare(corpus, annotators=[Path(path).parent.name])
    ...     _ = unisono.write(own, path)
    >>> [one.name for one in unisono.studies.read_study("pilot").guidelines]
    ['first']
    """
    if not isinstance(path, str | os.PathLike):
        raise OptionError(f"expected a path, not {type(path).__name__}", "path")
    given, report, pool = Path(path), check_function(bad, "bad"), Pool(None, check_function(progress, "progress"))
    if not given.exists():
        raise DataError("there is no such file or folder; check the path", path=given)
    if given.is_file() and given.suffix.lower() not in (".toml", ".zip"):
        raise DataError(
            "a study is a file study.toml, a folder or a ZIP archive of it; see docs/study-files.md", path=given
        )
    damaged: list[DataError] = []
    with unpacked([given], None if report is None else damaged.append) as content, content.translating():
        skip = None if report is None else lambda error: report(content.translated(error))
        reading = _Reading(pool, skip, workers)
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
    workers: int | None = None
    read: Mapping[str, Any] = field(default_factory=dict)
    prepare: Mapping[str, Any] = field(default_factory=dict)
    rename: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    problems: list[tuple[str, UnisonoError]] = field(default_factory=list)
    """Guidelines that cannot be prepared as the study says, and why; reported all at once."""
    names: set[str] = field(default_factory=set)
    """The names of all documents and annotators before they are renamed."""

    def corpus(self, guideline: str, paths: Sequence[Path], pattern: str | None, n_left_out: int = 0) -> Corpus:
        """Read files, and prepare what they hold."""
        data = read(paths, pattern=pattern, bad=self.bad, workers=self.workers, **self.read)
        if not isinstance(data, Corpus):
            raise DataError("a study needs units on texts, and this holds something else", path=paths[0])
        self.names.update(data.documents, data.annotators)
        if pattern is not None:
            check_people(data, parse_pattern(pattern), self.rename.get("annotators", {}))
        data = replace(data, dropped=with_dropped(data, {_LEFT_OUT: n_left_out}))
        try:
            data = with_other_names(data, self.rename.get("documents", {}), self.rename.get("annotators", {}))
            return as_corpus(prepare(data, **self.prepare))
        except UnisonoError as error:
            self.problems.append((guideline, error))
            return data

    def skip(self, error: DataError) -> None:
        """Report an error, or raise it."""
        if self.bad is None:
            raise error
        self.bad(error)

    def with_settings(self, own: Mapping[str, Any], what: str, folder: Path, path: Path) -> _Reading:
        """Return how one set of guidelines is read: as its table says, otherwise as all others."""
        how = check_table(own.get("read", {}), READ_ONE, f"read of {what}", path)
        if "worked" in how:
            how["worked"] = folder / how["worked"]
        then = check_table(own.get("prepare", {}), PREPARE, f"prepare of {what}", path)
        names = check_table(own.get("rename", {}), RENAME, f"rename of {what}", path)
        return replace(
            self,
            read={**self.read, **how},
            prepare={**self.prepare, **then},
            rename={kind: {**self.rename.get(kind, {}), **names.get(kind, {})} for kind in RENAME},
        )


def _from_file(path: Path, reading: _Reading) -> Definition:
    given = check_table(load_toml(path), STUDY, "the study", path)
    folder = path.parent / given.get("path", ".")
    groups = _groups(given.get("groups", {}), "[groups]", path)
    rename = check_table(given.get("rename", {}), RENAME, "[rename]", path)
    reading = replace(
        reading,
        read=check_table(given.get("read", {}), READ, "[read]", path),
        prepare=check_table(given.get("prepare", {}), PREPARE, "[prepare]", path),
        rename=rename,
    )
    tables = {
        name: check_table(table, GUIDELINE, f"[guidelines.{name}]", path)
        for name, table in given.get("guidelines", {}).items()
    }
    dropped: dict[str, int] = {}
    if _have_paths(tables, given, folder):
        if "leave_out" in given:
            message = "leave_out is for files that a pattern with {guideline} finds; remove it, or name the paths"
            raise DataError(message, path=path)
        guidelines = tuple(
            reading.pool.map(
                lambda name: _from_table(name, tables[name], folder, groups, reading, path, given.get("pattern")),
                list(tables),
            )
        )
    else:
        if "pattern" in given:
            top = folder
            found, dropped = find_matching(top, parse_pattern(given["pattern"]), FILE)
        else:
            top = unwrapped(folder, FILE)
            found = find_laid_out(top, FILE)
        _check_tables(tables, found, path)
        kept, left = leave_out(found, given.get("leave_out", ()), top)
        if groups and any(file.group for file in kept):
            raise DataError("groups are named in the paths and in [groups]; remove one of them", path=path)
        guidelines = tuple(
            _with_groups(one, tables.get(one.name, {}), groups, path)
            for one in _from_folders(kept, reading, left, tables, top, path)
        )
    _check_prepared(reading.problems, path)
    for names in (rename, *(own.get("rename", {}) for own in tables.values())):
        _check_renamed(names, reading.names, path)
    _check_people(groups, guidelines, path)
    title = given.get("title", path.absolute().parent.name)
    return Definition(title, guidelines, tuple(given.get("measure", ())), dropped)


def _have_paths(tables: Mapping[str, Mapping[str, Any]], given: Mapping[str, Any], folder: Path) -> bool:
    """Whether tables say where the files of guidelines are, and not a pattern, or the layout of the folder."""
    if not tables or "pattern" in given:
        return bool(tables) and not names_guidelines(parse_pattern(given["pattern"]))
    if any("path" in own for own in tables.values()) or not folder.is_dir():
        return True
    try:
        return not find_laid_out(unwrapped(folder, FILE), FILE)
    except DataError:
        return True


def _check_tables(tables: Mapping[str, Mapping[str, Any]], found: Iterable[FoundFile], path: Path) -> None:
    """Reject tables of guidelines that the paths do not name, and of those that say otherwise where their files are."""
    known = list(dict.fromkeys(file.guideline for file in found))
    for name, own in tables.items():
        if name not in known:
            raise DataError(f"[guidelines.{name}]: the paths name no such guidelines, but {listed(known)}", path=path)
        for key in ("path", "pattern"):
            if key in own:
                raise DataError(
                    f"{key} in [guidelines.{name}]: the study already says where the files of all guidelines are; "
                    "remove one of them",
                    path=path,
                )


def _check_prepared(problems: Sequence[tuple[str, UnisonoError]], path: Path) -> None:
    """Raise all problems at once, each with the guidelines that have it."""
    by_message: dict[str, list[str]] = {}
    for name, error in problems:
        by_message.setdefault(error.message, []).append(name)
    if by_message:
        raise DataError(". ".join(f"{', '.join(names)}: {what}" for what, names in by_message.items()), path=path)


def _check_renamed(rename: Mapping[str, Mapping[str, str]], known: set[str], path: Path) -> None:
    for kind, names in rename.items():
        for name in names:
            if name not in known:
                raise DataError(f"{kind} in [rename]: nothing is named {name!r}; correct it, or remove it", path=path)


def _from_table(
    name: str,
    own: Mapping[str, Any],
    folder: Path,
    groups: _Groups,
    reading: _Reading,
    path: Path,
    pattern: str | None,
) -> Guideline:
    """Read a set of guidelines that study.toml names; `pattern` is that of the study."""
    what = f"[guidelines.{name}]"
    if not own.get("path"):
        raise DataError(f"{what} does not say where its files are; add path", path=path)
    reading = reading.with_settings(own, what, folder, path)
    corpus = reading.corpus(name, [folder / one for one in own["path"]], own.get("pattern", pattern))
    return _with_groups(Guideline(name, corpus), own, groups, path)


def _with_groups(guideline: Guideline, own: Mapping[str, Any], groups: _Groups, path: Path) -> Guideline:
    """Add the groups that its table names, otherwise those of all guidelines, unless the paths say them."""
    what = f"[guidelines.{guideline.name}]"
    if "groups" not in own:
        return guideline if guideline.groups else replace(guideline, groups=_present(groups, guideline.corpus))
    if guideline.groups:
        raise DataError(f"groups are named in the paths and in {what}; remove one of them", path=path)
    people = _groups(own["groups"], f"groups of {what}", path)
    made = replace(guideline, groups=people)
    _check_people(people, [made], path, what)
    return made


def _from_folders(
    found: Iterable[FoundFile],
    reading: _Reading,
    left: Sequence[str] = (),
    tables: Mapping[str, Mapping[str, Any]] | None = None,
    folder: Path = Path(),
    path: Path = Path(),
) -> tuple[Guideline, ...]:
    """Read files whose paths name the guidelines and the group.

    `left` are the guidelines of files that are left out, `tables` the settings of guidelines in the file `path`.
    """
    by_guideline: dict[str, list[FoundFile]] = {}
    for file in found:
        by_guideline.setdefault(file.guideline, []).append(file)

    def made(name: str) -> Guideline:
        files = by_guideline[name]
        how = reading.with_settings((tables or {}).get(name, {}), f"[guidelines.{name}]", folder, path)
        corpus = how.corpus(name, [file.path for file in files], files[0].pattern, left.count(name))
        renamed_people, inside = how.rename.get("annotators", {}), people_of_files(corpus)
        members = (
            (file.group, who, file.path)
            for file in files
            if file.group
            for who in (
                inside.get(file.path, ())
                if file.annotator is None
                else [renamed_people.get(file.annotator, file.annotator)]
            )
        )
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
