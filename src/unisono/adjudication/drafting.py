"""From annotations to a draft of a gold standard: of units by their alignment; see `items` for labels of items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from unisono.adjudication.competence import Competence, weighed
from unisono.adjudication.decision_files import History, read_decisions
from unisono.adjudication.decisions import PlaceKey, place_key
from unisono.adjudication.ends import GoldSpans, joined_layers
from unisono.adjudication.item_result import ItemGold
from unisono.adjudication.items import COMPETENCES, DRAFTED_BY, SEVERITY, gold_of_items
from unisono.adjudication.proposal import AlignmentRow, Thresholds, equal_opinions, propose
from unisono.adjudication.result import Gold, joined_corpora
from unisono.adjudication.settling import AnyGold, draft_places, settled_gold
from unisono.adjudication.text_drafting import gold_of_texts
from unisono.adjudication.text_result import TextGold
from unisono.alignment.aligned import Aligned
from unisono.alignment.alignment import Alignment
from unisono.alignment.text_alignment import TextAlignment
from unisono.checks import check_choice, check_function, check_optional_text
from unisono.data import Corpus, Data, Ratings
from unisono.data.export import LAYER_FEATURE
from unisono.data.labels import MISSING
from unisono.data.unit_kinds import SPANS, only_kind
from unisono.errors import DataError, OptionError, listed, plural
from unisono.execution import Progress, Workers, check_workers
from unisono.formats.arguments import check_paths
from unisono.formats.entry import DataLike, Rows, as_corpus, as_data
from unisono.measurement.registry import Measure, aligning_measure, parse_measure
from unisono.output import PathLike


def gold(
    corpus: DataLike,
    measure: str | None = None,
    *,
    support: float = 0.5,
    majority: float = 0.5,
    boundary: float | None = None,
    sure: float | None = None,
    ask_above: float = 0.0,
    competence: str | None = None,
    scale: str | None = None,
    spans: DataLike | None = None,
    decisions: PathLike | Iterable[PathLike] | None = None,
    rows: Rows = None,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Gold | ItemGold | TextGold:
    """Draft a gold standard: one unit per unitary alignment that enough annotators marked, or one label per item.

    Boundaries are medians, labels those that most annotators gave; labels of items that are steps of a scale are
    medians, numbers means. Where annotators corrected the text, its tokens are aligned, and the draft has one text.
    What this cannot decide is left to a person and listed in the queue.

    Parameters
    ----------
    corpus : DataLike
        Units, or labels of items, of two annotators or more; see `unisono.read`.
    measure : str, optional
        The measure that aligns units, with its parameters, e.g. ``gamma(alpha=3,beta=1)``; text-γ aligns texts that
        differ.
    support : float
        More than this share of a document's annotators must have marked a unit, or have a text with its tokens.
    majority : float
        More than this share of those who marked the unit, or labelled the item, must have given a label; otherwise it
        goes to the queue.
    boundary : float, optional
        Units whose starts or ends are further apart than this go to the queue; by default, those whose median is
        between two positions that were chosen equally often. So do items with labels on a scale that are further apart
        than this; by default, than a quarter of the range of all labels.
    sure : float, optional
        Units with enough support also go to the queue if their support is not above this; so do items if the share of
        their label is not.
    ask_above : float
        Units with too little support go to the queue if it is above this.
    competence : {"dawid-skene", "mace", "severity"}, optional
        Weight annotators by their competence, which is estimated by this model; by default all count the same.
        Severity is for labels of items on a scale: annotators may be more or less severe, and scatter more or less.
    scale : {"nominal", "ordinal", "interval"}, optional
        How labels of items are treated: the majority, the median or the mean decides; detected if not given.
    spans : DataLike, optional
        What the ends of relations and events are chosen from: the gold standard of spans (of one annotator), or the
        spans of the same annotators, of which a draft is made first. An end is the nearest of them.
    decisions : path or iterable of path, optional
        Files of what people decided in the app (`unisono serve`), one per person; places on which they decided
        differently stay in the queue.
    rows : {"items", "annotators"}, optional
        What the rows of a bare table are.
    workers : int, Executor or None
        How many CPU cores to use, or any `concurrent.futures.Executor`; by default all cores.
    progress : callable, optional
        Called with (done, total) after each alignment.

    Returns
    -------
    Gold, ItemGold or TextGold

    See Also
    --------
    Gold, ItemGold, TextGold, report

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b"], "bert": ["a", "b", "b", "b"], "cleo": ["a", "b", "a", None]}
    >>> draft = unisono.gold(labels)
    >>> draft.n_drafted, len(draft.to_decide)
    (4, 0)
    """
    thresholds = Thresholds(support, majority, boundary, sure, ask_above)
    how = _checked(thresholds, competence, scale, workers, progress)
    name = check_optional_text(measure, "measure")
    histories = [] if decisions is None else [*map(read_decisions, check_paths(decisions, "decisions"))]
    how = how._replace(histories=histories)
    draft, of_spans = _drafted(as_data(corpus, rows=rows, parameter="corpus"), name, spans, how)
    return settled_gold(draft, [one.without(of_spans) for one in histories]) if histories else draft


def undecided_gold(
    data: Data,
    histories: Sequence[History],
    *,
    measure: str | None = None,
    competence: str | None = None,
    scale: str | None = None,
    spans: Corpus | None = None,
    progress: Progress | None = None,
    **thresholds: Any,
) -> AnyGold:
    """Draft a gold standard in which nothing is decided but the spans that relations join; see `gold`."""
    how = _checked(Thresholds(**thresholds), competence, scale, None, progress)._replace(histories=histories)
    return _drafted(data, measure, spans, how)[0]


class _Drafting(NamedTuple):
    """How units are drafted; see `gold`."""

    thresholds: Thresholds
    model: str | None
    scale: str | None
    workers: Workers
    progress: Progress | None
    histories: Sequence[History] = ()  # what was decided about spans that relations join


def _checked(
    thresholds: Thresholds, competence: str | None, scale: str | None, workers: Workers, progress: Progress | None
) -> _Drafting:
    model = None if competence is None else check_choice(competence, "competence", COMPETENCES)
    how = None if scale is None else check_choice(scale, "scale", DRAFTED_BY)
    tell = check_function(progress, "progress", "done", "total")
    return _Drafting(thresholds, model, how, check_workers(workers), tell)


def _drafted(data: Data, name: str | None, spans: DataLike | None, how: _Drafting) -> tuple[AnyGold, set[PlaceKey]]:
    """Draft whatever the data is; return the places of spans that relations join, too, if these are drafted."""
    if isinstance(data, Ratings):
        if name is not None:
            raise OptionError("only units are aligned, and these are labels of items; leave it out", "measure")
        if spans is not None:
            raise OptionError("only relations have ends, and these are labels of items; leave it out", "spans")
        return gold_of_items(data, how.thresholds, how.model, how.scale), set()
    units = as_corpus(data)
    joined = None if spans is None else as_corpus(as_data(spans, parameter="spans"))
    chosen = _aligner(units, name)
    if joined is not None:
        return _gold_of_relations(units, joined, chosen, how)
    if chosen.declaration.takes_base:
        return _gold_of_editions(units, chosen, how), set()
    return _gold_of_units(units, chosen, how), set()


def _aligner(units: Corpus, name: str | None) -> Measure:
    return aligning_measure(units) if name is None else parse_measure(name, "measure")


def _gold_of_editions(units: Corpus, chosen: Measure, how: _Drafting) -> TextGold:
    """Draft one text with tokens for texts that differ; see `gold`."""
    _check_alignable(units, how)
    given = {
        "boundary": how.thresholds.boundary,
        "ask_above": how.thresholds.ask_above or None,
        "competence": how.model,
    }
    for option, value in given.items():
        if value is not None:
            reason = "this is for annotations of one text, and annotators have different ones; leave it out"
            raise OptionError(reason, option)
    alignments: Mapping[str, TextAlignment] = chosen.align(units, workers=how.workers, progress=how.progress)
    return gold_of_texts(units, alignments, how.thresholds, str(chosen), _notes(units, alignments, None))


def _gold_of_units(units: Corpus, chosen: Measure, how: _Drafting, spans: GoldSpans | None = None) -> Gold:
    """Draft units from their alignment; see `gold`."""
    _check_alignable(units, how)
    _check_texts(units, chosen)
    alignments: Mapping[str, Alignment] = chosen.align(units, workers=how.workers, progress=how.progress)
    aligned: list[AlignmentRow] = [(name, row) for name, alignment in alignments.items() for row in alignment]
    trust: Competence | None = None
    if how.model is None:
        opinions = equal_opinions(aligned)
    else:
        opinions, trust = weighed(aligned, alignments, units.annotators, how.model)
    proposals = tuple(
        propose(name, row, opinion, how.thresholds, spans)
        for (name, row), opinion in zip(aligned, opinions, strict=True)
    )
    notes = _notes(units, alignments, trust)
    joined = None if spans is None else spans.corpus
    return Gold(units, tuple(alignments), proposals, str(chosen), trust, tuple(notes), joined)


def _gold_of_relations(relations: Corpus, spans: Corpus, chosen: Measure, how: _Drafting) -> tuple[Gold, set[PlaceKey]]:
    """Draft relations whose ends are units of a gold standard: the one given, or a draft with what was decided.

    The places of this draft are returned, too.
    """
    places: set[PlaceKey] = set()
    if relations.anchors is None:
        raise OptionError("only relations and events have ends, and these are spans; leave it out", "spans")
    if len(spans.annotators) == 1 and spans.annotators[0] not in relations.annotators:
        gold = only_kind(spans, SPANS)
        if not set(gold.documents) & set(relations.documents):
            names = f"({listed(gold.documents)}) than the relations ({listed(relations.documents)})"
            raise OptionError(f"the spans are of other documents {names}; give documents the same names", "spans")
        said = f"ends of relations are the {plural(gold.n_units, 'span')} of {spans.annotators[0]!r}"
    else:
        layers = joined_layers(relations, spans)
        drafts = [_gold_of_units(layer, _aligner(layer, _by_most_labels(layer)), how) for layer in layers]
        if not drafts:
            return _gold_of_units(relations, chosen, how), places
        places = {place_key(place) for draft in drafts for place in draft_places(draft)}
        drafts = [_with_decisions(draft, how.histories) for draft in drafts]
        gold = joined_corpora([draft.plain for draft in drafts], relations.documents)
        n_open = sum(len(draft.to_decide) for draft in drafts)
        said = f"ends of relations are among the {plural(gold.n_units, 'span')} that were drafted first"
        said += f"; people should decide on {plural(n_open, 'place')} among these first" if n_open else ""
    draft = _gold_of_units(relations, chosen, how, GoldSpans(gold))
    return replace(draft, notes=(*draft.notes, said)), places


def _with_decisions(draft: Gold, histories: Sequence[History]) -> Gold:
    settled = settled_gold(draft, histories)
    assert isinstance(settled, Gold)
    return settled


def _by_most_labels(layer: Corpus) -> str | None:
    """Return the measure that aligns spans, by the feature with most labels if there are several."""
    names = layer.label_features
    if len(names) < 2:
        return None
    most = max(names, key=lambda name: (name != LAYER_FEATURE, int((layer.features[name].codes != MISSING).sum())))
    return f"gamma(features={most})"


def _check_alignable(corpus: Corpus, how: _Drafting) -> None:
    """Raise an error if units cannot be drafted in this way."""
    if how.scale is not None or how.model == SEVERITY:
        only = "scale" if how.scale is not None else "competence"
        raise OptionError("this is only for labels of items, and these are units; leave it out", only)
    if not (corpus.worked.sum(axis=1) > 1).any():
        raise DataError("no document was worked on by two annotators; add the work of another annotator")


def _check_texts(corpus: Corpus, chosen: Measure) -> None:
    """Raise a DataError if annotators have different texts."""
    if chosen.declaration.takes_base:
        raise DataError("annotators have different texts, in which relations cannot be joined; make the texts the same")
    for document in corpus:
        if document.texts_differ:
            raise DataError(
                f"the annotators of document {document.name!r} have different texts, which {chosen.declaration.name} "
                "does not align; use text-gamma, or make the texts the same"
            )


def _notes(corpus: Corpus, alignments: Mapping[str, Aligned], trust: Competence | None) -> list[str]:
    """Return what one should know about the draft."""
    alone = [name for name in corpus.documents if name not in alignments]
    unproven = [name for name, alignment in alignments.items() if alignment.optimality_gap > 0]
    return [
        *_note(alone, "left out, because fewer than two annotators worked on it"),
        *_note(unproven, "aligned, but not proven to be optimal; allow more time, e.g. gamma(time_limit=10m)"),
        *(
            ["the estimates of competence were still changing when the estimation stopped"]
            if trust and not trust.settled
            else []
        ),
    ]


def _note(documents: Sequence[str], what: str) -> list[str]:
    return [f"{plural(len(documents), 'document')} {what}: {listed(documents)}"] if documents else []
