"""Options that commands share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from unisono.cli.reading import Reading
from unisono.data import Corpus
from unisono.errors import OptionError

Paths: TypeAlias = Annotated[
    list[Path], typer.Argument(help="The annotation files, folders or ZIP archives.", metavar="PATH…")
]
Measures: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--measure", "-m", help='What to measure, e.g. "gamma(alpha=3,beta=1)"; see `unisono measures`.'),
]
Base: TypeAlias = Annotated[
    Path | None,
    typer.Option("--base", help="The pre-annotation that annotators started from, a file or folder; for text-gamma."),
]
SEED = 42
Seed: TypeAlias = Annotated[int, typer.Option("--seed", min=0, help="Seed of the random annotations.")]
WorkerCount: TypeAlias = Annotated[
    int | None, typer.Option("--workers", min=1, help="Number of threads; by default one a processor.")
]
DaskAddress: TypeAlias = Annotated[
    str | None, typer.Option("--dask", help="Address of a Dask scheduler that does the work instead.")
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
AsCsv: TypeAlias = Annotated[bool, typer.Option("--csv", help="Print all tables as CSV.")]
AsLatex: TypeAlias = Annotated[bool, typer.Option("--latex", help="Print all tables as LaTeX.")]
Output: TypeAlias = Annotated[Path, typer.Option("--output", "-o", help="The file to write, or the folder for brat.")]
To: TypeAlias = Annotated[
    str | None, typer.Option("--to", help="The format to write, e.g. jsonl, csv, brat; else by the file's name.")
]
HideText: TypeAlias = Annotated[
    bool, typer.Option("--hide-text", help="Leave the documents' text out, for private data.")
]
Force: TypeAlias = Annotated[
    bool, typer.Option("--force", help="Overwrite the output if it exists; never what is read.")
]


def refuse_several(**chosen: bool) -> None:
    """Refuse options that exclude each other."""
    if sum(chosen.values()) > 1:
        names = [f"--{name}" for name in chosen]
        raise OptionError(f"{', '.join(names[:-1])} and {names[-1]} exclude each other; choose one")


def base_corpus(reading: Reading, base: Path | None, takers: Sequence[bool]) -> Corpus | None:
    """Read the pre-annotation, if one is given; at least one measure must take it."""
    if base is None:
        return None
    if not any(takers):
        raise OptionError("--base is for measures that take a pre-annotation, such as text-gamma; name it with -m")
    return reading.base(base)


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
