"""Everything that a measure needs is loaded ahead, by a worker process, while the data is still being read."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from unisono.data import Corpus
from unisono.errors import UnisonoError
from unisono.kernels import compile_kernels, kept_on_disk
from unisono.measurement.registry import Measure, parse_measure

_EFFORT = ("precision", "confidence", "time_limit")
_COARSE = "0.5"
_PEOPLE = ("anna", "bert", "cleo")


def load_measures(measures: Sequence[str]) -> None:
    """Load modules and machine code by measuring a few units; what is wrong with a measure is reported by others."""
    found: list[Measure] = []
    for measure in measures:
        with suppress(UnisonoError):
            found.append(_coarse(parse_measure(measure)))
    if not kept_on_disk():  # of the kernels that were loaded now: the command compiles, and this process would, too
        return
    compile_kernels()
    corpus = Corpus.from_columns(
        annotator=[name for name in _PEOPLE for _ in range(2)],
        start=[0, 5, 0, 6, 1, 5],
        end=[4, 9, 4, 9, 4, 9],
        features={"category": ["a", "b", "a", "a", "b", "b"]},
        texts={("document", name): "Cats eat fish" for name in _PEOPLE},
    )
    for one in found:
        with suppress(UnisonoError):
            one.compute(corpus, rng=0, workers=1)


def _coarse(measure: Measure) -> Measure:
    """Return a measure that takes no time: a user's own precision might take minutes, even here."""
    kept = {name: value for name, value in measure.given.items() if name not in _EFFORT}
    return replace(measure, given=kept).with_defaults(precision=_COARSE)
