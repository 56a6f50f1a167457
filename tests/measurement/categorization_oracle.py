"""Coefficients of items that count with any weight, written as plainly as their papers write them."""

from __future__ import annotations

import itertools

import numpy as np


def rows_of(table):
    """Labels of each item by annotator, as lists without NaN."""
    return [[(who, int(cell)) for who, cell in enumerate(row) if cell == cell] for row in np.asarray(table, float)]


def pair_agreement(rows, times, w):
    """Gwet's p_a: the mean over items with two labels or more of the mean 1 - w over pairs."""
    total = n = 0.0
    for row, k in zip(rows, times, strict=True):
        pairs = list(itertools.permutations(row, 2))
        if pairs:
            total += k * sum(1 - w[a, b] for (_, a), (_, b) in pairs) / len(pairs)
            n += k
    return total / n


def mean_shares(rows, times, size):
    """Gwet's π_k."""
    shares, n = np.zeros(size), 0.0
    for row, k in zip(rows, times, strict=True):
        for _, label in row:
            shares[label] += k / len(row)
        n += k if row else 0
    return shares / n


def annotator_shares(rows, times, size):
    """p_gk of those who gave labels."""
    shares = {}
    for row, k in zip(rows, times, strict=True):
        for who, label in row:
            shares.setdefault(who, np.zeros(size))[label] += k
    return [share / share.sum() for share in shares.values()]


def beyond(observed, expected):
    return (observed - expected) / (1 - expected)


def fleiss(rows, times, w):
    shares = mean_shares(rows, times, len(w))
    return beyond(pair_agreement(rows, times, w), float(shares @ (1 - w) @ shares))


def gwet(rows, times, w):
    shares, size = mean_shares(rows, times, len(w)), len(w)
    expected = (1 - w).sum() / (size * (size - 1)) * float(shares @ (1 - shares))
    return beyond(pair_agreement(rows, times, w), expected)


def brennan_prediger(rows, times, w):
    return beyond(pair_agreement(rows, times, w), (1 - w).sum() / len(w) ** 2)


def conger(rows, times, w):
    shares = annotator_shares(rows, times, len(w))
    pairs = [float(p @ (1 - w) @ q) for p, q in itertools.permutations(shares, 2)]
    return beyond(pair_agreement(rows, times, w), sum(pairs) / len(pairs))


def cohen(rows, times, w):
    """κ_w of two annotators, on items that both labelled."""
    table = np.zeros(w.shape)
    for row, k in zip(rows, times, strict=True):
        if len(row) == 2:
            table[row[0][1], row[1][1]] += k
    table /= table.sum()
    return 1 - (table * w).sum() / (np.outer(table.sum(axis=1), table.sum(axis=0)) * w).sum()


def scott(rows, times, w):
    table = np.zeros(w.shape)
    for row, k in zip(rows, times, strict=True):
        if len(row) == 2:
            table[row[0][1], row[1][1]] += k
    table /= table.sum()
    shares = (table.sum(axis=1) + table.sum(axis=0)) / 2
    return 1 - (table * w).sum() / (np.outer(shares, shares) * w).sum()


def light(rows, w):
    """The mean of κ_w over pairs of annotators."""
    found = []
    people = sorted({who for row in rows for who, _ in row})
    for a, b in itertools.combinations(people, 2):
        pair = [[cell for cell in row if cell[0] in (a, b)] for row in rows]
        found.append(cohen(pair, np.ones(len(pair)), w))
    return sum(found) / len(found)


def influences(formula, rows, w, step=1e-6):
    """How much the coefficient changes with the weight of each item: ∂κ/∂w_i at w = 1."""
    found = []
    for index in range(len(rows)):
        there, back = np.ones(len(rows)), np.ones(len(rows))
        there[index] += step
        back[index] -= step
        found.append((formula(rows, there, w) - formula(rows, back, w)) / (2 * step))
    return np.array(found)


def weights_of(name, labels):
    """Gwet's weights as disagreements (2014, chapter 3), pair by pair."""
    x = np.array(labels, float)
    low, high, size = x.min(), x.max(), len(x)
    w = np.zeros((size, size))
    for k, m in itertools.permutations(range(size), 2):
        far = abs(x[k] - x[m])
        ranks = abs(k - m) + 1
        both = x[k] + x[m]
        w[k, m] = {
            "nominal": 1.0,
            "linear": far / (high - low),
            "quadratic": (far / (high - low)) ** 2,
            "radical": np.sqrt(far / (high - low)),
            "ordinal": ranks * (ranks - 1) / (size * (size - 1)),
            "gwet-ordinal": ranks * (ranks - 1) / (size * (size - 1)),
            "ratio": (far / both) ** 2 / ((high - low) / (high + low)) ** 2 if both else 0.0,
            "circular": np.sin(np.pi * far / (high - low + 1)) ** 2,
            "bipolar": far**2 / max((both - 2 * low) * (2 * high - both), 1e-300),
        }[name]
    return w / w.max() if name == "circular" else w
