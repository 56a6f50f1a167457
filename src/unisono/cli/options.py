"""Options that several commands share; those that go together are a dataclass, of which a command has a parameter."""

from __future__ import annotations

import inspect
import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from dataclasses import Field, dataclass, fields, is_dataclass
from functools import wraps
from itertools import chain, islice
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_type_hints

import typer

from unisono.cli.completion import measure_names, written_format_names
from unisono.cli.help import COMPARING, MEASURING, OUTPUT, WORK
from unisono.errors import OptionError

if TYPE_CHECKING:
    from unisono.measurement.registry import Measure

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
Humans: TypeAlias = Annotated[
    str | None, COMPARING("NAMES", "The annotators that are people, e.g. anna,bert; by default all but the model.")
]
Ladder: TypeAlias = Annotated[
    bool,
    MEASURING("", "Show which magnitude of which error yields the same agreement: what the number means.", "--ladder"),
]
Stream: TypeAlias = Annotated[
    Path | None,
    WORK(
        "FOLDER",
        "Read and measure in pieces, for data larger than memory, and keep what is done in this folder: the same "
        "command continues after an interruption.",
    ),
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
SafeCsv: TypeAlias = Annotated[
    bool,
    OUTPUT(
        "", "In CSV, put an apostrophe before cells that a spreadsheet would take for formulas (= + - @).", "--safe-csv"
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

    def start_early(self, paths: Iterable[Path], measures: str | Sequence[str] | None, *, long: bool = False) -> None:
        """Start worker processes while this one still loads and reads, if they are sure to be needed.

        That is so for measures that sample, if there is much data, or the work is `long` anyway.
        """
        named = [measures] if isinstance(measures, str) else measures or ()
        bytes_each = [_BYTES_PER_WORKER[name] for name in map(_name, named) if name in _BYTES_PER_WORKER]
        if self.dask is not None or self.workers == 1 or not bytes_each:
            return
        n_worth = max(n_bytes(paths) // min(bytes_each), int(long))
        if not n_worth:
            return
        from unisono.execution import n_cores
        from unisono.kernels import any_on_disk
        from unisono.processes import Task, start_early

        n_others = (self.workers or n_cores()) - 1
        if n_others and any_on_disk():  # without machine code on disk, one process compiles; others would do the same
            loading = Task.named("unisono.measurement.loading:load_measures", named)
            start_early(n_others, min(n_others, n_worth), loading)

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
        before = logging.root.manager.disable
        logging.disable()  # Dask logs whole tracebacks of what will be one sentence
        try:
            with _client(Client, self.dask) as client:
                if not client.nthreads():
                    print(f"unisono: {self.dask} has no workers yet; waiting for one", file=sys.stderr)
                yield client.get_executor(pure=False)
        finally:
            logging.disable(before)


_BYTES_PER_WORKER = {"gamma": 300_000, "text-gamma": 2_000_000}
"""Bytes of data that are worth a worker process, half a second of work, for measures that align random samples."""
_MANY_FILES = 2_000
"""Of more files, only so many are looked at: listing them must not take longer than it saves."""


def _name(measure: str) -> str:
    """Return the name of a measure as it is written."""
    return measure.partition("(")[0].strip().lower().replace("_", "-")


def n_bytes(paths: Iterable[Path]) -> int:
    """Return how many bytes there are to read; of many files, those of the first. Errors come when they are read."""
    files = chain.from_iterable(path.rglob("*") if os.path.isdir(path) else (path,) for path in paths)
    total = 0
    with suppress(OSError, ValueError):
        for file in islice(files, _MANY_FILES):
            total += file.stat().st_size
    return total


_PATIENCE = 30
"""Seconds to wait for the scheduler: where something else answers, Dask would try again for ever."""


_SOON = 1.0
"""Seconds after which a user should know what is waited for."""


def _client(make: Callable[..., Any], address: str) -> Any:
    answer: list[Any] = []

    def connect() -> None:
        try:
            answer.append(make(address, timeout=10))
        except Exception as error:
            answer.append(error)

    connecting = Thread(target=connect, daemon=True)
    connecting.start()
    connecting.join(_SOON)
    if connecting.is_alive():  # a refused connection, too, since the scheduler may be about to start
        print(
            f"unisono: waiting for the Dask scheduler at {address}, which has not answered yet",
            file=sys.stderr,
            flush=True,
        )
        connecting.join(_PATIENCE)
    if answer and not isinstance(answer[0], Exception):
        return answer[0]
    why = " ".join(str(answer[0]).split()) if answer else "something else answers"
    raise OptionError(f"there is no Dask scheduler at {address}: {why}; check the address, and start `dask scheduler`")


@dataclass(frozen=True)
class SeededCrew(Crew):
    """Where the work is done, and the seed of its random numbers."""

    seed: Seed = SEED


@dataclass(frozen=True)
class TimedCrew(SeededCrew):
    """Where the work is done, and how long it may take."""

    time_limit: str | None = WORK.field(
        None,
        "TIME",
        "How long a measurement may take, e.g. 90s, 5m or 2h; what is not proven by then is reported with its gap.",
    )

    def limited(self, measures: Sequence[Measure]) -> list[Measure]:
        """Give the time limit to measures that can take long, unless they have one of their own."""
        if self.time_limit is None:
            return list(measures)
        from unisono.deadlines import check_time_limit

        try:
            check_time_limit(self.time_limit)
        except OptionError:
            message = f"--time-limit {self.time_limit}: write seconds, or a time such as 90s, 5m or 2h"
            raise OptionError(message) from None
        return [one.with_defaults(time_limit=self.time_limit) for one in measures]


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Offer the fields of a command's groups of options as options of the command.

    Of options with the same name, the command's own is offered, else the first group's; others keep their defaults.
    """
    hints = get_type_hints(command, include_extras=True)
    own = inspect.signature(command).parameters
    groups = {name: hints[name] for name in own if is_dataclass(hints[name])}
    single = [parameter for name, parameter in own.items() if name not in groups]
    taken = {_flag(parameter.name) for parameter in single}
    offered: dict[str, list[Field[Any]]] = {}
    for name, group in groups.items():
        offered[name] = [one for one in fields(group) if _flag(one.name) not in taken]
        taken |= {_flag(one.name) for one in offered[name]}

    @wraps(command)
    def called(**given: Any) -> None:
        made = {
            name: group(**{one.name: given.pop(one.name) for one in offered[name]}) for name, group in groups.items()
        }
        command(**given, **made)

    parameters = [_keyword(parameter.name, hints[parameter.name], parameter.default) for parameter in single]
    for name, group in groups.items():
        kinds = get_type_hints(group, include_extras=True)
        parameters += [_keyword(one.name, _declared(kinds[one.name], one), one.default) for one in offered[name]]
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return called


def _flag(name: str) -> str:
    """Return what a parameter is called on the command line: the number of annotators is --annotators, too."""
    return name.removeprefix("n_")


def _declared(kind: Any, one: Field[Any]) -> Any:
    return Annotated[kind, one.metadata["option"]] if "option" in one.metadata else kind


def _keyword(name: str, kind: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
