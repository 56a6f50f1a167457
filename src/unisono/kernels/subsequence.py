"""Longest common subsequences, bit by bit, and everything that all of them pass through.

A sequence alignment with matches and gaps only costs n + m - 2L, L the length of the common subsequence. Rows of the
table of L are kept as bits, 62 to a word: bit j of row i is 0 where L(i, j) = L(i, j - 1) + 1. A row follows from the
one above by u = v & m; v = (v + u) | (v & ~m), where m marks the columns that match the row's symbol (Hyyrö 2004).

Symbols that weigh more than 1 are repeated that often; the rows and columns after whole symbols are exact.

References
----------
.. [1] Hyyrö, H. (2004). Bit-parallel LCS-length computation revisited. AWOCA 2004, 16–27.
"""

from __future__ import annotations

from unisono.arrays import ByteArray, IntArray
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import ints, longer, longer_octets, octets

WORD = 62
"""Bits to a word: so many that a sum of two words and a carry is still an int64."""
FULL = (1 << 62) - 1
KEPT_EVERY = 512
"""A row of bits is kept after so many rows."""
TOGETHER = 4
"""So many rows are computed at once."""
CHECK = 16
"""After so many rows, words are dropped or added."""
LINES = 4
"""Spare lines of marks, for symbols that are rare."""

OUTSIDE, INSIDE = 1, 2
"""States of a cell, going backwards: outside, or since a pair of closing markers that match inside a pair of units."""
LEFT, UP, DIAGONAL = 4, 8, 16
"""Steps from a cell that stay on a longest common subsequence."""


@kernel
def masks(symbols: IntArray, starts: IntArray, places: IntArray, rank: IntArray, n_frequent: int) -> IntArray:
    """Mark the columns of each frequent symbol; spare lines are left empty for the others.

    Parameters
    ----------
    symbols : int64 array, shape (n_columns,)
        The columns' symbols.
    starts, places : int64 array
        The columns of each symbol: places[starts[symbol] : starts[symbol + 1]].
    rank : int64 array, shape (n_symbols,)
        The line of each frequent symbol; n_frequent for the others.
    n_frequent : int
        How many are frequent.
    """
    n_words = (len(symbols) + WORD - 1) // WORD
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

    A cell whose cost so far plus the gaps that it needs at least to the end is above the budget is on no alignment
    of that cost; whole words of such cells are dropped. What is computed beside them is the cost of real alignments,
    and it is exact wherever an alignment within the budget passes.

    Parameters
    ----------
    rows, ends : int64 array
        The rows' symbols, and the number of rows up to and including each whole symbol, 0 first.
    n_columns : int
        The number of columns.
    table, starts, places, rank : int64 array
        The columns' symbols, see `masks`.
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
    n_rows = len(rows)
    n_words = (n_columns + WORD - 1) // WORD
    n_frequent = len(table) // n_words - LINES if n_words else 0
    v = ints(n_words, FULL)
    bits = ints(1024, 0)
    kept = ints(4 * (len(ends) // KEPT_EVERY + 2), 0)
    n_bits = n_kept = 0
    low, high, before, after = 0, 0, 0, 0  # active words, and L before and after them
    row, next_kept = 0, 0
    while True:
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
        centre = row * n_columns // n_rows
        while high < n_words and high * WORD <= centre + half + CHECK:
            if _bound(row, high * WORD, after, n_rows, n_columns) > budget + 2 * CHECK:  # it falls by 2 a row
                break
            v[high] = FULL
            high += 1
        while row + TOGETHER <= stop:
            after += _advance_together(v, low, high, table, n_words, n_frequent, rows, row, starts, places, rank)
            row += TOGETHER
        while row < stop:
            after += _advance(v, low, high, table, n_words, n_frequent, rows[row], starts, places, rank)
            row += 1
        while high - low > 1:
            end = (low + 1) * WORD
            further = before + _zeros(v[low])
            beyond = n_columns - end < n_rows - row
            if end >= centre - half and (beyond or _bound(row, end, further, n_rows, n_columns) <= budget):
                break
            before = further
            low += 1
        while high - low > 1:
            begin = (high - 1) * WORD
            nearer = after - _zeros(v[high - 1])
            if n_columns - begin > n_rows - row or _bound(row, begin, nearer, n_rows, n_columns) <= budget:
                break
            after = nearer
            high -= 1
    return n_rows + n_columns - 2 * after, bits[:n_bits], kept[:n_kept]


@kernel
def _advance(
    v: IntArray,
    low: int,
    high: int,
    table: IntArray,
    n_words: int,
    n_frequent: int,
    symbol: int,
    starts: IntArray,
    places: IntArray,
    rank: IntArray,
) -> int:
    """Go on by one row; give by how much L grows after the last word."""
    line = rank[symbol] * n_words
    rare = rank[symbol] == n_frequent
    if rare:
        _mark(table, line, starts[symbol], starts[symbol + 1], places, low * WORD, high * WORD)
    carry = 0
    for word in range(low, high):
        mask = table[line + word]
        old = v[word]
        total = old + (old & mask) + carry
        carry = total >> WORD
        v[word] = (total & FULL) | (old & ~mask)
    if rare:
        _clear(table, line, starts[symbol], starts[symbol + 1], places, low * WORD, high * WORD)
    return carry


@kernel
def _advance_together(
    v: IntArray,
    low: int,
    high: int,
    table: IntArray,
    n_words: int,
    n_frequent: int,
    rows: IntArray,
    row: int,
    starts: IntArray,
    places: IntArray,
    rank: IntArray,
) -> int:
    """Go on by four rows at once, which do not wait for each other's carries."""
    line_0, line_1, line_2, line_3 = (
        rank[rows[row]] * n_words,
        rank[rows[row + 1]] * n_words,
        rank[rows[row + 2]] * n_words,
        rank[rows[row + 3]] * n_words,
    )
    rare = max(line_0, line_1, line_2, line_3) == n_frequent * n_words
    if rare:
        line_0 = _line(table, n_words, n_frequent, 0, rows[row], starts, places, rank, low, high)
        line_1 = _line(table, n_words, n_frequent, 1, rows[row + 1], starts, places, rank, low, high)
        line_2 = _line(table, n_words, n_frequent, 2, rows[row + 2], starts, places, rank, low, high)
        line_3 = _line(table, n_words, n_frequent, 3, rows[row + 3], starts, places, rank, low, high)
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
        symbol = rows[row + offset]
        if rank[symbol] == n_frequent:
            line = (n_frequent + offset) * n_words
            _clear(table, line, starts[symbol], starts[symbol + 1], places, low * WORD, high * WORD)
    return carry_0 + carry_1 + carry_2 + carry_3


@kernel
def _line(
    table: IntArray,
    n_words: int,
    n_frequent: int,
    spare: int,
    symbol: int,
    starts: IntArray,
    places: IntArray,
    rank: IntArray,
    low: int,
    high: int,
) -> int:
    """Give where the marks of a symbol begin; those of a rare one are made in a spare line."""
    if rank[symbol] < n_frequent:
        return int(rank[symbol] * n_words)
    line = (n_frequent + spare) * n_words
    _mark(table, line, starts[symbol], starts[symbol + 1], places, low * WORD, high * WORD)
    return line


@kernel
def _bound(row: int, column: int, common: int, n_rows: int, n_columns: int) -> int:
    """Give the least that an alignment through a cell can cost."""
    return row + column - 2 * common + abs((n_columns - column) - (n_rows - row))


@kernel
def _zeros(word: int) -> int:
    """Count the zeros in a word."""
    ones = word - ((word >> 1) & 0x1555555555555555)
    ones = (ones & 0x3333333333333333) + ((ones >> 2) & 0x3333333333333333)
    ones = (ones + (ones >> 4)) & 0x0F0F0F0F0F0F0F0F
    ones = ones + (ones >> 8)
    ones = ones + (ones >> 16)
    ones = ones + (ones >> 32)
    return WORD - (ones & 127)


@kernel
def _mark(table: IntArray, line: int, first: int, last: int, places: IntArray, begin: int, end: int) -> None:
    """Mark the places of a rare symbol from one column to another."""
    for index in range(_search(places, first, last, begin), last):
        column = places[index]
        if column >= end:
            break
        table[line + column // WORD] |= 1 << (column % WORD)


@kernel
def _clear(table: IntArray, line: int, first: int, last: int, places: IntArray, begin: int, end: int) -> None:
    """Undo `_mark`."""
    for index in range(_search(places, first, last, begin), last):
        column = places[index]
        if column >= end:
            break
        table[line + column // WORD] = 0


@kernel
def _search(places: IntArray, low: int, high: int, value: int) -> int:
    """Find the first place that is not before a value."""
    while low < high:
        half = (low + high) // 2
        if places[half] < value:
            low = half + 1
        else:
            high = half
    return low


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
    a, b : int64 array
        Both sequences, with markers.
    a_ends, b_ends : int64 array
        How many rows, and columns, there are up to and including each symbol, 0 first.
    opening, closing : int
        The markers.
    rows, table, starts, places, rank, bits, kept
        See `sweep`.
    cost : int
        The cost of optimal alignments.
    most : int
        Cells to keep at most.

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
    n_frequent = len(table) // n_words - LINES if n_words else 0
    cells = octets(n + m + 64)
    offsets = ints(n + 1, 0)
    last = ints(n + 1, 0)
    pairs = ints(64, 0)
    n_cells = n_pairs = 0
    state, above = octets(m + 1), octets(m + 1)
    spent, spent_above = ints(m + 1, 0), ints(m + 1, 0)
    state[m], spent[m] = OUTSIDE, cost
    low, high = m, m  # the columns reached in this row
    horizontal, vertical = ints(1, 0), ints(1, 0)
    first = width = 0
    i = n
    while True:
        begin = i - 1 - (i - 1) % KEPT_EVERY if i else 0
        if i and (i == n or i % KEPT_EVERY == 0):
            block = 4 * (begin // KEPT_EVERY)
            most_spent = 0
            for j in range(low, high + 1):
                if state[j] and spent[j] > most_spent:
                    most_spent = spent[j]
            first = _first_word(
                bits, kept, block, a_ends[begin], a_ends[i] - a_ends[begin], b_ends[low], b_ends[high], most_spent
            )
            width = max((b_ends[high] + WORD - 1) // WORD - first, 0)
            if width * (i - begin) > len(horizontal):
                horizontal, vertical = ints(width * (i - begin), 0), ints(width * (i - begin), 0)
            _rows_between(
                a_ends,
                begin,
                i,
                first,
                width,
                bits,
                kept,
                block,
                rows,
                table,
                n_frequent,
                n_words,
                starts,
                places,
                rank,
                horizontal,
                vertical,
            )
        line = (i - begin - 1) * width
        up_marker = i > 0 and (a[i - 1] == opening or a[i - 1] == closing)
        offsets[i], last[i] = n_cells, high
        least, greatest = m + 1, -1  # the columns reached in the row above
        j = high
        while j >= low:
            here = state[j]
            if n_cells == len(cells):
                if n_cells >= most:
                    return cells[:0], offsets, last, pairs[:0], 0
                cells = longer_octets(cells)
            if here == 0:
                cells[n_cells] = 0
                n_cells += 1
                j -= 1
                continue
            steps = 0
            if j > 0 and (i == 0 or _flat(horizontal, line, first, width, b_ends[j - 1], b_ends[j])):
                steps |= LEFT
                marker = b[j - 1] == opening or b[j - 1] == closing
                state[j - 1] |= OUTSIDE if marker else here
                spent[j - 1] = spent[j] - (b_ends[j] - b_ends[j - 1])
                if j - 1 < low:
                    low = j - 1
            if i > 0:
                if j == 0 or _level(vertical, line, first, width, b_ends[j] - 1):
                    steps |= UP
                    above[j] |= OUTSIDE if up_marker else here
                    spent_above[j] = spent[j] - (a_ends[i] - a_ends[i - 1])
                    least, greatest = min(least, j), max(greatest, j)
                if j > 0 and a[i - 1] == b[j - 1]:
                    steps |= DIAGONAL
                    if a[i - 1] == closing:
                        above[j - 1] |= INSIDE
                    elif a[i - 1] == opening:
                        above[j - 1] |= OUTSIDE
                        if here & INSIDE:
                            if n_pairs == len(pairs):
                                pairs = longer(pairs)
                            pairs[n_pairs] = (i - 1) * (m + 1) + j - 1
                            n_pairs += 1
                    else:
                        above[j - 1] |= here
                    spent_above[j - 1] = spent[j]
                    least, greatest = min(least, j - 1), max(greatest, j - 1)
            cells[n_cells] = here | steps
            n_cells += 1
            state[j] = 0
            j -= 1
        if i == 0:
            break
        state, above = above, state
        spent, spent_above = spent_above, spent
        low, high = least, greatest
        i -= 1
    return cells[:n_cells], offsets, last, pairs[:n_pairs], 1


@kernel
def _first_word(
    bits: IntArray, kept: IntArray, block: int, row: int, height: int, low: int, high: int, most_spent: int
) -> int:
    """Find the first word of a kept row from which cells further down can be reached that cost so much at most."""
    common = kept[block + 3]
    first, last = kept[block + 1], kept[block + 2]
    for word in range(first, last):
        zeros = _zeros(bits[kept[block] + word - first])
        begin, end = word * WORD, (word + 1) * WORD
        here = row + begin - 2 * common
        there = row + end - 2 * (common + zeros)
        least = (here + there - WORD) // 2
        detour = max(0, (low - end) - height, height - (high - begin))
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
    table: IntArray,
    n_frequent: int,
    n_words: int,
    starts: IntArray,
    places: IntArray,
    rank: IntArray,
    horizontal: IntArray,
    vertical: IntArray,
) -> None:
    """Compute rows anew from a kept one: where L grows from column to column, and from row to row."""
    v = ints(width, FULL)
    for word in range(width):
        where = first + word - kept[block + 1]
        if 0 <= where < kept[block + 2] - kept[block + 1]:
            v[word] = bits[kept[block] + where]
    for whole in range(begin, end):
        line = (whole - begin) * width
        for word in range(width):
            vertical[line + word] = 0
        for row in range(ends[whole], ends[whole + 1]):
            symbol = rows[row]
            marks = _line(table, n_words, n_frequent, 0, symbol, starts, places, rank, first, first + width)
            carry = 0
            for word in range(width):
                mask = table[marks + first + word]
                old = v[word]
                both = old & mask
                total = old + both + carry
                carry = total >> WORD
                v[word] = (total & FULL) | (old & ~mask)
                # the carries out of each bit are where L grows from row to row
                vertical[line + word] |= ((total ^ old ^ both) >> 1) & FULL
            if rank[symbol] == n_frequent:
                _clear(table, marks, starts[symbol], starts[symbol + 1], places, first * WORD, (first + width) * WORD)
        for word in range(width):
            horizontal[line + word] = v[word]


@kernel
def _flat(horizontal: IntArray, line: int, first: int, width: int, begin: int, end: int) -> bool:
    """Tell whether L is the same in a row up to two columns."""
    for column in range(begin, end):
        word = column // WORD - first
        if word < 0 or word >= width or not (horizontal[line + word] >> (column % WORD)) & 1:
            return False
    return True


@kernel
def _level(vertical: IntArray, line: int, first: int, width: int, column: int) -> bool:
    """Tell whether L is the same in a column up to two rows."""
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

    Parameters
    ----------
    a, b, opening, closing, cells, offsets, last
        See `hull`.
    savings : int64 array
        What each pair of `hull` saves.
    trace : bool
        Whether to tell which pairs are aligned.

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
    outside, inside = ints(m + 1, -1), ints(m + 1, -1)
    outside_above, inside_above = ints(m + 1, -1), ints(m + 1, -1)
    ways = octets(len(cells)) if trace else octets(1)
    outside[m] = 0
    n_pairs, out = 0, 0
    for back in range(n + 1):
        i = n - back
        up_marker = i > 0 and (a[i - 1] == opening or a[i - 1] == closing)
        size = (offsets[i - 1] if i else len(cells)) - offsets[i]
        for index in range(offsets[i], offsets[i] + size):
            cell = cells[index]
            if cell == 0:
                continue
            j = last[i] - (index - offsets[i])
            out, in_ = outside[j], inside[j]
            outside[j], inside[j] = -1, -1
            if cell & LEFT:
                marker = b[j - 1] == opening or b[j - 1] == closing
                _offer(out, in_, marker, 2, outside, inside, j - 1, ways, index + 1, trace)
            if cell & UP:
                place = offsets[i - 1] + last[i - 1] - j
                _offer(out, in_, up_marker, 4, outside_above, inside_above, j, ways, place, trace)
            if cell & DIAGONAL:
                place = offsets[i - 1] + last[i - 1] - (j - 1)
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
        return _followed(a, b, opening, closing, offsets, last, ways, out)
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
    a: IntArray,
    b: IntArray,
    opening: int,
    closing: int,
    offsets: IntArray,
    last: IntArray,
    ways: ByteArray,
    saved: int,
) -> tuple[int, IntArray, int]:
    """Follow the best alignment from its begin, and note the pairs of units."""
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
            if a[i] == opening or a[i] == closing:
                matched += 2
        within = way & 1
        if step >= 2:
            i += 1
        if step != 2:
            j += 1
    return saved, chosen[:n_chosen], matched
