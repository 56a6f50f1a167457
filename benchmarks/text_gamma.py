"""Text-γ side by side with a plain Needleman–Wunsch, and how its alignment grows, in one run.

    python benchmarks/text_gamma.py [--output results.md]

Each job runs in a process of its own, warm; the best of some runs counts, memory is the peak of the process. The peer
is a full-matrix Needleman–Wunsch of the two texts' characters, compiled by numba, in the same process as text-γ. About
a minute.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from environment import RESULTS, run_job
from measured import answer
from text_gamma_evaluation import ERRORS, reference, with_copy

import unisono
from unisono.alignment.sequences import GapCosts
from unisono.alignment.texts import align_layers
from unisono.data.editions import editions
from unisono.dissimilarity.combined import WeightedFeature
from unisono.dissimilarity.text import TextDissimilarity
from unisono.kernels import compile_kernels
from unisono.shuffling import shuffle

TIMES_PLAIN = 10
TIMES_TENTH = 15
MOST_MEGABYTES = 1000
MOST_SECONDS = 10
LETTERS_A_TOKEN = 6.1
EVERY_TENTH = 0.2
"""The magnitude at which the text of a tenth of the tokens is changed."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", nargs="?", help="one job, in this process; without it all, each in its own")
    parser.add_argument("--output", type=Path, default=RESULTS / "text_gamma.md")
    arguments = parser.parse_args()
    if arguments.job is not None:
        JOBS[arguments.job]()
        return
    found = {job: run_job(sys.executable, "text_gamma.py", job) for job in JOBS}
    lines, missed = _judged(found)
    RESULTS.mkdir(exist_ok=True)
    arguments.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))
    if missed:
        raise SystemExit("missed: " + "; ".join(missed))


def _judged(found: dict[str, dict[str, float]]) -> tuple[list[str], list[str]]:
    """Make the table, and tell what is not as asked for."""
    paper, tenth, million, same = (found[job] for job in ("paper", "100,000", "1,000,000", "identical"))
    growth = million["seconds"] / tenth["seconds"]
    lines = ["| work | time | peak memory | ratio | asked for |", "|" + "---|" * 5]
    lines.append(
        f"| plain Needleman–Wunsch, {paper['n_characters']:,.0f} × {paper['n_others']:,.0f} characters "
        f"| {_seconds(paper['plain'])} | | | |"
    )
    for title, key in (("one thread", "seconds"), ("two threads", "threads")):
        ratio, wanted = paper[key] / paper["plain"], f"at most {TIMES_PLAIN} times"
        lines.append(
            f"| tγ of the same, 30 samples, {title} | {_seconds(paper[key])} | | {ratio:.1f} times | {wanted} |"
        )
    lines.append(_line("one alignment, 100,000 characters, 10% of the tokens edited", tenth))
    lines.append(
        _line("the same, 1,000,000 characters", million, f"{growth:.1f} times", f"at most {TIMES_TENTH} times, 1 GB")
    )
    lines.append(_line("one alignment, 2,000 against 1,000 identical tokens", same, "", "seconds"))
    lines.append(_line("one alignment, 200,000 characters each, unrelated", found["unrelated"]))
    for n in (3, 5):
        own = found[f"{n} annotators"]
        said = f"tγ of {n} annotators, 608 tokens, {own['samples']:.0f} samples (gap {own['gap']:.2%})"
        lines.append(_line(said, own))
    missed = [
        what
        for what, wrong in (
            ("tγ of the paper's size", paper["seconds"] > TIMES_PLAIN * paper["plain"]),
            ("growth", growth > TIMES_TENTH),
            ("memory", million["megabytes"] > MOST_MEGABYTES),
            ("identical tokens", same["seconds"] > MOST_SECONDS),
        )
        if wrong
    ]
    return lines, missed


def _line(title: str, own: dict[str, float], ratio: str = "", wanted: str = "") -> str:
    return f"| {title} | {_seconds(own['seconds'])} | {own['megabytes']:.0f} MB | {ratio} | {wanted} |"


def _seconds(seconds: float) -> str:
    return f"{seconds:.2g} s" if seconds >= 0.1 else f"{1000 * seconds:.2g} ms"


def paper_size() -> None:
    """Everything shuffled at magnitude 1, with the chance model that expects everything."""
    text = reference()
    corpus = with_copy(text, shuffle(text, ERRORS["c"], 1.0, n_annotators=1, rng=1))

    def ours(workers: int) -> None:
        result = unisono.text_gamma(corpus, base=text, p_text=0.25, p_segmentation=0.04, precision=0.9, workers=workers)
        if result.n_samples != 30:
            raise SystemExit(f"{result.n_samples} samples")

    plain = compiled(needleman_wunsch)
    first, second = (edition.text.astype(np.int32) for edition in editions(corpus, ["pos"]).of_document[0])
    theirs = timed(lambda: plain(first, second), times=20)
    answer(
        timed(lambda: ours(1), times=20),
        threads=timed(lambda: ours(2), times=20),
        plain=theirs,
        n_characters=len(first),
        n_others=len(second),
    )


def needleman_wunsch(first, second):
    """Fill the whole matrix: a match scores 1, a mismatch and a gap -1."""
    score = np.empty((len(first) + 1, len(second) + 1), np.int32)
    for j in range(len(second) + 1):
        score[0, j] = -j
    for i in range(1, len(first) + 1):
        score[i, 0] = -i
        for j in range(1, len(second) + 1):
            best = score[i - 1, j - 1] + (1 if first[i - 1] == second[j - 1] else -1)
            best = max(best, score[i - 1, j] - 1)
            score[i, j] = max(best, score[i, j - 1] - 1)
    return score


def compiled(function):
    import numba

    return numba.njit(function)


def edited(n_characters: int) -> None:
    """Align a text with itself after an edit of every tenth token."""
    text = _long(n_characters, seed=1)
    _align(text, shuffle(text, "text", EVERY_TENTH, n_annotators=1, rng=2), times=3)


def identical() -> None:
    """Align texts that repeat one token with one tag."""
    _align(_repeated(2000), _repeated(1000), times=2)


def unrelated() -> None:
    """Align two texts that have nothing in common but their letters."""
    _align(_long(200_000, seed=1), _long(200_000, seed=2), times=1)


def several(n_annotators: int) -> None:
    """Measure annotators who each shuffled everything at magnitude 0.5."""
    text = reference()
    corpus = shuffle(text, ERRORS["c"], 0.5, n_annotators=n_annotators, rng=1)
    results = []
    seconds = timed(
        lambda: results.append(unisono.text_gamma(corpus, base=text, p_text=0.25, p_segmentation=0.04, precision=0.9)),
        times=3,
    )
    answer(seconds, samples=results[-1].n_samples, gap=results[-1].optimality_gap, value=results[-1].value)


def _long(n_characters: int, seed: int) -> unisono.Corpus:
    return reference(seed, n_characters, int(n_characters / LETTERS_A_TOKEN), n_words=n_characters // 50)


def _repeated(n_tokens: int, token: str = "und") -> unisono.Corpus:
    start = np.arange(n_tokens) * (len(token) + 1)
    return unisono.Corpus.from_columns(
        document=["text"] * n_tokens,
        annotator=["reference"] * n_tokens,
        start=start,
        end=start + len(token),
        features={"pos": ["CCONJ"] * n_tokens},
        texts={("text", "reference"): " ".join([token] * n_tokens)},
    )


def _align(first: unisono.Corpus, second: unisono.Corpus, times: int) -> None:
    _aligner(with_copy(reference(), reference()))()
    answer(timed(_aligner(with_copy(first, second)), times))


def _aligner(corpus: unisono.Corpus) -> Callable[[], object]:
    """Make everything ready for one alignment of the text, and nothing else."""
    made = editions(corpus, ["pos"])
    bound = TextDissimilarity((WeightedFeature("pos"),)).bind(made.kinds, made.labels, made.alphabet)
    return lambda: align_layers(made.stacked, made.sizes, bound, GapCosts())


def timed(work, times: int) -> float:
    """Give the best time of several runs, after one for warming up where there are many."""
    if times > 1:
        work()
    best = float("inf")
    for _ in range(times):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best


JOBS = {
    "paper": paper_size,
    "100,000": lambda: edited(100_000),
    "1,000,000": lambda: edited(1_000_000),
    "identical": identical,
    "unrelated": unrelated,
    "3 annotators": lambda: several(3),
    "5 annotators": lambda: several(5),
}

if __name__ == "__main__":
    compile_kernels()
    main()
