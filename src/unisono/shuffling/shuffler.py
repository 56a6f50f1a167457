"""Annotators simulated from a reference: each makes errors of the given kinds and magnitude, independently."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unisono.arrays import IntArray
from unisono.checks import check_flag, check_names, check_number, check_seed, check_whole
from unisono.data import Corpus, Ratings
from unisono.data.anchors import joined_anchors
from unisono.data.labels import Feature
from unisono.data.spans import Positions
from unisono.errors import OptionError, naming
from unisono.formats.entry import DataLike, Rows, as_data
from unisono.measurement.readers import written_distance
from unisono.measurement.spec import parse_spec
from unisono.results import spelled
from unisono.shuffling.errors import ERROR_KINDS, TEXT_ERROR_KINDS, Dose, ReferenceProfile
from unisono.shuffling.items import ItemErrors
from unisono.shuffling.kinds import error_kind, kinds_for
from unisono.shuffling.reference import reference_of
from unisono.shuffling.relations import RELATION_ERROR_KINDS
from unisono.shuffling.texts import TextErrors
from unisono.shuffling.units import UnitMarks, simulated_corpus

MOST_SIMULATED = 10_000


@dataclass(frozen=True)
class Errors:
    """Kinds of errors that are made together, as in ``position+category``; `str()` of it parses back to the same."""

    kinds: tuple[tuple[str, float | None], ...]  # names with the factor, if it is set

    def __str__(self) -> str:
        return "+".join(
            f"{name}" if factor is None else f"{name}(factor={spelled(factor)})" for name, factor in self.kinds
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The kinds' names."""
        return tuple(name for name, _ in self.kinds)


def parse_errors(text: str) -> Errors:
    """Read kinds of errors, e.g. ``position+category`` or ``false-positives(factor=3)``.

    They are made in the given order. Errors of texts are always made in the order text, segmentation, label, so that
    ``label+text`` is the same as ``text+label``.
    """
    kinds = [_parse_error(part) for part in re.split(r"\+(?![^(]*\))", text)]  # 1e+1 within brackets is a number
    names = [name for name, _ in kinds]
    order = list(TEXT_ERROR_KINDS)
    if len(set(names)) < len(names):
        raise OptionError(f"{text}: an error is named twice", "errors")
    if set(names) <= set(order):
        kinds.sort(key=lambda kind: order.index(kind[0]))
    elif set(names) & set(order):
        raise OptionError(f"{text}: errors of texts ({', '.join(order)}) and of positions cannot be combined", "errors")
    return Errors(tuple(kinds))


def _parse_error(text: str) -> tuple[str, float | None]:
    with naming("errors", said=True):
        name, given = parse_spec(text.strip(), "error", "position, position+category or false-positives(factor=3)")
    kind = error_kind(name)
    for key in given:
        if key != "factor" or kind.factor is None:
            known = "nothing to set" if kind.factor is None else "factor"
            raise OptionError(f"{kind.name} has no {key!r}; it has: {known}", "errors")
    if not given:
        return kind.name, None
    try:
        factor = float(str(given["factor"]))
    except ValueError:
        factor = -1.0
    if not (np.isfinite(factor) and factor >= 0):
        raise OptionError(f"{kind.name}: expected a number from 0 up, not factor={given['factor']}", "errors")
    return kind.name, factor


def shuffle(
    reference: DataLike,
    errors: str | Errors | Sequence[str],
    magnitude: float,
    *,
    n_annotators: int = 3,
    annotator: str | None = None,
    distance: Any = None,
    uniform: bool = False,
    rows: Rows = None,
    rng: int | np.random.Generator | None = 42,
) -> Corpus | Ratings:
    """Simulate annotators who start from a reference and make errors.

    Parameters
    ----------
    reference : DataLike
        One annotator's units or labels of items (see `unisono.read`); of several annotators, name one.
    errors : str or sequence of str
        Kinds of errors, one or several, made in the given order: position, position-apart, category, false-negatives,
        false-positives, splits, merges; for complete segmentations cuts-shifted, cuts-missed; for texts text,
        segmentation, label, which are always made in this order; for relations and events position, source, target,
        direction, anchors, category, false-negatives, false-positives; for labels of items category, noise, severity,
        missing.
    magnitude : float
        From 0 (none) to 1.
    n_annotators : int
        How many annotators to simulate, up to 10,000; the reference is not one of them.
    annotator : str, optional
        Whose work is the reference, if there are several annotators.
    distance : str, Distance, mapping or callable, optional
        A distance between categories: similar ones are confused first.
    uniform : bool
        Whether all categories are equally likely to be confused with, instead of by their prevalence.
    rows : {"items", "annotators"}, optional
        What the rows of a bare table are.
    rng : int, Generator or None
        Seed.

    Returns
    -------
    Corpus or Ratings

    See Also
    --------
    generate, benchmark, ladder

    Examples
    --------
    >>> import unisono
    >>> reference = unisono.shuffling.generate(n_items=50, categories=3)
    >>> shuffled = unisono.shuffling.shuffle(reference, "category", 0.5, n_annotators=2)
    >>> 0 < unisono.krippendorff_alpha(shuffled).value < 1
    True
    """
    strength = check_number(magnitude, "magnitude", low=0, high=1)
    count = check_whole(n_annotators, "n_annotators", low=1, high=MOST_SIMULATED)
    made = errors if isinstance(errors, Errors) else parse_errors("+".join(check_names(errors, "errors")))
    check_category_options([made], distance=distance, uniform=uniform)
    own = reference_of(as_data(reference, rows=rows, parameter="reference"), annotator)
    random = rng if isinstance(rng, np.random.Generator) else np.random.default_rng(check_seed(rng))
    return shuffler_of(own, made, distance=distance, uniform=uniform).shuffled(strength, count, random)


def check_category_options(errors: Iterable[Errors], *, distance: Any = None, uniform: Any = False) -> None:
    """Reject options of the error category if it is not among the errors."""
    given = [*(["distance"] if distance is not None else []), *(["uniform"] if check_flag(uniform, "uniform") else [])]
    if given and not any("category" in one.names for one in errors):
        raise OptionError("only the error category uses it, and that is not among the errors", given[0])


def shuffler_of(
    reference: Corpus | Ratings, errors: Errors, *, distance: Any = None, uniform: bool = False
) -> Shuffler | TextErrors | ItemErrors:
    """Return what simulates annotators by its method ``shuffled(magnitude, n_annotators, rng)``.

    `distance` and `uniform` are those of `shuffle`; errors other than category ignore them.
    """
    what, known = kinds_for(reference)
    for name in errors.names:
        if name not in known:
            raise OptionError(f"{name!r} is not an error in {what}; available: {', '.join(known)}", "errors")
    if isinstance(reference, Ratings):
        return ItemErrors(reference, errors.kinds, distance=distance, uniform=uniform)
    if set(errors.names) & set(TEXT_ERROR_KINDS):
        return TextErrors(reference, errors.names)
    return Shuffler(reference, errors, distance=distance, uniform=uniform)


class Shuffler:
    """Makes errors in the units of a reference; see `shuffler_of`."""

    def __init__(self, reference: Corpus, errors: Errors, *, distance: Any = None, uniform: bool = False) -> None:
        self.reference = reference
        known = ERROR_KINDS if reference.anchors is None else RELATION_ERROR_KINDS
        self._kinds = [(known[name], factor) for name, factor in errors.kinds]
        self._profile = _profile(reference, distance, uniform)
        whole = reference.start.dtype.kind == "i"
        self._marks = [
            UnitMarks(
                reference.start[rows].astype(np.float64),
                reference.end[rows].astype(np.float64),
                _codes(reference.features, rows),
                document.bounds,
                whole,
                None if reference.anchors is None else reference.anchors.take(rows).as_floats(),
            )
            for document in reference
            for rows in [reference.rows(document.index)]
        ]

    def shuffled(self, magnitude: float, n_annotators: int, rng: np.random.Generator) -> Corpus:
        """Simulate annotators who make errors of a magnitude."""
        made = [self._erring(marks, magnitude, rng) for marks in self._marks for _ in range(n_annotators)]
        sizes = [marks.n_units for marks in made]
        n_documents = len(self._marks)
        document = np.repeat(np.repeat(np.arange(n_documents), n_annotators), sizes)
        annotator = np.repeat(np.tile(np.arange(n_annotators), n_documents), sizes)
        start: Positions = np.concatenate([marks.start for marks in made])
        end: Positions = np.concatenate([marks.end for marks in made])
        if self.reference.start.dtype.kind == "i":
            start, end = start.astype(np.int64), end.astype(np.int64)
        codes = np.concatenate([marks.codes for marks in made], axis=1)
        anchors = joined_anchors([(marks.anchors, marks.start, marks.end) for marks in made])
        if anchors is not None and self.reference.start.dtype.kind == "i":
            anchors = replace(anchors, start=anchors.start.astype(np.int64), end=anchors.end.astype(np.int64))
        texts = self.reference.texts.items()
        return simulated_corpus(
            self.reference,
            n_annotators,
            (document, annotator),
            (start, end),
            codes,
            anchors,
            bounds=self.reference.bounds,
            extents=self.reference.all_extents(),
            texts={(d, who): text for (d, _), text in texts for who in range(n_annotators)},
        )

    def _erring(self, marks: UnitMarks, magnitude: float, rng: np.random.Generator) -> UnitMarks:
        n_units = marks.n_units
        for kind, given in self._kinds if magnitude else ():
            factor = kind.factor if given is None else given
            marks = kind.change(marks, Dose(magnitude, 1.0 if factor is None else factor, n_units), self._profile, rng)
        return marks


def _codes(features: Mapping[str, Feature], rows: slice) -> IntArray:
    columns = [feature.codes[rows] for feature in features.values()]
    return np.array(columns, dtype=np.int64).reshape(len(columns), rows.stop - rows.start)


def _profile(reference: Corpus, distance: Any, uniform: bool) -> ReferenceProfile:
    names = [*reference.features]
    chosen = reference.label_features[0] if len(reference.label_features) == 1 else "category"
    place = names.index(chosen) if chosen in names else -1
    labels = reference.features[chosen].labels if place >= 0 else ()
    codes = _codes(reference.features, slice(0, reference.n_units))
    counts = np.bincount(codes[place][codes[place] >= 0], minlength=len(labels)) if place >= 0 else np.zeros(0)
    prevalence = np.ones(len(labels)) if uniform else counts.astype(np.float64)
    prevalence = prevalence / prevalence.sum() if prevalence.sum() else prevalence
    similarity = None
    if distance is not None and place >= 0:
        compare = written_distance(distance).bind(labels)
        u, v = np.divmod(np.arange(len(labels) ** 2), max(len(labels), 1))
        similarity = 1.0 - np.clip(compare(u, v), 0.0, 1.0).reshape(len(labels), len(labels))
    lengths = (reference.end - reference.start).astype(np.float64)
    units = None if reference.anchors is None else reference
    return ReferenceProfile(place, prevalence, lengths, codes, similarity, tuple(names), units)
