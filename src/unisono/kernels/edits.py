"""Random editions of texts, many at a time: text, segmentation and labels changed (see `chance.edits`).

Editions stand one after the other, see `data.stacked_editions`. The random numbers of a sample are numbered in the
order of their use, over all its editions.
"""

from __future__ import annotations

from typing import NamedTuple

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.kernels.randomness import below, uniform
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import ints, longer

MOST_EDITS = 100
"""No unit's text is edited more often, so that a `p_further` near 1 comes to an end."""
_INSERT, _DELETE, _SUBSTITUTE = 0, 1, 2
_TRIES = 20
"""Most units can be split: to draw until one can is faster than to list those that can, as long as it succeeds. Either
way all of them are equally likely."""


class Stream(NamedTuple):
    """The random numbers of one sample: their key, and the sample's number."""

    key: int
    other_key: int
    sample: int


class Symbols(NamedTuple):
    """What can be inserted.

    Attributes
    ----------
    total : float64 array, shape (n_symbols + 1,)
        How often the symbols before each one occur in total; whole numbers, so that differences are exact.
    several : int
        1 if more than one symbol occurs, else 0.
    """

    total: FloatArray
    several: int


@kernel
def draw_editions(
    text: IntArray,
    text_edges: IntArray,
    start: IntArray,
    end: IntArray,
    edges: IntArray,
    editable: IntArray,
    editable_edges: IntArray,
    n_layers: int,
    gaps: bool,
    white: BoolArray,
    symbols: FloatArray,
    labels: FloatArray,
    label_edges: IntArray,
    feature_edges: IntArray,
    p_text: float,
    p_segmentation: FloatArray,
    p_further: float,
    base: IntArray,
    n_editions: IntArray,
    key: IntArray,
    other_key: IntArray,
    number: IntArray,
) -> tuple[IntArray, IntArray, IntArray, IntArray, IntArray, IntArray, IntArray]:
    """Draw the editions of many samples.

    Parameters
    ----------
    text, text_edges, start, end, edges : int64 array
        What is edited, as `StackedEditions` has it.
    editable, editable_edges : int64 array
        The units whose text can be edited, edition by edition, each by its start and end, in the order of the text.
    n_layers : int
        The number of layers.
    gaps : bool
        Whether the last layer is the text outside units.
    white : bool array, shape (n_symbols,)
        Which symbols are white space.
    symbols : float64 array, shape (n_symbols + 1,)
        See `Symbols`.
    labels, label_edges, feature_edges : float64 array, int64 array, int64 array
        For each layer and feature, how often the labels before each one occur in total ("none" is the first label);
        where they begin; and where the features of each layer begin.
    p_text, p_segmentation, p_further : float, float64 array, float
        See `RandomEditions`.
    base, n_editions, key, other_key, number : int64 array, shape (n_samples,)
        What each sample is made of, how many editions it has, the key of its random numbers, and its number.

    Returns
    -------
    text, text_edges, start, end, edges, codes, code_edges : int64 array
        The editions of all samples one after the other, as `StackedEditions` has them.
    """
    total, longest = 0, 0
    for sample in range(len(base)):
        total += n_editions[sample]
        longest = max(longest, text_edges[base[sample] + 1] - text_edges[base[sample]])
    made, made_edges = ints(64, 0), ints(total + 1, 0)
    made_start, made_end, unit_edges = ints(64, 0), ints(64, 0), ints(total * n_layers + 1, 0)
    codes, code_edges = ints(64, 0), ints(total * n_layers + 1, 0)
    moved, unit, where = ints(longest + 1, 0), ints(longest + MOST_EDITS, 0), ints(longest + 1, 0)
    supply = Symbols(symbols, _several(symbols))
    n_marked = n_layers - 1 if gaps else n_layers
    at = n_made = n_codes = n_units = 0
    for sample in range(len(base)):
        stream = Stream(key[sample], other_key[sample], number[sample])
        own, k = base[sample], 0
        for _ in range(n_editions[sample]):
            begin, length = text_edges[own], text_edges[own + 1] - text_edges[own]
            low, high = editable_edges[own], editable_edges[own + 1]
            made, size, k = _edit_text(
                text, begin, length, editable, low, high, p_text, p_further, supply, stream, k,
                made, at, moved, unit, where,
            )  # fmt: skip
            # twice as many units, if all are split, and as many gaps as symbols
            while n_units + 2 * (edges[(own + 1) * n_layers] - edges[own * n_layers]) + size > len(made_start):
                made_start, made_end = longer(made_start), longer(made_end)
            for layer in range(n_marked):
                low, high = edges[own * n_layers + layer], edges[own * n_layers + layer + 1]
                for index in range(high - low):
                    made_start[n_units + index] = moved[start[low + index]]
                    made_end[n_units + index] = moved[end[low + index]]
                times, k = _binomial(high - low, p_segmentation[layer], stream, k)
                n_own, k = _segment(made, at, white, made_start, made_end, n_units, high - low, times, stream, k)
                n_features = feature_edges[layer + 1] - feature_edges[layer]
                while n_codes + n_own * n_features > len(codes):
                    codes = longer(codes)
                for feature in range(feature_edges[layer], feature_edges[layer + 1]):
                    low, high = label_edges[feature], label_edges[feature + 1] - 1
                    for _ in range(n_own):
                        codes[n_codes] = _drawn(labels, low, high, stream, k) - low - 1
                        n_codes += 1
                        k += 1
                n_units += n_own
                unit_edges[n_made * n_layers + layer + 1] = n_units
                code_edges[n_made * n_layers + layer + 1] = n_codes
            if gaps:
                first = unit_edges[n_made * n_layers]
                n_units += _gaps(made, at, size, white, made_start, made_end, first, n_units)
                unit_edges[(n_made + 1) * n_layers] = n_units
                code_edges[(n_made + 1) * n_layers] = n_codes
            at += size
            n_made += 1
            made_edges[n_made] = at
    return made[:at], made_edges, made_start[:n_units], made_end[:n_units], unit_edges, codes[:n_codes], code_edges


@kernel
def edit_units(
    text: IntArray, units: IntArray, symbols: FloatArray, p_further: float, key: int, other_key: int
) -> tuple[IntArray, IntArray]:
    """Edit the text of all these units, given as for `draw_editions`; also return where each place is then."""
    moved, unit, where = ints(len(text) + 1, 0), ints(len(text) + MOST_EDITS, 0), ints(len(text) + 1, 0)
    stream, supply = Stream(key, other_key, 0), Symbols(symbols, _several(symbols))
    made, size, _ = _edit_text(
        text, 0, len(text), units, 0, len(units) // 2, 1.0, p_further, supply, stream, 0,
        ints(64, 0), 0, moved, unit, where,
    )  # fmt: skip
    return made[:size], moved


@kernel
def segment_units(
    text: IntArray, white: BoolArray, start: IntArray, end: IntArray, times: int, key: int, other_key: int
) -> tuple[IntArray, IntArray]:
    """Split and merge units so many times; return their starts and ends."""
    made_start, made_end = ints(len(start) + times, 0), ints(len(start) + times, 0)
    for unit in range(len(start)):
        made_start[unit], made_end[unit] = start[unit], end[unit]
    stream = Stream(key, other_key, 0)
    n, _ = _segment(text, 0, white, made_start, made_end, 0, len(start), times, stream, 0)
    return made_start[:n], made_end[:n]


@kernel
def _several(symbols: FloatArray) -> int:
    """Whether more than one symbol occurs."""
    n_present = 0
    for symbol in range(len(symbols) - 1):
        if symbols[symbol + 1] > symbols[symbol]:
            n_present += 1
    return 1 if n_present > 1 else 0


@kernel
def _edit_text(
    text: IntArray,
    begin: int,
    length: int,
    editable: IntArray,
    low: int,
    high: int,
    p_text: float,
    p_further: float,
    symbols: Symbols,
    stream: Stream,
    k: int,
    made: IntArray,
    at: int,
    moved: IntArray,
    unit: IntArray,
    where: IntArray,
) -> tuple[IntArray, int, int]:
    """Copy a text to `made` from `at` on, and edit units; return the copy, its length, and the next random number.

    `moved` gets the new place of each place of the text; `unit` and `where` are to work in.
    """
    # Each unit is edited or not, whatever happens to the others: so the number of units edited is binomial, and all
    # choices of so many units are equally likely. Units do not overlap: what happens inside one moves those after it.
    while at + length > len(made):
        made = longer(made)
    place, size = 0, 0
    for index in range(low, high if p_text > 0.0 else low):
        k += 1
        if uniform(stream.key, stream.other_key, stream.sample, k - 1) >= p_text:
            continue
        first, last = editable[2 * index], editable[2 * index + 1]
        while place < first:
            moved[place] = size
            made[at + size] = text[begin + place]
            place += 1
            size += 1
        for offset in range(last - first):
            unit[offset] = text[begin + first + offset]
            where[offset] = offset
        where[last - first] = last - first
        n, k = _edit_unit(unit, where, last - first, symbols, p_further, stream, k)
        while at + size + n + length - last > len(made):
            made = longer(made)
        for offset in range(last - first + 1):
            moved[first + offset] = size + where[offset]
        for offset in range(n):
            made[at + size + offset] = unit[offset]
        place = last
        size += n
    while place < length:
        moved[place] = size
        made[at + size] = text[begin + place]
        place += 1
        size += 1
    moved[length] = size
    return made, size, k


@kernel
def _edit_unit(
    unit: IntArray, where: IntArray, length: int, symbols: Symbols, p_further: float, stream: Stream, k: int
) -> tuple[int, int]:
    """Edit the text of a unit; return its new length and the next random number.

    An insertion, a deletion and a substitution are equally likely. A unit of one symbol is not emptied, and where there
    is only one symbol none can be substituted: then one of the other edits is made.
    """
    key, other_key, sample = stream
    n = length
    for _ in range(MOST_EDITS):
        kind = below(1 + (n > 1) + symbols.several, key, other_key, sample, k)
        if kind == _DELETE and n == 1:
            kind = _SUBSTITUTE
        place = below(n + 1 if kind == _INSERT else n, key, other_key, sample, k + 1)
        k += 2
        if kind == _INSERT:
            for offset in range(n, place, -1):
                unit[offset] = unit[offset - 1]
            unit[place] = _drawn(symbols.total, 0, len(symbols.total) - 1, stream, k)
            k += 1
            n += 1
            # what is inserted at the unit's own beginning or end belongs to it
            for offset in range(length + 1):
                if where[offset] > place or where[offset] == place > 0:
                    where[offset] += 1
        elif kind == _DELETE:
            n -= 1
            for offset in range(place, n):
                unit[offset] = unit[offset + 1]
            for offset in range(length + 1):
                if where[offset] > place:
                    where[offset] -= 1
        else:
            unit[place] = _drawn_other(symbols.total, unit[place], stream, k)
            k += 1
        if p_further == 0.0:
            break
        k += 1
        if uniform(key, other_key, sample, k - 1) >= p_further:
            break
    return n, k


@kernel
def _drawn(total: FloatArray, low: int, high: int, stream: Stream, k: int) -> int:
    """Draw by frequency, from `low` to below `high`; total[i] is how often those from `low` to below i occur."""
    share = uniform(stream.key, stream.other_key, stream.sample, k)
    return _found(total, low, high, 0.0, share * total[high])


@kernel
def _drawn_other(total: FloatArray, but: int, stream: Stream, k: int) -> int:
    """Draw by frequency another symbol than this one."""
    # along the total frequencies, the stretch of the one that is not allowed is skipped
    n, skipped = len(total) - 1, total[but + 1] - total[but]
    at = uniform(stream.key, stream.other_key, stream.sample, k) * (total[n] - skipped)
    return _found(total, 0, but, 0.0, at) if at < total[but] else _found(total, but + 1, n, skipped, at)


@kernel
def _found(total: FloatArray, low: int, high: int, skipped: float, at: float) -> int:
    """Find the first from `low` to below `high` that occurs, with those before it but some skipped, more than `at`."""
    high -= 1
    while low < high:
        half = (low + high) // 2
        if total[half + 1] - skipped > at:
            high = half
        else:
            low = half + 1
    return low


@kernel
def _binomial(n: int, p: float, stream: Stream, k: int) -> tuple[int, int]:
    """Draw how many of n things happen, each with probability p; also return the next random number."""
    count = 0
    for _ in range(n if p > 0.0 else 0):
        if uniform(stream.key, stream.other_key, stream.sample, k) < p:
            count += 1
        k += 1
    return count, k


@kernel
def _segment(
    text: IntArray,
    at: int,
    white: BoolArray,
    start: IntArray,
    end: IntArray,
    first: int,
    n: int,
    times: int,
    stream: Stream,
    k: int,
) -> tuple[int, int]:
    """Split units, and merge neighbours with what is between them; return how many there are then, and the next number.

    A split and a merge with the unit before or after are equally likely; what results from a change can be changed
    again. Where one kind is impossible, the other is made.
    """
    key, other_key, sample = stream
    for _ in range(times if n else 0):
        unit = -1
        k += 1
        if below(3, key, other_key, sample, k - 1) == 0:
            unit, k = _long_unit(start, end, first, n, stream, k)
        if unit < 0 and n > 1:
            n -= 1
            merged = first + below(n, key, other_key, sample, k)
            k += 1
            end[merged] = end[merged + 1]
            for index in range(merged + 1, first + n):
                start[index], end[index] = start[index + 1], end[index + 1]
            continue
        if unit < 0:
            unit = first
            if end[unit] - start[unit] < 2:
                break
        cut = start[unit] + 1 + below(end[unit] - start[unit] - 1, key, other_key, sample, k)
        k += 1
        for index in range(first + n, unit, -1):
            start[index], end[index] = start[index - 1], end[index - 1]
        n += 1
        # white space belongs to neither part, unless nothing else would be left of one
        left, right = cut, cut
        while left > start[unit] and white[text[at + left - 1]]:
            left -= 1
        while right < end[unit] and white[text[at + right]]:
            right += 1
        if left == start[unit] or right == end[unit]:
            left, right = cut, cut
        end[unit], start[unit + 1] = left, right
    return n, k


@kernel
def _long_unit(start: IntArray, end: IntArray, first: int, n: int, stream: Stream, k: int) -> tuple[int, int]:
    """Draw a unit that can be split; -1 if there is none. Also return the next random number."""
    for _ in range(_TRIES):
        unit = first + below(n, stream.key, stream.other_key, stream.sample, k)
        k += 1
        if end[unit] - start[unit] > 1:
            return unit, k
    n_long = 0
    for unit in range(first, first + n):
        if end[unit] - start[unit] > 1:
            n_long += 1
    rank = below(n_long, stream.key, stream.other_key, stream.sample, k)
    for unit in range(first, first + n):
        if end[unit] - start[unit] > 1:
            if rank == 0:
                return unit, k + 1
            rank -= 1
    return -1, k + 1


@kernel
def _gaps(
    text: IntArray, at: int, length: int, white: BoolArray, start: IntArray, end: IntArray, first: int, last: int
) -> int:
    """Make units of the text that none of the units from `first` to `last` covers; return how many. See `gap_layer`."""
    covered = ints(length + 1, 0)
    for unit in range(first, last):
        covered[start[unit]] += 1
        covered[end[unit]] -= 1
    n, depth, is_open = 0, 0, False
    for place in range(length):
        depth += covered[place]
        if depth:
            is_open = False
        elif not white[text[at + place]]:
            if not is_open:
                start[last + n] = place
                n += 1
                is_open = True
            end[last + n - 1] = place + 1
    return n
