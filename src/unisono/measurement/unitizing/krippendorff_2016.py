"""uα, |uα, cuα and (k)uα: to what extent units and gaps, and their categories, coincide (Krippendorff et al. 2016).

The erratum of that paper is in Quality & Quantity 50(6), 2365.

References
----------
.. [1] Krippendorff, K. (2013). Content analysis: an introduction to its methodology. 3rd edition. Sage.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, Unpack

import numpy as np

from unisono.arrays import FloatArray
from unisono.data.sections import GAP
from unisono.dissimilarity.category import Nominal
from unisono.dissimilarity.difference_sums import Differences
from unisono.dissimilarity.registry import DistanceLike, DistanceRole, available_distances
from unisono.errors import DataError
from unisono.measurement.coefficient import coefficient
from unisono.measurement.declaration import Parameter
from unisono.measurement.options import UnitsOptions
from unisono.measurement.readers import read_alpha_distance
from unisono.measurement.sums import sums_by
from unisono.measurement.unitizing.coincidences import Continua, LengthCoincidences, prepare
from unisono.measurement.unitizing.krippendorff_2013 import u_alpha_2013
from unisono.measurement.unitizing.units import compared_lengths, family_of_units, sums_of_units
from unisono.results import Estimate, from_disagreement


def _at_once(data: Any, *, definition: int, **others: Any) -> str:
    """See `Family`."""
    return (compared_lengths if definition == 2013 else sums_of_units)(data)


_UNITIZING = family_of_units(partial(prepare, measure="uα", gaps=True), at_once=_at_once)
_CODING = family_of_units(partial(prepare, measure="cuα", gaps=False))


def _year(value: Any) -> int:
    return {"2016": 2016, "2013": 2013}[str(value)]


@coefficient(
    _UNITIZING,
    symbol="uα",
    title="Krippendorff's uα: units and gaps on a continuum, with categories, by length",
    needs="spans, with or without categories, that do not overlap within an annotator; two or more annotators",
    ignores="cuts between neighbouring units of one category; how far apart categories are",
    reference="Krippendorff, Mathet, Bouvry & Widlöcher 2016; Krippendorff 2013",
    papers=("krippendorff2016",),
    when="if it matters how much of the continuum is marked alike, not how many units are",
    parameters=(Parameter("definition", 2016, _year, "2016, or 2013: the one that the γ paper compares γ with"),),
)
def u_alpha(continua: Continua, *, definition: Literal[2016, 2013] = 2016, **how: Unpack[UnitsOptions]) -> Estimate:
    """Agreement beyond chance on what is a unit of which category and what is a gap, place by place.

    uα = 1 - (l.. - Σ_c l_cc) / (l.. - Σ_c e_cc), over categories and the gap φ. l_ck is the length over which sections
    of category c meet sections of category k (each annotator with each other, divided by m - 1), expected is
    e_ck = l.. (l_c l_k - [c = k] q_c) / (l..² - Σ q), where q corrects for a section meeting itself: the squared
    lengths of units, and the lengths of gaps. |uα (u_alpha_binary) distinguishes only units and gaps.
    Equations 1–7 of Krippendorff et al. (2016).

    See Also
    --------
    cu_alpha, alpha_u, gamma

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> round(unisono.u_alpha(corpus).value, 3)
    0.481
    """
    if definition == 2013:
        return u_alpha_2013(continua)
    found = continua.coincidences
    unlike = found.rows != found.columns
    return from_disagreement(
        float(found.length[unlike].sum()) / found.total,
        float(found.margins @ (found.total - found.margins)) / found.pairable,
        details={"u_alpha_binary": _unit_or_gap(found)},
        tables=_tables(continua, Nominal().differences(())),
    )


@coefficient(
    _CODING,
    symbol="cuα",
    title="Krippendorff's cuα: categories of units where those of different annotators meet, by length",
    needs="spans with categories that do not overlap within an annotator; two or more annotators",
    ignores="gaps, and units or parts of them that no other annotator's unit meets",
    reference="Krippendorff, Mathet, Bouvry & Widlöcher 2016",
    papers=("krippendorff2016",),
    when="alongside uα: do annotators choose the same categories where they agree that there is a unit?",
    parameters=(Parameter("distance", "nominal", read_alpha_distance, available_distances(DistanceRole.ALPHA)),),
)
def cu_alpha(continua: Continua, *, distance: DistanceLike = "nominal", **how: Unpack[UnitsOptions]) -> Estimate:
    """Agreement beyond chance on categories where units of different annotators meet.

    cuα = 1 - Σ l*_ck δ²_ck / Σ e*_ck δ²_ck, over categories without the gap, l* being the lengths l_ck of uα and
    e*_ck = (l*_c l*_k - [c = k] q*_c) / (l*.. - Σ q* / l*..), where q*_c adds up, over the units of category c, the
    squared length that each shares with units of another annotator, averaged over the others. (k)uα of category k is
    1 - (e*_k / l*_k) Σ_c l*_ck δ²_ck / Σ_c e*_ck δ²_ck; its coverage l*_k / l_k is the share of it that meets units.
    Equations 8–13 of Krippendorff et al. (2016).

    See Also
    --------
    u_alpha, krippendorff_alpha

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> round(unisono.cu_alpha(corpus).value, 3)
    0.451
    """
    found = continua.of_units
    delta = _differences(continua, distance)
    if not found.total:
        return Estimate(None, undefined="no unit meets a unit of another annotator")
    unlike = _compared(found, delta)
    observed = float(unlike.sum()) / found.total
    expected = _total(delta, found.margins, found.margins) / found.pairable
    return from_disagreement(
        observed,
        expected,
        tables=_tables(continua, delta),
        details={"coverage": found.total / float(continua.coincidences.margins[1:].sum())},
    )


def _unit_or_gap(found: LengthCoincidences) -> float | None:
    """Return |uα = 1 - (l_φ - l_φφ) / (e_φ - e_φφ); None if there are no gaps, or nothing else."""
    gap = float(found.margins[GAP])
    expected = found.total * gap * (found.total - gap) / found.pairable
    return 1 - (gap - float(found.same[GAP])) / expected if expected else None


def _differences(continua: Continua, distance: Any) -> Differences:
    made = read_alpha_distance(distance)
    if None in continua.labels and not isinstance(made, Nominal):
        raise DataError(f"some units have no label, and the distance {made} compares labels; label them or use nominal")
    delta = made.differences([label for label in continua.labels if label is not None])
    return delta.given(continua.of_units.margins[1:])


def _tables(continua: Continua, delta: Differences) -> dict[str, list[dict[str, Any]]]:
    """Return (k)uα and its coverage for each category k; only of all documents."""
    if continua.document is not None:
        return {}
    margins, length, n_units = continua.of_units.margins, continua.coincidences.margins, continua.n_by_category
    unlike = _compared(continua.of_units, delta)
    rows = []
    for k in np.flatnonzero(n_units).tolist():
        found = _category(continua.of_units, delta, k, float(unlike[k]))
        rows.append(
            {
                "category": continua.names[k - 1],
                "value": found.value,
                "coverage": float(margins[k] / length[k]) if length[k] else None,
                "n_units": int(n_units[k]),
                "undefined": found.undefined,
            }
        )
    return {"categories": rows}


def _category(found: LengthCoincidences, delta: Differences, k: int, unlike: float) -> Estimate:
    """Return (k)uα; the normaliser of e* cancels out of e*_k / Σ_c e*_ck δ²."""
    of_this = np.where(np.arange(len(found.margins)) == k, found.margins, 0.0)
    if not of_this[k]:
        return Estimate(None, undefined="none of its units meets a unit of another annotator")
    by_chance = found.total - float(found.alone[k] / of_this[k])
    return from_disagreement(unlike * by_chance, _total(delta, of_this, found.margins))


def _compared(found: LengthCoincidences, delta: Differences) -> FloatArray:
    """Return Σ_k l*_ck δ²_ck for each category c."""
    weights = found.length * delta.compare(found.rows - 1, found.columns - 1)
    return sums_by(found.rows, weights, len(found.margins))


def _total(delta: Differences, p: FloatArray, q: FloatArray) -> float:
    """Return Σ_c Σ_k p_c q_k δ²_ck, gaps left out."""
    return delta.total(p[1:], q[1:])
