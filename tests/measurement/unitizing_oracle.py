"""Unitizing coefficients by definition: loops over all pairs of sections, all slides, all matchings, all atoms."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict

import numpy as np

from unisono.data import Corpus

GAP = "the gap"


def corpus(marked, bounds=None, worked=()):
    """Make a corpus of (annotator, start, end, category[, document])."""
    rows = [row if len(row) == 5 else (*row, "document") for row in marked]
    who, start, end, category, document = zip(*rows, strict=True) if rows else ((), (), (), (), ())
    return Corpus.from_columns(
        annotator=who,
        start=np.array(start) if rows else np.zeros(0, int),
        end=np.array(end) if rows else np.zeros(0, int),
        document=document,
        features={"category": category},
        bounds={"document": bounds} if isinstance(bounds, tuple) else bounds,
        worked=worked,
    )


def units(**marked):
    """Give units as `corpus` takes them, out of annotator=[(start, end, category), …]."""
    return [(name, *unit) for name, own in marked.items() for unit in own]


def random_corpus(seed, *, n_annotators=3, n_documents=1, fractions=False, n_units=6, overlap=False, missing=0.0):
    """Make units that do not overlap within an annotator (unless asked), with gaps and neighbours that touch."""
    rng = np.random.default_rng(seed)
    marked, bounds, worked = [], {}, []
    for d in range(n_documents):
        length = int(rng.integers(15, 60))
        scale = 0.37 if fractions else 1
        begin = int(rng.integers(0, 9)) * scale
        bounds[f"d{d}"] = (begin, begin + length * scale)
        people = [a for a in range(n_annotators) if rng.random() >= missing] or [0]
        for a in people:
            worked.append((f"d{d}", f"a{a}"))
            cuts = np.sort(rng.choice(length + 1, size=min(2 * n_units, length), replace=overlap))
            for low, high in itertools.pairwise(cuts):
                if rng.random() < (0.8 if overlap else 0.6):
                    shift = int(rng.integers(0, 4)) if overlap else 0
                    end = min(high + shift, length)
                    category = str(rng.choice(["x", "y", "z"]))
                    marked.append((f"a{a}", begin + low * scale, begin + end * scale, category, f"d{d}"))
    return corpus(marked, bounds, worked)


def sections(data, category=None):
    """Give document -> annotator -> sections (value, start, end), of all categories or of one."""
    found = {}
    for document in data:
        if len(document.annotators) < 2:
            continue
        begin, finish = document.bounds
        cut = {}
        for name in document.annotators:
            here, at = [], begin
            for unit in sorted(document.units, key=lambda unit: (unit.start, unit.end)):
                if unit.annotator != name or (category is not None and unit.category != category):
                    continue
                if unit.end == unit.start:
                    continue
                if unit.start > at:
                    here.append((GAP, at, unit.start))
                here.append((unit.category, unit.start, unit.end))
                at = unit.end
            if finish > at:
                here.append((GAP, at, finish))
            cut[name] = here
        found[document.name] = cut
    return found


def intersection(g, h):
    return max(0, min(g[2], h[2]) - max(g[1], h[1]))


def length(section):
    return section[2] - section[1]


def coincidences(data):
    """Give l_ck, q and q* by loops over all pairs of sections."""
    met, q, shared = defaultdict(float), defaultdict(float), defaultdict(float)
    for cut in sections(data).values():
        m = len(cut)
        for i in cut:
            for g in cut[i]:
                with_units = 0
                for j in set(cut) - {i}:
                    for h in cut[j]:
                        met[g[0], h[0]] += intersection(g, h) / (m - 1)
                        with_units += intersection(g, h) / (m - 1) if GAP not in (g[0], h[0]) else 0
                shared[g[0]] += with_units**2
        every = list(itertools.chain(*cut.values()))
        whole = all(float(x).is_integer() for section in every for x in section[1:])
        for g in every:
            q[g[0]] += (length(g) if whole else 0) if g[0] == GAP else length(g) ** 2
    return met, q, shared


def expected_2016(met, q):
    margins = defaultdict(float)
    for (c, _), value in met.items():
        margins[c] += value
    total = sum(margins.values())
    pairs = total**2 - sum(q.values())
    return {
        (c, k): total * (margins[c] * margins[k] - (q[c] if c == k else 0)) / pairs for c in margins for k in margins
    }


def u_alpha(data):
    """Give uα and |uα of 2016."""
    met, q, _ = coincidences(data)
    e = expected_2016(met, q)
    observed = sum(value for (c, k), value in met.items() if c != k)
    expected = sum(value for (c, k), value in e.items() if c != k)
    binary_observed = sum(value for (c, k), value in met.items() if c == GAP != k)
    binary_expected = sum(value for (c, k), value in e.items() if c == GAP != k)
    return 1 - observed / expected, 1 - binary_observed / binary_expected


def cu_alpha(data, delta):
    """Give cuα and (k)uα of each category."""
    met, _, shared = coincidences(data)
    met = {pair: value for pair, value in met.items() if GAP not in pair}
    e = expected_2016(met, shared)
    names = {c for c, _ in e}
    observed = sum(met.get(pair, 0) * delta(*pair) for pair in e)
    expected = sum(value * delta(*pair) for pair, value in e.items())
    categories = {}
    for k in names:
        met_k, e_k = sum(met.get((c, k), 0) for c in names), sum(e[c, k] for c in names)
        top = sum(met.get((c, k), 0) * delta(c, k) for c in names)
        bottom = sum(e[c, k] * delta(c, k) for c in names)
        categories[k] = 1 - e_k / met_k * top / bottom if met_k and bottom else None
    return 1 - observed / expected, categories


def slides(a, b):
    """Give the lengths of the intersections when a section of length a is slid along one of length b."""
    return [min(a, shift) - max(0, shift - b) for shift in range(1, a + b)]


def u_alpha_2013(data):
    """Give D_o and D_e by sliding every pair of sections along each other."""
    mismatch, facing, everything = 0.0, 0.0, []
    for cut in sections(data).values():
        m = len(cut)
        for i, j in itertools.permutations(cut, 2):
            mismatch += sum(intersection(g, h) ** 2 for g in cut[i] for h in cut[j] if g[0] != h[0]) / (m - 1)
        facing += sum(length(g) for g in itertools.chain(*cut.values()))
        everything += itertools.chain(*cut.values())
    slid = 0.0
    for g, h in itertools.permutations(range(len(everything)), 2):
        if everything[g][0] != everything[h][0]:
            slid += sum(part**2 for part in slides(int(length(everything[g])), int(length(everything[h]))))
    pairs = facing**2 - sum(length(g) ** 2 for g in everything)
    return mismatch / facing, slid / pairs


def alpha_u(data):
    """Give D_o and D_e of each category, differences and slides as in Krippendorff (1995)."""
    names = sorted({unit.category for document in data for unit in document.units if len(document.annotators) > 1})
    found = {}
    for name in names:
        cuts = sections(data, name)
        total = sum(sum(map(length, next(iter(cut.values())))) for cut in cuts.values())
        weighted = sum(sum(map(length, itertools.chain(*cut.values()))) for cut in cuts.values())
        observed = sum(_differences(cut) / (len(cut) * (len(cut) - 1)) for cut in cuts.values()) / total**2
        everything = [g for cut in cuts.values() for g in itertools.chain(*cut.values())]
        slid = sum(
            _slid(int(length(g)), g[0], int(length(h)), h[0])
            for (i, g), (j, h) in itertools.product(enumerate(everything), repeat=2)
            if i != j
        )
        pairs = weighted * (weighted - 1) - sum(length(g) * (length(g) - 1) for g in everything if g[0] != GAP)
        found[name] = (observed, slid / total / pairs)
    return found


def _differences(cut):
    return sum(difference(g, h) for i, j in itertools.permutations(cut, 2) for g in cut[i] for h in cut[j])


def difference(g, h):
    if g[0] != GAP and h[0] != GAP and intersection(g, h):
        return (g[1] - h[1]) ** 2 + (g[2] - h[2]) ** 2
    for unit, gap in ((g, h), (h, g)):
        if unit[0] != GAP == gap[0] and gap[1] <= unit[1] and unit[2] <= gap[2]:
            return length(unit) ** 2
    return 0


def _slid(a, of_a, b, of_b):
    """Slide a along b, and add up the differences; h lies at 0 … b."""
    return sum(difference((of_a, at, at + a), (of_b, 0, b)) for at in range(-a + 1, b))


def best_credit(first, second, worth):
    """Give the greatest total worth of matching one to one, by trying all matchings."""
    if not first:
        return 0.0
    rest = best_credit(first[1:], second, worth)
    for index, v in enumerate(second):
        gain = worth(first[0], v)
        if gain > 0:
            rest = max(rest, gain + best_credit(first[1:], second[:index] + second[index + 1 :], worth))
    return rest


def touch(u, v):
    if u.start == u.end or v.start == v.end:
        return (u.start, u.end) == (v.start, v.end)
    return min(u.end, v.end) > max(u.start, v.start)


def by_pair(data):
    """Give (a, b) -> the units of both, document by document, where both worked."""
    found = defaultdict(list)
    for document in data:
        for a, b in itertools.combinations(document.annotators, 2):
            mine = [[unit for unit in document.units if unit.annotator == name] for name in (a, b)]
            found[a, b].append(mine)
    return found


def slot_error_rate(data):
    def saved(u, v):
        same = (u.start, u.end) == (v.start, v.end)
        return 2 - 0.5 * (u.category != v.category) - 0.5 * (not same) if touch(u, v) else 0

    values = []
    for documents in by_pair(data).values():
        cost = sum(len(a) + len(b) - best_credit(a, b, saved) for a, b in documents)
        sizes = [sum(len(document[side]) for document in documents) for side in (0, 1)]
        values += [cost / size for size in sizes if size]
    return float(np.mean(values))


def span_f1(data, match="exact", labels=True, category=None):
    partly = {"exact": 0.0, "partial": 0.5, "overlap": 1.0}[match]

    def credit(u, v):
        if not touch(u, v) or (labels and u.category != v.category):
            return 0
        return 1 if (u.start, u.end) == (v.start, v.end) else partly

    values = []
    for documents in by_pair(data).values():
        kept = [
            [[unit for unit in side if category in (None, unit.category)] for side in document]
            for document in documents
        ]
        size = sum(len(a) + len(b) for a, b in kept)
        if size:
            values.append(2 * sum(best_credit(a, b, credit) for a, b in kept) / size)
    return float(np.mean(values))


def expanded(data):
    """Give one row a character: the label of each annotator, None for those who did not work on the document."""
    rows = []
    for document in data:
        if len(document.annotators) < 2:
            continue
        begin, finish = map(int, document.bounds)
        for place in range(begin, finish):
            row = {}
            for name in document.annotators:
                here = [u.category for u in document.units if u.annotator == name and u.start <= place < u.end]
                row[name] = here[0] if here else "blank"
            rows.append([row.get(name) for name in data.annotators])
    return rows


def multi_kappa(rows):
    """Give A_o and A_e of (multi-)κ."""
    pairs = list(itertools.combinations(range(len(rows[0])), 2))
    observed = np.mean(
        [
            np.mean([row[i] == row[j] for i, j in pairs if row[i] is not None and row[j] is not None])
            for row in rows
            if sum(label is not None for label in row) > 1
        ]
    )
    shares = []
    for who in range(len(rows[0])):
        given = Counter(row[who] for row in rows if row[who] is not None)
        if given:
            shares.append({label: n / sum(given.values()) for label, n in given.items()})
    expected = np.mean([sum(p[k] * q.get(k, 0) for k in p) for p, q in itertools.combinations(shares, 2)])
    return observed, expected


def nominal_alpha(rows):
    """Give D_o and D_e of nominal α."""
    rows = [[label for label in row if label is not None] for row in rows]
    rows = [row for row in rows if len(row) > 1]
    n = sum(map(len, rows))
    observed = sum(sum(a != b for a, b in itertools.permutations(row, 2)) / (len(row) - 1) for row in rows) / n
    counts = Counter(itertools.chain(*rows))
    return observed, (n * n - sum(c * c for c in counts.values())) / (n * (n - 1))
