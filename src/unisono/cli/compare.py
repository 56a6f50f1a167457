"""`unisono compare`: whether a difference is more than chance."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from unisono.cli.gating import Margin
from unisono.cli.help import COMPARING
from unisono.cli.measuring import base_corpus, parsed_measures
from unisono.cli.options import Base, Groups, Measures, Paths, SeededCrew, with_groups
from unisono.cli.printing import Printing
from unisono.cli.progress import progress_bar
from unisono.cli.reading import Reading
from unisono.cli.values import families_in, groups_in, names_in
from unisono.errors import DataError, OptionError

if TYPE_CHECKING:
    from unisono.comparison import Comparisons, ModelsComparison


@with_groups
def compare(
    paths: Paths,
    reading: Reading,
    margin: Margin,
    crew: SeededCrew,
    printing: Printing,
    measures: Measures = None,
    group: Groups = None,
    model: Annotated[
        list[str] | None,
        COMPARING(
            "NAME", "An annotator that is a model; can be repeated. Annotators called NAME#1, NAME#2 … are its runs."
        ),
    ] = None,
    humans: Annotated[
        str | None, COMPARING("NAMES", "The people, e.g. anna,bert; by default all who are not models.")
    ] = None,
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
    """Compare studies, groups of annotators, or models and people.

    Is the difference more than chance? Pass two studies of the same documents, or one path with --group or --model.
    With --model, groups are families of models (--group families: by their names).

    Examples
    --------
    unisono compare round1.csv round2.csv -m u-alpha
    unisono compare annotations.csv --model gpt -m span-f1
    """
    crew.start_early(paths, measures)
    from unisono import comparison

    printing.check()
    margin.check()
    for name, value in (("--epsilon", epsilon), ("--humans", humans)):
        if value is not None and not model:
            raise OptionError(f"{name} needs --model")
    families = families_in(group) if model else None
    groups = {} if model else groups_in(group)
    chosen = measures or ([] if base is None else ["text-gamma"])
    started = base_corpus(reading, base, parsed_measures(chosen))
    if model and len(chosen) > 1:
        raise OptionError("with --model, name one measure")
    two = not model and not groups
    if two:
        _check_two(paths)
    data = reading.data(paths[:1] if two else paths, crew.workers)
    other = reading.data(paths[1:], crew.workers) if two else None
    with crew.hands() as workers, progress_bar("compare") as tell:
        given: dict[str, Any] = {"base": started, "rng": crew.seed, "workers": workers, "progress": tell}
        found: Comparisons | ModelsComparison
        if model:
            given |= {} if epsilon is None else {"epsilon": epsilon}
            people = None if humans is None else names_in(humans)
            one = chosen[0] if chosen else None
            found = comparison.compare_models(data, model, people, one, families=families, **given)
        elif other is None:
            found = comparison.compare_groups(data, groups, chosen, **given)
        else:
            found = comparison.compare(data, other, chosen, names=_names(*paths), **given)
    if found.undefined is not None:
        raise DataError(found.undefined)
    printing.print(found)
    margin.judge(found if isinstance(found, comparison.Comparisons) else [one.comparison for one in found.models])


def _check_two(paths: list[Path]) -> None:
    if len(paths) != 2:
        raise OptionError("pass two paths to compare, or one with --group or --model")
    one, other = paths
    if one.resolve() == other.resolve():
        what = "folder" if other.is_dir() else "file"
        raise DataError(f"the {what} is listed twice; it would count twice", path=other)


def _names(one: Path, other: Path) -> tuple[str, str]:
    """Name the two studies by the last parts of their paths, if these differ."""
    short = one.resolve().name, other.resolve().name
    return short if short[0] != short[1] else (str(one), str(other))
