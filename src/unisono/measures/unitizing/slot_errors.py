"""Slot Error Rate: what it costs to turn one annotator's units into another's (Makhoul et al. 1999).

References
----------
.. [1] Makhoul, J., Kubala, F., Schwartz, R., Weischedel, R. (1999). Performance measures for information extraction.
       DARPA Broadcast News Workshop.
.. [2] Galibert, O., Quintard, L., Rosset, S., Zweigenbaum, P., Nédellec, C., Aubin, S., Gillard, L., Raysz, J.-P.,
       Pois, D., Tannier, X., Deléger, L., Laurent, D. (2010). Named and specific entity detection in varied data: the
       Quæro named entity baseline evaluation. LREC 2010.
.. [3] Mathet, Y., Widlöcher, A., Métivier, J.-P. (2015). Computational Linguistics 41(3), §3.4.2.
"""

from __future__ import annotations

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data.labelled_units import LabelledUnits
from unisono.errors import listed, plural
from unisono.measures.coefficient import Family, coefficient
from unisono.measures.declaration import Parameter
from unisono.measures.readers import text
from unisono.measures.unitizing.matching import Matches, prepare
from unisono.measures.unitizing.units import FEATURE
from unisono.results import Estimate

ALONE = 1.0
"""What an insertion or a deletion costs."""


@coefficient(
    Family("units", "unit", (FEATURE,), prepare),
    name="slot-error-rate",
    symbol="SER",
    title="Slot Error Rate: what it costs to turn one annotator's units into another's, for each unit of the other",
    needs="spans, with or without categories, nested or overlapping; two or more annotators",
    ignores="chance; by how much boundaries differ",
    reference="Makhoul et al. 1999; Galibert et al. 2010; Mathet, Widlöcher & Métivier 2015, §3.4.2",
    when="a system's output is compared with a reference; for annotators, gamma corrects for chance",
    parameters=(
        Parameter("reference", None, text, "the annotator that the others are compared with; by default each in turn"),
    ),
    scale="error",
    corrected=False,
)
def slot_error_rate(matches: Matches, reference: str | None = None) -> Estimate:
    """Errors per unit of the reference: 0 is perfect, and with many insertions it exceeds 1.

    SER = (least cost of matching units one to one) / (units of the reference). A matched pair costs 0.5 if the
    category differs, 0.5 if the boundaries differ, 1 if both do; a unit left alone, inserted or deleted, costs 1. Only
    units that overlap can be matched, and empty ones at the same place. Costs and units are summed over documents for
    each ordered pair of annotators; the value is the mean over these pairs.

    Parameters
    ----------
    data : Corpus
        Units on continua; they may overlap.
    reference : str, optional
        The annotator whom the others are compared with; by default each is the reference in turn.
    feature : str, optional
        The feature that is the category.

    References
    ----------
    .. [1] Mathet, Widlöcher & Métivier (2015), §3.4.2, after Galibert et al. (2010).
    """
    names, n_units = matches.units.corpus.annotators, matches.n_units
    if reference is not None and reference not in names:
        who = f"there is no annotator {reference!r} to be the reference; there are: {listed(names)}"
        return Estimate(None, undefined=who)
    first, second = matches.pairs.T
    alone = ALONE * (n_units[first, second] + n_units[second, first])
    cost = alone - matches.saved("slots", _saving)
    rows, left_out = [], 0
    for a, b, errors in zip(first.tolist(), second.tolist(), cost.tolist(), strict=True):
        for target, other in ((a, b), (b, a)):
            size = int(n_units[target, other])
            if reference is not None and names[target] != reference:
                continue
            left_out += not size
            value = errors / size if size else None
            rows.append({"reference": names[target], "compared": names[other], "value": value, "n_units": size})
    values = [row["value"] for row in rows if row["value"] is not None]
    if not values:
        return Estimate(None, undefined="the reference has no units to divide by")
    note = f"{plural(left_out, 'pair')} left out: the reference marked nothing" if left_out else ""
    return Estimate(float(np.mean(values)), tables={"pairs": rows}, notes=(note,) if note else ())


def _saving(units: LabelledUnits, u: IntArray, v: IntArray) -> FloatArray:
    """Give what a matched pair costs less than two units alone."""
    boundary = (units.start[u] != units.start[v]) | (units.end[u] != units.end[v])
    cost = 0.5 * (units.category[u] != units.category[v]) + 0.5 * boundary
    return np.asarray(2 * ALONE - cost)
