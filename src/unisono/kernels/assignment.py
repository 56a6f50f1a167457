"""Sparse assignment: which pairs of units of two annotators save most."""

from __future__ import annotations

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import bools, floats, ints


@kernel
def best_matching(starts: IntArray, columns: IntArray, saving: FloatArray, n_columns: int) -> IntArray:
    """Find a matching of rows and columns with the greatest total saving; rows and columns may stay alone.

    Shortest augmenting paths with prices (the Hungarian method on a sparse graph): row price + column price ≥
    saving on every edge, with equality on matched ones; who is alone has price 0. That is the proof of
    optimality. Each path is found by Dijkstra's algorithm and stays local where the edges are.

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
    for root in range(n_rows):
        row = root
        so_far = 0.0
        n_touched = 0
        n_tree = 0
        n_heap = 0
        # the cheapest way to end: at a free column, or by leaving a row of the tree alone
        end_cost = np.inf
        end_row = -1
        end_column = -1
        while True:
            tree[n_tree] = row
            tree_distance[n_tree] = so_far
            n_tree += 1
            if so_far + row_price[row] < end_cost:
                end_cost = so_far + row_price[row]
                end_row, end_column = row, -1
            for edge in range(starts[row], starts[row + 1]):
                column = columns[edge]
                length = so_far + row_price[row] + column_price[column] - saving[edge]
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
                if not settled[heap_column[n_heap]] and heap_key[n_heap] < end_cost:
                    column = heap_column[n_heap]
                    break
            if column < 0:
                break
            settled[column] = True
            so_far = distance[column]
            row = row_of[column]
        for index in range(n_tree):
            row_price[tree[index]] -= end_cost - tree_distance[index]
        for index in range(n_touched):
            if settled[touched[index]]:
                column_price[touched[index]] += end_cost - distance[touched[index]]
        # turn the path over
        column = end_column
        if column < 0:
            column = column_of[end_row]
            column_of[end_row] = -1
        while column >= 0:
            row = parent[column]
            row_of[column] = row
            column, column_of[row] = column_of[row], column
        for index in range(n_touched):
            distance[touched[index]] = np.inf
            settled[touched[index]] = False
    return column_of


@kernel
def push(key: FloatArray, item: IntArray, size: int, new_key: float, new_item: int) -> int:
    """Put an entry on a binary heap; give its new size."""
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
    """Move the least entry of a binary heap behind its end; give its new size."""
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
