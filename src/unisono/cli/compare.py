"""`unisono compare`: whether a difference is more than chance."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unisono.cli.groups import groups_of
from unisono.cli.options import (
    AsCsv,
    AsJson,
    AsLatex,
    Base,
    DaskAddress,
    Measures,
    Paths,
    Seed,
    WorkerCount,
    base_corpus,
    crew,
    refuse_several,
)
from unisono.cli.progress import progress_bar
from unisono.cli.reading import Reading, reads
from unisono.cli.tabled import print_tabled
from unisono.errors import DataError, OptionError

if TYPE_CHECKING:
    from unisono.comparison import Comparisons, ModelComparison


@reads
def compare(
    reading: Reading,
    paths: Paths,
    measures: Measures = None,
    group: Annotated[
        list[str] | None,
        typer.Option(
            "--group", help="A group of annotators, e.g. experts=anna,bert; give two or more to compare them."
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", help="The annotator that is a model; all others are humans.")
    ] = None,
    epsilon: Annotated[
        float | None,
        typer.Option(help="By how much a human may be better than the model: 0.2 for experts, 0.15, 0.1 for crowds."),
    ] = None,
    base: Base = None,
    seed: Seed = 42,
    workers: WorkerCount = None,
    dask: DaskAddress = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    as_latex: AsLatex = False,
) -> None:
    """Compare two studies of the same documents, groups of annotators, or a model with humans."""
    from unisono.measurement.registry import parse_measure

    refuse_several(json=as_json, csv=as_csv, latex=as_latex)
    if group and model is not None:
        raise OptionError("--group and --model exclude each other; choose one")
    if epsilon is not None and model is None:
        raise OptionError("--epsilon is for --model")
    groups = groups_of(group)
    chosen = measures or ([] if base is None else ["text-gamma"])
    takers = [parse_measure(name).declaration.takes_base for name in chosen]
    with crew(workers, dask) as hands:
        given = {"base": base_corpus(reading, base, takers), "rng": seed, "workers": hands}
        if model is not None:
            found: Comparisons | ModelComparison = _with_model(reading, paths, chosen, model, epsilon, given)
        else:
            found = _studies(reading, paths, chosen, groups, given)
            if found.undefined is not None:
                raise DataError(found.undefined)
    if as_json:
        print(json.dumps(found.to_dict(), ensure_ascii=False, allow_nan=False, indent=1))
    else:
        print_tabled(*found.tabled(), as_csv=as_csv, as_latex=as_latex)


def _studies(
    reading: Reading, paths: list[Path], measures: list[str], groups: dict[str, list[str]], given: dict[str, Any]
) -> Comparisons:
    from unisono.comparison import compare as compared
    from unisono.comparison import compare_groups

    if groups:
        data = reading.data(paths)
        with progress_bar("compare") as tell:
            return compare_groups(data, groups, measures, progress=tell, **given)
    if len(paths) != 2:
        raise OptionError("give two paths to compare, or one with --group or --model")
    _refuse_same(*paths)
    one, other = (reading.data([path]) for path in paths)
    with progress_bar("compare") as tell:
        return compared(one, other, measures, names=_names(*paths), progress=tell, **given)


def _with_model(
    reading: Reading,
    paths: list[Path],
    measures: list[str],
    model: str,
    epsilon: float | None,
    given: dict[str, Any],
) -> ModelComparison:
    from unisono.comparison import compare_model
    from unisono.comparison.model import EPSILON

    if len(measures) > 1:
        raise OptionError("with --model, name one measure")
    data, measure = reading.data(paths), measures[0] if measures else None
    epsilon = EPSILON if epsilon is None else epsilon
    with progress_bar("compare") as tell:
        return compare_model(data, model, measure, epsilon=epsilon, progress=tell, **given)


def _refuse_same(one: Path, other: Path) -> None:
    if one.resolve() == other.resolve():
        what = "folder" if other.is_dir() else "file"
        raise DataError(f"the {what} is named twice; it would count twice", path=other)


def _names(one: Path, other: Path) -> tuple[str, str]:
    """Call the two by the last part of their paths, if that tells them apart."""
    short = one.resolve().name, other.resolve().name
    return short if short[0] != short[1] else (str(one), str(other))
