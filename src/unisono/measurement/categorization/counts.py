"""The input of coefficients for categorization: how often each label was given, with which others and by whom.

Everything here is a sum over items, each counted as often as it occurs; parts are computed when a formula needs them.
Notation: r_ik annotators gave item i label k, r_i any label; items with r_i ≥ 2 are paired.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.data import Label
from unisono.dissimilarity.difference_sums import Differences, Unlike
from unisono.measurement.categorization.choice import Scale
from unisono.measurement.sums import can_be_tallied, tally, tally_parts


@dataclass(frozen=True)
class Coincidences:
    """Krippendorff's o_ck = Σ_u (ordered pairs c, k in u) / (m_u - 1)."""

    # shape (n_cells,): codes of two labels c ≤ k, sorted; the value for k and c is the same as for c and k
    rows: IntArray
    columns: IntArray
    n: FloatArray  # shape (n_cells,): o_ck; cells that are 0 are left out

    def __len__(self) -> int:
        """Return the number of cells, in both orders."""
        return len(self.n) + int(np.count_nonzero(self.rows != self.columns))

    def both_ways(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Return c, k and o_ck of all cells, sorted."""
        unlike = self.rows != self.columns
        rows, columns = np.append(self.rows, self.columns[unlike]), np.append(self.columns, self.rows[unlike])
        order = np.lexsort((columns, rows))
        return rows[order], columns[order], np.append(self.n, self.n[unlike])[order]


@dataclass(frozen=True)
class Contingency:
    """How often the first of two annotators gave one label and the second another, on items that both labelled."""

    # shape (n_cells,): codes of the first and the second annotator's label
    rows: IntArray
    columns: IntArray
    n: FloatArray  # shape (n_cells,): how often; cells that are 0 are left out
    # shape (n_labels,): the share of each label among those of each annotator
    first: FloatArray
    second: FloatArray

    @property
    def total(self) -> float:
        """Number of items that both labelled."""
        return float(self.n.sum())

    @property
    def observed(self) -> float:
        """A_o, the share of items with the same label."""
        return float(self.n[self.rows == self.columns].sum() / self.total)


@dataclass
class ItemSums:
    """Σ δ of items, kept for the same items that occur in another number."""

    sums: FloatArray = field(default_factory=lambda: np.zeros(0))
    _columns: IntArray | None = None
    _differences: Differences | None = None

    def is_of(self, columns: IntArray, differences: Differences) -> bool:
        """Whether they are those of these labels."""
        return self._columns is columns and self._differences is differences

    def keep(self, columns: IntArray, differences: Differences, sums: FloatArray) -> None:
        """Keep them in place of others."""
        self._columns, self._differences, self.sums = columns, differences, sums

    def __reduce__(self) -> tuple[type[ItemSums], tuple[()]]:
        return ItemSums, ()  # differences need not be picklable


@dataclass(frozen=True)
class Counts:
    """Labels of some items."""

    columns: IntArray  # shape (n_annotators, n_items): codes of the labels; -1 where there is none
    repeats: FloatArray  # shape (n_items,): how often each item occurs
    scale: Scale
    _last: ItemSums = field(default_factory=lambda: ItemSums(), repr=False, compare=False, kw_only=True)

    @property
    def labels(self) -> Sequence[Label]:
        """The labels that codes point to."""
        return self.scale.labels

    @property
    def undefined(self) -> str | None:
        """Why there can be no agreement, if no item has two labels."""
        if self.n_paired:
            return None
        return "no item has labels from two annotators" if (self.given > 0).any() else "no item is labelled"

    @cached_property
    def given(self) -> IntArray:
        """r_i, the number of labels of each item."""
        return np.asarray((self.columns >= 0).sum(axis=0))

    @cached_property
    def paired(self) -> BoolArray:
        """Whether an item has two labels or more."""
        return np.asarray((self.given >= 2) & (self.repeats > 0))

    @cached_property
    def n_paired(self) -> float:
        """Number of items with two labels or more."""
        return float(self.repeats[self.paired].sum())

    @cached_property
    def n_pairable(self) -> float:
        """n.., the number of labels of such items."""
        return float((self.repeats * self.given)[self.paired].sum())

    @cached_property
    def agreeing(self) -> FloatArray:
        """Σ_k r_ik (r_ik - 1), the ordered pairs of annotators that agree, item by item."""
        columns = self.packed
        # annotators who gave no label agree with nobody
        apart = np.where(columns < 0, -1 - np.arange(len(columns))[:, None], columns)
        agreeing = np.zeros(columns.shape[1], dtype=np.int64)
        for index, first in enumerate(apart[:-1]):
            agreeing += (apart[index + 1 :] == first).sum(axis=0)
        return np.asarray(2.0 * agreeing)

    @cached_property
    def pairs(self) -> IntArray:
        """r_i (r_i - 1), the ordered pairs of annotators, item by item."""
        return self.given * (self.given - 1)

    @cached_property
    def observed(self) -> float:
        """A_o, the mean over paired items of the share of agreeing pairs."""
        share = self.agreeing / np.maximum(self.pairs, 1)
        return float((self.repeats * share)[self.paired].sum() / self.n_paired)

    def agreement(self, differences: Differences) -> float:
        """Return A_o with weights: the mean over paired items of 1 - the mean difference over pairs of annotators."""
        if isinstance(differences, Unlike):
            return self.observed
        share = np.where(self.paired, self.repeats / np.maximum(self.pairs, 1), 0.0) / self.n_paired
        return 1 - self.disagreement(differences, share)

    @cached_property
    def frequencies(self) -> FloatArray:
        """Σ_i r_ik, how often each label was given."""
        return self.label_sums(self.repeats)

    @cached_property
    def shares(self) -> FloatArray:
        """π_k, the mean over labelled items of r_ik / r_i."""
        of_items = self.label_sums(self.repeats / np.maximum(self.given, 1))
        return np.asarray(of_items / self.repeats[self.given > 0].sum())

    @cached_property
    def marginals(self) -> FloatArray:
        """n_k, how often each label was given to paired items."""
        return self.label_sums(np.where(self.paired, self.repeats, 0.0))

    @cached_property
    def between(self) -> float:
        """Mean over pairs of annotators of Σ_k p_ik p_jk, p_ik the share of label k among those of annotator i.

        Over all pairs, Σ_k ((Σ_i p_ik)² - Σ_i p_ik²) is twice the sum.
        """
        who, label, n = self.by_annotator
        share = n / np.bincount(who, weights=n)[who]
        people = len(np.unique(who))
        of_all = np.bincount(label, weights=share)
        return float((of_all @ of_all - share @ share) / (people * (people - 1)))

    def apart(self, differences: Differences) -> float:
        """Return the mean over pairs of annotators of Σ_ck p_ic p_jk δ_ck; see `between`."""
        if isinstance(differences, Unlike):
            return 1 - self.between
        of_each = self.annotator_shares
        of_all = of_each.sum(axis=0)
        within = sum(differences.total(share, share) for share in of_each)
        return float(differences.total(of_all, of_all) - within) / (len(of_each) * (len(of_each) - 1))

    @property
    def annotator_shares(self) -> FloatArray:
        """p_ik, shape (n_annotators, n_labels), without annotators who gave no label."""
        who, label, n = self.by_annotator
        people, row = np.unique(who, return_inverse=True)
        shares = np.zeros((len(people), max(len(self.labels), 1)))
        shares[row.reshape(-1), label] = n
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    @cached_property
    def by_annotator(self) -> tuple[IntArray, IntArray, FloatArray]:
        """How often each annotator gave each label: annotator, label, number; those that are 0 are left out."""
        who, item = np.nonzero(self.columns >= 0)
        n_labels = max(len(self.labels), 1)
        keys, n = tally(who * n_labels + self.columns[who, item], self.repeats[item], len(self.columns) * n_labels)
        return (*np.divmod(keys, n_labels), n)

    @property
    def n_annotators(self) -> int:
        """Number of annotators."""
        return len(self.columns)

    @cached_property
    def contingency(self) -> Contingency:
        """The table of two annotators."""
        first, second = self.columns
        return _contingency(first, second, self.repeats, max(len(self.labels), 1))

    def contingencies(self) -> Iterator[Contingency]:
        """Go through the tables of all pairs of annotators who both labelled some item."""
        columns, n_labels = self.columns, max(len(self.labels), 1)
        for index, first in enumerate(columns[:-1]):
            own = np.flatnonzero((first >= 0) & (self.repeats > 0))
            for second in columns[index + 1 :, own]:
                if (second >= 0).any():
                    yield _contingency(first[own], second, self.repeats[own], n_labels)

    @cached_property
    def coincidences(self) -> Coincidences:
        """How often each pair of labels meets, whoever gave them."""
        c, k, n = self.pair_sums(np.where(self.paired, self.repeats / np.maximum(self.given - 1, 1), 0.0))
        return Coincidences(c, k, np.where(c == k, n, n / 2))

    def label_sums(self, weights: FloatArray) -> FloatArray:
        """Return Σ_i w_i r_ik for each label k."""
        columns = self.packed
        spread = np.broadcast_to(weights, columns.shape)
        sums = np.bincount((columns + 1).ravel(), weights=spread.ravel(), minlength=len(self.labels) + 1)
        return sums[1:].astype(np.float64)

    def disagreement(self, differences: Differences, weights: FloatArray) -> float:
        """Return Σ_i w_i Σ δ over ordered pairs of annotators."""
        if isinstance(differences, Unlike):
            return float((weights * (self.pairs - self.agreeing)).sum())
        if differences.quick and not can_be_tallied(len(self.labels) ** 2, self.columns.shape[1]):
            # sorted, so that the order of items does not change the last digit
            return float(np.sort(weights * self.item_differences(differences)).sum())
        c, k, sums = self.pair_sums(weights)
        return float(sums @ differences.compare(c, k))

    def pair_sums(self, weights: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
        """Return Σ_i w_i over ordered pairs of annotators, by pairs of labels c ≤ k that meet, both orders together."""
        n_labels = max(len(self.labels), 1)
        found: list[tuple[IntArray, FloatArray]] = []
        columns = self.packed
        for index, first in enumerate(columns[:-1]):
            second = columns[index + 1 :]
            which, item = np.nonzero((second >= 0) & (first >= 0))
            u, v = first[item], second[which, item]
            keys = np.minimum(u, v) * n_labels + np.maximum(u, v)
            found.append(tally(keys, 2 * weights[item], n_labels * n_labels))
        keys, sums = tally_parts(found, n_labels * n_labels)
        return (*np.divmod(keys, n_labels), sums)

    def item_differences(self, differences: Differences) -> FloatArray:
        """Return Σ δ over ordered pairs of annotators, item by item; the last is kept, however often items occur."""
        if isinstance(differences, Unlike):
            return np.asarray(self.pairs - self.agreeing)
        if not self._last.is_of(self.columns, differences):
            # sorted, so that the order of annotators does not change the last digit
            self._last.keep(self.columns, differences, _item_differences(np.sort(self.packed, axis=0), differences))
        return self._last.sums

    def label_means(self, values: FloatArray) -> FloatArray:
        """Return Σ_k v_k r_ik / r_i, the mean value of the labels of each item."""
        columns = self.packed
        sums = np.where(columns >= 0, values[columns], 0.0).sum(axis=0)
        return np.asarray(sums / np.maximum(self.given, 1))

    @cached_property
    def n_rare(self) -> IntArray:
        """How many labels other than the most frequent one each item has; 0 if it has a single label."""
        most = int(self.marginals.argmax()) if len(self.labels) else 0
        return np.asarray((self.paired & (self.columns >= 0) & (self.columns != most)).sum(axis=0))

    @cached_property
    def pattern(self) -> IntArray:
        """Which of the `distinct` items each item is."""
        return self._patterns[1]

    @cached_property
    def distinct(self) -> Counts:
        """The same, with items that are labelled alike counted together."""
        columns = self._patterns[0]
        repeats = np.bincount(self.pattern, weights=self.repeats, minlength=columns.shape[1])
        return replace(self, columns=columns, repeats=repeats.astype(np.float64))

    @cached_property
    def _patterns(self) -> tuple[IntArray, IntArray]:
        """The labels of distinct items, and which of them each item is."""
        columns, size = self.columns, len(self.labels) + 1
        if size ** len(columns) < 2**62:  # labels of an item as digits of one number, which are much faster to sort
            key = np.zeros(columns.shape[1], dtype=np.int64)
            for column in columns:
                key = key * size + column + 1
            _, first, pattern = np.unique(key, return_index=True, return_inverse=True)
            return columns[:, first], pattern.reshape(-1)
        distinct, pattern = np.unique(columns, axis=1, return_inverse=True)
        return distinct, pattern.reshape(-1)

    @cached_property
    def packed(self) -> IntArray:
        """The labels of each item in as few columns as possible, whoever gave them: crowds leave most cells empty."""
        most = int(self.given.max(initial=0))
        if 2 * most > len(self.columns):
            return self.columns
        item, who = np.nonzero(self.columns.T >= 0)
        place = np.arange(len(item)) - np.repeat(np.cumsum(self.given) - self.given, self.given)
        packed = np.full((max(most, 1), self.columns.shape[1]), -1, dtype=np.int64)
        packed[place, item] = self.columns[who, item]
        return packed


def _item_differences(columns: IntArray, differences: Differences) -> FloatArray:
    found = np.zeros(columns.shape[1])
    for index, first in enumerate(columns[:-1]):
        for second in columns[index + 1 :]:
            both = np.flatnonzero((first >= 0) & (second >= 0))
            found[both] += 2 * differences.compare(first[both], second[both])
    return found


def _contingency(first: IntArray, second: IntArray, repeats: FloatArray, n_labels: int) -> Contingency:
    """Count the items that both labelled."""
    both = (first >= 0) & (second >= 0) & (repeats > 0)
    keys, n = tally(first[both] * n_labels + second[both], repeats[both], n_labels * n_labels)
    rows, columns = np.divmod(keys, n_labels)
    total = n.sum()
    return Contingency(
        rows,
        columns,
        n,
        np.bincount(rows, weights=n, minlength=n_labels) / total,
        np.bincount(columns, weights=n, minlength=n_labels) / total,
    )


@dataclass(frozen=True)
class OneOrOther(Counts):
    """One category, whose code is 1, against all others together, 0.

    Columns do not stand for annotators, as in `packed`; with more than two annotators, what each one gave
    is known only in sum.
    """

    # shape (n_annotators,): how often each annotator gave the category, and another
    chosen: FloatArray
    other: FloatArray
    # all categories, and the code of this one among them
    of: Counts
    code: int

    @cached_property
    def by_annotator(self) -> tuple[IntArray, IntArray, FloatArray]:
        """See `Counts`."""
        n = np.stack([self.other, self.chosen], axis=1)
        who, label = np.nonzero(n)
        return who, label, n[who, label]

    @property
    def n_annotators(self) -> int:
        """See `Counts`."""
        return len(self.chosen)

    def contingencies(self) -> Iterator[Contingency]:
        """See `Counts`: pairs of annotators are known only where all categories are."""
        columns = self.of.columns
        return replace(
            self.of, columns=np.where(columns < 0, -1, columns == self.code), scale=self.scale
        ).contingencies()

    @cached_property
    def agreeing(self) -> FloatArray:
        """See `Counts`: there are only two groups."""
        chosen = (self.columns == 1).sum(axis=0)
        other = self.given - chosen
        return np.asarray(chosen * (chosen - 1.0) + other * (other - 1.0))
