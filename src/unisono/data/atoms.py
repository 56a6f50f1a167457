"""Spans as ratings of atoms: a continuum cut into characters, tokens, sentences or steps, each with a label.

The conversion behind discretized coefficients (Mathet et al. 2015, §3.4.1): an atom has the category of the unit that
covers its middle, or is blank. Neighbouring atoms that everyone labels alike are one row that represents all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data.corpus import Corpus, Document
from unisono.data.labelled_units import LabelledUnits, labelled_units, refuse_overlap
from unisono.data.labels import Label
from unisono.data.meetings import ranges
from unisono.data.ratings import Ratings
from unisono.data.spans import EXACT
from unisono.errors import DataError, OptionError

BLANK = "blank"
"""The label of atoms that an annotator did not mark."""
ATOMS = ("character", "token", "sentence")
"""The atoms that have a name."""

_TOKEN = re.compile(r"\w+|[^\w\s]")
_END = re.compile(r"""[.!?…]+["'”’»›)\]]*(?=\s)""")


def atoms_from_units(corpus: Corpus, *, atom: str | float = "character", feature: str | None = None) -> Ratings:
    """Cut continua into atoms, each with the category of the unit that covers its middle; see `unisono.to_atoms`."""
    units = labelled_units(corpus, feature)
    refuse_overlap(units, "a discretized measure")
    return atoms_of(units, atom)


def atoms_of(units: LabelledUnits, atom: str | float = "character") -> Ratings:
    """Do the same with units that do not overlap."""
    grid = _grid(units, as_atom(atom))
    rows = _rows(grid)
    worked = units.worked[rows.document]
    codes = np.where(worked, 0, -1).astype(np.int64)
    low, high = np.searchsorted(rows.cut, grid.first), np.searchsorted(rows.cut, grid.last)
    index, unit = ranges(low, high - low), np.repeat(np.arange(len(low)), high - low)
    codes[index, units.annotator[unit]] = units.category[unit]
    return Ratings(
        items=(rows.cut - grid.base[rows.document] + grid.begin[rows.document]).tolist(),
        annotators=units.corpus.annotators,
        documents=units.corpus.documents,
        document=rows.document,
        codes=codes,
        labels=atom_labels(units.names),
        repeats=rows.repeats,
        source=units.corpus.source,
    )


def atom_labels(names: Sequence[Label]) -> tuple[Label, ...]:
    """Return the labels of atoms: blank, and the categories of units."""
    return (BLANK if BLANK not in names else f"({BLANK})", *names)


def as_atom(atom: str | float) -> str | float:
    """Check the definition of an atom."""
    if isinstance(atom, str) and atom in ATOMS:
        return atom
    try:
        step = float(atom)
    except (TypeError, ValueError, OverflowError):
        step = 0.0
    if not (np.isfinite(step) and step > 0):
        raise OptionError.about("atom", f"atom must be one of {', '.join(ATOMS)} or a number above 0, not {atom!r}")
    return step


@dataclass(frozen=True, slots=True)
class _Grid:
    """Units in atoms, which are numbered along all documents."""

    # shape (n_units,): the first atom of each unit, and the one after its last
    first: IntArray
    last: IntArray
    # shape (n_documents,): the first atom of each document, and how many there are; one number is left free between
    # documents
    base: IntArray
    size: IntArray
    begin: IntArray  # shape (n_documents,): what the first atom of each document is called


@dataclass(frozen=True, slots=True)
class _Rows:
    """Stretches of atoms between two cuts: the first atom, the document, and how many atoms."""

    cut: IntArray
    document: IntArray
    repeats: IntArray


def _grid(units: LabelledUnits, atom: str | float) -> _Grid:
    size = np.zeros(len(units.corpus), dtype=np.int64)
    begin = np.zeros(len(units.corpus), dtype=np.int64)
    if atom in ("token", "sentence"):
        first, last = np.zeros(units.n_units, dtype=np.int64), np.zeros(units.n_units, dtype=np.int64)
        for index in np.flatnonzero(units.shared).tolist():
            middle = _middles(Document(units.corpus, index), str(atom))
            rows = units.rows(index)
            size[index] = len(middle)
            first[rows], last[rows] = (
                np.searchsorted(middle, units.start[rows]),
                np.searchsorted(middle, units.end[rows]),
            )
    else:
        if atom == "character":
            _refuse_fractions(units)
            begin = units.begin.astype(np.int64)
        step = 1.0 if atom == "character" else float(atom)
        if ((units.finish - units.begin) > step * EXACT).any():
            raise OptionError.about("atom", f"atom={step:g} makes more atoms than can be counted; use a larger step")
        size = np.where(units.shared, _steps(units.finish - units.begin, step), 0)
        first = _steps(units.start - units.begin[units.document], step)
        last = _steps(units.end - units.begin[units.document], step)
    base = np.cumsum(size + 1) - size - 1
    return _Grid(first + base[units.document], last + base[units.document], base, size, begin)


def _steps(distance: FloatArray, step: float) -> IntArray:
    """Count the atoms whose middle comes before a place."""
    return np.ceil(distance / step - 0.5).astype(np.int64)


def _middles(document: Document, atom: str) -> FloatArray:
    """Return the middle of each token or sentence."""
    if document.texts_differ:
        raise DataError(f"document {document.name}: annotators have different texts; use atom=character or gamma")
    if document.text is None:
        raise DataError(f"document {document.name} has no text to find a {atom} in; use atom=character or a number")
    found = tokens(document.text) if atom == "token" else sentences(document.text)
    return np.array([(start + end) / 2 for start, end in found], dtype=np.float64)


def tokens(text: str) -> Iterator[tuple[int, int]]:
    """Find tokens: runs of letters, digits and _, and every other character except white space."""
    return (found.span() for found in _TOKEN.finditer(text))


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Find sentences: they end after . ! ? or … and closing quotes or brackets, before white space."""
    start = 0
    for end in [*(found.end() for found in _END.finditer(text)), len(text)]:
        sentence = text[start:end]
        inner = sentence.strip()
        if inner:
            lead = len(sentence) - len(sentence.lstrip())
            yield start + lead, start + lead + len(inner)
        start = end


def _refuse_fractions(units: LabelledUnits) -> None:
    advice = "atom=character needs whole numbers; set the length of a step instead, e.g. atom=0.1"
    for column in (units.start, units.end):
        broken = np.flatnonzero(column != np.floor(column))
        if len(broken):
            unit = int(broken[0])
            where = units.corpus.documents[units.document[unit]]
            who = units.corpus.annotators[units.annotator[unit]]
            raise DataError(f"document {where}: {who}'s unit {units.spelled(unit)} lies between positions; {advice}")
    for column in (units.begin, units.finish):
        broken = np.flatnonzero(units.shared & (column != np.floor(column)))
        if len(broken):
            name = units.corpus.documents[broken[0]]
            raise DataError(f"document {name}: the continuum starts or ends at {column[broken[0]]:g}; {advice}")


def _rows(grid: _Grid) -> _Rows:
    """Cut documents where any unit starts or ends."""
    used = np.flatnonzero(grid.size)
    begin, end = grid.base[used], grid.base[used] + grid.size[used]
    cuts = np.unique(np.concatenate([grid.first, grid.last, begin, end]))
    document = np.searchsorted(grid.base, cuts, side="right") - 1
    inside = cuts < grid.base[document] + grid.size[document]
    following = np.append(cuts[1:], 0)
    return _Rows(cuts[inside], document[inside], (following - cuts)[inside])
