"""Agreement on dependency trees as parsers are evaluated: the share of words with the same head, and the same label."""

from __future__ import annotations

from functools import partial
from typing import Any, Unpack

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data.labelled_units import LabelledUnits
from unisono.measurement.coefficient import coefficient
from unisono.measurement.declaration import Parameter
from unisono.measurement.options import UnitsOptions
from unisono.measurement.readers import yes_or_no
from unisono.measurement.relations.dependencies import DEPENDENT, Dependencies, dependent_end
from unisono.measurement.relations.ends import label_kappa, refuse_plain
from unisono.measurement.unitizing.f1 import category_rows, empty_pairs, f1_by_category, mean_f1
from unisono.measurement.unitizing.matching import Matches, SpansPrepared
from unisono.measurement.unitizing.units import family_of_units, unit_frame
from unisono.results import Estimate

_HEADS, _LABELLED, _WORDS = "heads", "heads and labels", "words"


def _prepare(data: Any, *, feature: str | None, dependent: str, labelled: bool) -> SpansPrepared:
    refuse_plain(data, "attachment")
    found = dependent_end(data, dependent, "attachment")
    ways = {name: partial(_credit, what=name, dependent=found) for name in (_HEADS, _LABELLED, _WORDS)}
    return SpansPrepared(unit_frame(data, feature), extent=False, lengths=False, ways=ways, crossed=(_WORDS,))


@coefficient(
    family_of_units(_prepare, own=True, name="relations"),
    symbol="attachment",
    title="Attachment agreement: the share of words with the same head (and label) in dependency trees, pair by pair",
    needs="dependencies: relations with one dependent and one head each; two or more annotators",
    ignores="chance",
    reference="Skjærholt 2014",
    papers=("skjaerholt2014",),
    when="if results are to be compared with attachment scores of parsers; tree-alpha corrects for chance",
    parameters=(
        Parameter("labelled", False, yes_or_no, "true or false: whether the label must be the same, too"),
        DEPENDENT,
    ),
    corrected=False,
    takes_overlap=True,
    takes_composite=True,
)
def attachment(
    matches: Matches, *, labelled: bool = False, dependent: str = "auto", **how: Unpack[UnitsOptions]
) -> Estimate:
    """Share of words that two annotators attach to the same head: 2 · same / (n_a + n_b), the mean over pairs.

    If both attach the same words, that is the unlabelled attachment score, or with labels the labelled one. Words
    without a head, or that are their own head, are roots, whose heads are the same. Words are the same if their
    positions are. `label_kappa` is Cohen's κ of the labels of words that both attach, whatever their heads are.

    See Also
    --------
    tree_alpha, relation_f1

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
    >>> round(unisono.attachment(corpus, dependent="source").value, 3)
    0.5
    """
    n_units = matches.n_units.sum(axis=1)
    unlabelled, both = (mean_f1(matches.saved(name), n_units) for name in (_HEADS, _LABELLED))
    tables = matches.crossed(_WORDS)
    kept = {"label_agreement": _agreement(list(tables.values())), "label_kappa": label_kappa(tables)}
    return Estimate(
        both if labelled else unlabelled,
        details={"unlabelled": unlabelled, "labelled": both, **kept},
        tables={"categories": category_rows(matches, f1_by_category(matches, _LABELLED))}
        if matches.document is None
        else {},
        notes=empty_pairs(n_units),
    )


def _agreement(tables: list[FloatArray]) -> float | None:
    """Return the share of words with the same label, the mean over pairs."""
    return float(np.mean([np.trace(table) / table.sum() for table in tables])) if tables else None


def _credit(units: LabelledUnits, u: IntArray, v: IntArray, *, what: str, dependent: str) -> FloatArray:
    """Return what matching two units is worth; where only words count, more if more of the rest is the same."""
    found = Dependencies.of(units, dependent)
    word, head, label = found.same_dependent(u, v), found.same_head(u, v), units.category[u] == units.category[v]
    if what == _WORDS:
        return np.asarray(word * (1.0 + 0.25 * head + 0.5 * label))
    return np.asarray((word & head & label if what == _LABELLED else word & head).astype(np.float64))
