"""What a measure declares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from unisono.data import Corpus, Data
from unisono.errors import OptionError
from unisono.formats.entry import as_data
from unisono.measurement.readers import number, whole_number, yes_or_no
from unisono.measurement.spec import quoted


@dataclass(frozen=True)
class Parameter:
    """A parameter of a measure."""

    name: str  # the name as users write it
    default: Any  # the value if it is not set
    read: Callable[[Any], Any]  # makes the value from text or from a Python object; raises ValueError
    description: str  # what it means, for help and documentation

    def written(self, text: Any, measure: str) -> Any:
        """Make the value from text, e.g. from the command line; OptionError if it is invalid."""
        if text is None and self.default is None:
            return None
        try:
            return self.read(text)
        except OptionError as error:
            raise OptionError.about(self.name, f"{measure}: {error.message}") from None
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
            raise self._invalid(quoted(text), measure) from None

    def taken(self, given: Any, measure: str) -> Any:
        """Make the value from a Python object, where a number is a number and not text."""
        if isinstance(given, str) and self.read in (number, whole_number, yes_or_no):
            raise self._invalid(repr(given), measure)
        return self.written(given, measure)

    def _invalid(self, shown: str, measure: str) -> OptionError:
        message = f"{measure}: {self.name}={shown} is invalid; {self.name}: {self.description}"
        return OptionError.about(self.name, message)


def _all_at_once(data: Data, **parameters: Any) -> str:
    return "" if isinstance(data, Corpus) else "tables of labels or of rewritten words are read into memory as a whole"


@dataclass(frozen=True, eq=False, repr=False)
class Declaration:
    """A measure as the registry knows it.

    Attributes
    ----------
    name, symbol, title : str
        Its name, the letter that papers use, and what it is.
    family : str
        What it is for: units, ratings, segmentation.
    needs, ignores, reference : str
        What data it needs, what it ignores, where it is defined.
    papers : tuple of str
        What to cite: keys of `measurement/references.bib`.
    parameters : tuple of Parameter
        What can be set.
    compute : callable
        data, rng=, workers=, progress= and the parameters -> result.
    unfit : callable
        data and the parameters -> why the measure cannot handle it, or None.
    entry : callable
        Converts user input into data.
    align : callable or None
        corpus, workers=, progress= and the parameters -> alignments by document, if the measure makes any.
    stream : callable or None
        The same as `compute`, with a corpus in a folder and a ledger of what was measured before as first arguments, if
        documents can be measured one after another.
    at_once : callable
        data and the parameters -> a clause that explains why all data is needed at once; empty if `stream` can be used.
    when : str
        When to use it, for users: a condition that cannot be checked from the data alone begins with *if*.
    scale : {"agreement", "error", "cost"}
        Whether 1 is perfect agreement, or 0 is; a cost is an error of any size, which the estimate normalizes.
    for_many : str or None
        For measures of just two annotators: the measure to use when there are more.
    corrected : bool
        Whether agreement by chance counts as none.
    takes_missing : bool
        Whether items that some annotators did not label count, with the labels that they have.
    takes_base : bool
        Whether `compute` accepts base=, the pre-annotation that annotators started from.
    takes_overlap : bool
        Whether units of one annotator may overlap.
    takes_composite : bool
        Whether units may be relations, events or units in several pieces.
    labels : {"names", "numbers", "ranks"}
        What labels are to the formula: names that are the same or not (or as far apart as a distance says), numbers, or
        places in an order.

    See Also
    --------
    measures, Measure

    Examples
    --------
    >>> import unisono
    >>> declared = unisono.measures()["cohen-kappa"]
    >>> declared.symbol, declared.two_only, declared.for_many
    ('κ', True, 'multi-kappa')
    """

    name: str
    symbol: str
    title: str
    family: str
    needs: str
    ignores: str
    reference: str
    papers: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    compute: Callable[..., Any]
    unfit: Callable[..., str | None]
    entry: Callable[..., Data] = as_data
    align: Callable[..., Any] | None = None
    stream: Callable[..., Any] | None = None
    at_once: Callable[..., str] = _all_at_once
    for_many: str | None = None
    when: str = ""
    scale: Literal["agreement", "error", "cost"] = "agreement"
    corrected: bool = True
    takes_missing: bool = True
    takes_base: bool = False
    takes_overlap: bool = False
    takes_composite: bool = False
    labels: Literal["names", "numbers", "ranks"] = "names"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Declaration) and (self.name, self.title) == (other.name, other.title)

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"Declaration({self.name!r}: {self.title})"

    @property
    def two_only(self) -> bool:
        """Whether it is for just two annotators."""
        return self.for_many is not None

    @property
    def samples(self) -> bool:
        """Whether it draws random samples, so that workers can share what is to be done for one corpus."""
        return any(parameter.name == "precision" for parameter in self.parameters)

    @property
    def weighs(self) -> bool:
        """Whether some labels can be closer to each other than others."""
        return any(parameter.name in ("distance", "weights") for parameter in self.parameters)

    def wrong_number(self, annotators: Sequence[str]) -> str | None:
        """Explain why there are too few or too many annotators; None if there are not."""
        if len(annotators) < 2:
            there = f"only {annotators[0]}" if annotators else "nobody"
            return f"agreement needs two annotators or more, but there is {there}; add the work of another annotator"
        if self.for_many is not None and len(annotators) > 2:
            two = " and ".join(annotators[:2])
            return (
                f"{self.name} is for two annotators, but there are {len(annotators)}; use {self.for_many}, choose two "
                f"annotators, e.g. {two}, or measure every pair"
            )
        return None

    def can_handle(self, data: Any, **parameters: Any) -> bool:
        """Check whether the measure can handle the data; `unfit` explains why not."""
        return self.unfit(data, **parameters) is None
