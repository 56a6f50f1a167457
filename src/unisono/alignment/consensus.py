"""What most annotators marked, out of the alignment (Mathet et al. 2015, §7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import floor
from statistics import median
from typing import Any

from unisono.alignment.alignment import Alignment
from unisono.data import Corpus, Unit

CONSENSUS = "consensus"


def consensus(alignments: Mapping[str, Alignment]) -> Corpus:
    """Give one unit for each unitary alignment with units of more than half of the annotators.

    Parameters
    ----------
    alignments : mapping
        Document to its alignment.

    Returns
    -------
    Corpus
        With one annotator.
    """
    documents: list[str] = []
    made: list[Unit] = []
    for name, alignment in alignments.items():
        for row in alignment:
            units = [unit for unit in row.units.values() if unit is not None]
            if len(units) * 2 > len(row.units):
                documents.append(name)
                made.append(_middle(units))
    features = dict.fromkeys(name for unit in made for name in unit.features)
    return Corpus.from_columns(
        annotator=[CONSENSUS] * len(made),
        start=[unit.start for unit in made],
        end=[unit.end for unit in made],
        document=documents,
        features={name: [unit.features.get(name) for unit in made] for name in features},
        worked=[(name, CONSENSUS) for name in alignments],
        bounds={name: alignment.document.bounds for name, alignment in alignments.items()},
    )


def _middle(units: Sequence[Unit]) -> Unit:
    """Begin and end at the medians, at whole positions if the units do; have each feature's most frequent label."""
    start, end = median(unit.start for unit in units), median(unit.end for unit in units)
    if all(isinstance(unit.start, int) for unit in units):
        start, end = floor(start), floor(end)
    features = {name: _most(unit.features.get(name) for unit in units) for name in units[0].features}
    return Unit(CONSENSUS, start, end, features)


def _most(labels: Any) -> Any:
    """Give the most frequent label; of several as frequent, the first in the order of their names."""
    counts = Counter(label for label in labels if label is not None)
    return min(counts, key=lambda label: (-counts[label], str(label)), default=None)
