"""What the best alignments of samples of texts cost, many at a time; see `alignment.texts`."""

from __future__ import annotations

from typing import NamedTuple

from unisono.arrays import BoolArray, ByteArray, FloatArray, IntArray
from unisono.kernels.cliques import group_units
from unisono.kernels.marked_texts import Hulls, Stack, chain_of, n_units_of
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import bools, floats, ints


@kernel
def least_costs(
    text: IntArray,
    text_edges: IntArray,
    start: IntArray,
    end: IntArray,
    unit_edges: IntArray,
    n_layers: int,
    layer: int,
    first: IntArray,
    second: IntArray,
    n_symbols: int,
    cells: ByteArray,
    cell_edges: IntArray,
    offsets: IntArray,
    last: IntArray,
    row_edges: IntArray,
    edges: IntArray,
    u: IntArray,
    v: IntArray,
    d: FloatArray,
    sample_edges: IntArray,
    too_many: int,
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Find what the best alignments of samples cost.

    Parameters
    ----------
    text, text_edges, start, end, unit_edges, n_layers, layer, first, second, n_symbols
        See `find_hulls`; every two texts of a sample are a pair, in order, and samples stand one after the other.
    cells, cell_edges, offsets, last, row_edges, edges, u, v
        See `find_hulls`.
    d : float64 array
        The dissimilarity of each candidate.
    sample_edges : int64 array, shape (n_samples + 1,)
        Where the texts of each sample begin.
    too_many : int
        With more candidates than this per unit and annotator, a sample is left out.

    Returns
    -------
    cost, bound : float64 array, shape (n_samples,)
        What the best alignment of each sample costs, and a bound for that.
    left : bool array, shape (n_samples,)
        Samples of three and more texts that are too hard for this and are left out.
    """
    stack = Stack(text, text_edges, start, end, unit_edges, n_layers, layer)
    hulls = Hulls(cells, cell_edges, offsets, last, row_edges, edges, u, v)
    n_samples = len(sample_edges) - 1
    cost, bound, left = floats(n_samples, 0.0), floats(n_samples, 0.0), bools(n_samples)
    pair = 0
    for sample in range(n_samples):
        n = sample_edges[sample + 1] - sample_edges[sample]
        n_pairs = n * (n - 1) // 2
        if n == 2:
            offset, size = edges[pair], edges[pair + 1] - edges[pair]
            saving = floats(size, 2.0)
            for index in range(size):
                saving[index] -= d[offset + index]
            saved, _, _ = chain_of(stack, hulls, pair, first[pair], second[pair], n_symbols, saving, offset, False)
            cost[sample] = n_units_of(stack, first[pair]) + n_units_of(stack, second[pair]) - saved
            bound[sample] = cost[sample]
        else:
            cost[sample], bound[sample], solved = _several(
                stack, hulls, sample_edges[sample], n, pair, first, second, n_symbols, d, too_many
            )
            left[sample] = not solved
        pair += n_pairs
    return cost, bound, left


class _Sample(NamedTuple):
    """A sample of three texts or more: the number of its first text and pair, how many there are, and its candidates.

    `us`, `vs`, `ds` are candidates by their numbers among all units of the sample, and their dissimilarities.
    """

    text: int
    pair: int
    n: int
    n_units: int
    us: IntArray
    vs: IntArray
    ds: FloatArray


@kernel
def _several(
    stack: Stack,
    hulls: Hulls,
    text: int,
    n: int,
    pair: int,
    first: IntArray,
    second: IntArray,
    n_symbols: int,
    d: FloatArray,
    too_many: int,
) -> tuple[float, float, bool]:
    """Find what the best alignment of three texts or more costs, a bound, and whether that was possible."""
    before, n_units, most = ints(n, 0), 0, 0
    for own in range(n):
        before[own] = n_units
        n_units += n_units_of(stack, text + own)
        most = max(most, n_units_of(stack, text + own))
    n_pairs = n * (n - 1) // 2
    offset, size = hulls.edges[pair], hulls.edges[pair + n_pairs] - hulls.edges[pair]
    if size > too_many * n * max(n_units, 1):
        return 0.0, 0.0, False
    us, vs, ds, saving = ints(size, 0), ints(size, 0), floats(size, 0.0), floats(size, 0.0)
    common = 0
    for own in range(pair, pair + n_pairs):
        common += min(n_units_of(stack, first[own]), n_units_of(stack, second[own]))
        for index in range(hulls.edges[own], hulls.edges[own + 1]):
            us[index - offset] = before[first[own] - text] + hulls.u[index]
            vs[index - offset] = before[second[own] - text] + hulls.v[index]
            ds[index - offset] = d[index]
            saving[index - offset] = 2.0 - d[index]
    sample = _Sample(text, pair, n, n_units, us, vs, ds)
    group, least, n_left = group_units(n_units, n, us, vs, ds)
    if n_left:
        return 0.0, 0.0, False
    wanted = 0
    for index in range(size):
        if group[us[index]] == group[vs[index]]:
            wanted += 1
    cost, complete, solved = _linked(stack, hulls, sample, first, second, n_symbols, saving, group, wanted)
    if complete:  # one alignment of each two texts makes all groups, so nothing costs less
        return least, least, True
    # more than all pairs together can save (2 each), so that the number of pairs wanted comes first
    for own in range(pair, pair + n_pairs):
        bonus = 4.0 * max(min(n_units_of(stack, first[own]), n_units_of(stack, second[own])), 1)
        for index in range(hulls.edges[own] - offset, hulls.edges[own + 1] - offset):
            if group[us[index]] == group[vs[index]]:
                saving[index] += bonus
    other, complete, also = _linked(stack, hulls, sample, first, second, n_symbols, saving, group, wanted)
    if complete:
        return least, least, True
    cost = min(cost, other)
    # A grouping costs the number of its groups less Σ_pairs (1 - d)/C. The units of the busiest annotator are all in
    # different groups; and of two annotators, no more pairs are aligned than either has units, which save 1 each at
    # most.
    return cost, min(max(most - common / n_pairs, least), cost), solved and also


@kernel
def _linked(
    stack: Stack,
    hulls: Hulls,
    sample: _Sample,
    first: IntArray,
    second: IntArray,
    n_symbols: int,
    saving: FloatArray,
    group: IntArray,
    wanted: int,
) -> tuple[float, bool, bool]:
    """Group units that the best alignment of each two texts aligns.

    Returns what that costs, whether these alignments make all pairs wanted, those of `group`, so that there is nothing
    left to do, and whether the groups could be found.
    """
    n_pairs = sample.n * (sample.n - 1) // 2
    offset, size = hulls.edges[sample.pair], len(sample.us)
    us, vs, ds = ints(size, 0), ints(size, 0), floats(size, 0.0)
    n, made = 0, 0
    for pair in range(sample.pair, sample.pair + n_pairs):
        _, chosen, _ = chain_of(stack, hulls, pair, first[pair], second[pair], n_symbols, saving, offset, True)
        for index in range(len(chosen)):
            us[n], vs[n] = sample.us[chosen[index] - offset], sample.vs[chosen[index] - offset]
            ds[n] = sample.ds[chosen[index] - offset]
            if group[us[n]] == group[vs[n]]:
                made += 1
            n += 1
    if made == wanted:
        return 0.0, True, True
    _, cost, n_left = group_units(sample.n_units, sample.n, us[:n], vs[:n], ds[:n])
    return cost, False, n_left == 0
