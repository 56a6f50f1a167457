"""The evaluation of text-γ by corpus shuffling (Barteld et al. 2016, §7 and figure 2), on a text of the paper's size.

    python benchmarks/text_gamma_evaluation.py [--repetitions 10] [--step 0.05] [-o docs/figures/…svg]

A reference of 3,706 characters and 608 tokens with part-of-speech tags is made up. A second annotator is made from it
by random changes of a given magnitude: (a) of labels, (b) of labels and segmentation, (c) of labels, segmentation and
text. Text-γ of the two is measured with three chance models, which expect changes of labels only, of labels and
segmentation, and of all three; beside it what the paper compares it with, α in (a), α_U and γ in (b). The table is
printed, the figure is written. About two minutes on two cores.
"""

from __future__ import annotations

import argparse
import statistics
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import product
from pathlib import Path

import numpy as np

import unisono
from unisono.chance.edits import Edits
from unisono.data.editions import Alphabet, Edition, Layer

FIGURE = Path(__file__).resolve().parents[1] / "docs" / "figures" / "text-gamma-evaluation.svg"
SEED = 2016
N_CHARACTERS, N_TOKENS = 3706, 608
LETTERS = "eeeeennnnniiiissrrrraattttddhhuullccggmmoobwfkzpvjy"
ALPHABET = Alphabet(tuple(sorted({" ", *LETTERS})))
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

SETTINGS = {"a": ("labels",), "b": ("labels", "segmentation"), "c": ("labels", "segmentation", "text")}
TITLES = {"a": "(a) labels shuffled", "b": "(b) labels and segmentation", "c": "(c) labels, segmentation and text"}
SHARES = {"text": 0.5, "segmentation": 0.1, "labels": 1.0}
"""m_t, m_s and m_l at magnitude 1."""
EXPECTED = {"Cat": (0.0, 0.0), "Cat + Seg": (0.0, 0.04), "Cat + Seg + Text": (0.25, 0.04)}
"""p_text and p_segmentation of the three chance models."""


@dataclass(frozen=True)
class Reference:
    """The text that is shuffled."""

    edition: Edition

    @property
    def edits(self) -> Edits:
        """How chance would change it."""
        symbols = np.bincount(self.edition.text, minlength=len(ALPHABET.symbols)) * ~ALPHABET.white
        labels = np.concatenate([[0], np.bincount(self.edition.layers[0].codes[0], minlength=len(TAGS))])
        return Edits(
            bases=(self.edition,),
            n_annotators=2,
            p_text=0.0,
            p_segmentation=(0.0,),
            p_further=0.0,
            symbols=symbols.astype(float),
            labels=((labels.astype(float),),),
            white=ALPHABET.white,
            edited=(0,),
            gaps=False,
        )

    @property
    def base(self) -> unisono.Corpus:
        """The pre-annotation: the reference itself."""
        return corpus_of(base=self.edition)


def corpus_of(**editions: Edition) -> unisono.Corpus:
    """Make a corpus of one text in these annotators' editions."""
    layers = [edition.layers[0] for edition in editions.values()]
    sizes = [layer.n_units for layer in layers]
    return unisono.Corpus.from_columns(
        annotator=np.repeat(list(editions), sizes).tolist(),
        document=["text"] * sum(sizes),
        start=np.concatenate([layer.start for layer in layers]),
        end=np.concatenate([layer.end for layer in layers]),
        features={"pos": [TAGS[code] for layer in layers for code in layer.codes[0].tolist()]},
        texts={("text", name): ALPHABET.spelled(edition.text) for name, edition in editions.items()},
    )


def reference(
    seed: int = SEED, n_characters: int = N_CHARACTERS, n_tokens: int = N_TOKENS, n_words: int = N_TOKENS // 2
) -> Reference:
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
    code = {symbol: number for number, symbol in enumerate(ALPHABET.symbols)}
    text = np.array([code[symbol] for symbol in " ".join(tokens)])
    lengths = np.array([len(token) for token in tokens])
    start = np.concatenate([[0], np.cumsum(lengths + 1)[:-1]])
    return Reference(Edition(text, (Layer(start, start + lengths, tags[None, :]),)))


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


def shuffled(reference: Reference, kinds: tuple[str, ...], magnitude: float, rng: np.random.Generator) -> Edition:
    """Change a share of the reference's units in each of these ways: text, then segmentation, then labels."""
    edition, edits, n = reference.edition, reference.edits, reference.edition.n_units
    if "text" in kinds:
        edition = edits.edit_text(edition, round(SHARES["text"] * magnitude * n), rng)
    before = edition.layers[0]
    if "segmentation" in kinds:
        edition = edits.segment(edition, [round(SHARES["segmentation"] * magnitude * n)], rng)
    layer = edition.layers[0]
    # a part of a unit has the unit's label, and a merger that of its first unit
    codes = before.codes[:, np.searchsorted(before.start, layer.start, side="right") - 1]
    chosen = rng.choice(layer.n_units, round(SHARES["labels"] * magnitude * layer.n_units), replace=False)
    codes[:, chosen] = edits.draw_labels(len(chosen), 0, rng)
    return Edition(edition.text, (Layer(layer.start, layer.end, codes),))


def measured(reference: Reference, setting: str, magnitude: float, repetition: int) -> dict[str, float]:
    """Shuffle the reference once; give text-γ by each chance model, and what the paper compares it with."""
    key = (SEED, ord(setting), round(1000 * magnitude), repetition)
    made = shuffled(reference, SETTINGS[setting], magnitude, np.random.default_rng(key))
    corpus = corpus_of(reference=reference.edition, shuffled=made)
    found = {
        name: unisono.text_gamma(corpus, base=reference.base, p_text=text, p_segmentation=cuts, rng=repetition).value
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


@dataclass(frozen=True)
class Point:
    """The mean of some repetitions, and its standard error."""

    mean: float
    error: float


def curves(cells: dict[tuple[str, float], list[dict[str, float]]]) -> dict[str, dict[str, dict[float, Point]]]:
    """Give mean and standard error by setting, measure and magnitude."""
    found: dict[str, dict[str, dict[float, Point]]] = {}
    for (setting, magnitude), values in cells.items():
        for name in values[0]:
            own = [value[name] for value in values if name in value]
            error = statistics.stdev(own) / len(own) ** 0.5 if len(own) > 1 else 0.0
            found.setdefault(setting, {}).setdefault(name, {})[magnitude] = Point(statistics.fmean(own), error)
    return found


def _work(job: tuple[str, float, int], reference: Reference) -> dict[str, float]:
    return measured(reference, *job)


def table(made: dict[str, dict[str, dict[float, Point]]]) -> str:
    """Write the curves as a table, one row a magnitude."""
    lines = []
    for setting, own in made.items():
        lines += [TITLES[setting], "  m     " + "".join(f"{name:>20}" for name in own)]
        for magnitude in own["Cat"]:
            points = [own[name].get(magnitude) for name in own]
            cells = ["" if point is None else f"{point.mean:.3f} ± {point.error:.3f}" for point in points]
            lines.append(f"  {magnitude:.2f}  " + "".join(f"{cell:>20}" for cell in cells))
    return "\n".join(lines)


PANEL, HEIGHT, LEFT, TOP, LABELS = 200, 300, 50, 40, 126
LOW, HIGH = -1.1, 1.0
STYLE = """
svg{--paper:#fff;--ink:#1f2933;--soft:#5b6673;--line:#dde2e8;--c0:#b02a0b;--c1:#0b62b0;--c2:#0f7a43;--c3:#5b6673}
@media (prefers-color-scheme:dark){
svg{--paper:#14181d;--ink:#e6eaef;--soft:#a3adb9;--line:#323a44;--c0:#ff9a66;--c1:#7cb8ff;--c2:#6fd39b;--c3:#a3adb9}}
.paper{fill:var(--paper)} text{fill:var(--ink);font:13px system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}
.title{font-weight:600} .tick{fill:var(--soft);font-size:12px} .grid{stroke:var(--line)} .zero{stroke:var(--soft)}
polyline,path{fill:none} .curve{stroke-width:1.75} .other{stroke-width:1.5;stroke-dasharray:2 3}
""" + "".join(f".c{k}{{stroke:var(--c{k})}} text.c{k}{{fill:var(--c{k});stroke:none}} " for k in range(4))


def figure(made: dict[str, dict[str, dict[float, Point]]], note: str) -> str:
    """Draw the curves: one panel a setting, one line a measure, bars of one standard error to either side."""
    width = LEFT + 3 * (PANEL + LABELS)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {TOP + HEIGHT + 50}" '
        f'width="{width}" height="{TOP + HEIGHT + 50}">',
        "<title>Text-γ of a text and its shuffled copy, by the magnitude of shuffling</title>",
        f"<desc>{escape(note)}</desc><style>{STYLE}</style>",
        '<rect class="paper" width="100%" height="100%"/>',
    ]
    for place, (setting, own) in enumerate(made.items()):
        parts += _panel(LEFT + place * (PANEL + LABELS), setting, own, first=place == 0)
    return "\n".join([*parts, "</svg>", ""])


def _panel(left: float, setting: str, own: dict[str, dict[float, Point]], *, first: bool) -> list[str]:
    parts = [f'<text class="title" x="{left}" y="{TOP - 16}">{TITLES[setting]}</text>', *_axes(left, numbers=first)]
    heights = {}
    for name, points in own.items():
        parts += _curve(left, name, points)
        heights[name] = _y(list(points.values())[-1].mean)
    for name, height in _apart(heights).items():
        where = f'x="{left + PANEL + 6}" y="{height:.1f}"'
        parts.append(f'<text class="{_color(name)}" {where} dy="4">{_indexed(name)}</text>')
    return parts


def _axes(left: float, *, numbers: bool) -> list[str]:
    bottom = TOP + HEIGHT
    parts = [f'<text x="{left + PANEL / 2}" y="{bottom + 38}" text-anchor="middle">magnitude m</text>']
    for magnitude in (0, 0.25, 0.5, 0.75, 1):
        x = left + PANEL * magnitude
        parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{TOP}" y2="{bottom}"/>')
        parts.append(f'<text class="tick" x="{x}" y="{bottom + 17}" text-anchor="middle">{magnitude:g}</text>')
    for value in np.arange(-1, 1.1, 0.25).tolist():
        y = f"{_y(value):.1f}"
        line = "grid" if value else "zero"
        parts.append(f'<line class="{line}" x1="{left}" x2="{left + PANEL}" y1="{y}" y2="{y}"/>')
        if numbers:
            said = f"{value:.2f}".replace("-", "−")
            parts.append(f'<text class="tick" x="{left - 6}" y="{y}" dy="4" text-anchor="end">{said}</text>')
    return parts + ([f'<text x="{left - 40}" y="{TOP - 16}">tγ</text>'] if numbers else [])


def _curve(left: float, name: str, points: dict[float, Point]) -> list[str]:
    places = [f"{left + PANEL * magnitude:.1f},{_y(point.mean):.1f}" for magnitude, point in points.items()]
    kind = "curve" if name in EXPECTED else "other"
    parts = [f'<polyline class="{kind} {_color(name)}" points="{" ".join(places)}"/>']
    for magnitude, point in points.items():
        if point.error and name in EXPECTED:
            x, low, high = left + PANEL * magnitude, _y(point.mean - point.error), _y(point.mean + point.error)
            parts.append(f'<path class="{_color(name)}" d="M{x - 2:.1f} {low:.1f}h4m-2 0V{high:.1f}m-2 0h4"/>')
    return parts


def _y(value: float) -> float:
    return TOP + HEIGHT * (HIGH - value) / (HIGH - LOW)


def _color(name: str) -> str:
    return f"c{list(EXPECTED).index(name) if name in EXPECTED else len(EXPECTED)}"


def _indexed(name: str) -> str:
    """Write what follows an underscore as an index."""
    word, _, index = name.partition("_")
    return word + (f'<tspan font-size="10" dy="3">{index}</tspan>' if index else "")


def _apart(heights: dict[str, float], room: float = 14.0) -> dict[str, float]:
    """Move labels apart that would lie on each other, as little as it takes."""
    placed: dict[str, float] = {}
    for name, height in sorted(heights.items(), key=lambda item: item[1]):
        last = max(placed.values(), default=-room)
        placed[name] = max(height, last + room)
    return placed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--step", type=float, default=0.05)
    parser.add_argument("-o", "--output", type=Path, default=FIGURE)
    arguments = parser.parse_args()
    text = reference()
    grid = list(product(SETTINGS, magnitudes(arguments.step)))
    jobs = [(*cell, repetition) for cell in grid for repetition in range(arguments.repetitions)]
    with ProcessPoolExecutor() as crew:
        found = list(crew.map(partial(_work, reference=text), jobs, chunksize=5))
    n = arguments.repetitions
    made = curves({cell: found[n * place : n * place + n] for place, cell in enumerate(grid)})
    note = (
        f"{N_CHARACTERS:,} characters, {N_TOKENS} tokens; means of {n} repetitions, bars of one standard error. "
        "Cat expects changes of labels only, Cat + Seg also p_segmentation = 0.04, Cat + Seg + Text also p_text = 0.25."
    )
    print(table(made))
    arguments.output.write_text(figure(made, note), encoding="utf-8")


if __name__ == "__main__":
    main()
