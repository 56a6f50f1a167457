"""Agreement on normalization by definition: short, slow, and written apart from the package."""

from __future__ import annotations

import itertools
from collections import Counter
from functools import lru_cache

KEEP, GONE = object(), object()
"""The identity label and the label of a deleted character: equal to nothing that text could hold."""


def labels(original, normalization):
    """What each character of the original becomes, as tuples of characters, KEEP or GONE (§5.1)."""

    @lru_cache(None)
    def score(i, j):
        if i == 0 or j == 0:
            return -i - j
        pair = 1 if original[i - 1] == normalization[j - 1] else -1
        return max(score(i - 1, j - 1) + pair, score(i, j - 1) - 1, score(i - 1, j) - 1)

    columns = []  # (original character or None, label or None), from the end
    i, j = len(original), len(normalization)
    while i or j:
        same = i and j and original[i - 1] == normalization[j - 1]
        if j and score(i, j) == score(i, j - 1) - 1:
            columns.append((None, normalization[j - 1]))
            j -= 1
        elif i and j and score(i, j) == score(i - 1, j - 1) + (1 if same else -1):
            columns.append((original[i - 1], KEEP if same else normalization[j - 1]))
            i, j = i - 1, j - 1
        else:
            columns.append((original[i - 1], GONE))
            i -= 1
    merged, waiting = [], []
    for character, label in reversed(columns):
        if character is not None:
            merged.append([*waiting, label])
            waiting = []
        elif merged:
            merged[-1].append(label)
        else:
            waiting.append(label)
    return [tuple(label) for label in merged]


def nld(a, b):
    """Levenshtein distance over the length of the longer one."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        above, row = row, [i]
        for j, y in enumerate(b, start=1):
            row.append(min(row[-1] + 1, above[j] + 1, above[j - 1] + (x != y)))
    return row[-1] / max(len(a), len(b), 1)


def nominal(a, b):
    return float(a != b)


def alpha(units, delta):
    """Krippendorff's α of units, each a list of labels with None where one is missing."""
    units = [[label for label in unit if label is not None] for unit in units]
    units = [unit for unit in units if len(unit) >= 2]
    values = [label for unit in units for label in unit]
    observed = sum(
        sum(delta(a, b) for a, b in itertools.permutations(unit, 2)) / (len(unit) - 1) for unit in units
    ) / len(values)
    expected = sum(delta(a, b) for a, b in itertools.permutations(values, 2)) / (len(values) * (len(values) - 1))
    return 1 - observed / expected, observed, expected


def agreement(units):
    """The share of units on which two annotators agree, the mean over pairs of annotators."""
    shares = []
    for i, j in itertools.combinations(range(len(units[0])), 2):
        both = [(unit[i], unit[j]) for unit in units if unit[i] is not None and unit[j] is not None]
        if both:
            shares.append(sum(a == b for a, b in both) / len(both))
    return sum(shares) / len(shares)


def words(originals, columns):
    return [list(row) for row in zip(*columns, strict=True)]


def characters(originals, columns):
    units = []
    for original, row in zip(originals, words(originals, columns), strict=True):
        given = [None if word is None else labels(original, word) for word in row]
        units += [[None if one is None else one[k] for one in given] for k in range(len(original))]
    return units


def changed(original, row, subset):
    given = [word for word in row if word is not None]
    n = sum(word != original for word in given)
    return {"all": True, "medium": n > 0, "strict": n > 0 and n == len(given)}[subset]


def chosen(originals, columns, subset):
    """The tokens of a subset."""
    rows = [
        (original, row)
        for original, row in zip(originals, words(originals, columns), strict=True)
        if changed(original, row, subset)
    ]
    return [original for original, _ in rows], list(zip(*(row for _, row in rows), strict=True))


def edits_alpha(originals, columns, kind):
    """α of sets of edits: places count within a token, and not for chance (§7)."""

    def similarity(a, b):
        """1 - Jaccard or MASI distance of two multisets."""
        common, union = sum((a & b).values()), sum((a | b).values())
        if not union:
            return 1.0
        if kind == "jaccard" or a == b:
            return common / union
        within = common in (sum(a.values()), sum(b.values()))
        return common / union * (2 / 3 if within else 1 / 3 if common else 0)

    def edits(original, word):
        return [(k, original[k], label) for k, label in enumerate(labels(original, word)) if label != (KEEP,)]

    units = []
    for original, row in zip(originals, words(originals, columns), strict=True):
        given = [edits(original, word) for word in row if word is not None]
        if len(given) >= 2:
            units.append(given)
    values = [one for unit in units for one in unit]
    observed = sum(
        sum(1 - similarity(Counter(a), Counter(b)) for a, b in itertools.permutations(unit, 2)) / (len(unit) - 1)
        for unit in units
    ) / len(values)
    bags = [Counter((character, label) for _, character, label in one) for one in values]
    expected = sum(1 - similarity(a, b) for a, b in itertools.permutations(bags, 2)) / (len(bags) * (len(bags) - 1))
    return 1 - observed / expected
