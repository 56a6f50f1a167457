"""References to shuffle: generated from a statistical model, or an annotator's own work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from unisono.arrays import FloatArray
from unisono.chance.sampling import stream
from unisono.data import Corpus
from unisono.errors import DataError, OptionError, listed

_LONGEST = 10**9
REFERENCE = "reference"
"""The name of the annotator of a reference."""


def generate(
    *,
    n_units: int = 60,
    categories: int | Mapping[str, float] | Sequence[str] = 4,
    length: float | tuple[float, float] | Mapping[str, tuple[float, float]] = (5, 30),
    gap: float | tuple[float, float] = (0, 30),
    overlap: float = 0.0,
    n_documents: int = 1,
    rng: int | np.random.Generator = 42,
) -> Corpus:
    """Generate a reference from a statistical model.

    Parameters
    ----------
    n_units : int
        Units a document.
    categories : int, mapping or sequence
        How many categories, all as frequent, or categories with their prevalence. 0: units have none.
    length : number, (least, greatest), or mapping from category to that
        Lengths, whole numbers, all equally likely.
    gap : number or (least, greatest)
        What lies between a unit and the next, whole numbers; (0, 0) covers the continuum completely.
    overlap : float
        The share of units, from 0 to 1, that begin within the unit before them.
    n_documents : int
        How many documents.
    rng : int or Generator
        Seed.

    Returns
    -------
    Corpus
        One annotator, named reference.
    """
    if n_units < 1 or n_documents < 1:
        raise OptionError("a reference needs a unit and a document at least")
    if not 0 <= overlap <= 1:
        raise OptionError(f"overlap must be from 0 to 1, not {overlap:g}")
    random = rng if isinstance(rng, np.random.Generator) else stream(rng, "generate", 0)  # not what shuffle draws
    names, prevalence = _prevalences(categories)
    document, starts, ends, labels, bounds = [], [], [], [], {}
    for number in range(n_documents):
        name = f"document {number + 1}" if n_documents > 1 else "document"
        chosen = random.choice(len(prevalence), size=n_units, p=prevalence)
        lengths = _lengths(length, names, chosen, random)
        gaps = _uniform(*_range(gap, "gap"), n_units, random)
        begin = np.zeros(n_units)
        for unit in range(1, n_units):
            before, size = begin[unit - 1], lengths[unit - 1]
            inside = overlap > 0 and random.random() < overlap and size > 1
            begin[unit] = before + (1 + random.integers(int(size) - 1) if inside else size + gaps[unit])
        begin += gaps[0]
        document += [name] * n_units
        starts.append(begin)
        ends.append(begin + lengths)
        labels += [names[code] for code in chosen] if names else []
        last = float(_uniform(*_range(gap, "gap"), 1, random)[0])
        bounds[name] = (0.0, float((begin + lengths).max() + last))
    return Corpus.from_columns(
        document=document,
        annotator=[REFERENCE] * len(document),
        start=np.concatenate(starts).astype(np.int64),
        end=np.concatenate(ends).astype(np.int64),
        features={"category": labels} if names else {},
        bounds=bounds,
        source="generated",
    )


def reference_of(corpus: Corpus, annotator: str | None = None) -> Corpus:
    """Take one annotator's work as the reference.

    Parameters
    ----------
    corpus : Corpus
        Documents and units.
    annotator : str, optional
        Whose; need not be said if there is only one.
    """
    if annotator is None:
        if len(corpus.annotators) != 1:
            raise OptionError(
                f"there are several annotators, {listed(corpus.annotators)}; say whose work is the reference "
                "(--annotator)"
            )
        annotator = corpus.annotators[0]
    chosen = corpus.select(annotators=[annotator])
    if not chosen.n_units:
        raise DataError(f"{annotator!r} marked nothing, so there is nothing to shuffle")
    return replace(chosen, annotators=(REFERENCE,))


def _prevalences(categories: int | Mapping[str, float] | Sequence[str]) -> tuple[list[str], FloatArray]:
    if isinstance(categories, int | np.integer):
        if categories < 0:
            raise OptionError(f"the number of categories must be from 0 up, not {categories}")
        names = [_letter(number) for number in range(int(categories))]
        return names, np.full(max(len(names), 1), 1.0 / max(len(names), 1))
    shares = dict(categories) if isinstance(categories, Mapping) else dict.fromkeys(categories, 1.0)
    values = np.array([float(share) for share in shares.values()])
    if not len(values) or not np.isfinite(values).all() or (values < 0).any() or not values.sum():
        raise OptionError("prevalences of categories must be numbers from 0 up, not all 0")
    return list(shares), values / values.sum()


def _letter(number: int) -> str:
    return chr(ord("A") + number) if number < 26 else f"C{number + 1}"


def _lengths(
    length: float | tuple[float, float] | Mapping[str, tuple[float, float]],
    names: Sequence[str],
    chosen: np.ndarray,
    rng: np.random.Generator,
) -> FloatArray:
    if isinstance(length, Mapping) and not names:
        raise OptionError("lengths by category need categories")
    if not isinstance(length, Mapping):
        return np.maximum(_uniform(*_range(length, "length"), len(chosen), rng), 1.0)
    missing = [name for name in names if name not in length]
    if missing:
        raise OptionError(f"no length is given for the category {missing[0]!r}")
    made = np.ones(len(chosen))
    for code, name in enumerate(names):
        own = chosen == code
        made[own] = np.maximum(_uniform(*_range(length[name], "length"), int(own.sum()), rng), 1.0)
    return made


def _range(given: float | tuple[float, float], what: str) -> tuple[float, float]:
    low, high = (given, given) if isinstance(given, int | float) else given
    if not 0 <= low <= high:
        raise OptionError(f"{what} must be two numbers from 0 up, the least first, not {low:g} and {high:g}")
    if high > _LONGEST:
        raise OptionError(f"{what} must be at most {_LONGEST:,}, not {high:g}")
    if not (float(low).is_integer() and float(high).is_integer()):
        raise OptionError(f"{what} must be of whole numbers, not {low:g} and {high:g}")
    return float(low), float(high)


def _uniform(low: float, high: float, size: int, rng: np.random.Generator) -> FloatArray:
    return rng.integers(int(low), int(high) + 1, size=size).astype(np.float64)
