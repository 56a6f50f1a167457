"""The chance model of each document: what is changed how often, and what it is changed to (Barteld et al. 2016, §6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from unisono.alignment.texts import LayerAlignment
from unisono.arrays import FloatArray
from unisono.chance.canonical import numbered
from unisono.chance.edits import Edits, RandomEditions
from unisono.data.editions import Editions
from unisono.data.meetings import ranges
from unisono.measurement.text_gamma.bases import base_place, refuse_foreign
from unisono.measurement.text_gamma.rates import Changes, ComparedEditions, Rates
from unisono.measurement.text_gamma.settings import Settings

if TYPE_CHECKING:  # what is measured first is aligned
    from unisono.measurement.text_gamma.measure import Aligner


def rates_of(
    made: Editions,
    bases: Editions | None,
    layers: Mapping[int, Sequence[LayerAlignment]],
    align: Aligner,
    settings: Settings,
) -> Rates:
    """Return p_text, and p_segmentation of each type, from what was changed in all documents.

    Without a pre-annotation, what differs between two annotators is a change by one of them: half is assigned to each.
    `layers` are the alignments of each document, by its index, and `align` aligns editions by their texts only.
    """
    if settings.rates is not None:
        known = settings.rates.segmentation
        return replace(settings.rates, segmentation={k.name: known[k.name] for k in made.kinds if k.name in known})
    compared = _compared(made, bases, layers, align)
    in_text = sum((compared.changes_of_text(k, align.dissimilarity) for k in made.with_text), Changes(0.0, 0.0))
    segmented = [compared.changes_of_segmentation(layer) for layer in range(made.n_marked)]
    marked = made.kinds[: made.n_marked]
    rates = {kind.name: one.rate(settings.p_segmentation) for kind, one in zip(marked, segmented, strict=True)}
    return Rates(in_text.rate(settings.p_text), rates)


def _compared(
    made: Editions, bases: Editions | None, layers: Mapping[int, Sequence[LayerAlignment]], align: Aligner
) -> ComparedEditions:
    """Return editions to compare: those of each document with each other, or each with its pre-annotation."""
    if bases is None:
        return ComparedEditions(made.stacked, made.sizes, [layers[index] for index in made.places], of_first=False)
    # each edition after its pre-annotation
    both = bases.stacked.and_then(made.stacked).without_labels()
    places = np.array([base_place(made, bases, index) for index in made.places], np.int64)
    own = len(bases.stacked) + np.arange(len(made.stacked))
    stack = both.take(np.stack([np.repeat(places, made.sizes), own], axis=1).ravel())
    sizes = np.full(len(own), 2)
    compared = ComparedEditions(stack, sizes, align(stack, sizes), of_first=True)
    changed, aligned = compared.text_changes(made.finest, align.dissimilarity)
    n_units = stack.n_units[::2, made.finest].tolist()
    unchanged: dict[int, float] = {}
    for index, n, n_unchanged in zip(made.whose[:, 0].tolist(), n_units, (aligned - changed).tolist(), strict=True):
        share = n_unchanged / max(n, 1)
        unchanged[index] = max(unchanged.get(index, 0.0), share)
    refuse_foreign(made, bases, unchanged)
    return compared


def models_of(made: Editions, bases: Editions | None, settings: Settings) -> RandomEditions:
    """Return the chance models of documents that have units, at whatever rates of changes."""
    edits = Edits(
        p_text=np.nan,
        p_segmentation=(np.nan,) * made.n_marked,
        p_further=settings.p_further,
        symbols=symbol_frequencies(made),
        labels=tuple(label_frequencies(made, layer) for layer in range(made.n_marked)),
        white=made.alphabet.white,
        edited=made.with_text,
        gaps=settings.gaps,
    )
    source = made if bases is None else bases
    contents, has_units = _contents(source), source.stacked.n_units.sum(axis=1).tolist()
    marked = made.stacked.n_units.sum(axis=1).tolist()
    documents, chosen, n_annotators, digests = [], [], [], []
    for index, own in made.places.items():
        every = own if bases is None else [base_place(made, bases, index)]
        known = sorted([place for place in every if has_units[place]], key=contents.__getitem__)
        if known and any(marked[own.start : own.stop]):
            documents.append(made.corpus.documents[index])
            chosen.append(known)
            n_annotators.append(len(own))
            digests.append(blake2b(b"".join([contents[place] for place in known]), digest_size=16).hexdigest())
    return RandomEditions(
        tuple(documents),
        source.stacked.without_labels().take(np.array([*chain.from_iterable(chosen)], np.int64)),
        np.array([*map(len, chosen)], np.int64),
        np.array(n_annotators, np.int64),
        edits,
        tuple(numbered(digests)),
    )


def _contents(made: Editions) -> list[bytes]:
    """Return each edition's text and where its units are: random editions depend on that, and not on names."""
    start, end = made.stacked.start.tobytes(), made.stacked.end.tobytes()
    layers = ((start[a:b], end[a:b]) for a, b in pairwise((8 * made.stacked.edges).tolist()))
    contents = []
    for who, places in zip(map(tuple, made.whose.tolist()), zip(*[layers] * len(made.kinds), strict=True), strict=True):
        text = made.corpus.texts[who].encode("utf-8", "surrogatepass")
        contents.append(b"\0".join([text, *chain(*places)]))
    return contents


def symbol_frequencies(made: Editions) -> FloatArray:
    """Count the symbols in units; in all texts, if units are empty."""
    n_symbols = max(len(made.alphabet.symbols), 1)
    stack, n = made.stacked, len(made.stacked.text)
    inside = np.zeros(n_symbols)
    for layer in made.with_text if len(stack) else ():
        blocks = np.arange(len(stack)) * stack.n_layers + layer
        counts = np.diff(stack.edges)[blocks]
        units, offset = ranges(stack.edges[blocks], counts), np.repeat(stack.text_edges[:-1], counts)
        begun, ended = (np.bincount(offset + own[units], minlength=n + 1) for own in (stack.start, stack.end))
        inside += np.bincount(stack.text, np.cumsum(begun - ended)[:n], minlength=n_symbols)
    return inside if inside.any() else np.ones(n_symbols)


def label_frequencies(made: Editions, layer: int) -> tuple[FloatArray, ...]:
    """Count the labels of each feature of a type; "none" first."""
    stack, names = made.stacked, made.kinds[layer].features
    blocks = slice(layer, None, stack.n_layers)
    begin, counts = stack.code_edges[:-1][blocks], stack.n_units[:, layer]
    every = [stack.codes[ranges(begin + place * counts, counts)] for place in range(len(names))]
    return tuple(
        np.bincount(codes + 1, minlength=len(made.labels[name]) + 1).astype(np.float64)
        for codes, name in zip(every, names, strict=True)
    )
