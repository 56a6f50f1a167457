"""The confidence interval of any coefficient: which parts of the data are left out, and which values errors can have.

Parts are documents; of labels in fewer than three documents, single items, or blocks of neighbouring ones if these
vary more; of a single document, stretches of it. In place of items and stretches, a formula may have an interval of its
own (`Estimate.interval`). With three documents or more it is not used: items of one document may be alike, and such
intervals take them for independent. docs/coverage.md shows by simulation which intervals are reliable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from unisono.arrays import FloatArray, IntArray
from unisono.data import Corpus, Data
from unisono.errors import DataError, listed
from unisono.measurement.document_groups import MOST_PARTS, affordable_parts, groups_of_documents
from unisono.measurement.item_order import is_sorted, mixed
from unisono.measurement.sums import SumsPrepared, sums_by
from unisono.results import Estimate, Interval
from unisono.statistics.jackknife import FEWEST_PARTS, Disputes, Divisible, ErrorScale, Jackknife
from unisono.statistics.stretches import in_stretches

if TYPE_CHECKING:  # results ask for their intervals, and families make results
    from unisono.measurement.categorization.counts import Counts
    from unisono.measurement.categorization.family import PreparedRatings
    from unisono.measurement.coefficient_result import CoefficientResult

N_BLOCKS = 10
"""Items next to each other may be alike: blocks must be long enough to differ by chance only, and enough in number to
show how much they do."""
_N_STRETCHES = 5
_MOST_ITEMS = 10_000
_MOST_PATTERNS = 300
"""Up to so many items, labelled in so many ways, are left out one by one."""
_WIDEST_UNBOUNDED = log(10)
"""If agreement has no lower bound, an interval that reaches an error ten times as large is uninformative."""


@dataclass(frozen=True)
class CoefficientParts(Divisible):
    """The parts of the data that can be left out of a coefficient."""

    result: CoefficientResult
    most_parts: ClassVar[float] = MOST_PARTS

    def interval(self) -> Interval | str:
        """See `Divisible`."""
        own = self.result.estimate.interval
        if self.error is None:
            return "there is no value"
        if own is not None and not self._over_documents:
            return own
        if self.error <= 0:
            return Jackknife(self.error, scale=self.scale, disputes=Disputes(0, self.one_more)).interval()
        return super().interval()

    def jackknife(self) -> Jackknife | str:
        """See `Divisible`."""
        found: Jackknife | None
        if self._over_documents:
            groups = groups_of_documents(len(self._counting), self.work, [self._contents])
            found = self._left_out([self._counting[group] for group in groups])
        elif self._labelled is not None:
            found = self._over_items(self._labelled) if self._of_items else self._over_blocks(self._labelled.by_item)
        else:
            found = self._over_stretches(self._counting)
        if found is None:
            return "units overlap throughout and leave no place to cut; add more documents"
        return replace(found, disputes=self._disputes(found))

    def leave_out(self, groups: Sequence[Sequence[str]]) -> Jackknife:
        """See `Divisible`."""
        place = {name: index for index, name in enumerate(self.result.data.documents)}
        found = self._left_out([np.array([place[n] for n in group if n in place], np.int64) for group in groups])
        return replace(found, names=[listed(group, 2) for group in groups], disputes=Disputes(None, self.one_more))

    @property
    def measures_again(self) -> bool:
        """See `Divisible`."""
        return not self._adds_up and self._labelled is None

    def documents(self) -> dict[str, float]:
        """See `Divisible`: how many units each document has."""
        names = self.result.data.documents
        return {names[index]: float(self._n_counting[index]) for index in self._counting.tolist()}

    @cached_property
    def error(self) -> float | None:
        """The value as an error: 0 is perfect."""
        return self._error(self.result.estimate)

    @cached_property
    def counts(self) -> Counts | None:
        """The counts of labels, if the formula uses them: of items, or of atoms of a continuum."""
        return None if self._labelled is None else self._labelled.statistics()

    @cached_property
    def scale(self) -> ErrorScale:
        """The range of errors.

        Shares that are not corrected for chance are within 0 and 1. κ, π and α of labels, uα and cuα are not below −1:
        for two labels x, y and a third z drawn by chance, d(x, y) ≤ d(x, z) + d(z, y), hence D_o ≤ 2 D_e. That need not
        hold for a matrix of distances, nor for measures whose chance includes labels of items with a single label.
        """
        declared, agreement = self.result.declaration, self.result.declaration.scale == "agreement"
        share = agreement or (declared.scale == "error" and declared.family == "segmentation")
        if share and not declared.corrected and self.result.expected is None:
            return ErrorScale(bounded=True, greatest=1.0, agreement=agreement)
        if (self.counts is not None or declared.name in ("u-alpha", "cu-alpha")) and (self.error or 0.0) <= 2.0:
            return ErrorScale(bounded=True, greatest=2.0, agreement=agreement)
        return ErrorScale(widest=_WIDEST_UNBOUNDED) if agreement else ErrorScale(agreement=False)

    @cached_property
    def weights(self) -> FloatArray:
        """How much each document counts: its number of units, or of labels other than the most frequent one.

        What κ, π and α expect by chance depends on those other labels. If they are all in a few documents, the value is
        only as good as a value of these few.
        """
        if self._labelled is None or not self._counts_rare:
            return self._n_counting
        n_rare = self._labelled.n_rare()
        return np.where(self._n_counting > 0, n_rare, 0.0) if n_rare.any() else self._n_counting

    @cached_property
    def work(self) -> int:
        """How much there is to measure again without a part: units, or items that are labelled differently."""
        if self.counts is None:
            return self.result.n_units
        return int(min(self.result.n_units, (len(self.counts.labels) + 1) ** len(self.counts.columns)))

    @property
    def _counts_rare(self) -> bool:
        """Whether chance depends on how often labels occur."""
        return self.result.declaration.corrected and "categories" not in self.result.parameters

    @property
    def _labelled(self) -> PreparedRatings | None:
        """The labels, if the formula uses them."""
        return cast("PreparedRatings", self.result.prepared) if hasattr(type(self.result.prepared), "ratings") else None

    @property
    def _over_documents(self) -> bool:
        """Whether parts are documents."""
        return len(self._counting) >= (2 if self.counts is None else FEWEST_PARTS)

    @property
    def _adds_up(self) -> bool:
        """Whether the value follows from sums over documents."""
        result = self.result
        why = result.formula.at_once(result.data, **result.options)
        return isinstance(result.prepared, SumsPrepared) and not why

    @property
    def _of_items(self) -> bool:
        """Whether labels are those of given items, not of atoms that a continuum was cut into."""
        return self.counts is not None and self.result.declaration.family == "ratings"

    @property
    def _by_distance(self) -> bool:
        """Whether labels are not just the same or different."""
        given = self.result.parameters
        return self.result.declaration.labels != "names" or any(
            str(given.get(name, "nominal")) != "nominal" for name in ("distance", "weights")
        )

    def _error(self, estimate: Estimate) -> float | None:
        if estimate.value is None:
            return None
        return float(1 - estimate.value) if self.result.declaration.scale == "agreement" else float(estimate.value)

    def _jackknife(self, without: FloatArray, weights: FloatArray, what: str, each: float) -> Jackknife:
        error = np.nan if self.error is None else self.error
        return Jackknife(error, without, weights, what, each=each, scale=self.scale)

    def _over_items(self, labelled: PreparedRatings) -> Jackknife:
        """Leave out single items, or blocks of neighbouring ones where their order carries meaning and they vary more.

        Neighbours in a text are often alike; then single items vary less than the text would elsewhere. The order of
        sorted rows, or of rows that stand for several items, carries no meaning.
        """
        counts, ratings = labelled.by_item, labelled.ratings
        single = self._over_single_items(counts)
        table = not isinstance(self.result.data, Corpus)
        if table and (ratings.repeats is not None or is_sorted(counts, ratings.document)):
            return replace(single, remark="rows are sorted, so their order is ignored")
        blocks = self._over_blocks(counts)
        if blocks is None or blocks.n_parts >= single.n_parts:
            return single
        if single.variance is None or blocks.variance is None:
            return blocks  # whatever says nothing in parts is counted
        return blocks if blocks.variance > single.variance else single

    def _over_single_items(self, counts: Counts) -> Jackknife:
        """Leave out single items, or mixed groups of them if there are very many."""
        each = counts.distinct
        rare = each.n_rare.astype(np.float64)  # see `weights`
        by_rare = self._counts_rare and (rare * each.repeats).any()
        weights = np.where(each.paired, rare if by_rare else 1.0, 0.0)
        if counts.repeats.sum() > _MOST_ITEMS or len(each.repeats) > _MOST_PATTERNS:
            n_groups = affordable_parts(self.work)
            group = mixed(counts, n_groups)
            own = sums_by(group, weights[counts.pattern] * counts.repeats, n_groups)
            without = self._without_items(counts, group, n_groups)
            return self._jackknife(without, own, "groups of items", counts.n_paired / n_groups)
        rests = (replace(each, repeats=each.repeats - one) for one in np.eye(len(each.repeats)))
        without = self._errors(rests)
        counting = each.paired | (without != self.error)  # a single label of an item may count for chance
        n_parts = np.where(counting, each.repeats, 0).astype(np.int64)
        return self._jackknife(np.repeat(without, n_parts), np.repeat(weights, n_parts), "items", 1.0)

    def _over_blocks(self, counts: Counts) -> Jackknife | None:
        """Leave out blocks of neighbouring items, all of the same size."""
        paired = np.where(counts.paired, counts.repeats, 0.0)
        total = float(paired.sum())
        n_blocks = int(min(N_BLOCKS if self._of_items else _N_STRETCHES, total))
        if not n_blocks:
            return None
        block = np.minimum(((np.cumsum(paired) - paired / 2) * n_blocks / total).astype(np.int64), n_blocks - 1)
        weights = np.bincount(block, weights=paired, minlength=n_blocks).astype(np.float64)
        what = "blocks of items" if self._of_items else "blocks of atoms"
        return self._jackknife(self._without_items(counts, block, n_blocks), weights, what, total / n_blocks)

    def _over_stretches(self, documents: IntArray) -> Jackknife | None:
        """Leave out stretches of the only document."""
        data = self.result.data
        if not isinstance(data, Corpus) or len(documents) != 1:
            return None
        complete = self.result.declaration.family == "segmentation"
        cut = in_stretches(data.select(documents=[data.documents[documents[0]]]), _N_STRETCHES, through=complete)
        if cut is None:
            return None
        without = self._without_each(cut)
        weights = np.bincount(cut.document, minlength=len(cut.documents)).astype(np.float64)
        return self._jackknife(without, weights, "stretches of the document", 1 / len(weights))

    def _without_each(self, data: Corpus) -> FloatArray:
        """Return the error of other data without each of its documents."""
        if self._adds_up:
            try:
                prepared = cast("SumsPrepared", self.result.remeasure(data).prepared)
                return self._errors(prepared.statistics_without(np.arange(len(data)), len(data)))
            except DataError:  # what does not hold for all documents may hold for some
                pass
        return self._measured(_without(data, [name]) for name in data.documents)

    def _errors(self, rests: Iterator[Any]) -> FloatArray:
        return np.array([self._error(self.result.apply(rest)) for rest in rests], dtype=np.float64)  # None becomes NaN

    def _left_out(self, groups: Sequence[IntArray]) -> Jackknife:
        """Leave out groups of documents, which are given by their numbers."""
        names = self.result.data.documents
        weights = np.array([float(self.weights[group].sum()) for group in groups])
        what = "documents" if all(len(group) == 1 for group in groups) else "groups of documents"
        each = len(self._counting) / max(len(groups), 1)
        found = self._jackknife(self._without_documents(groups), weights, what, each)
        return replace(found, names=[_listed(names, group) for group in groups])

    def _without_documents(self, groups: Sequence[IntArray]) -> FloatArray:
        """Return the error without each group of documents; NaN if there is no value then."""
        data = self.result.data
        of_document = np.full(len(data.documents), -1)
        for number, group in enumerate(groups):
            of_document[group] = number
        if self._adds_up:
            prepared = cast("SumsPrepared", self.result.prepared)
            return self._errors(prepared.statistics_without(of_document, len(groups)))
        if self._labelled is None:
            return self._measured(_without(data, [data.documents[index] for index in group]) for group in groups)
        counts = self._labelled.by_item
        return self._without_items(counts, of_document[self._labelled.ratings.document], len(groups))

    def _without_items(self, counts: Counts, group: IntArray, n_groups: int) -> FloatArray:
        """Return the error without each group of items; items that are labelled alike are counted together."""
        every, pattern = counts.distinct, counts.pattern
        n_patterns = len(every.repeats)
        order = np.argsort(group, kind="stable")
        edges = np.searchsorted(group[order], np.arange(n_groups + 1))
        found = []
        for number in range(n_groups):
            rows = order[edges[number] : edges[number + 1]]
            own = np.bincount(pattern[rows], weights=counts.repeats[rows], minlength=n_patterns)
            rest = replace(every, repeats=np.maximum(every.repeats - own, 0.0))
            found.append(self._error(self.result.apply(rest)))
        return np.array(found, dtype=np.float64)  # None becomes NaN

    def _measured(self, rests: Iterator[Data]) -> FloatArray:
        """Measure again what is left each time."""
        found = []
        for rest in rests:
            try:
                found.append(self._error(self.result.remeasure(rest).estimate) if len(rest.documents) else None)
            except DataError:  # what holds for all documents together need not hold for some of them
                found.append(None)
        return np.array(found, dtype=np.float64)  # None becomes NaN

    def _disputes(self, found: Jackknife) -> Disputes:
        """Count disputed items where these are parts, or where all parts are alike; documents are not independent."""
        n = None
        if self.counts is not None and self._of_items and ("items" in found.what or found.alike):
            counts = self.counts
            n = int(counts.repeats[counts.paired & (counts.agreeing < counts.pairs)].sum()) or None
        return Disputes(n, self.one_more if self._by_distance else 0.0, self._by_distance)

    @cached_property
    def one_more(self) -> float:
        """The error if annotators differed on one thing: an item, a unit, or a document that has a cost.

        How far apart labels would be is unknown; they are assumed to be as far apart as different labels are by chance.
        """
        result, estimate, counts = self.result, self.result.estimate, self.counts
        if result.declaration.scale == "cost":
            return 1 / max(result.n_documents, 1)
        share = 1 / max(counts.n_paired if counts is not None and self._of_items else self._n_units, 1)
        if estimate.expected is None:
            return share
        if estimate.what == "agreement":
            return share / (1 - estimate.expected)
        if counts is not None and self._of_items:
            return share / _different_by_chance(counts)
        expects_lengths = result.declaration.name == "alpha-u"  # which are not probabilities
        return share if expects_lengths or self._by_distance else share / estimate.expected

    @property
    def _n_units(self) -> float:
        """How many units an annotator has on average, all documents together."""
        data = self.result.data
        if not isinstance(data, Corpus):
            return self.result.n_units / self.result.n_annotators
        return float((data.sizes / np.maximum(data.worked.sum(axis=1), 1)).sum())

    @cached_property
    def _n_counting(self) -> FloatArray:
        """How many units each document has that count."""
        data = self.result.data
        if isinstance(data, Corpus):
            return np.where(data.worked.sum(axis=1) >= 2, data.sizes, 0).astype(np.float64)
        paired = np.where(data.n_given >= 2, data.n_given, 0)
        return np.bincount(data.document, weights=paired, minlength=len(data.documents)).astype(np.float64)

    @cached_property
    def _counting(self) -> IntArray:
        """The documents that count."""
        return np.flatnonzero(self._n_counting > 0)

    def _contents(self) -> npt.NDArray[np.bytes_]:
        return np.asarray(self.result.data.contents()[self._counting])


def _listed(names: Sequence[str], group: IntArray) -> str:
    """List some documents."""
    return listed([names[index] for index in group.tolist()], 2)


def _without(data: Data, group: Sequence[str]) -> Data:
    left = set(group)
    return data.select(documents=[name for name in data.documents if name not in left])


def _different_by_chance(counts: Counts) -> float:
    """Return how likely two randomly drawn labels are to differ: α's expected disagreement, if it is nominal."""
    n, total = counts.marginals, counts.n_pairable
    return float(n @ (total - n) / (total * (total - 1)))
