"""Measures of segmentation, for a continuum that annotators cut completely.

P_k, WindowDiff and Generalized Hamming Distance are errors, segmentation similarity S and boundary similarity B are
agreements. All compare two segmentations at a time; the value is the mean over all pairs of annotators of a document.

References
----------
.. [1] Lamprier, S., Amghar, T., Levrat, B., Saubion, F. (2007). On evaluation methodologies for text segmentation
       algorithms. Proceedings of ICTAI 2007, 19–26.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Literal, Unpack

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.checks import check_number, check_whole
from unisono.data.spans import EXACT
from unisono.errors import DataError
from unisono.kernels.boundaries import moves
from unisono.kernels.switch import expect_work
from unisono.measurement.coefficient import Family, coefficient
from unisono.measurement.coefficient_result import CoefficientResult
from unisono.measurement.declaration import Parameter
from unisono.measurement.options import SegmentationOptions
from unisono.measurement.readers import choice, number, text, whole_number, yes_or_no
from unisono.measurement.segmentation.edits import BoundaryEdits, edits
from unisono.measurement.segmentation.pairs import (
    COMPARISONS,
    ComparedCuts,
    ComparisonSums,
    SegmentationPairs,
    as_segmentations,
    at_once,
    prepare,
)
from unisono.measurement.segmentation.windows import Differ, half_a_segment, one_only, windows
from unisono.results import Estimate, beyond_chance


def _family(compare: Callable[..., ComparedCuts]) -> Family[CoefficientResult]:
    """Make a family of measures that add up the same numbers."""
    return Family(
        name="segmentation",
        unit="segment",
        parameters=(
            Parameter(
                "step", None, number, "size of an atom, such as 0.1 seconds; needed if positions are not integers"
            ),
        ),
        prepare=partial(prepare, compare=compare),
        result=CoefficientResult,
        entry=as_segmentations,
        own=True,
        at_once=at_once,
    )


def _windows(
    compared: SegmentationPairs, *, differ: Differ, window: int | None, reference: str | None, padding: bool = False
) -> ComparedCuts:
    """Return the share of windows that differ."""
    _, to, of = compared.directed()
    if window is None:
        size = half_a_segment(compared.cuts, to)
    else:
        size = np.full(len(to), min(check_whole(window, "window", low=1), EXACT), dtype=np.int64)
    differing, n_windows = windows(compared.cuts, to, of, size, differ, padded=padding)
    defined = n_windows > 0
    return ComparedCuts(to, of, {"value": defined * differing / np.maximum(n_windows, 1), "defined": defined})


def _costs(
    compared: SegmentationPairs, *, insertion: float, deletion: float, shift: float | None, reference: str | None
) -> ComparedCuts:
    """Return the costs, and how they relate to those of replacing all boundaries."""
    insertion, deletion = check_number(insertion, "insertion", above=0), check_number(deletion, "deletion", above=0)
    price = _price(compared, insertion + deletion, shift)
    moved, distance = _moves(compared, insertion + deletion, price)
    pair, to, of = compared.directed()
    n_to, n_of = compared.cuts.n_boundaries[to], compared.cuts.n_boundaries[of]
    shifted = price[pair] * distance[pair]
    cost = insertion * (n_to - moved[pair]) + deletion * (n_of - moved[pair]) + shifted
    all_new = insertion * n_to + deletion * n_of
    some = all_new > 0
    share = np.where(some, cost, 0.0) / np.where(some, all_new, 1.0)
    return ComparedCuts(to, of, {"value": cost, "defined": np.ones(len(cost)), "share": share, "shares": some})


def _price(compared: SegmentationPairs, both: float, shift: float | None) -> FloatArray:
    """Return the cost of shifting by one atom, for each pair."""
    cuts = compared.cuts
    if shift is not None:
        return np.full(len(compared.first), check_number(shift, "shift", low=0))
    n_segments = cuts.n_boundaries[compared.first] + cuts.n_boundaries[compared.second] + 2
    half_a_mean_segment = cuts.length[compared.first] / n_segments
    return both / half_a_mean_segment


def _moves(compared: SegmentationPairs, both: float, price: FloatArray) -> tuple[IntArray, IntArray]:
    """Find the best moves of each pair, with compiled code if that is worth it."""
    cuts = compared.cuts
    some, others = cuts.n_boundaries[compared.first], cuts.n_boundaries[compared.second]
    with np.errstate(divide="ignore"):
        near = np.minimum(2 * both / (price * cuts.length[compared.first]), 1)
    expect_work(int((some * (1 + near * others)).sum()) // _LIKE_A_UNIT, 2)
    return moves(cuts.boundaries, cuts.starts, compared.first, compared.second, both, price)


def _similarity(compared: SegmentationPairs, *, n: int) -> ComparedCuts:
    """Return S."""
    found = _edits(compared, n)
    potential = compared.cuts.length[compared.first] - 1
    similarity = 1 - (found.additions + found.distance / n) / np.maximum(potential, 1)
    defined = potential > 0
    return ComparedCuts(compared.first, compared.second, {"value": defined * similarity, "defined": defined})


def _boundary_similarity(compared: SegmentationPairs, *, n: int, chance: str) -> ComparedCuts:
    """Return B, what it consists of, and what is expected by chance."""
    found, cuts = _edits(compared, n), compared.cuts
    boundaries = found.additions + found.transpositions + found.matches
    unedited = boundaries - found.additions - found.distance / n
    numbers = {
        "value": unedited / np.maximum(boundaries, 1),
        "defined": boundaries > 0,
        "unedited": unedited,
        "boundaries": boundaries,
    }
    potential = cuts.length - 1
    of_each: dict[str, Any] = {
        "cuttable": potential > 0,
        "share": np.where(potential > 0, cuts.n_boundaries, 0) / np.maximum(potential, 1),
        "placed": cuts.n_boundaries,
        "potential": potential,
    }
    return ComparedCuts(compared.first, compared.second, numbers, of_each)


def _edits(compared: SegmentationPairs, n: int) -> BoundaryEdits:
    return edits(compared.cuts, compared.first, compared.second, min(check_whole(n, "n", low=1), EXACT))


_NO_BOUNDARY = "no boundary was placed, so none can match"
_LIKE_A_UNIT = 100
"""This many steps of the dynamic program take as long as aligning a unit, the unit of cost for compiling."""
_NO_WINDOW = "the window is as long as the continuum, or longer"


_NEEDS = "spans or masses that cut a continuum completely; two annotators or more"
_REFERENCE = Parameter("reference", None, text, "the annotator to compare all others with; by default each in turn")
_WINDOW = Parameter("window", None, whole_number, "distance between its ends in atoms; by default half a mean segment")
_N = Parameter("n", 2, whole_number, "boundaries fewer than n potential boundaries apart are near misses; 1 for none")


@coefficient(
    _family(partial(_windows, differ=one_only)),
    symbol="P_k",
    title="P_k: how often two atoms k apart are in the same segment for only one annotator",
    needs=_NEEDS,
    ignores="chance; how many boundaries lie between two atoms; labels",
    reference="Beeferman, Berger & Lafferty 1999",
    papers=("beeferman1999",),
    when="if there are published values to compare with; WindowDiff and B detect more",
    corrected=False,
    parameters=(_WINDOW, _REFERENCE),
    scale="error",
)
def pk(
    compared: ComparisonSums,
    *,
    window: int | None = None,
    reference: str | None = None,
    **how: Unpack[SegmentationOptions],
) -> Estimate:
    """Share of windows at whose two ends annotators do not agree on "same segment or not"; 0 is perfect.

    P_k = 1/(L - k) Σ_i [(r_i > 0) ≠ (h_i > 0)], where r_i and h_i are the numbers of boundaries that reference and
    hypothesis have between atom i and atom i + k, and L is the number of atoms; k is half the mean segment of the
    reference, rounded half to even, at least 2.

    See Also
    --------
    window_diff, boundary_similarity

    Examples
    --------
    >>> import unisono
    >>> cuts = unisono.from_masses({"anna": [2, 3, 6], "bert": [2, 2, 7]})
    >>> round(unisono.pk(cuts, window=3).value, 3)
    0.125
    """
    return _referred(compared, reference, _NO_WINDOW)


@coefficient(
    _family(partial(_windows, differ=np.not_equal)),
    symbol="WD",
    title="WindowDiff: how often a window contains more boundaries for one annotator than for another",
    needs=_NEEDS,
    ignores="chance; by how many boundaries windows differ; labels",
    reference="Pevzner & Hearst 2002",
    papers=("pevzner2002",),
    when="if there are published values to compare with, mostly of a system and a reference",
    corrected=False,
    parameters=(
        _WINDOW,
        _REFERENCE,
        Parameter("padding", False, yes_or_no, "whether windows extend past both ends (Lamprier et al. 2007)"),
    ),
    scale="error",
)
def window_diff(
    compared: ComparisonSums,
    *,
    window: int | None = None,
    reference: str | None = None,
    padding: bool = False,
    **how: Unpack[SegmentationOptions],
) -> Estimate:
    """Share of windows that do not contain the same number of boundaries; 0 is perfect.

    WindowDiff = 1/(L - k) Σ_i [r_i ≠ h_i], with everything as in P_k. With `padding`, windows start k atoms before the
    first and end k after the last, L + k of them, and boundaries near an end count as much as others.

    See Also
    --------
    pk, boundary_similarity

    Examples
    --------
    >>> import unisono
    >>> cuts = unisono.from_masses({"anna": [2, 3, 6], "bert": [2, 2, 7]})
    >>> round(unisono.window_diff(cuts, window=3).value, 3)
    0.25
    """
    return _referred(compared, reference, _NO_WINDOW)


@coefficient(
    _family(_costs),
    symbol="GHD",
    title="Generalized Hamming Distance: the cost of inserting, deleting and shifting boundaries",
    needs=_NEEDS,
    ignores="chance; labels; the length of the text, unless normalized",
    reference="Bookstein, Kulyukin & Raita 2002",
    papers=("bookstein2002",),
    when="if it matters how far boundaries are moved, or if insertions and deletions weigh differently",
    corrected=False,
    parameters=(
        Parameter("insertion", 1.0, number, "cost of a boundary that only the reference has"),
        Parameter("deletion", 1.0, number, "cost of a boundary that only the other annotator has"),
        Parameter(
            "shift",
            None,
            number,
            "cost of moving a boundary by one atom; by default insertion plus deletion over half a mean segment",
        ),
        _REFERENCE,
    ),
    scale="cost",
)
def generalized_hamming(
    compared: ComparisonSums,
    *,
    insertion: float = 1.0,
    deletion: float = 1.0,
    shift: float | None = None,
    reference: str | None = None,
    **how: Unpack[SegmentationOptions],
) -> Estimate:
    """Least cost of turning another's boundaries into the reference's; 0 is perfect, and there is no upper limit.

    M(i, j) = min(M(i-1, j-1) + shift · |h_i - r_j|, M(i-1, j) + deletion, M(i, j-1) + insertion). Without `shift`,
    moving a boundary by half a mean segment of the two costs as much as deleting and inserting it.
    `details["normalized"]` is the cost relative to deleting all boundaries of the one and inserting all of the other.

    See Also
    --------
    boundary_similarity, from_masses

    Examples
    --------
    >>> import unisono
    >>> cuts = unisono.from_masses({"anna": [2, 3, 6], "bert": [2, 2, 7]})
    >>> round(unisono.generalized_hamming(cuts).value, 3)
    1.091
    """
    n_shares = compared.total("shares", reference)
    share = compared.total("share", reference) / n_shares if n_shares else None
    return _referred(compared, reference, "", details={"normalized": share}, normalized=share)


@coefficient(
    _family(_similarity),
    symbol="S",
    title="Segmentation similarity S: the share of potential boundaries that need no edit",
    needs=_NEEDS,
    ignores="chance; labels; much of the difference where segments are long",
    reference="Fournier & Inkpen 2012; Fournier 2013",
    papers=("fournier2012", "fournier2013"),
    when="if there are published values to compare with; it is near 1 wherever segments are long",
    corrected=False,
    parameters=(_N,),
)
def segmentation_similarity(compared: ComparisonSums, *, n: int = 2, **how: Unpack[SegmentationOptions]) -> Estimate:
    """Potential boundaries without an edit: S = 1 - (A + Σ d/n) / (L - 1).

    A additions, transpositions over d < n potential boundaries, L - 1 potential boundaries between L atoms.

    See Also
    --------
    boundary_similarity, from_masses

    Examples
    --------
    >>> import unisono
    >>> cuts = unisono.from_masses({"anna": [2, 3, 6], "bert": [2, 2, 7]})
    >>> round(unisono.segmentation_similarity(cuts).value, 3)
    0.95
    """
    return compared.average("a continuum of a single atom cannot be cut")


@coefficient(
    _family(_boundary_similarity),
    symbol="B",
    title="Boundary similarity B: the share of boundaries that need no edit",
    needs=_NEEDS,
    ignores="labels; chance, unless chance=pi or kappa; how far off a full miss is",
    reference="Fournier 2013",
    papers=("fournier2013",),
    when="the first choice for segmentation: near misses count half, and no window length has to be chosen",
    corrected=False,
    parameters=(
        _N,
        Parameter("chance", "none", choice("none", "pi", "kappa"), "correction for chance: none, pi or kappa"),
    ),
)
def boundary_similarity(
    compared: ComparisonSums,
    *,
    n: int = 2,
    chance: Literal["none", "pi", "kappa"] = "none",
    **how: Unpack[SegmentationOptions],
) -> Estimate:
    """Boundaries without an edit: B = 1 - (A + Σ d/n) / (A + T + M).

    A additions, T transpositions over d < n potential boundaries, M matches. `details` has π* and κ* too: A_a is B with
    numerators and denominators of all comparisons added up; A_e of π* is the squared mean share of potential boundaries
    that are boundaries, that of κ* the mean over pairs of annotators of the product of their shares.

    See Also
    --------
    segmentation_similarity, window_diff, from_masses

    Examples
    --------
    >>> import unisono
    >>> cuts = unisono.from_masses({"anna": [2, 3, 6], "bert": [2, 2, 7]})
    >>> round(unisono.boundary_similarity(cuts).value, 3)
    0.75
    """
    beyond = {
        "pi": _beyond(compared, _expected_pi(compared)),
        "kappa": _beyond(compared, _expected_kappa(compared)),
    }
    details = {name: estimate.value for name, estimate in beyond.items()}
    plain = compared.average(_NO_BOUNDARY, details=details)
    if chance == "none" or plain.value is None:
        return plain
    corrected = beyond[chance]
    return replace(corrected, details={"similarity": plain.value, **details}, notes=plain.notes)


def _referred(compared: ComparisonSums, reference: str | None, why: str, **more: Any) -> Estimate:
    """Return the mean, if there is anyone to compare with."""
    if reference is not None and reference not in compared.annotators:
        people = ", ".join(compared.annotators)
        raise DataError(f"the reference {reference!r} is not among the annotators: {people}")
    if not compared.total(COMPARISONS, reference):
        return Estimate(None, undefined=f"the reference {reference!r} shares no document with another annotator")
    return compared.average(why, reference, **more)


def _beyond(compared: ComparisonSums, expected: float | None) -> Estimate:
    total = compared.total("boundaries")
    if expected is None or not total:
        return Estimate(None, undefined=_NO_BOUNDARY)
    return beyond_chance(compared.total("unedited") / total, expected)


def _expected_pi(compared: ComparisonSums) -> float | None:
    """Return the squared mean share of boundaries, over all segmentations that are compared."""
    n = float(compared.by_annotator("cuttable").sum())
    return (float(compared.by_annotator("share").sum()) / n) ** 2 if n else None


def _expected_kappa(compared: ComparisonSums) -> float | None:
    """Return the mean over pairs of annotators of the product of their shares, each over all they cut."""
    placed, potential = compared.by_annotator("placed"), compared.by_annotator("potential")
    one, other = compared.pairs
    both = (potential[one] > 0) & (potential[other] > 0)
    one, other = one[both], other[both]
    if not len(one):
        return None
    return float((placed[one] / potential[one] * placed[other] / potential[other]).mean())
