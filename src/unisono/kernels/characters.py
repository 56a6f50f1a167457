"""Words aligned character by character, and distinct sequences of numbers."""

from __future__ import annotations

from typing import cast

import numpy as np

from unisono.arrays import BoolArray, IntArray
from unisono.kernels.switch import Kernel, kernel
from unisono.kernels.workspace import bools, ints

KEPT = -1
"""Stands for a character that is not changed; no character is a negative number."""
DELETED = -2
"""Stands for a character that is left out."""
CHANGED = -3
INSERTED = -4
GOLDEN = 0x1E3779B97F4A7C15
"""2⁶⁴ over the golden ratio, without the sign bit: a factor that spreads similar numbers (Knuth, TAOCP 3, §6.4)."""


@kernel
def rewrite(
    symbols: IntArray, starts: IntArray, first: IntArray, second: IntArray, n_cells: int, n_labels: int
) -> tuple[IntArray, IntArray]:
    """Find what each character of words becomes in other words, by Needleman and Wunsch's alignment.

    A match scores 1, a mismatch and a gap -1; the paper (Bollmann et al. 2016, §5) names the algorithm but no scores.
    Going back from the end, an inserted character is preferred where the best score allows it, then a pair, then a
    deleted character. Inserted characters belong to the character on their left, those before the first character to
    the one on their right (as in the paper).

    Parameters
    ----------
    symbols, starts : int64 array
        The characters of all words one after the other, and where each word begins (and the last one ends).
    first, second : int64 array, shape (n_pairs,)
        Which words become which.
    n_cells : int
        The most that (length + 1) · (length + 1) of a pair can be.
    n_labels : int
        How many characters the first words have in total.

    Returns
    -------
    labels : int64 array
        What the characters become, one after the other: symbols, `KEPT` or `DELETED`.
    edges : int64 array, shape (n_labels + 1,)
        Where what each character becomes begins in `labels`.
    """
    score = ints(n_cells, 0)
    moves = ints(n_cells + 1, 0)
    labels = ints(_most_labels(starts, first, second), 0)
    edges = ints(n_labels + 1, 0)
    end, done = 0, 0
    for pair in range(len(first)):
        a, b = starts[first[pair]], starts[second[pair]]
        rows, columns = starts[first[pair] + 1] - a, starts[second[pair] + 1] - b
        if first[pair] == second[pair]:
            # the same word: all characters match, and no other alignment scores as much
            for _ in range(rows):
                labels[end], edges[done] = KEPT, end
                end += 1
                done += 1
            continue
        _fill(score, symbols, a, b, rows, columns)
        begin, met = end, 0  # how many characters of the first word have been met
        for index in range(_trace(score, moves, symbols, a, b, rows, columns) - 1, -1, -1):
            move = moves[index]
            if move != INSERTED:
                # what a character becomes begins with it, and so ends with what is inserted after it; the first
                # character also takes what is inserted before it
                edges[done] = end if met else begin
                done += 1
                met += 1
            if move == DELETED:
                labels[end] = DELETED
            else:
                labels[end] = KEPT if move == KEPT else symbols[b]
                b += 1
            end += 1
    edges[done] = end
    return labels[:end], edges


@kernel
def _most_labels(starts: IntArray, first: IntArray, second: IntArray) -> int:
    """Bound the number of all labels: no alignment has more steps than both words have characters."""
    most = 1
    for pair in range(len(first)):
        most += starts[first[pair] + 1] - starts[first[pair]] + starts[second[pair] + 1] - starts[second[pair]]
    return most


@kernel
def _fill(score: IntArray, symbols: IntArray, a: int, b: int, rows: int, columns: int) -> None:
    """Write the best score of every two beginnings of two words, row by row."""
    width = columns + 1
    for column in range(width):
        score[column] = -column
    for row in range(1, rows + 1):
        here = row * width
        score[here] = -row
        symbol = symbols[a + row - 1]
        for column in range(1, width):
            best = score[here - width + column - 1] + (1 if symbol == symbols[b + column - 1] else -1)
            inserted = score[here + column - 1] - 1
            deleted = score[here - width + column] - 1
            if inserted > best:
                best = inserted
            if deleted > best:
                best = deleted
            score[here + column] = best


@kernel
def _trace(score: IntArray, moves: IntArray, symbols: IntArray, a: int, b: int, rows: int, columns: int) -> int:
    """Go back from the end of an alignment and note its steps; return their number."""
    width = columns + 1
    n_moves = 0
    while rows > 0 or columns > 0:
        here = rows * width + columns
        # a step is on a best alignment if the scores differ by just what the step scores; the order is the preference
        same = rows > 0 and columns > 0 and symbols[a + rows - 1] == symbols[b + columns - 1]
        if columns > 0 and score[here] == score[here - 1] - 1:
            moves[n_moves] = INSERTED
            columns -= 1
        elif rows > 0 and columns > 0 and score[here] == score[here - width - 1] + (1 if same else -1):
            moves[n_moves] = KEPT if same else CHANGED
            rows -= 1
            columns -= 1
        else:
            moves[n_moves] = DELETED
            rows -= 1
        n_moves += 1
    return n_moves


@kernel
def spread(codes: IntArray, starts: IntArray, length: IntArray, n_labels: int) -> IntArray:
    """Put the labels that several annotators gave the characters of words side by side.

    Parameters
    ----------
    codes : int64 array
        Labels of the characters of words, one after the other.
    starts : int64 array, shape (n_words * n_annotators,)
        Where the labels of each word by each annotator begin; -1 where there are none.
    length : int64 array, shape (n_words,)
        How many characters each word has.
    n_labels : int
        How many labels there are in the end.

    Returns
    -------
    labels : int64 array, shape (n_labels,)
        The labels of all annotators of the first character, then of the second …; -1 where there is none.
    """
    labels = ints(n_labels, -1)
    n_annotators = len(starts) // max(len(length), 1)
    end = 0
    # character by character, since that is the order of items: what all annotators say about one stands together
    for word in range(len(length)):
        for offset in range(length[word]):
            for place in range(word * n_annotators, (word + 1) * n_annotators):
                if starts[place] >= 0:
                    labels[end] = codes[starts[place] + offset]
                end += 1
    return labels


def _distinct_by_dictionary(values: IntArray, edges: IntArray, width: int) -> tuple[IntArray, IntArray]:
    seen: dict[tuple[int, ...], int] = {}
    which: list[int] = []
    first: list[int] = []
    bounds = range(0, len(values) + 1, width) if width else edges
    for run in range(len(bounds) - 1):
        number = seen.setdefault(tuple(values[bounds[run] : bounds[run + 1]]), len(seen))
        if number == len(first):
            first.append(run)
        which.append(number)
    return cast(IntArray, which), cast(IntArray, first)


# In Python a dictionary of tuples is fastest. numba's dictionary cannot have runs of any length as keys, so machine
# code has a hash table of its own, with linear probing; both number runs in the order of their first appearance.
def _distinct_by_hash(values: IntArray, edges: IntArray, width: int) -> tuple[IntArray, IntArray]:
    n_runs = len(values) // width if width else len(edges) - 1
    # at least twice as many slots as runs, so that a free one is near
    bits = 4
    while (1 << bits) < 2 * n_runs:
        bits += 1
    table = ints(1 << bits, -1)
    which = ints(n_runs, 0)
    first = ints(n_runs, 0)
    found, before, n_before = 0, 0, -1
    for run in range(n_runs):
        begin = run * width if width else edges[run]
        size = width if width else edges[run + 1] - begin
        if _is_same(values, before, n_before, begin, size):
            which[run] = which[run - 1]  # neighbours are often the same: then there is nothing to hash
            continue
        before, n_before = begin, size
        code = size
        for index in range(begin, begin + size):
            code = (code ^ values[index]) * GOLDEN  # modulo 2⁶⁴
            code = code ^ (code >> 29)
        place = (code * GOLDEN & 0x7FFFFFFFFFFFFFFF) >> (63 - bits)  # the highest bits are mixed best
        number = table[place]
        # a slot is taken by this run if the contents agree; equal hashes are not enough
        while number >= 0:
            other = first[number] * width if width else edges[first[number]]
            n_other = width if width else edges[first[number] + 1] - other
            if _is_same(values, other, n_other, begin, size):
                break
            place = (place + 1) & (len(table) - 1)
            number = table[place]
        if number < 0:
            number = found
            table[place], first[found] = found, run
            found += 1
        which[run] = number
    return which, first[:found].copy()


@kernel
def _is_same(values: IntArray, one: int, n_one: int, other: int, n_other: int) -> bool:
    if n_one != n_other:
        return False
    for offset in range(n_one):
        if values[one + offset] != values[other + offset]:
            return False
    return True


@kernel
def same_runs(values: IntArray, begin: IntArray, end: IntArray, other: IntArray, other_end: IntArray) -> BoolArray:
    """Return which pairs of runs have the same content; runs go from `begin` to `end`, and `other` to `other_end`."""
    same = bools(len(begin))
    for pair in range(len(begin)):
        same[pair] = _is_same(values, begin[pair], end[pair] - begin[pair], other[pair], other_end[pair] - other[pair])
    return same


_distinct = Kernel(_distinct_by_dictionary, _distinct_by_hash)


def distinct_runs(values: IntArray, edges: IntArray) -> tuple[IntArray, IntArray]:
    """Assign numbers to runs of integers by their content, in the order of their first appearance.

    Parameters
    ----------
    values : int64 array
        All runs one after the other.
    edges : int64 array, shape (n_runs + 1,)
        Where each run begins, and the last one ends.

    Returns
    -------
    which : int64 array, shape (n_runs,)
        The number of each run; runs of the same content have the same.
    first : int64 array, shape (n_distinct,)
        The first run of each number.
    """
    return _distinct(values, edges, 0)


def distinct_rows(rows: IntArray) -> tuple[IntArray, IntArray]:
    """Assign numbers to the rows of a table in the same way; shape (n_rows, n_columns), with one column or more."""
    return _distinct(rows.ravel(), np.zeros(1, dtype=np.int64), rows.shape[1])
