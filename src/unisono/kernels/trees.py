"""Tree edit distance (Zhang & Shasha 1989): the fewest nodes to insert, delete or relabel."""

from __future__ import annotations

from unisono.arrays import IntArray
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import ints


@kernel
def tree_distances(
    first: IntArray,
    label: IntArray,
    leftmost: IntArray,
    first_root: IntArray,
    roots: IntArray,
    u: IntArray,
    v: IntArray,
) -> IntArray:
    """Return the edit distance of pairs of ordered trees.

    Parameters
    ----------
    first : int64 array, shape (n_trees + 1,)
        Where the nodes of each tree begin; they are in postorder.
    label, leftmost : int64 array, shape (n_nodes,)
        The label of each node, and its leftmost leaf, counted from the first node of the tree.
    first_root : int64 array, shape (n_trees + 1,)
        Where the key roots of each tree begin.
    roots : int64 array
        The key roots, counted from the first node of the tree, in ascending order: of all nodes with the same leftmost
        leaf, the highest.
    u, v : int64 array, shape (n_pairs,)
        The pairs.
    """
    most = 0
    for tree in range(len(first) - 1):
        most = max(most, first[tree + 1] - first[tree])
    forest, within = ints((most + 1) * (most + 1), 0), ints(most * most, 0)
    found = ints(len(u), 0)
    for pair in range(len(u)):
        a, b = first[u[pair]], first[v[pair]]
        n = first[v[pair] + 1] - b
        for i in range(first_root[u[pair]], first_root[u[pair] + 1]):
            for j in range(first_root[v[pair]], first_root[v[pair] + 1]):
                compare_subtrees(a, b, roots[i], roots[j], n, label, leftmost, forest, within)
        found[pair] = within[(first[u[pair] + 1] - a) * n - 1]
    return found


@kernel
def compare_subtrees(
    a: int,
    b: int,
    root: int,
    other: int,
    n: int,
    label: IntArray,
    leftmost: IntArray,
    forest: IntArray,
    within: IntArray,
) -> None:
    """Fill in the distances of all subtrees with the same leftmost leaves as these two; `within` is one tree by n."""
    low, start = leftmost[a + root], leftmost[b + other]
    width = other - start + 2
    forest[0] = 0
    for x in range(1, root - low + 2):
        forest[x * width] = x
    for y in range(1, width):
        forest[y] = y
    # forest[x, y] is the distance of the first x nodes from `low` on and the first y nodes from `start` on
    for x in range(1, root - low + 2):
        here = low + x - 1
        for y in range(1, width):
            there = start + y - 1
            least = min(forest[(x - 1) * width + y], forest[x * width + y - 1]) + 1
            if leftmost[a + here] == low and leftmost[b + there] == start:
                renamed = 0 if label[a + here] == label[b + there] else 1
                least = min(least, forest[(x - 1) * width + y - 1] + renamed)
                within[here * n + there] = least
            else:
                before = (leftmost[a + here] - low) * width + leftmost[b + there] - start
                least = min(least, forest[before] + within[here * n + there])
            forest[x * width + y] = least
