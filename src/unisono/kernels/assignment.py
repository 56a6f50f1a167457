"""Sparse assignment: which pairs of units of two annotators save most."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import bools, floats, ints


class PathSearch(NamedTuple):
    """Prices, the matching so far, and what a search for a path uses."""

    row_price: FloatArray
    column_price: FloatArray
    row_of: IntArray
    distance: FloatArray
    parent: IntArray
    settled: BoolArray
    touched: IntArray
    tree: IntArray
    tree_distance: FloatArray
    heap_key: FloatArray
    heap_column: IntArray


@kernel
def best_matching(starts: IntArray, columns: IntArray, saving: FloatArray, n_columns: int) -> IntArray:
    """Find a matching of rows and columns with the greatest total saving; rows and columns may stay alone.

    Shortest augmenting paths with prices (the Hungarian method on a sparse graph). Each path is found by Dijkstra's
    algorithm and stays local where the edges are.

    Parameters
    ----------
    starts : int64 array, shape (n_rows + 1,)
        Where the edges of each row begin.
    columns, saving : array, shape (n_edges,)
        The column of each edge and what matching it saves (> 0).
    n_columns : int
        Number of columns.

    Returns
    -------
    int64 array, shape (n_rows,)
        The column of each row, -1 for none.
    """
    # The proof of optimality. Prices r, c ≥ 0 with r[row] + c[column] ≥ saving on every edge bound any matching from
    # above: its savings are at most the prices of what it matches, and so at most Σr + Σc. Here edges of the matching
    # are tight (=), and what is alone has price 0; so the matching saves Σr + Σc, and none can save more.
    # At the start each row's price is its greatest saving and nothing is matched; rows whose turn has not come yet are
    # not part of the problem.
    n_rows = len(starts) - 1
    row_price = floats(n_rows, 0.0)
    for row in range(n_rows):
        for edge in range(starts[row], starts[row + 1]):
            row_price[row] = max(row_price[row], saving[edge])
    column_price = floats(n_columns, 0.0)
    column_of = ints(n_rows, -1)
    row_of = ints(n_columns, -1)
    distance = floats(n_columns, np.inf)
    parent = ints(n_columns, -1)
    settled = bools(n_columns)
    touched = ints(n_columns, 0)
    tree = ints(n_rows, 0)
    tree_distance = floats(n_rows, 0.0)
    heap_key = floats(len(columns) + 1, 0.0)
    heap_column = ints(len(columns) + 1, 0)
    search = PathSearch(
        row_price, column_price, row_of, distance, parent, settled, touched, tree, tree_distance, heap_key, heap_column
    )
    for root in range(n_rows):
        end_cost, end_row, end_column, n_tree, n_touched = grow_tree(root, starts, columns, saving, search)
        # Shift prices by what was left of the path. An edge from a row of the tree to a settled column keeps
        # r + c - saving ≥ 0, since Dijkstra's distance of the column is at most the length over this edge; other
        # columns are at least end_cost away, so their edges have room for the decrease of r. Edges of the path become
        # tight. Row prices stay ≥ 0, since leaving a row of the tree alone was an end to choose.
        for index in range(n_tree):
            row_price[tree[index]] -= end_cost - tree_distance[index]
        for index in range(n_touched):
            if settled[touched[index]]:
                column_price[touched[index]] += end_cost - distance[touched[index]]
        flip_path(end_row, end_column, parent, column_of, row_of)
        for index in range(n_touched):
            distance[touched[index]] = np.inf
            settled[touched[index]] = False
    return column_of


@kernel
def grow_tree(
    root: int, starts: IntArray, columns: IntArray, saving: FloatArray, search: PathSearch
) -> tuple[float, int, int, int, int]:
    """Find the cheapest way to take a row into the matching (Dijkstra's algorithm on r + c - saving).

    Returns
    -------
    end_cost : float
        What it costs.
    end_row, end_column : int
        Where the path ends: at a free column, or at a row that is left alone; -1 for the other one.
    n_tree, n_touched : int
        How many rows are in `tree`, and columns in `touched`.
    """
    row_price, column_price, row_of, distance, parent, settled, touched, tree, tree_distance, heap_key, heap_column = (
        search
    )
    row = root
    so_far = 0.0
    n_touched = 0
    n_tree = 0
    n_heap = 0
    end_cost = np.inf
    end_row = -1
    end_column = -1
    while True:
        tree[n_tree] = row
        tree_distance[n_tree] = so_far
        n_tree += 1
        # leaving a row alone costs its price: that must fall to 0
        if so_far + row_price[row] < end_cost:
            end_cost = so_far + row_price[row]
            end_row, end_column = row, -1
        for edge in range(starts[row], starts[row + 1]):
            column = columns[edge]
            length = so_far + row_price[row] + column_price[column] - saving[edge]
            # lengths are ≥ 0 and paths only get longer: what is not below end_cost is no better an end
            if length < distance[column] and length < end_cost and not settled[column]:
                if distance[column] == np.inf:
                    touched[n_touched] = column
                    n_touched += 1
                distance[column] = length
                parent[column] = row
                if row_of[column] < 0:
                    end_cost = length
                    end_row, end_column = -1, column
                else:
                    n_heap = push(heap_key, heap_column, n_heap, length, column)
        column = -1
        while n_heap > 0:
            n_heap = pop(heap_key, heap_column, n_heap)
            # a column may be on the heap several times; only its shortest distance counts, which comes first
            if not settled[heap_column[n_heap]] and heap_key[n_heap] < end_cost:
                column = heap_column[n_heap]
                break
        if column < 0:
            return end_cost, end_row, end_column, n_tree, n_touched
        settled[column] = True
        so_far = distance[column]
        row = row_of[column]


@kernel
def flip_path(end_row: int, end_column: int, parent: IntArray, column_of: IntArray, row_of: IntArray) -> None:
    """Match along a path what was not matched, and part what was."""
    column = end_column
    if column < 0:
        column = column_of[end_row]
        column_of[end_row] = -1
    while column >= 0:
        row = parent[column]
        row_of[column] = row
        column, column_of[row] = column_of[row], column


# A binary heap of keys and items in two arrays (`heapq` would need a list of tuples). An entry that was popped stays
# behind the end, where the caller finds it.


@kernel
def push(key: FloatArray, item: IntArray, size: int, new_key: float, new_item: int) -> int:
    """Put an entry on a binary heap; return the new size."""
    child = size
    while child > 0:
        above = (child - 1) // 2
        if key[above] <= new_key:
            break
        key[child] = key[above]
        item[child] = item[above]
        child = above
    key[child] = new_key
    item[child] = new_item
    return size + 1


@kernel
def pop(key: FloatArray, item: IntArray, size: int) -> int:
    """Move the least entry of a binary heap behind its end; return the new size."""
    size -= 1
    least_key, least_item = key[0], item[0]
    last_key, last_item = key[size], item[size]
    hole = 0
    while 2 * hole + 1 < size:
        below = 2 * hole + 1
        if below + 1 < size and key[below + 1] < key[below]:
            below += 1
        if key[below] >= last_key:
            break
        key[hole] = key[below]
        item[hole] = item[below]
        hole = below
    key[hole] = last_key
    item[hole] = last_item
    key[size] = least_key
    item[size] = least_item
    return size
