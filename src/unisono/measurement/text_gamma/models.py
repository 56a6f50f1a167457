"""The chance model of each document: what is changed how often, and what it is changed to (Barteld et al. 2016, §6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import chain, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from unisono.alignment.texts import LayerAlignment
from unisono.arrays import FloatArray
from unisono.chance.canonical import numbered
from unisono.chance.edits import Edits, RandomEditions
from unisono.data.editions import Editions, without_labels
from unisono.data.meetings import ranges
from unisono.data.stacked_editions import stacked_editions
from unisono.measurement.text_gamma.bases import base_of, refuse_foreign
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
        return ComparedEditions(made.stacked, made.sizes, [layers[index] for index in made.of_document], of_first=False)
    groups, whose = [], []
    for index, own in made.of_document.items():
        groups += [without_labels((base_of(made, bases, index), edition)) for edition in own]
        whose += [index] * len(own)
    stack = stacked_editions([edition for group in groups for edition in group])
    compared = ComparedEditions(stack, np.full(len(groups), 2), align(groups), of_first=True)
    changed, aligned = compared.text_changes(made.finest, align.dissimilarity)
    unchanged: dict[int, float] = {}
    for group, index, n_unchanged in zip(groups, whose, (aligned - changed).tolist(), strict=True):
        share = n_unchanged / max(group[0].layers[made.finest].n_units, 1)
        unchanged[index] = max(unchanged.get(index, 0.0), share)
    refuse_foreign(made, bases, unchanged)
    return compared


def models_of(made: Editions, bases: Editions | None, rates: Rates, settings: Settings) -> dict[str, RandomEditions]:
    """Return the chance model of each document that has units."""
    edits = Edits(
        p_text=rates.text.value,
        p_segmentation=tuple(rate.value for rate in rates.segmentation.values()),
        p_further=settings.p_further,
        symbols=symbol_frequencies(made),
        labels=tuple(label_frequencies(made, layer) for layer in range(made.n_marked)),
        white=made.alphabet.white,
        edited=made.with_text,
        gaps=settings.gaps,
    )
    contents = _contents(made if bases is None else bases)
    documents, chosen, digests = [], [], []
    for index, own in made.of_document.items():
        name = made.corpus.documents[index]
        place, every = (index, own) if bases is None else (bases.numbers[name], (base_of(made, bases, index),))
        known = [one for one in zip(contents[place], every, strict=True) if one[1].n_units]
        if known and any(edition.n_units for edition in own):
            known.sort(key=itemgetter(0))
            documents.append(name)
            chosen.append((tuple([base for _, base in known]), len(own)))
            digests.append(blake2b(b"".join([content for content, _ in known]), digest_size=16).hexdigest())
    found = zip(documents, chosen, numbered(digests), strict=True)
    return {name: RandomEditions(own, n_annotators, edits, stream) for name, (own, n_annotators), stream in found}


def _contents(made: Editions) -> dict[int, list[bytes]]:
    """Return each edition's text and where its units are: random editions depend on that, and not on names."""
    start, end = made.stacked.start.tobytes(), made.stacked.end.tobytes()
    layers = ((start[a:b], end[a:b]) for a, b in pairwise((8 * made.stacked.edges).tolist()))
    contents: dict[int, list[bytes]] = {}
    for who, places in zip(map(tuple, made.whose.tolist()), zip(*[layers] * len(made.kinds), strict=True), strict=True):
        text = made.corpus.texts[who].encode("utf-8", "surrogatepass")
        contents.setdefault(who[0], []).append(b"\0".join([text, *chain(*places)]))
    return contents


def symbol_frequencies(made: Editions) -> FloatArray:
    """Count the symbols in units; in all texts, if units are empty."""
    n_symbols = max(len(made.alphabet.symbols), 1)
    stack = made.stacked
    inside = np.zeros(n_symbols)
    n_editions = len(stack.text_edges) - 1
    for layer in made.with_text if n_editions else ():
        blocks = np.arange(n_editions) * stack.n_layers + layer
        counts = np.diff(stack.edges)[blocks]
        units, offset = ranges(stack.edges[blocks], counts), np.repeat(stack.text_edges[:-1], counts)
        start, end = stack.start[units], stack.end[units]
        inside += np.bincount(stack.text[ranges(offset + start, end - start)], minlength=n_symbols)
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
