"""F1 of relations: the share that two annotators have in common, as studies of relation extraction report it."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, Unpack

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data.labelled_units import LabelledUnits
from unisono.measurement.coefficient import coefficient
from unisono.measurement.declaration import Parameter
from unisono.measurement.options import UnitsOptions
from unisono.measurement.readers import choice, yes_or_no
from unisono.measurement.relations.ends import ends_in_common, label_kappa, refuse_plain
from unisono.measurement.unitizing.f1 import MATCHES, category_rows, empty_pairs, f1_by_category, mean_f1
from unisono.measurement.unitizing.matching import Matches, SpansPrepared, Ways
from unisono.measurement.unitizing.units import family_of_units, unit_frame
from unisono.results import Estimate

_SAME_ENDS = "same ends"


def _prepare(data: Any, *, feature: str | None, endpoints: str, labelled: bool, directed: bool) -> SpansPrepared:
    refuse_plain(data, "relation-f1")
    ways = _ways(endpoints, labelled, directed)
    return SpansPrepared(unit_frame(data, feature), extent=False, lengths=False, ways=ways, crossed=(_SAME_ENDS,))


def _ways(endpoints: str, labelled: bool, directed: bool) -> Ways:
    """Return the ways of matching that the formula compares."""
    wanted = [*((name, labelled) for name in MATCHES), ("exact", False), (endpoints, True)]
    ways = {_way(*one): partial(_credit, partly=MATCHES[one[0]], labelled=one[1], directed=directed) for one in wanted}
    return {**ways, _SAME_ENDS: partial(_same_ends, directed=directed)}


@coefficient(
    family_of_units(_prepare, own=True, name="relations"),
    symbol="F1",
    title="F1 of relations: the share of relations that annotators have in common, pair by pair",
    needs="relations or events, with or without categories; two or more annotators",
    ignores="chance; by how much ends differ, unless endpoints is partial or overlap",
    reference="Hripcsak & Rothschild 2005",
    papers=("hripcsak2005",),
    when="if results are to be compared with those of studies of relation extraction; gamma corrects for chance",
    parameters=(
        Parameter(
            "endpoints", "exact", choice(*MATCHES), "exact, partial (ends that overlap count half) or overlap (fully)"
        ),
        Parameter("labelled", True, yes_or_no, "true or false: whether the category must be the same"),
        Parameter("directed", True, yes_or_no, "true or false: whether the direction from source to target counts"),
    ),
    corrected=False,
    takes_overlap=True,
    takes_composite=True,
)
def relation_f1(
    matches: Matches,
    *,
    endpoints: Literal["exact", "partial", "overlap"] = "exact",
    labelled: bool = True,
    directed: bool = True,
    **how: Unpack[UnitsOptions],
) -> Estimate:
    """Share of relations in common: F1 = 2 · credit / (n_a + n_b), the mean over pairs of annotators.

    Relations are matched one to one, for the greatest total credit, which is the mean over their ends: 1 for an end
    that is the same, and for one that overlaps otherwise nothing (exact), 0.5 (partial) or 1 (overlap); if one end is
    elsewhere, the relation counts nothing. Events are treated alike: all anchors must have a counterpart of their role.
    Credit and numbers of units are summed over documents for each pair. `label_kappa` is Cohen's κ of the labels of
    relations with the same ends, the mean over pairs.

    See Also
    --------
    span_f1, attachment, gamma

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     anchors=[
    ...         [("source", 0, 4), ("target", 5, 9)],
    ...         [("source", 10, 14), ("target", 5, 9)],
    ...         [("source", 0, 4), ("target", 5, 9)],
    ...         [("source", 10, 14), ("target", 0, 4)],
    ...     ],
    ...     features={"category": ["subject", "object", "subject", "object"]},
    ... )
    >>> round(unisono.relation_f1(corpus).value, 3)
    0.5
    """
    n_units = matches.n_units.sum(axis=1)
    values = {
        **{name: mean_f1(matches.saved(_way(name, labelled)), n_units) for name in MATCHES},
        "unlabelled": mean_f1(matches.saved(_way("exact", False)), n_units),
    }
    categories = f1_by_category(matches, _way(endpoints, True))
    return Estimate(
        values[endpoints],
        details={
            "macro": float(np.mean([*categories.values()])),
            **values,
            "label_kappa": label_kappa(matches.crossed(_SAME_ENDS)),
        },
        tables={"categories": category_rows(matches, categories)} if matches.document is None else {},
        notes=empty_pairs(n_units),
    )


def _way(endpoints: str, labelled: bool) -> str:
    return f"{endpoints}, {'same' if labelled else 'any'} category"


def _credit(
    units: LabelledUnits, u: IntArray, v: IntArray, *, partly: float, labelled: bool, directed: bool
) -> FloatArray:
    """Return the credit of pairs of relations."""
    credit = ends_in_common(units, u, v, partly=partly, directed=directed)
    return np.asarray(credit * (units.category[u] == units.category[v])) if labelled else credit


def _same_ends(units: LabelledUnits, u: IntArray, v: IntArray, *, directed: bool) -> FloatArray:
    """Return what matching relations with the same ends is worth: more if their categories are the same, too."""
    same = ends_in_common(units, u, v, partly=0.0, directed=directed)
    return np.asarray(same * (1.0 + 0.5 * (units.category[u] == units.category[v])))
