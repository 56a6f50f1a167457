"""Slot Error Rate: the cost of turning one annotator's units into another's (Makhoul et al. 1999).

References
----------
.. [1] Galibert, O., Quintard, L., Rosset, S., Zweigenbaum, P., Nédellec, C., Aubin, S., Gillard, L., Raysz, J.-P.,
       Pois, D., Tannier, X., Deléger, L., Laurent, D. (2010). Named and specific entity detection in varied data: the
       Quæro named entity baseline evaluation. LREC 2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Unpack

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data.labelled_units import LabelledUnits
from unisono.errors import DataError, listed, plural
from unisono.measurement.coefficient import coefficient
from unisono.measurement.declaration import Parameter
from unisono.measurement.options import UnitsOptions
from unisono.measurement.readers import text
from unisono.measurement.unitizing.matching import Matches, Ways, prepare
from unisono.measurement.unitizing.units import family_of_units
from unisono.results import Estimate

ALONE = 1.0
"""The cost of an insertion or a deletion."""


def _ways(*, reference: str | None) -> Ways:
    """Return the only way of matching, whoever the reference is."""
    return {"slots": _saving}


@coefficient(
    family_of_units(partial(prepare, ways=_ways), own=True),
    symbol="SER",
    title="Slot Error Rate: the cost of turning one annotator's units into another's, per unit of the other",
    needs="spans, with or without categories, nested or overlapping; two or more annotators",
    ignores="chance; by how much boundaries differ",
    reference="Makhoul et al. 1999; Galibert et al. 2010; Mathet, Widlöcher & Métivier 2015, §3.4.2",
    papers=("makhoul1999",),
    when="if a system's output is compared with a reference; for annotators, gamma corrects for chance",
    parameters=(
        Parameter("reference", None, text, "the annotator to compare the others with; by default each in turn"),
    ),
    scale="error",
    corrected=False,
    takes_overlap=True,
)
def slot_error_rate(matches: Matches, *, reference: str | None = None, **how: Unpack[UnitsOptions]) -> Estimate:
    """Errors per unit of the reference: 0 is perfect, and with many insertions it exceeds 1.

    SER = (least cost of matching units one to one) / (units of the reference). A matched pair costs 0.5 if the
    category differs, 0.5 if the boundaries differ, 1 if both do; an unmatched unit, inserted or deleted, costs 1. Only
    units that overlap can be matched, and empty ones at the same place. Costs and units are summed over documents for
    each ordered pair of annotators; the value is the mean over these pairs (Mathet et al. 2015, §3.4.2, after
    Galibert et al. 2010).

    See Also
    --------
    span_f1, gamma

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> round(unisono.slot_error_rate(corpus, reference="anna").value, 3)
    0.5
    """
    names = matches.annotators
    if reference is not None and reference not in names:
        raise DataError(f"the reference {reference!r} is not among the annotators: {listed(names)}")
    cost = ALONE * matches.n_units.sum(axis=1) - matches.saved("slots")
    target, other = matches.pairs.ravel(), matches.pairs[:, ::-1].ravel()
    keep = np.ones(len(target), np.bool_) if reference is None else target == names.index(reference)
    size, errors = matches.n_units.ravel()[keep], np.repeat(cost, 2)[keep]
    values = errors[size > 0] / size[size > 0]
    if not len(values):
        return Estimate(None, undefined="the reference has no units to divide by")
    left_out = len(size) - len(values)
    note = f"{plural(left_out, 'pair')} left out: the reference marked nothing" if left_out else ""
    tables = {"pairs": _pairs(names, target[keep], other[keep], size, errors)} if matches.document is None else {}
    return Estimate(float(np.mean(values)), tables=tables, notes=(note,) if note else ())


def _pairs(
    names: Sequence[str], target: IntArray, other: IntArray, size: IntArray, errors: FloatArray
) -> list[dict[str, Any]]:
    """List each pair of annotators with their errors, in both directions."""
    columns = zip(target.tolist(), other.tolist(), size.tolist(), errors.tolist(), strict=True)
    return [
        {"reference": names[a], "compared": names[b], "value": cost / n if n else None, "n_units": n}
        for a, b, n, cost in columns
    ]


def _saving(units: LabelledUnits, u: IntArray, v: IntArray) -> FloatArray:
    """Return how much less a matched pair costs than two unmatched units."""
    boundary = (units.start[u] != units.start[v]) | (units.end[u] != units.end[v])
    cost = 0.5 * (units.category[u] != units.category[v]) + 0.5 * boundary
    return np.asarray(2 * ALONE - cost)
