"""Agreement between two groups: the mean over all pairs of one annotator of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from statistics import fmean
from typing import Any

import numpy as np

from unisono.data import Corpus
from unisono.errors import DataError, plural
from unisono.results import Interval, Result
from unisono.statistics.jackknife import Jackknife
from unisono.studies.result import Part, StudyCell


def between_groups(
    corpus: Corpus, guideline: str, name: str, groups: Sequence[Sequence[str]], measured: Callable[[Corpus], Any]
) -> Part:
    """Measure each pair of one annotator of the first group and one of the second, and take means."""
    pairs = list(product(*groups))
    results: list[Result] = []
    reasons: list[str] = []
    for pair in pairs:
        try:
            result = measured(corpus.select(annotators=pair))
        except DataError as error:
            reasons.append(str(error))
            continue
        if result.value is None:
            reasons.append(result.undefined or "no value")
        else:
            results.append(result)
    people = corpus.select(annotators=tuple(who for group in groups for who in group))
    cells = {text: _mean_cell(text, results, people) for text in corpus.documents}
    if not results:
        return Part(guideline, name, cells, None, None, reasons[0] if reasons else "no value", (), people.annotators)
    notes = [f"means over {plural(len(results), 'pair')} of annotators, one of each group"]
    notes += [f"{plural(len(reasons), 'pair')} of {len(pairs)} left out: {reasons[0]}"] if reasons else []
    value = fmean(result.value for result in results if result.value is not None)
    found = mean_jackknife([result.parts for result in results]).interval()
    interval = found if isinstance(found, Interval) else None
    return Part(guideline, name, cells, value, interval, None, tuple(notes), people.annotators)


def mean_jackknife(parts: Sequence[Any]) -> Jackknife:
    """Leave documents out of the mean of several values that share them."""
    weights: dict[str, float] = {}
    for one in parts:
        for document, weight in one.documents().items():
            weights[document] = weights.get(document, 0.0) + weight
    found = [one.leave_out([[document] for document in weights]) for one in parts]
    return Jackknife(
        fmean(one.error for one in found),
        np.mean([one.without for one in found], axis=0),
        np.array([*weights.values()]),
        names=[*weights],
        scale=max((one.scale for one in found), key=lambda scale: scale.greatest),
        remark=f"mean of {plural(len(found), 'pair')}" if len(found) > 1 else "",
    )


def cell_of(row: Mapping[str, Any], corpus: Corpus) -> StudyCell:
    """Return what was found for a text, with the numbers of annotators and units."""
    index = corpus.documents.index(row["document"])
    rows = corpus.rows(index)
    return StudyCell(
        row.get("value"),
        row.get("observed"),
        row.get("expected"),
        int(corpus.worked[index].sum()),
        int(rows.stop - rows.start),
        row.get("undefined"),
    )


def _mean_cell(text: str, results: Sequence[Result], people: Corpus) -> StudyCell:
    """Return the means of a text over the pairs that have a value for it."""
    if text not in people.documents:
        return StudyCell(None, None, None, 0, 0, "none of these annotators worked on it")
    rows = [one.to_dict() for result in results for one in result.documents if one.document == text]
    known = [row for row in rows if row["value"] is not None]
    if not known:
        reasons = [row["undefined"] for row in rows if row["undefined"]]
        return cell_of({"document": text, "undefined": reasons[0] if reasons else "no pair worked on it"}, people)
    means = {
        name: fmean(row[name] for row in known) if all(row[name] is not None for row in known) else None
        for name in ("value", "observed", "expected")
    }
    return cell_of({"document": text, **means}, people)
