"""`unisono plan`: how many documents an interval of a given width needs."""

from __future__ import annotations

from typing import Annotated, Any

from unisono.cli.help import COMPARING, MEASURING
from unisono.cli.measuring import base_corpus, measures_to_take, parsed_measures
from unisono.cli.options import Base, Humans, OneMeasure, Paths, TimedCrew, with_groups
from unisono.cli.printing import Printing
from unisono.cli.progress import progress_bar
from unisono.cli.reading import Reading
from unisono.cli.spelling import naming
from unisono.cli.values import names_in


@with_groups
def plan(
    paths: Paths,
    reading: Reading,
    crew: TimedCrew,
    printing: Printing,
    width: Annotated[float, MEASURING("WIDTH", "The desired width of the interval, e.g. 0.1.")],
    measure: OneMeasure = None,
    probability: Annotated[float, MEASURING("P", "How likely the interval should be that narrow.")] = 0.8,
    model: Annotated[
        str | None,
        COMPARING("NAME", "An annotator that is a model: plan how many items people should label for prevalence."),
    ] = None,
    humans: Humans = None,
    base: Base = None,
) -> None:
    """Estimate how many documents you need for a narrow interval.

    The estimate is based on a pilot, a small annotation of the same kind. For ratings, it is the number of items.

    Examples
    --------
    unisono plan ratings.csv --width 0.2
    unisono plan labels.csv --width 0.05 --model gpt
    """
    crew.start_early(paths, measure)
    from unisono.comparison import plan as planned

    printing.check()
    if model is not None or humans is not None:
        people = None if humans is None else names_in(humans)
        given: dict[str, Any] = {
            "probability": probability,
            "model": model,
            "humans": people,
            "base": base,
            "rng": crew.seed,
        }
        data = reading.data(paths, crew.workers)
        with naming(model="--model"):
            printing.print(planned(data, width, measure, **given))
        return
    named = crew.limited(parsed_measures([measure] if measure else ()))
    data = reading.data(paths, crew.workers)
    (chosen,) = crew.limited(measures_to_take(named, data, base))
    started = base_corpus(reading, base, [chosen])
    with crew.hands() as workers, progress_bar("plan") as tell:
        found = planned(
            data,
            width,
            str(chosen),
            probability=probability,
            base=started,
            rng=crew.seed,
            workers=workers,
            progress=tell,
        )
    printing.print(found)
