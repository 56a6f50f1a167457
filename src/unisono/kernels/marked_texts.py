"""Pairs of texts with markers around units, many at a time: all optimal alignments, and the best of each pair.

Texts stand one after the other, see `data.stacked_editions`.
"""

from __future__ import annotations

from typing import NamedTuple

from unisono.arrays import ByteArray, FloatArray, IntArray
from unisono.kernels.subsequence import WORD, best_chain, hull, masks, sweep
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import floats, ints, longer, longer_octets, octets

_NO_LIMIT = 1 << 60
_MOST_SAVED = float(1 << 60)
"""Savings are whole numbers up to this, so that sums do not depend on their order."""
# A symbol that occurs more often than this per word of 62 columns has its marks kept. So at most 62/0.25 = 248 symbols
# do, which takes about 33 bytes per column; to make marks anew costs time (with 2.0, seven times as much, measured).
_FREQUENT = 0.25


class StackedTexts(NamedTuple):
    """Texts and the places of units in them, see `StackedEditions`; of the units, those of one layer."""

    text: IntArray
    text_edges: IntArray
    start: IntArray
    end: IntArray
    edges: IntArray
    n_layers: int
    layer: int


class Hulls(NamedTuple):
    """The cells that optimal alignments of pairs of texts pass through, pair by pair; see `hull`.

    Attributes
    ----------
    cells : int8 array
        Their cells. A pair of the same texts has none: its only optimal alignment has no gaps.
    cell_edges, row_edges, edges : int64 array, shape (n_pairs + 1,)
        Where the cells, the rows and the candidates of each pair begin.
    offsets, last : int64 array
        Of each row.
    u, v : int64 array
        The candidates: pairs of units that some optimal alignment aligns, from the last pair back to the first, or
        from the first on if the texts are the same.
    """

    cells: ByteArray
    cell_edges: IntArray
    offsets: IntArray
    last: IntArray
    row_edges: IntArray
    edges: IntArray
    u: IntArray
    v: IntArray


@kernel
def find_hulls(
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
    text_weight: int,
    boundary_weight: int,
    strip: int,
    most: int,
    most_together: int,
) -> tuple[ByteArray, IntArray, IntArray, IntArray, IntArray, IntArray, IntArray, IntArray, int]:
    """Find the cells that optimal alignments of pairs of texts pass through, and the units that they can align.

    Parameters
    ----------
    text, text_edges, start, end, unit_edges, n_layers, layer
        See `StackedTexts`.
    first, second : int64 array, shape (n_pairs,)
        The pairs, by the numbers of their texts.
    n_symbols : int
        Symbols are 0 … n_symbols - 1.
    text_weight, boundary_weight : int
        What a gap costs at a symbol, and at a marker.
    strip : int
        Half of the width of the first strip that is tried.
    most, most_together : int
        The most cells of one pair, and of all.

    Returns
    -------
    cells, cell_edges, offsets, last, row_edges, edges, u, v
        See `Hulls`.
    failed : int
        The first pair with too many cells, n_pairs if there are too many together, or -1.
    """
    stack = StackedTexts(text, text_edges, start, end, unit_edges, n_layers, layer)
    n_pairs = len(first)
    cells, cell_edges = octets(1024), ints(n_pairs + 1, 0)
    offsets, last, row_edges = ints(1024, 0), ints(1024, 0), ints(n_pairs + 1, 0)
    u, v, edges = ints(1024, 0), ints(1024, 0), ints(n_pairs + 1, 0)
    n_cells = n_rows = n_found = 0
    weights = ints(n_symbols + 2, text_weight)
    weights[n_symbols] = weights[n_symbols + 1] = boundary_weight
    failed = -1
    for pair in range(n_pairs):
        a, b = _marked(stack, first[pair], n_symbols), _marked(stack, second[pair], n_symbols)
        if _same(a, b):
            n = _n_units(stack, first[pair])
            while n_found + n > len(u):
                u, v = longer(u), longer(v)
            for unit in range(n):
                u[n_found + unit] = v[n_found + unit] = unit
            n_found += n
        else:
            own_cells, own_offsets, own_last, pairs, complete = _hull(a, b, weights, strip, most)
            if not complete:
                failed = pair
                break
            while n_cells + len(own_cells) > len(cells):
                cells = longer_octets(cells)
            for index in range(len(own_cells)):
                cells[n_cells + index] = own_cells[index]
            while n_rows + len(own_offsets) > len(offsets):
                offsets, last = longer(offsets), longer(last)
            for index in range(len(own_offsets)):
                offsets[n_rows + index], last[n_rows + index] = own_offsets[index], own_last[index]
            while n_found + len(pairs) > len(u):
                u, v = longer(u), longer(v)
            a_units, b_units = _unit_of(a, n_symbols), _unit_of(b, n_symbols)
            for index in range(len(pairs)):
                row = pairs[index] // (len(b) + 1)
                u[n_found + index] = a_units[row]
                v[n_found + index] = b_units[pairs[index] - row * (len(b) + 1)]
            n_cells += len(own_cells)
            if n_cells > most_together:
                failed = n_pairs
                break
            n_rows += len(own_offsets)
            n_found += len(pairs)
        cell_edges[pair + 1], row_edges[pair + 1], edges[pair + 1] = n_cells, n_rows, n_found
    return (
        cells[:n_cells], cell_edges, offsets[:n_rows], last[:n_rows], row_edges, edges, u[:n_found], v[:n_found],
        failed,
    )  # fmt: skip


@kernel
def _n_units(stack: StackedTexts, index: int) -> int:
    """Count the units of a text."""
    block = index * stack.n_layers + stack.layer
    return int(stack.edges[block + 1] - stack.edges[block])


@kernel
def _marked(stack: StackedTexts, index: int, n_symbols: int) -> IntArray:
    """Put markers into a text where units begin and end: n_symbols and n_symbols + 1."""
    block = index * stack.n_layers + stack.layer
    begin, length = stack.text_edges[index], stack.text_edges[index + 1] - stack.text_edges[index]
    low, high = stack.edges[block], stack.edges[block + 1]
    sequence = ints(length + 2 * (high - low), 0)
    place = at = 0
    for unit in range(low, high):
        for side in range(2):
            stop = stack.start[unit] if side == 0 else stack.end[unit]
            while place < stop:
                sequence[at] = stack.text[begin + place]
                place += 1
                at += 1
            sequence[at] = n_symbols + side
            at += 1
    while place < length:
        sequence[at] = stack.text[begin + place]
        place += 1
        at += 1
    return sequence


@kernel
def _unit_of(sequence: IntArray, opening: int) -> IntArray:
    """Return the unit that is opened at each place, or the next one."""
    units = ints(len(sequence), 0)
    n = 0
    for index in range(len(sequence)):
        units[index] = n
        if sequence[index] == opening:
            n += 1
    return units


@kernel
def _same(a: IntArray, b: IntArray) -> bool:
    if len(a) != len(b):
        return False
    for index in range(len(a)):
        if a[index] != b[index]:
            return False
    return True


@kernel
def _hull(
    a: IntArray, b: IntArray, weights: IntArray, strip: int, most: int
) -> tuple[ByteArray, IntArray, IntArray, IntArray, int]:
    """Find the cells that optimal alignments of two sequences pass through; see `hull`."""
    rows, ends = _repeated(a, weights)
    columns, column_ends = _repeated(b, weights)
    n_columns = len(columns)
    starts, places, rank, n_frequent = _places(columns, len(weights))
    table = masks(n_columns, starts, places, rank, n_frequent)
    # An alignment within a strip is a real one, so its cost is an upper bound, and often the least cost at once. Then
    # all is computed within that bound. There is one call of `sweep`, which would be compiled into this once per call.
    budget, half, final = _NO_LIMIT, strip, False
    while True:
        if half >= max(len(rows), n_columns):
            half, final = _NO_LIMIT, True
        cost, bits, kept = sweep(
            rows, ends, n_columns, table, starts, places, rank, half, budget if final else _NO_LIMIT, final
        )
        if final:
            break
        half = _NO_LIMIT if cost == budget else 4 * half
        budget = cost
    opening = len(weights) - 2
    return hull(
        a, b, ends, column_ends, opening, opening + 1, rows, table, starts, places, rank, bits, kept, cost, most
    )


@kernel
def _repeated(sequence: IntArray, weights: IntArray) -> tuple[IntArray, IntArray]:
    """Repeat symbols as often as they weigh; also return where each one ends, 0 first."""
    ends = ints(len(sequence) + 1, 0)
    for index in range(len(sequence)):
        ends[index + 1] = ends[index] + weights[sequence[index]]
    rows = ints(ends[len(sequence)], 0)
    for index in range(len(sequence)):
        for row in range(ends[index], ends[index + 1]):
            rows[row] = sequence[index]
    return rows, ends


@kernel
def _places(columns: IntArray, n_symbols: int) -> tuple[IntArray, IntArray, IntArray, int]:
    """Find the columns of each symbol, and number the frequent ones; see `Marks`."""
    starts = ints(n_symbols + 1, 0)
    for column in range(len(columns)):
        starts[columns[column] + 1] += 1
    rank = ints(n_symbols, 0)
    n_frequent = 0
    for symbol in range(n_symbols):
        rank[symbol] = -1
        if starts[symbol + 1] > _FREQUENT * len(columns) / WORD:
            rank[symbol] = n_frequent
            n_frequent += 1
        starts[symbol + 1] += starts[symbol]
    places = ints(len(columns), 0)
    for column in range(len(columns)):
        places[starts[columns[column]]] = column
        starts[columns[column]] += 1
    # each start has moved to where the next one was
    for symbol in range(n_symbols, 0, -1):
        starts[symbol] = starts[symbol - 1]
        if rank[symbol - 1] < 0:
            rank[symbol - 1] = n_frequent
    starts[0] = 0
    return starts, places, rank, n_frequent


@kernel
def best_chains(
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
    saving: FloatArray,
    which: IntArray,
    trace: bool,
) -> tuple[FloatArray, IntArray, IntArray, IntArray]:
    """Find the optimal alignment of each pair of texts whose units save most.

    Parameters
    ----------
    text, text_edges, start, end, unit_edges, n_layers, layer, first, second, n_symbols
        See `find_hulls`.
    cells, cell_edges, offsets, last, row_edges, edges, u, v
        See `Hulls`.
    saving : float64 array
        What each candidate saves, more than 0.
    which : int64 array, shape (n_wanted,)
        The pairs of texts that are wanted.
    trace : bool
        Whether to find out which candidates are aligned.

    Returns
    -------
    saved : float64 array, shape (n_wanted,)
        What is saved.
    chosen, chosen_edges : int64 array
        The candidates that are aligned, and where those of each pair of texts begin.
    matched : int64 array, shape (n_wanted,)
        How many markers match another, of both texts together.
    """
    stack = StackedTexts(text, text_edges, start, end, unit_edges, n_layers, layer)
    hulls = Hulls(cells, cell_edges, offsets, last, row_edges, edges, u, v)
    saved, matched = floats(len(which), 0.0), ints(len(which), 0)
    chosen, chosen_edges = ints(1024, 0), ints(len(which) + 1, 0)
    n = 0
    for index in range(len(which)):
        pair = which[index]
        own_saved, own, n_matched = _chain(stack, hulls, pair, first[pair], second[pair], n_symbols, saving, trace)
        saved[index], matched[index] = own_saved, n_matched
        while n + len(own) > len(chosen):
            chosen = longer(chosen)
        for place in range(len(own)):
            chosen[n + place] = own[place]
        n += len(own)
        chosen_edges[index + 1] = n
    return saved, chosen[:n], chosen_edges, matched


@kernel
def _chain(
    stack: StackedTexts,
    hulls: Hulls,
    pair: int,
    first: int,
    second: int,
    n_symbols: int,
    saving: FloatArray,
    trace: bool,
) -> tuple[float, IntArray, int]:
    """Find the optimal alignment of one pair of texts whose units save most; see `best_chains`."""
    begin, n = hulls.edges[pair], hulls.edges[pair + 1] - hulls.edges[pair]
    # A unit is in one pair at most, so all pairs together save `most` at most; scaled, that stays below 2⁶⁰, and
    # savings keep as many bits as int64 allows.
    fewest = max(min(_n_units(stack, first), _n_units(stack, second)), 1)
    most, power = 1.0, 1.0
    for index in range(n):
        most = max(most, saving[begin + index])
    while power < most * fewest + 1.0:
        power *= 2.0
    scale = _MOST_SAVED / power
    whole = ints(n, 0)
    for index in range(n):
        whole[index] = int(saving[begin + index] * scale + 0.5)
    if hulls.row_edges[pair] == hulls.row_edges[pair + 1]:  # the same texts
        total = 0
        every = ints(n if trace else 0, 0)
        for index in range(n):
            total += whole[index]
            if trace:
                every[index] = begin + index
        return total / scale, every, 4 * n
    a, b = _marked(stack, first, n_symbols), _marked(stack, second, n_symbols)
    low, high = hulls.row_edges[pair], hulls.row_edges[pair + 1]
    found, chosen, matched = best_chain(
        a,
        b,
        n_symbols,
        n_symbols + 1,
        hulls.cells[hulls.cell_edges[pair] : hulls.cell_edges[pair + 1]],
        hulls.offsets[low:high],
        hulls.last[low:high],
        whole,
        trace,
    )
    # what is aligned comes in the order of the texts, candidates come from the end
    a_units, b_units = _unit_of(a, n_symbols), _unit_of(b, n_symbols)
    candidate = hulls.edges[pair + 1] - 1
    for index in range(len(chosen)):
        row = chosen[index] // (len(b) + 1)
        one, two = a_units[row], b_units[chosen[index] - row * (len(b) + 1)]
        while hulls.u[candidate] != one or hulls.v[candidate] != two:
            candidate -= 1
        chosen[index] = candidate
    return found / scale, chosen, matched
