"""`unisono shuffle`: simulated annotators who make known errors."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from unisono.cli.help import OUTPUT, SIMULATING
from unisono.cli.options import SEED, Force, Seed, with_groups
from unisono.cli.reading import Reading
from unisono.cli.simulating import SIMULATED, Errors, Reference, Simulating, inputs_of, reference_corpus
from unisono.cli.spelling import naming


@with_groups
def shuffle(
    reference: Reference,
    simulating: Simulating,
    reading: Reading,
    error: Errors,
    magnitude: Annotated[float, SIMULATING("M", "How strong the errors are, from 0 (none) to 1.")],
    output: Annotated[
        Path, OUTPUT("FILE", "The file to write: .jsonl (keeps everything), .csv, .tsv or .parquet.", "--output", "-o")
    ],
    seed: Seed = SEED,
    force: Force = False,
) -> None:
    """Simulate annotators who make known errors.

    The errors have a known kind and magnitude. They are added to a reference: one annotator's
    units, or generated ones.

    Examples
    --------
    unisono shuffle reference.csv --error splits --magnitude 0.5 -o new.jsonl
    unisono shuffle "generate(n_items=9)" --error missing --magnitude 0.2 -o a.csv
    """
    from unisono.data import Corpus
    from unisono.formats.writing import refuse_target, write
    from unisono.shuffling import shuffle as shuffled

    with naming(format="--to"):
        refuse_target(output, overwrite=force, inputs=inputs_of(reading, reference))
    corpus = reference_corpus(reading, reference, seed)
    with naming(**SIMULATED):
        made = shuffled(corpus, error, magnitude, **simulating.arguments(), rng=seed)
    what = "units" if isinstance(made, Corpus) else "labels"
    summary = f"{output}: {made.n_units:,} {what} of {simulating.n_annotators} annotators"
    for sentence in [*write(made, output, overwrite=force), summary]:
        print(sentence, file=sys.stderr)
