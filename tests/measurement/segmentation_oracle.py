"""The measures of segmentation by their definitions, with plain loops over one pair of segmentations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

Masses = Sequence[int]


def boundaries(masses: Masses) -> list[int]:
    total, found = 0, []
    for mass in masses[:-1]:
        total += mass
        found.append(total)
    return found


def window_size(reference: Masses) -> int:
    return max(2, round(sum(reference) / len(reference) / 2))


def pk(reference: Masses, hypothesis: Masses, k: int | None = None) -> float | None:
    k = window_size(reference) if k is None else k
    labels = [[s for s, mass in enumerate(masses) for _ in range(mass)] for masses in (reference, hypothesis)]
    starts = range(sum(reference) - k)
    wrong = [(labels[0][i] == labels[0][i + k]) != (labels[1][i] == labels[1][i + k]) for i in starts]
    return sum(wrong) / len(wrong) if wrong else None


def window_diff(reference: Masses, hypothesis: Masses, k: int | None = None, padding: int = 0) -> float | None:
    k = window_size(reference) if k is None else k
    padded = k if padding else 0

    def count(masses: Masses, i: int) -> int:
        return sum(i < b <= i + k for b in boundaries(masses))

    starts = range(-padded, sum(reference) + padded - k)
    wrong = [count(reference, i) != count(hypothesis, i) for i in starts]
    return sum(wrong) / len(wrong) if wrong else None


def hamming(hypothesis: Masses, reference: Masses, insertion: float, deletion: float, shift: float | None) -> float:
    h, r = boundaries(hypothesis), boundaries(reference)
    if shift is None:
        shift = (insertion + deletion) / (sum(reference) / (len(h) + len(r) + 2))
    cost = {(i, 0): i * deletion for i in range(len(h) + 1)} | {(0, j): j * insertion for j in range(len(r) + 1)}
    for i in range(1, len(h) + 1):
        for j in range(1, len(r) + 1):
            cost[i, j] = min(
                cost[i - 1, j - 1] + shift * abs(h[i - 1] - r[j - 1]),
                cost[i - 1, j] + deletion,
                cost[i, j - 1] + insertion,
            )
    return cost[len(h), len(r)]


def edits(one: Masses, other: Masses, n: int) -> tuple[int, int, float, int]:
    """Additions, transpositions, weight of the transpositions, matches."""
    a, b = set(boundaries(one)), set(boundaries(other))
    matches = len(a & b)
    a, b = a - b, b - a
    spans = []
    for span in range(1, n):
        for i in range(sum(one)):
            j = i + span
            if (i in a and j in b) or (i in b and j in a):
                a, b = a - {i, j}, b - {i, j}
                spans.append(span)
    return len(a) + len(b), len(spans), sum(spans) / n, matches


def similarity(one: Masses, other: Masses, n: int = 2) -> float | None:
    if sum(one) == 1:
        return None
    additions, _, weight, _ = edits(one, other, n)
    return 1 - (additions + weight) / (sum(one) - 1)


def boundary_similarity(one: Masses, other: Masses, n: int = 2) -> float | None:
    additions, transpositions, weight, matches = edits(one, other, n)
    total = additions + transpositions + matches
    return 1 - (additions + weight) / total if total else None


def beyond_chance(documents: Mapping[str, Mapping[str, Masses]], n: int = 2) -> dict[str, float | None]:
    """π* and κ* over all documents; not everybody need have cut every document."""
    unedited = total = 0.0
    shares, placed, potential, pairs = [], {}, {}, set()
    for coders in documents.values():
        for a, b in combinations(sorted(coders), 2):
            additions, transpositions, weight, matches = edits(coders[a], coders[b], n)
            total += additions + transpositions + matches
            unedited += transpositions + matches - weight
            pairs.add((a, b))
        for who in coders if len(coders) > 1 else ():
            size = sum(coders[who]) - 1
            if size:
                shares.append((len(coders[who]) - 1) / size)
            placed[who] = placed.get(who, 0) + len(coders[who]) - 1
            potential[who] = potential.get(who, 0) + size
    products = [placed[a] / potential[a] * placed[b] / potential[b] for a, b in pairs if potential[a] and potential[b]]
    if not total:
        return {"pi": None, "kappa": None}
    expected = {"pi": (sum(shares) / len(shares)) ** 2, "kappa": sum(products) / len(products)}
    return {
        name: (unedited / total - chance) / (1 - chance) if 1 - chance > 1e-12 else None
        for name, chance in expected.items()
    }
