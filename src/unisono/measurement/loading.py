"""Everything that a measure needs is loaded ahead, by a worker process, while the data is still being read."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from unisono.data import Corpus
from unisono.errors import UnisonoError
from unisono.kernels import any_on_disk, compile_kernels
from unisono.measurement.registry import parse_measure

_PEOPLE = ("anna", "bert", "cleo")


def load_measures(measures: Sequence[str]) -> None:
    """Load modules and machine code by measuring a few units; what is wrong with a measure is reported by others."""
    if any_on_disk():
        compile_kernels()
    corpus = Corpus.from_columns(
        annotator=[name for name in _PEOPLE for _ in range(2)],
        start=[0, 5, 0, 6, 1, 5],
        end=[4, 9, 4, 9, 4, 9],
        features={"category": ["a", "b", "a", "a", "b", "b"]},
        texts={("document", name): "Cats eat fish" for name in _PEOPLE},
    )
    for measure in measures:
        with suppress(UnisonoError):
            parse_measure(measure).compute(corpus, rng=0, workers=1)
