"""How near draft gold standards come to the reference: all annotators count the same, or by competence."""

from __future__ import annotations

import numpy as np

import unisono
from unisono.adjudication import gold
from unisono.data import Corpus
from unisono.shuffling import generate, shuffle

N_CORPORA = 20
ALL = "position+category+false-negatives"
CASES = (
    ("position", (0.05, 0.4, 0.4)),
    ("category", (0.2, 0.7, 0.7)),
    (ALL, (0.1, 0.4, 0.4)),
    (ALL, (0.1, 0.1, 0.5, 0.5, 0.5)),
    (ALL, (0.2, 0.2, 0.2)),
    (f"{ALL}+false-positives", (0.05, 0.2, 0.3)),
    (f"{ALL}+false-positives", (0.2, 0.2, 0.2)),
)
MODELS = (None, "dawid-skene", "mace")


def main() -> None:
    """Print a table of the mean disorder between draft and reference."""
    print("| errors | magnitudes | all the same | dawid-skene | mace |\n|---|---|---|---|---|")
    for errors, magnitudes in CASES:
        found = np.array([_disorders(errors, magnitudes, seed) for seed in range(N_CORPORA)])
        cells = " | ".join(f"{mean:.3f}" for mean in found.mean(axis=0))
        print(f"| {errors} | {', '.join(map(str, magnitudes))} | {cells} |", flush=True)


def _disorders(errors: str, magnitudes: tuple[float, ...], seed: int) -> list[float]:
    categories = {"A": 4, "B": 3, "C": 2, "D": 1}
    reference = generate(n_units=30, n_documents=5, categories=categories, rng=seed)
    people = [
        _renamed(shuffle(reference, errors, magnitude, n_annotators=1, rng=seed * 100 + number), f"a{number}")
        for number, magnitude in enumerate(magnitudes)
    ]
    corpus = _together(people, reference)
    return [_disorder(reference, gold(corpus, competence=model).plain) for model in MODELS]


def _renamed(corpus: Corpus, name: str) -> list[tuple[str, str, unisono.Unit]]:
    return [(document.name, name, unit) for document in corpus for unit in document.units]


def _together(people: list[list[tuple[str, str, unisono.Unit]]], reference: Corpus) -> Corpus:
    rows = [row for one in people for row in one]
    return Corpus.from_columns(
        document=[name for name, _, _ in rows],
        annotator=[who for _, who, _ in rows],
        start=[unit.start for _, _, unit in rows],
        end=[unit.end for _, _, unit in rows],
        features={"category": [unit.category for _, _, unit in rows]},
        worked=[(name, f"a{number}") for name in reference.documents for number in range(len(people))],
        bounds={document.name: document.bounds for document in reference},
    )


def _disorder(reference: Corpus, draft: Corpus) -> float:
    """Give the observed disorder of a draft and the reference, over all documents."""
    both = _together([_renamed(reference, "a0"), _renamed(draft, "a1")], reference)
    alignments = unisono.align(both).values()
    return float(sum(it.solution.total for it in alignments) / sum(it.annotations.mean_units for it in alignments))


if __name__ == "__main__":
    main()
