"""Texts that annotators may have corrected, with what they marked in them, as arrays to compute with.

An edition is one annotator's text and units. Its units are in layers, one per type (token, sentence …); units of one
layer do not overlap, units of different layers may nest or overlap freely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from unisono.arrays import BoolArray, ComparedByContent, IntArray
from unisono.data.corpus import Corpus
from unisono.data.edition import Edition, Layer
from unisono.data.labels import Label
from unisono.data.meetings import ranges
from unisono.data.stacked_editions import StackedEditions, stacked_editions
from unisono.errors import DataError, OptionError, listed

GAP_TYPE = "gap"
"""The type of the text outside units, if that counts."""
UNTYPED = "unit"
"""The type of units that have none."""


@dataclass(frozen=True)
class Alphabet:
    """The symbols of all texts of a corpus: code points, or clusters of a base and what combines with it."""

    symbols: tuple[str, ...]  # the symbols, sorted

    @cached_property
    def white(self) -> BoolArray:
        """Which symbols are white space."""
        return np.array([symbol.isspace() for symbol in self.symbols], dtype=np.bool_)

    def spelled(self, text: IntArray) -> str:
        """Return the text of some symbols."""
        return "".join([self.symbols[code] for code in text.tolist()])


@dataclass(frozen=True)
class LayerKind:
    """What units of one type have."""

    name: str  # the type
    features: tuple[str, ...]  # the features that count and that any unit of this type has


@dataclass(frozen=True, eq=False)
class Editions(ComparedByContent):
    """The editions of all documents that two annotators or more worked on."""

    corpus: Corpus  # where they come from
    alphabet: Alphabet  # the symbols of their texts
    kinds: tuple[LayerKind, ...]  # the types of units, in the order of the layers
    labels: Mapping[str, tuple[Label, ...]]  # feature to its labels
    whose: IntArray  # shape (n_editions, 2): document and annotator of each edition, in their order
    stacked: StackedEditions  # the editions
    # shape (n_units,): the row of the corpus with each unit of `stacked`; -1 for text outside units
    row: IntArray

    @cached_property
    def of_document(self) -> Mapping[int, tuple[Edition, ...]]:
        """The editions of each document, by its index, in the order of its annotators."""
        every = self.stacked.editions([len(kind.features) for kind in self.kinds])
        return {index: tuple(every[own.start : own.stop]) for index, own in self.places.items()}

    @cached_property
    def rows(self) -> Mapping[int, tuple[tuple[IntArray, ...], ...]]:
        """The rows of the corpus with each edition's units, layer by layer, by document; -1 for text outside units."""
        edges, n = self.stacked.edges.tolist(), len(self.kinds)
        blocks = [self.row[a:b] for a, b in pairwise(edges)]
        return {
            index: tuple(tuple(blocks[n * place : n * (place + 1)]) for place in own)
            for index, own in self.places.items()
        }

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The index of each document of the corpus, by its name."""
        return {name: index for index, name in enumerate(self.corpus.documents)}

    @cached_property
    def sizes(self) -> IntArray:
        """Number of editions of each document."""
        return np.unique(self.whose[:, 0], return_counts=True)[1].astype(np.int64)

    @property
    def first(self) -> IntArray:
        """The number of the first edition of each document."""
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def places(self) -> dict[int, range]:
        """The places of each document's editions in `stacked`, by the index of the document."""
        edges = np.append(self.first, len(self.whose)).tolist()
        return dict(zip(np.unique(self.whose[:, 0]).tolist(), map(range, edges, edges[1:]), strict=True))

    @property
    def n_marked(self) -> int:
        """How many layers contain units that annotators marked; gaps, if they count, come after them."""
        return sum(kind.name != GAP_TYPE for kind in self.kinds)

    @cached_property
    def finest(self) -> int:
        """The layer with the most marked units: tokens, if there are sentences too."""
        return int(np.argmax(self.stacked.n_units[:, : self.n_marked].sum(axis=0)))

    @property
    def with_text(self) -> tuple[int, ...]:
        """The layers whose units' texts are changed by annotators: the finest, and gaps if they count."""
        return (self.finest, *range(self.n_marked, len(self.kinds)))


def editions(
    corpus: Corpus,
    features: Sequence[str],
    *,
    types: Sequence[str] | None = None,
    gaps: bool = False,
    graphemes: bool = False,
    like: Editions | None = None,
    fewest: int = 2,
) -> Editions:
    """Make editions of a corpus, with the features and the types of units that count; by default all types.

    With `gaps`, text outside units makes units of the type gap; with `graphemes`, combining marks are kept with their
    base. A pre-annotation takes the types and features of the editions that it should be `like`. Documents that fewer
    than `fewest` annotators worked on are left out.
    """
    kind_of, names = _types(
        corpus, types if like is None else [kind.name for kind in like.kinds if kind.name != GAP_TYPE]
    )
    wanted = np.flatnonzero(corpus.worked.sum(axis=1) >= fewest).tolist()
    whose = [(d, a) for d in wanted for a in np.flatnonzero(corpus.worked[d]).tolist()]
    texts = [_text(corpus, d, a) for d, a in whose]
    known = () if like is None else like.alphabet.symbols
    cut: list[list[str]] = []
    if graphemes:
        cut = [_clusters(text) for text in texts]
        alphabet, codes = _numbered(cut, known)
    else:
        alphabet, codes = _numbered_characters(texts, known)
    kinds = like.kinds if like is not None else _kinds(corpus, kind_of, names, features, wanted, gaps)
    row, edges = _rows_of_layers(corpus, whose, texts, kind_of, names)
    start, end = corpus.start[row].astype(np.int64), corpus.end[row].astype(np.int64)
    if graphemes:
        start, end = _on_clusters(corpus, cut, start, end, edges[:: len(names)], whose)
    text_edges = np.cumsum([0, *map(len, cut or texts)])
    labels = _codes(corpus, row, edges, kinds[: len(names)])
    stacked = StackedEditions(len(names), codes, text_edges, start, end, edges, *labels)
    if len(kinds) > len(names):
        stacked, row = _with_gaps(stacked, row, alphabet.white, kinds)
    named = {name: corpus.features[name].labels for name in features}
    return Editions(corpus, alphabet, kinds, named, np.array(whose, np.int64).reshape(-1, 2), stacked, row)


def gap_layer(text: IntArray, layers: Sequence[Layer], white: BoolArray) -> Layer:
    """Make units of the text that no unit covers, without the white space around it."""
    free = ~white[text] if len(text) else np.zeros(0, dtype=np.bool_)
    covered = np.zeros(len(text) + 1, dtype=np.int64)
    for layer in layers:
        np.add.at(covered, layer.start, 1)
        np.add.at(covered, layer.end, -1)
    outside = np.cumsum(covered)[:-1] == 0
    # a gap starts and ends with something other than white space, and white space inside belongs to it
    run = np.cumsum(np.diff(outside.astype(np.int64), prepend=0) == 1)
    where = np.flatnonzero(outside & free)
    if not len(where):
        return Layer(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 0), np.int64))
    first = np.flatnonzero(np.diff(run[where], prepend=-1))
    last = np.append(first[1:], len(where)) - 1
    return Layer(where[first], where[last] + 1, np.zeros((0, len(first)), np.int64))


def _types(corpus: Corpus, wanted: Sequence[str] | None) -> tuple[IntArray, tuple[str, ...]]:
    """Return each unit's type as a number, -1 if it does not count, and the types' names."""
    column = corpus.features.get("type")
    if column is None:
        if wanted is not None and list(wanted) != [UNTYPED]:
            raise OptionError.about("types", f"unknown type {wanted[0]!r}; units have no types")
        return np.zeros(corpus.n_units, np.int64), (UNTYPED,)
    names = [*(str(label) for label in column.labels), UNTYPED]
    codes = np.where(column.codes < 0, len(names) - 1, column.codes)
    present = dict.fromkeys(names[code] for code in np.unique(codes).tolist()) or [UNTYPED]
    chosen = list(present if wanted is None else dict.fromkeys(wanted))
    known = [*names[:-1], *([UNTYPED] if UNTYPED in present else [])]
    for name in chosen:
        if name not in known:
            raise OptionError.about("types", f"unknown type {name!r}; available: {listed([*present])}")
    place = np.array([chosen.index(name) if name in chosen else -1 for name in names], dtype=np.int64)
    return place[codes], tuple(chosen)


def _kinds(
    corpus: Corpus,
    kind_of: IntArray,
    names: Sequence[str],
    features: Sequence[str],
    documents: Sequence[int],
    gaps: bool,
) -> tuple[LayerKind, ...]:
    counted = np.isin(corpus.document, documents)
    kinds = []
    for k, name in enumerate(names):
        own = counted & (kind_of == k)
        kinds.append(LayerKind(name, tuple(f for f in features if (corpus.features[f].codes[own] >= 0).any())))
    if gaps:
        if GAP_TYPE in names:
            raise OptionError.about(
                "gaps", f"units have a type named {GAP_TYPE!r}, so text outside them cannot have that name; rename it"
            )
        kinds.append(LayerKind(GAP_TYPE, ()))
    return tuple(kinds)


def _text(corpus: Corpus, document: int, annotator: int) -> str:
    text = corpus.texts.get((document, annotator))
    if text is None:
        where, who = corpus.documents[document], corpus.annotators[annotator]
        raise DataError(
            f"document {where!r} has no text by {who!r}; text-γ compares texts, so provide one for each annotator",
            **corpus.origin(document, annotator),
        )
    return text


def _clusters(text: str) -> list[str]:
    import regex

    return [str(cluster) for cluster in regex.findall(r"\X", text)]


def _places(clusters: Sequence[str]) -> IntArray:
    """Return the cluster that each character belongs to, and the number of clusters for the end."""
    lengths = [len(cluster) for cluster in clusters]
    return np.append(np.repeat(np.arange(len(clusters)), lengths), len(clusters)).astype(np.int64)


def _numbered(texts: Sequence[Sequence[str]], known: Sequence[str]) -> tuple[Alphabet, IntArray]:
    """Return the symbols of texts and those known before, and the texts as numbers of symbols, one after another."""
    alphabet = Alphabet(tuple(sorted(set(known).union(*texts))))
    number = {symbol: code for code, symbol in enumerate(alphabet.symbols)}
    return alphabet, np.fromiter((number[symbol] for text in texts for symbol in text), np.int64)


def _numbered_characters(texts: Sequence[str], known: Sequence[str]) -> tuple[Alphabet, IntArray]:
    """Do the same for texts whose symbols are characters, all at once."""
    every = np.frombuffer("".join([*texts, *known]).encode("utf-32-le", "surrogatepass"), np.uint32)
    points = np.flatnonzero(np.bincount(every))
    number = np.zeros(int(points.max(initial=0)) + 1, np.int64)
    number[points] = np.arange(len(points))
    return Alphabet(tuple(map(chr, points.tolist()))), number[every[: len(every) - len(known)]]


def _rows_of_layers(
    corpus: Corpus, whose: Sequence[tuple[int, int]], texts: Sequence[str], kind_of: IntArray, names: Sequence[str]
) -> tuple[IntArray, IntArray]:
    """Return the rows of units, edition by edition and type by type, and where those of each type begin.

    Units that do not fit the text are an error.
    """
    n_annotators, n_kinds = len(corpus.annotators), len(names)
    blocks = np.array([d * n_annotators + a for d, a in whose], np.int64)
    length = np.full(len(corpus.documents) * n_annotators, -1)  # of the text of each block of units
    length[blocks] = [len(text) for text in texts]
    block = corpus.document * n_annotators + corpus.annotator
    rows = np.flatnonzero((kind_of >= 0) & (length[block] >= 0))
    rows = rows[np.lexsort((kind_of[rows], block[rows]))]  # units of a type are sorted by position already
    layer = block[rows] * n_kinds + kind_of[rows]
    edges = np.append(np.searchsorted(layer, (blocks[:, None] * n_kinds + np.arange(n_kinds)).ravel()), len(rows))
    start, end = corpus.start[rows], corpus.end[rows]
    misplaced = (start % 1 != 0) | (end % 1 != 0) | (start < 0) | (end > length[block[rows]])
    if misplaced.any() or ((start[1:] < end[:-1]) & (layer[1:] == layer[:-1])).any():
        made = [rows[a:b] for a, b in pairwise(edges.tolist())]
        for place, (who, text) in enumerate(zip(whose, texts, strict=True)):
            for of_kind, name in zip(made[place * n_kinds :], names, strict=False):
                _refuse_misplaced(corpus, of_kind, who, name, len(text))
    return rows, edges


def _codes(corpus: Corpus, row: IntArray, edges: IntArray, kinds: Sequence[LayerKind]) -> tuple[IntArray, IntArray]:
    """Return the labels of units, in each layer feature by feature, and where those of each layer begin."""
    counts = np.diff(edges).reshape(-1, len(kinds))
    sizes = counts * [len(kind.features) for kind in kinds]
    code_edges = np.concatenate([[0], np.cumsum(sizes)])
    codes = np.zeros(code_edges[-1], np.int64)
    for k, kind in enumerate(kinds):
        units, begin = row[ranges(edges[k : -1 : len(kinds)], counts[:, k])], code_edges[k : -1 : len(kinds)]
        for place, name in enumerate(kind.features):
            codes[ranges(begin + place * counts[:, k], counts[:, k])] = corpus.features[name].codes[units]
    return codes, code_edges


def _with_gaps(
    stacked: StackedEditions, row: IntArray, white: BoolArray, kinds: Sequence[LayerKind]
) -> tuple[StackedEditions, IntArray]:
    """Add a layer with the text outside units, and its rows, -1."""
    made = stacked.editions([len(kind.features) for kind in kinds[: stacked.n_layers]])
    gaps = [gap_layer(edition.text, edition.layers, white) for edition in made]
    edges = stacked.edges[:: stacked.n_layers].tolist()
    rows = [np.append(row[a:b], np.full(gap.n_units, -1)) for (a, b), gap in zip(pairwise(edges), gaps, strict=True)]
    every = [Edition(own.text, (*own.layers, gap)) for own, gap in zip(made, gaps, strict=True)]
    if not every:
        nothing = np.zeros(0, np.int64)
        return replace(stacked, n_layers=len(kinds)), nothing
    return stacked_editions(every), np.concatenate(rows)


def _refuse_misplaced(corpus: Corpus, rows: IntArray, whose: tuple[int, int], kind: str, n_characters: int) -> None:
    start, end = corpus.start[rows], corpus.end[rows]
    if start.dtype.kind == "f" and ((start % 1 != 0) | (end % 1 != 0)).any():
        row = int(np.flatnonzero((start % 1 != 0) | (end % 1 != 0))[0])
        raise _wrong(corpus, whose, f"the unit {start[row]:g}–{end[row]:g} does not start and end at whole characters")
    outside = np.flatnonzero((start < 0) | (end > n_characters))
    if len(outside):
        row = int(outside[0])
        said = f"the unit {int(start[row])}–{int(end[row])} is outside the text, which has {n_characters} characters"
        raise _wrong(corpus, whose, f"{said}; fix the positions or the text")
    overlapping = np.flatnonzero(start[1:] < end[:-1])
    if len(overlapping):
        u = int(overlapping[0])
        spans = " and ".join(f"{int(start[i])}–{int(end[i])}" for i in (u, u + 1))
        raise _wrong(
            corpus,
            whose,
            f"the units {spans} are both of the type {kind} and overlap, so it would be unclear which one a "
            'boundary closes; give them different types ("type"), or use gamma',
        )


def _on_clusters(
    corpus: Corpus,
    cut: Sequence[Sequence[str]],
    start: IntArray,
    end: IntArray,
    edges: IntArray,
    whose: Sequence[tuple[int, int]],
) -> tuple[IntArray, IntArray]:
    """Return positions in clusters, edition by edition; units that separate what belongs together are an error."""
    made = [np.zeros((2, 0), np.int64)]
    for clusters, (a, b), who in zip(cut, pairwise(edges.tolist()), whose, strict=True):
        place = _places(clusters)
        begins = np.diff(place, prepend=-1) > 0
        torn = np.flatnonzero(~begins[start[a:b]] | ~begins[end[a:b]])
        if len(torn):
            unit = a + int(torn[0])
            said = f"the unit {int(start[unit])}–{int(end[unit])} separates a letter from a mark that combines with it"
            raise _wrong(corpus, who, f"{said}; fix it, or set graphemes=false")
        made.append(np.stack([place[start[a:b]], place[end[a:b]]]))
    first, last = np.concatenate(made, axis=1)
    return first, last


def _wrong(corpus: Corpus, whose: tuple[int, int], why: str) -> DataError:
    document, annotator = whose
    return DataError(
        f"document {corpus.documents[document]!r} by {corpus.annotators[annotator]!r}: {why}",
        **corpus.origin(document, annotator),
    )
