"""`unisono report`: the page to open after every round."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from unisono.cli.help import COMPARING, MEASURING, OUTPUT
from unisono.cli.measuring import FEW, base_corpus, failure, ladder_of, measures_to_take, parsed_measures
from unisono.cli.options import Base, Force, HideText, Humans, Ladder, Measures, Paths, TimedCrew, with_groups
from unisono.cli.progress import progress_bar
from unisono.cli.reading import Reading
from unisono.cli.spelling import naming, told
from unisono.cli.values import names_in
from unisono.errors import DataError, OptionError

if TYPE_CHECKING:
    from unisono.data import Data
    from unisono.measurement.completing import Measured
    from unisono.measurement.registry import Measure


@with_groups
def report(
    paths: Paths,
    reading: Reading,
    crew: TimedCrew,
    output: Annotated[Path, OUTPUT("FILE", "The HTML page to write.", "--output", "-o")],
    measures: Measures = None,
    base: Base = None,
    model: Annotated[
        list[str] | None,
        COMPARING("NAME", "An annotator that is a model; can be repeated. Adds a section on models and people."),
    ] = None,
    humans: Humans = None,
    subsets: Annotated[
        bool | None,
        MEASURING(
            "",
            f"Show the value of every pair and without each annotator; by default up to {FEW}.",
            "--subsets/--no-subsets",
        ),
    ] = None,
    alignment: Annotated[
        bool,
        MEASURING(
            "", "Align the units for display, even if no measure does; on by default.", "--alignment/--no-alignment"
        ),
    ] = True,
    ladder: Ladder = False,
    hide_text: HideText = False,
    force: Force = False,
) -> None:
    """Write an HTML page with values, tables and the alignment.

    The page needs no network and can be sent to others; --hide-text leaves out the texts.

    Examples
    --------
    unisono report annotations.csv -o report.html
    unisono report annotations.csv -m span-f1 --model gpt --hide-text -o page.html
    """
    crew.start_early(paths, measures)
    from unisono.measurement.completing import missing_alignments
    from unisono.output import refuse
    from unisono.reporting.full_report.full_page import report_page
    from unisono.reporting.pieces import refuse_page_name, write_page

    refuse_page_name(output)
    if humans is not None and not model:
        raise OptionError("--humans needs --model")
    named = crew.limited(parsed_measures(measures))
    refuse(output, overwrite=force, inputs=reading.inputs(paths, base))
    data = reading.data(paths, crew.workers)
    chosen = crew.limited(measures_to_take(named, data, base))
    given = {"base": base_corpus(reading, base, chosen), "seed": crew.seed}
    with crew.hands() as workers:
        found = [_measured(one, data, subsets, ladder, {**given, "workers": workers}) for one in chosen]
        if all(one.result is None for one in found):
            raise DataError("; ".join(failure(one.measure, one.failed) for one in found))
        with progress_bar("align") as tell:
            aligned = missing_alignments(data, found, workers=workers, progress=tell) if alignment else None
        compared = _compared(data, model, humans, str(chosen[0]), {**given, "workers": workers}) if model else None
    title = "Agreement" if hide_text else _title(paths)
    page = report_page(found, data, title=title, alignments=aligned, hide_text=hide_text, models=compared)
    write_page(page, output, overwrite=force)
    for one in found:
        if one.result is None:
            print(f"not measured: {failure(one.measure, one.failed)}", file=sys.stderr)
    print(f"{output}: open it in a browser", file=sys.stderr)


def _measured(one: Measure, data: Data, subsets: bool | None, ladder: bool, given: dict[str, Any]) -> Measured:
    """Compute a measure, and what the page shows besides its value; or return why it cannot be computed."""
    from unisono.measurement.completing import Measured, with_subsets

    try:
        with progress_bar(str(one)) as tell:
            result = one.compute(data, base=given["base"], rng=given["seed"], workers=given["workers"], progress=tell)
            found = with_subsets(str(one), result, subsets, workers=given["workers"], progress=tell)
    except DataError as error:
        return Measured(str(one), failed=told(error))
    if result.undefined and (reason := one.unfit(data)) is not None:
        return Measured(str(one), failed=reason)
    if not ladder:
        return found
    with progress_bar("ladder") as tell:
        return replace(found, ladder=ladder_of(data, one, result.agreement, **given, progress=tell))


def _compared(data: Data, models: list[str], humans: str | None, measure: str, given: dict[str, Any]) -> Any:
    """Compare models with people, by the page's first measure."""
    from unisono.comparison import compare_models

    people = None if humans is None else names_in(humans)
    with progress_bar("models") as tell, naming(models="--model"):
        return compare_models(
            data,
            models,
            people,
            measure,
            base=given["base"],
            rng=given["seed"],
            workers=given["workers"],
            progress=tell,
        )


def _title(paths: list[Path]) -> str:
    """Name the page after what was read."""
    names = [path.resolve().name or str(path) for path in paths]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"Agreement: {', '.join(names[:3])}{more}"
