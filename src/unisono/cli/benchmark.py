"""`unisono benchmark`: how measures answer errors of known kinds and magnitudes."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Annotated, Any

import typer

from unisono.cli.interrupts import Interrupted
from unisono.cli.options import (
    DaskAddress,
    Force,
    Seed,
    crew,
)
from unisono.cli.progress import progress_bar
from unisono.cli.reading import Reading, reads
from unisono.cli.shuffle import Annotator, Confusable, Count, Reference, Uniform, inputs_of, reference_corpus
from unisono.errors import DataError, OptionError, UnisonoError


@reads
def benchmark(
    reading: Reading,
    reference: Reference,
    measures: Annotated[list[str], typer.Option("--measure", "-m", help="A measure, e.g. gamma; give several.")],
    error: Annotated[
        list[str],
        typer.Option("--error", help="A kind of error, or several joined, e.g. position+category; give several."),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The table to write, e.g. curves.csv; the figure goes beside it.")
    ],
    magnitudes: Annotated[
        str, typer.Option("--magnitudes", help="Magnitudes, e.g. 0:1:0.05 (begin, end, step) or 0,0.5,1.")
    ] = "0:1:0.05",
    repetitions: Annotated[int, typer.Option("--repetitions", min=1, help="Annotation sets a magnitude.")] = 40,
    n_annotators: Count = 3,
    annotator: Annotator = None,
    by: Annotated[str, typer.Option("--by", help="A panel for each error, or for each measure.")] = "error",
    title: Annotated[str, typer.Option("--title", help="The figure's title.")] = "",
    distance: Confusable = None,
    uniform: Uniform = False,
    seed: Seed = 42,
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Number of processes; by default one a processor.")
    ] = None,
    dask: DaskAddress = None,
    force: Force = False,
) -> None:
    """Measure shuffled annotations of every error and magnitude, and write the curves as a table and a figure.

    What is done is kept beside the output while it runs: after an interruption, the same command goes on from there.
    """
    from unisono.measurement.readers import written_distance
    from unisono.measurement.registry import parse_measure
    from unisono.output import new_file, refuse
    from unisono.reporting.alignment_table import refuse_table_name, write_table
    from unisono.reporting.curves import curves_svg
    from unisono.shuffling import benchmark as benchmarked
    from unisono.shuffling.store import FileStore, fingerprint

    if by not in ("error", "measure"):
        raise OptionError(f"--by {by}: a panel is for each error or for each measure")
    figure = output.with_suffix(".svg")
    if output.suffix.lower() == ".svg":
        raise OptionError(f"{output}: name the table, e.g. {output.with_suffix('.csv')}; the figure goes beside it")
    refuse_table_name(output)
    for path in (output, figure):
        refuse(path, overwrite=force, inputs=inputs_of(reading, reference))
    steps = _magnitudes(magnitudes)
    confusable = None if distance is None else written_distance(distance)
    corpus = reference_corpus(reading, reference, seed)
    about = {
        "data": fingerprint(corpus),
        "measures": [str(parse_measure(name)) for name in measures],
        "annotators": n_annotators,
        "annotator": annotator,
        "distance": None if confusable is None else confusable.signature,
        "uniform": uniform,
        "seed": seed,
    }
    store = FileStore(output.with_name(f"{output.name}.runs.jsonl"), about)
    if store.n_known:
        print(f"{output}: going on after {store.n_known:,} runs", file=sys.stderr)
    try:
        with _hands(workers, dask) as hands, progress_bar("benchmark") as tell:
            curves = benchmarked(
                corpus,
                measures,
                error,
                magnitudes=steps,
                repetitions=repetitions,
                n_annotators=n_annotators,
                annotator=annotator,
                distance=confusable,
                uniform=uniform,
                rng=seed,
                workers=hands,
                store=store,
                progress=tell,
            )
    except (UnisonoError, Interrupted) as ended:
        if not store.n_known:
            store.remove()  # nothing was done, so there is nothing to go on from
        elif isinstance(ended, Interrupted):
            kept = f"interrupted; {store.n_known:,} runs are kept, the same command goes on"
            raise Interrupted(ended.number, kept) from None
        raise
    with new_file(figure, overwrite=force) as stream:
        stream.write(curves_svg(curves, by=by, title=title).encode())
        stream.flush()  # a full disk tells now, before the table is there
        write_table(curves.columns(), output, overwrite=force)
    store.remove()
    _print(curves.judgements())
    print(f"{output}, {figure}", file=sys.stderr)


def _print(judgements: list[dict[str, Any]]) -> None:
    """Show what the desiderata say of each curve."""
    from rich.table import Table

    from unisono.cli.screen import screen
    from unisono.shuffling.curves import YES_OR_NO, agreement_symbol

    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for title in ("error", "measure", "full range", "decreasing", "never below 0", "curve"):
        table.add_column(title)
    for row in judgements:
        answers = (YES_OR_NO[row[name]] for name in ("full_range", "decreasing", "never_below_0"))
        table.add_row(row["error"], f"{agreement_symbol(row['measure'])}  {row['measure']}", *answers, row["remark"])
    screen.print(table)


@contextmanager
def _hands(workers: int | None, dask: str | None) -> Iterator[int | Executor | None]:
    """Provide processes, one a processor unless said; they do not wait for each other as threads do."""
    count = (os.cpu_count() or 1) if workers is None else workers
    if dask is not None or count == 1:
        with crew(workers, dask) as hands:
            yield hands
        return
    with ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_leave_interrupts) as processes:
        try:
            yield processes
        except Interrupted:
            threading.excepthook = lambda _: None  # we end; the executor's thread stumbles over work that it had yet
            for process in active_children():
                process.terminate()
            raise
        except BrokenExecutor:
            raise DataError("a process was ended from outside, perhaps for want of memory; see --workers") from None


def _leave_interrupts() -> None:
    """Let who started us decide on interrupts: a terminal sends them to all."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _magnitudes(text: str) -> list[float]:
    try:
        if ":" not in text:
            return [float(part) for part in text.split(",")]
        begin, end, step = (float(part) for part in text.split(":"))
        count = int((end - begin) / step + 1e-9)
        return [round(begin + k * step, 10) for k in range(count + 1)]
    except (ValueError, ZeroDivisionError, OverflowError):
        raise OptionError(f"--magnitudes {text}: write begin, end and step, 0:1:0.05, or 0,0.5,1") from None
