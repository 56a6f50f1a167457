"""`unisono compare`: whether a difference is more than chance."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from unisono.cli.help import COMPARING
from unisono.cli.measuring import base_corpus, parsed_measures
from unisono.cli.options import Base, Groups, Measures, Paths, SeededCrew, with_groups
from unisono.cli.printing import Printing, progress_bar
from unisono.cli.reading import Reading
from unisono.cli.values import groups_in
from unisono.errors import DataError, OptionError

if TYPE_CHECKING:
    from unisono.comparison import Comparisons, ModelComparison


@with_groups
def compare(
    paths: Paths,
    reading: Reading,
    crew: SeededCrew,
    printing: Printing,
    measures: Measures = None,
    group: Groups = None,
    model: Annotated[str | None, COMPARING("NAME", "The annotator that is a model; all others are humans.")] = None,
    epsilon: Annotated[
        float | None,
        COMPARING(
            "SHARE",
            "How much better than the model a human may be: 0.2 for experts, 0.15 for skilled annotators, "
            "0.1 for crowds.",
        ),
    ] = None,
    base: Base = None,
) -> None:
    """Compare two studies, groups of annotators, or a model and humans.

    Is the difference more than chance? Pass two studies of the same documents, or one path with --group or --model.

    Examples
    --------
    unisono compare round1.csv round2.csv -m u-alpha
    unisono compare annotations.csv --model gpt -m span-f1
    """
    printing.check()
    if group and model is not None:
        raise OptionError("--group and --model exclude each other; choose one")
    if epsilon is not None and model is None:
        raise OptionError("--epsilon needs --model")
    groups = groups_in(group)
    chosen = measures or ([] if base is None else ["text-gamma"])
    started = base_corpus(reading, base, parsed_measures(chosen))
    with crew.hands() as workers:
        given = {"base": started, "rng": crew.seed, "workers": workers}
        if model is not None:
            found: Comparisons | ModelComparison = _with_model(reading, paths, chosen, model, epsilon, given)
        else:
            found = _studies(reading, paths, chosen, groups, given)
            if found.undefined is not None:
                raise DataError(found.undefined)
    printing.print(found)


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
        raise OptionError("pass two paths to compare, or one with --group or --model")
    _check_different(*paths)
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


def _check_different(one: Path, other: Path) -> None:
    if one.resolve() == other.resolve():
        what = "folder" if other.is_dir() else "file"
        raise DataError(f"the {what} is listed twice; it would count twice", path=other)


def _names(one: Path, other: Path) -> tuple[str, str]:
    """Name the two studies by the last parts of their paths, if these differ."""
    short = one.resolve().name, other.resolve().name
    return short if short[0] != short[1] else (str(one), str(other))
