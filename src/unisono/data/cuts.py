"""Segmentations: where each annotator cuts a continuum, in whole atoms; from spans, or from segment masses.

An atom is never cut: a character, a token, a sentence, a time step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from unisono.arrays import BoolArray, ComparedByContent, FloatArray, IntArray
from unisono.data.corpus import Corpus, Document
from unisono.data.spans import EXACT
from unisono.errors import DataError, OptionError

_INSTEAD = "or use gamma, which does not need a complete segmentation"


@dataclass(frozen=True, eq=False)
class Cuts(ComparedByContent):
    """Where annotators cut documents.

    Attributes
    ----------
    document, annotator : int64 array, shape (n_segmentations,)
        Index into the corpus's names; sorted by document, then annotator.
    length : int64 array, shape (n_segmentations,)
        Number of atoms of the document.
    starts : int64 array, shape (n_segmentations + 1,)
        Where the boundaries of each segmentation start in `boundaries`, and where the last ones end.
    boundaries : int64 array, shape (n_boundaries,)
        Inner boundaries in order; b lies between the atoms b - 1 and b, counted from 0.
    units : int64 array, shape (n_boundaries,)
        The unit that begins at each boundary, by its row in the corpus.
    """

    document: IntArray
    annotator: IntArray
    length: IntArray
    starts: IntArray
    boundaries: IntArray
    units: IntArray

    @cached_property
    def n_boundaries(self) -> IntArray:
        """Number of boundaries of each segmentation."""
        return np.diff(self.starts)

    def some(self, rows: slice) -> Cuts:
        """Keep some adjacent segmentations."""
        starts = self.starts[rows.start : rows.stop + 1]
        of_rows = self.document[rows], self.annotator[rows], self.length[rows]
        return Cuts(*of_rows, starts, self.boundaries, self.units)


def cuts_from_units(corpus: Corpus, *, step: float | None = None) -> Cuts:
    """Turn units into segmentations; they must cut a continuum without gap or overlap (`unisono.to_cuts`)."""
    first = _beginnings(corpus)
    last = np.append(first[1:], corpus.n_units)[: len(first)] - 1
    document, annotator = corpus.document[first], corpus.annotator[first]
    _refuse_nothing_marked(corpus, document, annotator)
    inner = np.delete(np.arange(corpus.n_units), first)  # the units that start with an inner boundary
    texts = _Texts(corpus)
    _refuse_broken(corpus, inner, texts)
    begin, end = _continua(corpus, document, first, last, texts)
    owner = np.repeat(np.arange(len(first)), last - first)
    position, length = _atoms(corpus, corpus.start[inner], begin, end, owner, document, step)
    keep = (position > 0) & (position < length[owner])
    if step is not None:
        keep[1:] &= (position[1:] != position[:-1]) | (owner[1:] != owner[:-1])
    counts = np.bincount(owner[keep], minlength=len(first))
    return Cuts(
        document=document,
        annotator=annotator,
        length=length,
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        boundaries=position[keep],
        units=inner[keep],
    )


def without_empty_versions(corpus: Corpus) -> tuple[Corpus, list[tuple[str, str]]]:
    """Disregard the versions in which nothing is marked; return their annotators and documents, too.

    Such a version is no segmentation: an annotator who sees no boundary marks the whole as one unit. If nothing is
    marked anywhere, all versions stay.
    """
    empty = corpus.worked & (corpus.unit_counts == 0)
    if not empty.any() or not corpus.n_units:
        return corpus, []
    versions = [(corpus.annotators[who], corpus.documents[where]) for where, who in np.argwhere(empty).tolist()]
    return replace(corpus, worked=corpus.worked & ~empty), versions


def from_masses(masses: Any, *, source: str = "") -> Corpus:
    """Make a corpus from segment masses: the lengths of an annotator's segments, in atoms and in order.

    Parameters
    ----------
    masses : sequence or mapping
        One list of masses per annotator; annotator to masses; or document to annotator to masses.
    source : str, optional
        Where they come from.

    Returns
    -------
    Corpus
        The segments as units that cover each document completely.

    See Also
    --------
    boundary_similarity, to_cuts

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.from_masses({"anna": [2, 3, 6], "bert": [2, 2, 7]})
    >>> corpus["document"].bounds
    (0.0, 11.0)
    """
    documents = _by_document(masses)
    names = [(name, who) for name, of_document in documents.items() for who in sorted(of_document)]
    people = sorted({who for _, who in names})
    number = {who: code for code, who in enumerate(people)}
    document = np.repeat(np.arange(len(documents)), [len(of_document) for of_document in documents.values()])
    annotator = np.array([number[who] for _, who in names], dtype=np.int64)
    mass, counts = _flat([documents[name][who] for name, who in names], names)
    end = np.cumsum(mass)
    total = np.diff(end[np.cumsum(counts) - 1], prepend=0)
    end -= np.repeat(np.cumsum(total) - total, counts)
    _refuse_other_totals(total, document, names)
    worked = np.zeros((len(documents), len(people)), dtype=np.bool_)
    worked[document, annotator] = True
    return Corpus(
        documents=tuple(documents),
        annotators=tuple(people),
        document=np.repeat(document, counts),
        annotator=np.repeat(annotator, counts),
        start=end - mass,
        end=end,
        features={},
        worked=worked,
        bounds=dict(zip(document.tolist(), ((0.0, float(t)) for t in total.tolist()), strict=True)),
        source=source,
    )


class _Texts:
    """The texts of documents, each looked up once."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._with_text = {document for document, _ in corpus.texts}
        self._found: dict[int, str | None] = {}

    def __contains__(self, document: int) -> bool:
        return document in self._with_text

    def of(self, document: int) -> str | None:
        """Return a document's text; reject texts that differ."""
        if document not in self._with_text:
            return None
        if document not in self._found:
            one = Document(self._corpus, document)
            if one.texts_differ:
                raise DataError(
                    f"document {one.name!r}: annotators have different texts, so cuts cannot be compared; "
                    "give all of them the same text"
                )
            self._found[document] = one.text
        return self._found[document]

    def is_blank(self, document: int, low: float, high: float) -> bool:
        """Return whether there is only white space between two positions."""
        text = self.of(document)
        whole = float(low).is_integer() and float(high).is_integer()
        return text is not None and whole and 0 <= low < high and text[int(low) : int(high)].isspace()


def _beginnings(corpus: Corpus) -> IntArray:
    """Return the first unit of each annotator in each document."""
    changes = (corpus.document[1:] != corpus.document[:-1]) | (corpus.annotator[1:] != corpus.annotator[:-1])
    return np.flatnonzero(np.append(np.ones(min(1, corpus.n_units), dtype=np.bool_), changes))


def _refuse_nothing_marked(corpus: Corpus, document: IntArray, annotator: IntArray) -> None:
    nothing = corpus.worked.copy()
    nothing[document, annotator] = False
    for d, a in np.argwhere(nothing)[:1].tolist():
        raise DataError(
            f"document {corpus.documents[d]!r}: {corpus.annotators[a]!r} marked nothing; a continuum that is not cut "
            f"is one unit, so add it, {_INSTEAD}"
        )
    for row in np.flatnonzero(corpus.end == corpus.start)[:1].tolist():
        raise DataError(
            f"{_who(corpus, row)} has a unit without length at {_shown(corpus.start[row])}; remove it, {_INSTEAD}"
        )


def _refuse_broken(corpus: Corpus, inner: IntArray, texts: _Texts) -> None:
    """Reject the first gap or overlap between two units."""
    before, after = corpus.end[inner - 1], corpus.start[inner]
    for index in np.flatnonzero(before != after).tolist():
        low, high = before[index], after[index]
        if texts.is_blank(int(corpus.document[inner[index]]), low, high):
            continue
        who = _who(corpus, int(inner[index]))
        if low < high:
            raise DataError(
                f"{who} leaves out {_shown(low)} to {_shown(high)}, but a segmentation has no gaps; fill it, {_INSTEAD}"
            )
        raise DataError(
            f"{who} has units that overlap at {_shown(high)}, but a segmentation has no overlaps; fix them, {_INSTEAD}"
        )


def _continua(
    corpus: Corpus, document: IntArray, first: IntArray, last: IntArray, texts: _Texts
) -> tuple[FloatArray, FloatArray]:
    """Return start and end of each segmentation's continuum; reject segmentations that do not cover it."""
    begin, end = corpus.start[first].astype(np.float64), corpus.end[last].astype(np.float64)
    low, high = _extents(corpus, document, begin, end, texts)
    for index in np.flatnonzero((begin != low) | (end != high)).tolist():
        where = int(document[index])
        if begin[index] > low[index] and not texts.is_blank(where, low[index], begin[index]):
            break
        if end[index] < high[index] and not texts.is_blank(where, end[index], high[index]):
            break
    else:
        return _trimmed(low, high, document, texts)
    other = next(
        (i for i in np.flatnonzero(document == where).tolist() if (begin[i], end[i]) == (low[i], high[i])), None
    )
    whole = "the whole continuum is" if other is None else f"{corpus.annotators[corpus.annotator[first[other]]]!r} cuts"
    raise DataError(
        f"{_who(corpus, int(first[index]))} cuts {_shown(begin[index])} to {_shown(end[index])} where {whole} "
        f"{_shown(low[index])} to {_shown(high[index])}; all must cut the same part, so add what is missing, {_INSTEAD}"
    )


def _extents(
    corpus: Corpus, document: IntArray, begin: FloatArray, end: FloatArray, texts: _Texts
) -> tuple[FloatArray, FloatArray]:
    """Return the bounds of each segmentation's document: as given, else of the text, else of the units."""
    new = np.flatnonzero(np.diff(document, prepend=-1))
    low, high = (
        np.minimum.reduceat(begin, new) if len(new) else begin,
        np.maximum.reduceat(end, new) if len(new) else end,
    )
    for index, where in enumerate(document[new].tolist()):
        if where in corpus.bounds or where in texts:
            low[index], high[index] = Document(corpus, where).bounds
    sizes = np.diff(np.append(new, len(document)))
    return np.repeat(low, sizes), np.repeat(high, sizes)


def _trimmed(low: FloatArray, high: FloatArray, document: IntArray, texts: _Texts) -> tuple[FloatArray, FloatArray]:
    """Leave out white space at the start and end."""
    for index, where in enumerate(document.tolist()):
        if (text := texts.of(where)) is not None:
            inside = text[max(int(low[index]), 0) : int(high[index])]
            low[index] += len(inside) - len(inside.lstrip())
            high[index] -= len(inside) - len(inside.rstrip())
    return low, high


def _atoms(
    corpus: Corpus,
    cut: Any,
    begin: FloatArray,
    end: FloatArray,
    owner: IntArray,
    document: IntArray,
    step: float | None,
) -> tuple[IntArray, IntArray]:
    """Return positions of boundaries, and lengths of continua, in whole atoms from the start of the continuum."""
    position: FloatArray = cut - begin[owner]
    length = end - begin
    if step is None:
        _refuse_fractions(corpus, cut, owner, begin, end, document)
    elif not (isinstance(step, int | float | np.number) and 0 < step < np.inf):
        raise OptionError.about("step", f"step={step} is invalid; it is the size of an atom, a number above 0")
    elif length.max(initial=0) / step > EXACT:
        raise OptionError.about("step", f"step={step:g} is too small: a document would have more than 2^53 atoms")
    else:
        position, length = np.rint(position / step), np.rint(length / step)
    for index in np.flatnonzero(length < 1)[:1].tolist():
        raise DataError(f"document {corpus.documents[document[index]]!r} is shorter than one atom; use a smaller step")
    return position.astype(np.int64), length.astype(np.int64)


def _refuse_fractions(
    corpus: Corpus, cut: Any, owner: IntArray, begin: FloatArray, end: FloatArray, document: IntArray
) -> None:
    for positions, owners in ((cut, owner), (begin, np.arange(len(begin))), (end, np.arange(len(end)))):
        broken: BoolArray = np.floor(positions) != positions
        for index in np.flatnonzero(broken)[:1].tolist():
            name = corpus.documents[document[owners[index]]]
            raise DataError(
                f"document {name!r} has the position {_shown(positions[index])}, which is not a whole number; "
                "set the size of an atom, e.g. step=0.1"
            )


def _by_document(masses: Any) -> dict[str, dict[str, Any]]:
    """Convert masses to one form: document to annotator to masses."""
    if not isinstance(masses, Mapping):
        if not _is_list(masses):
            raise DataError(f"masses are lists of whole numbers, one for each annotator, not {type(masses).__name__}")
        masses = {str(index): one for index, one in enumerate(masses, start=1)}
    nested = [isinstance(one, Mapping) for one in masses.values()]
    if not any(nested):
        masses = {"document": masses}
    elif not all(nested):
        raise DataError("some masses belong to a document and others do not; pass {document: {annotator: masses}}")
    return {name: _named(of_document, "annotators") for name, of_document in _named(masses, "documents").items()}


def _named(values: Mapping[Any, Any], what: str) -> dict[str, Any]:
    named = {str(name): value for name, value in values.items()}
    if len(named) < len(values):
        raise DataError(f"two {what} have the same name: {', '.join(map(repr, values))}; rename one")
    return named


def _flat(lists: Sequence[Any], names: Sequence[tuple[str, str]]) -> tuple[IntArray, IntArray]:
    """Return all masses one after another, and how many each segmentation has."""
    for one, (document, who) in zip(lists, names, strict=True):
        if not _is_list(one) or not len(one):
            raise DataError(f"document {document!r}: the masses of {who!r} should be a list of whole numbers above 0")
    counts = np.fromiter(map(len, lists), np.int64, count=len(lists))
    if not len(lists):
        return counts, counts
    try:
        mass = np.fromiter(chain.from_iterable(lists), np.float64, count=int(counts.sum()))
    except (TypeError, ValueError, OverflowError):
        mass = np.zeros(1)
    if mass.min() > 0 and (np.floor(mass) == mass).all() and mass.sum() <= EXACT:
        return mass.astype(np.int64), counts
    for one, (document, who) in zip(lists, names, strict=True):
        for wrong in (mass for mass in one if not _is_mass(mass)):
            raise DataError(
                f"document {document!r}: {who!r} has the mass {wrong!r}; masses are whole numbers above 0, in atoms"
            )
    raise DataError("the masses are too large; together they must not exceed 2^53 atoms")


def _is_list(value: Any) -> bool:
    return (
        value.ndim > 0 if isinstance(value, np.ndarray) else isinstance(value, Sequence) and not isinstance(value, str)
    )


def _is_mass(value: Any) -> bool:
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    return bool(number and value > 0 and value % 1 == 0)


def _refuse_other_totals(total: IntArray, document: IntArray, names: Sequence[tuple[str, str]]) -> None:
    for index in (np.flatnonzero((np.diff(total) != 0) & (np.diff(document) == 0)) + 1)[:1].tolist():
        (name, one), (_, other) = names[index - 1], names[index]
        raise DataError(
            f"document {name!r}: the masses of {one!r} add up to {total[index - 1]} and those of {other!r} to "
            f"{total[index]}; all must cut the same continuum"
        )


def _who(corpus: Corpus, row: int) -> str:
    return f"document {corpus.documents[corpus.document[row]]!r}: {corpus.annotators[corpus.annotator[row]]!r}"


def _shown(position: float) -> str:
    return f"{position:.15g}"
