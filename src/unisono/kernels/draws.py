"""Random annotation sets, many in one call: continua split and swapped, mixed, or drawn from normal distributions.

Sets are one after another, as `blocks` expects them: those of annotator a in set s are begin[s · n + a] to
begin[s · n + a + 1], sorted by position. `source` is the unit of the data that each random unit was made from.
"""

from __future__ import annotations

import math

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.kernels.randomness import below, normal, uniform
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import floats, ints

_MOST_REDRAWS = 100


@kernel
def shifted_sets(
    first: IntArray,
    start: FloatArray,
    end: FloatArray,
    low: FloatArray,
    length: FloatArray,
    distance: FloatArray,
    whole: BoolArray,
    keys: IntArray,
    numbers: IntArray,
    n: int,
) -> tuple[IntArray, FloatArray, FloatArray, IntArray]:
    """Split continua at random and swap their parts: see `chance.shift`.

    Parameters
    ----------
    first : int64 array, shape (n_models · n + 1,)
        Where the units of each annotator of each model begin.
    start, end : float64 array, shape (n_units,)
        Their positions, sorted for each annotator.
    low, length, distance, whole : array, shape (n_models,)
        Where each continuum begins, its length, the least distance between splits, and whether positions are whole.
    keys : int64 array, shape (2 · n_models,)
        The key of the random numbers of each model.
    numbers : int64 array, shape (2 · n_models,)
        The numbers of its samples: from, to.
    n : int
        Number of annotators.

    Returns
    -------
    begin, start, end, source : array
        The sets; see above.
    """
    n_models = len(low)
    n_sets = 0
    for model in range(n_models):
        n_sets += numbers[2 * model + 1] - numbers[2 * model]
    chosen, split = ints(n_sets * n, 0), floats(n_sets * n, 0.0)
    begin = ints(n_sets * n + 1, 0)
    at = 0
    for model in range(n_models):
        for sample in range(numbers[2 * model], numbers[2 * model + 1]):
            choose_shifts(
                first,
                model * n,
                length[model],
                distance[model],
                whole[model],
                keys[2 * model],
                keys[2 * model + 1],
                sample,
                n,
                chosen,
                split,
                at,
            )
            for place in range(at, at + n):
                begin[place + 1] = begin[place] + first[chosen[place] + 1] - first[chosen[place]]
            at += n
    new_start, new_end, source = floats(begin[at], 0.0), floats(begin[at], 0.0), ints(begin[at], 0)
    at = 0
    for model in range(n_models):
        for _ in range(numbers[2 * model], numbers[2 * model + 1]):
            for place in range(at, at + n):
                to = begin[place]
                for unit in range(first[chosen[place]], first[chosen[place] + 1]):
                    moved = low[model] + (start[unit] - low[model] - split[place]) % length[model]
                    new_start[to], new_end[to], source[to] = moved, moved + (end[unit] - start[unit]), unit
                    to += 1
                sort_units(new_start, new_end, source, begin[place], to)
            at += n
    return begin, new_start, new_end, source


@kernel
def choose_shifts(
    first: IntArray,
    annotators: int,
    length: float,
    distance: float,
    whole: bool,
    key: int,
    other: int,
    sample: int,
    n: int,
    chosen: IntArray,
    split: FloatArray,
    at: int,
) -> None:
    """Draw whose work each annotator of one sample gets, and where it is split."""
    free = length - n * distance
    k, size = 0, 0
    while size == 0:  # somebody must have marked something
        for place in range(at, at + n):
            who = annotators + below(n, key, other, sample, k)
            k += 1
            chosen[place] = who
            size += first[who + 1] - first[who]
    if not whole:
        k = real_splits(split, at, n, free, distance, length, key, other, sample, k)
    elif distance >= 1.0:
        k = whole_splits(split, at, n, int(free), distance, length, key, other, sample, k)
    else:  # splits may coincide, so each is drawn on its own
        for place in range(at, at + n):
            split[place] = below(int(length), key, other, sample, k)
            k += 1
    for place in range(n - 1, 0, -1):  # who gets which split
        swapped = below(place + 1, key, other, sample, k)
        k += 1
        split[at + place], split[at + swapped] = split[at + swapped], split[at + place]


@kernel
def whole_splits(
    split: FloatArray,
    at: int,
    n: int,
    free: int,
    distance: float,
    length: float,
    key: int,
    other: int,
    sample: int,
    k: int,
) -> int:
    """Draw n splits at least `distance` apart around a circle of whole positions, all choices equally likely."""
    # n - 1 different places among free + n - 1 divide what is free into n whole parts. Floyd's way to draw them: for
    # each of the last n - 1 places, one up to it, or itself if that has been drawn before. They stay sorted.
    for size in range(n - 1):
        top = free + size
        drawn = float(below(top + 1, key, other, sample, k))
        k += 1
        for place in range(at + 1, at + 1 + size):
            if split[place] == drawn:
                drawn = float(top)
                break
        place = at + 1 + size
        while place > at + 1 and split[place - 1] > drawn:
            split[place] = split[place - 1]
            place -= 1
        split[place] = drawn
    turn = below(int(length), key, other, sample, k)
    split[at] = turn
    for place in range(1, n):
        split[at + place] = (split[at + place] - (place - 1) + distance * place + turn) % length
    return k + 1


@kernel
def real_splits(
    split: FloatArray,
    at: int,
    n: int,
    free: float,
    distance: float,
    length: float,
    key: int,
    other: int,
    sample: int,
    k: int,
) -> int:
    """Do the same with positions that are not whole."""
    for size in range(n - 1):
        drawn = free * uniform(key, other, sample, k)
        k += 1
        place = at + 1 + size
        while place > at + 1 and split[place - 1] > drawn:
            split[place] = split[place - 1]
            place -= 1
        split[place] = drawn
    turn = length * uniform(key, other, sample, k)
    split[at] = turn
    for place in range(1, n):
        split[at + place] = (split[at + place] + distance * place + turn) % length
    return k + 1


@kernel
def mixed_sets(
    annotators: IntArray,
    first: IntArray,
    start: FloatArray,
    end: FloatArray,
    length: FloatArray,
    most: int,
    key: int,
    other: int,
    sample: int,
    n_samples: int,
    n: int,
) -> tuple[IntArray, FloatArray, FloatArray, IntArray, IntArray]:
    """Put annotators of different documents side by side, repeated to the length of the longest: see `chance.corpus`.

    Parameters
    ----------
    annotators : int64 array, shape (n_documents + 1,)
        Where the annotators of each document begin.
    first : int64 array, shape (n_all_annotators + 1,)
        Where their units begin.
    start, end : float64 array, shape (n_units,)
        Positions from the beginning of the document, sorted for each annotator.
    length : float64 array, shape (n_documents,)
        The length of each document.
    most : int
        A document is not repeated beyond so many units.
    key, other, sample, n_samples : int
        The key of the random numbers, the number of the first sample, and how many samples to draw.
    n : int
        Number of annotators of a sample.

    Returns
    -------
    begin, start, end, source : array
        The sets; see above.
    documents : int64 array, shape (n_samples · n,)
        The documents of each sample.
    """
    documents, chosen = ints(n_samples * n, 0), ints(n_samples * n, 0)
    longest, times = floats(n_samples, 0.0), ints(n_samples * n, 1)
    room = 0
    for one in range(n_samples):
        k, size = 0, 0
        while size == 0:
            for place in range(one * n, one * n + n):
                fresh = False
                while not fresh:
                    documents[place] = below(len(length), key, other, sample + one, k)
                    k += 1
                    fresh = True
                    for before in range(one * n, place):
                        fresh = fresh and documents[before] != documents[place]
                begins = annotators[documents[place]]
                n_there = annotators[documents[place] + 1] - begins
                chosen[place] = begins + below(n_there, key, other, sample + one, k)
                k += 1
                size += first[chosen[place] + 1] - first[chosen[place]]
        longest[one] = length[documents[one * n]]
        for place in range(one * n, one * n + n):
            longest[one] = max(longest[one], length[documents[place]])
        for place in range(one * n, one * n + n):
            own, units = length[documents[place]], first[chosen[place] + 1] - first[chosen[place]]
            if own > 0.0:
                times[place] = min(math.ceil(longest[one] / own), 1 + most // max(units, 1))
            room += times[place] * units
    new_start, new_end, source = floats(room, 0.0), floats(room, 0.0), ints(room, 0)
    begin = ints(n_samples * n + 1, 0)
    to = begin[0]
    for place in range(n_samples * n):
        limit = longest[place // n]
        for time in range(times[place]):
            offset = time * length[documents[place]]
            for unit in range(first[chosen[place]], first[chosen[place] + 1]):
                begins, ends = start[unit] + offset, end[unit] + offset
                # units that begin inside count whole; one without length may also stand at the very end
                if begins < limit or (begins == ends and begins <= limit):
                    new_start[to], new_end[to], source[to] = begins, ends, unit
                    to += 1
        sort_units(new_start, new_end, source, begin[place], to)
        begin[place + 1] = to
    return begin, new_start[:to], new_end[:to], source[:to], documents


@kernel
def normal_sets(
    first: IntArray,
    counts: FloatArray,
    gaps: FloatArray,
    lengths: FloatArray,
    shortest: float,
    keys: IntArray,
    numbers: IntArray,
    n: int,
) -> tuple[IntArray, FloatArray, FloatArray, IntArray]:
    """Put units after one another, with normal numbers of units, gaps and lengths: see `chance.statistical`.

    Parameters
    ----------
    first : int64 array, shape (n_models + 1,)
        Where the units of each model begin.
    counts, gaps, lengths : float64 array, shape (2 · n_models,)
        Mean and standard deviation.
    shortest : float
        Shorter units are drawn again.
    keys, numbers, n
        See `shifted_sets`.

    Returns
    -------
    begin, start, end, source : array
        The sets; see above.
    """
    n_models = len(first) - 1
    n_sets = 0
    for model in range(n_models):
        n_sets += numbers[2 * model + 1] - numbers[2 * model]
    begin = ints(n_sets * n + 1, 0)
    at = 0
    for model in range(n_models):
        for sample in range(numbers[2 * model], numbers[2 * model + 1]):
            for who in range(n):
                drawn, _ = normal(keys[2 * model], keys[2 * model + 1], sample, 2 * who)
                size = abs(int(counts[2 * model] + counts[2 * model + 1] * drawn))
                if who == 0:
                    size = max(size, 1)  # so that the set is not empty
                begin[at + 1] = begin[at] + size
                at += 1
    start, end, source = floats(begin[at], 0.0), floats(begin[at], 0.0), ints(begin[at], 0)
    at = 0
    for model in range(n_models):
        key, other = keys[2 * model], keys[2 * model + 1]
        n_units = first[model + 1] - first[model]
        for sample in range(numbers[2 * model], numbers[2 * model + 1]):
            k = 2 * n
            for _ in range(n):
                position = 0.0
                for unit in range(begin[at], begin[at + 1]):
                    gap, longer = normal(key, other, sample, k)
                    source[unit] = first[model] + below(n_units, key, other, sample, k + 2)
                    k += 3
                    length = abs(lengths[2 * model] + lengths[2 * model + 1] * longer)
                    redraws = _MOST_REDRAWS if lengths[2 * model] >= shortest else 0
                    while length < shortest and redraws > 0:
                        longer, _ = normal(key, other, sample, k)
                        k += 2
                        redraws -= 1
                        length = abs(lengths[2 * model] + lengths[2 * model + 1] * longer)
                    position += gaps[2 * model] + gaps[2 * model + 1] * gap
                    start[unit] = position
                    position += length
                    end[unit] = position
                sort_units(start, end, source, begin[at], begin[at + 1])
                at += 1
    return begin, start, end, source


@kernel
def sort_units(start: FloatArray, end: FloatArray, source: IntArray, begin: int, stop: int) -> None:
    """Sort units from `begin` to `stop` by start, end and source; most are in order."""
    turned = begin
    for unit in range(begin + 1, stop):
        if start[unit] < start[unit - 1]:
            turned = unit
            break
    # what was split in two sorted parts is turned first, so that little is left to sort
    if turned > begin:
        reverse_units(start, end, source, begin, turned)
        reverse_units(start, end, source, turned, stop)
        reverse_units(start, end, source, begin, stop)
    for unit in range(begin + 1, stop):
        its_start, its_end, its_source = start[unit], end[unit], source[unit]
        place = unit
        while place > begin and (
            start[place - 1] > its_start
            or (
                start[place - 1] == its_start
                and (end[place - 1] > its_end or (end[place - 1] == its_end and source[place - 1] > its_source))
            )
        ):
            start[place], end[place], source[place] = start[place - 1], end[place - 1], source[place - 1]
            place -= 1
        start[place], end[place], source[place] = its_start, its_end, its_source


@kernel
def reverse_units(start: FloatArray, end: FloatArray, source: IntArray, begin: int, stop: int) -> None:
    """Reverse the order of units."""
    low, high = begin, stop - 1
    while low < high:
        start[low], start[high] = start[high], start[low]
        end[low], end[high] = end[high], end[low]
        source[low], source[high] = source[high], source[low]
        low += 1
        high -= 1
