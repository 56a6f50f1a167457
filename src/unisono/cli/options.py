"""Options that commands share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from unisono.data import Corpus, Data
from unisono.errors import DataError, OptionError

Paths: TypeAlias = Annotated[list[Path], typer.Argument(help="The annotation files, or folders.", metavar="PATH…")]
Measures: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--measure", "-m", help='What to measure, e.g. "gamma(alpha=3,beta=1)"; see `unisono measures`.'),
]
Format: TypeAlias = Annotated[
    str | None, typer.Option("--format", help="The files' format; found by itself if not given.")
]
Pattern: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--pattern",
        help='Where annotator and document stand in the paths, e.g. "{annotator}/{document}.xml"; * for the rest.',
    ),
]
FormatOptions: TypeAlias = Annotated[
    str | None,
    typer.Option("--option", help="Options of the format, e.g. text=trans,merge=#,split=§; see `unisono formats`."),
]
Base: TypeAlias = Annotated[
    Path | None,
    typer.Option("--base", help="The pre-annotation that annotators started from, a file or folder; for text-gamma."),
]
Columns: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--columns", help="Names of a table's columns, e.g. document=doc,category=label or item=id,label=tag."
    ),
]
Delimiter: TypeAlias = Annotated[str | None, typer.Option("--delimiter", help="What separates a table's fields.")]
Worked: TypeAlias = Annotated[
    Path | None,
    typer.Option("--worked", help="A table of document and annotator: who worked on what, with units or without."),
]
Continuum: TypeAlias = Annotated[
    str | None, typer.Option("--continuum", help="Where every continuum begins and ends, e.g. 0:5000.")
]
Annotators: TypeAlias = Annotated[
    str | None, typer.Option("--annotators", help="Only these annotators, e.g. anna,bert.")
]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", min=0, help="Seed of the random annotations.")]
WorkerCount: TypeAlias = Annotated[
    int | None, typer.Option("--workers", min=1, help="Number of threads; by default one a processor.")
]
DaskAddress: TypeAlias = Annotated[
    str | None, typer.Option("--dask", help="Address of a Dask scheduler that does the work instead.")
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Force: TypeAlias = Annotated[bool, typer.Option("--force", help="Overwrite the output file if it exists.")]


_OPTION = "a name, =, and a value, e.g. text=trans,merge=#"


def read_corpus(
    paths: Sequence[Path],
    format_: str | None,
    columns: str | None,
    delimiter: str | None,
    worked: Path | None,
    continuum: str | None,
    annotators: str | None,
    pattern: str | None = None,
    options: str | None = None,
) -> Data:
    """Read what the options say."""
    from unisono.formats import read

    data = read(
        paths,
        format=format_,
        pattern=pattern,
        options=_pairs("--option", options, _OPTION),
        columns=_pairs("--columns", columns, "our name, =, and the file's, e.g. document=doc,category=label"),
        delimiter=delimiter,
        worked=worked,
        continuum=_continuum(continuum),
    )
    return data if annotators is None else data.select(annotators=[name.strip() for name in annotators.split(",")])


def reference_corpus(
    reference: str,
    format_: str | None,
    columns: str | None,
    delimiter: str | None,
    continuum: str | None,
    pattern: str | None,
    options: str | None,
    seed: int,
) -> Corpus:
    """Read a reference to shuffle, or generate it."""
    from unisono.shuffling.written import is_generated, parse_reference

    if is_generated(reference):
        return parse_reference(reference, seed)
    data = read_corpus(
        [Path(reference)], format_, columns, delimiter, None, continuum, None, pattern=pattern, options=options
    )
    if not isinstance(data, Corpus):
        raise DataError("a reference has units to shuffle, and this holds labels or rewritten words", path=reference)
    return data


def base_corpus(base: Path | None, format_: str | None, options: str | None, takers: Sequence[bool]) -> Corpus | None:
    """Read the pre-annotation, if one is given; at least one measure must take it."""
    from unisono.formats import read_base

    if base is None:
        return None
    if not any(takers):
        raise OptionError("--base is for measures that take a pre-annotation, such as text-gamma; name it with -m")
    return read_base(base, format=format_, options=_pairs("--option", options, _OPTION))


@contextmanager
def crew(workers: int | None, dask: str | None) -> Iterator[int | Executor | None]:
    """Provide those who do the work."""
    if dask is None:
        yield workers
        return
    if workers is not None:
        raise OptionError("--workers and --dask exclude each other")
    try:
        from distributed import Client
    except ImportError:
        raise OptionError("--dask needs the package distributed; install it with: pip install distributed") from None
    try:
        client = Client(dask, timeout=10)
    except (OSError, ValueError) as error:
        raise OptionError(f"no Dask scheduler answers at {dask}: {error}") from None
    with client:
        yield client.get_executor()


def _pairs(option: str, text: str | None, how: str) -> dict[str, str] | None:
    if text is None:
        return None
    pairs = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if not (name.strip() and equals and value.strip()):
            raise OptionError(f"{option} {text}: write {how}")
        pairs[name.strip()] = value.strip()
    return pairs


def _continuum(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    low, _, high = text.partition(":")
    try:
        return float(low), float(high)
    except ValueError:
        raise OptionError(f"--continuum {text}: write where it begins and ends, e.g. 0:5000") from None
