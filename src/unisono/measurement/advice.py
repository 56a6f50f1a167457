"""Which measures fit the data, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from unisono.data import Corpus, Data, Normalizations, Ratings
from unisono.data.unit_kinds import UNIT_KINDS, counted_units, in_a_row, kinds_of, there_are
from unisono.errors import DataError, Spell, as_argument, listed, mention, plural, spelled_out
from unisono.formats.entry import DataLike, Rows, as_data
from unisono.measurement.decisions import Decision, decide
from unisono.measurement.declaration import Declaration
from unisono.measurement.facts import Facts
from unisono.measurement.registry import preferred
from unisono.measurement.taking import Way, lacking, to_report, ways
from unisono.results import Captioned, Table, Tabled


@dataclass(frozen=True)
class Advice(Tabled):
    """Which measures to use for some data.

    Attributes
    ----------
    observations : tuple of str
        What the data shows that matters for the choice, in sentences.
    fitting : tuple of Declaration
        The measures that can handle the data, best first.
    unfit : dict
        The names of all other measures, and why each cannot handle it.
    decisions : tuple of Decision
        The questions that lead to the measure, with answers from the data.
    take : tuple of Way
        What to measure; after the first, under conditions that only people can judge.
    report : tuple of str
        What to report besides the value.
    lacking : str
        What is missing before anything can be measured; empty if nothing is.
    layers : tuple of str
        The layers to choose from, if units belong to several.

    See Also
    --------
    advise, Declaration

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b", "a"], "bert": ["a", "b", "b", "b", "a"]}
    >>> advice = unisono.advise(labels)
    >>> advice.fitting[0].title
    "Krippendorff's α: any number of annotators, missing labels, any distance between labels"
    """

    observations: tuple[str, ...]
    fitting: tuple[Declaration, ...]
    unfit: dict[str, str]
    decisions: tuple[Decision, ...] = ()
    take: tuple[Way, ...] = ()
    report: tuple[str, ...] = ()
    lacking: str = ""
    layers: tuple[str, ...] = ()

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Return the questions that lead to the measure, what fits and what does not, and what to use and report."""
        unfit: dict[str, list[str]] = {}
        for name, reason in self.unfit.items():
            unfit.setdefault(reason, []).append(name)
        tables = [
            Captioned("From the data to the measure", Table(("question", "answer", "therefore"), self.decisions)),
            Captioned(
                "These fit, best first",
                Table(("measure", "when"), [(one.name, one.when) for one in self.fitting]),
            ),
            Captioned(
                "These do not fit",
                Table(("measure", "why"), [(", ".join(names), reason) for reason, names in unfit.items()]),
            ),
            Captioned("Report", Table(("what",), [(sentence,) for sentence in self.report])),
        ]
        return tables, [*self.observations, *self._said()]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "observations": self.observations,
            "decisions": [one._asdict() for one in self.decisions],
            "fitting": [{"measure": one.name, "title": one.title, "when": one.when} for one in self.fitting],
            "unfit": [{"measure": name, "reason": reason} for name, reason in self.unfit.items()],
            "take": [one._asdict() for one in self.take],
            "report": self.report,
            "lacking": self.lacking,
            "layers": self.layers,
        }

    def __repr__(self) -> str:
        return f"Advice(use {', '.join(self.take[0].measures) if self.take else 'nothing'})"

    def __str__(self) -> str:
        return "\n".join([*self.observations, *(f"{one.name}: {one.when}" for one in self.fitting), *self._said()])

    def _said(self) -> Iterator[str]:
        """Yield what to use, or what is lacking."""
        for condition, measures in self.take:
            names = " and ".join(measures)
            yield f"If {condition}, use {names}." if condition else f"Use {names}."
        if self.lacking:
            yield self.lacking


def advise(data: DataLike, *, rows: Rows = None) -> Advice:
    """Find out which measures fit the data, and why the others do not.

    Parameters
    ----------
    data : DataLike
        The annotations; see `unisono.read`.
    rows : {"items", "annotators"}, optional
        What the rows of a bare table are.

    Returns
    -------
    Advice

    See Also
    --------
    measures, measure, Advice

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b", "a"], "bert": ["a", "b", "b", "b", "a"]}
    >>> advice = unisono.advise(labels)
    >>> [declared.name for declared in advice.fitting][:3]
    ['krippendorff-alpha', 'cohen-kappa', 'fleiss-kappa']
    >>> advice.unfit["gamma"]
    'units with a start and an end are needed, but these are labels of given items; use krippendorff-alpha'
    """
    return advised(as_data(data, rows=rows), as_argument)


def advised(data: Data, spell: Spell) -> Advice:
    """Find out what `advise` does, with parameters written in some way."""
    facts = Facts(data)
    reasons = {declaration: _against(declaration, facts) for declaration in preferred(facts.data)}
    fitting = tuple(one for one, reason in reasons.items() if reason is None)
    take = () if facts.layers else tuple(ways(facts, fitting))
    first, reason = next(iter(reasons.items()))
    return Advice(
        observations=tuple(spelled_out(sentence, spell) for sentence in _observed(facts)),
        fitting=fitting,
        unfit={one.name: spelled_out(reason, spell) for one, reason in reasons.items() if reason is not None},
        decisions=decide(facts),
        take=take,
        report=tuple(to_report(facts, take)),
        lacking=spelled_out(
            lacking(facts) or ("" if take else f"Nothing can be measured yet. {first.name}: {reason}."), spell
        ),
        layers=tuple(facts.layers),
    )


def _against(declaration: Declaration, facts: Facts) -> str | None:
    """Explain why a measure does not fit: it cannot handle the data, compares different things, or has no value.

    What its declaration rules out is not tried.
    """
    reason = _ruled_out(declaration, facts)
    if reason is None and declaration.align is not None:
        reason = declaration.unfit(facts.data)
    if reason is not None:
        return reason
    if declaration.family == "texts":
        if not facts.corrected and not facts.tokens:
            return "all annotators have the same text, so nobody corrected it; use gamma"
    elif facts.corrected and declaration.family != "normalization":
        return f"it compares positions, and the annotators' texts differ in {listed(facts.corrected, 3)}"
    if declaration.align is not None:
        return None
    some = facts.sample if declaration.takes_overlap or facts.overlap is None else facts.data
    if some is not facts.data and _tried(declaration, some) is None:
        return None
    return _tried(declaration, facts.data)


def _ruled_out(declaration: Declaration, facts: Facts) -> str | None:
    """Explain why a measure cannot handle data of this kind, from what it declares."""
    corpus = facts.data
    if not isinstance(corpus, Corpus):
        return None if declaration.family not in ("ratings", "normalization") else _number(declaration, facts)
    if declaration.family == "relations" and not facts.composite:
        return "there are no relations or events"
    if facts.composite and not declaration.takes_composite:
        return f"units are {facts.composite}, and it compares plain spans"
    if declaration.family == "segmentation" and facts.whole:
        return facts.uncut
    if declaration.family == "texts" or not {"feature", "features"} & {one.name for one in declaration.parameters}:
        return None
    if facts.layers:
        return f"there are units of several layers ({listed(facts.layers)}), to be measured one by one; choose one"
    if declaration.align is None and len(facts.features) > 1:
        return _several(corpus)
    if declaration.family == "ratings" and facts.features and facts.apart is not None:
        return facts.apart
    return _number(declaration, facts)


def _number(declaration: Declaration, facts: Facts) -> str | None:
    return None if declaration.align is not None else declaration.wrong_number(facts.data.annotators)


def _several(corpus: Corpus) -> str | None:
    try:
        corpus.chosen_feature()
    except DataError as error:
        return error.message
    return None


def _tried(declaration: Declaration, data: Data) -> str | None:
    """Measure, and explain why there is no value, if there is none."""
    try:
        result = declaration.compute(data, rng=None, workers=None, progress=None)
    except DataError as error:
        return error.message
    return None if result.undefined is None else f"it would have no value: {result.undefined}"


def _observed(facts: Facts) -> Iterator[str]:
    if isinstance(facts.data, Ratings):
        return _of_ratings(facts.data)
    return _of_normalizations(facts.data) if isinstance(facts.data, Normalizations) else _of_units(facts.data, facts)


def _of_normalizations(data: Normalizations) -> Iterator[str]:
    changed = ((data.norm >= 0) & (data.norm != data.original[:, None])).any(axis=1)
    yield (
        f"{plural(len(data.annotators), 'annotator')} rewrote {plural(data.n_tokens, 'token')} that were given to "
        f"them; {int(changed.sum()):,} were changed by at least one."
    )
    absent = int((data.norm < 0).sum())
    if absent:
        yield f"{absent:,} of {data.norm.size:,} normalizations are missing; the others are used."


def _of_ratings(ratings: Ratings) -> Iterator[str]:
    yield (
        f"{plural(len(ratings.annotators), 'annotator')} labelled {plural(ratings.n_items, 'item')} that were given "
        f"to them, with {plural(len(ratings.labels), 'label')}."
    )
    absent = int((ratings.codes < 0).sum())
    if absent:
        verb = "is" if absent == 1 else "are"
        yield f"{absent:,} of {ratings.codes.size:,} labels {verb} missing; α, AC1 and Fleiss' κ use the others."
    if ratings.question.compares:
        what = (
            "which of two outputs of systems is better"
            if ratings.question.compares == "pairs"
            else "how good outputs are"
        )
        yield f"Annotators judged {what}: unisono judges shows bias and rankings of systems, too."
    yield from (f"{note[:1].upper()}{note[1:]}." for note in ratings.notes)


def _of_units(corpus: Corpus, facts: Facts) -> Iterator[str]:
    yield (
        f"{plural(len(corpus.annotators), 'annotator')} marked {plural(corpus.n_units, 'unit')} in "
        f"{plural(len(corpus.documents), 'document')}."
    )
    if corpus.anchors is not None:
        of_all = plural(corpus.n_units, "unit")
        yield f"{int(corpus.anchors.composite.sum()):,} of {of_all} are {facts.composite}, which γ compares as a whole."
        numbers = Counter(UNIT_KINDS[kind] for kind in kinds_of(corpus).tolist())
        if len(numbers) > 1:
            there = in_a_row([counted_units(numbers[kind], kind) for kind in UNIT_KINDS if numbers[kind]])
            last = max(numbers, key=UNIT_KINDS.index)
            yield f"There are {there}, measured together: to measure one kind, choose {mention('units', last)}."
    for kind, types in corpus.others.items():
        yield f"{there_are(types, kind)}, too: to measure {kind} instead, choose {mention('units', kind)}."
    if facts.overlap is not None:
        yield f"Units of one annotator overlap ({facts.overlap}), which γ is built for and most other measures are not."
