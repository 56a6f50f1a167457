"""`unisono benchmark`: how measures respond to errors of known kinds and magnitudes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from unisono.cli.completion import one_of
from unisono.cli.help import OUTPUT, SIMULATING
from unisono.cli.interrupts import Interrupted
from unisono.cli.options import Force, SeededCrew, measuring_by, with_groups
from unisono.cli.printing import plain_table, screen
from unisono.cli.progress import progress_bar
from unisono.cli.reading import Reading
from unisono.cli.simulating import Errors, Reference, Simulating, inputs_of, reference_corpus
from unisono.cli.values import magnitudes_in
from unisono.errors import OptionError, UnisonoError

if TYPE_CHECKING:
    from unisono.data import Corpus, Ratings
    from unisono.shuffling import Curves
    from unisono.shuffling.store import FileStore

_MANY = 100
"""Simulations that take a second or more."""


@with_groups
def benchmark(
    reference: Reference,
    simulating: Simulating,
    reading: Reading,
    crew: SeededCrew,
    measures: Annotated[list[str], measuring_by("A measure, e.g. gamma; can be repeated.")],
    error: Errors,
    output: Annotated[
        Path,
        OUTPUT("FILE", "The table to write, e.g. curves.csv; the figure is written next to it.", "--output", "-o"),
    ],
    magnitudes: Annotated[
        str, SIMULATING("M", "Magnitudes: start:end:step, e.g. 0:1:0.05, or a list, e.g. 0,0.5,1.")
    ] = "0:1:0.05",
    repetitions: Annotated[
        int, SIMULATING("N", "How many sets of annotations to simulate per magnitude.", least=1)
    ] = 40,
    by: Annotated[
        str,
        OUTPUT("WHAT", "Draw one panel per error, or one per measure.", complete=one_of("error", "measure")),
    ] = "error",
    title: Annotated[str, OUTPUT("TEXT", "The title of the figure.")] = "",
    force: Force = False,
) -> None:
    """Test how measures respond to known errors.

    Writes how each measure drops as each error grows, as a table and a figure. Finished runs are saved:
    after an interruption, the same command continues from there.

    Examples
    --------
    unisono benchmark generate -m u-alpha --error category -o category.csv
    unisono benchmark reference.csv -m span-f1 --error splits -o splits.csv
    """
    steps, simulated = magnitudes_in(magnitudes), simulating.arguments()
    crew.start_early([], measures, long=len(steps) * repetitions >= _MANY)
    from unisono.reporting.curves import curves_svg
    from unisono.shuffling import benchmark as benchmarked

    if by not in ("error", "measure"):
        raise OptionError(f"--by {by}: choose error or measure")
    figure = _figure(output, force, inputs_of(reading, reference))
    corpus = reference_corpus(reading, reference, crew.seed)
    store = _store(output, corpus, measures, {**simulated, "seed": crew.seed})
    with _kept(store), crew.hands() as workers, progress_bar("benchmark") as tell:
        curves = benchmarked(
            corpus,
            measures,
            error,
            magnitudes=steps,
            repetitions=repetitions,
            **simulated,
            rng=crew.seed,
            workers=workers,
            store=store,
            progress=tell,
        )
    _write(curves, output, figure, curves_svg(curves, by=by, title=title), force)
    store.remove()
    _show(curves.judgements())
    print(f"{output}, {figure}", file=sys.stderr)


def _figure(output: Path, force: bool, inputs: list[Path]) -> Path:
    """Check that table and figure can be written; return the figure's path."""
    from unisono.output import refuse
    from unisono.reporting.alignment_table import refuse_table_name

    figure = output.with_suffix(".svg")
    if output.suffix.lower() == ".svg":
        table = output.with_suffix(".csv")
        raise OptionError(f"{output}: name the table, e.g. {table}; the figure is written next to it")
    refuse_table_name(output)
    for path in (output, figure):
        refuse(path, overwrite=force, inputs=inputs)
    return figure


def _store(output: Path, corpus: Corpus | Ratings, measures: list[str], given: dict[str, Any]) -> FileStore:
    """Open the file of finished runs, which belong to exactly these data and options."""
    from unisono.measurement.registry import parse_measure
    from unisono.shuffling.store import FileStore, fingerprint

    distance = given["distance"]
    about = {
        "data": fingerprint(corpus),
        "measures": [str(parse_measure(name)) for name in measures],
        "annotators": given["n_annotators"],
        "annotator": given["annotator"],
        "distance": None if distance is None else distance.signature,
        "uniform": given["uniform"],
        "seed": given["seed"],
    }
    store = FileStore(output.with_name(f"{output.name}.runs.jsonl"), about)
    if store.n_known:
        print(f"{output}: continuing after {store.n_known:,} runs", file=sys.stderr)
    return store


@contextmanager
def _kept(store: FileStore) -> Iterator[None]:
    """Keep finished runs when the work is interrupted or fails."""
    try:
        yield
    except (UnisonoError, Interrupted) as ended:
        if not store.n_known:
            store.remove()  # nothing was finished, so there is nothing to continue from
        elif isinstance(ended, Interrupted):
            kept = f"interrupted; {store.n_known:,} runs are saved, and the same command continues from there"
            raise Interrupted(ended.number, kept) from None
        raise


def _write(curves: Curves, output: Path, figure: Path, drawn: str, force: bool) -> None:
    from unisono.output import new_file
    from unisono.reporting.alignment_table import write_table

    with new_file(figure, overwrite=force) as stream:
        stream.write(drawn.encode())
        stream.flush()  # a full disk is noticed now, before the table is written
        write_table(curves.columns(), output, overwrite=force)


def _show(judgements: list[dict[str, Any]]) -> None:
    """Print which desiderata each curve meets."""
    from unisono.shuffling.curves import YES_OR_NO, agreement_symbol

    table = plain_table("error", "measure", "full range", "decreasing", "never below 0", "curve")
    for row in judgements:
        answers = (YES_OR_NO[row[name]] for name in ("full_range", "decreasing", "never_below_0"))
        table.add_row(row["error"], f"{agreement_symbol(row['measure'])}  {row['measure']}", *answers, row["remark"])
    screen().print(table)
