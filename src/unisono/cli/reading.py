"""Options that say what is read and how it is prepared; commands that read annotations share them."""

from __future__ import annotations

import inspect
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from unisono.cli.progress import progress_bar
from unisono.data import Corpus, Data
from unisono.errors import DataError, OptionError, listed

_OPTION = "a name, =, and a value, e.g. text=trans,merge=#"
_MOST_TOLD = 20


@dataclass(frozen=True)
class Reading:
    """What a user said about the files and about what counts in them; a field is an option."""

    format: Annotated[str | None, typer.Option(help="The files' format; found by itself if not given.")] = None
    pattern: Annotated[
        str | None,
        typer.Option(
            help='Where annotator and document stand in the paths, e.g. "{annotator}/{document}.xml"; * for the rest.'
        ),
    ] = None
    annotator_from: Annotated[
        str | None, typer.Option(help="Where the annotator's name is: folder, file, tier or field.")
    ] = None
    option: Annotated[
        str | None, typer.Option(help="Options of the format, e.g. text=trans,merge=#,split=§; see `unisono formats`.")
    ] = None
    columns: Annotated[
        str | None,
        typer.Option(help="Names of a table's columns, e.g. document=doc,category=label or item=id,label=tag."),
    ] = None
    delimiter: Annotated[str | None, typer.Option(help="What separates a table's fields.")] = None
    worked: Annotated[
        Path | None,
        typer.Option(help="A table of document and annotator: who worked on what, with units or without."),
    ] = None
    continuum: Annotated[str | None, typer.Option(help="Where every continuum begins and ends, e.g. 0:5000.")] = None
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Pass over files and records that cannot be read, and list them.")
    ] = False
    discontinuous: Annotated[
        str, typer.Option(help="Units in several pieces: whole (from first to last), pieces (a unit each) or drop.")
    ] = "whole"
    annotators: Annotated[str | None, typer.Option(help="Only these annotators, e.g. anna,bert.")] = None
    layer: Annotated[list[str] | None, typer.Option(help="Only units of this layer, tier or type; give several.")] = (
        None
    )
    features: Annotated[str | None, typer.Option(help="Only these features, e.g. pos,lemma.")] = None
    where: Annotated[
        str | None, typer.Option(help="Only units for which this holds, e.g. 'category != \"O\" and length > 3'.")
    ] = None
    clean: Annotated[str | None, typer.Option(help="Make labels alike: case, quotes, spaces, e.g. case,spaces.")] = None
    join: Annotated[str | None, typer.Option(help="Make one category of several features, e.g. speaker,addressee.")] = (
        None
    )
    positions: Annotated[
        str | None,
        typer.Option(
            help='Count in "tokens" (the file\'s, else Unicode words), "tokens(unicode)" or "tokens(regex=…)".'
        ),
    ] = None
    merge_adjacent: Annotated[
        bool, typer.Option("--merge-adjacent", help="Make one unit of those that touch and have the same labels.")
    ] = False

    def data(self, paths: Sequence[Path]) -> Data:
        """Read the files, and prepare what they hold; say on stderr what was left out."""
        data = self._read(paths)
        if self._prepares:
            if not isinstance(data, Corpus):
                raise OptionError(f"{self._prepares[0]} is for units, and {paths[0]} holds something else")
            data = self._prepared(data)
        if self.annotators is not None:
            data = data.select(annotators=_names(self.annotators))
        tell_dropped(data)
        if isinstance(data, Corpus) and not self.layer:
            _tell_layers(data)
        return data

    def inputs(self, paths: Sequence[Path], *more: Path | None) -> list[Path]:
        """Give all paths that are read, so that nothing is written over them."""
        return [path for path in (*paths, self.worked, *more) if path is not None]

    def said(self) -> list[str]:
        """Give the options as they were written, to write them again."""
        words: list[str] = []
        for field in fields(self):
            value = getattr(self, field.name)
            name = f"--{field.name.replace('_', '-')}"
            if value == field.default:
                continue
            for one in value if isinstance(value, list) else [value]:
                words += [name] if one is True else [name, str(one)]
        return words

    def command(self, name: str, paths: Sequence[Path], *words: str) -> str:
        """Write a command that reads the same data in the same way, ready for a shell."""
        return shlex.join(["unisono", name, *map(_typed, paths), *words, *self.said()])

    def base(self, path: Path) -> Corpus:
        """Read a pre-annotation in the same way."""
        from unisono.formats import read_base

        return read_base(path, format=self.format, options=pairs("--option", self.option, _OPTION))

    def _read(self, paths: Sequence[Path]) -> Data:
        from unisono.formats import read

        bad: list[DataError] = []
        with progress_bar("read") as tell:
            data = read(
                paths,
                format=self.format,
                pattern=self.pattern,
                annotator_from=self.annotator_from,
                options=pairs("--option", self.option, _OPTION),
                columns=pairs("--columns", self.columns, "our name, =, and the file's, e.g. document=doc"),
                delimiter=self.delimiter,
                discontinuous=self.discontinuous,
                worked=self.worked,
                continuum=_continuum(self.continuum),
                bad=bad.append if self.skip_bad else None,
                progress=tell,
            )
        tell_passed_over(bad)
        return data

    @property
    def _prepares(self) -> list[str]:
        """The options that prepare units."""
        names = ("layer", "features", "where", "clean", "join", "positions", "merge_adjacent")
        return [f"--{name.replace('_', '-')}" for name in names if getattr(self, name)]

    def _prepared(self, corpus: Corpus) -> Data:
        from unisono.preparation import prepare

        return prepare(
            corpus,
            layers=self.layer,
            clean=_names(self.clean) if self.clean else (),
            where=self.where,
            features=None if self.features is None else _names(self.features),
            join=None if self.join is None else _names(self.join),
            positions=self.positions,
            adjacent=self.merge_adjacent,
        )


def tell_passed_over(bad: Sequence[DataError]) -> None:
    """List what could not be read."""
    for error in bad[:_MOST_TOLD]:
        print(f"passed over: {error}", file=sys.stderr)
    if len(bad) > _MOST_TOLD:
        print(f"passed over: {len(bad) - _MOST_TOLD:,} more", file=sys.stderr)


def tell_dropped(data: Data) -> None:
    """Say what was left out or changed when data was read."""
    for what, n in data.dropped.items():
        print(f"left out or changed: {n:,} {what}", file=sys.stderr)


def _tell_layers(corpus: Corpus) -> None:
    """Say that units of several layers are together, if so."""
    if "category" in corpus.features and "type" in corpus.features and len(corpus.features["type"].labels) > 1:
        names = listed([str(label) for label in corpus.features["type"].labels])
        print(f"units are of several layers ({names}), all together; --layer chooses one", file=sys.stderr)


def reads(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `Reading` in place of its parameter `reading`."""
    own = inspect.signature(command).parameters
    hints = get_type_hints(command, include_extras=True)
    shared = get_type_hints(Reading, include_extras=True)
    taken = {name.removeprefix("n_") for name in own}  # shuffle's --annotators is how many to make
    offered = [field for field in fields(Reading) if field.name not in taken]

    @wraps(command)
    def called(**given: Any) -> None:
        reading = Reading(**{field.name: given.pop(field.name) for field in offered})
        command(reading=reading, **given)

    kept = [parameter.replace(annotation=hints[name]) for name, parameter in own.items() if name != "reading"]
    more = [
        inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=shared[field.name]
        )
        for field in offered
    ]
    keyword = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in kept]
    parameters = [*keyword, *more]
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return called


def pairs(option: str, text: str | None, how: str) -> dict[str, str] | None:
    """Read names and values, e.g. text=trans,merge=#."""
    if text is None:
        return None
    found = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if not (name.strip() and equals and value.strip()):
            raise OptionError(f"{option} {text}: write {how}")
        found[name.strip()] = value.strip()
    return found


def _typed(path: Path) -> str:
    """Write a path so that it is not taken for an option."""
    return f"./{path}" if str(path).startswith("-") else str(path)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _continuum(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    low, _, high = text.partition(":")
    try:
        return float(low), float(high)
    except ValueError:
        raise OptionError(f"--continuum {text}: write where it begins and ends, e.g. 0:5000") from None
