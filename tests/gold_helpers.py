"""What tests of the gold standard share."""

from __future__ import annotations

import unisono
from unisono.data import Corpus
from unisono.shuffling import shuffle


def made(rows, **more):
    """Make a corpus of rows (annotator, start, end, category), all in one document."""
    who, start, end, label = zip(*rows, strict=True)
    return Corpus.from_columns(annotator=who, start=start, end=end, features={"category": label}, **more)


def units_of(corpus):
    """Give the units of one annotator: document, start, end, labels."""
    return [
        (document.name, unit.start, unit.end, *unit.features.values()) for document in corpus for unit in document.units
    ]


def crowd(reference, errors, magnitudes, seed=0):
    """Make annotators a0, a1 … of a reference, who err at magnitudes of their own."""
    rows, worked = [], []
    for number, magnitude in enumerate(magnitudes):
        who = f"a{number}"
        own = shuffle(reference, errors, magnitude, n_annotators=1, rng=seed * 100 + number)
        rows += [(document.name, who, unit) for document in own for unit in document.units]
        worked += [(name, who) for name in reference.documents]
    return Corpus.from_columns(
        document=[name for name, _, _ in rows],
        annotator=[who for _, who, _ in rows],
        start=[unit.start for _, _, unit in rows],
        end=[unit.end for _, _, unit in rows],
        features={name: [unit.features[name] for _, _, unit in rows] for name in reference.features},
        worked=worked,
        bounds={document.name: document.bounds for document in reference},
    )


def disorder(reference, draft):
    """Give the observed disorder of a draft and the reference, over all documents."""
    both = [(document.name, unit) for corpus in (reference, draft) for document in corpus for unit in document.units]
    corpus = Corpus.from_columns(
        document=[name for name, _ in both],
        annotator=[unit.annotator for _, unit in both],
        start=[unit.start for _, unit in both],
        end=[unit.end for _, unit in both],
        features={"category": [unit.category for _, unit in both]},
        worked=[(name, who) for name in reference.documents for who in (*reference.annotators, *draft.annotators)],
    )
    alignments = unisono.align(corpus).values()
    return sum(it.solution.total for it in alignments) / sum(it.annotations.mean_units for it in alignments)
