"""Longest common subsequences, bit by bit, and everything that all of them pass through.

A sequence alignment with matches and gaps only costs n + m - 2L, L the length of the common subsequence. Rows of the
table of L are kept as bits, 62 to a word: bit j of row i is 0 where L(i, j) = L(i, j - 1) + 1. A row follows from the
one above by u = v & m; v = (v + u) | (v & ~m), where m marks the columns that match the row's symbol [1]_.

References
----------
.. [1] Hyyrö, H. (2004). Bit-parallel LCS-length computation revisited. AWOCA 2004, 16–27.
"""

from __future__ import annotations

from typing import NamedTuple

from unisono.arrays import ByteArray, IntArray
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import ints, longer, longer_octets, octets

WORD = 62
"""Bits to a word: the most for which the sum of two words and a carry is still an int64."""
FULL = (1 << 62) - 1
# Trade-offs, measured on texts of 50,000 characters with 2% edits and of 4,000 without relation.
# KEPT_EVERY: with 64, `sweep` takes 30% longer; with 4096, `hull` takes four times as long.
# TOGETHER: four rows at once take half of the time. A row waits for its own carries only, so that the processor can
#   work on several of them.
# CHECK: from 4 to 64 there is no difference of more than 5%.
KEPT_EVERY = 512
"""A row of bits is kept after so many rows; `hull` computes the rows between anew."""
TOGETHER = 4
"""So many rows are computed at once."""
CHECK = 16
"""After so many rows, words are dropped or added."""
LINES = 4
"""Spare lines of marks for symbols that are rare, one for each of the rows that are computed at once."""

OUTSIDE, INSIDE = 1, 2
"""States of a cell, going backwards: outside, or since a pair of closing markers that match inside a pair of units."""
LEFT, UP, DIAGONAL = 4, 8, 16
"""Steps from a cell that stay on a longest common subsequence."""


# Arrays that belong together are passed between kernels as tuples, which costs nothing in machine code. Calls from
# Python pass them one by one: to find out the type of such a tuple takes numba 0.1 ms (measured).


class Marks(NamedTuple):
    """The columns of each symbol, as bits and as a list.

    Attributes
    ----------
    table : int64 array, shape ((n_frequent + LINES) * n_words,)
        One line of bits for each frequent symbol, and spare lines; see `masks`.
    starts, places : int64 array
        The columns of each symbol: places[starts[symbol] : starts[symbol + 1]].
    rank : int64 array, shape (n_symbols,)
        The line of each frequent symbol; n_frequent for the others.
    n_words, n_frequent : int
        How many words a line has, and how many symbols are frequent.
    """

    table: IntArray
    starts: IntArray
    places: IntArray
    rank: IntArray
    n_words: int
    n_frequent: int


class MarkedTexts(NamedTuple):
    """Two sequences of symbols with markers where units begin and end.

    Attributes
    ----------
    a, b : int64 array
        Both sequences.
    a_ends, b_ends : int64 array
        How many rows, and columns, there are up to and including each symbol, 0 first.
    opening, closing : int
        The markers, greater than all other symbols.
    """

    a: IntArray
    b: IntArray
    a_ends: IntArray
    b_ends: IntArray
    opening: int
    closing: int


# Symbols that weigh more than 1 are repeated that often. At whole symbols that is exact: if m_ij copies of symbol i are
# matched with copies of symbol j, then m_ij divided by the weight is a fractional matching of rows and columns, and
# some whole matching of the same pairs is as long (matchings of bipartite graphs are integral). Whole pairs taken out
# of a chain that goes down and to the right do not cross.


@kernel
def masks(n_columns: int, starts: IntArray, places: IntArray, rank: IntArray, n_frequent: int) -> IntArray:
    """Mark the columns of each frequent symbol; spare lines are left empty for the others. See `Marks`."""
    n_words = (n_columns + WORD - 1) // WORD
    table = ints((n_frequent + LINES) * n_words, 0)
    for symbol in range(len(rank)):
        if rank[symbol] < n_frequent:
            for index in range(starts[symbol], starts[symbol + 1]):
                column = places[index]
                table[rank[symbol] * n_words + column // WORD] |= 1 << (column % WORD)
    return table


@kernel
def sweep(
    rows: IntArray,
    ends: IntArray,
    n_columns: int,
    table: IntArray,
    starts: IntArray,
    places: IntArray,
    rank: IntArray,
    half: int,
    budget: int,
    keep: bool,
) -> tuple[int, IntArray, IntArray]:
    """Go through all rows, only where the cost can stay within a budget, or in a strip around the diagonal.

    What is computed is the cost of real alignments, and it is exact wherever an alignment within the budget passes.

    Parameters
    ----------
    rows, ends : int64 array
        The rows' symbols, and the number of rows up to and including each whole symbol, 0 first.
    n_columns : int
        The number of columns.
    table, starts, places, rank : int64 array
        The columns' symbols, see `Marks`.
    half : int
        Half of the strip's width.
    budget : int
        The cost that is of interest.
    keep : bool
        Whether to keep every 512th row.

    Returns
    -------
    cost : int
        The cost of an alignment; the least one, if that is within budget and strip.
    bits, kept : int64 array
        The rows kept, and for each: where its bits begin, its first word, the end of its words, and L before them.
    """
    # Words from `low` to `high` are active. Outside of them L is taken to be what it is at their edges, as if there
    # were gaps only: that is a real alignment, so L is never too large. And it is exact where it matters: the best ways
    # to a cell on an alignment within the budget are themselves within the budget, and so in active words only (below).
    n_rows, n_words = len(rows), (n_columns + WORD - 1) // WORD
    marks = Marks(table, starts, places, rank, n_words, len(table) // max(n_words, 1) - LINES)
    v = ints(n_words, FULL)
    bits = ints(1024, 0)
    kept = ints(4 * (len(ends) // KEPT_EVERY + 2), 0)
    n_bits = n_kept = 0
    low, high, before, after = 0, 0, 0, 0  # active words, and L before and after them
    row, next_kept = 0, 0
    while True:
        # rows after whole symbols are kept, the first and the last among them
        if row == ends[next_kept]:
            kept[n_kept], kept[n_kept + 1], kept[n_kept + 2], kept[n_kept + 3] = n_bits, low, high, before
            if keep:
                n_kept += 4
                while n_bits + high - low > len(bits):
                    bits = longer(bits)
                for word in range(low, high):
                    bits[n_bits] = v[word]
                    n_bits += 1
            next_kept = min(next_kept + KEPT_EVERY, len(ends) - 1)
        if row == n_rows:
            break
        stop = min(row + CHECK, n_rows, ends[next_kept])
        centre = row * n_columns // n_rows  # the diagonal from corner to corner, for texts of different lengths too
        while high < n_words and high * WORD <= centre + half + CHECK:
            # An alignment enters a word through the column before it. From row to row the bound there falls by 2 at
            # most (a match, and one gap less to the end): until the next check, none within the budget can enter.
            if _bound(row, high * WORD, after, n_rows, n_columns) > budget + 2 * CHECK:
                break
            v[high] = FULL
            high += 1
        while row + TOGETHER <= stop:
            after += _advance_together(v, low, high, marks, rows, row)
            row += TOGETHER
        while row < stop:
            after += _advance(v, low, high, marks, rows[row])
            row += 1
        low, before = _drop_left(v, low, high, before, row, centre - half, budget, n_rows, n_columns)
        high, after = _drop_right(v, low, high, after, row, budget, n_rows, n_columns)
    return n_rows + n_columns - 2 * after, bits[:n_bits], kept[:n_kept]


@kernel
def _drop_left(
    v: IntArray,
    low: int,
    high: int,
    before: int,
    row: int,
    strip: int,
    budget: int,
    n_rows: int,
    n_columns: int,
) -> tuple[int, int]:
    """Drop words on the left that no alignment within the budget passes any more, or that are left of the strip."""
    # As long as no fewer columns than rows are left, the bound in column c is 2 row + n_columns - n_rows - 2 L(row, c).
    # L does not fall with c: if the bound is above the budget in a word's last column, it is in all columns before.
    while high - low > 1:
        end = (low + 1) * WORD
        further = before + _zeros(v[low])
        beyond = n_columns - end < n_rows - row
        if end >= strip and (beyond or _bound(row, end, further, n_rows, n_columns) <= budget):
            break
        before = further
        low += 1
    return low, before


@kernel
def _drop_right(
    v: IntArray, low: int, high: int, after: int, row: int, budget: int, n_rows: int, n_columns: int
) -> tuple[int, int]:
    """Drop words on the right that no alignment within the budget passes in this row."""
    # As long as no fewer rows than columns are left, the bound in column c is n_rows - n_columns + 2 (c - L(row, c)).
    # L grows by 1 per column at most: if the bound is above the budget in a word's first column, it is in all after.
    while high - low > 1:
        begin = (high - 1) * WORD
        nearer = after - _zeros(v[high - 1])
        if n_columns - begin > n_rows - row or _bound(row, begin, nearer, n_rows, n_columns) <= budget:
            break
        after = nearer
        high -= 1
    return high, after


@kernel
def _advance(v: IntArray, low: int, high: int, marks: Marks, symbol: int) -> int:
    """Go on by one row; return by how much L grows after the last word."""
    line = _line(marks, 0, symbol, low, high)
    table = marks.table
    carry = 0
    for word in range(low, high):
        mask = table[line + word]
        old = v[word]
        total = old + (old & mask) + carry
        carry = total >> WORD
        v[word] = (total & FULL) | (old & ~mask)
    if marks.rank[symbol] == marks.n_frequent:
        _clear(marks, 0, symbol, low, high)
    return carry


@kernel
def _advance_together(v: IntArray, low: int, high: int, marks: Marks, rows: IntArray, row: int) -> int:
    """Go on by four rows at once, which do not wait for each other's carries."""
    table, rank, n_words = marks.table, marks.rank, marks.n_words
    line_0, line_1 = rank[rows[row]] * n_words, rank[rows[row + 1]] * n_words
    line_2, line_3 = rank[rows[row + 2]] * n_words, rank[rows[row + 3]] * n_words
    rare = max(line_0, line_1, line_2, line_3) == marks.n_frequent * n_words
    if rare:
        line_0 = _line(marks, 0, rows[row], low, high)
        line_1 = _line(marks, 1, rows[row + 1], low, high)
        line_2 = _line(marks, 2, rows[row + 2], low, high)
        line_3 = _line(marks, 3, rows[row + 3], low, high)
    own = v[low:high]  # seen from 0 on, indices need no check
    marks_0, marks_1 = table[line_0 + low : line_0 + high], table[line_1 + low : line_1 + high]
    marks_2, marks_3 = table[line_2 + low : line_2 + high], table[line_3 + low : line_3 + high]
    carry_0 = carry_1 = carry_2 = carry_3 = 0
    for word in range(len(own)):
        old = own[word]
        mask = marks_0[word]
        total = old + (old & mask) + carry_0
        carry_0 = total >> WORD
        old = (total & FULL) | (old & ~mask)
        mask = marks_1[word]
        total = old + (old & mask) + carry_1
        carry_1 = total >> WORD
        old = (total & FULL) | (old & ~mask)
        mask = marks_2[word]
        total = old + (old & mask) + carry_2
        carry_2 = total >> WORD
        old = (total & FULL) | (old & ~mask)
        mask = marks_3[word]
        total = old + (old & mask) + carry_3
        carry_3 = total >> WORD
        own[word] = (total & FULL) | (old & ~mask)
    v[low:high] = own
    for offset in range(TOGETHER if rare else 0):
        if rank[rows[row + offset]] == marks.n_frequent:
            _clear(marks, offset, rows[row + offset], low, high)
    return carry_0 + carry_1 + carry_2 + carry_3


@kernel
def _line(marks: Marks, spare: int, symbol: int, low: int, high: int) -> int:
    """Return where the marks of a symbol begin; those of a rare one are made in a spare line."""
    # A line for each symbol would take the product of symbols and columns. Rare symbols have few places, so to mark
    # them when they are needed costs little.
    if marks.rank[symbol] < marks.n_frequent:
        return int(marks.rank[symbol] * marks.n_words)
    line = (marks.n_frequent + spare) * marks.n_words
    for index in range(_search(marks, symbol, low * WORD), marks.starts[symbol + 1]):
        column = marks.places[index]
        if column >= high * WORD:
            break
        marks.table[line + column // WORD] |= 1 << (column % WORD)
    return line


@kernel
def _clear(marks: Marks, spare: int, symbol: int, low: int, high: int) -> None:
    """Empty a spare line again."""
    line = (marks.n_frequent + spare) * marks.n_words
    for index in range(_search(marks, symbol, low * WORD), marks.starts[symbol + 1]):
        column = marks.places[index]
        if column >= high * WORD:
            break
        marks.table[line + column // WORD] = 0


@kernel
def _search(marks: Marks, symbol: int, column: int) -> int:
    """Find the first place of a symbol that is not before a column."""
    low, high = marks.starts[symbol], marks.starts[symbol + 1]
    while low < high:
        half = (low + high) // 2
        if marks.places[half] < column:
            low = half + 1
        else:
            high = half
    return int(low)


@kernel
def _bound(row: int, column: int, common: int, n_rows: int, n_columns: int) -> int:
    """Return the least that an alignment through a cell can cost: so far, and the gaps that it needs to the end."""
    return row + column - 2 * common + abs((n_columns - column) - (n_rows - row))


@kernel
def _zeros(word: int) -> int:
    """Count the zeros in a word."""
    # ones are added up in pairs of bits, then in fours, in bytes, and over all bytes
    ones = word - ((word >> 1) & 0x1555555555555555)
    ones = (ones & 0x3333333333333333) + ((ones >> 2) & 0x3333333333333333)
    ones = (ones + (ones >> 4)) & 0x0F0F0F0F0F0F0F0F
    ones = ones + (ones >> 8)
    ones = ones + (ones >> 16)
    ones = ones + (ones >> 32)
    return WORD - (ones & 127)


@kernel
def hull(
    a: IntArray,
    b: IntArray,
    a_ends: IntArray,
    b_ends: IntArray,
    opening: int,
    closing: int,
    rows: IntArray,
    table: IntArray,
    starts: IntArray,
    places: IntArray,
    rank: IntArray,
    bits: IntArray,
    kept: IntArray,
    cost: int,
    most: int,
) -> tuple[ByteArray, IntArray, IntArray, IntArray, int]:
    """Find all cells that optimal alignments pass through, and the pairs of units that they can align.

    From the end backwards: a match is always a step to such a cell, a gap is one if L stays the same. Rows between two
    kept ones are computed anew, only where such cells can be.

    Parameters
    ----------
    a, b, a_ends, b_ends, opening, closing
        Both sequences, see `MarkedTexts`.
    rows, table, starts, places, rank, bits, kept
        See `sweep`.
    cost : int
        The cost of optimal alignments.
    most : int
        The most cells to keep.

    Returns
    -------
    cells : int8 array
        For each cell its states and steps, row by row from the last, from right to left.
    offsets, last : int64 array, shape (n + 1,)
        Where each row begins in `cells`, and the column that it begins with.
    pairs : int64 array
        Rows and columns of the pairs of opening markers that can close a pair of units, as row * (m + 1) + column, in
        the order in which they are met.
    complete : int
        1, or 0 if there are more cells than `most`.
    """
    n, m = len(a), len(b)
    n_words = (b_ends[m] + WORD - 1) // WORD
    marks = Marks(table, starts, places, rank, n_words, len(table) // max(n_words, 1) - LINES)
    texts = MarkedTexts(a, b, a_ends, b_ends, opening, closing)
    cells = octets(n + m + 64)
    offsets = ints(n + 1, 0)
    last = ints(n + 1, 0)
    pairs = ints(64, 0)
    n_cells = n_pairs = 0
    # states and costs of the cells reached, of two rows: even ones in the first half, odd ones in the second
    state, spent = octets(2 * (m + 1)), ints(2 * (m + 1), 0)
    here = (n % 2) * (m + 1)
    state[here + m], spent[here + m] = OUTSIDE, cost
    low, high = m, m  # the columns reached in this row
    horizontal, vertical = ints(1, 0), ints(1, 0)
    first = width = begin = 0
    i = n
    while i >= 0:
        if i:
            begin = i - 1 - (i - 1) % KEPT_EVERY
            block = 4 * (begin // KEPT_EVERY)
            first = _first_word(texts, state, spent, low, high, bits, kept, block, begin, i)
            width = max((b_ends[high] + WORD - 1) // WORD - first, 0)
            if width * (i - begin) > len(horizontal):
                horizontal, vertical = ints(width * (i - begin), 0), ints(width * (i - begin), 0)
            _rows_between(a_ends, begin, i, first, width, bits, kept, block, rows, marks, horizontal, vertical)
        cells, n_cells, pairs, n_pairs, low, high = _hull_rows(
            i, begin, texts, low, high, state, spent, horizontal, vertical, first, width,
            cells, n_cells, offsets, last, pairs, n_pairs, most,
        )  # fmt: skip
        if n_cells < 0:
            return cells[:0], offsets, last, pairs[:0], 0
        i = begin if i else -1
    return cells[:n_cells], offsets, last, pairs[:n_pairs], 1


@kernel
def _hull_rows(
    i: int,
    begin: int,
    texts: MarkedTexts,
    low: int,
    high: int,
    state: ByteArray,
    spent: IntArray,
    horizontal: IntArray,
    vertical: IntArray,
    first: int,
    width: int,
    cells: ByteArray,
    n_cells: int,
    offsets: IntArray,
    last: IntArray,
    pairs: IntArray,
    n_pairs: int,
    most: int,
) -> tuple[ByteArray, int, IntArray, int, int, int]:
    """Go through rows of `hull`, from i back to begin + 1, or through row 0; each from right to left.

    Also gives the columns reached in the row above, the first and the last; the number of cells is -1 if there are too
    many.
    """
    a, b, a_ends, b_ends, opening, closing = texts
    m = len(b)
    while True:
        offsets[i], last[i] = n_cells, high
        line = (i - begin - 1) * width
        here, above = (i % 2) * (m + 1), (1 - i % 2) * (m + 1)
        least, greatest = m + 1, -1
        j = high
        while j >= low:
            if n_cells == len(cells):
                if n_cells >= most:
                    return cells, -1, pairs, n_pairs, low, high
                cells = longer_octets(cells)
            own, at = state[here + j], spent[here + j]
            steps = 0
            # A cell is on an optimal alignment if L up to it and L from it on add up to L in total. Going back from
            # such a cell over a match, the first falls by 1 (to match two equal last symbols is never worse) and the
            # second rises by 1: that is always such a cell again. Over a gap the second does not change, so the first
            # must not either. A marker that stands alone ends the pair of units that it stands in.
            if own and j > 0 and (i == 0 or _flat(horizontal, line, first, width, b_ends[j - 1], b_ends[j])):
                steps |= LEFT
                state[here + j - 1] |= OUTSIDE if b[j - 1] >= opening else own
                spent[here + j - 1] = at - (b_ends[j] - b_ends[j - 1])
                low = min(low, j - 1)
            if own and i > 0 and (j == 0 or _level(vertical, line, first, width, b_ends[j] - 1)):
                steps |= UP
                state[above + j] |= OUTSIDE if a[i - 1] >= opening else own
                spent[above + j] = at - (a_ends[i] - a_ends[i - 1])
                least, greatest = min(least, j), max(greatest, j)
            if own and i > 0 and j > 0 and a[i - 1] == b[j - 1]:
                steps |= DIAGONAL
                if a[i - 1] == opening and own & INSIDE:
                    if n_pairs == len(pairs):
                        pairs = longer(pairs)
                    pairs[n_pairs] = (i - 1) * (m + 1) + j - 1
                    n_pairs += 1
                state[above + j - 1] |= INSIDE if a[i - 1] == closing else OUTSIDE if a[i - 1] == opening else own
                spent[above + j - 1] = at
                least, greatest = min(least, j - 1), max(greatest, j - 1)
            cells[n_cells] = own | steps
            n_cells += 1
            state[here + j] = 0
            j -= 1
        low, high = least, greatest
        i -= 1
        if i <= begin:
            return cells, n_cells, pairs, n_pairs, low, high


@kernel
def _first_word(
    texts: MarkedTexts,
    state: ByteArray,
    spent: IntArray,
    low: int,
    high: int,
    bits: IntArray,
    kept: IntArray,
    block: int,
    begin: int,
    i: int,
) -> int:
    """Find the first word of a kept row from which cells that were reached in row i can be reached."""
    most_spent = 0
    here = (i % 2) * (len(texts.b) + 1)
    for j in range(here + low, here + high + 1):
        if state[j] and spent[j] > most_spent:
            most_spent = spent[j]
    row, height = texts.a_ends[begin], texts.a_ends[i] - texts.a_ends[begin]
    leftmost, rightmost = texts.b_ends[low], texts.b_ends[high]
    common = kept[block + 3]
    first, last = kept[block + 1], kept[block + 2]
    for word in range(first, last):
        zeros = _zeros(bits[kept[block] + word - first])
        left, right = word * WORD, (word + 1) * WORD
        # Along a row the cost goes up or down by 1 from column to column: between the edges of the word it is at least
        # half of what they cost together, less half of the word's width.
        cost_left = row + left - 2 * common
        cost_right = row + right - 2 * (common + zeros)
        least = (cost_left + cost_right - WORD) // 2
        # From column c of the kept row to column j of row i at least |(j - c) - height| gaps are needed, and j - c is
        # from leftmost - right to rightmost - left.
        detour = max(0, (leftmost - right) - height, height - (rightmost - left))
        if least + detour <= most_spent:
            return word
        common += zeros
    return int(last)


@kernel
def _rows_between(
    ends: IntArray,
    begin: int,
    end: int,
    first: int,
    width: int,
    bits: IntArray,
    kept: IntArray,
    block: int,
    rows: IntArray,
    marks: Marks,
    horizontal: IntArray,
    vertical: IntArray,
) -> None:
    """Compute rows anew from a kept one: where L grows from column to column, and from row to row."""
    # Words beyond those kept were not active: there L does not grow, as in `sweep`.
    v = ints(width, FULL)
    for word in range(width):
        where = first + word - kept[block + 1]
        if 0 <= where < kept[block + 2] - kept[block + 1]:
            v[word] = bits[kept[block] + where]
    table, rank = marks.table, marks.rank
    for whole in range(begin, end):
        line = (whole - begin) * width
        for word in range(width):
            vertical[line + word] = 0
        for row in range(ends[whole], ends[whole + 1]):
            rare = rank[rows[row]] == marks.n_frequent
            marked = _line(marks, 0, rows[row], first, first + width) if rare else rank[rows[row]] * marks.n_words
            carry = 0
            for word in range(width):
                mask = table[marked + first + word]
                old = v[word]
                both = old & mask
                total = old + both + carry
                carry = total >> WORD
                v[word] = (total & FULL) | (old & ~mask)
                # the carries out of each bit are where L grows from row to row
                vertical[line + word] |= ((total ^ old ^ both) >> 1) & FULL
            if rare:
                _clear(marks, 0, rows[row], first, first + width)
        for word in range(width):
            horizontal[line + word] = v[word]


@kernel
def _flat(horizontal: IntArray, line: int, first: int, width: int, begin: int, end: int) -> bool:
    """Whether L is the same in a row up to two columns."""
    for column in range(begin, end):
        word = column // WORD - first
        if word < 0 or word >= width or not (horizontal[line + word] >> (column % WORD)) & 1:
            return False
    return True


@kernel
def _level(vertical: IntArray, line: int, first: int, width: int, column: int) -> bool:
    """Whether L is the same in a column up to two rows."""
    word = column // WORD - first
    return 0 <= word < width and not (vertical[line + word] >> (column % WORD)) & 1


@kernel
def best_chain(
    a: IntArray,
    b: IntArray,
    opening: int,
    closing: int,
    cells: ByteArray,
    offsets: IntArray,
    last: IntArray,
    savings: IntArray,
    trace: bool,
) -> tuple[int, IntArray, int]:
    """Find, among all optimal alignments, the one whose pairs of units save most.

    A dynamic program over the cells of the hull, backwards, with two states: outside, and inside a pair of units whose
    closing markers match. A pair of opening markers that matches collects what its pair of units saves.

    Parameters
    ----------
    a, b, opening, closing, cells, offsets, last
        See `hull`.
    savings : int64 array
        What each pair of `hull` saves.
    trace : bool
        Whether to find out which pairs are aligned.

    Returns
    -------
    saved : int
        The sum.
    chosen : int64 array
        Pairs that are aligned, as `hull` spells them.
    matched : int
        The number of markers that match another, in both sequences together.
    """
    n, m = len(a), len(b)
    # what is saved from each cell to the end, in either state; -1 where it is not reached
    outside, inside = ints(m + 1, -1), ints(m + 1, -1)
    outside_above, inside_above = ints(m + 1, -1), ints(m + 1, -1)
    ways = octets(len(cells)) if trace else octets(1)
    outside[m] = 0
    n_pairs, out = 0, 0
    for back in range(n + 1):
        i = n - back
        up_marker = i > 0 and a[i - 1] >= opening
        size = (offsets[i - 1] if i else len(cells)) - offsets[i]
        for index in range(offsets[i], offsets[i] + size):
            cell = cells[index]
            if cell == 0:
                continue
            j = last[i] - (index - offsets[i])
            out, in_ = outside[j], inside[j]
            outside[j], inside[j] = -1, -1  # the arrays serve the row after next again
            if cell & LEFT:
                _offer(out, in_, b[j - 1] >= opening, 2, outside, inside, j - 1, ways, index + 1, trace)
            if cell & UP:
                place = offsets[i - 1] + last[i - 1] - j
                _offer(out, in_, up_marker, 4, outside_above, inside_above, j, ways, place, trace)
            if cell & DIAGONAL:
                place = offsets[i - 1] + last[i - 1] - (j - 1)
                # backwards, two closing markers that match begin a pair of units, and two opening ones complete it
                if a[i - 1] == closing:
                    if out > inside_above[j - 1]:
                        inside_above[j - 1] = out
                        if trace:
                            ways[place] = (ways[place] & 15) | 6 << 4
                elif a[i - 1] == opening:
                    best, way = out, 6
                    if cell & INSIDE:
                        if in_ + savings[n_pairs] > out:
                            best, way = in_ + savings[n_pairs], 7
                        n_pairs += 1
                    if best > outside_above[j - 1]:
                        outside_above[j - 1] = best
                        if trace:
                            ways[place] = (ways[place] & 112) | way
                else:
                    _offer(out, in_, False, 6, outside_above, inside_above, j - 1, ways, place, trace)
        if i:
            outside, outside_above = outside_above, outside
            inside, inside_above = inside_above, inside
    if trace:
        return _followed(a, b, opening, offsets, last, ways, out)
    return out, ints(0, 0), 0


@kernel
def _offer(
    out: int,
    in_: int,
    marker: bool,
    step: int,
    outside: IntArray,
    inside: IntArray,
    j: int,
    ways: ByteArray,
    place: int,
    trace: bool,
) -> None:
    """Offer a cell what the one after it saves; a lone marker ends a pair of units."""
    # Strictly greater: of several best ways the first one offered stays. Texts come in a canonical order (`texts`), so
    # the choice does not depend on which annotator comes first.
    best, way = out, step
    if marker and in_ > out:
        best, way = in_, step + 1
    if best > outside[j]:
        outside[j] = best
        if trace:
            ways[place] = (ways[place] & 112) | way
    if not marker and in_ > inside[j]:
        inside[j] = in_
        if trace:
            ways[place] = (ways[place] & 15) | (step + 1) << 4


@kernel
def _followed(
    a: IntArray, b: IntArray, opening: int, offsets: IntArray, last: IntArray, ways: ByteArray, saved: int
) -> tuple[int, IntArray, int]:
    """Follow the best alignment from its beginning, and note the pairs of units."""
    # A cell's way has four bits for the state outside and three above them for inside. In each, the lowest bit is the
    # state of the cell that the way leads to, and the others are the step: 1 right, 2 down, 3 both.
    n, m = len(a), len(b)
    chosen = ints(64, 0)
    n_chosen, matched = 0, 0
    i, j, within = 0, 0, 0
    while i < n or j < m:
        both = ways[offsets[i] + last[i] - j]
        way = both >> 4 if within else both & 15
        step = way >> 1
        if step == 3:
            if a[i] == opening and way & 1:
                if n_chosen == len(chosen):
                    chosen = longer(chosen)
                chosen[n_chosen] = i * (m + 1) + j
                n_chosen += 1
            if a[i] >= opening:
                matched += 2
        within = way & 1
        if step >= 2:
            i += 1
        if step != 2:
            j += 1
    return saved, chosen[:n_chosen], matched
