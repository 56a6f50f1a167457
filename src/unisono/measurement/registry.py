"""The registry: every measure is declared once, and the declaration drives parsing, help and documentation."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from unisono.checks import check_seed
from unisono.data import Corpus, Data, Ratings
from unisono.data.ratings import Rows
from unisono.errors import OptionError, naming
from unisono.execution import Progress, Workers
from unisono.formats.entry import DataLike
from unisono.measurement.declaration import Declaration
from unisono.measurement.scales import alpha_with, label_scale
from unisono.measurement.spec import Value, parse_spec, quoted
from unisono.results import Result

_FAMILIES = (
    "unisono.measurement.gamma",
    "unisono.measurement.text_gamma",
    "unisono.measurement.categorization",
    "unisono.measurement.rating_scales",
    "unisono.measurement.segmentation",
    "unisono.measurement.unitizing",
    "unisono.measurement.relations",
    "unisono.measurement.normalization",
)
"""One package per family, each with DECLARATIONS, in the order in which measures are recommended."""


def _made_for(data: Data) -> str:
    """Return the family for a kind of data."""
    if isinstance(data, Corpus):
        return "units"
    return "ratings" if isinstance(data, Ratings) else "normalization"


@dataclass(frozen=True)
class Measure:
    """A measure with its parameters; `str()` of it reads back as the same measure.

    Attributes
    ----------
    declaration : Declaration
        What is measured; see `unisono.measures`.
    given : dict
        The parameters that were given, by name.

    See Also
    --------
    measure, Declaration

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b", "a"], "bert": ["a", "b", "b", "b", "a"]}
    >>> measure = unisono.Measure(unisono.measures()["gwet-ac1"], {"categories": 3})
    >>> str(measure), measure.can_handle(labels)
    ('gwet-ac1(categories=3)', True)
    >>> round(measure.compute(labels).value, 3)
    0.733
    """

    declaration: Declaration
    given: Mapping[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        if not self.given:
            return self.declaration.name
        return f"{self.declaration.name}({','.join(f'{key}={quoted(v)}' for key, v in self.given.items())})"

    def with_defaults(self, **values: str) -> Measure:
        """Return the measure with values for parameters that it has, and that were not given."""
        known = [parameter.name for parameter in self.declaration.parameters]
        more = {name: value for name, value in values.items() if name in known}
        return replace(self, given={**more, **self.given})

    def compute(
        self,
        data: DataLike,
        *,
        base: Any = None,
        rows: Rows = None,
        rng: int | np.random.Generator | None = 42,
        workers: Workers = None,
        progress: Progress | None = None,
    ) -> Result:
        """Measure data of any kind (see `unisono.measure`)."""
        more = self._values()
        if base is not None and self.declaration.takes_base:
            more["base"] = base
        given = self.declaration.entry(data, rows=rows)
        found: Result = self.declaration.compute(given, rng=check_seed(rng), workers=workers, progress=progress, **more)
        return found

    def check_base(self, base: Any) -> None:
        """Reject a pre-annotation that the measure does not use."""
        if base is not None and not self.declaration.takes_base:
            raise OptionError(f"{self.declaration.name} uses no pre-annotation; text-gamma does", "base")

    def at_once(self, data: Data) -> str:
        """Explain in a clause why all data is needed at once; empty if it can be measured batch by batch."""
        why = self.declaration.at_once(data, **self._values())
        return why or ("" if self.declaration.stream else "it is not a sum over documents")

    def stream(
        self, corpus: Corpus, ledger: Any, *, rng: int, workers: Workers = None, progress: Progress | None = None
    ) -> Result:
        """Measure a corpus batch by batch; a ledger keeps batches, and has those that were measured before."""
        if self.declaration.stream is None:
            raise OptionError(f"{self.declaration.name} cannot be measured document by document")
        found: Result = self.declaration.stream(
            corpus, ledger, rng=rng, workers=workers, progress=progress, **self._values()
        )
        return found

    def align(self, data: Data, *, workers: Workers = None, progress: Progress | None = None) -> Any:
        """Align the units of each document, without measuring."""
        if self.declaration.align is None:
            raise OptionError(f"{self.declaration.name} does not align units; gamma and text-gamma do")
        return self.declaration.align(data, workers=workers, progress=progress, **self._values())

    def unfit(self, data: Data) -> str | None:
        """Explain why the measure cannot handle the data, or None if it can."""
        return self.declaration.unfit(data, **self._values())

    def can_handle(self, data: Data) -> bool:
        """Check whether the measure can handle the data; `unfit` explains why not."""
        return self.unfit(data) is None

    def _values(self) -> dict[str, Any]:
        known = {parameter.name: parameter for parameter in self.declaration.parameters}
        return {name: known[name].written(text, self.declaration.name) for name, text in self.given.items()}


def measures() -> dict[str, Declaration]:
    """Return all measures by name.

    Returns
    -------
    dict
        Name to `Declaration`.

    See Also
    --------
    measure, advise, Declaration

    Examples
    --------
    >>> import unisono
    >>> unisono.measures()["cohen-kappa"].title
    "Cohen's κ: two annotators, each with their own preferences"
    >>> len(unisono.measures()) > 30
    True
    """
    return {name: one for family in _FAMILIES for name, one in _of_family(family).items()}


def _of_family(module: str) -> dict[str, Declaration]:
    return {one.name: one for one in importlib.import_module(module).DECLARATIONS}


def declared(name: str) -> Declaration:
    """Return the measure with this name."""
    written = name.lower().replace("_", "-")
    family = f"unisono.measurement.{written.replace('-', '_')}"  # γ need not wait until all others are loaded
    known = _of_family(family) if family in _FAMILIES else {}
    known = known if written in known else measures()
    if written not in known:
        close = [other for other in known if written in other] or get_close_matches(written, known, n=3)
        said = f"did you mean {' or '.join(close)}?" if close else f"available: {', '.join(known)}"
        raise OptionError(f"unknown measure {name!r}; {said}")
    return known[written]


def parse_measure(text: str, parameter: str = "name") -> Measure:
    """Make a measure from its name and parameters, e.g. ``gamma(alpha=3,beta=1)``.

    Errors are about the parameter that the measure was passed as.
    """
    if not isinstance(text, str):
        example = "'gamma' or 'gamma(alpha=3,beta=1)'"
        raise OptionError(f"expected a measure's name, e.g. {example}, not {text!r}", parameter)
    with naming(parameter, said=True):
        name, given = parse_spec(text)
        declaration = declared(name)
        names = [one.name for one in declaration.parameters]
        for key in given:
            if key not in names:
                raise OptionError(f"{name} has no parameter {key!r}; available: {', '.join(names)}")
    return Measure(declaration, given)


def default_measure(data: Data, *more: Data) -> Measure:
    """Choose the measure to use if none is named: the first that can handle the data, with the distance for its labels.

    If none can, the first one for data of this kind is used, since its message explains best what is wrong. Data to be
    measured in the same way may have further labels: pass it, too.
    """
    ordered = preferred(data)
    for declaration in ordered:
        for one in (_with_distance(declaration, data, *more), Measure(declaration)):
            if one.unfit(data) is None:
                return one
    family = _made_for(data)
    return Measure(next(declaration for declaration in measures().values() if declaration.family == family))


def _with_distance(declaration: Declaration, *data: Data) -> Measure:
    """Return α with the distance for labels of items, and any other measure as it is."""
    given = [one for one in data if isinstance(one, Ratings)]
    if not given or declaration.name != _USUAL:
        return Measure(declaration)
    return parse_measure(alpha_with(label_scale(*given).distance))


def aligning_measure(data: Data) -> Measure:
    """Choose the measure to align with if none is named: the first that aligns and can handle the data."""
    aligning = [declaration for declaration in preferred(data) if declaration.align is not None]
    return Measure(next((one for one in aligning if one.unfit(data) is None), aligning[0]))


def preferred(data: Data) -> list[Declaration]:
    """Order the measures by how well they suit data of this kind; `unfit` determines which of them can handle it."""
    first = [_made_for(data)]
    if isinstance(data, Corpus) and any(document.texts_differ for document in data):
        first = ["texts", "units"]  # annotators corrected the text
    elif isinstance(data, Corpus) and data.anchors is not None:
        first = ["units", "relations"]
    elif isinstance(data, Corpus) and not data.features and data.n_units > data.worked.sum():
        first = ["segmentation", "units"]  # several spans without labels that cover everything are probably segments
    suits = _SUITS.get(label_scale(data).kind, ()) if isinstance(data, Ratings) else ()

    def rank(one: Declaration) -> tuple[int, int]:
        family = first.index(one.family) if one.family in first else len(first)
        use = "weights" if one.weighs else one.labels
        return family, suits.index(use) if use in suits and one.name != _USUAL else -1

    return sorted(measures().values(), key=rank)


_USUAL = "krippendorff-alpha"
_SUITS = {
    "numbers": ("numbers", "ranks", "weights", "names"),
    "ranks": ("ranks", "weights", "numbers", "names"),
    "steps": ("weights", "ranks", "numbers", "names"),
}
"""Kind of labels to what measures make of them (`Declaration.labels`, or weights), the best first."""


def measure(
    name: str,
    data: DataLike,
    *,
    base: DataLike | None = None,
    rows: Rows = None,
    rng: int | np.random.Generator | None = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Result:
    """Measure data with any measure by name.

    Parameters
    ----------
    name : str
        A measure with its parameters, e.g. ``gamma(alpha=3,beta=1)``.
    data : Corpus, Ratings, Normalizations, path, frame, mapping or bare table
        The annotations.
    base : Corpus, path or frame, optional
        The pre-annotation that annotators started from, for measures that use it (text-gamma).
    rows : {"items", "annotators"}, optional
        What the rows of a bare table are.
    rng : int, Generator or None
        Seed.
    workers : int, Executor or None
        How many CPU cores to use, or any `concurrent.futures.Executor`; by default all cores.
    progress : callable, optional
        Called with (done, total).

    Returns
    -------
    Result
        Of the class that belongs to the measure, such as `GammaResult`.

    See Also
    --------
    measures, stream, advise

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b", "a"], "bert": ["a", "b", "b", "b", "a"]}
    >>> result = unisono.measure("gwet-ac1(categories=3)", labels)
    >>> round(result.value, 3), result.parameters["categories"]
    (0.733, 3)
    """
    chosen = parse_measure(name)
    chosen.check_base(base)
    return chosen.compute(data, base=base, rows=rows, rng=rng, workers=workers, progress=progress)
