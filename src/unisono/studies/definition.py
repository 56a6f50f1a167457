"""What a study consists of: guidelines, each with texts and groups of annotators; from study.toml or from folders."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unisono.data import Corpus
from unisono.errors import DataError, OptionError, listed
from unisono.execution import Progress
from unisono.formats import read
from unisono.formats.archives import unpacked
from unisono.formats.folders import find_files
from unisono.formats.patterns import Pattern, Place, parse_pattern
from unisono.formats.registry import FORMATS
from unisono.preparation import prepare

FILE = "study.toml"
_KEYS = ("title", "path", "pattern", "measure", "groups", "guidelines", "read", "prepare")
_GUIDELINE_KEYS = ("path", "pattern", "groups", "read", "prepare")
_READ = ("format", "annotator_from", "options", "columns", "delimiter", "discontinuous")
_PREPARE = ("layers", "clean", "where", "features", "join", "positions", "adjacent")
_LAYOUTS = ("{guideline}/{group}/{annotator}/{document}.*", "{guideline}/{annotator}/{document}.*")


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
        Group to its annotators; empty if there are none.
    """

    name: str
    corpus: Corpus
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


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


def read_study(path: str | os.PathLike[str], *, progress: Progress | None = None) -> Definition:
    """Read a study.

    Parameters
    ----------
    path : path
        A file study.toml, or a folder with one in it, or a folder (or ZIP archive) that is laid out as
        ``GUIDELINE/GROUP/ANNOTATOR/TEXT`` or ``GUIDELINE/ANNOTATOR/TEXT``.
    progress : callable, optional
        Called with (done, total) after each set of guidelines.
    """
    given = Path(path)
    if not given.exists():
        raise DataError("there is no such file or folder; check the path", path=given)
    with unpacked([given]) as content:
        (place,) = content.paths
        if place.is_dir() and not (place / FILE).is_file():
            return Definition(given.stem, _from_folders(place, {}, {}, {}, progress))
        return _from_file(place / FILE if place.is_dir() else place, progress)


def _from_file(path: Path, progress: Progress | None) -> Definition:
    given = _loaded(path)
    _refuse_unknown(given, _KEYS, "the study", path)
    folder = path.parent / str(given.get("path", "."))
    groups = _groups(given.get("groups", {}), path)
    how, then = _options(given, "read", _READ, path), _options(given, "prepare", _PREPARE, path)
    measures = given.get("measure", [])
    named = given.get("guidelines", {})
    if not isinstance(named, dict) or not all(isinstance(one, dict) for one in named.values()):
        raise DataError("guidelines should be tables, e.g. [guidelines.first] with path = ...; mend it", path=path)
    if named:
        made = []
        for number, (name, own) in enumerate(named.items(), start=1):
            made.append(_from_table(name, own, folder, groups, how, then, path))
            if progress is not None:
                progress(number, len(named))
        guidelines = tuple(made)
    else:
        pattern = None if "pattern" not in given else parse_pattern(str(given["pattern"]))
        guidelines = _from_folders(folder, groups, how, then, progress, pattern)
    chosen = (measures,) if isinstance(measures, str) else tuple(map(str, measures))
    return Definition(str(given.get("title", path.absolute().parent.name)), guidelines, chosen)


def _loaded(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise DataError(f"the file cannot be read ({error.strerror}); check the path", path=path) from None
    except UnicodeDecodeError:
        raise DataError("there are characters that are not UTF-8; convert the file to UTF-8", path=path) from None
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"this is not TOML ({error}); mend it", path=path) from None


def _refuse_unknown(given: Mapping[str, Any], known: Sequence[str], what: str, path: Path) -> None:
    for key in given:
        if key not in known:
            raise DataError(f"{key!r} is not known in {what}; known are: {', '.join(known)}", path=path)


def _options(given: Mapping[str, Any], name: str, known: Sequence[str], path: Path) -> dict[str, Any]:
    options = given.get(name, {})
    if not isinstance(options, dict):
        raise DataError(f"{name} should be a table, [{name}]; mend it", path=path)
    _refuse_unknown(options, known, f"[{name}]", path)
    return options


def _groups(given: Any, path: Path) -> dict[str, tuple[str, ...]]:
    if not isinstance(given, dict) or not all(
        isinstance(people, list) and all(isinstance(who, str) for who in people) for people in given.values()
    ):
        raise DataError('groups should be lists of annotators, e.g. students = ["anna", "bert"]; mend them', path=path)
    return {name: tuple(people) for name, people in given.items()}


def _from_table(
    name: str,
    own: Mapping[str, Any],
    folder: Path,
    groups: Mapping[str, tuple[str, ...]],
    how: Mapping[str, Any],
    then: Mapping[str, Any],
    path: Path,
) -> Guideline:
    """Read one set of guidelines that study.toml names."""
    _refuse_unknown(own, _GUIDELINE_KEYS, f"[guidelines.{name}]", path)
    if "path" not in own:
        raise DataError(f"[guidelines.{name}] does not say where its files are; add path", path=path)
    paths = own["path"] if isinstance(own["path"], list) else [own["path"]]
    corpus = _corpus(
        [folder / str(one) for one in paths],
        own.get("pattern"),
        {**how, **_options(own, "read", _READ, path)},
        {**then, **_options(own, "prepare", _PREPARE, path)},
    )
    people = _groups(own["groups"], path) if "groups" in own else groups
    return Guideline(name, corpus, _present(people, corpus, f"[guidelines.{name}]", path, strict="groups" in own))


def _from_folders(
    folder: Path,
    groups: Mapping[str, tuple[str, ...]],
    how: Mapping[str, Any],
    then: Mapping[str, Any],
    progress: Progress | None,
    pattern: Pattern | None = None,
) -> tuple[Guideline, ...]:
    """Read a folder whose paths say which guidelines and which group."""
    found, taken = _found(folder, pattern)
    by_guideline: dict[str, list[tuple[Path, Place]]] = {}
    for file, place in found:
        by_guideline.setdefault(place.guideline or "", []).append((file, place))
    made = []
    for number, (name, files) in enumerate(by_guideline.items(), start=1):
        corpus = _corpus([file for file, _ in files], taken.text, how, then)
        by_path = _groups_of_paths(files)
        people = by_path or _present(groups, corpus, "groups", folder, strict=False)
        made.append(Guideline(name, corpus, people))
        if progress is not None:
            progress(number, len(by_guideline))
    return tuple(made)


def _found(folder: Path, pattern: Pattern | None) -> tuple[list[tuple[Path, Place]], Pattern]:
    if pattern is not None:
        if "guideline" not in pattern.meaning.groupindex:
            raise OptionError('the pattern of a study says where guidelines stand, e.g. "{guideline}/{annotator}/*"')
        return find_files([folder], pattern, FORMATS), pattern
    if not folder.is_dir():
        raise DataError("a study is a folder, or a file study.toml; see docs/studies.md", path=folder)
    depth = {len(file.relative_to(folder).parts) for file in _visible(folder)}
    for text in _LAYOUTS:
        if text.count("/") + 1 in depth:
            layout = parse_pattern(text)
            files = [(file, place) for file, place in find_files([folder], layout, FORMATS) if _is_known(file)]
            right = [(file, place) for file, place in files if _depth(file, folder) == text.count("/") + 1]
            if right:
                return right, layout
    raise DataError(
        "the folder is not laid out as GUIDELINE/GROUP/ANNOTATOR/TEXT or GUIDELINE/ANNOTATOR/TEXT; lay it out so, or "
        f"write a {FILE} that says where things are",
        path=folder,
    )


def _visible(folder: Path) -> Iterable[Path]:
    return (file for file in folder.rglob("*") if file.is_file() and not file.name.startswith("."))


def _depth(file: Path, folder: Path) -> int:
    return len(file.relative_to(folder).parts)


def _is_known(file: Path) -> bool:
    return any(file.suffix.lower() in known.suffixes for known in FORMATS)


def _groups_of_paths(files: Iterable[tuple[Path, Place]]) -> dict[str, tuple[str, ...]]:
    groups: dict[str, dict[str, None]] = {}
    where: dict[str, str] = {}
    for file, place in files:
        if place.group is None or place.annotator is None:
            continue
        if where.setdefault(place.annotator, place.group) != place.group:
            other = where[place.annotator]
            raise DataError(
                f"{place.annotator!r} is in the groups {other!r} and {place.group!r}; an annotator has one group for "
                "each set of guidelines",
                path=file,
            )
        groups.setdefault(place.group, {})[place.annotator] = None
    return {name: tuple(people) for name, people in groups.items()}


def _present(
    groups: Mapping[str, tuple[str, ...]], corpus: Corpus, what: str, path: Path, *, strict: bool
) -> dict[str, tuple[str, ...]]:
    """Keep the annotators of groups who are there; groups of one set of guidelines must all be there."""
    unknown = [who for people in groups.values() for who in people if who not in corpus.annotators]
    if unknown and strict:
        known = listed(corpus.annotators)
        raise DataError(f"{what}: there is no annotator {unknown[0]!r}; there are: {known}", path=path)
    present = {name: tuple(who for who in people if who in corpus.annotators) for name, people in groups.items()}
    return {name: people for name, people in present.items() if people}


def _corpus(paths: Sequence[Path], pattern: Any, how: Mapping[str, Any], then: Mapping[str, Any]) -> Corpus:
    data = read(paths, pattern=None if pattern is None else str(pattern), **how)
    if not isinstance(data, Corpus):
        raise DataError("a study is of units on texts, and this holds something else", path=paths[0])
    return prepare(data, **then) if then else data
