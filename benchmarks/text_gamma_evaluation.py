"""The evaluation of text-γ by corpus shuffling (Barteld et al. 2016, §7 and figure 2), on a text of the paper's size.

    python benchmarks/text_gamma_evaluation.py [--repetitions 10] [--step 0.05] [-o docs/figures/…svg]

A reference of 3,706 characters and 608 tokens with part-of-speech tags is made up. A second annotator is made from it
by the errors of `unisono shuffle`, at growing magnitude: (a) label, (b) segmentation+label, (c)
text+segmentation+label. Text-γ of the two is measured with three chance models, which expect changes of labels only, of
labels and segmentation, and of all three; beside it what the paper compares it with, α in (a), α_U and γ in (b). The
table is printed, the figure is written. About two minutes on two cores.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np

import unisono
from unisono.reporting.curves import curves_svg
from unisono.shuffling import Curve, Curves, shuffle

FIGURE = Path(__file__).resolve().parents[1] / "docs" / "figures" / "text-gamma-evaluation.svg"
SEED = 2016
N_CHARACTERS, N_TOKENS = 3706, 608
LETTERS = "eeeeennnnniiiissrrrraattttddhhuullccggmmoobwfkzpvjy"
TAG_WEIGHTS = {
    "NOUN": 200,
    "VERB": 130,
    "PRON": 130,
    "DET": 120,
    "ADP": 100,
    "ADV": 80,
    "ADJ": 60,
    "PUNCT": 50,
    "AUX": 40,
    "CCONJ": 30,
    "SCONJ": 20,
    "PROPN": 20,
    "NUM": 10,
    "PART": 7,
    "INTJ": 3,
}
TAGS = list(TAG_WEIGHTS)
USUAL = 0.9
"""So many tokens have the tag that their word has most often."""

ERRORS = {"a": "label", "b": "segmentation+label", "c": "text+segmentation+label"}
TITLES = {"a": "(a) labels shuffled", "b": "(b) labels and segmentation", "c": "(c) labels, segmentation and text"}
EXPECTED = {"Cat": (0.0, 0.0), "Cat + Seg": (0.0, 0.04), "Cat + Seg + Text": (0.25, 0.04)}
"""p_text and p_segmentation of the three chance models."""


def reference(
    seed: int = SEED, n_characters: int = N_CHARACTERS, n_tokens: int = N_TOKENS, n_words: int = N_TOKENS // 2
) -> unisono.Corpus:
    """Make up a text: few frequent short words, many rare longer ones, most of them always with the same tag."""
    rng = np.random.default_rng(seed)
    shares = 1 / (np.arange(n_words) + 2.7)
    letters = np.array(list(LETTERS))
    words = ["".join(rng.choice(letters, 1 + rng.poisson(3 + rank**0.25))) for rank in range(n_words)]
    drawn = rng.choice(n_words, n_tokens, p=shares / shares.sum())
    tag_shares = np.array(list(TAG_WEIGHTS.values())) / sum(TAG_WEIGHTS.values())
    tag_of = rng.choice(len(TAGS), n_words, p=tag_shares)
    tags = np.where(rng.random(n_tokens) < USUAL, tag_of[drawn], rng.choice(len(TAGS), n_tokens, p=tag_shares))
    tokens = _fitted([words[word] for word in drawn.tolist()], n_characters - (n_tokens - 1), rng)
    lengths = np.array([len(token) for token in tokens])
    start = np.concatenate([[0], np.cumsum(lengths + 1)[:-1]])
    return unisono.Corpus.from_columns(
        document=["text"] * n_tokens,
        annotator=["reference"] * n_tokens,
        start=start,
        end=start + lengths,
        features={"pos": [TAGS[tag] for tag in tags.tolist()]},
        texts={("text", "reference"): " ".join(tokens)},
    )


def _fitted(tokens: list[str], n_letters: int, rng: np.random.Generator) -> list[str]:
    """Lengthen or shorten tokens by a letter here and there until they have so many letters together."""
    tokens, missing = list(tokens), n_letters - sum(map(len, tokens))
    while missing:
        place = int(rng.integers(len(tokens)))
        if missing > 0:
            tokens[place] += LETTERS[rng.integers(len(LETTERS))]
            missing -= 1
        elif len(tokens[place]) > 4:
            tokens[place] = tokens[place][:-1]
            missing += 1
    return tokens


def with_copy(reference: unisono.Corpus, copy: unisono.Corpus) -> unisono.Corpus:
    """Put the reference and its shuffled copy together, as two annotators."""
    both = {"reference": reference, "shuffled": copy}
    return unisono.Corpus.from_columns(
        document=["text"] * (reference.n_units + copy.n_units),
        annotator=[name for name, own in both.items() for _ in range(own.n_units)],
        start=np.concatenate([own.start for own in both.values()]),
        end=np.concatenate([own.end for own in both.values()]),
        features={"pos": [tag for own in both.values() for tag in own.features["pos"].values()]},
        texts={("text", name): own.texts[0, 0] for name, own in both.items()},
    )


def measured(reference: unisono.Corpus, setting: str, magnitude: float, repetition: int) -> dict[str, float]:
    """Shuffle the reference once; give text-γ by each chance model, and what the paper compares it with."""
    key = (SEED, ord(setting), round(1000 * magnitude), repetition)
    copy = shuffle(reference, ERRORS[setting], magnitude, n_annotators=1, rng=np.random.default_rng(key))
    corpus = with_copy(reference, copy)
    found = {
        name: unisono.text_gamma(corpus, base=reference, p_text=text, p_segmentation=cuts, rng=repetition).value
        for name, (text, cuts) in EXPECTED.items()
    }
    if setting == "a":
        found["α"] = unisono.krippendorff_alpha(unisono.to_ratings(corpus)).value
    if setting == "b":
        found["α_U"] = unisono.alpha_u(corpus).value
        if repetition == 0 and round(magnitude * 100) % 25 == 0:  # as in the paper: once, and at few magnitudes
            found["γ"] = unisono.gamma(corpus, rng=repetition).value
    return {name: float(value) for name, value in found.items()}


def magnitudes(step: float) -> list[float]:
    """Give the magnitudes from 0 to 1."""
    return [float(magnitude) for magnitude in np.linspace(0, 1, round(1 / step) + 1)]


def curves(cells: dict[tuple[str, float], list[dict[str, float]]]) -> Curves:
    """Give a curve a setting and measure; where a measure was not taken it has no value."""
    made = []
    for setting in ERRORS:
        own = {magnitude: values for (where, magnitude), values in cells.items() if where == setting}
        for name in own[0.0][0]:
            values = tuple(tuple(value.get(name) for value in values) for values in own.values())
            made.append(Curve(TITLES[setting], name, tuple(own), values))
    return Curves(tuple(made))


def table(made: Curves) -> str:
    """Write the curves as a table, one row a magnitude."""
    lines = []
    for setting in made.errors:
        own = [curve for curve in made.curves if curve.errors == setting]
        lines += [setting, "  m     " + "".join(f"{curve.measure:>20}" for curve in own)]
        for place, magnitude in enumerate(own[0].magnitudes):
            points = [(curve.n[place], curve.mean[place], curve.standard_error[place]) for curve in own]
            cells = [f"{mean:.3f}" + (f" ± {error:.3f}" if n > 1 else "") if n else "" for n, mean, error in points]
            lines.append(f"  {magnitude:.2f}  " + "".join(f"{cell:>20}" for cell in cells))
    return "\n".join(lines)


def _work(job: tuple[str, float, int], reference: unisono.Corpus) -> dict[str, float]:
    return measured(reference, *job)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--step", type=float, default=0.05)
    parser.add_argument("-o", "--output", type=Path, default=FIGURE)
    arguments = parser.parse_args()
    text = reference()
    grid = list(product(ERRORS, magnitudes(arguments.step)))
    jobs = [(*cell, repetition) for cell in grid for repetition in range(arguments.repetitions)]
    with ProcessPoolExecutor() as crew:
        found = list(crew.map(partial(_work, reference=text), jobs, chunksize=5))
    n = arguments.repetitions
    made = curves({cell: found[n * place : n * place + n] for place, cell in enumerate(grid)})
    print(table(made))
    title = "Text-γ of a text and its shuffled copy, by the magnitude of shuffling"
    arguments.output.write_text(curves_svg(made, title=title), encoding="utf-8")


if __name__ == "__main__":
    main()
