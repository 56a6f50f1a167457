"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from unisono.cli.completion import measure_names, written_format_names
from unisono.cli.help import MEASURING, OUTPUT, WORK
from unisono.errors import OptionError

SEED = 42

Paths: TypeAlias = Annotated[
    list[Path], typer.Argument(metavar="PATH…", help="Annotation files, folders or ZIP archives.")
]


def measuring_by(text: str) -> Any:
    """Declare -m, with what it is for."""
    return MEASURING("MEASURE", text, "--measure", "-m", complete=measure_names)


_EXAMPLE = 'e.g. "gamma(alpha=3,beta=1)"'
Measures: TypeAlias = Annotated[
    list[str] | None, measuring_by(f"What to measure, {_EXAMPLE}; can be repeated. See `unisono measures`.")
]
OneMeasure: TypeAlias = Annotated[str | None, measuring_by(f"What to measure, {_EXAMPLE}. See `unisono measures`.")]
AligningMeasure: TypeAlias = Annotated[
    str | None,
    measuring_by(f"The measure that aligns, {_EXAMPLE}; by default text-gamma if the annotators' texts differ."),
]
Base: TypeAlias = Annotated[
    Path | None,
    MEASURING("PATH", "The pre-annotation that annotators started from, a file or folder; for text-gamma."),
]
Groups: TypeAlias = Annotated[
    list[str] | None,
    MEASURING("NAME=NAMES", "A group of annotators, e.g. experts=anna,bert; repeat it to compare groups."),
]
Ladder: TypeAlias = Annotated[
    bool,
    MEASURING("", "Show which magnitude of which error yields the same agreement: what the number means.", "--ladder"),
]
Output: TypeAlias = Annotated[Path, OUTPUT("PATH", "The file to write, or the folder for brat.", "--output", "-o")]
To: TypeAlias = Annotated[
    str | None,
    OUTPUT(
        "FORMAT",
        "The format to write, e.g. jsonl, csv, brat; by default chosen by the file's suffix.",
        complete=written_format_names,
    ),
]
HideText: TypeAlias = Annotated[bool, OUTPUT("", "Leave out the texts, for private data.", "--hide-text")]
Force: TypeAlias = Annotated[
    bool, OUTPUT("", "Overwrite the output if it exists; never overwrites the input.", "--force")
]
Seed: TypeAlias = Annotated[
    int, WORK("N", "Seed of the random numbers; the same seed yields the same numbers.", least=0)
]


@dataclass(frozen=True)
class Crew:
    """Where the work is done."""

    workers: int | None = WORK.field(
        None, "N", "How many CPU cores to use; by default all. The numbers do not depend on it.", least=1
    )
    dask: str | None = WORK.field(None, "ADDRESS", "A Dask scheduler to do the work instead.")

    @contextmanager
    def hands(self) -> Iterator[int | Executor | None]:
        """Provide workers in the form that the library's functions accept."""
        if self.dask is None:
            yield self.workers
            return
        if self.workers is not None:
            raise OptionError("--workers and --dask exclude each other; choose one")
        try:
            from distributed import Client
        except ImportError:
            raise OptionError('--dask needs the package distributed: pip install "unisono[dask]"') from None
        try:
            client = Client(self.dask, timeout=10)
        except (OSError, ValueError) as error:
            raise OptionError(f"no Dask scheduler answers at {self.dask}: {error}") from None
        with client:
            yield client.get_executor()


@dataclass(frozen=True)
class SeededCrew(Crew):
    """Where the work is done, and the seed of its random numbers."""

    seed: Seed = SEED
