"""Random edits of a text as they are defined (Barteld et al. 2016, §6), one after the other, on plain lists.

An edition is a text and, for each layer, spans of units. Slow, and independent of the package: what kernels draw must
have the same distribution.
"""

from __future__ import annotations

MOST_EDITS = 100


def random_edition(text, layers, edited, rng, *, p_text, p_segmentation, p_further, frequency, white=" "):
    """Edit the text, then split and merge; give the text and the spans of each layer as a tuple.

    `edited` is the layer whose units' texts are edited, `frequency` has a weight for each symbol.
    """
    layers = [[list(span) for span in spans] for spans in layers]
    editable = [unit for unit, (start, end) in enumerate(layers[edited]) if end > start]
    chosen = rng.choice(len(editable), rng.binomial(len(editable), p_text), replace=False) if editable else []
    for unit in [editable[index] for index in chosen]:
        for _ in range(MOST_EDITS):
            text = edit(text, layers, layers[edited][unit], rng, frequency)
            if rng.random() >= p_further:
                break
    for spans in layers:
        for _ in range(rng.binomial(len(spans), p_segmentation)):
            segment(text, spans, rng, white)
    return text, tuple(tuple(map(tuple, spans)) for spans in layers)


def edit(text, layers, own, rng, frequency):
    """Insert, delete or substitute a symbol of one unit, and move all spans."""
    start, end = own
    several = sum(weight > 0 for weight in frequency.values()) > 1
    kind = rng.choice(["insert", *["delete"] * (end - start > 1), *["substitute"] * several])
    if kind == "insert":
        place = int(rng.integers(start, end + 1))
        text = text[:place] + drawn(frequency, rng) + text[place:]
        move(layers, lambda at: at + (at > place or (at == place and place > start)))
    elif kind == "delete":
        place = int(rng.integers(start, end))
        text = text[:place] + text[place + 1 :]
        move(layers, lambda at: at - (at > place))
    else:
        place = int(rng.integers(start, end))
        others = {symbol: weight for symbol, weight in frequency.items() if symbol != text[place]}
        text = text[:place] + drawn(others, rng) + text[place + 1 :]
    return text


def move(layers, new):
    for spans in layers:
        for span in spans:
            span[:] = map(new, span)


def drawn(frequency, rng):
    total = sum(frequency.values())
    return str(rng.choice(list(frequency), p=[weight / total for weight in frequency.values()]))


def segment(text, spans, rng, white):
    """Split a unit or merge two neighbours: one third and two thirds, unless one of these is impossible."""
    long = [unit for unit, (start, end) in enumerate(spans) if end - start > 1]
    split = bool(rng.integers(3) == 0)
    if (split or len(spans) < 2) and long:
        unit = int(rng.choice(long))
        start, end = spans[unit]
        cut = int(rng.integers(start + 1, end))
        left = start + len(text[start:cut].rstrip(white))
        right = end - len(text[cut:end].lstrip(white))
        if left == start or right == end:
            left = right = cut
        spans[unit : unit + 1] = [[start, left], [right, end]]
    elif len(spans) > 1:
        unit = int(rng.integers(len(spans) - 1))
        spans[unit : unit + 2] = [[spans[unit][0], spans[unit + 1][1]]]
