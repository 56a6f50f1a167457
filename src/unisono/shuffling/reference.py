"""References to shuffle: generated from a statistical model, or an annotator's own work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.chance.sampling import sample_generator
from unisono.checks import check_number, check_optional_text, check_seed, check_whole
from unisono.data import Corpus, Data, Normalizations, Ratings
from unisono.data.anchors import SOURCE, TARGET
from unisono.data.normalizations import REWRITTEN
from unisono.errors import DataError, OptionError, listed, mention
from unisono.formats.entry import DataLike, Rows, as_data

_Range: TypeAlias = float | tuple[float, float]
_LONGEST = 10**9
_MOST_UNITS = 10**7
_MOST_CATEGORIES = 10**6
_FARTHEST = 5
REFERENCE = "reference"
"""The name of the annotator of a reference."""


def generate(
    *,
    n_units: int = 60,
    n_items: int | None = None,
    n_relations: int | None = None,
    categories: int | Mapping[str, float] | Sequence[str] = 4,
    length: _Range | Mapping[str, _Range] = (5, 30),
    gap: _Range = (0, 30),
    overlap: float = 0.0,
    n_documents: int = 1,
    rng: int | np.random.Generator | None = 42,
) -> Corpus | Ratings:
    """Generate a reference from a statistical model.

    Parameters
    ----------
    n_units : int
        Units per document; together, documents have up to ten million.
    n_items : int, optional
        Generate labels of so many items per document instead, by their prevalence; only `categories` and `n_documents`
        matter then.
    n_relations : int, optional
        Generate so many relations per document instead, from one of the units to another one near it; categories are
        those of relations then.
    categories : int, mapping or sequence
        How many categories, all equally frequent, up to a million, or categories with their prevalence. With 0, units
        have none.
    length : number, (least, greatest), or mapping from category to that
        Lengths, whole numbers, all equally likely.
    gap : number or (least, greatest)
        What lies between a unit and the next, whole numbers; (0, 0) covers the continuum completely.
    overlap : float
        The share of units, from 0 to 1, that begin within the unit before them.
    n_documents : int
        How many documents.
    rng : int, Generator or None
        Seed.

    Returns
    -------
    Corpus or Ratings
        One annotator, named reference.

    See Also
    --------
    shuffle, benchmark

    Examples
    --------
    >>> import unisono
    >>> unisono.shuffling.generate(n_units=20, categories=3)
    Corpus(1 documents, 1 annotators, 20 units, features: category)
    >>> unisono.shuffling.generate(n_items=10, categories={"yes": 0.8, "no": 0.2})
    Ratings(10 items, 1 annotators, 2 labels)
    """
    if n_items is not None:
        return _generated_items(n_items, categories, n_documents, rng)
    size = check_whole(n_units, "n_units", low=1, high=_MOST_UNITS)
    count = check_whole(n_documents, "n_documents", low=1, high=_MOST_UNITS // size)
    share = check_number(overlap, "overlap", low=0, high=1)
    n_related = (
        None if n_relations is None else check_whole(n_relations, "n_relations", low=1, high=_MOST_UNITS // count)
    )
    if n_related is not None and size < 2:
        raise OptionError("relations need two units or more", "n_units")
    names, prevalence = _prevalences(categories)
    # a stream of its own, so that shuffle draws other numbers from the same seed
    random = rng if isinstance(rng, np.random.Generator) else sample_generator(check_seed(rng), "generate", 0)
    columns: dict[str, list[Any]] = {"document": [], "start": [], "end": []}
    labels: list[str] = []
    anchors: list[list[tuple[str, int, int]]] = []
    bounds = {}
    for number in range(count):
        document = f"document {number + 1}" if count > 1 else "document"
        chosen = random.choice(len(prevalence), size=size, p=prevalence)
        lengths = _lengths(length, names, chosen, random)
        start, last = _starts(lengths, _range(gap, "gap"), share, random)
        bounds[document] = (0.0, last)
        spans = np.stack([start, start + lengths], axis=1).astype(np.int64)
        if n_related is not None:
            anchors += _related(spans, n_related, random)
            chosen = random.choice(len(prevalence), size=n_related, p=prevalence)
        columns["document"] += [document] * len(chosen)
        columns["start"].append(spans[:, 0])
        columns["end"].append(spans[:, 1])
        labels += [names[code] for code in chosen] if names else []
    return Corpus.from_columns(
        document=columns["document"],
        annotator=[REFERENCE] * len(columns["document"]),
        start=np.concatenate(columns["start"]),
        end=np.concatenate(columns["end"]),
        anchors=anchors or None,
        features={"category": labels} if names else {},
        bounds=bounds,
        source="generated",
    )


def _related(spans: IntArray, n_relations: int, rng: np.random.Generator) -> list[list[tuple[str, int, int]]]:
    """Relate units to others that are at most `_FARTHEST` units away."""
    source = rng.integers(len(spans), size=n_relations)
    steps = rng.integers(1, min(_FARTHEST, len(spans) - 1) + 1, size=n_relations) * rng.choice(
        [-1, 1], size=n_relations
    )
    target = source + steps
    outside = (target < 0) | (target >= len(spans))
    target[outside] = source[outside] - steps[outside]
    target = np.clip(target, 0, len(spans) - 1)  # in short texts, where both directions lead outside
    target = np.where(target == source, (source + 1) % len(spans), target)
    ends = zip(spans[source].tolist(), spans[target].tolist(), strict=True)
    return [[(SOURCE, *one), (TARGET, *other)] for one, other in ends]


def _generated_items(n_items: int, categories: Any, n_documents: int, rng: int | np.random.Generator | None) -> Ratings:
    size = check_whole(n_items, "n_items", low=1, high=_MOST_UNITS)
    count = check_whole(n_documents, "n_documents", low=1, high=_MOST_UNITS // size)
    names, prevalence = _prevalences(categories)
    if not names:
        raise OptionError("labels of items need categories", "categories")
    random = rng if isinstance(rng, np.random.Generator) else sample_generator(check_seed(rng), "generate", 0)
    codes = random.choice(len(prevalence), size=size * count, p=prevalence)
    document = [f"document {number + 1}" for number in range(count) for _ in range(size)] if count > 1 else None
    labels = [names[code] for code in codes.tolist()]
    return Ratings.from_annotators({REFERENCE: labels}, document=document, source="generated")


def reference_of(corpus: DataLike, annotator: str | None = None, *, rows: Rows = None) -> Corpus | Ratings:
    """Return one annotator's work as the reference.

    Parameters
    ----------
    corpus : DataLike
        Documents and units, or labels of items; see `unisono.read`.
    annotator : str, optional
        Whose work; may be left out if there is only one annotator.
    rows : {"items", "annotators"}, optional
        What the rows of a bare table are.

    Returns
    -------
    Corpus or Ratings
        What that annotator did, and nothing else.

    See Also
    --------
    shuffle, generate

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> reference = unisono.shuffling.reference_of(corpus, "anna")
    >>> reference.n_units
    2
    """
    units = reference_kind(as_data(corpus, rows=rows, parameter="corpus"))
    name = check_optional_text(annotator, "annotator")
    if name is None:
        if len(units.annotators) != 1:
            raise OptionError.about(
                "annotator",
                f"there are several annotators, {listed(units.annotators)}; choose one as the reference with "
                f"{mention('annotator')}",
            )
        name = units.annotators[0]
    chosen = units.select(annotators=[name])
    if not chosen.n_units:
        raise DataError(f"{name!r} marked nothing, so there is nothing to shuffle")
    return replace(chosen, annotators=(REFERENCE,))


def reference_kind(data: Data) -> Corpus | Ratings:
    """Reject data that cannot be shuffled."""
    if isinstance(data, Normalizations):
        raise DataError(REWRITTEN)
    return data


def _starts(
    lengths: FloatArray, gap: tuple[float, float], overlap: float, rng: np.random.Generator
) -> tuple[FloatArray, float]:
    """Place units one after the other, and return their starts and the end of the continuum."""
    n_units = len(lengths)
    gaps = _uniform(gap, n_units, rng)
    start = np.zeros(n_units)
    for unit in range(1, n_units):
        before, size = start[unit - 1], lengths[unit - 1]
        inside = overlap > 0 and rng.random() < overlap and size > 1
        start[unit] = before + (1 + rng.integers(int(size) - 1) if inside else size + gaps[unit])
    start += gaps[0]
    return start, float((start + lengths).max() + _uniform(gap, 1, rng)[0])


def _prevalences(categories: Any) -> tuple[list[str], FloatArray]:
    if isinstance(categories, int | np.integer) and not isinstance(categories, bool):
        names = [_letter(number) for number in range(check_whole(categories, "categories", high=_MOST_CATEGORIES))]
        return names, np.full(max(len(names), 1), 1.0 / max(len(names), 1))
    if isinstance(categories, str) or not isinstance(categories, Mapping | Sequence):
        raise OptionError("expected a number, a list of categories, or categories with prevalences", "categories")
    if not all(isinstance(name, str | int | float | np.generic) for name in categories):
        raise OptionError("expected names of categories: texts or numbers", "categories")
    shares = dict(categories) if isinstance(categories, Mapping) else dict.fromkeys(categories, 1.0)
    values = np.array([check_number(share, "categories", low=0) for share in shares.values()])
    if not values.sum():
        raise OptionError("expected prevalences from 0 up, not all 0", "categories")
    return list(shares), values / values.sum()


def _letter(number: int) -> str:
    return chr(ord("A") + number) if number < 26 else f"C{number + 1}"


def _lengths(length: Any, names: Sequence[str], chosen: IntArray, rng: np.random.Generator) -> FloatArray:
    if not isinstance(length, Mapping):
        return np.maximum(_uniform(_range(length, "length"), len(chosen), rng), 1.0)
    if not names:
        raise OptionError("lengths by category need categories", "length")
    missing = [name for name in names if name not in length]
    if missing:
        raise OptionError(f"there is no length for the category {missing[0]!r}", "length")
    made = np.ones(len(chosen))
    for code, name in enumerate(names):
        own = chosen == code
        made[own] = np.maximum(_uniform(_range(length[name], "length"), int(own.sum()), rng), 1.0)
    return made


def _range(given: Any, parameter: str) -> tuple[float, float]:
    pair = given if isinstance(given, Sequence) and not isinstance(given, str) else (given, given)
    if len(pair) != 2:
        raise OptionError(f"expected a whole number or two, the least first, not {given!r}", parameter)
    low, high = (check_number(limit, parameter, low=0, high=_LONGEST) for limit in pair)
    if low > high or not (low.is_integer() and high.is_integer()):
        raise OptionError(f"expected whole numbers, the least first, not {low:g} and {high:g}", parameter)
    return low, high


def _uniform(limits: tuple[float, float], size: int, rng: np.random.Generator) -> FloatArray:
    return rng.integers(int(limits[0]), int(limits[1]) + 1, size=size).astype(np.float64)
