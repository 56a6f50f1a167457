"""Annotators made of a reference: each makes errors of the kinds and magnitudes asked for, independently."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono.data import Corpus
from unisono.data.corpus import Positions
from unisono.data.labels import Feature
from unisono.errors import OptionError
from unisono.measurement.readers import written_distance
from unisono.measurement.spec import parse
from unisono.results import spelled
from unisono.shuffling.errors import KINDS, TEXT_ERRORS, Dose, Frame, kind_of
from unisono.shuffling.reference import reference_of
from unisono.shuffling.texts import TextErrors
from unisono.shuffling.units import Marks, annotator_names


@dataclass(frozen=True)
class Errors:
    """Kinds of errors that are made together, as in ``position+category``; `str()` of it reads back as the same.

    Attributes
    ----------
    kinds : tuple of (str, dict)
        Names with the constants that are set.
    """

    kinds: tuple[tuple[str, tuple[tuple[str, float], ...]], ...]

    def __str__(self) -> str:
        return "+".join(
            name + (f"({','.join(f'{key}={spelled(value)}' for key, value in factors)})" if factors else "")
            for name, factors in self.kinds
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The kinds' names."""
        return tuple(name for name, _ in self.kinds)


def parse_errors(text: str) -> Errors:
    """Read kinds of errors, e.g. ``position+category`` or ``false-positives(factor=3)``.

    They are made in the order given. Those of texts are always made as text, segmentation, label and come out in this
    order, so that ``label+text`` is the same as ``text+label``.
    """
    kinds = []
    for part in re.split(r"\+(?![^(]*\))", text):  # a plus within brackets belongs to a number
        name, given = parse(part.strip(), "error", "position, position+category or false-positives(factor=3)")
        known = name.lower().replace("_", "-")
        factors = {} if known in TEXT_ERRORS else kind_of(known).factors
        for key, value in given.items():
            if key not in factors:
                raise OptionError(f"{known} has no {key!r}; it has: {', '.join(factors) or 'nothing to set'}")
            try:
                number = float(str(value))
            except ValueError:
                number = -1.0
            if not (np.isfinite(number) and number >= 0):
                raise OptionError(f"{known}: {key}={value} makes no sense; it is a number from 0 up")
        kinds.append((known, tuple((key, float(str(value))) for key, value in given.items())))
    names = {name for name, _ in kinds}
    if len(names) < len(kinds):
        raise OptionError(f"{text}: an error is named twice")
    if names <= set(TEXT_ERRORS):
        kinds.sort(key=lambda kind: TEXT_ERRORS.index(kind[0]))
    elif names & set(TEXT_ERRORS):
        raise OptionError(f"{text}: errors of texts ({', '.join(TEXT_ERRORS)}) and of positions do not go together")
    return Errors(tuple(kinds))


def shuffle(
    reference: Corpus,
    errors: str | Errors | Sequence[str],
    magnitude: float,
    *,
    n_annotators: int = 3,
    annotator: str | None = None,
    distance: Any = None,
    uniform: bool = False,
    rng: int | np.random.Generator = 42,
) -> Corpus:
    """Make annotators of a reference, who make errors.

    Parameters
    ----------
    reference : Corpus
        One annotator's units, or name the annotator.
    errors : str or sequence of str
        Kinds of errors, one or several, made in the order given: position, position-apart, category, false-negatives,
        false-positives, splits, merges; for complete segmentations cuts-shifted, cuts-missed; for texts text,
        segmentation, label, which are always made in this order.
    magnitude : float
        From 0 (none) to 1.
    n_annotators : int
        How many annotators; the reference is none of them.
    annotator : str, optional
        Whose units are the reference, if there are several annotators.
    distance : str, Distance, mapping or callable, optional
        A distance between categories: near ones are confused first.
    uniform : bool
        Whether categories are confused towards all being as frequent, instead of their prevalences.
    rng : int or Generator
        Seed.

    Returns
    -------
    Corpus
    """
    if not 0 <= magnitude <= 1:
        raise OptionError(f"the magnitude must be from 0 to 1, not {magnitude:g}")
    if n_annotators < 1:
        raise OptionError(f"the number of annotators must be from 1 up, not {n_annotators}")
    made = _errors(errors)
    refuse_unused([made], distance=distance, uniform=uniform)
    random = rng if isinstance(rng, np.random.Generator) else np.random.default_rng(rng)
    shuffler = shuffler_of(reference_of(reference, annotator), made, distance=distance, uniform=uniform)
    return shuffler.shuffled(magnitude, n_annotators, random)


def refuse_unused(errors: Iterable[Errors], *, distance: Any = None, uniform: bool = False) -> None:
    """Refuse options of the error category if it is not among some errors."""
    given = [name for name, is_given in (("distance", distance is not None), ("uniform", uniform)) if is_given]
    if given and not any("category" in one.names for one in errors):
        raise OptionError(
            f"only the error category takes {' and '.join(given)}, and it is not among the errors asked for"
        )


def shuffler_of(
    reference: Corpus, errors: Errors, *, distance: Any = None, uniform: bool = False
) -> Shuffler | TextErrors:
    """Give what makes annotators of a reference, by its ``shuffled(magnitude, n_annotators, rng)``.

    Parameters
    ----------
    reference : Corpus
        One annotator's units.
    errors : Errors
        Which errors.
    distance, uniform
        See `shuffle`; they play no part for errors other than category.
    """
    if set(errors.names) & set(TEXT_ERRORS):
        return TextErrors(reference, errors.names)
    return Shuffler(reference, errors, distance=distance, uniform=uniform)


def _errors(errors: str | Errors | Sequence[str]) -> Errors:
    if isinstance(errors, Errors):
        return errors
    return parse_errors(errors if isinstance(errors, str) else "+".join(errors))


class Shuffler:
    """Makes errors in the units of a reference.

    Parameters
    ----------
    reference : Corpus
        One annotator's units.
    errors : Errors
        Which errors.
    distance, uniform
        See `shuffle`.
    """

    def __init__(self, reference: Corpus, errors: Errors, *, distance: Any = None, uniform: bool = False) -> None:
        self.reference = reference
        self._changes = [
            (KINDS[name].change, {**KINDS[name].factors, **dict(factors)}.get("factor", 1.0))
            for name, factors in errors.kinds
        ]
        self._frame = _frame(reference, distance, uniform)
        whole = reference.start.dtype.kind == "i"
        self._marks = [
            Marks(
                reference.start[rows].astype(np.float64),
                reference.end[rows].astype(np.float64),
                _codes(reference.features, rows),
                document.bounds,
                whole,
            )
            for document in reference
            for rows in [reference.rows(document.index)]
        ]

    def shuffled(self, magnitude: float, n_annotators: int, rng: np.random.Generator) -> Corpus:
        """Make annotators who err at a magnitude."""
        made = [[self._erring(marks, magnitude, rng) for _ in range(n_annotators)] for marks in self._marks]
        return self._corpus(made, n_annotators)

    def _erring(self, marks: Marks, magnitude: float, rng: np.random.Generator) -> Marks:
        n_units = marks.n_units
        for change, factor in self._changes if magnitude else ():
            marks = change(marks, Dose(magnitude, factor, n_units), self._frame, rng)
        return marks

    def _corpus(self, made: Sequence[Sequence[Marks]], n_annotators: int) -> Corpus:
        reference = self.reference
        people = annotator_names(n_annotators)
        flat = [marks for versions in made for marks in versions]
        sizes = [marks.n_units for marks in flat]
        whose = np.tile(np.arange(n_annotators), len(made))
        where = np.repeat(np.arange(len(made)), n_annotators)
        codes = np.concatenate([marks.codes for marks in flat], axis=1)
        start: Positions = np.concatenate([marks.start for marks in flat])
        end: Positions = np.concatenate([marks.end for marks in flat])
        if reference.start.dtype.kind == "i":
            start, end = start.astype(np.int64), end.astype(np.int64)
        document, annotator = np.repeat(where, sizes), np.repeat(whose, sizes)
        order = np.lexsort((*codes[::-1], end, start, annotator, document))
        return Corpus(
            documents=reference.documents,
            annotators=people,
            document=document[order],
            annotator=annotator[order],
            start=start[order],
            end=end[order],
            features={
                name: Feature(row[order], feature.labels)
                for row, (name, feature) in zip(codes, reference.features.items(), strict=True)
            },
            worked=np.ones((len(made), n_annotators), dtype=np.bool_),
            bounds=reference.bounds,
            extents=reference.all_extents(),
            texts=_texts(reference, n_annotators),
            source=f"shuffled · {reference.source}",
        )


def _texts(reference: Corpus, n_annotators: int) -> dict[tuple[int, int], str]:
    return {(d, who): text for (d, _), text in reference.texts.items() for who in range(n_annotators)}


def _codes(features: Mapping[str, Feature], rows: slice) -> np.ndarray:
    columns = [feature.codes[rows] for feature in features.values()]
    return np.array(columns, dtype=np.int64).reshape(len(columns), rows.stop - rows.start)


def _frame(reference: Corpus, distance: Any, uniform: bool) -> Frame:
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
    return Frame(place, prevalence, lengths, codes, similarity, tuple(names))
